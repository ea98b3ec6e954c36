"""Layers: what is strange in the code: an unused argument, data from outside of it."""

import ast
import types

from helpers.checks import source
from helpers.checks.diagnosis.editable_answer import EditableAnswer
from helpers.checks.diagnosis.evidence import Finding, numbers

SLOW = 0.3  # seconds of a call that is not made once more


def same_everywhere(evidence):
    """The same result in every case although the right ones differ."""
    trials = [t for t in evidence.trials if t.expected.raised is None]
    if len(trials) < 2 or any(t.outcome.raised for t in trials):
        return None
    value = trials[0].outcome.value
    right = trials[0].expected.value
    agrees = evidence.task.agrees
    alike = all(agrees(value, t.outcome.value) for t in trials)
    if numbers(value) is None or not alike:
        return None  # what is no number was told
    if all(agrees(right, t.expected.value) for t in trials):
        return None
    text = "It gives the same result in every case, but the right ones differ."
    if evidence.answer.ignores_arguments:
        text = f"{text} Compute the result from the arguments."
        return Finding(text, "hard-coded", alone=True)
    return Finding(text, "the same in every case")


def unused_argument(evidence):
    """An argument that is not used, or the notebook's data in its place.

    Whoever forgets an argument or takes the notebook's own table for it has every step
    right and the wrong numbers.
    """
    answer = evidence.answer
    outside = notebook_data(evidence)
    unused = answer.unused_arguments
    listed = " and ".join(f"`{name}`" for name in unused)
    text = f"Its argument {listed} is not used."
    if len(unused) > 1:
        text = f"Its arguments {listed} are not used."
    if outside is not None:
        uses = f"Line {outside.lineno} uses the notebook's variable `{outside.id}`, not"
        text = f"{uses} an argument. {text if unused else ''}".strip()
        return Finding(text, "uses the notebook's data")
    observed = isinstance(evidence.failing[0].outcome.value, dict)
    if unused and (observed or len(unused) < len(answer.arguments)):
        return Finding(text, "an argument not used")
    return None


def notebook_data(evidence):
    """The first name in a function that stands for data of the notebook, or None."""
    answer = evidence.answer
    if answer.definition is None or isinstance(answer.function, type):
        return None
    solution = ast.parse(evidence.task.solution_code)
    theirs = set(source.names_in(solution)) - source.bound_names(solution)
    known = source.bound_names(answer.definition.node) | theirs
    for node in answer.reads:
        value = answer.global_names.get(node.id)
        data = isinstance(value, (int, float, list, tuple)) or hasattr(value, "dtype")
        constant = node.id.isupper() or isinstance(value, (bool, types.ModuleType))
        if data and not constant and node.id not in known:
            return node
    return None


def not_the_same_twice(evidence):
    """Another result where the same call is made again, or as the first of all."""
    trials = [*evidence.failing, *evidence.passing]
    quick = [t for t in trials if not t.outcome.raised and t.outcome.seconds < SLOW]
    if not quick:
        return None
    if _gives_another_result(evidence, evidence.answer.function, quick[0]):
        text = "It gives another result when the same call is made again."
        return Finding(text, "not the same twice")
    editable = EditableAnswer.of(evidence)
    defined_anew = editable and editable.compiled()
    if defined_anew and _gives_another_result(evidence, defined_anew, quick[0]):
        text = (
            "The same call gives another result when it is the first one, so something "
            "is kept from one call to the next."
        )
        return Finding(text, "not the same twice")
    return None


def _gives_another_result(evidence, function, trial):
    agrees = evidence.task.agrees
    before = trial.outcome.value
    again = evidence.task.called(function, trial.case)
    if again.raised or agrees(before, again.value):
        return False
    return agrees(before, before)  # what holds no numbers agrees with nothing
