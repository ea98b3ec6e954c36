"""The checks of arguments that `helpers.encoding` and `helpers.module` share.

Each takes the value that came in and returns it in the type that is computed with.
Wrong types raise TypeError, wrong values ValueError, in one sentence that begins
with the argument's name.
"""

import math
from operator import index


def integer(name, value):
    """Any integer, also one of NumPy or torch, as an int."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer; got {value!r}")
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer; got {value!r}") from None


def count(name, value):
    """An integer from 1 up."""
    value = integer(name, value)
    if value < 1:
        raise ValueError(f"{name} must be at least 1; got {value}")
    return value


def even(name, value):
    """An even integer from 2 up."""
    value = count(name, value)
    if value % 2:
        raise ValueError(
            f"{name} must be even: columns come in (sine, cosine) pairs; got {value}"
        )
    return value


def number(name, value):
    """Whatever reads as one real number, text and truth values excepted, as a float."""
    if isinstance(value, (bool, str, bytes)) or getattr(value, "ndim", 0):
        raise TypeError(f"{name} must be a number; got {value!r}")
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number; got {value!r}") from None


def positive(name, value):
    """A finite number above 0."""
    value = number(name, value)
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be positive and finite; got {value!r}")
    return value


def probability(name, value):
    """A number from 0 to 1."""
    value = number(name, value)
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must lie between 0 and 1; got {value!r}")
    return value
