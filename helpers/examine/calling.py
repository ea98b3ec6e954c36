"""How somebody's code is made and called, and the table that comes of it."""

import copy
import functools
import inspect
from dataclasses import dataclass

import numpy as np

from helpers.examine.naming import by_name, parameters, role
from helpers.examine.trying import attempt

BATCH = 3
SIZES = ((40, 16), (33, 64), (24, 8))  # (length, width); no length is a width or BATCH
RETURNED = "a table is returned"


class Unclear(Exception):
    """Why nothing can be said, in one sentence."""


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
    Form("ids of (batch, length)", "bt", "ones"),
    Form("positions of (batch, length)", "bt", "range"),
    Form("positions of (length,)", "t", "range"),
    Form("a length", "", "count"),
    Form("x of (length, width)", "td", "zeros", "0"),
)
HOLDS = Form("none worked: this is the table that it holds", "", "count", "not sure")
BY_LENGTH = Form("a length and a width", "", "count")
ONE_BY_ONE = Form("one position and a width", "", "count")
BY_POSITIONS = (
    BY_LENGTH,
    Form("positions of (length,) and a width", "t", "range"),
    ONE_BY_ONE,
)


class Subject:
    """What is examined: how it is made, how it is called, and the forms to try."""

    def __init__(self, thing, make, call):
        is_function = inspect.isroutine(thing) or isinstance(thing, functools.partial)
        self.is_function = is_function and make is None
        self.is_instance = not (make or self.is_function or inspect.isclass(thing))
        self.thing, self.make, self.call = thing, make, call or called
        self.forms = FORMS if self.is_function else (*FORMS, HOLDS)
        named = attempt(parameters, thing).value if self.is_function else ()
        roles = set(map(role, named or ()))
        if "width" in roles and call is None:
            self.forms = BY_POSITIONS if "positions" in roles else (BY_LENGTH,)

    def made(self, length, width):
        """A new instance in evaluation mode; a function is as it is."""
        if self.make is not None:
            made = self.make(length, width)
        elif inspect.isclass(self.thing):
            made = self.thing(**by_name(self.thing, length=length, width=width))
        else:
            made = copy.deepcopy(self.thing)
        if hasattr(made, "eval"):
            made.eval()
        return made

    def rows(self, form, length, width, count=None, made=None):
        """The table (count, width) in float64 that something for ``length`` gives.

        Raises Unclear where what comes back has no such table in it, and whatever the
        code raises.
        """
        count = count or length
        made = made or self.made(length, width)
        if form is HOLDS:
            found = [kept.rows(width) for kept in tensors(made)]
            result = max(found, key=len, default=np.empty(0))[:count]
        elif form is ONE_BY_ONE:
            each = [self._result(made, form, n, width) for n in range(count)]
            result = np.stack([as_array(row).ravel() for row in each])
        else:
            result = self._result(made, form, filled(form, count, width), width)
        return _table(result, form.axes, count, width)

    def _result(self, made, form, value, width):
        if form not in BY_POSITIONS:
            return self.call(made, value)
        length = len(value) if form.axes else value
        return made(**by_name(made, positions=value, length=length, width=width))


def called(made, x):
    """A module, an object or a function called with x alone."""
    import torch

    with torch.no_grad():
        return made(x) if callable(made) else made.forward(x)


def filled(form, count, width, value=0.0):
    """What goes in: floats of one value, ones (int64), 0, 1, 2 … along t, or a count."""
    if form.kind == "count":
        return count
    import torch

    sizes = [{"b": BATCH, "t": count, "d": width}[axis] for axis in form.axes]
    if form.kind == "range":
        return torch.arange(count).expand(sizes)
    if form.kind == "ones":
        return torch.ones(sizes, dtype=torch.long)
    return torch.full(sizes, value)


def as_array(value):
    """An array in float64 of a tensor, an array, or the first of some."""
    if isinstance(value, tuple):
        value = value[0]
    if hasattr(value, "detach"):
        value = value.detach().cpu().double().numpy()
    return np.asarray(value, dtype=np.float64)


def _table(result, axes, count, width):
    """The table (count, width) in a result; Unclear where there is none.

    Where the result has the batch too, each of its sentences must get the same rows.
    """
    array = as_array(result)
    if "b" in axes and array.ndim == 3:
        array = np.moveaxis(array, axes.index("b"), 0)
        if not np.ptp(array, axis=0).max() == 0:
            raise Unclear("the sentences of a batch get different rows")
        array = array[0]
    array = array.squeeze()
    if array.shape == (width, count):
        array = array.T
    if array.shape != (count, width):
        raise Unclear(f"a result of shape {array.shape}")
    if not np.ptp(array, axis=0).max() > 0:
        raise Unclear("every position gets the same row, or what is no number")
    return array


@dataclass
class Held:
    """A tensor that an instance holds: its value, its name, and how it is kept."""

    value: object
    name: str
    kind: str

    def rows(self, width):
        """Its rows of this width, or none."""
        array = as_array(self.value)
        if array.ndim < 2 or width not in array.shape:
            return np.empty((0, width))
        axis = -1 if array.shape[-1] == width else array.shape.index(width)
        return np.moveaxis(array, axis, -1).reshape(-1, width)


def holding(made, table):
    """What of an instance holds the row of position 1 of a table, or None."""
    for kept in tensors(made):
        rows = kept.rows(table.shape[1])
        if len(rows) and np.abs(rows - table[1]).max(axis=1).min() < 2e-3:
            return kept
    return None


def tensors(made):
    """Every tensor or array of floats that an instance holds, as Held."""
    parts = made.named_modules() if hasattr(made, "named_modules") else [("", made)]
    for path, part in parts:
        own = getattr(part, "__dict__", {})
        kinds = dict.fromkeys(own, "attribute")
        kinds |= dict.fromkeys(own.get("_buffers", ()), "buffer")
        hidden = own.get("_non_persistent_buffers_set", ())
        kinds |= dict.fromkeys(hidden, "buffer, not persistent")
        kinds |= dict.fromkeys(own.get("_parameters", ()), "parameter")
        for name, kind in kinds.items():
            value = getattr(part, name)
            if kind == "parameter" and not value.requires_grad:
                kind = "parameter, not trained"
            if "float" in str(getattr(value, "dtype", "")):
                yield Held(value, f"{path}.{name}".removeprefix("."), kind)
