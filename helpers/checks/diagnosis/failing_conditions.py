"""Layer: the one argument that decides where an answer is wrong.

It says only what is so in the cases that were tried: a condition holds in every one
that fails and in none that passes, among them fresh ones that no check was made on.
"""

import ast
import warnings

import numpy as np

from helpers.checks import source
from helpers.checks.diagnosis.findings import numbers
from helpers.checks.diagnosis.preserved import preserve_generators

SLOW = 0.02  # seconds of one call beyond which no fresh cases are tried
BEAR = 2  # cases on either side that bear a condition

# What may be so of an argument, and what of it has a value, in words.
_YES_OR_NO = {
    "{} is negative": lambda v: _number(v) < 0,
    "{} is positive": lambda v: _number(v) > 0,
    "{} is odd": lambda v: _number(v) % 2 == 1,
    "{} holds negative numbers": lambda v: (_array(v) < 0).any(),
    "{} does not go up by 1": lambda v: (np.diff(_array(v, 1)) != 1).any(),
}
_VALUES = {
    "{} is": lambda v: _number(v),
    "the length of {} is": lambda v: len(_array(v)),
    "the width of {} is": lambda v: _array(v).shape[-1],
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
    if min(len(failing), len(passing)) >= BEAR:
        names = [f"`{name}`" for name in findings.task.names_of(failing[0])]
        for sentence in _conditions(names, failing, passing, _typed(findings)):
            return sentence
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
    """A sentence on every condition that decides, the plainest first."""
    sides = [list(zip(*side, strict=False)) for side in (failing, passing)]
    measured = []
    for name, *columns in zip(names, *sides, strict=False):
        for words, measure in _YES_OR_NO.items():
            bad, good = ([_safe(measure, v) for v in column] for column in columns)
            if all(bad) and not any(good):
                yield _wherever(words.format(name))
        for words, measure in _VALUES.items():
            bad, good = ([_safe(measure, v) for v in column] for column in columns)
            if None not in bad + good and not set(bad) & set(good):
                measured.append((words.format(name), bad, good))
    for words, bad, good in measured:
        # A number that nobody typed may be chance.
        if len(set(bad)) == 1 and (bad[0] in typed or len(bad) >= 3 * BEAR):
            yield _wherever(f"{words} {bad[0]:g}")
        if len(set(good)) == 1 and (good[0] in typed or len(good) >= 3 * BEAR):
            yield f"Of all cases tried, only those are right where {words} {good[0]:g}."
    for words, bad, good in measured:
        if min(len(set(bad)), len(set(good))) > BEAR:
            if min(bad) > max(good):
                more = f"{words} {min(bad):g} or more"
                yield _wherever(f"{more} (right up to {max(good):g})")
            if max(bad) < min(good):
                less = f"{words} {max(bad):g} or less"
                yield _wherever(f"{less} (right from {min(good):g} on)")


def _wherever(condition):
    return f"It is wrong wherever {condition}, and right in every other case tried."


def _safe(function, value):
    try:
        return function(value)
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
