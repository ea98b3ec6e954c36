"""Layer: the mistakes that an exercise lists, alone and two at once."""

import itertools

import numpy as np

from helpers.checks import mistakes
from helpers.checks.diagnosis import names
from helpers.checks.diagnosis.findings import numbers
from helpers.checks.feedback import wrong


def one(findings):
    """The listed mistake that does in every case what the answer does."""
    if all(_tells_nothing(t.outcome.value) for t in findings.trials):
        return None
    for mistake in findings.task.mistakes:
        if (
            mistake.is_seen_in(findings.answer)
            and _does_the_same(findings, lambda t, m=mistake: _made(findings, m, t))
            and not (
                names.ignores_arguments(findings.answer)
                and not names.ignores_arguments(mistake.answer)
            )
        ):
            return _of_the_notebook(findings) or wrong(mistake.sentence, mistake.name)
    return None


def _made(findings, mistake, trial):
    return findings.task.made_by(mistake, trial.case)


def _does_the_same(findings, made):
    # What fails is compared first: there an innocent one differs.
    trials = (*findings.failing, *findings.passing)
    return all(same(findings.task, made(t), t.outcome) for t in trials)


def _of_the_notebook(findings):
    """Where data of the notebook is read and an argument is not, that is the mistake.

    A listed one may do the same and tell of a step that the code does not have.
    """
    found = names.in_place_of_an_argument(findings)
    if found is None:
        return None
    sentence, name = found
    return wrong(f"{findings.failing[0].problem.message} {sentence}", name)


def _tells_nothing(value):
    """Whether no number in an array is one: many mistakes lead there."""
    array = numbers(value) if hasattr(value, "dtype") else None
    if array is None or array.dtype.kind != "f":
        return False
    return array.size > 1 and bool(np.isnan(array).all())


def two(findings):
    """Two listed mistakes, both edits of the solution, that together do the same."""
    task = findings.task
    if all(_tells_nothing(t.outcome.value) for t in findings.trials):
        return None
    edits = [
        m
        for m in task.mistakes
        if m.edits and not m.alone and m.is_seen_in(findings.answer)
    ]
    for pair in itertools.combinations(edits, 2):
        answer = findings.budget.left() and _both(task, pair)
        if answer and _does_the_same(
            findings, lambda t, a=answer: task.called(a, t.case)
        ):
            first, second = pair
            return wrong(
                "Two things are wrong at once. The first: "
                f"{first.sentence} The second: {second.sentence}",
                f"{first.name}, and {second.name}",
            )
    return None


def _both(task, pair):
    code = task.solution_code
    places = sorted((p for m in pair for p in m.places(code)), reverse=True)
    if mistakes.overlap(places):
        return None
    label = f"mistakes {task.name}: {pair[0].name}, {pair[1].name}"
    try:
        code = mistakes.edited(code, places)
        return mistakes.implemented(code, task.reference, task.defines, label)
    except SyntaxError:
        return None  # each is sound alone


def same(task, made, outcome):
    """Whether two outcomes are the same: equal values, or the same exception."""
    if made.raised is None and outcome.raised is None:
        return task.agrees(made.value, outcome.value) and not _cut(
            made.value, outcome.value
        )
    return repr(made.raised) == repr(outcome.raised)


def _cut(made, got):
    """Whether the fractions of what a mistake makes are missing: by another mistake."""
    kinds = [getattr(getattr(v, "dtype", None), "kind", "") for v in (made, got)]
    return kinds == ["f", "i"] and not np.array_equal(made, got)
