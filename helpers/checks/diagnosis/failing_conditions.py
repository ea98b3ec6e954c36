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
}
_VALUES = {
    "{} is": lambda v: _number(v),
    "the length of {} is": lambda v: len(_array(v)) if _array(v).ndim < 2 else None,
    "the size of {} along axis 0 is": lambda v: len(_array(v)[:, :1]),
    "the width of {} is": lambda v: _array(v).shape[-1],
}


def deciding_argument(evidence):
    """What all failing cases have in common, and no other has; or None."""
    if evidence.repaired:
        return None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        failing, passing = _known_cases(evidence)
        if min(len(failing), len(passing)) < SOME:
            return None
        typed = _typed_numbers(evidence.answer)
        found = _yes_or_no(failing, passing)
        found = found or _one_value(failing, passing, typed)
        found = found or _threshold(failing, passing)
    named = any(finding.mistake for finding in evidence.findings)
    return found and Finding(found, None if named else SOME_CASES)


def _known_cases(evidence):
    """What is known of each case that fails, and of each that passes, fresh ones too."""
    task = evidence.task
    judged = [(trial, trial.problem is None) for trial in evidence.trials]
    if all(trial.outcome.seconds < SLOW for trial in evidence.trials):
        for trial in task.fresh:
            outcome = task.called(evidence.answer.function, trial.case)
            judged.append((trial, task.right(trial, outcome)))
    failing = []
    passing = []
    for trial, right in judged:
        if trial.expected.raised is None:
            names = [f"`{name}`" for name in task.names_of(trial.case)]
            known = dict(zip(names, trial.case, strict=False))
            known.update(task.facts(*trial.case))
            (passing if right else failing).append(known)
    return failing, passing


def _typed_numbers(answer):
    """The numbers that stand in the student's code, and those that need no typing."""
    typed = {n.value for n in answer.nodes if isinstance(n, ast.Constant)}
    return {v for v in typed if isinstance(v, (int, float))} | {0, 1}


def _yes_or_no(failing, passing):
    for words, bad, good in _measured(_YES_OR_NO, failing, passing):
        if all(bad) and not any(good):
            return _wherever(words)
    return None


def _one_value(failing, passing, typed):
    """One number that all on one side share: typed in the code, or in many cases."""
    for words, bad, good in _measured(_VALUES, failing, passing):
        if _shared(bad, good, typed):
            return _wherever(f"{words} {bad[0]:g}")
        if _shared(good, bad, typed):
            only = "Of all cases tried, only those are right where"
            return f"{only} {words} {good[0]:g}."
    return None


def _shared(side, other, typed):
    value = side[0]
    if value is None or set(side) != {value} or value in other:
        return False
    return value in typed or len(side) >= CHANCE


def _threshold(failing, passing):
    for words, bad, good in _measured(_VALUES, failing, passing):
        if None in bad + good or min(len(set(bad)), len(set(good))) <= SOME:
            continue
        if min(bad) > max(good):
            right = f"right up to {max(good):g}"
            return _wherever(f"{words} {min(bad):g} or more ({right})")
        if max(bad) < min(good):
            right = f"right from {min(good):g} on"
            return _wherever(f"{words} {max(bad):g} or less ({right})")
    return None


def _measured(measures, failing, passing):
    """(words, its values in failing cases, in passing ones) of all that is known."""
    for name in failing[0]:
        for words, measure in measures.items():
            bad = [_of(measure, case.get(name)) for case in failing]
            good = [_of(measure, case.get(name)) for case in passing]
            yield words.format(name), bad, good


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
