"""Exercises and questions of notebook 05: the module."""

from collections.abc import Mapping

import torch
from torch import nn

from helpers.exercises.core import Choice, Mistake, Question, Slip, collect, exercise
from helpers.module import sinusoidal_table


def _tokens(batch, length, d_model):
    shape = (batch, length, d_model)
    return torch.randn(shape, generator=torch.Generator().manual_seed(batch + length))


def _same(before, after):
    if torch.equal(before, after):
        return "unchanged"
    # What is added and taken away again comes back but for rounding errors.
    nearly = before.shape == after.shape and torch.allclose(before, after, atol=1e-5)
    return "changed in its last digits" if nearly else "changed"


def _differ(one, other):
    tensors = isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor)
    return tensors and not torch.equal(one, other)


def _kind(value):
    return "a tensor" if isinstance(value, torch.Tensor) else f"a {_type(value)}"


def _type(value):
    return type(value).__name__


def _use_forward(answer, batch, length, p):
    """Call a forward with a table that is longer than the input."""
    table, x = sinusoidal_table(12, 6), _tokens(batch, length, 6)
    kept, rows, dropout = x.clone(), table.clone(), nn.Dropout(p)
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(length)
        calm = answer(table, x, dropout.eval())
        if calm is None or calm is ...:
            return calm
        again = answer(table, kept.clone(), dropout)
        switched = dropout.training
        torch.default_generator.manual_seed(length)
        shaken = answer(table, x, dropout.train())
        switched |= not dropout.training
    return {
        "the mode of `dropout`": "switched" if switched else "left as it was",
        "what it returns": _kind(calm),
        "the input afterwards": _same(kept, x),
        "the table afterwards": _same(rows, table),
        "two calls in eval mode": "different" if _differ(calm, again) else "equal",
        "in eval mode": calm,
        "in training mode": shaken,
    }


@exercise(
    stub="""
    def forward(table, x, dropout):
        # x is (batch, length, d_model); the table may be longer than x
        ...
    """,
    run=_use_forward,
    cases=[(3, 5, 0.2), (1, 1, 0.9), (4, 7, 0.0), (2, 12, 0.5)],
    hints=[
        "Take as many rows of the table as `x` has positions. Which dimension of `x` "
        "counts them?",
        "`x + table[: x.shape[1]]`: broadcasting gives the same rows to every sentence. "
        "Then hand the *sum* to `dropout`.",
    ],
    mistakes=[
        Slip(
            "no dropout",
            "The sum is right, but nothing is dropped in training mode: the result of "
            "`dropout` is not what you return.",
            {"dropout(x + table[: x.shape[1]])": "x + table[: x.shape[1]]"},
        ),
        Slip(
            "dropout on the table only",
            "Only the table went through `dropout`. The paper applies it to the *sum* of "
            "embedding and position.",
            {"dropout(x + table[: x.shape[1]])": "x + dropout(table[: x.shape[1]])"},
        ),
        Slip(
            "dropout on the input only",
            "Only the input went through `dropout`. Apply it to the *sum* of embedding "
            "and position.",
            {"dropout(x + table[: x.shape[1]])": "dropout(x) + table[: x.shape[1]]"},
        ),
        Slip(
            "no slice",
            "It adds the whole table. That works only while `x` is as long as the table: "
            "take as many rows as `x` has positions.",
            {"table[: x.shape[1]]": "table"},
        ),
        Slip(
            "positions along the batch axis",
            "You counted the sentences of the batch: every token of a sentence got the "
            "same row. Positions run along dimension 1.",
            {"table[: x.shape[1]]": "table[: x.shape[0]].unsqueeze(1)"},
        ),
        Slip(
            "modifies its input",
            "The result is right, but `x` is changed by it. Whoever called it "
            "still needs the embeddings: write `x + …`.",
            {
                "return dropout(x + table[: x.shape[1]])": "x += table[: x.shape[1]]\n"
                "    return dropout(x)"
            },
        ),
        Slip(
            "as many rows as sentences",
            "`x.shape[0]` counts the sentences of the batch. How many tokens has each of "
            "them?",
            {"x.shape[1]": "x.shape[0]"},
        ),
        Slip(
            "as many rows as columns",
            "`x.shape[2]` counts the columns, d_model. Positions run along dimension 1.",
            {"x.shape[1]": "x.shape[2]"},
        ),
        *(
            Slip(
                "begins at row 1",
                "The first token gets the row of position 1. Positions begin at 0.",
                {"table[: x.shape[1]]": f"table[{rows}]"},
            )
            for rows in ("1 : x.shape[1] + 1", "torch.arange(1, x.shape[1] + 1)")
        ),
        Slip(
            "the last rows",
            "These are the *last* rows of the table. The tokens stand at the positions "
            "0, 1, 2, …: the first rows.",
            {"table[: x.shape[1]]": "table[-x.shape[1] :]"},
        ),
        *(
            Slip(
                "two dropouts",
                "Input and table go through `dropout` one by one: half of a sum can be "
                "lost. Add first, then call `dropout` once.",
                {
                    "dropout(x + table[: x.shape[1]])": "dropout(x) + "
                    f"dropout(table[: x.shape[1]]{rows})"
                },
            )
            for rows in ("", ".expand(x.shape)")
        ),
        Slip(
            "the table alone",
            "This returns positions without the input. Add them to `x`.",
            {"x + table[: x.shape[1]]": "table[: x.shape[1]].expand(len(x), -1, -1)"},
        ),
        *(
            Slip(
                "a dropout of its own",
                "It drops values in eval mode too: it has a dropout of its own. Call the "
                "`dropout` that it is given, which knows its rate and its mode.",
                {"dropout(x + table[: x.shape[1]])": f"{own}(x + table[: x.shape[1]])"},
            )
            for own in ("nn.functional.dropout", "nn.Dropout(0.1)", "nn.Dropout()")
        ),
        Slip(
            "dropout that ignores eval()",
            "It drops values in eval mode too. `nn.functional.dropout` does not know the "
            "mode: call the `dropout` that it is given.",
            {
                "dropout(x + table[: x.shape[1]])": "nn.functional.dropout("
                "x + table[: x.shape[1]], dropout.p)"
            },
        ),
        *(
            Slip(
                "the mode switched",
                "It switches `dropout` to another mode. Whoever uses the model chooses "
                "the mode, with `train()` and `eval()`: leave it as it is.",
                {"return dropout(": f"dropout.{mode}()\n    return dropout("},
            )
            for mode in ("train", "eval")
        ),
        Slip(
            "dropout twice",
            "`dropout` is called twice, so that survivors are scaled twice. Once is "
            "enough.",
            {
                "dropout(x + table[: x.shape[1]])": "dropout(dropout("
                "x + table[: x.shape[1]]))"
            },
        ),
        Slip(
            "product, not sum",
            "The encoding is multiplied with the input. It is *added*.",
            {"x + table": "x * table"},
        ),
        Slip(
            "difference, not sum",
            "The encoding is subtracted from the input. It is *added*.",
            {"x + table": "x - table"},
        ),
        Slip(
            "input scaled",
            "The factor $\\sqrt{d_{model}}$ comes in section 4. Here the input is added "
            "as it is.",
            {"(x + table": "(x * table.shape[1] ** 0.5 + table"},
        ),
        Slip(
            "one row for all",
            "`table[n]` is the single row `n`. You need the rows from 0 up to the "
            "length: a slice.",
            {"table[: x.shape[1]]": "table[x.shape[1]]"},
        ),
        Slip(
            "one row too few",
            "The last token gets no row: a slice `[:n]` ends *before* n already.",
            {"table[: x.shape[1]]": "table[: x.shape[1] - 1]"},
        ),
        Slip(
            "columns cut, not rows",
            "`table[:, …]` cuts columns. The rows are the first dimension.",
            {"table[: x.shape[1]]": "table[:, : x.shape[1]]"},
        ),
        Slip(
            "changes the table",
            "The rows are changed by it: the next call would add something else. Write "
            "into a new tensor.",
            {
                "return dropout(x + table[: x.shape[1]])": "rows = table[: x.shape[1]]\n"
                "    summed = x + rows\n    rows += 1\n    return dropout(summed)"
            },
        ),
        Slip(
            "the rows beside the sum",
            "It returns two things. Only the sum, after dropout, was asked for.",
            {
                "dropout(x + table[: x.shape[1]])": "dropout(x + table[: x.shape[1]]), "
                "table[: x.shape[1]]"
            },
        ),
    ],
    remark="Slice, sum, dropout: that is all a forward pass has to do.",
)
def forward(table, x, dropout):
    return dropout(x + table[: x.shape[1]])


