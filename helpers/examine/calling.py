"""How somebody's code is made and called, and the table that comes of it."""

import copy
import functools
import inspect
import sys
from dataclasses import dataclass

import numpy as np

from helpers.examine.naming import by_name, is_required, parameters, role

BATCH = 3
SIZES = ((40, 16), (33, 64), (24, 8))  # (length, width); no length is a width or BATCH


class Unclear(Exception):
    """Why nothing can be said, in one sentence."""


@dataclass
class Form:
    """One way to call: in words, and as ``rows(length, width, count=length)``.

    ``rows`` gives a table (count, width) in float64, of something made for ``length``
    positions; it raises where the code does not take it so. ``axis`` is "0" or "1" where
    the table is seen through a sum with zeros, else "a table is returned".
    """

    words: str
    rows: object
    axis: str = "a table is returned"
    feed: object = (
        None  # feed(made, x) for x of (batch, length, width), where it takes x
    )


def maker_of(thing, make):
    """A function (length, width) -> a new instance, or the function that is examined."""
    if make is not None:
        return make
    if inspect.isclass(thing):
        return lambda length, width: thing(**by_name(thing, length=length, width=width))
    if inspect.isroutine(thing) or isinstance(thing, functools.partial):
        return lambda length, width: thing
    return lambda length, width: copy.deepcopy(thing)


def forms(make, call):
    """The ways to call that are tried, in this order."""
    call = call or called

    def with_input(shape, kind="zeros"):
        def rows(length, width, count=None):
            count = count or length
            sizes = {"b": BATCH, "t": count, "d": width}
            x = tensor(kind, [sizes[letter] for letter in shape])
            return table_of(call(make(length, width), x), count, width, shape)

        return rows

    def feed(made, x):
        return call(made, x)

    def feed_turned(made, x):
        return call(made, x.swapaxes(0, 1)).swapaxes(0, 1)

    yield Form("x of (batch, length, width)", with_input("btd"), "1", feed)
    yield Form("x of (length, batch, width)", with_input("tbd"), "0", feed_turned)
    yield Form("ids of (batch, length)", with_input("bt", "ones"))
    yield Form("positions of (length,)", with_input("t", "range"))

    def a_length(length, width, count=None):
        count = count or length
        return table_of(call(make(length, width), count), count, width, "")

    def nothing(length, width, count=None):
        count = count or length
        return table_of(make(length, width)(), count, width, "")

    yield Form("a length", a_length)
    yield Form("x of (length, width)", with_input("td"))
    yield Form("no argument", nothing)
    yield Form("the table that it holds, since no call worked", holding(make))


def forms_of_function(function):
    """The ways to call a function that makes a table: by the names of its arguments."""
    roles = {role(name): name for name in reversed(parameters(function))}
    if "width" not in roles:
        yield from forms(lambda length, width: function, _of_first(function))
        return
    place = roles.get("positions")

    def by_length(length, width, count=None):
        count = count or length
        named = by_name(function, length=count, width=width)
        return table_of(function(**named), count, width, "")

    def by_positions(value):
        def rows(length, width, count=None):
            count = count or length
            named = by_name(function, positions=value(count), width=width, length=count)
            return table_of(function(**named), count, width, "")

        return rows

    def one_by_one(length, width, count=None):
        calls = (
            by_name(function, positions=n, width=width) for n in range(count or length)
        )
        rows = [as_array(function(**named)).reshape(-1) for named in calls]
        return table_of(np.stack(rows), len(rows), width, "")

    if place is None:
        yield Form("a length and a width", by_length)
        return
    yield Form("a number of positions and a width", by_positions(int))
    yield Form("positions and a width", by_positions(_torch_range))
    yield Form("positions and a width", by_positions(np.arange))
    column = by_positions(lambda count: _torch_range(count)[:, None])
    yield Form("positions of (length, 1) and a width", column)
    yield Form("one position and a width", one_by_one)


def _of_first(function):
    """A call with x as the first argument, and with what else has a known name."""

    def call(_, x):
        rest = list(parameters(function).items())[1:]
        if missing := [name for name, p in rest if is_required(p)]:
            raise Unclear(f"`{missing[0]}` could be anything")
        return function(x)

    return call


