"""Every exercise of the series: its solution, its mistakes, its stub, other forms."""

from functools import cache
from importlib import import_module

import numpy as np
import pytest
import torch
from stored import EXERCISES_OF, NOTEBOOKS, code_cells, imports

from helpers import exercises
from helpers.exercises import core, running
from helpers.exercises.comparing import as_array
from helpers.exercises.core import Exercise, Question

TASKS = [task for task in exercises.ALL if isinstance(task, Exercise)]
QUESTIONS = [task for task in exercises.ALL if isinstance(task, Question)]
AREAS = {
    task.name: area
    for area in EXERCISES_OF.values()
    for task in import_module(f"helpers.exercises.{area}").EXERCISES
}


# What the first of the clinic's patients can suffer from, the others can too.
PATIENTS = [task for task in TASKS if task.name.startswith("clinic_")]
SHARED = {(mistake.name, mistake.sentence) for mistake in PATIENTS[0].mistakes}


def _returns_an_array(task):
    value = running.call(task.run, task.reference, task.cases[0], 5).value
    return task.run is core.plain_call and getattr(value, "ndim", 0) > 0


every_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)


@cache
def notebook_names(area):
    """What the notebook of an area has imported before its exercises."""
    (path,) = [p for p in NOTEBOOKS if EXERCISES_OF[p.stem] == area]
    names = {}
    exec(imports(path), names)
    return names


def made_by(task, code):
    """What a cell with this code would define in the task's notebook."""
    area = AREAS[task.name]
    names = dict(notebook_names(area))
    before = set(names)
    exec(compile(code, "<cell>", "exec"), names)
    return names[next(n for n in reversed(names) if n not in before)]


@every_task
def test_the_solution_shown_is_right(task):
    feedback = task.judge(made_by(task, task.solution_code))
    assert (feedback.status, feedback.mistake) == ("correct", None), feedback


def unnamed(task, mistakes):
    """What is said of those mistakes of which something else than listed is said."""
    told = {mistake: task.judge(mistake.answer) for mistake in mistakes}
    return {
        mistake.name: feedback
        for mistake, feedback in told.items()
        if (feedback.status, feedback.mistake, feedback.message)
        != ("incorrect", mistake.name, mistake.sentence)
    }


@every_task
def test_every_listed_mistake_is_named(task):
    again = SHARED if task in PATIENTS[1:] else set()
    own = [m for m in task.mistakes if (m.name, m.sentence) not in again]
    assert not unnamed(task, own)


@pytest.mark.slow
@pytest.mark.parametrize("task", PATIENTS[1:], ids=lambda task: task.name)
def test_what_the_patients_share_is_named_for_each(task):
    shared = [m for m in task.mistakes if (m.name, m.sentence) in SHARED]
    assert shared and not unnamed(task, shared)


@every_task
def test_a_slip_is_an_edit_of_code_that_stands_in_the_solution_once(task):
    for slip in task.slips:
        assert slip.applied(task.solution_code) != task.solution_code, slip.name
        for piece in slip.edits:
            assert task.solution_code.count(piece) == 1, slip.name


@every_task
def test_the_stub_is_not_attempted_and_fits_the_solution(task):
    stub, solution = made_by(task, task.stub), made_by(task, task.solution_code)
    assert task.judge(stub).status == "not attempted"
    assert stub.__name__ == solution.__name__
    for nothing in (..., None):
        assert task.judge(nothing).status == "not attempted"
    if isinstance(task.reference, type):
        return
    expected, given = running.code_of(solution), running.code_of(stub)
    count = expected.co_argcount
    assert given.co_varnames[:count] == expected.co_varnames[:count]
    assert task.judge(lambda *args: ...).status == "not attempted"
    assert task.judge(lambda *args: None).status == "not attempted"


FORMS = {
    "list": lambda a: as_array(a).tolist(),
    "tuple": lambda a: tuple(as_array(a).tolist()),
    "NumPy": as_array,
    "float32": lambda a: as_array(a).astype(np.float32),
    "torch": lambda a: torch.tensor(as_array(a)),
    "torch float32 with gradient": lambda a: torch.tensor(
        as_array(a), dtype=torch.float32, requires_grad=True
    ),
}


@pytest.mark.parametrize(
    "task", list(filter(_returns_an_array, TASKS)), ids=lambda task: task.name
)
@pytest.mark.parametrize("form", FORMS)
def test_a_right_answer_passes_in_any_form(task, form):
    def answer(*args):  # other argument names: the call goes by position
        value = task.reference(*args)
        return FORMS[form](value)

    assert task.judge(answer).status == "correct"


@pytest.mark.usefixtures("status_only")
@every_task
def test_one_case_typed_in_fails(task):
    if isinstance(task.reference, type):
        return
    values = [
        running.call(core.plain_call, task.reference, c, 5).value for c in task.cases
    ]
    assert len(task.cases) >= 3
    assert task.judge(lambda *args: values[0]).status == "incorrect"


@pytest.mark.usefixtures("status_only")
@every_task
def test_a_crash_and_nonsense_are_survived(task):
    if isinstance(task.reference, type):
        assert task.judge(type("Empty", (), {})).status == "incorrect"
        return
    assert task.judge(lambda *args: 1 / 0).mistake == "exception"
    assert task.judge(lambda *args: "nonsense").status == "incorrect"
    assert task.judge(lambda *args: object()).status == "incorrect"
    assert task.judge(lambda *args: np.full((3, 1, 2), np.nan)).status == "incorrect"


@pytest.mark.parametrize("task", exercises.ALL, ids=lambda task: task.name)
def test_there_are_hints_and_names_are_unique(task, capsys):
    assert len(task.hints) >= 2, "a second hint, for those whom the first did not help"
    assert [other.name for other in exercises.ALL].count(task.name) == 1
    task.hint()
    task.solution()
    assert capsys.readouterr().out.strip()


@every_question
def test_every_choice_has_its_own_feedback(question):
    assert len(question.choices) >= 3
    said = [question.judge(letter) for letter in question.choices]
    assert len({feedback.message for feedback in said}) == len(question.choices)
    right = [f.status for f in said].count("correct")
    assert right == 1
    for choice in question.choices.values():
        assert choice.feedback.strip() and choice.text.strip()


@every_question
def test_letters_are_read_kindly(question):
    letter = question.answer
    for written in (letter, letter.upper(), f" {letter}) "):
        assert question.judge(written).status == "correct"
    for nothing in (..., None, ""):
        assert question.judge(nothing).status == "not attempted"
    for nonsense in ("z", 3, ["a"]):
        assert question.judge(nonsense).status == "incorrect"


def test_no_letter_is_a_good_guess():
    letters = [question.answer for question in QUESTIONS]
    assert max(map(letters.count, set(letters))) <= len(letters) / 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_task_has_its_hints_and_the_last_cell_says_how_far_one_came(path):
    area = EXERCISES_OF[path.stem]
    cells = [cell.source.strip() for cell in code_cells(path)]
    for task in import_module(f"helpers.exercises.{area}").EXERCISES:
        assert any(f"{area}.{task.name}.hint()" in cell for cell in cells), task.name
    assert cells[-1] == f"{area}.progress()"