keeps_moving = Question(
    "keeps_moving",
    "The table must follow the module to another device or dtype (`.to(…)`), but must "
    "not be trained. What do you write in `__init__`?",
    [
        Choice(
            "`self.table = table`",
            "A plain attribute is invisible to the module: `.to(…)` leaves it behind, and "
            "the first addition on another device fails.",
        ),
        Choice(
            "`self.table = nn.Parameter(table)`",
            "It would move, but it would also be *trained*: the optimiser changes it at "
            "every step.",
        ),
        Choice(
            "nothing: `forward` computes the rows in every call",
            "It would be right, and wasteful: the same sines at every step of the "
            "training.",
        ),
        Choice(
            '`self.register_buffer("table", table)`',
            "A buffer moves with the module and is not trained.",
            right=True,
        ),
    ],
    hints=[
        "Which of the three does `.to(…)` know of: attribute, parameter, buffer?",
        "Of those that move, one has `requires_grad=True`.",
    ],
)

larger_checkpoint = Question(
    "larger_checkpoint",
    "You saved a model whose table is a buffer of 100 rows. Now you build the model "
    "with `max_len=200` and call `load_state_dict`. What happens?",
    [
        Choice(
            "An error about the shape of the table.",
            "The checkpoint holds 100 rows, the module has 200. A table that anybody can "
            "compute again has stopped your model from loading.",
            right=True,
        ),
        Choice(
            "The first 100 rows are filled, the others stay.",
            "PyTorch does not guess: shapes must be equal.",
        ),
        Choice(
            "The table becomes the one with 100 rows.",
            "Values are copied *into* the buffer that is there; it never changes shape.",
        ),
    ],
    hints=[
        "`load_state_dict` copies every stored tensor into the one of the same name.",
        "Can a tensor of 100 rows be copied into one of 200?",
    ],
)

