"""Layer: a pattern in the numbers: half of each, rows in another order, one row missing.

A pattern counts only if it holds in every failing case that gave numbers, and it must
explain every number there.
"""

import itertools
import re

import numpy as np

from helpers.exercises.comparing import Unreadable, agrees, as_array
from helpers.exercises.diagnosis import places
from helpers.exercises.feedback import wrong


def seen(findings):
    """The Feedback on the first pattern that fits, or None."""
    label, pairs = pairs_of(findings)
    # That fractions were cut off is said with the first difference.
    if not pairs or findings.failing[0].problem.mistake == "whole numbers":
        return None
    close = _Close(*findings.task.tolerance)
    with np.errstate(all="ignore"):
        for find in (_shapes, _elementwise, _order, places.where, _rounded):
            said = _everywhere(find, pairs, close)
            if said:
                sentence, name = said
                if _are_truths(findings, label):
                    sentence = _in_true_and_false(sentence)
                start = f"{label[0].upper()}{label[1:]}: " if label else ""
                body = sentence if start else sentence[0].upper() + sentence[1:]
                return wrong(f"{start}{body}", name)
    return None


def _are_truths(findings, label):
    """Whether True and False are asked for, and not numbers."""
    wanted = findings.values[0][0]
    return as_array(wanted[label] if label else wanted).dtype == bool


def _in_true_and_false(sentence):
    sentence = re.sub(r"\b(is|are|always) 0\b", r"\1 False", sentence)
    sentence = re.sub(r"\b(is|are|always) 1\b", r"\1 True", sentence)
    return sentence.replace("number", "entry").replace("entrys", "entries")


class _Close:
    """Whether arrays agree within the exercise's tolerance."""

    def __init__(self, rtol, atol):
        self.rtol, self.atol = rtol, atol

    def __call__(self, one, other):
        return one.shape == other.shape and self.mask(one, other).all()

    def mask(self, wanted, got):
        """Where they agree."""
        return np.isclose(got, wanted, rtol=self.rtol, atol=self.atol, equal_nan=True)


def pairs_of(findings):
    """The label of an observation, and (expected, got) as float arrays."""
    label, pairs = None, []
    for wanted, got in findings.values:
        if isinstance(wanted, dict) and isinstance(got, dict):
            differing = [
                k
                for k in wanted
                if k not in got
                or not agrees(wanted[k], got[k], *findings.task.tolerance)
            ]
            if not differing or (label and differing[0] != label):
                return None, []
            label = differing[0]
            wanted, got = wanted[label], got.get(label)
        if isinstance(wanted, (str, tuple, type(None))) or isinstance(got, str):
            return None, []
        try:
            pair = as_array(wanted), as_array(got)
        except Unreadable:
            return None, []
        if pair[0].dtype == bool and pair[1].dtype != bool:
            return None, []
        pairs.append(tuple(a.astype(float) for a in pair))
    return label, pairs


def _everywhere(find, pairs, close):
    """What ``find`` says, if it says the same of every pair."""
    said = None
    for wanted, got in pairs:
        found = find(wanted, got, close)
        if not found:
            return None
        first = isinstance(found, list)
        found = found if first else [found]
        said = found if said is None else [s for s in said if s in found]
        if not said:
            return None
    return said[0] if said else None


# --- one relation for every number

