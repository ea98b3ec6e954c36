"""The exercises and questions of notebook 06."""

import math

import numpy as np
import torch

from helpers import corners
from helpers.exercises.core import Choice, Mistake, Question, collect, exercise
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
    return {"the mask": mask, "its entries are": _kind_of_entries(mask)}


def _kind_of_entries(mask):
    kind = str(getattr(mask, "dtype", None) or np.asarray(mask).dtype)
    return "True and False" if "bool" in kind else "numbers"


def _everywhere(size):
    return torch.ones(size, size, dtype=torch.bool)


# Name, sentence and implementation of each mask that has True in wrong places.
_WRONG_MASKS = [
    (
        "inverted",
        "It is the other way round: True where looking is forbidden. Here True "
        "means *may look* (some libraries use the opposite, so read which).",
        lambda size: _everywhere(size).triu(1),
    ),
    (
        "shifted: not itself",
        "It is shifted by one: no token may look at itself, and the first token may "
        "look at nothing at all. A softmax over nothing is not a number. Is the "
        "diagonal in or out?",
        lambda size: _everywhere(size).tril(-1),
    ),
    (
        "shifted: sees the next",
        "It is shifted by one: every token sees the token after it, which is the "
        "very one to be predicted. How far to the right may row $q$ look?",
        lambda size: _everywhere(size).tril(1),
    ),
    (
        "transposed",
        "Rows and columns are exchanged: your first row may look at all tokens, "
        "the last one at itself only. Rows are the queries, the ones that look.",
        lambda size: _everywhere(size).triu(),
    ),
    (
        "everything allowed",
        "Every entry is True, so nothing is masked and the future is open. Which "
        "half of the square must be False?",
        _everywhere,
    ),
    (
        "nothing allowed",
        "No entry is True: nobody may look at anything. Which half of the square "
        "must be True?",
        lambda size: ~_everywhere(size),
    ),
    (
        "itself only",
        "Every token sees itself and nothing else. It may also look at all tokens "
        "*before* it: which side of the diagonal are they on?",
        lambda size: torch.eye(size, dtype=torch.bool),
    ),
    (
        "the other diagonal",
        "The border between True and False runs from bottom left to top right. Row "
        "$q$ has $q + 1$ entries that are True, and they are the first ones.",
        lambda size: _everywhere(size).tril().flip(1),
    ),
]


def _in_both_forms(wrong):
    """The mistakes with True and False, and the same ones with the numbers 1 and 0."""
    also = " (And it holds numbers; True and False are asked for.)"
    return [
        *(Mistake(*parts) for parts in wrong),
        *(
            Mistake(f"{name}, in numbers", sentence + also, _as_numbers(mask))
            for name, sentence, mask in wrong
        ),
    ]


def _as_numbers(mask):
    return lambda size: mask(size).float()


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
        Mistake(
            "added form",
            "These are the numbers that one *adds* to the scores: 0 and minus "
            "infinity. It is a right mask in another form; here True and False are "
            "asked for.",
            lambda size: torch.full((size, size), -math.inf).triu(1),
        ),
        Mistake(
            "numbers",
            "The places are right, but the entries are the numbers 1 and 0. The line "
            "`~mask` needs True and False: give the tensor `dtype=torch.bool`.",
            lambda size: torch.ones(size, size).tril(),
        ),
    ],
    remark="The first row holds one True: token 0 can look at nothing but itself.",
)
def causal_mask(size):
    """(size, size), True where query (row) may look at key (column)."""
    return torch.ones(size, size, dtype=torch.bool).tril()


def _attention_cases():
    generator = torch.Generator().manual_seed(6)

    def case(*shape, keys, mask):
        *batch, queries, width = shape
        draw = [(*batch, n, width) for n in (queries, keys, keys)]
        return (*(2 * torch.randn(s, generator=generator) for s in draw), mask)

    def everywhere(*shape):
        return torch.ones(shape, dtype=torch.bool)

    padding = torch.tensor([[True, True, False, True, False]])
    return [
        case(4, 6, keys=4, mask=everywhere(4, 4)),
        case(2, 5, 16, keys=5, mask=everywhere(5, 5).tril()),
        case(2, 3, 4, 9, keys=4, mask=everywhere(4, 4).tril()),
        case(3, 2, 8, keys=5, mask=padding),
    ]


def _turned_key(key):
    return key.transpose(-2, -1)


def _weighted(
    softmax_axis=-1, scale=math.sqrt, hide=None, after=None, axis=-1, turn=_turned_key
):
    """A wrong attention: one part of the right one is replaced."""

    def answer(query, key, value, mask):
        scores = query @ turn(key)
        scores = scores / scale(query.shape[axis])
        if hide:
            scores = hide(scores, mask)
        weights = scores.softmax(dim=softmax_axis)
        return (after(weights, mask) if after else weights) @ value

    return answer