dropped_or_not = Question(
    "dropped_or_not",
    "An encoding of 1 is added to an input of 1; dropout has p = 0.2 and the module is "
    "in training mode. Which values can come out?",
    [
        Choice(
            "0 or 2",
            "Nearly: what survives is *scaled*, so that the mean stays what it was.",
        ),
        Choice(
            "0 or 2.5",
            "Dropped, or kept and multiplied by 1.25, so that the mean stays 2.",
            right=True,
        ),
        Choice(
            "1.6 always",
            "1.6 is what would be left of 2 if a fifth of it were taken away. Dropout "
            "takes *whole* values, at random.",
        ),
        Choice(
            "1 or 2",
            "Dropout comes after the sum. It drops the sum, not only the encoding.",
        ),
    ],
    hints=[
        "First the sum, then dropout.",
        "The mean over many draws must stay 2, and a fifth of the draws is 0.",
    ],
)


@exercise(
    stub="""
    def dropout_scale(p):
        # what dropout multiplies a surviving value by
        ...
    """,
    cases=[(0.2,), (0.5,), (0.1,), (0.75,), (0.0,)],
    hints=[
        "Out of many values the share $1-p$ survives. Their sum must be what the sum of "
        "all was.",
        "Which factor $f$ makes $(1-p)\\cdot f = 1$?",
    ],
    mistakes=[
        Slip(
            "share that survives",
            "$1-p$ is the *share* that survives. To make up for the lost ones, divide by "
            "it. (Mind the brackets: `1 / 1 - p` is $1-p$ too.)",
            {"1 / (1 - p)": "1 - p"},
        ),
        Slip(
            "share that is dropped",
            "$p$ is the share that is dropped. The survivors have to make up for it.",
            {"1 / (1 - p)": "p"},
        ),
        Slip(
            "1/p",
            "You divide by the share that is *dropped*; divide by the one that survives.",
            {"(1 - p)": "p"},
        ),
        Slip(
            "1 + p",
            "For small $p$ that is close, but the mean would sink: $(1-p)(1+p)=1-p^2$.",
            {"1 / (1 - p)": "1 + p"},
        ),
        Slip(
            "1/(1 + p)",
            "That makes the survivors *smaller*. They have to stand for those that were "
            "dropped too.",
            {"1 - p": "1 + p"},
        ),
        Slip(
            "the value, not the factor",
            "That is what becomes of a 2. The *factor* is the same for all values.",
            {"1 /": "2 /"},
        ),
        Slip(
            "p/(1 − p)",
            "This is the share that is dropped, divided by the one that survives. The "
            "survivors have to stand for *all* values: what belongs on top?",
            {"1 /": "p /"},
        ),
        Slip(
            "(1 − p)/p",
            "This is the share that survives, divided by the one that is dropped. What "
            "must the survivors' share be multiplied by to give 1?",
            {"1 / (1 - p)": "(1 - p) / p"},
        ),
        Slip(
            "p in percent",
            "$p$ is a share between 0 and 1, not a percentage: do not divide it by 100.",
            {"1 - p": "1 - p / 100"},
        ),
        Slip(
            "square root",
            "With the root, the *squares* of the values keep their mean. Dropout keeps "
            "the mean of the values themselves.",
            {"(1 - p)": "(1 - p) ** 0.5"},
        ),
        Slip(
            "no scale",
            "The survivors do not stay as they are: then the mean would sink by the "
            "share $p$.",
            {"1 / (1 - p)": "1.0"},
        ),
    ],
    remark="With p = 0.2 that is 1.25, and 2 becomes 2.5.",
)
def dropout_scale(p):
    return 1 / (1 - p)


class _Model(nn.Module):
    """What a checkpoint is loaded into."""

    def __init__(self, rows, d_model):
        super().__init__()
        self.register_buffer("table", torch.zeros(rows, d_model))
        self.register_buffer("weight", torch.zeros(6))
        self.register_buffer("bias", torch.zeros(rows, 2))


def _loads(state, rows, d_model):
    try:
        _Model(rows, d_model).load_state_dict(state)
    except (RuntimeError, TypeError, AttributeError) as error:
        return str(error).splitlines()[-1].strip()
    return "yes"


def _use_resize(answer, rows, max_len, d_model):
    state = {
        "table": sinusoidal_table(rows, d_model),
        "weight": torch.arange(6.0),
        "bias": torch.arange(2.0 * max_len).reshape(max_len, 2),
    }
    kept = {name: value.clone() for name, value in state.items()}
    result = answer(state, max_len)
    same = list(state) == list(kept) and all(
        torch.equal(state[name], kept[name]) for name in kept
    )
    if result is None or result is ...:
        return result
    if not isinstance(result, Mapping):
        return {"what it returns": _kind(result)}
    return {
        "what it returns": "the old dict itself" if result is state else "a new dict",
        "the names in it": ", ".join(sorted(map(str, result))),
        "the kind of its table": _kind(result.get("table")),
        "its table": result.get("table"),
        "its weight": result.get("weight"),
        "its bias": result.get("bias"),
        "a module with max_len rows loads it": _loads(result, max_len, d_model),
        "the old checkpoint": "unchanged" if same else "changed",
    }


def _padded(state, max_len):
    table = torch.zeros(max_len, state["table"].shape[1])
    rows = min(max_len, len(state["table"]))
    table[:rows] = state["table"][:rows]
    return {**state, "table": table}