_FACTORS = {
    -1: "the negative of",
    2: "twice",
    0.5: "half of",
    4: "four times",
    0.25: "a quarter of",
    2 * np.pi: "2π times",
    1 / (2 * np.pi): "1/2π of",
    np.pi: "π times",
    1 / np.pi: "1/π of",
    np.pi / 2: "π/2 times",
    180 / np.pi: "180/π times (radians into degrees)",
    np.pi / 180: "π/180 of (degrees into radians)",
    np.sqrt(2): "√2 times",
    1 / np.sqrt(2): "1/√2 of",
    10: "10 times",
    0.1: "a tenth of",
    100: "100 times",
    0.01: "a hundredth of",
}
_FUNCTIONS = (
    ("the square of the right one", "squared", np.square),
    ("the square root of the right one", "the root of it", np.sqrt),
    ("the absolute value of the right one", "without its sign", np.abs),
    ("one divided by the right one", "reciprocal", lambda e: 1 / e),
    ("1 minus the right one", "1 minus it", lambda e: 1 - e),
    ("the exponential of the right one", "exp of it", np.exp),
    ("the logarithm of the right one", "log of it", np.log),
    ("the base-ten logarithm of the right one", "log of it", np.log10),
    ("the sine of the right one", "sine of it", np.sin),
    ("the cosine of the right one", "cosine of it", np.cos),
    (
        "the right one, negative ones set to 0",
        "no negatives",
        lambda e: np.maximum(e, 0),
    ),
)


def _elementwise(wanted, got, close):
    if wanted.shape != got.shape or not wanted.size or not np.isfinite(got).all():
        return None
    many = wanted.size > 1
    each = "every number is" if many else "it is"
    found = []
    for says, name, function in _FUNCTIONS:
        made = function(wanted)
        if np.isfinite(made).all() and close(made, got) and np.ptp(made) > 0:
            found.append((f"{each} {says}.", name))
    big = np.abs(wanted) > 1e-9
    if big.any():
        factors = got[big] / wanted[big]
        factor = np.median(factors)
        if factor and close(wanted * factor, got):
            for known, says in _FACTORS.items():
                if np.isclose(factor, known, rtol=1e-4):
                    found.append((f"{each} {says} the right one.", f"{says} it"))
            if len(np.unique(np.abs(wanted[big]).round(9))) > 2:
                sentence = f"every number is {factor:.6g} times the right one."
                found.append((sentence, "a common factor"))
                found.append(
                    (
                        "all numbers are too large or too small by one factor, "
                        "another one in each case.",
                        "a common factor",
                    )
                )
    shift = np.median(got - wanted)
    # The tolerance may be wider than the shift itself.
    steady = np.ptp(got - wanted) < 0.02 * abs(shift)
    if many and steady and close(wanted + shift, got):
        by = "large" if shift > 0 else "small"
        found.append(
            (f"every number is too {by} by {abs(shift):.6g}.", "a common shift")
        )
    if not many and abs(shift) in (1, 2):
        by = "large" if shift > 0 else "small"
        found.append((f"it is too {by} by {abs(shift):g}.", f"{abs(shift):g} too {by}"))
    return found


def _rounded(wanted, got, close):
    """Right but for digits that are lost."""
    if wanted.shape != got.shape or not np.isfinite(got).all():
        return None
    found = []
    for digits in range(5):
        if np.array_equal(np.round(got, digits), np.round(wanted, digits)) and (
            np.allclose(got, np.round(got, digits), atol=1e-7, rtol=0)
        ):
            what = f"{digits} decimals" if digits else "whole numbers"
            name = "rounded" if digits else "whole numbers"
            found.append((f"the numbers are right, but rounded to {what}.", name))
            break
    if np.array_equal(got, np.trunc(wanted)) and not np.array_equal(got, wanted):
        found.append(("the fractions are cut off.", "whole numbers"))
    error = np.abs(got - wanted).max(initial=0)
    scale = np.abs(wanted).max(initial=0)
    counted = np.array_equal(wanted, np.round(wanted))  # a count has all its digits
    if not found and not counted and scale and error / scale < 2**-8:
        says = f"the numbers are nearly right: off by up to {error:.2g}. Is something "
        found.append((says + "computed with too few digits?", "too few digits"))
    return found


# --- the shape


def _shapes(wanted, got, close):
    if wanted.shape == got.shape:
        return None
    return [*_same_numbers(wanted, got, close), *_parts(wanted, got, close)]


