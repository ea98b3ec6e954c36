"""Layer: a pattern in the numbers: a factor, rows in another order, wrong columns.

A pattern explains every number of the case that messages speak of, and of most others
that fail; where none does, it is told what is so in that one case.
"""

import numpy as np

from helpers.checks.comparing import agrees
from helpers.checks.diagnosis.evidence import Finding, numbers
from helpers.checks.diagnosis.wrong_region import wrong_region

CASES = 4  # cases of one number each that bear a relation
ENOUGH = 6  # numbers that a case must hold: a smaller one fits many patterns
MOST = 0.7  # of the other cases: some are too special to show a pattern


def describe_pattern(evidence):
    """The first pattern that fits, or None."""
    first = evidence.failing[0]
    # That fractions were cut off is said with the first difference.
    if first.outcome.raised or first.problem.mistake == "whole numbers":
        return None
    label, pairs = _pairs(evidence.task, evidence.values)
    if not pairs:
        return None
    close = _Close(*evidence.task.tolerance)
    with np.errstate(all="ignore"):
        for find in (*_RELATIONS, wrong_region, _anywhere):
            told = _of_most(find, pairs, close)
            if told:
                sentence, name, share = told
                where = ""
                if share < 1:
                    most = "in most cases where it is wrong, "
                    where = most if share >= MOST else "in this case, "
                elif evidence.passing and find is not wrong_region:
                    where = "where it is wrong, "
                return _finding(label, f"{where}{sentence}", name)
        relations = _RELATIONS if pairs[0][1].size >= ENOUGH else ()
        for find in (*relations, wrong_region):
            for sentence, name in find(*pairs[0], close):
                return _finding(label, f"in this case, {sentence}", name)
    return None


def _finding(label, text, name):
    start = f"In {label}, " if label else ""
    return Finding(start + text if start else text[0].upper() + text[1:], name)


class _Close:
    """Whether arrays agree within the exercise's tolerance."""

    def __init__(self, rtol, atol):
        self.rtol, self.atol = rtol, atol

    def __call__(self, one, other):
        return one.shape == other.shape and self.mask(one, other).all()

    def mask(self, wanted, got):
        """Where they agree."""
        return np.isclose(got, wanted, rtol=self.rtol, atol=self.atol, equal_nan=True)


def _pairs(task, values):
    """The label of an observation, and (expected, got) as float arrays.

    One number alone fits many patterns: it takes others beside it.
    """
    label, pairs = None, []
    for wanted, got in values:
        wanted, got = map(_by_name, (wanted, got))
        if isinstance(wanted, dict) and isinstance(got, dict):
            differing = _differing(task, wanted, got)
            label = label or (differing[0] if differing else None)
            if label not in differing:
                continue
            wanted, got = wanted[label], got.get(label)
        pair = numbers(wanted), numbers(got)
        if isinstance(wanted, (str, tuple)) or any(a is None for a in pair):
            return None, []
        pairs.append(tuple(a.astype(float) for a in pair))
    if len(pairs) >= CASES and not any(a.ndim for pair in pairs for a in pair):
        pairs = [tuple(map(np.array, zip(*pairs, strict=True)))]  # one number a case
    if not pairs:
        return None, []
    least = min(ENOUGH, pairs[0][1].size)
    pairs = pairs[:1] + [pair for pair in pairs[1:] if pair[1].size >= least]
    return label, pairs if sum(got.size for _, got in pairs) > 2 else []


def _differing(task, wanted, got):
    """The labels of the arrays that differ."""
    return [
        label
        for label, value in wanted.items()
        if hasattr(value, "dtype")
        and not agrees(value, got.get(label), *task.tolerance)
    ]


def _by_name(value):
    """Several results, each under a name."""
    if not isinstance(value, tuple):
        return value
    return {f"result {n}": result for n, result in enumerate(value, start=1)}


def _of_most(find, pairs, close):
    """What ``find`` yields of the first pair and, but for numbers, of most others.

    With it, in what share of these it holds with the same numbers.
    """
    told = list(find(*pairs[0], close))
    found = [told, *(list(find(*pair, close)) for pair in pairs[1:] if told)]
    for sentence, name in told:
        named = [any(name == other for _, other in pair) for pair in found]
        if np.mean(named[1:] or 1) >= MOST:
            return sentence, name, np.mean([(sentence, name) in pair for pair in found])
    return None


# --- one relation for every number


