"""The notebooks' cells with the questions follow the TOML files, and nothing else does."""

import copy

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.lessons import formula
from helpers.publish import question_cells
from helpers.publish.question_cells import with_questions

CHECK = "formula.frozen_hands.check(...)"


def sources(cells):
    return [cell.source for cell in cells]


def given():
    return [
        new_markdown_cell("## 1. One (3 min)\n\n`formula.frozen_hands.check(...)`"),
        new_code_cell(CHECK, id="a"),
        new_code_cell("formula.angular_speeds.check(angular_speeds)"),
        new_code_cell(f"{CHECK}; 1"),
    ]


def test_a_question_stands_above_its_check_and_nowhere_else():
    cells, text = given(), formula.frozen_hands.markdown()
    made = with_questions(cells, formula.TASKS)
    assert sources(made) == [cells[0].source, text, *sources(cells[1:])]
    moved = [*made[:1], *made[2:], made[1]]
    edited = copy.deepcopy(made)
    edited[1].source = "Another text."
    for changed in (made, moved, edited, [*made, made[1]]):
        assert with_questions(changed, formula.TASKS) == made


def test_a_notebook_is_written_only_where_a_question_changed(tmp_path):
    path = tmp_path / "01_formula.ipynb"
    nbformat.write(new_notebook(cells=given()), path)
    assert question_cells.update(path)
    first = path.read_bytes()
    assert not question_cells.update(path)
    assert path.read_bytes() == first
    nbformat.validate(nbformat.read(path, as_version=4))
