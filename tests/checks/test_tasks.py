"""Hints, progress and cards: what tasks do beside judging."""

import json

import pytest

from helpers.checks import question, tasks
from helpers.checks.question import Choice, Question


def lesson(name="one"):
    """Two questions; what was kept of them is taken up."""
    choices = [Choice("the *first*", "No, `x`."), Choice("$a<b$", "Yes.", right=True)]
    made = [Question(n, "Which?", choices, ["One.", "Two."]) for n in "ab"]
    both = tasks.Tasks(made)
    both.restore(name)
    return both


@pytest.fixture
def own_copies(tmp_path, monkeypatch):
    """A student's folder, in a notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tasks, "kernel", lambda: True)
    (tmp_path / tasks.OWN_COPIES).write_text("{}")
    return tmp_path / tasks.KEPT


def test_progress_is_kept_over_restarts(own_copies):
    first, other = lesson("one"), lesson("two")
    first[0].check("b")
    first[1].check("a")
    first[1].hint()
    other[0].check("a")
    found = [row[2:] for row in lesson("one").progress().rows]
    assert found == [("correct", 0, 2), ("incorrect", 1, 2)]
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


def test_the_last_hint_says_so(capsys):
    (task, _) = lesson()
    for _ in range(3):
        task.hint()
    first, *others = capsys.readouterr().out.splitlines()
    assert "last" not in first and all("last" in line for line in others)


def test_cards_hold_each_choice_and_its_feedback(monkeypatch):
    shown = []
    monkeypatch.setattr(question, "show", lambda *texts: shown.append(texts))
    lesson()[0].ask()
    ((markdown, plain),) = shown
    assert markdown.count("<details") == markdown.count("</details>") == 2
    assert "the <i>first</i>" in markdown and "$a&lt;b$" in markdown
    assert "No, `x`." in markdown and "No" not in plain
