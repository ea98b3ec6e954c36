"""Every exercise and question of the series."""

import inspect
from importlib import import_module

import numpy as np
import pytest
import torch
from answers import answer
from stored import imports, notebook_of

from helpers import lessons
from helpers.checks.comparing import as_array
from helpers.checks.exercise import Exercise
from helpers.checks.question import Question

AREA = {
    task.name: area
    for area in lessons.AREAS
    for task in import_module(f"helpers.lessons.{area}").TASKS
}
TASKS = [task for task in lessons.ALL if isinstance(task, Exercise)]
FUNCTIONS = [task for task in TASKS if not isinstance(task.reference, type)]
ARRAYS = [
    task
    for task in FUNCTIONS
    if task.is_plain
    and getattr(task.called(task.reference, task.cases[0]).value, "ndim", 0)
]
QUESTIONS = [task for task in lessons.ALL if isinstance(task, Question)]
# The text asks for a type: what was given, or an array, which later cells index.
TYPED = {"interleave", "without_head", "position_table"}
TYPED |= {"ids_from_mask", "ids_from_documents"}


def each(tasks):
    return pytest.mark.parametrize("task", tasks, ids=lambda task: task.name)


def in_its_notebook(task, code):
    """What a cell with this code would define, after the exercises before it."""
    names = {"__name__": "__main__"}
    exec(imports(notebook_of(AREA[task.name])), names)
    for earlier in TASKS[: TASKS.index(task)]:
        if AREA[earlier.name] == AREA[task.name]:
            exec(earlier.solution_code, names)
    names.pop(task.defines, None)
    return answer(code, **names)


@each(TASKS)
def test_the_solution_is_right_and_the_stub_is_not_attempted(task):
    solution = in_its_notebook(task, task.solution_code)
    stub = in_its_notebook(task, task.stub)
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


@each(TASKS)
def test_cases_are_drawn_alike_in_every_run_and_are_no_fixed_ones(task):
    assert task.draw is not None, "without drawn cases, what is typed in passes"
    described = list(map(task.describe, task.cases))
    assert len(task.cases) >= len(task.fixed) + 5
    again = [*task.fixed, *task._drawn("", len(task.cases) - len(task.fixed))]
    assert described == list(map(task.describe, again))


FORMS = {
    "list": lambda a: as_array(a).tolist(),
    "tuple": lambda a: tuple(as_array(a).tolist()),
    "NumPy": as_array,
    "float32": lambda a: as_array(a).astype(np.float32),
    "torch": lambda a: torch.tensor(as_array(a)),
    "torch with gradient": lambda a: torch.tensor(
        as_array(a), dtype=torch.float32, requires_grad=True
    ),
}


@each([task for task in ARRAYS if task.name not in TYPED])
@pytest.mark.parametrize("form", FORMS)
def test_a_right_answer_passes_in_any_form(task, form):
    # other argument names: the call goes by position
    feedback = task.judge(lambda *args: FORMS[form](task.reference(*args)))
    other = task.returns == "tensor" and not form.startswith("torch")
    assert feedback.mistake == ("no tensor" if other else None), feedback


@pytest.mark.usefixtures("status_only")
@each(TASKS)
def test_one_case_typed_in_a_crash_and_nonsense_fail(task):
    if isinstance(task.reference, type):
        assert task.judge(type("Empty", (), {})).status == "incorrect"
        return
    typed = []
    task.called(lambda *args: typed.append(task.reference(*args)), task.cases[0])
    assert task.judge(lambda *args: typed[0]).status == "incorrect"
    assert task.judge(lambda *args: 1 / 0).mistake == "exception"
    for nonsense in ("nonsense", object(), np.full((3, 1, 2), np.nan)):
        assert task.judge(lambda *args, n=nonsense: n).status == "incorrect"


@each(lessons.ALL)
def test_there_are_hints_and_names_are_unique(task, capsys):
    assert len(task.hints) >= 2, "a second hint, for those whom the first did not help"
    assert [other.name for other in lessons.ALL].count(task.name) == 1
    task.hint()
    task.solution()
    assert capsys.readouterr().out.strip()


@each(QUESTIONS)
def test_every_choice_has_its_own_feedback_and_letters_are_read_kindly(task):
    said = [task.judge(letter) for letter in task.choices]
    assert len({feedback.message for feedback in said}) == len(task.choices) >= 3
    assert [feedback.status for feedback in said].count("correct") == 1
    for choice in task.choices.values():
        assert choice.feedback.strip() and choice.text.strip()
    for written in (task.answer, task.answer.upper(), f" {task.answer}) "):
        assert task.judge(written).status == "correct"
    for nothing in (..., None, ""):
        assert task.judge(nothing).status == "not attempted"
    for nonsense in ("z", 3, ["a"]):
        assert task.judge(nonsense).status == "incorrect"
