"""Layer: the one argument that decides where an answer is wrong.

It says only what is so in the cases that were tried: a condition holds in every one
that fails and in none that passes, among them fresh ones that no check was made on.
"""

import warnings
from itertools import permutations

import numpy as np

from helpers.checks import source
from helpers.checks.diagnosis.findings import numbers
from helpers.checks.diagnosis.preserved import preserve_generators

SLOW = 0.02  # seconds of one call beyond which no fresh cases are tried

# Conditions on one argument: words, and the test of a number or of an array.
_OF_A_NUMBER = (
    ("{} is negative", lambda v: v < 0),
    ("{} is positive", lambda v: v > 0),
    ("{} is 0", lambda v: v == 0),
    ("{} is not 0", lambda v: v != 0),
    ("{} is not a whole number", lambda v: v % 1 != 0),
    ("{} is odd", lambda v: v % 2 == 1),
    ("{} is even", lambda v: v % 2 == 0),
)
_OF_AN_ARRAY = (
    ("{} is empty", lambda a: a.size == 0),
    ("{} holds negative numbers", lambda a: (a < 0).any()),
    ("{} holds a 0", lambda a: (a == 0).any()),
    ("{} holds numbers that are not whole", lambda a: (a % 1 != 0).any()),
    ("{} does not begin with 0", lambda a: a.ndim == 1 and a[0] != 0),
    ("{} does not go up by 1", lambda a: a.ndim == 1 and (np.diff(a) != 1).any()),
    ("{} holds a number twice", lambda a: len(np.unique(a)) < a.size),
    ("{} has as many rows as columns", lambda a: a.shape[-1] == a.shape[-2]),
    ("{} does not have as many rows as columns", lambda a: a.shape[-1] != a.shape[-2]),
    ("the length of {} is odd", lambda a: len(a) % 2 == 1),
    ("the length of {} is even", lambda a: len(a) % 2 == 0),
    ("the width of {} is odd", lambda a: a.shape[-1] % 2 == 1),
)
# Quantities of one argument: by a value of theirs, or from some value on.
_QUANTITIES = (
    ("{} is {}", lambda v: v if _is_number(v) else None),
    ("{} has {} axes", lambda v: _of_array(v, lambda a: a.ndim)),
    ("the length of {} is {}", lambda v: _of_array(v, len)),
    ("the width of {} is {}", lambda v: _of_array(v, lambda a: a.shape[-1])),
    (
        "the largest number in {} is {}",
        lambda v: _of_array(v, lambda a: float(np.abs(a).max())),
    ),
    ("the type of {} is `{}`", lambda v: str(getattr(v, "dtype", type(v).__name__))),
)


def deciding(findings):
    """One sentence, or None where the failing cases share nothing that can be said."""
    failing, passing = _cases(findings)
    if not failing or not passing:
        return None
    if len(failing) == 1:
        return "Every other case that was tried is right."
    names = [f"`{name}`" for name in findings.task.names_of(failing[0])]
    for words, holds in _conditions(names, failing, passing):
        if holds is None or (all(map(holds, failing)) and not any(map(holds, passing))):
            return f"It is wrong wherever {words}, and right in every other case tried."
    if len(passing) == 1:
        return (
            f"Of all cases tried, only {findings.task.describe(passing[0])} is right."
        )
    return None


def _cases(findings):
    """The cases that fail and those that pass, fresh ones with them."""
    sides = findings.failing, findings.passing
    failing, passing = (
        [t.case for t in side if t.expected.raised is None] for side in sides
    )
    task = findings.task
    if all(t.outcome.seconds < SLOW for t in findings.trials):
        calm = np.errstate(all="ignore")
        names = source.globals_of(findings.answer)
        with warnings.catch_warnings(), calm, preserve_generators(names):
            for trial in task.fresh:
                if findings.budget.left() <= 0:
                    break
                if trial.expected.raised is None:
                    outcome = task.called(findings.answer, trial.case)
                    right = task.right(trial, outcome)
                    (passing if right else failing).append(trial.case)
    return failing, passing


def _conditions(names, failing, passing):
    """(words, test of a case), the plainest first; None where it is known to hold."""
    count = min(len(names), len(failing[0]))
    quantities = [
        (words.format(names[n], "{}"), *_values(n, quantity, failing, passing))
        for n in range(count)
        for words, quantity in _QUANTITIES
    ]
    for n in range(count):
        for words, test in _OF_A_NUMBER:
            yield words.format(names[n]), _number(n, test)
    for words, bad, good in quantities:
        yield from ((said, None) for said in _by_value(words, bad, good))
    for n in range(count):
        for words, test in _OF_AN_ARRAY:
            yield words.format(names[n]), _array(n, test)
    for a, b in permutations(range(count), 2):
        both = names[a], names[b]
        yield "{} is larger than {}".format(*both), _two(a, b, lambda v, w: v > w)
        if a < b:
            yield "{} and {} differ".format(*both), _two(a, b, lambda v, w: v != w)
            yield "{} and {} are equal".format(*both), _two(a, b, lambda v, w: v == w)
    for words, bad, good in quantities:
        yield from ((said, None) for said in _by_threshold(words, bad, good))


def _values(n, quantity, failing, passing):
    """The values of a quantity in cases that fail and in those that pass, if apart."""
    sides = failing, passing
    bad, good = ({_safe(quantity, case[n]) for case in side} for side in sides)
    return (set(), set()) if None in bad | good or bad & good else (bad, good)


def _by_value(words, bad, good):
    if any(isinstance(v, float) and v % 1 for v in bad | good):
        return  # such a number is in one case alone
    if len(bad) == 1:
        yield words.format(_spelled(*bad))
    elif len(good) == 1:
        other = words.replace(" is ", " is not ").replace(" has ", " does not have ")
        yield other.format(_spelled(*good))


def _by_threshold(words, bad, good):
    if len(good) < 2 or any(isinstance(v, str) for v in bad | good):
        return
    if min(bad) > max(good):
        more = words.format(f"{min(bad):g} or more")
        yield f"{more} (right up to {max(good):g})"
    if max(bad) < min(good):
        more = words.format(f"{max(bad):g} or less")
        yield f"{more} (right from {min(good):g} on)"


def _spelled(value):
    return value if isinstance(value, str) else f"{value:g}"


def _safe(function, *values):
    try:
        return function(*values)
    except Exception:  # a condition that such an argument does not have
        return None


def _is_number(value):
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _of_array(value, quantity):
    sized = isinstance(value, (list, tuple)) or getattr(value, "shape", ())
    array = numbers(value) if sized else None
    return None if array is None else quantity(array)


def _number(n, test):
    return lambda case: _is_number(case[n]) and bool(_safe(test, case[n]))


def _array(n, test):
    return lambda case: bool(_safe(_of_array, case[n], test))


def _two(a, b, test):
    return lambda case: (
        _is_number(case[a]) and _is_number(case[b]) and bool(test(case[a], case[b]))
    )
