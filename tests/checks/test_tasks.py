"""Folds, hints and progress: what tasks do beside judging."""

import json

import numpy as np
import pytest
from answers import answer, count, exercise

from helpers.checks import feedback, tasks
from helpers.checks.question import Choice, Question


def lesson(name="one"):
    """Two questions; what was kept of them is taken up."""
    choices = [Choice("the *first*", "No, `x`."), Choice("$a<b$", "Yes.", right=True)]
    choices.append(Choice("the third", "No."))
    made = [Question(n, "Which?", choices, ["One.", "Two."]) for n in "ab"]
    both = tasks.Tasks(made)
    both.restore(name)
    return both


STUB = "def count(k):\n    # three times, and one\n    ...\n"


@pytest.fixture
def counting():
    return exercise(count, [(2,), (5,), (-3,)], stub=STUB)


@pytest.fixture
def shown(monkeypatch):
    """The Markdown of every feedback that is shown."""
    texts = []
    monkeypatch.setattr(feedback, "show", lambda text, *_: texts.append(text))
    return texts


@pytest.fixture
def own_copies(tmp_path, monkeypatch):
    """A student's folder, in a notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tasks, "kernel", lambda: True)
    (tmp_path / tasks.EDITIONS_FILE).write_text("{}")
    return tmp_path / tasks.PROGRESS_FILE


def written(body):
    """A function as a cell types it."""
    return answer(f"def count(k):\n    {body}\n")


def test_progress_is_kept_over_restarts(own_copies):
    first, other = lesson("one"), lesson("two")
    first[0].check("b")
    for letter in ("a", "A", "c"):
        first[1].check(letter)
    other[0].check("a")
    found = [row[2:] for row in lesson("one").progress().rows]
    assert found == [("correct", 1), ("incorrect", 2)]
    own_copies.unlink()
    assert lesson("one").progress().correct == 0


def test_a_damaged_file_is_nobodys_end(own_copies):
    own_copies.write_text("{")
    lesson("one")[0].check("b")
    assert json.loads(own_copies.read_text())["one"]["a"][0] == "correct"


def test_elsewhere_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lesson()[0].check("b")
    assert not list(tmp_path.iterdir())


def titles(text):
    return [part.split("</summary>")[0] for part in text.split("<summary>")[1:]]


def test_different_wrong_answers_open_hints_and_then_the_solution(counting, shown):
    bodies = ["return k", "return k", "# a comment\n    return k", "return 2 * k"]
    for body in [*bodies, "return 4 * k", "return 3 * k + 1"]:
        counting.check(written(body))
    hints, own = ["Hint 1 of 2", "Hint 2 of 2"], "The lesson's own solution"
    wrong = [hints[:1]] * 3 + [[*hints, own]] * 2
    assert [titles(text) for text in shown] == [*wrong, [own]]
    assert ["3 * k + 1" in text for text in shown] == [False] * 3 + [True] * 3


def test_what_is_no_answer_is_no_try(counting, shown):
    for nothing in (3, "count", print, 4):
        assert counting.check(nothing).status == "incorrect"
    assert titles(shown[-1]) == ["Hint 1 of 2"] and counting.tried == []


def test_not_attempted_is_one_quiet_line_that_holds_a_hint(counting, shown):
    counting.check(answer(STUB))
    assert "<div" not in shown[-1] and "\n\nfirst\n\n" in shown[-1]
    (line,) = titles(shown[-1])
    assert line.startswith("○ <b>Not attempted.</b> ") and "\n" not in line


def test_a_question_tells_of_the_other_choices_only_when_it_is_answered(shown):
    (task, _) = lesson()
    for letter in "aacb":
        task.check(letter)
    assert titles(shown[0]) == titles(shown[1]) == ["Hint 1 of 2"]
    assert titles(shown[2]) == ["Hint 1 of 2", "Hint 2 of 2", "The answer"]
    assert ["other choices" in text for text in shown] == [False] * 3 + [True]
    assert "No, `x`." in shown[3] and "the third  \nNo." in shown[3]


def test_ones_own_code_is_used_where_that_very_code_has_passed(counting, capsys):
    right, wrong, stub = written("return 1 + 3 * k"), written("return k"), answer(STUB)

    def used(thing):
        capsys.readouterr()
        return counting.yours_or_ours(thing), capsys.readouterr().out

    ours = "Using the lesson's own `count`, because yours has not passed its check.\n"
    for unjudged in (right, wrong, stub, ..., print):
        assert used(unjudged) == (count, ours)
    for each in (right, wrong, stub, print):
        counting.check(each)
    assert used(right) == (right, "Using your own `count`, which passed its check.\n")
    again = written("return 1 + 3 * k")
    assert used(again)[0] is again, "the cell was run again, its code is the same"
    for other in (wrong, stub, written("return 1 + 2 * k"), ..., print):
        assert used(other) == (count, ours)


def test_a_helper_that_changes_is_another_answer(counting, capsys):
    code = "def plus(k):\n    return k + 1\ndef count(k):\n    return plus(3 * k)\n"
    right = answer(code)
    counting.check(right)
    assert counting.yours_or_ours(right) is right
    right.__globals__["plus"] = answer("def plus(k):\n    return k - 1\n")
    assert counting.yours_or_ours(right) is count


def rows(n):
    return np.ones((n, 2))


def test_a_list_passes_and_is_not_what_the_next_cells_need(capsys):
    task = exercise(rows, [(3,), (1,)])
    own = answer("def rows(n):\n    return [[1.0, 1.0]] * n\n")
    assert task.check(own).status == "correct"
    capsys.readouterr()
    assert task.yours_or_ours(own) is rows
    assert (
        "`rows`, because yours returns another kind, a `list`."
        in capsys.readouterr().out
    )
