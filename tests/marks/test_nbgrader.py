"""The recipe for nbgrader, run from the first command to the table of points."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import class_of
import nbformat
import pytest
from test_class import write

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
    file = f"{NAME}/{NAME}.ipynb"
    notebook = nbformat.read(folder / "release" / file, as_version=4)
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        name = about.get("grade_id", "").removesuffix("-answer").split("-")[-1]
        if about.get("solution") and name in answers:
            cell.source = answers[name].strip()
    write(folder / "submitted" / student, {file: class_of.written(notebook)})


def test_right_wrong_looping_and_missing_answers_get_their_points(tmp_path):
    folder = tmp_path / "course"
    course.write(folder, ("01",))
    nbgrader(folder, "generate_assignment", NAME, "--create")
    letters = {n: f'answer_{n} = "{key}"' for n, key in class_of.QUESTIONS.items()}
    answers = {**class_of.RIGHT, **letters, "frozen_hands": 'answer_frozen_hands = "z"'}
    answers["angular_speeds"] = class_of.LOOPS
    answers["encode_position"] = "def encode_position(p, d_model):\n    return 1"
    del answers["encode_with_periods"]
    hand_in(folder, "mixed", answers)
    nbgrader(folder, "autograde", NAME, "--create")
    nbgrader(folder, "export")
    with open(folder / "grades.csv", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    most = len(class_of.COLUMNS)
    assert (float(row["score"]), float(row["max_score"])) == (most - 4, most)
