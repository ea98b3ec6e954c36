"""Exercises and questions of notebook 05: the module."""

from collections.abc import Mapping

import torch
from torch import nn

from helpers.exercises.core import Choice, Mistake, Question, collect, exercise
from helpers.module import sinusoidal_table


def _tokens(batch, length, d_model):
    shape = (batch, length, d_model)
    return torch.randn(shape, generator=torch.Generator().manual_seed(batch + length))


def _same(before, after):
    return "unchanged" if torch.equal(before, after) else "changed"


def _differ(one, other):
    tensors = isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor)
    return tensors and not torch.equal(one, other)


def _use_forward(answer, batch, length, p):
    """Call a forward with a table that is longer than the input."""
    table, x = sinusoidal_table(12, 6), _tokens(batch, length, 6)
    kept, dropout = x.clone(), nn.Dropout(p)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(length)
        calm = answer(table, x, dropout.eval())
        if calm is None or calm is ...:
            return calm
        again = answer(table, kept.clone(), dropout)
        torch.manual_seed(length)
        shaken = answer(table, x, dropout.train())
    return {
        "two calls in eval mode": "different" if _differ(calm, again) else "equal",
        "in eval mode": calm,
        "in training mode": shaken,
        "the input afterwards": _same(kept, x),
    }


def _into_the_input(table, x, dropout):
    x += table[: x.shape[1]]
    return dropout(x)


def _own_dropout(make):
    """A forward that does not use the dropout that it is given."""
    return lambda table, x, dropout: make()(x + table[: x.shape[1]])


@exercise(
    stub="""
    def forward(table, x, dropout):
        # x is (batch, length, d_model); the table may be longer than x
        ...
    """,
    run=_use_forward,
    cases=[(2, 12, 0.5), (3, 5, 0.2), (1, 1, 0.9), (4, 7, 0.0)],
    hints=[
        "Take as many rows of the table as `x` has positions. Which dimension of `x` "
        "counts them?",
        "`x + table[: x.shape[1]]`: the batch is filled up by broadcasting. Then hand "
        "the *sum* to `dropout`.",
    ],
    mistakes=[
        Mistake(
            "no dropout",
            "The sum is right, but `dropout` is never called: in training mode nothing "
            "is dropped.",
            lambda table, x, dropout: x + table[: x.shape[1]],
        ),
        Mistake(
            "dropout on the table only",
            "Only the table went through `dropout`. The paper applies it to the *sum* of "
            "embedding and position.",
            lambda table, x, dropout: x + dropout(table[: x.shape[1]]),
        ),
        Mistake(
            "dropout on the input only",
            "Only the input went through `dropout`. Apply it to the *sum* of embedding "
            "and position.",
            lambda table, x, dropout: dropout(x) + table[: x.shape[1]],
        ),
        Mistake(
            "no slice",
            "It adds the whole table. That works only while `x` is as long as the table: "
            "take the first `x.shape[1]` rows.",
            lambda table, x, dropout: dropout(x + table),
        ),
        Mistake(
            "positions along the batch axis",
            "You counted the sentences of the batch: every token of a sentence got the "
            "same row. Positions run along dimension 1.",
            lambda table, x, dropout: dropout(x + table[: x.shape[0]].unsqueeze(1)),
        ),
        Mistake(
            "modifies its input",
            "The result is right, but `x` is changed by it (`+=`). Whoever called it "
            "still needs the embeddings: write `x + …`.",
            _into_the_input,
        ),
        Mistake(
            "as many rows as sentences",
            "`x.shape[0]` counts the sentences of the batch. How many tokens has each of "
            "them?",
            lambda table, x, dropout: dropout(x + table[: x.shape[0]]),
        ),
        Mistake(
            "as many rows as columns",
            "`x.shape[2]` counts the columns, d_model. Positions run along dimension 1.",
            lambda table, x, dropout: dropout(x + table[: x.shape[2]]),
        ),
        Mistake(
            "two dropouts",
            "Input and table go through `dropout` one by one: half of a sum can be lost. "
            "Add first, then call `dropout` once.",
            lambda table, x, dropout: dropout(x) + dropout(table[: x.shape[1]]),
        ),
        Mistake(
            "the table alone",
            "This returns positions without the input. Add them to `x`.",
            lambda table, x, dropout: dropout(
                table[: x.shape[1]].expand(len(x), -1, -1)
            ),
        ),
        *(
            Mistake(
                "a dropout of its own",
                "It drops values in eval mode too: it has a dropout of its own. Call the "
                "`dropout` that it is given, which knows its rate and its mode.",
                _own_dropout(make),
            )
            for make in (
                lambda: nn.functional.dropout,
                lambda: nn.Dropout(0.1),
                nn.Dropout,
            )
        ),
        Mistake(
            "dropout twice",
            "`dropout` is called twice, so that survivors are scaled twice. Once is "
            "enough.",
            lambda table, x, dropout: dropout(dropout(x + table[: x.shape[1]])),
        ),
        Mistake(
            "product, not sum",
            "The encoding is multiplied with the input. It is *added*.",
            lambda table, x, dropout: dropout(x * table[: x.shape[1]]),
        ),
        Mistake(
            "input scaled",
            "The factor $\\sqrt{d_{model}}$ comes in section 4. Here the input is added "
            "as it is.",
            lambda table, x, dropout: dropout(
                x * table.shape[1] ** 0.5 + table[: x.shape[1]]
            ),
        ),
        Mistake(
            "one row for all",
            "`table[n]` is the single row `n`. You need the rows from 0 up to the "
            "length: a slice.",
            lambda table, x, dropout: dropout(x + table[x.shape[1]]),
        ),
        Mistake(
            "columns cut, not rows",
            "`table[:, …]` cuts columns. The rows are the first dimension.",
            lambda table, x, dropout: dropout(x + table[:, : x.shape[1]]),
        ),
    ],
    remark="Slice, sum, dropout: that is all a forward pass has to do.",
)
def forward(table, x, dropout):
    return dropout(x + table[: x.shape[1]])


