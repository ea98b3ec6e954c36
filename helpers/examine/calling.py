"""How somebody's code is made and called, and the table that comes of it."""

import copy
import functools
import inspect
from dataclasses import dataclass

import numpy as np

from helpers.examine.naming import by_name, parameters, role
from helpers.examine.trying import Unclear, attempt, value_of

BATCH = 3
# (length, width); no length is a width or BATCH, and sqrt(24) no usual factor
SIZES = ((40, 24), (33, 64), (20, 8))
MOST = 6_000_000  # numbers that one sentence may have
RETURNED = "a table is returned"


@dataclass
class Form:
    """One way to call: in words, the axes of what goes in, and what it is filled with.

    ``axes`` are letters: b for the batch, t for positions, d for the width, 1 for one.
    ``axis`` is the one that counts positions where x goes in.
    """

    words: str
    axes: str
    kind: str
    axis: str = RETURNED


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
)
HOLDS = Form("none worked: this is the table that it holds", "", "count", "not sure")
BY_POSITIONS = (
    Form("a length and a width", "", "count"),
    Form("positions of (length,) and a width", "t", "range"),
)


class Subject:
    """What is examined: how it is made, how it is called, and the forms to try.

    ``form`` is the way to call, ``size`` the length and the width, once they are found.
    """

    form, size = None, SIZES[0]

    def __init__(self, thing, make, call):
        if make and not call and is_table(attempt(make, *self.size).value):
            thing, make = functools.partial(_tabled, make), None
            thing.__name__ = "table"
        is_function = inspect.isroutine(thing) or isinstance(thing, functools.partial)
        kind = "function" if is_function else "instance"
        self.kind = "make" if make else "class" if inspect.isclass(thing) else kind
        self.thing, self.make, self.call = thing, make, call or called
        self.forms = (*FORMS, HOLDS)
        names = () if call else attempt(parameters, thing).value or ()
        if self.kind == "function" and "width" in map(role, names):
            self.forms = BY_POSITIONS

    def made(self, length, width):
        """A new instance in evaluation mode; a function is as it is.

        Random numbers are the same each time.
        """
        import torch

        torch.default_generator.manual_seed(0)
        if self.make:
            made = self.make(length, width)
        elif self.kind == "class":
            made = self.thing(**by_name(self.thing, length=length, width=width))
        else:
            made = copy.deepcopy(self.thing)
        getattr(made, "eval", bool)()
        return made

    def tables(self, form, sizes):
        """The tables by size, called in one form."""
        self.form = form
        return {size: value_of(self.rows, size) for size in sizes}

    def rows(self, size, count=None):
        """The table (count, width) in float64 that something for a size gives.

        Raises Unclear where what comes back has no such table in it, MemoryError where it
        would be too large, and whatever the code raises.
        """
        length, width = size
        count = count or length
        if count * width > MOST:
            raise MemoryError
        made = self.made(*size)
        value = filled(self.form, count, width)
        if self.form is HOLDS:
            found = [rows_of(value, width) for _, value, _ in tensors(made)]
            result = max(found, key=len, default="")[:count]
            if not len(result):
                raise LookupError("it holds no such table")
        elif self.form in BY_POSITIONS:
            named = by_name(made, positions=value, length=count, width=width)
            result = made(**named)
        else:
            result = self.call(made, value)
        return _table(result, self.form.axes, count, width)


def _tabled(make, length, width):
    """What is made, where that is the table itself."""
    return make(length, width)


def called(made, x):
    """A module or a function called with x alone."""
    import torch

    with torch.no_grad():
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


def as_array(value):
    """An array in float64 of a tensor, an array, or the first of some."""
    value = value[0] if isinstance(value, tuple) else value
    if hasattr(value, "detach"):
        value = value.detach().cpu().double().numpy()
    return np.asarray(value, dtype=np.float64)


def _table(result, axes, count, width):
    """The table (count, width) in a result; Unclear where there is none.

    Where the result has the batch too, each of its sentences must get the same rows.
    """
    array = rows = as_array(result)
    if "b" in axes and array.ndim == 3:
        sentences = np.moveaxis(array, axes.index("b"), 0)
        rows = sentences[0]
        if np.ptp(sentences, axis=0).max() > 0:
            raise Unclear("the sentences of a batch get different rows (by dropout?)")
    rows = rows.squeeze()
    if rows.shape == (width, count):
        rows = rows.T
    if rows.shape != (count, width):
        raise Unclear(f"{array.shape} comes back, which is no table of {count, width}")
    if not np.ptp(rows, axis=0).max() > 0:
        raise Unclear("every position gets the same row, or what is no number")
    return rows


def rows_of(value, width):
    """The rows of this width in a tensor, or none."""
    array = as_array(value)
    if array.ndim < 2 or width not in array.shape[-2:]:
        return np.empty((0, width))
    return (array if array.shape[-1] == width else array.mT).reshape(-1, width)


def holding(made, table):
    """Name, kind and rows of what holds the row of position 1 of a table, or None."""
    for name, value, kind in tensors(made):
        rows = rows_of(value, table.shape[1])
        if len(rows) and np.abs(rows - table[1]).max(axis=1).min() < 2e-3:
            return name, kind, len(rows)
    return None


def tensors(made):
    """Every tensor or array of floats that an instance holds: name, value, kind."""
    found, parts = [], [made]
    if hasattr(made, "named_buffers"):
        parts = made.modules()
        for name, value in made.named_parameters():
            fixed = ", not trained" * (not value.requires_grad)
            found.append((name, value, f"parameter{fixed}"))
        found += [(*named, "buffer") for named in made.named_buffers()]
    for part in parts:
        own = getattr(part, "__dict__", {})
        found += [(*named, "attribute") for named in own.items()]
    return [held for held in found if "float" in str(getattr(held[1], "dtype", ""))]
