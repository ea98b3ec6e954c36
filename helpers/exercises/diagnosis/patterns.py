"""Layer: a pattern in the numbers: half of each, rows in another order, one row missing.

A pattern counts only if it holds in every failing case that gave numbers, and it must
explain every number there.
"""

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
                start = f"{label[0].upper()}{label[1:]}: " if label else ""
                body = sentence if start else sentence[0].upper() + sentence[1:]
                return wrong(f"{start}{body}", name)
    return None


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
            if many and big.sum() > 1:
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
    if many and close(wanted + shift, got):
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
    if not found and scale and error / scale < 2**-8:
        found.append(
            (
                f"the numbers are nearly right: off by up to {error:.2g}. Is something "
                "computed with too few digits?",
                "too few digits",
            )
        )
    return found


# --- the shape


def _shapes(wanted, got, close):
    if wanted.shape == got.shape:
        return None
    found = []
    say = found.append
    yours = f"yours has the shape `{got.shape}`, `{wanted.shape}` was asked for"
    if got.size == wanted.size:
        if got.ndim == wanted.ndim == 2 and close(wanted.T, got):
            say(("rows and columns are exchanged.", "transposed"))
        squeezed = [n for n in got.shape if n != 1] == [
            n for n in wanted.shape if n != 1
        ]
        if close(wanted.ravel(), got.ravel()):
            if squeezed:
                say(
                    (
                        "the numbers are right, with an axis of length 1 too many or too "
                        "few.",
                        "an axis of length 1",
                    )
                )
            elif got.ndim == 1:
                say(("the numbers are right, but lie in one row.", "flat"))
            else:
                say(
                    (
                        "the numbers are right and in the right order, in another shape.",
                        "another shape",
                    )
                )
        elif np.allclose(np.sort(wanted, None), np.sort(got, None), atol=1e-6):
            say(
                (
                    "the right numbers, in another shape and another order.",
                    "another shape and order",
                )
            )
    if got.ndim == wanted.ndim:
        axes = [n for n in range(got.ndim) if got.shape[n] != wanted.shape[n]]
        if len(axes) == 1:
            found += _longer_or_shorter(wanted, got, axes[0], close)
    if got.ndim < wanted.ndim and wanted.ndim == 2 and got.ndim == 1:
        rows = [n for n, row in enumerate(wanted) if close(row, got)]
        if rows:
            say((f"only row {rows[0]} came back.", "one row"))
        if got.size and wanted.shape[0] == wanted.shape[1]:
            for k in (0, 1, -1):
                if close(np.diagonal(wanted, k), got):
                    what = (
                        "the diagonal" if k == 0 else "the diagonal beside the main one"
                    )
                    say((f"only {what} of the matrix came back.", "the diagonal"))
    if got.ndim == wanted.ndim + 1:
        for axis in range(got.ndim):
            if close(wanted, got.sum(axis)):
                say((f"summed over its axis {axis}, it is right.", "not summed"))
    if got.ndim == wanted.ndim == 2 and not found:
        say((f"{yours}.", None))
    return [f for f in found if f[1]]


_AXES = {1: ("number",), 2: ("row", "column")}