def _hide(scores, mask):
    return scores.masked_fill(~mask, -math.inf)


def _hide_by_index(scores, mask):
    scores[~mask] = -math.inf
    return scores


def _divided_late(query, key, value, mask):
    weights = _hide(query @ key.transpose(-2, -1), mask).softmax(dim=-1)
    return weights / math.sqrt(query.shape[-1]) @ value


def _mixed_by_scores(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return _hide(scores, mask) @ value


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
        Mistake(
            "no square root of d_k",
            "The scores are not divided by $\\sqrt{d_k}$. They grow with the width, the "
            "softmax becomes nearly a maximum, and little gradient is left.",
            _weighted(scale=lambda width: 1.0, hide=_hide),
        ),
        Mistake(
            "divided by d_k",
            "The scores are divided by $d_k$ itself; that makes them too small. It is "
            "their standard deviation, not their variance, that should become 1.",
            _weighted(scale=lambda width: width, hide=_hide),
        ),
        Mistake(
            "softmax over the wrong axis",
            "The softmax runs down the columns: the weights of each *key* sum to 1. "
            "Every *query* shares out its attention: which axis holds the keys?",
            _weighted(softmax_axis=-2, hide=_hide),
        ),
        Mistake(
            "mask after softmax",
            "The mask comes after the softmax: hidden places are 0, but the rest of the "
            "row no longer sums to 1, because hidden scores still had a share. Hide "
            "them before.",
            _weighted(after=lambda weights, mask: weights * mask),
        ),
        Mistake(
            "mask inverted",
            "The mask is inverted: allowed places are hidden and the others are seen. "
            "`masked_fill` fills where its argument is True; here True means *may look*.",
            _weighted(hide=lambda scores, mask: scores.masked_fill(mask, -math.inf)),
        ),
        Mistake(
            "hidden scores set to 0",
            "Hidden scores are set to 0, and $e^0 = 1$ is still a weight. Which score "
            "gives a weight of exactly 0?",
            _weighted(hide=lambda scores, mask: scores.masked_fill(~mask, 0.0)),
        ),
        Mistake(
            "mask forgotten",
            "The mask is not used: every query sees every key, the future and the "
            "padding too.",
            _weighted(),
        ),
        Mistake(
            "softmax over axis 1",
            "The softmax runs along axis 1. That is the axis of the keys for one "
            "sentence alone, but not with a batch in front. Count from the end.",
            _weighted(softmax_axis=1, hide=_hide),
        ),
        Mistake(
            "divided after the softmax",
            "The weights are divided by $\\sqrt{d_k}$, so their rows no longer sum to "
            "1. It is the *scores* that are divided, before the softmax.",
            _divided_late,
        ),
        Mistake(
            "no softmax",
            "The values are mixed with the scores themselves. A softmax must turn each "
            "row of scores into weights first.",
            _mixed_by_scores,
        ),
        Mistake(
            "divided by the root of the number of queries",
            "The scores are divided by the root of the number of *queries*. $d_k$ is "
            "the width of a query: the **last** axis of its shape.",
            _weighted(axis=-2, hide=_hide),
        ),
        Mistake(
            "divided by the root of the first axis",
            "The scores are divided by the root of `query.shape[0]`, which is the "
            "batch where there is one. $d_k$ is the width: the **last** axis.",
            _weighted(axis=0, hide=_hide),
        ),
        Mistake(
            "first two axes exchanged",
            "It works for one sentence and fails for a batch: `transpose(0, 1)` takes "
            "the batch for the queries. Which two axes are meant? Count from the end.",
            _weighted(turn=lambda key: key.transpose(0, 1), hide=_hide),
        ),
        Mistake(
            "all axes reversed",
            "It works for one sentence and fails for a batch: `.T` turns *all* axes "
            "round, the batch too. Only the last two are to be exchanged.",
            _weighted(turn=lambda key: key.permute(*range(key.ndim)[::-1]), hide=_hide),
        ),
        Mistake(
            "indexed by the mask",
            "`scores[~mask]` needs a mask of exactly the shape of the scores, and here "
            "it has no batch axes. `masked_fill` stretches the mask where needed.",
            _weighted(hide=_hide_by_index),
        ),
        Mistake(
            "not instead of ~",
            "`not` asks for one truth value, and a mask holds many. `~mask` turns round "
            "every entry.",
            _weighted(hide=lambda scores, mask: scores.masked_fill(not mask, 0.0)),
        ),
        Mistake(
            "torch.sqrt of a number",
            "`torch.sqrt` takes a tensor, and `query.shape[-1]` is a plain number: use "
            "`math.sqrt`, or `** 0.5`.",
            _weighted(scale=torch.sqrt, hide=_hide),
        ),
        Mistake(
            "plus infinity",
            "Hidden scores are set to plus infinity: that gives not a number. Which "
            "score gives a weight of exactly 0?",
            _weighted(hide=lambda scores, mask: scores.masked_fill(~mask, math.inf)),
        ),
        Mistake(
            "weights returned",
            "These are the weights. The last step is still missing: each row of weights "
            "mixes the rows of `value`.",
            lambda query, key, value, mask: _hide(
                query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask
            ).softmax(dim=-1),
        ),
    ],
    remark="Your function agrees for one sentence, for batches, for heads, and where "
    "there are more keys than queries.",
)
def attention(query, key, value, mask):
    """Output of shape (..., queries, d_v); mask is True where looking is allowed."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value


def _overlap(answer, count, seed):
    """How many test sequences are (nearly) training sequences, and both sizes."""
    pair = answer(count, seed)
    if pair is None or pair is ...:
        return pair
    if not isinstance(pair, (tuple, list)):
        return {"the number of loaders returned": 1}
    if len(pair) != 2:
        return {"the number of loaders returned": len(pair)}
    train, test = (_all_sequences(part) for part in pair)
    apart = torch.cdist(test.flatten(1), train.flatten(1))
    return {
        "the number of loaders returned": 2,
        "the number of test sequences that are also training sequences": int(
            (apart.min(dim=1).values < 1e-3).sum()
        ),
        "the number of training sequences": len(train),
        "the number of test sequences": len(test),
    }


def _all_sequences(loader):
    """Every sequence that a loader (or a tensor) holds, as one float64 tensor."""
    if isinstance(loader, (torch.Tensor, np.ndarray)):
        return torch.as_tensor(loader).double()
    rows = [row[0] if isinstance(row, (tuple, list)) else row for row in loader]
    return torch.cat([torch.as_tensor(row).double().reshape(-1, 4, 2) for row in rows])


def _same_seed(count, seed):
    points, _ = corners.square_sequences(count, seed=seed)
    again, _ = corners.square_sequences(count, seed=seed)
    return torch.tensor(points), torch.tensor(again)


def _slice_of_training(count, seed):
    points, _ = corners.square_sequences(count, seed=seed)
    return torch.tensor(points), torch.tensor(points[count // 2 :])


def _split(count, seed):
    points, _ = corners.square_sequences(count, seed=seed)
    return torch.tensor(points[: count // 2]), torch.tensor(points[count // 2 :])


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
    run=_overlap,
    hints=[
        "Two sets of points are drawn. Follow each of the two names from the top to the "
        "bottom: which one is never used again?",
        "`train[0]` and `test[0]` are the same sequence. The tensor `test` must be made "
        "of `test_points`.",
    ],
    mistakes=[
        Mistake(
            "still leaking",
            "Every test sequence is still a training sequence. Either both tensors are "
            "made from the same points, or both generators got the same seed; shuffling "
            "changes neither.",
            _same_seed,
        ),
        Mistake(
            "part of the training set",
            "The test set is a part of the training set, and the training set still "
            "holds it. A smaller leak is a leak.",
            _slice_of_training,
        ),
        Mistake(
            "split",
            "No sequence is shared now, but each set has only half of the `count` "
            "sequences. A second set has already been drawn; use it.",
            _split,
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
    "fourth point of held-out squares. What will the encoding bring?",
    [
        Choice(
            "Without it the error is many times larger: the model cannot know the "
            "direction",
            "That is the expected answer, and it is worth being surprised: look at the "
            "picture below. Does the model without positions really not know the "
            "direction?",
        ),
        Choice(
            "Without it the error is somewhat larger",
            "The five dots of one column lie among the five of the other. What can the "
            "model without positions read the direction from?",
        ),
        Choice(
            "No difference that is larger than the one between seeds",
            "Both reach the error that the noise sets. So on this task the encoding is "
            "not needed, and an experiment on it says nothing about positions.",
            right=True,
        ),
        Choice(
            "With it the error is clearly larger: the sum disturbs the points",
            "The projection to `d_model = 32` leaves room for both, and training learns "
            "to keep them apart: the errors do not differ.",
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
            "In the decoder's first input, which is the last given point",
            "The memory says *which two* corners were given; the first query says which "
            "of them was the last. Last corner minus other corner is the direction.",
            right=True,
        ),
        Choice(
            "In the order of the rows in the memory",
            "Attention does not see the order of its keys: exchange two rows of the "
            "memory, and the output is the same. A cell below does so.",
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

EXERCISES = collect(globals())
progress = EXERCISES.progress
