"""Layer: the mistakes that an exercise lists, alone and two at once."""

import itertools
import re

import numpy as np

from helpers.exercises import mistakes
from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.diagnosis import names
from helpers.exercises.feedback import wrong


def one(findings):
    """The listed mistake that does in every case what the answer does."""
    task, trials = findings.task, findings.trials
    if all(_tells_nothing(t.outcome.value) for t in trials):
        return None
    first = next((n for n, t in enumerate(trials) if t.outcome.raised), None)
    # Where it raises, how it does so in one case may be all that can be compared; at
    # last, the numbers in an exception's text may be another width's.
    ways = [(len(trials), True)]
    if first is not None:
        ways += [(first + 1, True), (len(trials), False)]
    for count, to_the_letter in ways:
        for mistake in task.mistakes:
            fits = all(
                same(task, task.made_by(mistake, t.case), t.outcome, to_the_letter)
                for t in trials[:count]
            ) and all(
                _no_other(task, task.made_by(mistake, t.case), t.outcome)
                for t in trials[count:]
            )
            if fits and not to_the_letter:
                fits = _numbers_fit(task, mistake, trials)
            if fits and _reads_as_much(findings.answer, mistake.answer):
                return _of_the_notebook(findings) or wrong(
                    mistake.sentence, mistake.name
                )
    return None


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
    if not hasattr(value, "dtype"):
        return False
    try:
        array = as_array(value)
    except Unreadable:
        return False
    return array.dtype.kind == "f" and array.size > 1 and np.isnan(array).all()


def _no_other(task, made, outcome):
    """Whether two outcomes agree, or are exceptions that say different things.

    Where they say the same of other numbers, it is another mistake.
    """
    if not (made.raised and outcome.raised):
        return same(task, made, outcome)
    return same(task, made, outcome, True) or not same(task, made, outcome)


def _numbers_fit(task, mistake, trials):
    """Whether exceptions differ at most in numbers that are the same in every case.

    Such a number may be a width that was typed in; one that changes with the case
    tells what was done.
    """
    differ = set()
    for t in trials:
        pair = task.made_by(mistake, t.case).raised, t.outcome.raised
        if all(pair):
            numbers = [re.findall(r"\d+", str(raised)) for raised in pair]
            both = zip(*numbers, strict=False)
            differ.add(frozenset(two for two in both if two[0] != two[1]))
    return len(differ) <= 1


def _reads_as_much(answer, mistake):
    """No mistake that reads its arguments is told to code that reads none."""
    return not names.deaf(answer) or names.deaf(mistake)


def two(findings):
    """Two listed slips that together do what the answer does."""
    task, trials = findings.task, findings.trials
    if all(_tells_nothing(t.outcome.value) for t in trials):
        return None
    budget, code = findings.budget.part(0.5), task.solution_code
    slips = filter(can_be_one_of_two, task.slips)
    for pair in itertools.combinations(slips, 2):
        if budget.left() <= 0:
            return None
        answer = _both(task, code, pair)
        if answer and all(
            same(task, task.quiet(answer, t.case), t.outcome) for t in trials
        ):
            first, second = pair
            return wrong(
                f"Two things at once. First: {first.sentence} Second: {second.sentence}",
                f"{first.name}, and {second.name}",
            )
    return None


def can_be_one_of_two(mistake):
    """Whether a mistake's sentence is true beside another mistake too."""
    claims = (
        r"\b(is|are|right|works?|agrees?|sound)\b[^.:]*\bbut\b|\bright (for|at|only)"
    )
    return not re.search(claims, mistake.sentence, re.IGNORECASE)


def _both(task, code, pair):
    places = sorted((p for slip in pair for p in slip.places(code)), reverse=True)
    if mistakes.overlap(places):
        return None
    label = f"slips {task.name}: {pair[0].name}, {pair[1].name}"
    try:
        return mistakes.implemented(
            mistakes.edited(code, places), task.reference, label
        )
    except SyntaxError:
        return None  # each is sound alone


def _cut(made, got):
    """Whether the fractions of what a mistake makes are missing: by another mistake."""
    kinds = [getattr(getattr(v, "dtype", None), "kind", "") for v in (made, got)]
    return kinds == ["f", "i"] and not np.array_equal(made, got)


def same(task, made, outcome, to_the_letter=False):
    """Whether two outcomes are the same: equal values, or the same exception.

    Numbers in the text of an exception may differ: they may be another width's.
    """
    if made.raised is None and outcome.raised is None:
        return task.agrees(made.value, outcome.value) and not _cut(
            made.value, outcome.value
        )
    if made.raised is None or outcome.raised is None:
        return False
    said = [repr(made.raised), repr(outcome.raised)]
    if not to_the_letter:
        said = [re.sub(r"\d+", "0", text) for text in said]
    return said[0] == said[1]