keeps_moving = Question(
    "keeps_moving",
    "The table must follow the module to another device or dtype (`.to(…)`), but must "
    "not be trained. How do you store it in `__init__`?",
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
            '`self.register_buffer("table", table, persistent=False)`',
            "A buffer moves with the module and is not trained. `persistent=False` keeps "
            "it out of the checkpoint, since it can be computed again.",
            right=True,
        ),
        Choice(
            "in no way: compute it in every `forward`",
            "It would be right, and wasteful: the same sines at every step of the "
            "training.",
        ),
    ],
    hints=[
        "Which of the three does `.to(…)` know of: attribute, parameter, buffer?",
        "Of those that move, one has `requires_grad=True`.",
    ],
)

larger_checkpoint = Question(
    "larger_checkpoint",
    "You saved a model whose table is a *persistent* buffer of 100 rows. Now you build "
    "the model with `max_len=200` and call `load_state_dict`. What happens?",
    [
        Choice(
            "The first 100 rows are filled, the others stay.",
            "PyTorch does not guess: shapes must be equal.",
        ),
        Choice(
            "An error about the shape of the table.",
            "The checkpoint holds 100 rows, the module has 200. A table that anybody can "
            "compute again has stopped your model from loading.",
            right=True,
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
    "An input of 1 meets an encoding of 1; dropout has p = 0.2 and the module is in "
    "training mode. Which values can come out?",
    [
        Choice(
            "0 or 2",
            "Nearly: what survives is *scaled*, so that the mean stays what it was.",
        ),
        Choice(
            "0 or 2.5",
            "Dropped, or kept and multiplied by 1/(1 − 0.2) = 1.25.",
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
    cases=[(0.2,), (0.5,), (0.1,), (0.75,)],
    hints=[
        "Out of many values the share $1-p$ survives. Their sum must be what the sum of "
        "all was.",
        "Which factor $f$ makes $(1-p)\\cdot f = 1$?",
    ],
    mistakes=[
        Mistake(
            "share that survives",
            "$1-p$ is the *share* that survives. To make up for the lost ones, divide by "
            "it. (Mind the brackets: `1 / 1 - p` is $1-p$ too.)",
            lambda p: 1 - p,
        ),
        Mistake(
            "share that is dropped",
            "$p$ is the share that is dropped. The survivors have to make up for it.",
            lambda p: p,
        ),
        Mistake(
            "1/p",
            "You divide by the share that is *dropped*; divide by the one that survives.",
            lambda p: 1 / p,
        ),
        Mistake(
            "1 + p",
            "For small $p$ that is close, but the mean would sink: $(1-p)(1+p)=1-p^2$.",
            lambda p: 1 + p,
        ),
        Mistake(
            "the value, not the factor",
            "That is what becomes of a 2. The *factor* is the same for all values.",
            lambda p: 2 / (1 - p),
        ),
        Mistake(
            "p/(1 − p)",
            "This is the share that is dropped, divided by the one that survives. The "
            "survivors have to stand for *all* values: what belongs on top?",
            lambda p: p / (1 - p),
        ),
        Mistake(
            "no scale",
            "The survivors do not stay as they are: then the mean would sink by the "
            "share $p$.",
            lambda p: 1.0,
        ),
    ],
    remark="With p = 0.2 that is 1.25, and 2 becomes 2.5.",
)
def dropout_scale(p):
    return 1 / (1 - p)


def _use_resize(answer, rows, max_len):
    state = {"table": sinusoidal_table(rows, 8), "weight": torch.arange(6.0)}
    kept = {name: value.clone() for name, value in state.items()}
    result = answer(state, max_len)
    same = list(state) == list(kept) and all(
        torch.equal(state[name], kept[name]) for name in kept
    )
    if result is None or result is ...:
        return result
    if not isinstance(result, Mapping):
        return {"what it returns": f"a {type(result).__name__}"}
    return {
        "what it returns": "a dict",
        "the names in it": ", ".join(sorted(result)),
        "its table": result.get("table"),
        "its other tensors": result.get("weight"),
        "the old checkpoint": "unchanged" if same else "changed",
    }


def _overwritten(state, max_len):
    state["table"] = sinusoidal_table(max_len, state["table"].shape[1])
    return state


def _padded(state, max_len):
    table = torch.zeros(max_len, state["table"].shape[1])
    rows = min(max_len, len(state["table"]))
    table[:rows] = state["table"][:rows]
    return {**state, "table": table}


def _repeated(state, max_len):
    rows = torch.arange(max_len) % len(state["table"])
    return {**state, "table": state["table"][rows]}


def _counted_anew(state, max_len, least):
    """The old rows, and below them a table that begins at position 0 again."""
    old = state["table"]
    new = sinusoidal_table(max(least, max_len - len(old)), old.shape[1])
    return {**state, "table": torch.cat([old, new])[:max_len]}


def _last_repeated(state, max_len):
    rows = torch.arange(max_len).clamp(max=len(state["table"]) - 1)
    return {**state, "table": state["table"][rows]}


@exercise(
    stub="""
    def resize_checkpoint(state, max_len):
        # state["table"] is (old max_len, d_model); all other entries stay
        ...
    """,
    run=_use_resize,
    cases=[(5, 9), (3, 20), (10, 4), (5, 5)],
    hints=[
        "A table can always be computed anew. You need its width, which the old one "
        "tells you.",
        '`{**state, "table": …}` is a new dict with one entry replaced; '
        "`sinusoidal_table(max_len, d_model)` makes the table.",
    ],
    mistakes=[
        Mistake(
            "changes the old checkpoint",
            "The old checkpoint is changed too. Return a *new* dict: whoever loaded it "
            "may need it again.",
            _overwritten,
        ),
        Mistake(
            "padded with zeros",
            "The new rows are zero: those positions would have no encoding at all. "
            "Compute them.",
            _padded,
        ),
        Mistake(
            "rows repeated",
            "The old rows are repeated: two positions would share one code. Compute the "
            "new ones.",
            _repeated,
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
        Mistake(
            "last row repeated",
            "All new rows are the old last row: those positions would share one code. "
            "Compute them.",
            _last_repeated,
        ),
        *(
            Mistake(
                "rows taken for columns",
                "Two numbers are exchanged. `sinusoidal_table` wants `max_len` rows, and "
                "as many columns as the old table has: `shape[1]`, not `shape[0]`.",
                answer,
            )
            for answer in (
                lambda state, max_len: {
                    **state,
                    "table": sinusoidal_table(max_len, len(state["table"])),
                },
                lambda state, max_len: {
                    **state,
                    "table": sinusoidal_table(state["table"].shape[1], max_len),
                },
            )
        ),
        Mistake(
            "only cut",
            "This only cuts. When `max_len` is larger than the old table, rows are "
            "missing.",
            lambda state, max_len: {**state, "table": state["table"][:max_len]},
        ),
        Mistake(
            "table left out",
            "The table is missing from the result. Its owner has a persistent buffer and "
            "asks for it.",
            lambda state, max_len: {k: v for k, v in state.items() if k != "table"},
        ),
        Mistake(
            "only the table",
            "Only the table is left: the other weights of the model are gone. Copy them "
            "into the new dict.",
            lambda state, max_len: {
                "table": sinusoidal_table(max_len, state["table"].shape[1])
            },
        ),
    ],
    remark="With `persistent=False` nobody would have had to write it.",
)
def resize_checkpoint(state, max_len):
    d_model = state["table"].shape[1]
    return {**state, "table": sinusoidal_table(max_len, d_model)}


def _gradient_reaches(module, x):
    """Whether the embeddings before the module can learn."""
    x = x.clone().requires_grad_()
    result = module(x.clone())
    if not result.requires_grad:
        return False
    (gradient,) = torch.autograd.grad(result.sum(), x, allow_unused=True)
    return gradient is not None and bool((gradient == 1).all())


def _use_module(answer, batch, length, max_len, d_model):
    """Build a module, use it, move it; what a good one shows."""
    module, x = answer(d_model, max_len), _tokens(batch, length, d_model)
    kept = x.clone()
    result = module(x)
    if result is None or result is ...:
        return result
    reaches = _gradient_reaches(module, kept)
    half = module.to(torch.float16)(kept.half())
    parameters = list(module.parameters())
    return {
        "the output": result,
        "the input afterwards": _same(kept, x),
        "dtype of the output after .to(torch.float16)": str(half.dtype),
        "parameters that are trained": sum(p.requires_grad for p in parameters),
        "parameters in all": len(parameters),
        "plain tensors that .to() does not see": sum(
            isinstance(value, torch.Tensor) for value in vars(module).values()
        ),
        "numbers in its buffers": sum(b.numel() for b in module.buffers()),
        "gradient to the input": "yes" if reaches else "none",
    }


_SHAPES = [(2, 10, 10, 8), (5, 3, 6, 4), (1, 3, 12, 2)]


def _module(kind):
    """A module with one of the known faults."""

    class Faulty(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            table = sinusoidal_table(max_len, d_model)
            if kind in ("attribute", "moved"):
                self.table = table
            elif kind in ("parameter", "frozen"):
                self.table = nn.Parameter(table, requires_grad=kind == "parameter")
            elif kind == "taken":
                self.table = table
                self.register_buffer("table", self.table)
            elif kind == "nothing":
                self.table = self.register_buffer("table", table)
            elif kind != "rebuilt":
                table = _OTHER_SIZES.get(kind, lambda *_: table)(max_len, d_model)
                self.register_buffer("table", table, persistent=False)

        def forward(self, x):
            if kind == "global":
                return x + _GLOBAL[: x.shape[1]]
            if kind == "rebuilt":
                return x + sinusoidal_table(x.shape[1], x.shape[2], dtype=x.dtype)
            if kind == "cut global":
                return x + _GLOBAL[: x.shape[1], : x.shape[2]]
            if kind == "cut":
                return x + self.table[: x.shape[1], : x.shape[2]]
            if kind == "detached":
                return x.detach() + self.table[: x.shape[1]]
            if kind == "batch":
                return x + self.table[: x.shape[0]].unsqueeze(1)
            if kind == "sentences":
                return x + self.table[: x.shape[0]]
            if kind == "half turned":
                return x + self.table[: x.shape[1]].unsqueeze(1)
            if kind == "no slice":
                return x + self.table
            if kind == "moved":
                return x + self.table[: x.shape[1]].to(x)
            if kind == "in place":
                x += self.table[: x.shape[1]]
                return x
            return x + self.table[: x.shape[1]]

    return Faulty


_GLOBAL = sinusoidal_table(100, 8)
_OTHER_SIZES = {  # from (max_len, d_model), tables of another size
    "ignores": lambda max_len, d_model: sinusoidal_table(20, 8),
    "long": lambda max_len, d_model: sinusoidal_table(5000, d_model),
    "wide": lambda max_len, d_model: sinusoidal_table(max_len, 512),
    "cut": lambda max_len, d_model: sinusoidal_table(5000, 512),
    "swapped": lambda max_len, d_model: sinusoidal_table(d_model, max_len),
}


def _faults():
    """Every known fault of a module, for whichever class is being repaired."""
    return [
        Mistake(
            "global table",
            "`forward` still adds a table from outside the class: the size that you "
            "asked for does not matter to it. Use `self.table`.",
            _module("global"),
        ),
        Mistake(
            "plain attribute",
            "The table is a plain attribute: `.to(torch.float16)` leaves it behind, and "
            "the output is float32 again. Register it as a buffer.",
            _module("attribute"),
        ),
        Mistake(
            "parameter",
            "The table is a parameter now: it moves, but the optimiser will change it. "
            "Register it as a buffer.",
            _module("parameter"),
        ),
        Mistake(
            "frozen parameter",
            "It moves and is not trained. But it still stands among the parameters, is "
            "counted with them and saved with them. A tensor that is never trained is a "
            "buffer.",
            _module("frozen"),
        ),
        Mistake(
            "moved in every call",
            "The output is right, but the table is still a plain attribute: `forward` "
            "has to copy it to the right dtype or device every time. Let `.to()` do that "
            "once: register it as a buffer.",
            _module("moved"),
        ),
        Mistake(
            "table rebuilt every call",
            "The output is right, but the table is computed again in every `forward`. "
            "Build it once, in `__init__`, and register it as a buffer.",
            _module("rebuilt"),
        ),
        Mistake(
            "positions along the batch axis",
            "Every token of a sentence gets the same row: the positions run along the "
            "batch. Slice by `x.shape[1]`.",
            _module("batch"),
        ),
        Mistake(
            "as many rows as sentences",
            "The slice still counts the sentences of the batch, `x.shape[0]`. How many "
            "tokens has each of them?",
            _module("sentences"),
        ),
        Mistake(
            "rows still stand along the batch",
            "The slice is right, but `unsqueeze(1)` lays its rows along the batch. "
            "Broadcasting needs `(length, d_model)`.",
            _module("half turned"),
        ),
        Mistake(
            "no slice",
            "The whole table is added: there is no slice, or it runs along a dimension "
            "of size 1. Take the first `x.shape[1]` rows.",
            _module("no slice"),
        ),
        Mistake(
            "ignores its arguments",
            "The table has the same size whatever the arguments are. Hand `max_len` and "
            "`d_model` on.",
            _module("ignores"),
        ),
        Mistake(
            "max_len ignored",
            "The width is right now. But the table has 5000 rows, whatever `max_len` "
            "asks for.",
            _module("long"),
        ),
        Mistake(
            "d_model ignored",
            "The length is right now. But the table has 512 columns, whatever `d_model` "
            "asks for.",
            _module("wide"),
        ),
        Mistake(
            "columns cut off",
            "The first columns of a wide table are not a narrow table: the speeds depend "
            "on `d_model`. Build the table with the right width.",
            _module("cut"),
        ),
        Mistake(
            "columns of the global table cut off",
            "`forward` still adds the table from outside the class. Cutting its columns "
            "makes the shapes fit, not the values: the speeds depend on `d_model`. Use "
            "`self.table`.",
            _module("cut global"),
        ),
        Mistake(
            "arguments exchanged",
            "The two sizes are exchanged: `sinusoidal_table(max_len, d_model)` wants the "
            "rows first.",
            _module("swapped"),
        ),
        Mistake(
            "the name is taken",
            "A plain attribute has the name `table` already. `register_buffer` itself "
            "makes `self.table`: the assignment has to go.",
            _module("taken"),
        ),
        Mistake(
            "register_buffer returns nothing",
            "`register_buffer` makes `self.table` itself and returns `None`, which your "
            "`self.table = …` then puts in its place. Call it without the assignment.",
            _module("nothing"),
        ),
        Mistake(
            "modifies its input",
            "The output is right, but the input is changed by it (`+=`). Return a new "
            "tensor.",
            _module("in place"),
        ),
        Mistake(
            "cut off from the gradient",
            "The output is right, but `detach` cuts the input off: the embeddings before "
            "this module would never learn. Add to `x` itself.",
            _module("detached"),
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
        mistakes=_faults(),
        remark="Right output, input untouched, follows `.to()`, nothing to train.",
    )


@_clinic(
    "clinic_global",
    """
    table = sinusoidal_table(100, 8)


    class WithGlobal(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            buffer = sinusoidal_table(max_len, d_model)
            self.register_buffer("table", buffer, persistent=False)

        def forward(self, x):
            return x + table[: x.shape[1]]
    """,
    "Build it with `d_model=4`, and call it. Where does the 8 in the error come from?",
    "`forward` reads a name from outside the class. The module's own table is "
    "`self.table`.",
)
class WithGlobal(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        buffer = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", buffer, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_global = WithGlobal


@_clinic(
    "clinic_attribute",
    """
    class WithAttribute(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            self.table = sinusoidal_table(max_len, d_model)

        def forward(self, x):
            return x + self.table[: x.shape[1]]
    """,
    "Move it with `.to(torch.float16)`, and look at the dtype of its table.",
    "`.to` moves parameters and buffers only: `self.register_buffer(…)`.",
)
class WithAttribute(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_attribute = WithAttribute


@_clinic(
    "clinic_batch_axis",
    """
    class AlongTheBatch(nn.Module):
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
class AlongTheBatch(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_batch_axis = AlongTheBatch


@_clinic(
    "clinic_ignores_arguments",
    """
    class AlwaysTheSame(nn.Module):
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
class AlwaysTheSame(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_ignores_arguments = AlwaysTheSame


@_clinic(
    "clinic_in_place",
    """
    class InPlace(nn.Module):
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
class InPlace(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


clinic_in_place = InPlace

where_sqrt_d_matters = Question(
    "where_sqrt_d_matters",
    "Where does the factor $\\sqrt{d_{model}}$ on the embeddings make the largest "
    "difference?",
    [
        Choice(
            "where embeddings start small, with entries of about $1/\\sqrt{d_{model}}$",
            "Then a word has a norm of about 1, and its position one of "
            "$\\sqrt{d_{model}/2}$: without the factor the position drowns the word.",
            right=True,
        ),
        Choice(
            "where embeddings start with entries of about 1, as in `nn.Embedding`",
            "Then word and position are of similar size already, and the factor makes "
            "the *position* small.",
        ),
        Choice(
            "nowhere: layer norm undoes every factor",
            "Layer norm comes after the sum. It rescales word and position together; "
            "their *ratio* stays what the factor made it.",
        ),
        Choice(
            "at small widths",
            "The factor grows with the width: 1.4 at 2, and 17.3 at 300.",
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
