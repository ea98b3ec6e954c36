"""Layer: what an answer returns, where that alone says what is wrong."""

import ast
import types

import numpy as np

from helpers.checks.comparing import is_tensor
from helpers.checks.diagnosis.evidence import Finding, numbers

_LATER = (types.GeneratorType, map, filter, zip)


def wrong_kind(evidence):
    """The Finding on a value of a kind that no number can make right, or None."""
    for trial in evidence.failing[:3] if not evidence.said else ():
        pair = None if trial.expected.raised else _returned(evidence, trial)
        if pair is None:
            continue
        wanted, got = pair
        if got is None and wanted is not None:
            return _nothing(evidence, trial)
        if isinstance(got, _LATER):
            text = "which holds no numbers until something goes through it."
            text = f"It returns a `{type(got).__name__}`, {text}"
            return Finding(text, "a generator", alone=True)
        found = _of_another_form(evidence, trial, wanted, got)
        if found:
            return found
    return None


def _returned(evidence, trial):
    """What the solution and the answer returned themselves, or None.

    Where an exercise wraps the call, both are run once more to see it.
    """
    task, values = evidence.task, []
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
    inside = list(ast.walk(part.node)) if part else []
    returns = [node for node in inside if isinstance(node, ast.Return)]
    values = [line for line in returns if not _is_none(line.value)]
    if trial.outcome.printed.strip() and not values:
        text = "It prints its result and returns nothing. End it with `return`."
        return Finding(text, "printed", alone=True)
    if part and not returns and not isinstance(part.node, ast.Lambda):
        text = "It returns nothing, because there is no `return` in it."
        return Finding(text, "no return", alone=True)
    came = f"For {evidence.task.describe(trial.case)}, it returns `None`."
    asked = "Which way through it reaches no `return`?"
    # Where the last line is a `return`, no way leads past it.
    if len(values) == len(returns) == 1 and values[0] in getattr(part.node, "body", ()):
        line = values[0]
        asked = f"Line {line.lineno} returns what `{part.piece(line.value)}` gives."
    for test in inside:
        # A single way out: through this condition.
        if isinstance(test, ast.If) and test.body == returns:
            piece = part.piece(test.test)
            asked = (
                f"The condition in line {test.lineno}, `{piece}`, never holds there."
            )
    for line in returns:
        if _is_none(line.value):
            where = f"`{part.piece(line)}` in line {line.lineno}"
            asked = f"Does it reach {where}, or its end without a `return`?"
            if isinstance(part.node.body[-1], ast.Return):
                asked = f"When does it reach {where}?"
    return Finding(f"{came} {asked}", "None came back", clear=True)


def _is_none(value):
    return value is None or getattr(value, "value", value) is None


def _of_another_form(evidence, trial, wanted, got):
    """One number for many, many for one, another shape."""
    task = evidence.task
    if isinstance(wanted, tuple) and not isinstance(got, (tuple, list)):
        text = f"It returns one thing, but the text asks for {len(wanted)} results."
        return Finding(text, "no tuple", alone=True)
    if isinstance(wanted, (str, dict, list, tuple, bool)):
        return None
    if (
        not task.is_plain
        and isinstance(got, (list, tuple))
        and hasattr(wanted, "dtype")
    ):
        form = "a tensor" if is_tensor(wanted) else "an array"
        kind = type(got).__name__
        text = f"It returns a `{kind}`, but {form} is asked for."
        return Finding(text, f"a {kind}", alone=True)
    expected, given = numbers(wanted), numbers(got)
    several = isinstance(got, (list, tuple)) and given is None
    if several and wanted is not None and any(task.agrees(wanted, x) for x in got):
        kind = type(got).__name__
        text = f"It returns a `{kind}`, and only a part of it is what is asked for."
        return Finding(text, f"a {kind} of arrays", alone=True)
    if expected is None or given is None:
        return None  # told by the comparison
    asked = f"an array of shape `{expected.shape}`" if expected.ndim else "a number"
    if expected.ndim and not given.ndim:
        text = f"It returns a single number, but {asked} is asked for."
        return Finding(text, "one number", clear=True)
    if given.ndim and not expected.ndim:
        name = "one number in an array" if given.size == 1 else "many numbers"
        text = f"It returns an array of shape `{given.shape}`, but {asked}"
        many = name == "many numbers"
        return Finding(f"{text} is asked for.", name, alone=not many, clear=many)
    if task.is_plain or expected.shape == given.shape:
        return None
    same = expected.size == given.size and np.allclose(expected.ravel(), given.ravel())
    more = " The numbers are right." if same else ""
    text = f"its shape is `{given.shape}` and should be `{expected.shape}`.{more}"
    text = f"For {task.describe(trial.case)}, {text}"
    return Finding(text, "its shape", clear=True)
