"""The notebooks' cells with the questions follow the TOML files, and nothing else does."""

import copy
import shutil

import nbformat
from stored import notebook_of, read

from helpers.lessons import formula
from helpers.publish.question_cells import MARK, update, with_questions

STORED = notebook_of("formula")


def test_a_question_stands_above_its_check_and_nowhere_else():
    cells = read(STORED).cells
    asked = next(n for n, cell in enumerate(cells) if MARK in cell.metadata)
    assert ".check(" in cells[asked + 1].source
    without, edited = cells[:asked] + cells[asked + 1 :], copy.deepcopy(cells)
    edited[asked].source = "Another text."
    moved, twice = [*without, cells[asked]], [*cells, cells[asked]]
    for changed in (without, edited, moved, twice):
        assert with_questions(changed, formula.TASKS) == cells


def test_a_notebook_is_written_only_where_a_question_changed(tmp_path):
    path = shutil.copy(STORED, tmp_path)
    assert not update(tmp_path / STORED.name)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if MARK not in cell.metadata]
    nbformat.write(notebook, path)
    assert update(tmp_path / STORED.name)
    assert nbformat.read(path, as_version=4) == read(STORED)
