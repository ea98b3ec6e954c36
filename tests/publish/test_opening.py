"""A handout that keeps its solutions, and says when they open."""

import pytest
from stored import NOTEBOOKS, lesson_of

from helpers.checks import opening
from helpers.lessons import formula
from helpers.publish import handout, site
from helpers.publish.prose import Prose

SPEEDS = formula.angular_speeds


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (None, "def angular_speeds"),
        ("later", "Solutions open later: ask your instructor when.\n"),
        ("2999-01-01", "Solutions open on 2999-01-01.\n"),
        ("2020-01-01", "def angular_speeds"),
    ],
)
def test_a_solution_opens_on_its_day(tmp_path, monkeypatch, capsys, when, said):
    file = tmp_path / "solutions.txt"
    monkeypatch.setattr(opening, "_FILE", file)
    if when:
        file.write_text(opening.checked(when))
    SPEEDS.solution()
    assert said in capsys.readouterr().out
    SPEEDS.hint()
    assert SPEEDS.judge(SPEEDS.reference)


def test_what_is_no_date_is_refused():
    with pytest.raises(ValueError):
        opening.checked("next week")


def test_editions_and_pages_carry_the_day(tmp_path):
    first = lesson_of(NOTEBOOKS[0])
    kept = {"helpers/checks/solutions.txt": "2027-03-01"}
    folder, _ = handout.write(tmp_path, "student", [first], [first.notebook], kept)
    assert (folder / "helpers/checks/solutions.txt").read_text() == "2027-03-01"
    for when in ("later", None):
        page = "".join(site.cells_of(first, Prose([first.stem, "02_log_space"]), when))
        assert (opening.sentence("later") in page) == bool(when)
