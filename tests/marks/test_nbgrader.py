"""The recipe for nbgrader, run from the first command to the table of points."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import class_of
import nbformat
import pytest

from helpers.publish import course

pytestmark = pytest.mark.graders
NAME = "01_formula"


def nbgrader(folder, *arguments):
    """Run an nbgrader command in a course folder."""
    pytest.importorskip("nbgrader")
    # As in an activated environment: it starts alembic and jupyter by their names.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PATH": path},
        timeout=900,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def hand_in(folder, student, answers):
    """Copy the released notebook as a student's, with answers written into it."""
    released = folder / "release" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(released, as_version=4)
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        name = about.get("grade_id", "").removesuffix("-answer").split("-")[-1]
        if about.get("solution") and name in answers:
            cell.source = answers[name].strip()
    target = folder / "submitted" / student / NAME / f"{NAME}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)


def letters(wrong=()):
    return {
        name: f'answer_{name} = "{"z" if name in wrong else right}"'
        for name, right in class_of.QUESTIONS.items()
    }


def test_right_wrong_and_looping_answers_get_their_points(tmp_path):
    folder = tmp_path / "course"
    course.write(folder, ("01",))
    nbgrader(folder, "generate_assignment", NAME, "--create")
    looping = class_of.hostile("", 0)["loops"]
    wrong = "def angular_speeds(d_model):\n    return 1"
    right = {**class_of.RIGHT, **letters()}
    most = len(class_of.COLUMNS)
    everybody = {
        "right": (right, most),
        "wrong": (
            {**right, "angular_speeds": wrong, **letters(wrong=["frozen_hands"])},
            most - 2,
        ),
        "looping": ({**right, "angular_speeds": looping}, most - 1),
        "untouched": ({}, 0),
    }
    for student, (answers, _) in everybody.items():
        hand_in(folder, student, answers)
    nbgrader(folder, "autograde", NAME, "--create")
    nbgrader(folder, "export")
    with open(folder / "grades.csv", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    for student, (_, points) in everybody.items():
        assert float(rows[student]["score"]) == points, student
        assert float(rows[student]["max_score"]) == most


def test_the_lab_stays_as_students_have_it():
    pytest.importorskip("nbgrader")
    for command in ("labextension", "server extension"):
        done = subprocess.run(
            [sys.executable, "-m", "jupyter", *command.split(), "list"],
            capture_output=True,
            text=True,
            env={**os.environ, "NO_COLOR": "1"},
        )
        listed = re.sub(r"\x1b\[\d+m", "", done.stdout + done.stderr)
        found = re.findall(r"^\s+\S*nbgrader\S* .*?(enabled|disabled)", listed, re.M)
        assert found and set(found) == {"disabled"}, listed
