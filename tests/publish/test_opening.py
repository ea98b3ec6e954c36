"""A handout that keeps its solutions, and says when they open."""

import pytest
from stored import NOTEBOOKS, lesson_of

from helpers.checks import opening
from helpers.lessons import formula
from helpers.publish import handout, site
from helpers.publish.prose import Prose


@pytest.fixture
def when(tmp_path, monkeypatch):
    """Writes what `make editions SOLUTIONS=…` writes."""
    file = tmp_path / "solutions.txt"
    monkeypatch.setattr(opening, "_FILE", file)
    return file.write_text


def test_solutions_are_open_where_nobody_keeps_them(capsys):
    assert opening.closed() is None
    formula.angular_speeds.solution()
    assert formula.angular_speeds.solution_code in capsys.readouterr().out


def test_later_is_until_further_notice(when, capsys):
    when("later")
    for task in (formula.angular_speeds, formula.frozen_hands):
        task.solution()
    said = capsys.readouterr().out.splitlines()
    assert said == ["Solutions open later: ask your instructor when."] * 2
    formula.angular_speeds.hint()
    assert formula.angular_speeds.judge(formula.angular_speeds.reference)


def test_a_date_opens_them_by_itself(when, capsys):
    when("2999-01-01")
    formula.angular_speeds.solution()
    assert capsys.readouterr().out == "Solutions open on 2999-01-01.\n"
    when("2020-01-01")
    formula.angular_speeds.solution()
    assert "def angular_speeds" in capsys.readouterr().out


def test_what_is_no_date_is_refused():
    assert opening.checked("2027-03-01") == "2027-03-01"
    with pytest.raises(ValueError):
        opening.checked("next week")


def test_the_student_edition_carries_the_day(tmp_path):
    first = lesson_of(NOTEBOOKS[0])
    kept = {"helpers/checks/solutions.txt": "2027-03-01"}
    folder, _ = handout.write(tmp_path, "student", [first], [first.notebook], kept)
    assert (folder / "helpers/checks/solutions.txt").read_text() == "2027-03-01"
    assert not (folder / "helpers" / "marks").exists()


def test_a_page_of_the_site_says_when():
    placed = lesson_of(NOTEBOOKS[0]).tasks
    (speeds,) = [p for p in placed if p.task is formula.angular_speeds]
    kept, shown = (site._task(speeds, Prose([]), when) for when in ("later", None))
    assert opening.sentence("later") in kept and "10_000" not in kept
    assert opening.sentence("later") not in shown and "10_000" in shown
