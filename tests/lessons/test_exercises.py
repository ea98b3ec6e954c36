"""Every exercise and question of the series."""

import inspect

import numpy as np
import pytest
from corpus import TASKS as NAMED
from corpus import defined

from helpers import lessons
from helpers.checks.question import Question

TASKS = list(NAMED.values())
FUNCTIONS = [task for task in TASKS if not isinstance(task.reference, type)]
QUESTIONS = [task for task in lessons.ALL if isinstance(task, Question)]


def each(tasks):
    return pytest.mark.parametrize("task", tasks, ids=lambda task: task.name)


@each(TASKS)
def test_the_solution_is_right_and_the_stub_is_not_attempted(task):
    solution, stub = (defined(task.name, c) for c in (task.solution_code, task.stub))
    assert len(task.cases) >= len(task.fixed) + 5, "what is typed in passes"
    feedback = task.judge(solution)
    assert (feedback.status, feedback.mistake) == ("correct", None), feedback
    assert stub.__name__ == solution.__name__ == task.defines
    for nothing in (stub, ..., None):
        assert task.judge(nothing).status == "not attempted"
    if task in FUNCTIONS:
        assert inspect.signature(stub) == inspect.signature(solution)
        assert task.judge(lambda *args: ...).status == "not attempted"


@each(TASKS)
def test_every_listed_mistake_is_named(task):
    """Each is told as itself, and where a sentence needs code to be seen, with it."""
    for mistake in task.mistakes:
        feedback = task.judge(mistake.answer)
        assert feedback.mistake == mistake.name, feedback
        assert mistake.sentence in feedback.message


@pytest.mark.usefixtures("status_only")
@each(FUNCTIONS)
def test_one_case_typed_in_a_crash_and_nonsense_fail(task):
    typed = []
    task.called(lambda *args: typed.append(task.reference(*args)), task.cases[0])
    for nonsense in (typed[0], "nonsense", object(), np.full((3, 1, 2), np.nan)):
        assert task.judge(lambda *args, n=nonsense: n).status == "incorrect"
    assert task.judge(lambda *args: 1 / 0).mistake == "exception"


@each(lessons.ALL)
def test_there_are_hints_and_names_are_unique(task):
    assert len(task.hints) >= 2, "a second hint, for those whom the first did not help"
    for line in "\n".join(task.hints).replace("```", "").splitlines():
        assert line.count("`") % 2 == 0, "code that a line break cuts is no code"
    assert [other.name for other in lessons.ALL].count(task.name) == 1


@each(QUESTIONS)
def test_every_choice_has_its_own_feedback_and_letters_are_read_kindly(task):
    said = [task.judge(letter) for letter in task.choices]
    assert len({feedback.message for feedback in said}) == len(task.choices) >= 3
    assert [feedback.status for feedback in said].count("correct") == 1
    for written, status in (
        (task.answer.upper(), "correct"),
        (f" {task.answer}) ", "correct"),
        (..., "not attempted"),
        ("", "not attempted"),
        ("z", "incorrect"),
        (3, "incorrect"),
    ):
        assert task.judge(written).status == status
