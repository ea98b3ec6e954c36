"""Minutes are counted as the guide for authors says: seen on changes of a notebook."""

import copy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from stored import lesson_of, notebook_of

from helpers.lessons import formula
from helpers.publish import lesson, pace

STORED = lesson_of(notebook_of("formula"))
WORDS = "word " * 90


def counted(cells):
    """The counted minutes of a notebook: of its core path, and of all."""
    made = lesson.outline(STORED.stem, new_notebook(cells=cells), formula.TASKS)
    return pace.counted(made)


@pytest.mark.parametrize(
    ("cell", "more"),
    [
        (new_markdown_cell(WORDS), 0.5),
        (new_markdown_cell(f"<details>\n\n{WORDS}\n</details>"), 0),
        (new_code_cell("a = 1\n\n" * 12), 1),
        (new_code_cell("", metadata={"seconds": 30}), 0.5),
        (new_code_cell("formula.explore.bits()"), 2 + 1 / 12),
    ],
)
def test_what_a_cell_takes(cell, more):
    first, *others = STORED.notebook.cells
    expected = [minutes + more for minutes in pace.counted(STORED)]
    assert counted([first, cell, *others]) == pytest.approx(expected)


def test_the_core_path_leaves_out_what_is_stretch():
    core, everything = pace.counted(STORED)
    cells = copy.deepcopy(STORED.notebook.cells)
    placed = next(p for p in STORED.tasks if p.path == "core")
    stated = f"{placed.minutes} min, core)"
    heading = next(
        c for c in cells if placed.task.name in c.source and stated in c.source
    )
    heading.source = heading.source.replace(stated, "50 min, stretch)")
    expected = core - 1.4 * placed.minutes, everything + 1.4 * (50 - placed.minutes)
    assert counted(cells) == pytest.approx(expected)
    section = STORED.sections[1]
    cell = cells[section.cell]
    cell.source = cell.source.replace(" min)", " min, stretch)", 1)
    assert counted(cells)[0] < expected[0] - pace.minutes(STORED, section) / 2
