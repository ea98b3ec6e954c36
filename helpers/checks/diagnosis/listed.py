"""Layer: the mistakes that an exercise lists, alone and two at once."""

import itertools

import numpy as np

from helpers.checks import mistakes
from helpers.checks.diagnosis import names
from helpers.checks.diagnosis.findings import numbers
from helpers.checks.feedback import wrong


def one(findings):
    """The listed mistake that does in every case what the answer does."""
    task, answer = findings.task, findings.answer
    # Where data of the notebook is read in place of an argument, that is the mistake.
    if _no_numbers(findings) or names.takes_the_notebooks_data(task, answer):
        return None
    constant = names.ignores_arguments(answer)
    for mistake in task.mistakes:
        if _does_the_same(findings, lambda t, m=mistake: task.made_by(m, t.case)) and (
            not constant or names.ignores_arguments(mistake.answer)
        ):
            return wrong(mistake.sentence, mistake.name)
    return None


def _does_the_same(findings, made):
    # What fails is compared first: there an innocent one differs.
    trials = (*findings.failing, *findings.passing)
    return all(same(findings.task, made(t), t.outcome) for t in trials)


def _no_numbers(findings):
    """Whether every number that came back is none: many mistakes lead there."""
    arrays = [numbers(t.outcome.value) for t in findings.trials]
    return all(a is not None and a.size > 1 and (a != a).all() for a in arrays)


def two(findings):
    """Two listed mistakes, both edits of the solution, that together do the same."""
    task = findings.task
    if _no_numbers(findings):
        return None
    edits = [mistake for mistake in task.mistakes if mistake.edits]
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