def _factor(wanted, got, close):
    if wanted.shape != got.shape or not np.isfinite(got).all():
        return
    big = np.abs(wanted) > 1e-9
    factor = np.median(got[big] / wanted[big]) if big.any() else 0
    several = len(np.unique(np.abs(wanted[big]).round(9))) > 2
    if factor and several and close(wanted * factor, got):
        yield f"every number is {factor:.6g} times the right one.", "a common factor"


def _digits(wanted, got, close):
    """Right but for digits that are lost."""
    if wanted.shape != got.shape or not np.isfinite(got).all() or close(wanted, got):
        return
    counted = np.array_equal(wanted, np.round(wanted))  # a count has all its digits
    off, size = np.abs(got - wanted), np.abs(wanted)
    error = off.max(initial=0) / size.max(initial=1e-300)
    error = max(error, np.median(off / np.maximum(size, 1e-300)))
    if not counted and error < (1e-3 if _is_short(got) else 1e-4):
        text = "Is something computed with too few digits?"
        yield f"the numbers are nearly right. {text}", "too few digits"


def _is_short(array):
    """Whether all numbers are of 16 bits."""
    bits = array.astype(np.float32).view(np.uint32)
    return np.array_equal(array, array.astype(np.float16)) or not (bits & 0xFFFF).any()


# --- the order


def _order(wanted, got, close):
    if wanted.ndim == got.ndim == 2 and close(wanted.T, got):
        yield "rows and columns are exchanged.", "transposed"
    if wanted.shape != got.shape or not np.isfinite(got).all() or not wanted.ndim:
        return
    if wanted.ndim > 2 and close(np.swapaxes(wanted, -1, -2), got):
        yield "rows and columns are exchanged.", "transposed"
    for axis in sorted({0, wanted.ndim - 1}):
        along = [np.moveaxis(array, axis, 0) for array in (wanted, got)]
        if 2 <= len(along[0]) <= 600:
            names = {1: ["numbers"], 2: ["rows", "columns"]}.get(wanted.ndim)
            lines = names[axis] if names else f"entries along axis {axis}"
            yield from _in_another_order(*along, lines, close)


def _in_another_order(wanted, got, lines, close):
    n, half = len(wanted), len(wanted) // 2
    order = np.arange(n)
    known = {f"the {lines} stand in reverse order.": order[::-1]}
    if n > 2 and n % 2 == 0:
        alternating = np.c_[0:half, half:n].ravel()
        known |= {
            f"in every pair of {lines}, the two are swapped.": order ^ 1,
            f"all even {lines} come before all odd ones.": np.argsort(alternating),
            f"the two halves of the {lines} are swapped.": np.roll(order, half),
            f"the {lines} of the two halves alternate.": alternating,
        }
    for text, places in known.items():
        if close(wanted[places], got):
            yield text, text.strip(".")
    rows = [array.reshape(n, -1).round(4) for array in (wanted, got)]
    if rows[0].shape[1] > 1 and close(*(row[np.lexsort(row.T)] for row in rows)):
        name = f"{lines} in another order"
        yield f"the {lines} are right, but in another order.", name


def _anywhere(wanted, got, close):
    """All numbers are there, wherever they stand."""
    several = wanted.shape == got.shape and len(np.unique(wanted.round(4))) > ENOUGH
    if several and close(np.sort(wanted, axis=None), np.sort(got, axis=None)):
        yield "the numbers are right, but in another order.", "another order"


def _angles(wanted, got, close):
    """Sines and cosines beside each other, of other angles in all rows but one at most."""
    if wanted.shape != got.shape or wanted.ndim != 2 or wanted.shape[1] % 2:
        return
    pairs = [array.reshape(len(array), -1, 2) for array in (wanted, got)]
    for array in pairs:
        if not np.allclose(np.linalg.norm(array, axis=2), 1, atol=1e-3):
            return
    off = ~close.mask(*pairs).all(axis=2)  # (rows, pairs)
    if off.any(axis=1).sum() < max(1, len(off) - 1):
        return
    there = np.flatnonzero(off.any(axis=0))
    if there[0] + len(there) == off.shape[1]:
        which = f" from pair {there[0]} on" if there[0] else ""
        text = "the pairs of columns lie on the unit circle, as they should, but at"
        yield f"{text} wrong angles{which}.", "other angles"


_RELATIONS = (_digits, _factor, _order, _angles)
