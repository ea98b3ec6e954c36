"""Compare an answer with the reference, whatever form the answer has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Rational, Real

import numpy as np


class Unreadable(Exception):
    """The answer cannot be read as numbers; ``name`` and the text say why."""

    def __init__(self, name, sentence):
        super().__init__(sentence)
        self.name = name


@dataclass(frozen=True)
class Difference:
    """The first difference: a name for its kind, and one or two sentences."""

    name: str | None
    sentence: str


def as_array(value):
    """A list, tuple, NumPy array, torch tensor or table of pandas, as an array.

    Raises Unreadable, with a sentence for the student, for anything that holds no
    real numbers.
    """
    _refuse_endless(value)
    if type(value).__module__.split(".")[0] == "torch" and hasattr(value, "detach"):
        value = value.detach().cpu()
        value = (value.double() if value.is_floating_point() else value).numpy()
    elif isinstance(value, (list, tuple)):
        value = _stacked(value)
    elif isinstance(value, Rational) and not isinstance(value, Integral):
        value = float(value)  # a Fraction is a number
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RuntimeError):
        raise Unreadable(
            "ragged", "The rows that it returns have different lengths."
        ) from None
    if array.dtype.kind in "US":
        raise Unreadable(
            "text", "It returns text; numbers were asked for, not their picture."
        )
    if array.dtype.kind == "c":
        raise Unreadable("complex", "It returns complex numbers; real ones are asked.")
    if array.dtype == object and _are_numbers(array):
        array = array.astype(float)  # whole numbers beyond 64 bits, fractions
    if array.dtype.kind not in "biuf":
        raise Unreadable(*_no_numbers(value))
    return array


def _are_numbers(array):
    if not array.size or not all(isinstance(v, Real) for v in array.flat):
        return False
    try:
        array.astype(float)
    except OverflowError:
        return False
    return True


def first_difference(expected, got, rtol, atol):
    """None where ``got`` agrees with ``expected``, else the first Difference.

    ``expected`` may be a dict (observations by name), a tuple, a string, or
    anything that `as_array` reads.
    """
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return Difference("results", f"it gives {_kind(got)}.")
        for label, wanted in expected.items():
            if label not in got:
                return Difference("missing", f"{label}: there is none.")
            found = first_difference(wanted, got[label], rtol, atol)
            if found:
                # What is observed in words or as a number is a name for the fault.
                plain = isinstance(wanted, (str, int, float, bool))
                name = label if plain and not found.name else found.name
                return Difference(name, f"{label}: {found.sentence}")
        return None
    if isinstance(expected, tuple):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            return Difference(
                "results", f"{len(expected)} results were asked for, got {_kind(got)}."
            )
        for n, (wanted, given) in enumerate(zip(expected, got, strict=True)):
            found = first_difference(wanted, given, rtol, atol)
            if found:
                return Difference(found.name, f"result {n + 1}: {found.sentence}")
        return None
    if isinstance(expected, str) or expected is None:
        if isinstance(got, type(expected)) and got == expected:
            return None
        return Difference(None, f"expected {_short(expected)}, got {_short(got)}.")
    return _array_difference(as_array(expected), _read(got), rtol, atol)


def agrees(expected, got, rtol, atol):
    """Whether `first_difference` finds none; unreadable answers do not agree."""
    try:
        return first_difference(expected, got, rtol, atol) is None
    except Exception:  # whatever an object of the answer's does when it is compared
        return False


def _read(got):
    if isinstance(got, str):
        raise Unreadable(
            "text", "It returns text; numbers were asked for, not their picture."
        )
    return as_array(got)


# What became of the fractions.
_WHOLE = {
    np.trunc: "the fractions were cut off. Make the array a float one",
    np.floor: "the right ones were rounded down",
    np.ceil: "the right ones were rounded up",
    np.round: "the right ones were rounded",
}


def _array_difference(expected, got, rtol, atol):
    if got.shape != expected.shape:
        return _shape_difference(expected, got, rtol, atol)
    got_float, expected_float = got.astype(float), expected.astype(float)
    stray = ~np.isfinite(got_float) & np.isfinite(expected_float)
    if stray.any():
        place = _first(stray)
        holds = f"it holds {got_float[place]} at `{_place(place)}`"
        return Difference(
            "not a number",
            f"{holds if place else f'it is {got_float[place]}'}, "
            f"where {_number(expected_float[place])} is expected.",
        )
    if expected.dtype.kind in "iu":
        rtol = 0  # a whole number is right or wrong, however large
    wrong = ~np.isclose(got_float, expected_float, rtol=rtol, atol=atol, equal_nan=True)
    if not wrong.any():
        return None
    place = _first(wrong)
    name, more = None, ""
    if got.dtype.kind in "iu" and expected.dtype.kind == "f":
        kind = f" It returns whole numbers (`{got.dtype}`)"
        ways = [f for f in _WHOLE if (f(expected_float) == got_float).all()]
        if len(ways) > 1 and np.round in ways:  # 654.8 is 655 rounded up, and rounded
            name, more = "whole numbers", f"{kind}: the fractions are lost."
        elif ways:
            name, more = "whole numbers", f"{kind}: {_WHOLE[ways[0]]}."
        elif (np.abs(got_float - expected_float) <= 1).all():
            name, more = "whole numbers", f"{kind}, near the right ones."
        elif (expected_float % 1 != 0).any():
            name, more = "no fractions", f"{kind}, and the right ones have fractions."
    elif got.ndim == 2 and got.shape[0] == got.shape[1]:
        name, more = _turned(expected_float, got_float, rtol, atol)
    if expected.dtype == got.dtype == bool:
        a, b = (f"`{bool(array[place])}`" for array in (expected, got))
    else:
        a, b = _numbers(expected_float[place], got_float[place])
    at = f"first difference at `{_place(place)}`: " if place else ""
    return Difference(name, f"{at}expected {a}, got {b}.{more}")


def _shape_difference(expected, got, rtol, atol):
    name = "shape"
    more = ""
    if expected.ndim == got.ndim == 2:
        if got.shape == expected.shape[::-1]:
            name, more = "transposed", " Rows and columns are exchanged."
        elif got.shape[1] == expected.shape[1]:
            short = expected.shape[0] - got.shape[0]
            rows = "row" if abs(short) == 1 else "rows"
            few = "missing" if short > 0 else "too many"
            more = f" {abs(short)} {rows} {few}."
    return Difference(
        name,
        f"the shape should be `{expected.shape}`, yours is `{got.shape}`.{more}",
    )


def _turned(expected, got, rtol, atol):
    if np.allclose(got.T, expected, rtol=rtol, atol=atol):
        return "transposed", " It is the right one transposed."
    return None, ""


def _refuse_endless(value, within=()):
    """NumPy reads whatever has items one by one, `np.r_` without end."""
    if isinstance(value, (list, tuple)):
        if any(value is outer for outer in within):
            raise Unreadable("holds itself", "It returns a list that holds itself.")
        for part in value:
            _refuse_endless(part, (*within, value))
    elif hasattr(value, "__getitem__") and not (
        hasattr(value, "__array__") or isinstance(value, (Sequence, Mapping))
    ):
        raise Unreadable(*_no_numbers(value))


def _no_numbers(value):
    kind = type(value).__name__
    return "not numbers", f"It returns a `{kind}`; an array of numbers was asked for."


def _stacked(value):
    """A list of tensors reads as one array; NumPy alone would stumble over it."""
    if any(type(v).__module__.split(".")[0] == "torch" for v in value):
        return [as_array(v) for v in value]
    if any(isinstance(v, (list, tuple)) for v in value):
        return [_stacked(v) if isinstance(v, (list, tuple)) else v for v in value]
    return value


def _first(mask):
    return tuple(int(n) for n in np.argwhere(mask)[0])


def _place(place):
    return f"[{', '.join(map(str, place))}]"


def _number(x):
    return f"`{x:.6g}`"


def _numbers(a, b):
    short = _number(a), _number(b)
    return short if short[0] != short[1] else (f"`{a:.12g}`", f"`{b:.12g}`")


def _short(value):
    text = str(value)
    return text if len(text) <= 80 else f"{text[:80]} …"


def _kind(value):
    try:
        return f"an array of shape `{as_array(value).shape}`"
    except Unreadable:
        return f"a `{type(value).__name__}`"
