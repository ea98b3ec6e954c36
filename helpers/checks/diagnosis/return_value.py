"""Layer: what an answer returns, where that alone says what is wrong."""

import ast
import types

import numpy as np

from helpers.checks.comparing import is_tensor
from helpers.checks.diagnosis.evidence import ONLY_SHAPE, Finding, numbers

_LATER = (types.GeneratorType, map, filter, zip)


def wrong_kind(evidence):
    """The Finding on a value of a kind that no number can make right, or None."""
    if evidence.findings:
        return None
    for trial in evidence.failing[:3]:
        if not trial.expected.raised:
            found = _of_a_trial(evidence, trial)
            if found:
                return found
    return None


def _of_a_trial(evidence, trial):
    returned = _returned(evidence, trial)
    if returned is None:
        return None
    wanted, got = returned
    if got is None and wanted is not None:
        return _nothing(evidence, trial)
    if isinstance(got, _LATER):
        text = "which holds no numbers until something goes through it."
        text = f"It returns a `{type(got).__name__}`, {text}"
        return Finding(text, "a generator", alone=True)
    return _of_another_form(evidence, trial, wanted, got)


def _returned(evidence, trial):
    """What the solution and the answer returned themselves, or None.

    Where an exercise wraps the call, both are run once more to see it.
    """
    task = evidence.task
    values = []
    if task.is_plain:
        ended = trial.outcome.raised is None
        return (trial.expected.value, trial.outcome.value) if ended else None
    if isinstance(evidence.answer.function, type) or trial.outcome.seconds > 0.3:
        return None
    for function in (task.reference, evidence.answer.function):

        def recorded(*args, function=function, **named):
            values.append(function(*args, **named))
            return values[-1]

        count = len(values)
        outcome = task.called(recorded, trial.case)
        if outcome.raised and evidence.answer.line_of(outcome.raised):
            return None
        del values[count + 1 :]
    return tuple(values) if len(values) == 2 else None


def _nothing(evidence, trial):
    """None came back where a value was asked for."""
    part = evidence.answer.definition
    returns = []
    if part:
        returns = [n for n in ast.walk(part.node) if isinstance(n, ast.Return)]
    empty = [line for line in returns if _is_none(line.value)]
    if trial.outcome.printed.strip() and len(empty) == len(returns):
        text = "It prints its result and returns nothing. End it with `return`."
        return Finding(text, "printed", alone=True)
    if part and not returns and not isinstance(part.node, ast.Lambda):
        text = "It returns nothing, because there is no `return` in it."
        return Finding(text, "no return", alone=True)
    asked = "Which way through it reaches no `return`?"
    if empty:
        line = empty[-1]
        where = f"`{part.piece(line)}` in line {line.lineno}"
        asked = f"Does it reach {where}, or its end without a `return`?"
    elif len(returns) == 1:
        asked = _about_the_only_way_out(part, returns[0]) or asked
    case = evidence.task.describe(trial.case)
    return Finding(
        f"For {case}, it returns `None`. {asked}", "None came back", clear=True
    )


def _about_the_only_way_out(part, line):
    if line in part.node.body:  # no way leads past it
        return f"Line {line.lineno} returns what `{part.piece(line.value)}` gives."
    for test in ast.walk(part.node):
        if isinstance(test, ast.If) and test.body == [line]:
            condition = f"`{part.piece(test.test)}`"
            return (
                f"The condition in line {test.lineno}, {condition}, never holds there."
            )
    return None


def _is_none(value):
    return value is None or getattr(value, "value", value) is None


def _of_another_form(evidence, trial, wanted, got):
    """One number for many, many for one, another shape."""
    task = evidence.task
    kind = type(got).__name__
    listed = isinstance(got, (list, tuple))
    if isinstance(wanted, tuple) and not listed:
        text = f"It returns one thing, but the text asks for {len(wanted)} results."
        return Finding(text, "no tuple", alone=True)
    if isinstance(wanted, (str, dict, list, tuple, bool)):
        return None
    if listed and not task.is_plain and hasattr(wanted, "dtype"):
        form = "a tensor" if is_tensor(wanted) else "an array"
        text = f"It returns a `{kind}`, but {form} is asked for."
        return Finding(text, f"a {kind}", alone=True)
    expected = numbers(wanted)
    given = numbers(got)
    if expected is None:
        return None
    if listed and given is None and any(task.agrees(wanted, part) for part in got):
        text = f"It returns a `{kind}`, and only a part of it is what is asked for."
        return Finding(text, f"a {kind} of arrays", alone=True)
    if given is None or given.shape == expected.shape:
        return None  # told by the comparison
    return _of_another_shape(task, trial, expected, given)


def _of_another_shape(task, trial, expected, given):
    if not given.ndim:
        asked = f"an array of shape `{expected.shape}`"
        text = f"It returns a single number, but {asked} is asked for."
        return Finding(text, "one number", clear=True)
    if not expected.ndim:
        text = (
            f"It returns an array of shape `{given.shape}`, but a number is asked for."
        )
        if given.size == 1:
            return Finding(text, "one number in an array", alone=True)
        return Finding(text, "many numbers", clear=True)
    if task.is_plain:
        return None  # told by the comparison
    text = f"its shape is `{given.shape}` and should be `{expected.shape}`."
    name = "its shape"
    if expected.size == given.size and np.allclose(expected.ravel(), given.ravel()):
        text = f"{text} The numbers are right."
        name = ONLY_SHAPE
    return Finding(f"For {task.describe(trial.case)}, {text}", name, clear=True)
