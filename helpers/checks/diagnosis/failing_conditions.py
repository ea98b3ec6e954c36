"""Layer: the one argument that decides where an answer is wrong.

It says only what is so in the cases that were tried: a condition holds in every one
that fails and in none that passes, among them fresh ones that no check was made on.
Where none does, one number is varied in some of the cases, and all else is kept.
"""

import ast
import warnings

import numpy as np

from helpers.checks import source
from helpers.checks.diagnosis.findings import Budget, Trial, numbers
from helpers.checks.diagnosis.preserved import preserve_generators

SLOW = 0.02  # seconds of one call beyond which no fresh cases are tried
BEAR = 2  # cases on either side that bear a condition
SECONDS = 0.1  # of varying one number
VARIED = 4  # failing cases in which it is varied
FEW = 3  # values that can be listed
FEW_OF = 6  # one right case in so many may have what all wrong ones have

# What may be so of an argument, and what of it has a value, in words.
_YES_OR_NO = {
    "{} is negative": lambda v: _number(v) < 0,
    "{} is positive": lambda v: _number(v) > 0,
    "{} is odd": lambda v: _number(v) % 2 == 1,
    "{} is no power of 2": lambda v: _number(v) < 1 or int(v) & (int(v) - 1),
    "{} holds negative numbers": lambda v: (_array(v) < 0).any(),
    "{} does not go up by 1": lambda v: (np.diff(_whole(v)) != 1).any(),
}
_NOTHING = object()  # the right result, where there is none
_YES_OR_NO["{} is `None`"] = lambda v: v is _NOTHING
_ORDINALS = ["the first of the right results", "the second of the right results"]
_VALUES = {
    "{} is": lambda v: _number(v),
    "the length of {} is": lambda v: len(_array(v)) if _array(v).ndim < 2 else None,
    "the size of {} along axis 0 is": lambda v: len(_array(v)[:, :1]),
    "the width of {} is": lambda v: _array(v).shape[-1],
}


def deciding(findings, seen):
    """One sentence, or None where the failing cases share nothing that can be said.

    Where a pattern is seen, that a single case is right adds nothing.
    """
    calm, names = np.errstate(all="ignore"), source.globals_of(findings.answer)
    with warnings.catch_warnings(), calm, preserve_generators(names):
        return _decided(findings, seen)


def _decided(findings, seen):
    failing, passing = _trials(findings)
    if not failing or not passing:
        return None
    if min(len(failing), len(passing)) >= BEAR:
        sides = [
            [_known(findings.task, trial) for trial in side]
            for side in (failing, passing)
        ]
        for sentence in _conditions(*sides, _typed(findings)):
            return sentence
    if varied := _varied(findings, failing, passing):
        return varied
    if len(passing) == 1 and not seen:
        right = findings.task.describe(passing[0].case)
        return f"Of all cases tried, only {right} is right."
    return None


def _known(task, trial):
    """What a case is known by: its arguments, its facts and the numbers right there."""
    arguments = zip(task.names_of(trial.case), trial.case, strict=False)
    known = {f"`{name}`": value for name, value in arguments} | task.facts(*trial.case)
    value = trial.expected.value
    results = value if isinstance(value, tuple) else (value,)
    names = _ORDINALS if isinstance(value, tuple) else ["the right result"]
    results = [_NOTHING if r is None else _safe(_number, r) for r in results]
    return known | dict(zip(names, results, strict=False))


def _trials(findings):
    """The trials that fail and those that pass, fresh ones with them."""
    sides = findings.failing, findings.passing
    failing, passing = (
        [t for t in side if t.expected.raised is None] for side in sides
    )
    task = findings.task
    if all(t.outcome.seconds < SLOW for t in findings.trials):
        for trial in task.fresh:
            if trial.expected.raised is None:
                right = task.right(trial, task.called(findings.answer, trial.case))
                (passing if right else failing).append(trial)
    return failing, passing


