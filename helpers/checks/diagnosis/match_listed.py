"""Layers: the mistakes that an exercise lists, alone and two at once."""

import itertools

import numpy as np

from helpers.checks import mistakes
from helpers.checks.diagnosis import code_smells
from helpers.checks.diagnosis.evidence import Budget, Finding, numbers
from helpers.checks.source import Answer

SECONDS = 0.25  # that pairs of mistakes are tried


def one_mistake(evidence):
    """The listed mistake that does in every case what the answer does.

    Where it returns None in all of them, much code does: then it does not say all.
    """
    task = evidence.task
    answer = evidence.answer
    # Where data of the notebook is read in place of an argument, that is the mistake.
    outside = code_smells.notebook_data(evidence) and answer.unused_arguments
    if outside or _no_numbers(evidence):
        return None
    for mistake in task.mistakes:
        constant = answer.ignores_arguments
        if constant and not Answer(mistake.answer).ignores_arguments:
            continue
        if _does_the_same(evidence, mistake.answer):
            alone = any(t.outcome.value is not None for t in evidence.trials)
            return Finding(mistake.sentence, mistake.name, alone, listed=True)
    return None


def _does_the_same(evidence, implementation):
    # What fails is compared first: there an innocent one differs.
    task = evidence.task
    return all(
        same(task, task.called(implementation, trial.case), trial.outcome)
        for trial in (*evidence.failing, *evidence.passing)
    )


def _no_numbers(evidence):
    """Whether every number that came back is none: many mistakes lead there."""
    arrays = [numbers(t.outcome.value) for t in evidence.trials]
    return all(a is not None and a.size > 1 and (a != a).all() for a in arrays)


def two_mistakes(evidence):
    """Two listed mistakes, both edits of the solution, that together do the same."""
    task = evidence.task
    known = any(finding.listed for finding in evidence.findings)
    if known or _no_numbers(evidence):
        return None
    edits = [mistake for mistake in task.mistakes if mistake.edits]
    budget = Budget(SECONDS)
    for pair in itertools.combinations(edits, 2):
        answer = budget.left() and _both(task, pair)
        if answer and _does_the_same(evidence, answer):
            first, second = pair
            return Finding(
                "Two things are wrong at once. The first: "
                f"{first.sentence} The second: {second.sentence}",
                f"{first.name}, and {second.name}",
                alone=True,
                listed=True,
            )
    return None


def _both(task, pair):
    code = task.solution_code
    spans = sorted((p for m in pair for p in m.spans(code)), reverse=True)
    if mistakes.overlap(spans):
        return None
    label = f"mistakes {task.name}: {pair[0].name}, {pair[1].name}"
    try:
        code = mistakes.edited(code, spans)
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
