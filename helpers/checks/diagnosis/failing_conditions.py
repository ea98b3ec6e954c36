"""Layer: the one argument that decides where an answer is wrong.

It says only what is so in the cases that were tried: a condition holds in every one
that fails and in none that passes, among them fresh ones that no check was made on.
"""

import ast
import warnings
from itertools import permutations

import numpy as np

from helpers.checks import source
from helpers.checks.diagnosis.findings import numbers
from helpers.checks.diagnosis.preserved import preserve_generators

SLOW = 0.02  # seconds of one call beyond which no fresh cases are tried
BEAR = 2  # cases on either side that bear a condition

# Of one argument and of two: what may be so, and what has a value, in words.
_OF_ONE = {
    "{} is negative": lambda v: _number(v) < 0,
    "{} is positive": lambda v: _number(v) > 0,
    "{} is odd": lambda v: _number(v) % 2 == 1,
    "{} is {}": lambda v: _number(v),
    "{} is empty": lambda v: _array(v).size == 0,
    "{} holds negative numbers": lambda v: (_array(v) < 0).any(),
    "{} holds a 0": lambda v: (_array(v) == 0).any(),
    "{} does not go up by 1": lambda v: (np.diff(_array(v, 1)) != 1).any(),
    "{} holds a number twice": lambda v: len(np.unique(_array(v))) < _array(v).size,
    "the length of {} is {}": lambda v: len(_array(v)),
    "the width of {} is {}": lambda v: _array(v).shape[-1],
    "the largest number in {} is {}": lambda v: float(np.abs(_array(v)).max()),
    "the type of {} is `{}`": lambda v: str(getattr(v, "dtype", type(v).__name__)),
}
_OF_TWO = {
    "{} is larger than {}": lambda v, w: _number(v) > _number(w),
    "{} and {} differ": lambda v, w: _number(v) != _number(w),
    "{} and {} are equal": lambda v, w: _number(v) == _number(w),
}


def deciding(findings, seen):
    """One sentence, or None where the failing cases share nothing that can be said.

    Where a pattern is seen, that a single case is right adds nothing.
    """
    failing, passing = _cases(findings)
    if not failing or not passing:
        return None
    if len(failing) == 1:
        return "Every other case that was tried is right."
    names = [f"`{name}`" for name in findings.task.names_of(failing[0])]
    told = _conditions(names[: len(failing[0])], failing, passing, _typed(findings))
    for words in told if min(len(failing), len(passing)) >= BEAR else ():
        return f"It is wrong wherever {words}, and right in every other case tried."
    if len(passing) == 1 and not seen:
        right = findings.task.describe(passing[0])
        return f"Of all cases tried, only {right} is right."
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
                if trial.expected.raised is None:
                    outcome = task.called(findings.answer, trial.case)
                    right = task.right(trial, outcome)
                    (passing if right else failing).append(trial.case)
    return failing, passing


def _typed(findings):
    """The numbers that stand in the student's code, and those that need no typing."""
    nodes = (n for part in source.parts(findings.answer) for n in ast.walk(part.node))
    typed = {n.value for n in nodes if isinstance(n, ast.Constant)}
    return {v for v in typed if isinstance(v, (int, float))} | {0, 1}


def _conditions(names, failing, passing, typed):
    """The words of every condition that decides, the plainest first."""
    ones, thresholds = range(len(names)), []
    for places in (*((n,) for n in ones), *permutations(ones, 2)):
        for words, measure in (_OF_ONE if len(places) == 1 else _OF_TWO).items():
            words = words.format(*(names[n] for n in places), "{}")
            bad, good = (
                [_safe(measure, *(case[n] for n in places)) for case in side]
                for side in (failing, passing)
            )
            if all(v is True for v in bad) and not any(v is True for v in good):
                yield words
            none = any(v is None or isinstance(v, bool) for v in bad + good)
            if not none and not set(bad) & set(good):
                yield from _by_value(words, bad, good, typed)
                thresholds.append((words, bad, good))
    for words, bad, good in thresholds:
        yield from _by_threshold(words, bad, good)


def _by_value(words, bad, good, typed):
    """The one value of a side; a number that nobody typed may be chance."""
    other = words.replace(" is ", " is not ").replace(" has ", " does not have ")
    for said, side in ((words, bad), (other, good)):
        value = side[0]
        if len(set(side)) == 1 and len(side) >= BEAR:
            if isinstance(value, str):
                yield said.format(value)
            elif value in typed or len(side) >= 3 * BEAR:
                yield said.format(f"{value:g}")


def _by_threshold(words, bad, good):
    if isinstance(bad[0], str) or min(len(set(bad)), len(set(good))) <= BEAR:
        return
    if min(bad) > max(good):
        more = words.format(f"{min(bad):g} or more")
        yield f"{more} (right up to {max(good):g})"
    if max(bad) < min(good):
        more = words.format(f"{max(bad):g} or less")
        yield f"{more} (right from {min(good):g} on)"


def _safe(function, *values):
    try:
        value = function(*values)
        return bool(value) if isinstance(value, np.bool_) else value
    except Exception:  # a condition that such an argument does not have
        return None


def _number(value):
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise TypeError
    return value


def _array(value, axes=None):
    if not (isinstance(value, (list, tuple)) or getattr(value, "shape", ())):
        raise TypeError
    array = numbers(value)
    if axes not in (None, array.ndim):
        raise TypeError
    return array