def _varied(findings, failing, passing):
    """The values of a number that set right every failing case in which they are put."""
    task, budget, told = findings.task, Budget(SECONDS), []
    if isinstance(task.reference, type) or failing[0].outcome.seconds > SLOW:
        return None
    for n, name in enumerate(task.names_of(failing[0].case)):
        given = {_safe(_number, trial.case[n]) for trial in passing} - {None}
        values = {value for value in given if value == round(value)}
        good = [
            value
            for value in sorted(values if len(values) <= FEW else ())
            if _sets_right(findings, budget, failing, n, value)
        ]
        if good:
            listed = ", ".join(f"{value:g}" for value in good)
            told.append(f"wherever `{name}` is {' or '.join(listed.rsplit(', ', 1))}")
    if not told or not budget.left():
        return None
    return f"Of all cases tried, it is right {' and '.join(told)}."


def _sets_right(findings, budget, failing, n, value):
    """Whether the answer is right in failing cases if one number there is this one."""
    task, tried = findings.task, 0
    for trial in failing[:VARIED]:
        case = (*trial.case[:n], value, *trial.case[n + 1 :])
        expected = budget.left() and task.called(task.reference, case)
        if not expected or expected.raised:
            continue  # the text does not allow it
        if not task.right(Trial(case, expected), task.called(findings.answer, case)):
            return False
        tried += 1
    return tried >= min(BEAR, len(failing))


def _typed(findings):
    """The numbers that stand in the student's code, and those that need no typing."""
    nodes = (n for part in source.parts(findings.answer) for n in ast.walk(part.node))
    typed = {n.value for n in nodes if isinstance(n, ast.Constant)}
    return {v for v in typed if isinstance(v, (int, float))} | {0, 1}


def _conditions(failing, passing, typed):
    """A sentence on every condition that decides, the plainest first."""
    measured, nearly = [], []
    for name in failing[0]:
        columns = [[case.get(name) for case in side] for side in (failing, passing)]
        for words, measure in _YES_OR_NO.items():
            bad, good = ([_safe(measure, v) for v in column] for column in columns)
            if all(bad) and not any(good):
                yield _wherever(words.format(name))
            elif all(bad) and FEW_OF * sum(map(bool, good)) <= len(good) >= FEW_OF:
                nearly.append(
                    f"Of all cases tried, only those are wrong where {words.format(name)}."
                )
        for words, measure in _VALUES.items():
            bad, good = ([_safe(measure, v) for v in column] for column in columns)
            if not set(bad) & set(good):
                measured.append((words.format(name), bad, good))
    for words, bad, good in measured:
        if _tells(bad, typed):
            yield _wherever(f"{words} {bad[0]:g}")
        if _tells(good, typed):
            yield f"Of all cases tried, only those are right where {words} {good[0]:g}."
    for words, bad, good in measured:
        if None not in bad + good and min(len(set(bad)), len(set(good))) > BEAR:
            if min(bad) > max(good):
                more = f"{words} {min(bad):g} or more"
                yield _wherever(f"{more} (right up to {max(good):g})")
            if max(bad) < min(good):
                less = f"{words} {max(bad):g} or less"
                yield _wherever(f"{less} (right from {min(good):g} on)")
            below, above = min(good) - 1e-9, max(good) + 1e-9
            if not any(below < value < above for value in bad):
                ends = f"{words} {min(good):g} to {max(good):g}"
                under = max(value for value in bad if value < below)
                over = min(value for value in bad if value > above)
                yield f"It is right where {ends}, and wrong at {under:g} and {over:g}."
    yield from nearly


def _tells(values, typed):
    """Whether all are one number, and not by chance, as one that nobody typed may be."""
    one = len(set(values)) == 1 and values[0] is not None
    return one and (values[0] in typed or len(values) >= 3 * BEAR)


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


def _array(value):
    if not (isinstance(value, (list, tuple)) or getattr(value, "shape", ())):
        raise TypeError
    return numbers(value)


def _whole(value):
    array = _array(value)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError
    return array
