"""Compare an answer with the reference, whatever form the answer has."""

from contextlib import suppress
from dataclasses import dataclass
from numbers import Real

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


def is_tensor(value):
    """Whether it is a tensor of torch, which need not be imported."""
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "detach")


def as_array(value):
    """A list, tuple, NumPy array, torch tensor or table of pandas, as an array.

    Raises Unreadable, with a sentence for the student, for anything that holds no
    real numbers.
    """
    no_numbers = Unreadable(
        "not numbers",
        f"It returns a `{type(value).__name__}`, but numbers are asked for.",
    )
    if is_tensor(value):
        if value.is_meta:
            raise no_numbers
        value = _array_of(value)
    indexed = hasattr(value, "__getitem__") and not hasattr(value, "__array__")
    if indexed and not isinstance(value, (list, tuple, str, dict)):
        raise no_numbers  # NumPy would read `np.r_` item by item, without end
    try:
        array = np.asarray(_without_tensors(value))
    except (ValueError, TypeError, RuntimeError):
        sentence = "The rows that it returns have different lengths."
        raise Unreadable("ragged", sentence) from None
    if array.dtype.kind in "US":
        raise Unreadable("text", "It returns text, but numbers are asked for.")
    if array.dtype.kind == "c":
        sentence = "It returns complex numbers, but real ones are asked for."
        raise Unreadable("complex", sentence)
    if array.dtype == object and array.size:  # whole numbers beyond 64 bits, fractions
        with suppress(OverflowError):
            if all(isinstance(v, Real) for v in array.flat):
                return array.astype(float)
    if array.dtype.kind not in "biuf":
        raise no_numbers
    return array


def _array_of(tensor):
    """A tensor as an array. NumPy knows no bfloat16, and no tensor that is sparse."""
    tensor = tensor.detach().cpu()
    tensor = tensor.double() if tensor.is_floating_point() else tensor
    return tensor.to_dense().resolve_conj().resolve_neg().numpy()


def _without_tensors(value):
    """A list of tensors as a list of arrays: NumPy alone would stumble over it."""
    if isinstance(value, (list, tuple)):
        return [_without_tensors(v) for v in value]
    return as_array(value) if is_tensor(value) else value


def other_kind(expected, got):
    """The type of the first part that is a list, say, where the reference has an array.

    None where there is none. For a tensor only a tensor will do, for a NumPy array
    whatever has a shape.
    """
    if isinstance(expected, (dict, tuple)):
        keys = expected if isinstance(expected, dict) else range(len(expected))
        kinds = [other_kind(expected[key], got[key]) for key in keys]
        return next(filter(None, kinds), None)
    if is_tensor(expected):
        will_do = is_tensor(got)
    else:
        will_do = not isinstance(expected, np.ndarray) or hasattr(got, "shape")
    return None if will_do else type(got).__name__


def first_difference(expected, got, rtol, atol):
    """None where ``got`` agrees with ``expected``, else the first Difference.

    ``expected`` may be a dict (observations by name), a tuple, a string, or
    anything that `as_array` reads.
    """
    if isinstance(expected, dict):
        return _observed_difference(expected, got, rtol, atol)
    if isinstance(expected, tuple):
        if getattr(got, "ndim", None) == 1:
            got = got.tolist()  # a pair in an array is a pair
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            count = f"{len(expected)} results are asked for"
            return Difference("results", f"{count}, but it returns {_kind(got)}.")
        for n, (wanted, given) in enumerate(zip(expected, got, strict=True), start=1):
            if found := first_difference(wanted, given, rtol, atol):
                return Difference(found.name, f"in result {n}, {found.sentence}")
        return None
    if isinstance(expected, str) or expected is None:
        if isinstance(got, type(expected)) and got == expected:
            return None
        return Difference(None, f"`{expected}` is right; yours is `{got!s:.80}`.")
    return _array_difference(as_array(expected), as_array(got), rtol, atol)


def _observed_difference(expected, got, rtol, atol):
    if not isinstance(got, dict):
        return Difference("results", f"it returns {_kind(got)}.")
    for label, wanted in sorted(expected.items(), key=lambda item: item[0] not in got):
        if label not in got:
            return Difference("missing", f"{label} is missing.")
        # What is observed in words or as a number is a name for the fault.
        if isinstance(wanted, (str, int, float, bool, type(None))):
            if not agrees(wanted, got[label], rtol, atol):
                return Difference(
                    label,
                    f"{label} should be `{wanted}`; yours is `{got[label]!s:.80}`.",
                )
        elif found := first_difference(wanted, got[label], rtol, atol):
            return Difference(found.name, f"in {label}, {found.sentence}")
    return None


def agrees(expected, got, rtol, atol):
    """Whether `first_difference` finds none; unreadable answers do not agree."""
    try:
        return first_difference(expected, got, rtol, atol) is None
    except Exception:  # whatever an object of the answer's does when it is compared
        return False


def _array_difference(expected, got, rtol, atol):
    if got.shape != expected.shape:
        return _shape_difference(expected, got)
    differs = _differs(expected, got, rtol, atol)
    if not differs.any():
        return None
    name = None
    more = ""
    which = "the first difference"
    stray = ~np.isfinite(got.astype(float)) & np.isfinite(expected.astype(float))
    place = _first_place(stray if stray.any() else differs)
    if stray.any():
        name = "not a number"
        which = "a difference"
        more = " A `nan` comes of 0/0, of 0 · ∞ or of ∞ − ∞."
        if np.isinf(got[place]):
            more = " Which step makes it infinite?"
    elif got.dtype.kind in "iu" and (expected != np.round(expected)).any():
        name = "whole numbers"
        more = " It returns whole numbers, but the right ones have fractions."
    a, b = _spelled(expected[place], got[place])
    if not place:
        return Difference(name, f"`{a}` is right; yours is `{b}`.{more}")
    at = f"{which} is at `[{', '.join(map(str, place))}]`"
    return Difference(name, f"{at}: `{a}` is right there, and yours is `{b}`.{more}")


def _differs(expected, got, rtol, atol):
    """Where two arrays differ. A whole number is right or wrong, however large."""
    if expected.dtype.kind in "iu":
        if got.dtype.kind in "iu":
            return got != expected
        rtol = 0
    return ~np.isclose(
        got.astype(float), expected.astype(float), rtol=rtol, atol=atol, equal_nan=True
    )


def _first_place(marked):
    return tuple(int(n) for n in np.argwhere(marked)[0])


def _shape_difference(expected, got):
    more = ""
    one = {1: "number", 2: "row"}.get(expected.ndim)
    if one and expected.ndim == got.ndim and got.shape[1:] == expected.shape[1:]:
        short = expected.shape[0] - got.shape[0]
        rows = f"{one} is" if abs(short) == 1 else f"{one}s are"
        more = f" {abs(short)} {rows} {'missing' if short > 0 else 'too many'}."
    sentence = f"its shape is `{got.shape}` and should be `{expected.shape}`.{more}"
    return Difference("shape", sentence)


def _spelled(a, b):
    """Two numbers with as many digits as tell them apart."""
    if a.dtype == bool or b.dtype == bool:
        return a, b
    short = ((f"{a:.{digits}g}", f"{b:.{digits}g}") for digits in (6, 12, 17))
    return next((pair for pair in short if len(set(pair)) > 1), (a, b))


def _kind(value):
    try:
        return f"an array of shape `{as_array(value).shape}`"
    except Unreadable:
        return f"a `{type(value).__name__}`"
