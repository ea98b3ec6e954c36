"""The exercises and questions of notebook 06."""

import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler

from helpers import corners
from helpers.exercises.core import Choice, Mistake, Question, Slip, collect, exercise
from helpers.training import batches

how_wide = Question(
    "how_wide",
    "A query and a key have `d_k = 64` entries each, all independent with mean 0 and "
    "standard deviation 1. What is the standard deviation of their dot product?",
    [
        Choice(
            "1, as of each entry",
            "A mean of 64 products would be small, but a dot product is their sum. "
            "Variances of independent terms add up: how many terms are there?",
        ),
        Choice(
            "8",
            "Each product has variance 1, the 64 variances add up to 64, and its "
            "square root is 8. This is the $\\sqrt{d_k}$ that the scores are divided "
            "by.",
            right=True,
        ),
        Choice(
            "64",
            "That is the variance. The standard deviation has the unit of the score "
            "itself: what is still to be done?",
        ),
    ],
    hints=[
        "Each of the 64 products has mean 0 and variance 1.",
        "The variance of a sum of independent terms is the sum of the variances; the "
        "standard deviation is its square root.",
    ],
)


def _mask_seen(answer, size):
    """What a mask is and holds; numbers 0 and 1 are told from True and False."""
    mask = answer(size)
    if mask is None or mask is ...:
        return mask
    tensor = isinstance(mask, torch.Tensor)
    return {
        "what it returns": "a tensor" if tensor else f"a {type(mask).__name__}",
        "the mask": mask,
        "its entries are": _kind_of_entries(mask),
    }


def _kind_of_entries(mask):
    kind = str(getattr(mask, "dtype", None) or np.asarray(mask).dtype)
    return "True and False" if "bool" in kind else "numbers"


# Name, sentence, and what stands in the place of `.tril()`.
_WRONG_MASKS = [
    (
        "inverted",
        "It is the other way round: True where looking is forbidden. Here True "
        "means *may look* (some libraries use the opposite, so read which).",
        ".triu(1)",
    ),
    (
        "shifted: not itself",
        "It is shifted by one: no token may look at itself, and the first token may "
        "look at nothing at all. A softmax over nothing is not a number. Is the "
        "diagonal in or out?",
        ".tril(-1)",
    ),
    (
        "shifted: sees the next",
        "It is shifted by one: every token sees the token after it, which is the "
        "very one to be predicted. How far to the right may row $q$ look?",
        ".tril(1)",
    ),
    (
        "transposed",
        "Rows and columns are exchanged: your first row may look at all tokens, "
        "the last one at itself only. Rows are the queries, the ones that look.",
        ".triu()",
    ),
    (
        "everything allowed",
        "Every entry is True, so nothing is masked and the future is open. Which "
        "half of the square must be False?",
        "",
    ),
    (
        "nothing allowed",
        "No entry is True: nobody may look at anything. Which half of the square "
        "must be True?",
        ".tril(-size)",
    ),
    (
        "itself only",
        "Every token sees itself and nothing else. It may also look at all tokens "
        "*before* it: which side of the diagonal are they on?",
        ".tril().triu()",
    ),
    (
        "itself and the one before",
        "Every token sees itself and the one before it. It may look at *all* tokens "
        "before it.",
        ".tril().triu(-1)",
    ),
    (
        "not itself, but for the first",
        "The first token sees itself; no other one does, it sees only what is before it. "
        "Every token may look at itself.",
        ".tril(-1).index_fill(1, torch.tensor(0), True)",
    ),
    (
        "the one before only",
        "Every token sees the one before it and nothing else. It may look at itself, "
        "and at *all* tokens before it.",
        ".tril(-1).triu(-1)",
    ),
    (
        "the other diagonal",
        "The border between True and False runs from bottom left to top right. Row "
        "$q$ has $q + 1$ entries that are True, and they are the first ones.",
        ".tril().flip(1)",
    ),
    (
        "upside down",
        "The first row may look at all tokens and the last one at one only. The rows "
        "are in the wrong order: row $q$ has $q + 1$ entries that are True.",
        ".tril().flip(0)",
    ),
]


def _in_both_forms(wrong):
    """The mistakes with True and False, and the same ones with the numbers 1 and 0."""
    also = " (And it holds numbers; True and False are asked for.)"
    return [
        *(Slip(name, told, {".tril()": instead}) for name, told, instead in wrong),
        *(
            Slip(
                f"{name}, in numbers",
                told + also,
                {".tril()": instead, ", dtype=torch.bool": ""},
            )
            for name, told, instead in wrong
        ),
    ]


