"""How somebody's code is made and called, and the table that comes of it."""

import copy
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from helpers.examine.naming import by_name, role
from helpers.examine.trying import OutOfBounds, Unclear, attempt

BATCH = 3
# (length, width); no length is a width or BATCH, and sqrt(24) no usual factor
SIZES = ((40, 24), (33, 64), (20, 8))
MOST = 6_000_000  # numbers that one sentence may have
RETURNED = "a table is returned"


@dataclass(frozen=True)
class Form:
    """One way to call: in words, the axes of what goes in, and what it is filled with.

    ``axes`` are letters: b for the batch, t for positions, d for the width, 1 for one.
    ``axis`` is the one that counts positions where x goes in.
    """

    words: str
    axes: str
    kind: str
    axis: str = RETURNED


HOLDS = Form("none worked: this is the table that it holds", "", "count", "not sure")
# In the order in which they are tried.
FORMS = (
    Form("x of (batch, length, width)", "btd", "zeros", "1"),
    Form("x of (length, batch, width)", "tbd", "zeros", "0"),
    Form("x of (batch, width, length)", "bdt", "zeros", "2"),
    Form("ids of (batch, length)", "bt", "fives"),  # 0 and 1 are for padding
    Form("positions of (batch, length)", "bt", "range"),
    Form("positions of (length,)", "t", "range"),
    Form("a length", "", "count"),
    Form("x of (length, width)", "td", "zeros", "0"),
    HOLDS,
)
# For a function that has an argument for the width.
BY_NAME = (
    Form("a length and a width", "", "count"),
    Form("positions of (length,) and a width", "t", "range"),
)


@dataclass
class Subject:
    """What is examined: how it is made and called, and the forms to try.

    ``kind`` is "class" for what ``make(length, width)`` makes anew, "instance" or
    "function"; ``named`` is the class or the function. ``form`` and ``size``, the length
    and the width, are what works, once it is found.
    """

    kind: str
    named: object
    make: Callable
    call: Callable
    forms: tuple
    form: Form = HOLDS
    size: tuple = SIZES[0]

    def made(self, size, training=False):
        """A new instance, in evaluation mode or not; a function is as it is.

        Random numbers are the same each time.
        """
        import torch

        torch.default_generator.manual_seed(0)
        made = self.make(*size)
        if hasattr(made, "train"):
            made.train(training)
        return made

    def tables(self, form, sizes):
        """The tables by size, called in one form; raises as `rows` does."""
        self.form = form
        return {size: self.rows(size, size[0]) for size in sizes}

    def filled(self):
        """What goes in at its size."""
        return filled(self.form, *self.size)

    def rows(self, size, count):
        """The table (count, width) in float64 that something for a size gives.

        Raises Unclear where what comes back has no such table in it, OutOfBounds where it
        would be too large, and whatever the code raises.
        """
        _, width = size
        if count * width > MOST:
            raise OutOfBounds("it would be too large")
        made = self.made(size)
        value = filled(self.form, count, width)
        if self.form is HOLDS:
            held = [rows_of(value, width) for value, _ in tensors(made)]
            if not held:
                raise Unclear("it holds no numbers")
            result = max(held, key=len)[:count]
        elif self.form in BY_NAME:
            named = by_name(made, positions=value, length=count, width=width)
            result = made(**named)
        else:
            result = self.call(made, value)
        return _table(result, self.form.axes, count, width)


def subject_of(thing, make, call):
    """The Subject that is given; a ``make`` may give the table itself."""
    kind, forms, named = "class", FORMS, thing
    if make:
        named = attempt(make, *SIZES[0]).value
        if is_table(named) and call is None:
            named = make
            make = None
    if not make and inspect.isclass(named):
        make = partial(_by_name, named)
    elif not make:
        make = partial(_copied, named)
        kind = "function" if inspect.isroutine(named) else "instance"
        names = getattr(attempt(inspect.signature, named).value, "parameters", ())
        if call is None and "width" in map(role, names):
            kind = "function"
            forms = BY_NAME
    named = named if hasattr(named, "__name__") else type(named)
    return Subject(kind, named, make, call or _called, forms)


def _by_name(cls, length, width):
    return cls(**by_name(cls, length=length, width=width))


def _copied(thing, _length, _width):
    return copy.deepcopy(thing)


def _called(made, x):
    return made(x)


def filled(form, count, width):
    """What goes in: floats of zero, fives (int64), 0, 1, 2 … along t, or a count."""
    if form.kind == "count":
        return count
    import torch

    sizes = [{"b": BATCH, "t": count, "d": width}[axis] for axis in form.axes]
    if form.kind == "range":
        return torch.arange(count).expand(sizes)
    return torch.full(sizes, 5 if form.kind == "fives" else 0.0)


def is_table(value):
    """Whether it is a tensor or an array, and nothing that can be called."""
    return hasattr(value, "shape") and not callable(value)


def in_float64(value):
    """The array in float64 of a tensor, a list, an array, or the first of a tuple."""
    value = value[0] if isinstance(value, tuple) else value
    if hasattr(value, "detach"):
        value = value.detach().cpu().double()
    return np.asarray(value, dtype=np.float64)


def _table(result, axes, count, width):
    """The table (count, width) in a result; Unclear where there is none.

    Where the result has the batch too, each of its sentences must get the same rows.
    """
    array = rows = in_float64(result)
    if "b" in axes and array.ndim == 3:
        sentences = np.moveaxis(array, axes.index("b"), 0)
        rows = sentences[0]
        if np.ptp(sentences, axis=0).max() > 0:
            raise Unclear("the sentences of a batch get different rows (by dropout?)")
    rows = _with_width_last(rows, width)
    if rows.shape != (count, width):
        raise Unclear(f"{array.shape} comes back, which is no table of {count, width}")
    if not np.ptp(rows, axis=0).max() > 0:
        raise Unclear("every position gets the same row, or what is no number")
    return rows


def rows_of(value, width):
    """The rows of this width in a tensor, or none."""
    rows = _with_width_last(in_float64(value), width)
    return rows if rows.shape[1:] == (width,) else np.empty((0, width))


def _with_width_last(array, width):
    """The array without axes of one, transposed where its last axis is not the width."""
    array = np.squeeze(array)
    return array if array.shape[-1:] == (width,) else array.T


def holding(made, row):
    """The kind and the number of rows of what holds this row, or None."""
    for value, kind in tensors(made):
        rows = rows_of(value, len(row))
        if len(rows) and np.abs(rows - row).max(axis=1).min() < 2e-3:
            return kind, len(rows)
    return None


def tensors(made):
    """Everything of floats that an instance holds, each with the word for its kind."""
    held = []
    parts = [made]
    if hasattr(made, "named_buffers"):
        parts = made.modules()
        saved = made.state_dict()
        for value in made.parameters():
            trained = "parameter" if value.requires_grad else "parameter, not trained"
            held.append((value, trained))
        for name, value in made.named_buffers():
            kind = "buffer" if name in saved else "buffer, not persistent"
            held.append((value, kind))
    for part in parts:
        own = getattr(part, "__dict__", {}).values()
        held += [(value, "attribute") for value in own]
    return [pair for pair in held if "float" in str(getattr(pair[0], "dtype", ""))]