def _counted_anew(state, max_len, least):
    """The old rows, and below them a table that begins at position 0 again."""
    old = state["table"]
    new = sinusoidal_table(max(least, max_len - len(old)), old.shape[1])
    return {**state, "table": torch.cat([old, new])[:max_len]}


_NEW = "sinusoidal_table(max_len, d_model)"
_WHOLE = '{**state, "table": sinusoidal_table(max_len, d_model)}'


@exercise(
    stub="""
    def resize_checkpoint(state, max_len):
        # state["table"] is (old max_len, d_model); all other entries stay
        ...
    """,
    run=_use_resize,
    # No two of the sizes always stand in one order where the table grows, or shrinks.
    cases=[(9, 12, 8), (3, 20, 4), (10, 4, 8), (5, 5, 2)],
    hints=[
        "A table can always be computed anew. You need its width, which the old one "
        "tells you.",
        '`{**state, "table": …}` is a new dict with one entry replaced; '
        "`sinusoidal_table(max_len, d_model)` makes the table.",
    ],
    mistakes=[
        Slip(
            "changes the old checkpoint",
            "The old checkpoint is changed too. Return a *new* dict: whoever loaded it "
            "may need it again.",
            {f"return {_WHOLE}": f'state["table"] = {_NEW}\n    return state'},
        ),
        Mistake(
            "padded with zeros",
            "The new rows are zero: those positions would have no encoding at all. "
            "Compute them.",
            _padded,
        ),
        Slip(
            "rows repeated",
            "The old rows are repeated: two positions would share one code. Compute the "
            "new ones.",
            {_NEW: 'state["table"][torch.arange(max_len) % len(state["table"])]'},
        ),
        *(
            Mistake(
                "new rows begin at position 0",
                "The new rows are those of the positions 0, 1, 2, … again. They come "
                "after the old ones and go on counting; or compute the whole table "
                "anew.",
                lambda state, max_len, least=least: _counted_anew(
                    state, max_len, least
                ),
            )
            for least in (-1_000_000, 0, 1)  # the first two raise: no rows to add
        ),
        Slip(
            "last row repeated",
            "All new rows are the old last row: those positions would share one code. "
            "Compute them.",
            {
                _NEW: 'state["table"][torch.arange(max_len).clamp('
                'max=len(state["table"]) - 1)]'
            },
        ),
        Slip(
            "stretched",
            "The old rows are stretched over the new length, so that position 1 no longer "
            "has the row of position 1. Compute the table for `max_len` positions.",
            {
                _NEW: 'nn.functional.interpolate(state["table"].T[None], size=max_len, '
                'mode="linear", align_corners=True)[0].T'
            },
        ),
        Slip(
            "rows taken for columns",
            "The new table is as wide as the old one has *rows*: that is `shape[0]`. The "
            "width of a table is the number of its columns.",
            {"shape[1]": "shape[0]"},
        ),
        Slip(
            "rows and columns exchanged",
            "`sinusoidal_table` wants the rows first: `max_len`, then the columns.",
            {_NEW: "sinusoidal_table(d_model, max_len)"},
        ),
        *(
            Slip(
                "width typed in",
                f"The table has {width} columns, whatever the old one had. The width "
                "stands in the checkpoint.",
                {'state["table"].shape[1]': str(width)},
            )
            for width in (4, 8, 16, 512)
        ),
        Slip(
            "a NumPy table",
            "The table is a NumPy array. A checkpoint holds tensors, and "
            "`load_state_dict` takes nothing else.",
            {_NEW: f"{_NEW}.numpy()"},
        ),
        Slip(
            "only cut",
            "This only cuts. When `max_len` is larger than the old table, rows are "
            "missing.",
            {_NEW: 'state["table"][:max_len]'},
        ),
        *(
            Slip(
                "every entry is cut",
                "The other entries are cut too. Only the table depends on `max_len`.",
                {_WHOLE: f"{{k: entry[:max_len] for k, entry in state.items()}}{more}"},
            )
            for more in ("", f' | {{"table": {_NEW}}}')
        ),
        Slip(
            "table left out",
            "The table is missing from the result. Its owner has a persistent buffer and "
            "asks for it.",
            {_WHOLE: '{k: v for k, v in state.items() if k != "table"}'},
        ),
        Slip(
            "only the table",
            "Only the table is left: the other weights of the model are gone. Copy them "
            "into the new dict.",
            {"**state, ": ""},
        ),
        Slip(
            "the table, not a dict",
            "It returns the table alone. A state dict is asked for: the new table under "
            '`"table"`, and all other entries.',
            {_WHOLE: _NEW},
        ),
        Slip(
            "the old table stays",
            "The old table is still there, and the new one is not. (In `{…}`, the last "
            "entry of a name wins.)",
            {_WHOLE: '{"table": sinusoidal_table(max_len, d_model), **state}'},
        ),
    ],
    remark="With `persistent=False` nobody would have had to write it.",
)
def resize_checkpoint(state, max_len):
    d_model = state["table"].shape[1]
    return {**state, "table": sinusoidal_table(max_len, d_model)}