def called(made, x):
    """A module, an object or a function called with x."""
    for name in ("__call__", "forward"):
        method = getattr(made, name, None)
        if method is not None:
            break
    else:
        raise Unclear("it cannot be called")
    torch = sys.modules.get("torch")
    if torch is None:
        return method(x)
    with torch.no_grad():
        return method(x)


def torch_is(value):
    """Whether a value is a tensor of torch, without importing torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def tensor(kind, shape):
    """Zeros (float32), ones or 0, 1, 2 … (int64) as a torch tensor."""
    import torch

    if kind == "range":
        return torch.arange(shape[0])
    return (
        torch.zeros(shape) if kind == "zeros" else torch.ones(shape, dtype=torch.long)
    )


def _torch_range(count):
    return tensor("range", [count])


def as_array(value):
    """An array in float64 of a tensor, an array, or the first of some."""
    if isinstance(value, (tuple, list)) and value and hasattr(value[0], "shape"):
        value = value[0]
    if torch_is(value):
        value = value.detach().cpu().double().numpy()
    return np.asarray(value, dtype=np.float64)


def table_of(result, count, width, shape):
    """The table (count, width) in a result; Unclear where there is none.

    ``shape`` tells the axes of what went in: where the result has the batch too, each of
    its sentences must get the same rows.
    """
    array = as_array(result)
    if shape in ("btd", "bt") and array.shape == (BATCH, count, width):
        return _same_for_all(array)
    if shape == "tbd" and array.shape == (count, BATCH, width):
        return _same_for_all(array.swapaxes(0, 1))
    array = array.squeeze()
    if array.shape == (width, count):
        array = array.T
    if array.shape != (count, width):
        raise Unclear(f"a result of shape {array.shape}")
    if shape in ("btd", "tbd") and count > 1 and np.ptp(array, axis=0).max() == 0:
        raise Unclear("every row is the same")
    return array


def _same_for_all(array):
    if np.ptp(array, axis=0).max() > 0:
        raise Unclear("the sentences of a batch get different rows")
    if array.shape[1] > 1 and np.ptp(array[0], axis=0).max() == 0:
        raise Unclear("every position gets the same row")
    return array[0]


def holding(make):
    """A form that reads the table that something holds, without calling it."""

    def rows(length, width, count=None):
        kept = held(make(length, width), width)
        if kept is None:
            raise Unclear("it holds no table")
        table = as_array(kept.value).squeeze()
        return table_of(table[: count or length], count or length, width, "")

    return rows


@dataclass
class Held:
    """A table that an instance holds: the tensor, its name, and how it is kept."""

    value: object
    name: str
    kind: str
    owner: object


def held(made, width):
    """The largest table of some rows of this width that an instance holds, or None.

    Whole numbers are no table, nor is a vector, for instance of speeds.
    """
    found = [
        kept
        for kept in tensors(made)
        if width in kept.value.shape and kept.value.ndim > 1
    ]
    sized = [(int(np.prod(kept.value.shape)), kept) for kept in found]
    return max(sized, key=lambda pair: pair[0])[1] if sized else None


def tensors(made):
    """Everything that an instance holds of floats, as Held."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(made, torch.nn.Module):
        for name, value in vars(made).items() if hasattr(made, "__dict__") else ():
            if _holds_floats(value):
                yield Held(value, name, "attribute", made)
        return
    saved = made.state_dict()
    for path, module in made.named_modules():
        prefix = f"{path}." if path else ""
        for name, value in vars(module).items():
            if _holds_floats(value):
                yield Held(value, prefix + name, "attribute", module)
        for name, value in module.named_parameters(recurse=False):
            kind = "parameter" if value.requires_grad else "parameter, not trained"
            yield Held(value, prefix + name, kind, module)
        for name, value in module.named_buffers(recurse=False):
            kept = prefix + name in saved
            kind = "buffer" if kept else "buffer, not persistent"
            if value.is_floating_point():
                yield Held(value, prefix + name, kind, module)


def _holds_floats(value):
    if torch_is(value):
        return value.is_floating_point()
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"