def _longer_or_shorter(wanted, got, axis, close):
    """One row too few, and which; or some too many."""
    kind = _AXES.get(wanted.ndim, (f"entry along axis {axis}",) * wanted.ndim)[axis]
    wanted, got = np.moveaxis(wanted, axis, 0), np.moveaxis(got, axis, 0)
    w, g = len(wanted), len(got)
    n = abs(w - g)
    kinds = kind if n == 1 else f"{kind}s"
    found = []
    if g < w and g:
        if close(wanted[:g], got):
            found.append(
                (
                    f"the last {n if n > 1 else ''} {kinds} {'is' if n == 1 else 'are'}"
                    " missing; all others are right.",
                    f"{kind} missing",
                )
            )
        if close(wanted[n:], got):
            found.append(
                (
                    f"the first {n if n > 1 else ''} {kinds} {'is' if n == 1 else 'are'}"
                    " missing; all others are right.",
                    f"{kind} missing",
                )
            )
        if g and close(wanted[::2], got):
            found.append(
                (
                    f"only every second {kind} is there, the even ones.",
                    f"every second {kind}",
                )
            )
        if g and close(wanted[1::2], got):
            found.append(
                (
                    f"only every second {kind} is there, the odd ones.",
                    f"every second {kind}",
                )
            )
        found.append(
            (f"the last {kinds} are missing; all others are right.", f"{kind} missing")
            if close(wanted[:g], got)
            else (None, None)
        )
    if g > w:
        if close(wanted, got[:w]):
            found.append(
                (
                    f"the first {w} {kind}s are right; behind them "
                    f"{'stands' if n == 1 else 'stand'} {n} too many.",
                    f"{kind} too many",
                )
            )
            found.append(
                (
                    f"the first {kind}s are right; there are too many behind them.",
                    f"{kind} too many",
                )
            )
        if close(wanted, got[n:]):
            found.append(
                (
                    f"the last {kind}s are right; there are too many before them.",
                    f"{kind} too many",
                )
            )
        if g == 2 * w and (close(wanted, got[::2]) or close(wanted, got[1::2])):
            found.append(
                (
                    f"every second {kind} is right; the others are too many.",
                    f"{kind} too many",
                )
            )
    return [(" ".join(s.split()), name) for s, name in found if s]


# --- the order


def _order(wanted, got, close):
    if wanted.shape != got.shape or not np.isfinite(got).all() or not wanted.ndim:
        return None
    found = []
    if wanted.ndim >= 2 and close(np.swapaxes(wanted, -1, -2), got):
        found.append(
            (
                "it is the right one with its rows and columns exchanged.",
                "transposed",
            )
        )
    for axis in {0, wanted.ndim - 1}:
        kind = _AXES.get(wanted.ndim, (f"entry along axis {axis}",) * 9)[axis]
        found += _reordered(
            np.moveaxis(wanted, axis, 0), np.moveaxis(got, axis, 0), kind, close
        )
    return found


def _reordered(wanted, got, kind, close):
    n = len(wanted)
    if n < 2 or n > 600:
        return []
    found = []
    columns = np.arange(n)
    half = n // 2
    known = [
        (columns[::-1], f"the {kind}s stand in reverse order."),
    ]
    if n % 2 == 0 and n > 2:
        known += [
            (columns ^ 1, f"in every pair of {kind}s the two are exchanged."),
            (
                np.r_[0:n:2, 1:n:2],
                f"the {kind}s of the pairs are torn apart: first all "
                "even ones, then all odd ones.",
            ),
            (np.r_[half:n, 0:half], f"the two halves of the {kind}s are exchanged."),
            (
                np.c_[0:half, half:n].ravel(),
                f"the {kind}s of the two halves alternate.",
            ),
        ]
    elif n == 2:
        known = [(columns ^ 1, f"the two {kind}s are exchanged.")]
    for order, says in known:
        if close(wanted[order], got):
            found.append((says, f"{kind}s in another order"))
    for by in (1, -1):
        if close(np.roll(wanted, by, 0), got):
            way = "on" if by > 0 else "back"
            found.append(
                (
                    f"all {kind}s have moved {way} by one, round the end.",
                    f"{kind}s rolled",
                )
            )
        if n > 2:
            part = (wanted[:-1], got[1:]) if by > 0 else (wanted[1:], got[:-1])
            if close(*part) and not close(wanted, got):
                here, there = (0, 1) if by > 0 else (1, 0)
                says = (
                    f"what belongs in {kind} {here} stands in {kind} {there}, "
                    "and so on."
                )
                found.append((says, f"{kind}s shifted by one"))
    if not found and n <= 64:
        flat_w, flat_g = wanted.reshape(n, -1), got.reshape(n, -1)
        if flat_w.shape[1] > 1 and close(np.sort(flat_w, 0), np.sort(flat_g, 0)):
            where = [[i for i in range(n) if close(flat_w[i], row)] for row in flat_g]
            if all(where):
                moved = next(i for i in range(n) if i not in where[i])
                found.append(
                    (
                        f"the {kind}s are right, in another order: in {kind} {moved} "
                        f"stands what belongs in {kind} {where[moved][0]}.",
                        f"{kind}s in another order",
                    )
                )
                found.append(
                    (
                        f"the {kind}s are right, in another order.",
                        f"{kind}s in another order",
                    )
                )
    return found