@exercise(
    stub='''
    def causal_mask(size):
        """(size, size), True where query (row) may look at key (column)."""
        return ...
    ''',
    cases=[(1,), (2,), (4,), (7,)],
    run=_mask_seen,
    hints=[
        "Row $q$ has $q + 1$ entries that are True: the columns $0 \\dots q$. Draw it "
        "for `size = 3` first.",
        "`torch.ones(size, size, dtype=torch.bool)` is True everywhere; `.tril()` keeps "
        "the diagonal and what is below, and clears the rest.",
    ],
    mistakes=[
        *_in_both_forms(_WRONG_MASKS),
        Slip(
            "added form",
            "These are the numbers that one *adds* to the scores: 0 and minus "
            "infinity. It is a right mask in another form; here True and False are "
            "asked for.",
            {
                "torch.ones(size, size, dtype=torch.bool).tril()": "torch.full("
                "(size, size), -math.inf).triu(1)"
            },
        ),
        Slip(
            "numbers",
            "The places are right, but the entries are the numbers 1 and 0. The line "
            "`~mask` needs True and False: give the tensor `dtype=torch.bool`.",
            {", dtype=torch.bool": ""},
        ),
        *(
            Slip(
                "not a tensor",
                f"The mask is right, but it is {kind}. The next cells call `~mask` and "
                "`masked_fill`, which want a tensor.",
                {".tril()": f".tril(){made}"},
            )
            for kind, made in (("a list", ".tolist()"), ("a NumPy array", ".numpy()"))
        ),
        Slip(
            "one size too large",
            "It has `size + 1` rows and columns. There is one for each of the `size` "
            "tokens.",
            {"(size, size, dtype": "(size + 1, size + 1, dtype"},
        ),
        Slip(
            "a batch axis",
            "It has an axis too many. The mask is `(size, size)`; broadcasting uses it "
            "for every sentence.",
            {".tril()": ".tril()[None]"},
        ),
    ],
    remark="The first row holds one True: token 0 can look at nothing but itself.",
)
def causal_mask(size):
    """(size, size), True where query (row) may look at key (column)."""
    return torch.ones(size, size, dtype=torch.bool).tril()


def _attention_cases():
    generator = torch.Generator().manual_seed(6)

    def normal(*shape):
        return 2 * torch.randn(*shape, generator=generator)

    def case(*batch, queries, keys, d_k, d_v, mask):
        key = normal(*batch, d_k, keys).transpose(-2, -1)  # as after a split: a view
        return normal(*batch, queries, d_k), key, normal(*batch, keys, d_v), mask

    def everywhere(*shape):
        return torch.ones(shape, dtype=torch.bool)

    padding = torch.tensor([[True, True, False, True, False]])
    mixed = torch.tensor([[True, False, True], [False, True, True]])
    # Every size differs from the ones that it could be mixed up with.
    return [
        case(queries=4, keys=4, d_k=6, d_v=3, mask=everywhere(4, 4)),
        case(2, queries=5, keys=5, d_k=16, d_v=7, mask=everywhere(5, 5).tril()),
        case(2, 6, queries=3, keys=4, d_k=9, d_v=5, mask=everywhere(3, 4).tril()),
        case(3, queries=2, keys=5, d_k=8, d_v=8, mask=padding),
        case(4, queries=2, keys=3, d_k=1, d_v=2, mask=mixed),
        case(
            *(2, 3, 1),
            queries=2,
            keys=3,
            d_k=4,
            d_v=6,
            mask=mixed.expand(2, 1, 1, 2, 3),
        ),
        # All scores are near -80: hidden keys need less than any visible one has.
        (normal(2, 5) / 20 + 6, normal(3, 5) / 20 - 6, normal(3, 4), mixed),
    ]


_SCORES = "query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])"
_WEIGHTS = "scores.masked_fill(~mask, -math.inf).softmax(dim=-1)"


