"""Layer: the one argument that decides where an answer is wrong.

It says only what is so in the cases that were tried: a condition holds in every one
that fails and in none that passes, among them fresh ones that no check was made on.
"""

import ast
import warnings

import numpy as np

from helpers.checks.diagnosis.evidence import SOME_CASES, Finding, numbers

SLOW = 0.02  # seconds of one call beyond which no fresh cases are tried
SOME = 2  # cases on either side: one alone has everything in common with itself
CHANCE = 6  # cases that share a number by chance less often than it is meant

# What may be so of an argument, and what of it has a value, in words.
_YES_OR_NO = {
    "{} is negative": lambda v: _number(v) < 0,
    "{} is odd": lambda v: _number(v) % 2 == 1,
    "{} is no power of 2": lambda v: _number(v) < 1 or int(v) & (int(v) - 1),
    "{} holds negative numbers": lambda v: (_array(v) < 0).any(),
    "{} does not go up by 1": lambda v: (np.diff(_whole(v)) != 1).any(),
    "{} is `None`": lambda v: v is _NOTHING,
}
_VALUES = {
    "{} is": lambda v: _number(v),
    "the length of {} is": lambda v: len(_array(v)) if _array(v).ndim < 2 else None,
    "the size of {} along axis 0 is": lambda v: len(_array(v)[:, :1]),
    "the width of {} is": lambda v: _array(v).shape[-1],
}
_NOTHING = object()  # the right result, where there is none
_ORDINALS = ["the first of the right results", "the second of the right results"]


def deciding_argument(evidence):
    """What all failing cases have in common, and no other has; or None."""
    if evidence.repaired:
        return None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        text = _condition(evidence)
    if text is None:
        return None
    named = any(found.mistake for found in evidence.said)
    return Finding(text, None if named else SOME_CASES)


def _condition(evidence):
    failing, passing = _trials(evidence)
    if min(len(failing), len(passing)) >= SOME:
        task = evidence.task
        sides = [[_known(task, t) for t in side] for side in (failing, passing)]
        for measured in (_yes_or_no, _one_value, _threshold):
            for sentence in measured(*sides, _typed_numbers(evidence.answer)):
                return sentence
    if failing and len(passing) == 1 and len(evidence.said) == 1:
        right = evidence.task.describe(passing[0].case)
        return f"Of all cases tried, only {right} is right."
    return None


def _trials(evidence):
    """The trials that fail and those that pass, fresh ones with them."""
    task, sides = evidence.task, (evidence.failing, evidence.passing)
    failing, passing = (
        [t for t in side if t.expected.raised is None] for side in sides
    )
    if all(t.outcome.seconds < SLOW for t in evidence.trials):
        for trial in task.fresh:
            if trial.expected.raised is None:
                outcome = task.called(evidence.answer.function, trial.case)
                side = passing if task.right(trial, outcome) else failing
                side.append(trial)
    return failing, passing


def _known(task, trial):
    """What a case is known by: its arguments, its facts and the numbers right there."""
    arguments = zip(task.names_of(trial.case), trial.case, strict=False)
    known = {f"`{name}`": value for name, value in arguments} | task.facts(*trial.case)
    value = trial.expected.value
    results = value if isinstance(value, tuple) else (value,)
    names = _ORDINALS if isinstance(value, tuple) else ["the right result"]
    results = [_NOTHING if r is None else _of(_number, r) for r in results]
    return known | dict(zip(names, results, strict=False))


def _yes_or_no(failing, passing, typed):
    for words, bad, good in _measured(_YES_OR_NO, failing, passing):
        if all(bad) and not any(good):
            yield _wherever(words)


def _one_value(failing, passing, typed):
    """One number that all on one side share: typed in the code, or in many cases."""
    for words, bad, good in _measured(_VALUES, failing, passing):
        for side, other in ((bad, good), (good, bad)):
            value = side[0]
            if value is None or set(side) != {value} or value in other:
                continue
            if value in typed or len(side) >= CHANCE:
                if side is bad:
                    yield _wherever(f"{words} {value:g}")
                else:
                    only = "Of all cases tried, only those are right where"
                    yield f"{only} {words} {value:g}."


def _threshold(failing, passing, typed):
    for words, bad, good in _measured(_VALUES, failing, passing):
        if None in bad + good or min(len(set(bad)), len(set(good))) <= SOME:
            continue
        if min(bad) > max(good):
            more = f"{words} {min(bad):g} or more"
            yield _wherever(f"{more} (right up to {max(good):g})")
        if max(bad) < min(good):
            less = f"{words} {max(bad):g} or less"
            yield _wherever(f"{less} (right from {min(good):g} on)")


def _measured(measures, failing, passing):
    """(words, its values in failing cases, in passing ones) of all that is known."""
    for name in failing[0]:
        for words, measure in measures.items():
            bad, good = (
                [_of(measure, case.get(name)) for case in side]
                for side in (failing, passing)
            )
            yield words.format(name), bad, good


def _typed_numbers(answer):
    """The numbers that stand in the student's code, and those that need no typing."""
    typed = {n.value for n in answer.nodes if isinstance(n, ast.Constant)}
    return {v for v in typed if isinstance(v, (int, float))} | {0, 1}


def _wherever(condition):
    return f"It is wrong wherever {condition}, and right in every other case tried."


def _of(measure, value):
    try:
        return measure(value)
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
