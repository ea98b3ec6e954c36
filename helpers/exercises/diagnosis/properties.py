"""Layer: what every right answer is, and this one is not: rows that sum to 1, symmetry,
computed at all.

Said beside the first difference, where no pattern explains every number.
"""

import numpy as np

from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.diagnosis import patterns


def of(findings):
    """(sentence, name) of what is missing in every failing case, or None."""
    return _as_given(findings) or _observed(findings) or _lacking(findings)


def _observed(findings):
    """What else is seen of an object in every wrong case: a word or a whole number."""
    pairs = [(t.expected.value, t.outcome.value) for t in findings.failing]
    if not all(isinstance(v, dict) for pair in pairs for v in pair):
        return None
    told = findings.failing[0].problem.message
    for label, first in pairs[0][0].items():
        if not isinstance(first, (str, int)) or label in told:
            continue
        said = {(wanted.get(label), got.get(label)) for wanted, got in pairs}
        if len(said) == 1 and len(set(*said)) == 2:
            ((wanted, got),) = said
            name = f"{label[0].upper()}{label[1:]}"
            return f"{name}: expected `{wanted}`, got `{got}`.", label
    return None


def _lacking(findings):
    """A property that the right numbers have, and these have not."""
    label, pairs = patterns.pairs_of(findings)
    if any(wanted.shape != got.shape for wanted, got in pairs):
        return None
    pairs = [(wanted, got) for wanted, got in pairs if wanted.size > 2]
    if not pairs:
        return None
    what = f"In {label}, each" if label else "Each"
    for sentence, name, holds in _PROPERTIES:
        with np.errstate(all="ignore"):
            if all(
                holds(wanted) and np.isfinite(got).all() and not holds(got)
                for wanted, got in pairs
            ):
                return sentence.format(what), name
    return None


def _as_given(findings):
    """Where the numbers of an argument came back, only moved."""
    trials = [t for t in findings.failing if t.outcome.raised is None]
    if not findings.task.is_plain or len(trials) < len(findings.failing):
        return None
    for n, name in enumerate(findings.task.names_of(trials[0].case)):
        if all(_only_moved(t.case[n], t) for t in trials):
            sentence = (
                f"Every number of it is one of `{name}`, only in another place: "
                "something has to be computed of them."
            )
            return sentence, "only moved"
    return None


def _only_moved(given, trial):
    try:
        values = given, trial.outcome.value, trial.expected.value
        given, got, wanted = (np.sort(as_array(v), axis=None) for v in values)
    except Unreadable:
        return False
    same = given.shape == got.shape and given.size > 1 and np.allclose(given, got)
    return same and not (given.shape == wanted.shape and np.allclose(given, wanted))


def _rows_sum_to_1(a):
    return bool((a >= 0).all() and np.allclose(a.sum(axis=-1), 1, atol=1e-4))


def _is_symmetric(a):
    square = a.ndim >= 2 and a.shape[-1] == a.shape[-2]
    return square and np.allclose(a, np.swapaxes(a, -1, -2), atol=1e-4)


def _has_columns_of_length_1(a):
    return a.ndim >= 2 and np.allclose((a**2).sum(axis=-2), 1, atol=1e-4)


def _has_blocks_alone(a):
    if a.ndim != 2 or a.shape[0] != a.shape[1] or len(a) < 4 or len(a) % 2:
        return False
    rows, columns = np.indices(a.shape)
    return np.allclose(a[rows // 2 != columns // 2], 0, atol=1e-4)


def _falls(a):
    return a.ndim == 1 and bool((np.diff(a) < 0).all())


def _rises(a):
    return _falls(-a)


_PROPERTIES = (
    (
        "{} row should sum to 1; not all of yours do.",
        "rows do not sum to 1",
        _rows_sum_to_1,
    ),
    (
        "{} number outside of the 2 × 2 blocks on the diagonal should be 0; not all "
        "of yours are.",
        "numbers outside of the blocks",
        _has_blocks_alone,
    ),
    (
        "{} column should have the length 1; not all of yours have.",
        "columns not of length 1",
        _has_columns_of_length_1,
    ),
    (
        "{} number should stand on both sides of the diagonal: entry (m, n) equals "
        "entry (n, m). Yours do not.",
        "not symmetric",
        _is_symmetric,
    ),
    ("{} number should be smaller than the one before.", "does not fall", _falls),
    ("{} number should be larger than the one before.", "does not rise", _rises),
)
