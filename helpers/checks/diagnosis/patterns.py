"""Layer: a pattern in the numbers: rows in another order, other angles, wrong columns.

A pattern explains every number of the case that messages speak of, and of most others
that fail; where none does, it is told what is so in that one case.
"""

import itertools

import numpy as np

from helpers.checks.comparing import agrees
from helpers.checks.diagnosis.evidence import ONLY_SHAPE, Finding, numbers
from helpers.checks.diagnosis.wrong_region import wrong_region

ENOUGH = 6  # numbers that a case must hold: a smaller one fits many patterns
LINES = 600  # rows or columns at most that are sorted
MOST = 0.7  # of the other cases: some are too special to show a pattern


def describe_pattern(evidence):
    """The first pattern that fits, or None."""
    first = evidence.failing[0]
    # That fractions were cut off is said with the first difference.
    if first.outcome.raised or first.problem.mistake == "whole numbers":
        return None
    label, pairs, shown = _pairs(evidence)
    if not pairs or evidence.findings[0].mistake == ONLY_SHAPE:
        return None
    close = _Close(*evidence.task.tolerance)
    with np.errstate(all="ignore"):
        found = list(_patterns(*pairs[0], close))
        others = [list(_patterns(*pair, close)) for pair in pairs[1:] if found]
        # Few numbers fit many patterns, but where the wrong ones stand is so.
        few = pairs[0][1].size < ENOUGH
        certain = list(wrong_region(*pairs[0], close)) if few else found
    there = f"in {label}, " if label else ""
    if shown is not first:
        there = f"for {evidence.task.describe(shown.case)}, {there}"
    for name, sentence in found:
        if _share(name in dict(other) for other in others) >= MOST:
            share = _share((name, sentence) in other for other in others)
            where = _where_it_holds(share * (shown is first), evidence.passing)
            return _finding(f"{there}{where}{sentence}", name)
    for name, sentence in certain[:1]:
        return _finding(f"{there}in this case, {sentence}", name)
    return None


def _share(holds):
    """The share of True; all of none."""
    holds = list(holds)
    if not holds:
        return 1
    return sum(holds) / len(holds)


def _where_it_holds(share, passing):
    if share < MOST:
        return "in this case, "
    if share < 1:
        return "in most cases that fail, "
    if passing:
        return "in the cases that fail, "
    return ""


def _finding(text, name):
    return Finding(text[0].upper() + text[1:], name)


def _patterns(wanted, got, close):
    """(name, sentence) of every pattern that a case shows."""
    if wanted.shape != got.shape:
        yield from _another_shape(wanted, got, close)
        return
    for dtype in ("float16", "float32"):
        if np.array_equal(wanted.astype(dtype), got):
            yield "digits lost", f"the numbers are right, but rounded to {dtype}."
    if np.isfinite(got).all() and wanted.ndim:
        yield from _order(wanted, got, close)
        yield from _angles(wanted, got, close)
    yield from wrong_region(wanted, got, close)
    # Where all numbers are there, wherever they stand.
    several = len(np.unique(wanted.round(4))) > ENOUGH
    if several and close(np.sort(wanted, axis=None), np.sort(got, axis=None)):
        yield "another order", "the numbers are right, but in another order."


class _Close:
    """Whether arrays agree within the exercise's tolerance."""

    def __init__(self, rtol, atol):
        self.rtol = rtol
        self.atol = atol

    def __call__(self, one, other):
        return one.shape == other.shape and self.mask(one, other).all()

    def mask(self, wanted, got):
        """Where they agree."""
        return np.isclose(got, wanted, rtol=self.rtol, atol=self.atol, equal_nan=True)


# --- the numbers of the failing cases


def _pairs(evidence):
    """The label of an observation, (expected, got) as float arrays, the first's Trial."""
    label = shown = None
    pairs = []
    for trial in evidence.compared:
        wanted = _by_name(trial.expected.value)
        got = _by_name(trial.outcome.value)
        if isinstance(wanted, dict) and isinstance(got, dict):
            differing = _differing(evidence.task, wanted, got)
            if label is None and differing:
                label = differing[0]
            if label not in differing:
                continue
            wanted = wanted[label]
            got = got.get(label)
        expected = numbers(wanted)
        given = numbers(got)
        if expected is None or given is None:
            return None, [], None
        shown = shown or trial
        pairs.append((expected.astype(float), given.astype(float)))
    return label, _large_enough(pairs), shown


def _large_enough(pairs):
    """The pairs that can show a pattern: some numbers fit any."""
    sizes = [got.size for _, got in pairs]
    if sum(sizes) <= 2:
        return []
    least = min(ENOUGH, sizes[0])
    rest = zip(pairs[1:], sizes[1:], strict=True)
    return pairs[:1] + [pair for pair, size in rest if size >= least]


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


# --- sines and cosines


def _angles(wanted, got, close):
    """Sines and cosines beside each other, of other angles in all rows but one at most."""
    if wanted.ndim != 2 or wanted.shape[1] % 2:
        return
    right = wanted.reshape(len(wanted), -1, 2)
    given = got.reshape(len(got), -1, 2)
    for pairs in (right, given):
        if not np.allclose(np.linalg.norm(pairs, axis=2), 1, atol=1e-3):
            return
    off = ~close.mask(right, given).all(axis=2)  # (rows, pairs)
    wrong_pairs = np.flatnonzero(off.any(axis=0))
    wrong_rows = np.flatnonzero(off.any(axis=1))
    if not len(wrong_pairs) or len(wrong_rows) < len(off) - 1:
        return
    first = wrong_pairs[0]
    if first + len(wrong_pairs) == off.shape[1]:
        which = f" from pair {first} on" if first else ""
        text = "the pairs of columns lie on the unit circle, as they should, but at"
        yield "other angles", f"{text} wrong angles{which}."


# --- the order


def _another_shape(wanted, got, close):
    for one, other in itertools.combinations(range(wanted.ndim), 2):
        if close(np.swapaxes(wanted, one, other), got):
            both = "rows and columns"
            if got.ndim > 2:
                both = f"axes {one} and {other}"
            yield "transposed", f"{both} are exchanged."
    if close(wanted.ravel(), got.ravel()):
        yield ONLY_SHAPE, "the numbers are right and in the right order."


def _order(wanted, got, close):
    if wanted.ndim < 2:
        return
    if close(np.swapaxes(wanted, -1, -2), got):
        yield "transposed", "rows and columns are exchanged."
    for axis in (0, wanted.ndim - 1):
        lines = f"entries along axis {axis}"
        if wanted.ndim == 2:
            lines = ("rows", "columns")[axis]
        if not 2 <= wanted.shape[axis] <= LINES:
            continue
        if close(_sorted(wanted, axis), _sorted(got, axis)):
            name = f"{lines} in another order"
            yield name, f"the {lines} are right, but in another order."


def _sorted(array, axis):
    """The rows of an array, or its columns, in the order of their numbers."""
    lines = np.moveaxis(array, axis, 0)
    flat = lines.reshape(len(lines), -1)
    return flat[np.lexsort(flat.round(4).T)]