@exercise(
    stub='''
    def attention(query, key, value, mask):
        """Output of shape (..., queries, d_v); mask is True where looking is allowed."""
        # scores, of shape (..., queries, keys)
        # weights, of the same shape; every row sums to 1
        return ...
    ''',
    cases=_attention_cases(),
    hints=[
        "Three lines: scores $QK^T/\\sqrt{d_k}$; a softmax along each row, in which "
        "masked places come out as 0; the weighted sum of the values. "
        "`key.transpose(-2, -1)` turns the last two axes and leaves the batch alone.",
        "`scores.masked_fill(~mask, -math.inf)` before the softmax: $e^{-\\infty} = 0$, "
        "and the other weights of the row still sum to 1. Then `softmax(dim=-1)`.",
    ],
    mistakes=[
        Slip(
            "no square root of d_k",
            "The scores are not divided by $\\sqrt{d_k}$. They grow with the width, the "
            "softmax becomes nearly a maximum, and little gradient is left.",
            {" / math.sqrt(query.shape[-1])": ""},
        ),
        Slip(
            "divided by d_k",
            "The scores are divided by $d_k$ itself; that makes them too small. It is "
            "their standard deviation, not their variance, that should become 1.",
            {"math.sqrt(query.shape[-1])": "query.shape[-1]"},
        ),
        Slip(
            "multiplied by the root",
            "The scores are *multiplied* by $\\sqrt{d_k}$; that makes them even larger. "
            "Divide.",
            {"/ math.sqrt": "* math.sqrt"},
        ),
        Slip(
            "root of the value's width",
            "The scores are divided by the root of $d_v$, the width of `value`. They are "
            "sums over the columns of query and key: whose width is $d_k$?",
            {"sqrt(query.shape[-1])": "sqrt(value.shape[-1])"},
        ),
        Slip(
            "softmax over the wrong axis",
            "The softmax runs down the columns: the weights of each *key* sum to 1. "
            "Every *query* shares out its attention: which axis holds the keys?",
            {"dim=-1": "dim=-2"},
        ),
        Slip(
            "mask after softmax",
            "The mask comes after the softmax: hidden places are 0, but the rest of the "
            "row no longer sums to 1, because hidden scores still had a share. Hide "
            "them before.",
            {_WEIGHTS: "scores.softmax(dim=-1) * mask"},
        ),
        Slip(
            "minus infinity after the softmax",
            "The weights themselves are set to minus infinity. Set the *scores* to it, "
            "before the softmax: then the weights become 0.",
            {_WEIGHTS: "scores.softmax(dim=-1).masked_fill(~mask, -math.inf)"},
        ),
        # Where every key of a query is hidden, the three differ.
        *(
            Slip(
                "mask inverted",
                "The mask is inverted: allowed places are hidden and the others are "
                "seen. Here True means *may look*. What does it mean to the function "
                "that you hand the mask to? (`masked_fill` fills where it is True; "
                "`scaled_dot_product_attention` looks there.)",
                edits,
            )
            for edits in (
                {"~mask": "mask"},
                {"~mask, -math.inf": "mask, -1e9"},
                {"~mask": "mask", "softmax(dim=-1)": "softmax(dim=-1).nan_to_num()"},
            )
        ),
        Slip(
            "mask inverted, after softmax",
            "Two things: the mask is inverted (True means *may look*), and it comes after "
            "the softmax, where the rows no longer sum to 1.",
            {_WEIGHTS: "scores.softmax(dim=-1) * ~mask"},
        ),
        Slip(
            "hidden scores set to 0",
            "Hidden scores are set to 0, which is a score like any other: a softmax "
            "makes a weight of it, from $e^0 = 1$. Which score gives a weight of exactly "
            "0?",
            {"-math.inf": "0.0"},
        ),
        Slip(
            "mask added as numbers",
            "True and False are added to the scores as 1 and 0. That only makes hidden "
            "scores a little smaller, and hides none.",
            {".masked_fill(~mask, -math.inf)": ".add(mask)"},
        ),
        Slip(
            "sigmoid",
            "A sigmoid looks at each score by itself, so a row of weights does not sum "
            "to 1. A softmax shares 1 out among the keys.",
            {".softmax(dim=-1)": ".sigmoid()"},
        ),
        Slip(
            "exponentials without their sum",
            "The exponentials of the scores are the weights here, and their rows do not "
            "sum to 1. A softmax divides them by the sum of their row.",
            {".softmax(dim=-1)": ".exp()"},
        ),
        Slip(
            "mask forgotten",
            "The mask is not used: every query sees every key, the future and the "
            "padding too.",
            {".masked_fill(~mask, -math.inf)": ""},
        ),
        Slip(
            "causal whatever the mask says",
            "It hides the future, whatever the mask says. A mask can also hide padding: "
            "use the one that it is given.",
            {
                "~mask": "~torch.ones(query.shape[-2], key.shape[-2], "
                "dtype=torch.bool).tril()"
            },
        ),
        *(
            Slip(
                "softmax over axis 1",
                "The softmax runs along axis 1. For one sentence alone that is the axis "
                "of the keys; with a batch in front it is another. Count from the end.",
                {"-math.inf": hidden, "dim=-1": "dim=1"},
            )
            for hidden in (
                "-math.inf",
                "-1e9",
            )  # differ where a whole column is hidden
        ),
        Slip(
            "divided after the softmax",
            "It divides by $\\sqrt{d_k}$ behind the softmax only: the weights, or the "
            "output. It is the *scores* that are divided.",
            {
                " / math.sqrt(query.shape[-1])": "",
                "weights @ value": "weights / math.sqrt(query.shape[-1]) @ value",
            },
        ),
        Slip(
            "no softmax",
            "The values are mixed with the scores themselves. A softmax must turn each "
            "row of scores into weights first.",
            {".softmax(dim=-1)": ""},
        ),
        Slip(
            "neither mask nor softmax",
            "The values are mixed with the scores themselves. Two steps are missing: "
            "hide what the mask hides, then a softmax along each row.",
            {_WEIGHTS: "scores"},
        ),
        Mistake(
            "hard maximum",
            "Each query takes the value of its best key alone. A softmax gives every "
            "key that it may look at a share.",
            lambda query, key, value, mask: value.take_along_dim(
                (query @ key.transpose(-2, -1))
                .masked_fill(~mask, -math.inf)
                .argmax(dim=-1)[..., None],
                dim=-2,
            ),
        ),
        Slip(
            "weights transposed",
            "The weights are transposed before they meet the values. Row by row, a query "
            "mixes the rows of `value`: `weights @ value`.",
            {"weights @ value": "weights.transpose(-2, -1) @ value"},
        ),
        Slip(
            "divided by the root of the number of queries",
            "The scores are divided by the root of the number of *queries*. $d_k$ is "
            "the width of a query: the **last** axis of its shape.",
            {"query.shape[-1]": "query.shape[-2]"},
        ),
        Slip(
            "divided by the root of the number of keys",
            "The scores are divided by the root of the number of *keys*. $d_k$ is the "
            "width of a key: the **last** axis of its shape.",
            {"query.shape[-1]": "key.shape[-2]"},
        ),
        Slip(
            "divided by the root of the first axis",
            "The scores are divided by the root of `query.shape[0]`, which is the "
            "batch where there is one. $d_k$ is the width: the **last** axis.",
            {"query.shape[-1]": "query.shape[0]"},
        ),
        Slip(
            "first two axes exchanged",
            "`transpose(0, 1)` exchanges the first two axes: in a batch, sentences and "
            "keys. Which two axes are meant? Count from the end.",
            {"transpose(-2, -1)": "transpose(0, 1)"},
        ),
        Slip(
            "axes counted from the front",
            "It fits one batch axis and nothing else. Count axes from the end: the dots "
            "stand for any batch axes, or none.",
            {"transpose(-2, -1)": "transpose(1, 2)"},
        ),
        Slip(
            "all axes reversed",
            "`.T` turns *all* axes round, in a batch the axis of the sentences too. Only "
            "the last two are to be exchanged.",
            {"key.transpose(-2, -1)": "key.permute(*range(key.ndim)[::-1])"},
        ),
        Slip(
            "key not transposed",
            "`query @ key` multiplies columns with rows that do not belong together. "
            "Each query meets each key: $QK^T$.",
            {"key.transpose(-2, -1)": "key"},
        ),
        Slip(
            "indexed by the mask",
            "`scores[~mask]` needs a mask of exactly the shape of the scores, and here "
            "it has no batch axes. `masked_fill` stretches the mask where needed.",
            {
                f"weights = {_WEIGHTS}": "scores[~mask] = -math.inf\n"
                "    weights = scores.softmax(dim=-1)"
            },
        ),
        Slip(
            "not instead of ~",
            "`not` asks for one truth value, and a mask holds many. `~mask` turns round "
            "every entry.",
            {"~mask": "not mask"},
        ),
        Slip(
            "torch.sqrt of a number",
            "`torch.sqrt` takes a tensor, and `query.shape[-1]` is a plain number: use "
            "`math.sqrt`, or `** 0.5`.",
            {"math.sqrt": "torch.sqrt"},
        ),
        Slip(
            "plus infinity",
            "Hidden scores are set to plus infinity: that gives not a number. Which "
            "score gives a weight of exactly 0?",
            {"-math.inf": "math.inf"},
        ),
        Slip(
            "weights returned",
            "These are the weights. The last step is still missing: each row of weights "
            "mixes the rows of `value`.",
            {"return weights @ value": "return weights"},
        ),
        Slip(
            "weights too",
            "It returns two things. Here only the output was asked for.",
            {"return weights @ value": "return weights @ value, weights"},
        ),
    ],
    remark="Your function agrees for one sentence, for batches, for heads, where there "
    "are more keys than queries, and where values have another width.",
)
def attention(query, key, value, mask):
    """Output of shape (..., queries, d_v); mask is True where looking is allowed."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value


class _Attention(nn.Module):
    """One head without projections, which remembers what it was given."""

    def __init__(self, gain):
        super().__init__()
        self.gain, self.given = gain, []

    def forward(self, asking, asked, mask=None):
        self.given.append((tuple(asking.shape), tuple(asked.shape), mask is not None))
        scores = self.gain * asking @ asked.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return scores.softmax(dim=-1) @ asked.roll(1, dims=-1)


class _Parts(nn.Module):
    """The parts of a decoder layer, small and always the same."""

    def __init__(self, d_model):
        super().__init__()
        self.self_attention, self.cross_attention = _Attention(0.5), _Attention(0.8)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, 5), nn.Linear(5, d_model))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3))
        generator = torch.Generator().manual_seed(d_model)
        for parameter in self.parameters():
            drawn = torch.randn(parameter.shape, generator=generator)
            parameter.data = 0.5 * drawn + (parameter.data == 1)


def _use_decoder(answer, batch, targets, sources, d_model):
    generator = torch.Generator().manual_seed(batch)
    x = torch.randn(batch, targets, d_model, generator=generator)
    memory = torch.randn(batch, sources, d_model, generator=generator)
    mask = torch.ones(targets, targets, dtype=torch.bool).tril()
    parts, kept = _Parts(d_model), (x.clone(), memory.clone())
    output = answer(parts, x, memory, mask)
    if output is None or output is ...:
        return output
    return {
        "the output": output,
        "x afterwards": "unchanged" if torch.equal(x, kept[0]) else "changed",
        "memory afterwards": "unchanged" if torch.equal(memory, kept[1]) else "changed",
    }


_SELF = "parts.norms[0](x + parts.self_attention(x, x, mask))"
_CROSS = "parts.norms[1](x + parts.cross_attention(x, memory))"
_LAST = "parts.norms[2](x + parts.feed_forward(x))"


@exercise(
    stub="""
    def decoder_forward(parts, x, memory, mask):
        # x: (batch, targets, d_model), memory: (batch, sources, d_model)
        return ...
    """,
    run=_use_decoder,
    # (batch, targets, sources, d_model); the last has one of everything, but three
    # columns: a layer norm makes ±1 of any two
    cases=[(2, 3, 4, 6), (3, 5, 2, 4), (1, 2, 2, 8), (1, 1, 1, 3)],
    hints=[
        "Three steps, each of the form `x = norm(x + step(x))`, as in `EncoderLayer`. "
        "Which two arguments does the cross-attention get, and does it get the mask?",
        "`x = parts.norms[0](x + parts.self_attention(x, x, mask))`; then "
        "`cross_attention(x, memory)` with `norms[1]`; then `feed_forward(x)` with "
        "`norms[2]`.",
    ],
    mistakes=[
        Slip(
            "no mask",
            "The self-attention got no mask: every target sees the targets after it.",
            {"(x, x, mask)": "(x, x)"},
        ),
        Slip(
            "cross-attention first",
            "The cross-attention comes before the self-attention. First the targets "
            "look at each other, then at the memory.",
            {
                f"x = {_SELF}": f"x = {_CROSS.replace('norms[1]', 'norms[0]')}",
                f"x = {_CROSS}": f"x = {_SELF.replace('norms[0]', 'norms[1]')}",
            },
        ),
        Slip(
            "cross-attention left out",
            "The memory is not used: the cross-attention is missing, or its result is "
            "thrown away.",
            {f"    x = {_CROSS}\n": ""},
        ),
        Slip(
            "cross-attention asks itself",
            "The cross-attention looks at `x` again. It is the memory that is asked.",
            {"cross_attention(x, memory)": "cross_attention(x, x)"},
        ),
        Slip(
            "memory asks",
            "Asking and asked are exchanged: the memory looks at the targets. The "
            "decoder asks, the memory is asked.",
            {"cross_attention(x, memory)": "cross_attention(memory, x)"},
        ),
        Slip(
            "memory asks itself",
            "In the cross-attention the memory looks at itself. The decoder asks, the "
            "memory is asked.",
            {"cross_attention(x, memory)": "cross_attention(memory, memory)"},
        ),
        Slip(
            "memory in the self-attention",
            "The self-attention looks at the memory. In the first step the targets look "
            "at each other.",
            {"self_attention(x, x, mask)": "self_attention(x, memory)"},
        ),
        Slip(
            "mask in the cross-attention",
            "The cross-attention got the causal mask. The memory is known as a whole: no "
            "mask there. It belongs to the self-attention.",
            {"cross_attention(x, memory)": "cross_attention(x, memory, mask)"},
        ),
        Slip(
            "first sum forgotten",
            "The result of the self-attention is not added to `x`: what was there is "
            "lost.",
            {"x + parts.self": "parts.self"},
        ),
        Slip(
            "second sum forgotten",
            "The result of the cross-attention is not added to `x`: what was there is "
            "lost.",
            {"x + parts.cross": "parts.cross"},
        ),
        Slip(
            "third sum forgotten",
            "The result of the feed-forward network is not added to `x`: what was there "
            "is lost.",
            {"x + parts.feed": "parts.feed"},
        ),
        Slip(
            "no sums",
            "Nothing is added: each step *replaces* what was there. Each result is added "
            "to what went in.",
            {
                "x + parts.self": "parts.self",
                "x + parts.cross": "parts.cross",
                "x + parts.feed": "parts.feed",
            },
        ),
        Slip(
            "no layer norms",
            "The layer norms are missing. Each sum goes through one.",
            {
                _SELF: "x + parts.self_attention(x, x, mask)",
                _CROSS: "x + parts.cross_attention(x, memory)",
                _LAST: "x + parts.feed_forward(x)",
            },
        ),
        *(
            Slip(
                f"{which} layer norm forgotten",
                f"The {which} sum goes through no layer norm.",
                {step: step.split("](", 1)[1][:-1]},
            )
            for which, step in (("first", _SELF), ("second", _CROSS), ("last", _LAST))
        ),
        Slip(
            "layer norms before the steps",
            "The layer norms stand before the steps. Many newer models do so; this "
            "layer, like the paper's, has them after each sum.",
            {
                _SELF: "x + parts.self_attention(*2 * [parts.norms[0](x)], mask)",
                _CROSS: "x + parts.cross_attention(parts.norms[1](x), memory)",
                _LAST: "x + parts.feed_forward(parts.norms[2](x))",
            },
        ),
        Slip(
            "one layer norm for all",
            "The same layer norm is used three times. Each step has one of its own.",
            {"norms[1]": "norms[0]", "norms[2]": "norms[0]"},
        ),
        Slip(
            "feed-forward second",
            "The feed-forward network comes before the cross-attention. It is the last "
            "step.",
            {
                f"x = {_CROSS}": "x = parts.norms[1](x + parts.feed_forward(x))",
                _LAST: "parts.norms[2](x + parts.cross_attention(x, memory))",
            },
        ),
        Slip(
            "first input added each time",
            "The layer's first input is added after every step. Add what went into the "
            "step: from the second on, that is the result of the one before.",
            {
                f"x = {_SELF}": f"start = x\n    x = {_SELF}",
                "x + parts.cross": "start + parts.cross",
                "x + parts.feed": "start + parts.feed",
            },
        ),
        Slip(
            "one attention for both",
            "The memory is asked through `self_attention`. The second step has a part of "
            "its own: `cross_attention`.",
            {"cross_attention(x, memory)": "self_attention(x, memory)"},
        ),
        Slip(
            "layer norms in reverse order",
            "The layer norms are used in reverse order. `norms[0]` belongs to the first "
            "step.",
            {"norms[0]": "norms[2]", "norms[2]": "norms[0]"},
        ),
        Slip(
            "layer norm on the step, not on the sum",
            "The layer norms act on the results of the steps. They belong around the "
            "*sums*.",
            {
                _SELF: "x + parts.norms[0](parts.self_attention(x, x, mask))",
                _CROSS: "x + parts.norms[1](parts.cross_attention(x, memory))",
                _LAST: "x + parts.norms[2](parts.feed_forward(x))",
            },
        ),
        Slip(
            "feed-forward left out",
            "The feed-forward network is missing.",
            {_LAST: "x"},
        ),
        Slip(
            "self-attention left out",
            "The self-attention is missing, or its result is thrown away: the second "
            "step goes on with it.",
            {f"x = {_SELF}": _SELF},
        ),
    ],
    remark="Self-attention with the mask, cross-attention without, feed-forward; each "
    "added and normed.",
)
def decoder_forward(parts, x, memory, mask):
    x = parts.norms[0](x + parts.self_attention(x, x, mask))
    x = parts.norms[1](x + parts.cross_attention(x, memory))
    return parts.norms[2](x + parts.feed_forward(x))


def _leak_seen(answer, count, seed):
    """How many test sequences are (nearly) training sequences, and both sizes."""
    pair = answer(count, seed)
    if pair is None or pair is ...:
        return pair
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        several = isinstance(pair, (tuple, list))
        return {"the number of loaders returned": len(pair) if several else 1}
    kinds = [_kind_of_loader(part) for part in pair]
    seen = {
        "the number of loaders returned": 2,
        "the first": kinds[0],
        "the second": kinds[1],
    }
    if set(kinds) != {_LOADER}:
        return seen
    train, test = (_sequences(part) for part in pair)
    sizes = len(train), len(test)
    train, test = train[:MANY], test[:MANY]
    # Rounded to other digits, a shared sequence would be equal no more.
    same_type = train.dtype == test.dtype
    train, test = train.double(), test.double()
    other_train, other_test = (
        _sequences(part)[:MANY] for part in answer(count, seed + 50)
    )
    fixed = "the same sequences" if _shared(other_train, train) else None
    fixed = fixed or ("the same test sequences" if _shared(other_test, test) else None)
    only_second = _shuffles(pair[1]) and not _shuffles(pair[0])
    return seen | {
        "the loader that shuffles": "the second" if only_second else "the first",
        "the shape of a training sequence": str(tuple(train.shape[1:])),
        "the shape of a test sequence": str(tuple(test.shape[1:])),
        "the number of test sequences that are also training sequences": _shared(
            test, train
        ),
        "test sequences that are training sequences turned or mirrored": max(
            _shared(other, train) for other in _turned(test)
        ),
        "the sequences": _kind_of_walk(train, test),
        "the number of training sequences": sizes[0],
        "the number of test sequences": sizes[1],
        "test sequences": _distance_said(test, train),
        "another seed gives": fixed or "other sequences",
        "the numbers of both sets": "of one type" if same_type else "of two types",
    }


_LOADER = "a loader"
MANY = 200  # sequences of a set that are compared: more than any case asks for


def _kind_of_loader(part):
    if isinstance(part, DataLoader):
        return _LOADER
    return f"a {type(part).__name__}, not a loader"


def _shuffles(loader):
    # `batches` draws whole batches: its sampler holds the one that shuffles.
    inner = getattr(loader.sampler, "sampler", loader.sampler)
    return isinstance(inner, RandomSampler)


def _sequences(loader):
    """Every sequence that a loader holds, as one tensor (count, points, 2)."""
    rows = [row[0] if isinstance(row, (tuple, list)) else row for row in loader]
    return torch.cat(rows)


def _apart(some, others):
    """Distances between sequences, counted by differences: nothing is rounded away."""
    return (some.flatten(1)[:, None] - others.flatten(1)).norm(dim=-1)


def _shared(some, others):
    if some.shape[1:] != others.shape[1:]:
        return 0
    return int((_apart(some, others).min(dim=1).values < 1e-6).sum())


def _turned(sequences):
    """Turned, backwards, mirrored, begun at another point: 63 ways, and as reciprocals.

    Near 1 and -1 these are a mirror too.
    """
    signs = [torch.tensor(s) for s in ((1, 1), (-1, -1), (1, -1), (-1, 1))]
    flips = [(), (1,), (2,), (1, 2)]
    begun = [sequences.roll(by, 1) for by in range(4)]
    turned = [s * b.flip(f) for b in begun for f in flips for s in signs][1:]
    return [*turned, 1 / sequences]


def _kind_of_walk(train, test):
    # Halved, a set would share no sequence with the other, and yet hold the same ones.
    beside = max((part.abs().median() - 1).abs() for part in (train, test))
    sequences = torch.cat([train, test])
    off = (sequences.abs() - 1).abs().max()  # noise of 0.1 reaches 0.5 nearly never
    # From corner to corner one of the two signs changes, x and y in turn.
    changed = sequences[:, 1:].sign() != sequences[:, :-1].sign()
    in_turn = (changed.sum(dim=-1) == 1).all()
    in_turn &= bool((changed[:, 1:] != changed[:, :-1]).all())
    return (
        "walks round the square"
        if beside < 0.1 and off < 0.7 and in_turn
        else "no such walks"
    )


def _walks_counted(sequences):
    """How often each walk is taken, by the signs of its first two points.

    Two fresh draws of 40 agree twice in a million trials.
    """
    signs = (sequences[:, :2] > 0).flatten(1).long()
    powers = 2 ** torch.arange(signs.shape[1])
    return torch.bincount((signs * powers).sum(dim=1), minlength=16)


def _distance_said(test, train):
    """Whether the test set lies closer to the training set than a fresh draw does.

    Of 600 fresh pairs of sets the medians' ratio was 0.80 to 1.27; copies with noise
    of 0.05 have 0.52. With more noise they lie no closer than fresh ones, but each of
    the eight walks is taken as often as in the training set.
    """
    if test.shape[1:] != train.shape[1:]:
        return "not comparable"
    if torch.equal(_walks_counted(test), _walks_counted(train)):
        return "are near copies"
    own = _apart(train, train).fill_diagonal_(math.inf).min(dim=1).values.median()
    across = min(
        _apart(other, train).min(dim=1).values.median()
        for other in (test, -test, test.flip(1), test.flip(2))
    )
    return "lie as far off as fresh ones" if across > 0.65 * own else "are near copies"


@exercise(
    stub="""
    def find_the_leak(count, seed):
        points, _ = corners.square_sequences(count, seed=seed)
        test_points, _ = corners.square_sequences(count, seed=seed + 1)

        train = torch.tensor(points, dtype=torch.float32)
        train_loader = batches(train, size=16, shuffle=True)

        test = torch.tensor(points, dtype=torch.float32)
        test_loader = batches(test, size=16, shuffle=False)
        return train_loader, test_loader
    """,
    cases=[(64, 1), (40, 7), (48, 0)],
    # Of many more sequences, or of their sines, none is shared by luck.
    hides=("number", "missing step"),
    run=_leak_seen,
    hints=[
        "Two sets of points are drawn. Follow each of the two names from the top to the "
        "bottom: which one is never used again?",
        "`train[0]` and `test[0]` are the same sequence. The tensor `test` must be made "
        "of `test_points`.",
    ],
    mistakes=[
        *(
            Slip(
                "still leaking",
                "Every test sequence is still a training sequence. Both tensors are made "
                "from the same points, or both draws got the same seed, or both loaders "
                "are given one tensor, or one loader is returned twice; shuffling "
                "changes none of this.",
                edits,
            )
            for edits in (
                {"train = torch.tensor(points": "train = torch.tensor(test_points"},
                {"seed=seed + 1": "seed=seed"},
                {"batches(test, ": "batches(train, "},
            )
        ),
        Slip(
            "part of the training set",
            "The test set is a part of the training set, and the training set still "
            "holds it. A smaller leak is a leak.",
            {"torch.tensor(test_points": "torch.tensor(points[count // 2 :]"},
        ),
        Slip(
            "one shared",
            "One test sequence is a training sequence too. If both sets are parts of one "
            "draw, the second part begins *behind* the last sequence of the first.",
            {
                "torch.tensor(test_points": "torch.tensor("
                "np.concatenate([points[-1:], test_points[1:]])"
            },
        ),
        Slip(
            "both sets in the training set",
            "The training set holds the test set too. Only `points` are for training.",
            {
                "train = torch.tensor(points": "train = torch.tensor("
                "np.concatenate([points, test_points])"
            },
        ),
        Slip(
            "split",
            "No sequence is shared now, but each set has only half of the `count` "
            "sequences. Make each set of a whole draw of its own.",
            {
                "train = torch.tensor(points": "train = torch.tensor("
                "points[: count // 2]",
                "test = torch.tensor(test_points": "test = torch.tensor("
                "points[count // 2 :]",
            },
        ),
        Slip(
            "noisy copies",
            "The test sequences lie closer to the training sequences than a fresh draw "
            "does, as copies with some noise on top do: no two are equal, and yet the "
            "model has seen them all. Use the second draw.",
            {
                "torch.tensor(test_points, dtype=torch.float32)": "train + "
                "0.01 * torch.randn_like(train)"
            },
        ),
        *(
            Slip(
                "turned copies",
                "The test sequences are the training sequences turned round, backwards, "
                "mirrored or begun at another point: they are not drawn afresh, and "
                "their noise is the same. Use the second draw.",
                {"torch.tensor(test_points, dtype=torch.float32)": f"train.{turned}"},
            )
            for turned in ("flip(1)", "roll(1, 1)")
        ),
        Slip(
            "seed ignored",
            "The sets are the same whatever `seed` is. Draw them with the `seed` that is "
            "given.",
            {"count, seed=seed)": "count, seed=1)", "seed=seed + 1": "seed=2"},
        ),
        Slip(
            "one seed ignored",
            "The test set is the same whatever `seed` is. Draw both sets with the `seed` "
            "that is given.",
            {"seed=seed + 1": "seed=12345"},
        ),
        Slip(
            "loaders exchanged",
            "The second loader shuffles, and the first does not. First comes the one for "
            "training, and it is the one that shuffles: is their order wrong, or "
            "`shuffle`?",
            {"return train_loader, test_loader": "return test_loader, train_loader"},
        ),
        Slip(
            "tensors, not loaders",
            "Two *loaders* are asked for, and these are tensors.",
            {"return train_loader, test_loader": "return train, test"},
        ),
        Slip(
            "points cut off",
            "The test sequences have lost two of their four points.",
            {"torch.tensor(test_points": "torch.tensor(test_points[:, :2]"},
        ),
    ],
    remark="No test sequence was seen in training. The line that leaked raised no error, "
    "and no score would have told you.",
)
def find_the_leak(count, seed):
    points, _ = corners.square_sequences(count, seed=seed)
    test_points, _ = corners.square_sequences(count, seed=seed + 1)

    train = torch.tensor(points, dtype=torch.float32)
    train_loader = batches(train, size=16, shuffle=True)

    test = torch.tensor(test_points, dtype=torch.float32)
    test_loader = batches(test, size=16, shuffle=False)
    return train_loader, test_loader


which_map = Question(
    "which_map",
    "A map has one row: the query is the decoder's first input, point 1. It has two "
    "columns, and one of them is **point 0**. Which map is it?",
    [
        Choice(
            "Encoder self-attention",
            "Its columns are points 0 and 1, that is right. But its queries are the "
            "given points too, so it has two rows, and none comes from the decoder.",
        ),
        Choice(
            "Decoder self-attention",
            "Its query is right. But its columns are the decoder's own inputs, which "
            "begin with point 1: the decoder is never given point 0.",
        ),
        Choice(
            "Cross-attention",
            "Its queries come from the decoder and its keys from the encoder. It is the "
            "only way by which the decoder learns about point 0.",
            right=True,
        ),
        Choice(
            "It can be any of the three",
            "The sources differ: ask for each map where its queries come from, and "
            "where its keys come from.",
        ),
    ],
    hints=[
        "Rows are queries, columns are keys. Which layer has them from different "
        "sequences?",
        "The encoder is given points 0 and 1; the decoder is given points 1 and 2.",
    ],
)

does_it_help = Question(
    "does_it_help",
    "We train five models with positions and five without, and predict the third and "
    "fourth point of held-out squares. What difference will the positions make?",
    [
        Choice(
            "Without them the error is many times larger: the model cannot know the "
            "direction",
            "That is the expected answer, and it is worth being surprised: look at the "
            "picture below. Does the model without positions really not know the "
            "direction?",
        ),
        Choice(
            "Without them the error is somewhat larger",
            "The five dots of one column lie among the five of the other. What can the "
            "model without positions read the direction from?",
        ),
        Choice(
            "With them the error is clearly larger: the sum disturbs the points",
            "The projection to `d_model = 32` leaves room for both, and training learns "
            "to keep them apart: the errors do not differ.",
        ),
        Choice(
            "No difference that is larger than the one between seeds",
            "Both reach the error that the noise sets. So on this task the encoding is "
            "not needed, and an experiment on it says nothing about positions.",
            right=True,
        ),
    ],
    hints=[
        "Write down all that the decoder gets to predict point 2: the memory of points "
        "0 and 1, as a set, and its own first input.",
        "Its own first input is point 1. Is it still unknown which of the two given "
        "points came last?",
    ],
)

where_is_the_order = Question(
    "where_is_the_order",
    "Neither the encoder nor the decoder adds positions, and yet the model goes round "
    "in the right direction. Where does it find the order?",
    [
        Choice(
            "In the causal mask of the encoder",
            "The encoder has no causal mask: it sees both points at once, as a set.",
        ),
        Choice(
            "In the order of the rows in the memory",
            "Attention does not see the order of its keys: exchange two rows of the "
            "memory, and the output is the same. A cell below does so.",
        ),
        Choice(
            "In the decoder's first input, which is the last given point",
            "The memory says *which two* corners were given; the first query says which "
            "of them was the last. Last corner minus other corner is the direction.",
            right=True,
        ),
        Choice(
            "In the noise of the points",
            "The noise is drawn independently for every point; it knows nothing about "
            "the direction.",
        ),
    ],
    hints=[
        "Look again at the table with the decoder's input: what does it start with?",
        "Suppose you are told: the corners were lower left and lower right, in some "
        "order. What single further fact gives you the next corner?",
    ],
)

not_needed_or_not_used = Question(
    "not_needed_or_not_used",
    "The five models *with* positions need them as little as the others. Now the "
    "encoder gets the two points in the wrong order, while the decoder still starts "
    "from the true point 1. What do these models do?",
    [
        Choice(
            "They still go to the right corner: they do not need the order",
            "They do not *need* it, since the decoder's first input would be enough. But "
            "training does not look for what is enough; it uses whatever lowers the loss.",
        ),
        Choice(
            "Most of them go wrong: they have learned to read the order",
            "They had two sources for the order, and use the one in the encoder too. Put "
            "wrong, it leads them astray.",
            right=True,
        ),
        Choice(
            "Exactly half of the squares stay right",
            "That would be so if they ignored half of what they know. They do worse.",
        ),
    ],
    hints=[
        "Two places hold the order: the positions in the encoder and the decoder's "
        "first input. What tells the training which one to rely on?",
        "Nothing does. So the models with positions may rely on either, or on both.",
    ],
)

direction_without = Question(
    "direction_without",
    "A model without positions sees all four points and averages its four outputs. What "
    "share of held-out directions will it get right, however long it trains?",
    [
        Choice(
            "0.50: it can only guess",
            "All four corners are always there. Both directions give the same set, and "
            "the model sees nothing but the set.",
            right=True,
        ),
        Choice(
            "About 0.75: it finds part of the direction",
            "Which part? Reverse any sequence: the direction changes, the set of points "
            "does not, and neither does the output.",
        ),
        Choice(
            "Nearly 1.00: attention compares each point with the others",
            "It compares points, but not their places in the sequence. There is no "
            "query this time that says which point was the last.",
        ),
        Choice(
            "Below 0.50",
            "A model that is reliably wrong would be as useful as one that is right: "
            "just invert its answer. That too needs information.",
        ),
    ],
    hints=[
        "Take one sequence and the same four points backwards. Which parts of the model "
        "can tell them apart?",
        "Self-attention moves its output rows as its input rows are moved, and a mean "
        "does not care about the order of rows.",
    ],
)

mask_instead = Question(
    "mask_instead",
    "Take the model without positions again, and give its encoder a causal mask: point "
    "$q$ may look at the points $0 \\dots q$ only. What share of held-out directions "
    "will it get right?",
    [
        Choice(
            "0.50: a mask adds no positions, so the theorem holds",
            "The theorem needed a model that treats all places alike. Under a causal "
            "mask, what does point 1 see, and what does point 3 see?",
        ),
        Choice(
            "About 0.75: only the first two points become distinguishable",
            "The first two are enough: together they tell the direction.",
        ),
        Choice(
            "Nearly 1.00: each place now sees another set of points",
            "Point 1 sees the *first two* points and no others, and it is one of them "
            "itself: that is the direction. The order has come in by the mask.",
            right=True,
        ),
    ],
    hints=[
        "Under the mask, point 0 sees itself; point 1 sees points 0 and 1.",
        "Reverse a walk: which set of points does the second place see now?",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