def _same_numbers(wanted, got, close):
    """As many numbers, in another shape."""
    if got.size != wanted.size:
        return
    if got.ndim == wanted.ndim == 2 and close(wanted.T, got):
        yield "rows and columns are exchanged.", "transposed"
    if got.ndim == wanted.ndim > 2:
        for one, other in itertools.combinations(range(got.ndim), 2):
            if close(np.swapaxes(wanted, one, other), got):
                yield f"the axes {one} and {other} are exchanged.", "axes exchanged"
    if close(wanted.ravel(), got.ravel()):
        if _long_axes(got) == _long_axes(wanted):
            name = "an axis of length 1"
            yield f"the numbers are right, with {name} too many or too few.", name
        elif got.ndim == 1:
            yield "the numbers are right, but lie in one row.", "flat"
        else:
            says = "the numbers are right and in the right order, in another shape."
            yield says, "another shape"
    if np.allclose(np.sort(wanted, None), np.sort(got, None), atol=2e-5):
        says = "the right numbers, in another shape and another order."
        yield says, "another shape and order"


def _long_axes(array):
    return [n for n in array.shape if n != 1]


def _parts(wanted, got, close):
    """More or fewer numbers, some of them in their place."""
    if got.ndim == wanted.ndim:
        axes = [n for n in range(got.ndim) if got.shape[n] != wanted.shape[n]]
        if len(axes) == 1:
            kinds = _AXES.get(wanted.ndim, (f"entry along axis {axes[0]}",) * 9)
            along = [np.moveaxis(array, axes[0], 0) for array in (wanted, got)]
            longer = len(along[1]) > len(along[0])
            yield from (_longer if longer else _shorter)(*along, kinds[axes[0]], close)
    if got.ndim == 1 and wanted.ndim == 2:
        rows = [n for n, row in enumerate(wanted) if close(row, got)]
        if rows:
            yield f"only row {rows[0]} came back.", "one row"
        if got.size and wanted.shape[0] == wanted.shape[1]:
            for k in (0, 1, -1):
                if close(np.diagonal(wanted, k), got):
                    which = "the diagonal" + " beside the main one" * (k != 0)
                    yield f"only {which} of the matrix came back.", "the diagonal"
    if got.ndim == wanted.ndim + 1:
        for axis in range(got.ndim):
            if close(wanted, got.sum(axis)):
                yield f"summed over its axis {axis}, it is right.", "not summed"


_AXES = {1: ("number",), 2: ("row", "column")}


def _shorter(wanted, got, kind, close):
    """The first or the last ones missing, or every second one."""
    n = len(wanted) - len(got)
    name = f"{kind} missing"
    if not len(got):
        return
    for part, which in ((wanted[:-n], "last"), (wanted[n:], "first")):
        if close(part, got):
            ones = f"{n} {kind}s are" if n > 1 else f"{kind} is"
            yield f"the {which} {ones} missing; all others are right.", name
            yield f"{kind}s are missing at one end; all others are right.", name
    for first, which in enumerate(("even", "odd")):
        if close(wanted[first::2], got):
            says = f"only every second {kind} is there, the {which} ones."
            yield says, f"every second {kind}"


def _longer(wanted, got, kind, close):
    """Some too many behind, before or between the right ones."""
    w, n, name = len(wanted), len(got) - len(wanted), f"{kind} too many"
    if close(wanted, got[:w]):
        stand = f"stands {n}" if n == 1 else f"stand {n}"
        yield f"the first {w} {kind}s are right; behind them {stand} too many.", name
        yield f"the first {kind}s are right; there are too many behind them.", name
    if close(wanted, got[n:]):
        yield f"the last {kind}s are right; there are too many before them.", name
    if n == w and (close(wanted, got[::2]) or close(wanted, got[1::2])):
        yield f"every second {kind} is right; the others are too many.", name


# --- the order


