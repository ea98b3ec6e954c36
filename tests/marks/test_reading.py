"""Submissions, notebooks and answers are read as they come; nothing is executed."""

import zipfile

import class_of
import pytest

from helpers.lessons import AREAS, formula
from helpers.marks import __main__ as command
from helpers.marks import batch, reading, sandbox, submissions

COLUMN = "formula.angular_speeds"


def read(*cells):
    content = class_of.notebook(*cells).encode()
    return reading.read(reading.cells_of(content), "formula")[0]


@pytest.mark.parametrize("area", AREAS)
def test_a_notebook_as_given_is_known_and_not_attempted(area):
    (path,) = reading.NOTEBOOKS.glob(f"[0-9][0-9]_{area}.ipynb")
    cells = reading.cells_of(path.read_bytes())
    assert reading.areas_in(cells)[0] == area
    answers, _ = reading.read(cells, area)
    assert {a.state for a in answers.values()} == {reading.UNTOUCHED}
    # Its functions tell it where every check was deleted.
    defined = [cell for cell in cells if cell.startswith(("def ", "class "))]
    assert reading.areas_in(defined) == [area]
    assert reading.areas_in(["print(1)"]) == []


def test_what_an_answer_needs_comes_with_it_and_nothing_else():
    answer = read(
        "import numpy as np, os",
        "while True: pass",
        "table = np.zeros(3)\ntable[0] = SCALE\nother = table.sum()",
        "names = []\nnames.append('a'); SCALE = 2",
        "def helper(d):\n    return table, names, d",
        "def helper(d):\n    return table[0], names, d",
        "@staticmethod\ndef angular_speeds(d):\n    return helper(d)",
    )[COLUMN]
    lines = [f"{s.cell}{s.node.lineno}" for s in answer.program]
    cells = ["1>1", "3>1", "3>2", "4>1", "4>2", "4>2", "6>1", "7>2"]
    assert lines == [f"<cell {cell}" for cell in cells]


@pytest.mark.parametrize(
    ("cells", "state"),
    [
        ([], reading.MISSING),
        (["formula.angular_speeds.check(angular_speeds)"], reading.UNTOUCHED),
        ([formula.angular_speeds.stub], reading.UNTOUCHED),
        (["def angular_speeds(d)\n    return 1"], reading.BROKEN),
        (["formula.angular_speeds.check(lambda d: 1"], reading.BROKEN),
        (["formula.angular_speeds.check(lambda d: 1)"], reading.ATTEMPTED),
        (["%%html\ndef angular_speeds(d):\n    return 1"], reading.MISSING),
        (["from helpers.encoding import angular_speeds"], reading.ATTEMPTED),
    ],
)
def test_the_state_of_an_exercise(cells, state):
    assert read(*cells)[COLUMN].state == state


def test_a_zip_of_the_class_and_nbgraders_folder(tmp_path):
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Vic Ek_1001_assignsubmission_file/01.ipynb", "{}")
        archive.writestr("Vic Ek_1001_assignsubmission_file/../../x.ipynb", "{}")
        archive.writestr("Wim Oz_1003_assignsubmission_file_01.ipynb", "{}")
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    found = submissions.find(path, unpacked)
    assert {s.student: len(s.places) for s in found} == {"Vic Ek": 2, "Wim Oz": 1}
    assert all(p.parent == unpacked for s in found for p, _ in s.places)
    home = tmp_path / "course" / "submitted" / "s0123" / "01_formula"
    home.mkdir(parents=True)
    (home / "01_formula.ipynb").write_text("{}")
    (home.parents[1] / "eve").symlink_to("/etc")
    eve, found = submissions.find(tmp_path / "course", unpacked)
    assert (found.student, found.notices) == ("s0123", [])
    assert not eve.places and "not followed" in eve.notices[0]


def test_the_shape_of_what_a_child_says_is_checked():
    student = submissions.Submission("anna")
    messages = [
        {"column": COLUMN, "status": "correct"},
        {"column": "formula.other", "status": "correct"},
        {"column": "formula.frozen_hands", "status": "a hundred points"},
        {"notice": "\x1b[31m\u202eforged"},
    ]
    columns = [COLUMN, "formula.frozen_hands"]
    result = batch._result(student, columns, messages)
    assert result.correct == [COLUMN]
    assert result.verdicts["formula.frozen_hands"].status == "not judged"
    result = batch._result(student, columns, [*messages, {"done": True}])
    assert result.verdicts["formula.frozen_hands"].status == "missing"
    assert result.notices == ["\\x1b[31m\\u202eforged"]


def test_one_student_with_all_notebooks_changes_nobodys_total(capsys):
    missing, right = batch.Verdict(), batch.Verdict("correct")
    few = {COLUMN: right, "rotary.rotate": missing}
    many = {COLUMN: right, "rotary.rotate": right}
    class_ = [batch.Result(None, verdicts) for verdicts in (few, few, many)]
    assert command._assigned(["formula", "rotary"], class_) == ["formula"]
    assert "rotary" in capsys.readouterr().out
    assert command._areas(["01"]) == ["formula"]


def test_without_bubblewrap_it_stops_and_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="--trust"):
        command.main([str(tmp_path)])