def _gradient_reaches(module, x):
    """Whether the embeddings before the module can learn: yes, none or an error."""
    x = x.clone().requires_grad_()
    try:
        result = module(x.clone())
        if not result.requires_grad:
            return "none"
        (gradient,) = torch.autograd.grad(result.sum(), x, allow_unused=True)
    except RuntimeError:  # a part of `x` is written into
        return "an error"
    right = gradient is not None and bool((gradient == 1).all())
    return "yes" if right else "none"


def _use_module(answer, batch, length, max_len, d_model):
    """Build a module, use it twice, move it; what a good one shows."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(length)
        return _module_used(answer, batch, length, max_len, d_model)


def _module_used(answer, batch, length, max_len, d_model):
    module, x = answer(d_model, max_len), _tokens(batch, length, d_model)
    kept = x.clone()
    result = module(x)
    if result is None or result is ...:
        return result
    result = result.clone()
    changed = _same(kept, x)
    again = module(kept.clone())
    view = kept.transpose(0, 1).contiguous().transpose(0, 1)
    reaches = _gradient_reaches(module, kept)
    trained = [p for p in module.parameters() if p.requires_grad]
    trained += [b for b in module.buffers() if b.requires_grad]
    for_a_view = module(view).detach().clone()
    half = module.to(torch.float16)(kept.half())
    # A model moves the tensors of its parts, and does not call their `to`.
    model = nn.Sequential(answer(d_model, max_len)).to(torch.float16)
    half_in_a_model = model(kept.half())
    return {
        "the output": result,
        "the input afterwards": changed,
        "the output of a second call": "another" if _differ(result, again) else "equal",
        "the output for a tensor that is not contiguous": for_a_view,
        "dtype of the output after .to(torch.float16)": str(half.dtype),
        "dtype of the output in a model after .to(torch.float16)": str(
            half_in_a_model.dtype
        ),
        "tensors that are trained": len(trained),
        "parameters in all": len(list(module.parameters())),
        "plain tensors that .to() does not see": sum(
            isinstance(value, torch.Tensor) for value in vars(module).values()
        ),
        # A buffer of its own for the positions, say, is nobody's fault.
        "numbers in its buffers": sum(
            b.numel() for b in module.buffers() if b.ndim > 1 and b.is_floating_point()
        ),
        "gradient to the input": reaches,
    }


# (batch, length, max_len, d_model): all different where they could be mixed up.
_SHAPES = [(2, 5, 10, 8), (5, 3, 6, 4), (4, 1, 12, 2), (3, 4, 5003, 10), (3, 9, 9, 8)]
# Whoever types a width in, types this one: its rows show in no other case.
_SHAPES += [(2, 3, 7, 512)]

# What `PatientA` adds: the table of the notebook's cell.
table = sinusoidal_table(100, 8)

_BUILT = "sinusoidal_table(max_len, d_model)"
_KEPT = 'self.register_buffer("table", table, persistent=False)'
_ROWS = "self.table[: x.shape[1]]"
_ADDED = "return x + self.table[: x.shape[1]]"

# Every known fault of a module, for whichever class is being repaired: the five
# solutions differ in nothing but their names.
_FAULTS = [
    Slip(
        "global table",
        "The table that `forward` adds was not made for this module: it comes from "
        "outside `__init__`, or its size is typed in, so the size that is asked for does "
        "not matter to it. Add the rows of a table that `__init__` builds from `max_len` "
        "and `d_model`.",
        {_ROWS: "table[: x.shape[1], :]"},
    ),
    Slip(
        "buffer of the global table",
        "The module keeps a table of 100 by 8 for everybody. Build one of the size that "
        "is asked for.",
        {_BUILT: "globals()['table'].clone()"},
    ),
    Slip(
        "cut from the global table",
        "The module's table is cut from one of 100 by 8. It holds no more than that, "
        "and its first columns are not a narrower table: the speeds depend on `d_model`. "
        "Build one of the size that is asked for.",
        {_BUILT: "globals()['table'][:max_len, :d_model]"},
    ),
    Slip(
        "plain attribute",
        "The table is a plain attribute: `.to(torch.float16)` leaves it behind, and "
        "the output is float32 again. Register it as a buffer.",
        {_KEPT: "self.table = table"},
    ),
    Slip(
        "a `.to()` of its own",
        "The module brings its table along when its own `.to()` is called. A model that "
        "holds the module moves its buffers and does not call it: the table stays "
        "behind. Register it as a buffer.",
        {
            _KEPT: "self.table = table",
            _ADDED: f"{_ADDED}\n\n    def to(self, *where):\n"
            "        self.table = self.table.to(*where)\n        return self",
        },
    ),
    Slip(
        "class attribute",
        "The table is neither a buffer nor a tensor of the module's own, so `.to()` "
        "does not see it. It may belong to the class, stand in a list or a NumPy array, "
        "or be computed anew in `forward`. Build it in `__init__` and register it.",
        {_KEPT: "type(self).table = table"},
    ),
    Slip(
        "registered, but not used",
        "A buffer is registered, but `forward` adds another tensor, which `.to()` "
        "does not see. Add the buffer.",
        {_KEPT: f"{_KEPT.replace('table', 'rows', 1)}\n        self.table = table"},
    ),
    Slip(
        "registered, and another one used",
        "A buffer is registered, but after `.to(torch.float16)` the output is float32 "
        "again. What `forward` adds is not the buffer as it was moved: it may be a table "
        "from outside the module or of its class, the buffer converted, or a new one. "
        "Add the buffer as it is, `self.table`.",
        {
            _KEPT: f"{_KEPT}\n        type(self).rows = table",
            _ROWS: "self.rows[: x.shape[1]]",
        },
    ),
    Slip(
        "parameter",
        "The table is a parameter now: it moves, but the optimiser will change it. "
        "Register it as a buffer.",
        {_KEPT: "self.table = nn.Parameter(table)"},
    ),
    Slip(
        "frozen parameter",
        "It moves and is not trained. But it still stands among the parameters, is "
        "counted with them and saved with them. A tensor that is never trained is a "
        "buffer.",
        {_KEPT: "self.table = nn.Parameter(table, requires_grad=False)"},
    ),
    Slip(
        "trainable buffer",
        "The table is a buffer, but it asks for a gradient (`requires_grad`). A fixed"
        " table needs none.",
        {_KEPT: _KEPT.replace("table,", "table.requires_grad_(),")},
    ),
    Slip(
        "moved by your own code",
        "The output is right, but the table is still a plain attribute, which your own"
        " code has to bring to the right dtype or device. PyTorch does that by itself "
        "for a buffer: register it as one.",
        {_KEPT: "self.table = table", _ROWS: f"{_ROWS}.to(x)"},
    ),
    Slip(
        "asks for a device by name",
        "It asks for a device by name. A buffer goes where the module goes, with "
        "`.to(…)`.",
        {_BUILT: f"{_BUILT}.cuda()"},
    ),
    Slip(
        "table rebuilt every call",
        "The output is right, but no tensor of the module's own holds the table: it is "
        "computed again in every `forward`, or kept where PyTorch does not look, in a "
        "list, a NumPy array or the class. Build it once, in `__init__`, and register "
        "it as a buffer.",
        {
            _BUILT: "None",
            _ROWS: "sinusoidal_table(x.shape[1], x.shape[2], dtype=x.dtype)",
        },
    ),
    Slip(
        "positions along the batch axis",
        "Every token of a sentence gets the same row: the positions run along the "
        "batch. Slice by `x.shape[1]`.",
        {_ROWS: "self.table[: x.shape[0]].unsqueeze(1)"},
    ),
    Slip(
        "as many rows as sentences",
        "The slice takes as many rows as the batch has sentences (`x.shape[0]`, where "
        "the batch comes first). How many tokens has each of them?",
        {"x.shape[1]": "x.shape[0]"},
    ),
    Slip(
        "as many rows as columns",
        "The slice takes as many rows as `x` has columns (`x.shape[2]`). How many tokens "
        "has a sentence?",
        {"x.shape[1]": "x.shape[2]"},
    ),
    Slip(
        "rows still stand along the batch",
        "The slice is right, but `unsqueeze(1)` lays its rows along the batch. "
        "Broadcasting needs `(length, d_model)`.",
        {_ROWS: f"{_ROWS}.unsqueeze(1)"},
    ),
    Slip(
        "both axes",
        "Each token gets two rows: one for its position, and one for its sentence. "
        "Only the position counts.",
        {_ROWS: f"{_ROWS} + self.table[: x.shape[0]].unsqueeze(1)"},
    ),
    Slip(
        "no slice",
        "The whole table is added: there is no slice, or it runs along a dimension of"
        " size 1. Take the first `x.shape[1]` rows.",
        {_ROWS: "self.table"},
    ),
    Slip(
        "begins at row 1",
        "The first token gets the row of position 1. Positions begin at 0.",
        {_ROWS: "self.table[1 : x.shape[1] + 1]"},
    ),
    Slip(
        "the last rows",
        "These are the *last* rows of the table. The tokens stand at the positions 0,"
        " 1, 2, …: the first rows.",
        {_ROWS: "self.table[-x.shape[1] :]"},
    ),
    Slip(
        "one row for all",
        "All tokens get one and the same row. You need a slice, one row per position.",
        {_ROWS: "self.table[x.shape[1] - 1]"},
    ),
    Slip(
        "one row too few",
        "The table has one row too few: there are `max_len` positions, 0 to `max_len "
        "- 1`.",
        {"sinusoidal_table(max_len": "sinusoidal_table(max_len - 1"},
    ),
    Slip(
        "ignores its arguments",
        "The table has the same size whatever the arguments are. Hand `max_len` and "
        "`d_model` on.",
        {_BUILT: "sinusoidal_table(20, 8)"},
    ),
    Slip(
        "max_len ignored",
        "The width is right now. But the table has 5000 rows, whatever `max_len` asks"
        " for.",
        {"(max_len, d_model)\n        self": "(5000, d_model)\n        self"},
    ),
    Slip(
        "both arguments ignored",
        "The table has 5000 rows and 512 columns, whatever `max_len` and `d_model` ask "
        "for.",
        {
            f"table = {_BUILT}": f"max_len, d_model = 5000, 512\n        table = {_BUILT}"
        },
    ),
    Slip(
        "d_model ignored",
        "The table has 512 columns, whatever `d_model` asks for.",
        {"(max_len, d_model)\n        self": "(max_len, 512)\n        self"},
    ),
    *(
        Slip(
            "columns cut off",
            "The first columns of a wide table are not a narrow table: the speeds depend "
            "on `d_model`. Build the table with the right width.",
            {
                _BUILT: f"sinusoidal_table({rows}, 512)",
                _ROWS: "self.table[: x.shape[1], : x.shape[2]]",
            },
        )
        for rows in ("5000", "max_len")
    ),
    Slip(
        "cut from a wide table",
        "The first columns of a wide table are not a narrow table: the speeds depend "
        "on `d_model`. Build the table with the right width.",
        {_BUILT: "sinusoidal_table(5000, 512)[:max_len, :d_model]"},
    ),
    Slip(
        "every so many columns",
        "A narrow table is not a wide one with columns left out: every second column "
        "is a sine. Build the table with the right width.",
        {_BUILT: "sinusoidal_table(5000, 512)[:max_len, :: 512 // d_model]"},
    ),
    Slip(
        "every so many columns",
        "A narrow table is not a wide one with columns left out: every second column "
        "is a sine. Build the table with the right width.",
        {
            _BUILT: "sinusoidal_table(max_len, 512)",
            _ROWS: "self.table[: x.shape[1], :: 512 // x.shape[2]]",
        },
    ),
    *(
        Slip(
            "a layer in between",
            "A layer with parameters of its own makes the table narrow. It begins with "
            "random numbers, and the waves are lost. Build the table `d_model` wide.",
            {
                _BUILT: f"sinusoidal_table({rows}, 512)",
                _KEPT: f"{_KEPT}\n        self.fit = nn.Linear(512, d_model)",
                _ROWS: "self.fit(self.table[: x.shape[1]])",
            },
        )
        for rows in ("5000", "max_len")
    ),
    *(
        Slip(
            "reshaped, not transposed",
            "`reshape` and `view` do not exchange axes: they keep the order in which the "
            "numbers lie, and tokens of different sentences are mixed. Leave `x` as it "
            "is, `(batch, length, d_model)`; or exchange its axes with "
            "`transpose(0, 1)`.",
            {
                _ADDED: "batch, length, d = x.shape\n"
                "        rows = self.table[:length].unsqueeze(1)\n"
                f"        return (x.reshape(length, batch, d) + rows).{back}"
            },
        )
        for back in ("reshape(batch, length, d)", "transpose(0, 1)")
    ),
    Slip(
        "columns of the global table cut off",
        "`forward` adds a table of width 8, and not the module's own. Cutting its "
        "columns makes the shapes fit, not the values: the speeds depend on `d_model`. "
        "Use `self.table`.",
        {_ROWS: "table[: x.shape[1], : x.shape[2]]"},
    ),
    Slip(
        "arguments exchanged",
        "The two sizes are exchanged: the class is called with `(d_model, max_len)`, and "
        "`sinusoidal_table` wants the rows first, `max_len`.",
        {_BUILT: "sinusoidal_table(d_model, max_len)"},
    ),
    Slip(
        "the name is taken",
        "A plain attribute has the name `table` already. `register_buffer` itself "
        "makes `self.table`: the assignment has to go.",
        {_KEPT: f"self.table = table\n        {_KEPT}"},
    ),
    Slip(
        "register_buffer returns nothing",
        "`register_buffer` makes `self.table` itself and returns `None`, which your "
        "`self.table = …` then puts in its place. Call it without the assignment.",
        {_KEPT: f"self.table = {_KEPT}"},
    ),
    Slip(
        "name without quotes",
        "`register_buffer` wants the name as text first, and then the tensor: "
        '`register_buffer("table", table)`.',
        {_KEPT: "self.register_buffer(table, persistent=False)"},
    ),
    Slip(
        "before super().__init__()",
        "A buffer is registered before `super().__init__()` has run: PyTorch cannot "
        "keep track of it yet.",
        {
            "super().__init__()\n        ": "",
            _KEPT: f"{_KEPT}\n        super().__init__()",
        },
    ),
    *(
        Slip(
            "modifies its input",
            "The output is right, but the input is changed by it. Return a new tensor.",
            {_ADDED: f"{changed}\n        return x"},
        )
        for changed in (
            f"x.add_({_ROWS})",
            f"for sentence in x:\n            sentence += {_ROWS}",
        )
    ),
    Slip(
        "changed and changed back",
        "The output is right, but the input is changed by it, in its last digits: what "
        "is added and taken away again leaves rounding errors. Write nothing into `x`; "
        "`x + …` makes a new tensor.",
        {
            _ADDED: f"x += {_ROWS}\n        summed = x.clone()\n"
            f"        x -= {_ROWS}\n        return summed"
        },
    ),
    Slip(
        "a second name is no copy",
        "The input is changed: `detach` (like `view` or another name) shares the "
        "numbers with `x`. `x + …` makes a new tensor.",
        {
            _ADDED: f"summed = x.detach()\n        summed += {_ROWS}\n"
            "        return summed"
        },
    ),
    Slip(
        "the copy is returned",
        "The rows are added to `x` itself, and the copy without them is returned. It "
        "is the other way round.",
        {_ADDED: f"copy = x.clone()\n        x += {_ROWS}\n        return copy"},
    ),
    Slip(
        "sum thrown away",
        "`x` comes back as it was: no rows are added to it, or the sum is thrown away. "
        "Return the sum.",
        {_ADDED: "x + self.table[: x.shape[1]]\n        return x"},
    ),
    *(
        Slip(
            "the table alone",
            "This returns positions without the input. Add them to `x`.",
            {_ADDED: f"return {rows}"},
        )
        for rows in (_ROWS, f"{_ROWS}.expand(x.shape)")
    ),
    Slip(
        "changes its table",
        "The first call is right, and the next one is not: the module writes into its"
        " own table. Make a new tensor.",
        {
            _ADDED: f"rows = {_ROWS}\n        summed = x + rows\n"
            "        rows += 1\n        return summed"
        },
    ),
    Slip(
        "cut off from the gradient",
        "The output is right, but no gradient reaches the input: the embeddings "
        "before this module would never learn. `x + …` makes a new tensor that keeps the "
        "link to `x`; a copy that forgets where it comes from (`detach`, `no_grad`, "
        "`torch.tensor(x)`, a NumPy array) cuts it off.",
        {_ADDED: "return x.detach() + self.table[: x.shape[1]]"},
    ),
    Slip(
        "dropout put in",
        "It drops values. Dropout is left out in the clinic: the output is the plain "
        "sum.",
        {_ADDED: "return nn.functional.dropout(x + self.table[: x.shape[1]], 0.1)"},
    ),
]


def _clinic(name, stub, *hints):
    """An exercise: repair the class of the stub."""
    return exercise(
        name=name,
        stub=stub,
        run=_use_module,
        cases=_SHAPES,
        hints=hints,
        mistakes=_FAULTS,
        remark="Right output, input untouched, follows `.to()`, nothing to train.",
    )


@_clinic(
    "clinic_a",
    """
    table = sinusoidal_table(100, 8)


    class PatientA(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            table = sinusoidal_table(max_len, d_model)
            self.register_buffer("table", table, persistent=False)

        def forward(self, x):
            return x + table[: x.shape[1]]
    """,
    "Build it with `d_model=4`, and call it. Where does the 8 in the error come from?",
    "`forward` reads a name from outside the class. The module's own table is "
    "`self.table`.",
)
class PatientA(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_a = PatientA


@_clinic(
    "clinic_b",
    """
    class PatientB(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            self.table = sinusoidal_table(max_len, d_model)

        def forward(self, x):
            return x + self.table[: x.shape[1]]
    """,
    "Move it with `.to(torch.float16)`, and look at the dtype of its table.",
    "`.to` moves parameters and buffers only: `self.register_buffer(…)`.",
)
class PatientB(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_b = PatientB


@_clinic(
    "clinic_c",
    """
    class PatientC(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            table = sinusoidal_table(max_len, d_model).unsqueeze(1)
            self.register_buffer("table", table, persistent=False)

        def forward(self, x):
            return x + self.table[: x.shape[0]]
    """,
    "Feed zeros of shape (2, 3, 4) and print the result: which rows are equal?",
    "The table is written for `(length, batch, d_model)`. Ours is "
    "`(batch, length, d_model)`: no `unsqueeze(1)`, and `x.shape[1]` rows.",
)
class PatientC(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_c = PatientC


@_clinic(
    "clinic_d",
    """
    class PatientD(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            table = sinusoidal_table(5000, 512)
            self.register_buffer("table", table, persistent=False)

        def forward(self, x):
            return x + self.table[: x.shape[1]]
    """,
    "Which of its two arguments does `__init__` use?",
    "Hand both on: `sinusoidal_table(max_len, d_model)`.",
)
class PatientD(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_d = PatientD


@_clinic(
    "clinic_e",
    """
    class PatientE(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            table = sinusoidal_table(max_len, d_model)
            self.register_buffer("table", table, persistent=False)

        def forward(self, x):
            x += self.table[: x.shape[1]]
            return x
    """,
    "Call it twice with the same `x`. Is the second result the first one?",
    "`x += …` writes into the caller's tensor. `x + …` makes a new one.",
)
class PatientE(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_e = PatientE

where_sqrt_d_matters = Question(
    "where_sqrt_d_matters",
    "Where is the factor $\\sqrt{d_{model}}$ on the embeddings *needed*, so that the "
    "position does not drown the word?",
    [
        Choice(
            "nowhere: layer norm, which comes later, undoes every factor",
            "Layer norm comes after the sum. It rescales word and position together; "
            "their *ratio* stays what the factor made it.",
        ),
        Choice(
            "at small widths",
            "The factor grows with the width: 1.4 at 2, and 17.3 at 300.",
        ),
        Choice(
            "where embeddings have entries of about $1/\\sqrt{d_{model}}$",
            "Then a word has a norm of about 1, and its position one of "
            "$\\sqrt{d_{model}/2}$: without the factor the position drowns the word.",
            right=True,
        ),
        Choice(
            "where embeddings have entries of about 1, as `nn.Embedding` makes them",
            "Then word and position are of similar size already, and the factor makes "
            "the *position* small.",
        ),
    ],
    hints=[
        "Compare two norms: of a word's embedding, and of a row of the table, "
        "$\\sqrt{d_{model}/2}$.",
        "How large is a word of $d_{model}$ entries of size $1/\\sqrt{d_{model}}$?",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress

# Notebooks of version 1.0 call the patients of the clinic so.
clinic_global, clinic_attribute, clinic_batch_axis = clinic_a, clinic_b, clinic_c
clinic_ignores_arguments, clinic_in_place = clinic_d, clinic_e