def _order(wanted, got, close):
    if wanted.shape != got.shape or not np.isfinite(got).all() or not wanted.ndim:
        return None
    found = []
    if wanted.ndim >= 2 and close(np.swapaxes(wanted, -1, -2), got):
        says = "it is the right one with its rows and columns exchanged."
        found.append((says, "transposed"))
    if wanted.ndim == 2 and close(wanted.T.reshape(wanted.shape), got):
        found.append(
            (
                "the numbers are right, but laid out along the other axis: `reshape` "
                "and `view` keep the order in which numbers lie, `.T` exchanges the axes.",
                "reshaped, not transposed",
            )
        )
    for axis in {0, wanted.ndim - 1}:
        kind = _AXES.get(wanted.ndim, (f"entry along axis {axis}",) * 9)[axis]
        along = [np.moveaxis(array, axis, 0) for array in (wanted, got)]
        if 2 <= len(along[0]) <= 600:
            moved = [
                *_in_a_known_order(*along, kind, close),
                *_rolled(*along, kind, close),
            ]
            found += moved
            found += _in_another_order(*along, kind, close)
    return found


def _in_a_known_order(wanted, got, kind, close):
    n, half, name = len(wanted), len(wanted) // 2, f"{kind}s in another order"
    places = np.arange(n)
    known = [(places[::-1], f"the {kind}s stand in reverse order.")]
    if n == 2:
        known = [(places ^ 1, f"the two {kind}s are exchanged.")]
    elif n % 2 == 0:
        known += [
            (places ^ 1, f"in every pair of {kind}s the two are exchanged."),
            (
                np.r_[0:n:2, 1:n:2],
                f"the {kind}s of the pairs are torn apart: first all even ones, then "
                "all odd ones.",
            ),
            (np.r_[half:n, 0:half], f"the two halves of the {kind}s are exchanged."),
            (
                np.c_[0:half, half:n].ravel(),
                f"the {kind}s of the two halves alternate.",
            ),
        ]
    for order, says in known:
        if close(wanted[order], got):
            yield says, name


def _rolled(wanted, got, kind, close):
    for by, way in ((1, "on"), (-1, "back")):
        if close(np.roll(wanted, by, 0), got):
            yield (
                f"all {kind}s have moved {way} by one, round the end.",
                f"{kind}s rolled",
            )
        if len(wanted) > 2:
            part = (wanted[:-1], got[1:]) if by > 0 else (wanted[1:], got[:-1])
            if close(*part) and not close(wanted, got):
                here, there = (0, 1) if by > 0 else (1, 0)
                yield (
                    f"what belongs in {kind} {here} stands in {kind} {there}, and so on.",
                    f"{kind}s shifted by one",
                )


def _in_another_order(wanted, got, kind, close):
    n, name = len(wanted), f"{kind}s in another order"
    wanted, got = wanted.reshape(n, -1), got.reshape(n, -1)
    if n > 64 or wanted.shape[1] > 1000:
        return
    alike = close.mask(wanted[None], got[:, None]).all(axis=2)
    where = [np.flatnonzero(row).tolist() for row in alike]
    moved = next((i for i in range(n) if i not in where[i]), None)
    if not all(where) or moved is None:
        return
    here, there = f"{kind} {moved}", f"{kind} {where[moved][0]}"
    belongs = f"in {here} stands what belongs in {there}"
    # Those that look alike tell nothing: each must be one and no other.
    one = all(len(places) == 1 for places in where)
    known = wanted.shape[1] > 1 or (kind != "number" and one)
    if known and close(np.sort(wanted, 0), np.sort(got, 0)):
        yield f"the {kind}s are right, in another order: {belongs}.", name
        yield f"the {kind}s are right, in another order.", name
    if kind != "number" and one and len(set(map(tuple, where))) > 2:
        says = f"each {kind} is one of the right ones, but not each is in its place"
        yield f"{says}: {belongs}.", f"{kind}s in wrong places"
        yield f"{says}.", f"{kind}s in wrong places"
