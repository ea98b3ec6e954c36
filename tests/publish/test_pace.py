"""Minutes are counted as they are said to be, by each part."""

from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.publish import lesson, pace
from helpers.publish.question_cells import with_questions

LONG = " ".join(["word"] * 90)
TASKS = [
    SimpleNamespace(
        name=name, kind="exercise", defines=name, stub=f"def {name}():\n    ..."
    )
    for name in ("one", "two")
]
ASKED = SimpleNamespace(name="which", kind="question", markdown=lambda: LONG * 5)


def text(words, head=""):
    return new_markdown_cell(f"{head}\n\n" + " ".join(["word"] * words))


def code(source, **metadata):
    return new_code_cell(source, metadata=metadata)


def exercise(name, number, path):
    heading = f"**Exercise {number} — {name}** (10 min, {path})"
    stub = f"def {name}():\n    ..."
    return new_markdown_cell(heading), code(stub), code(f"area.{name}.check({name})")


@pytest.fixture
def made():
    """A lesson of a core section and a stretch section."""
    fold = new_markdown_cell(
        f"<details><summary>More</summary>\n\n{LONG}\n\n</details>"
    )
    cells = [new_markdown_cell("# Title"), text(179)]
    cells += [text(177, "## 1. A (20 min)"), fold]
    cells += [code("a = 1\n\nb = 2\n", seconds=30), code("area.explore.slide()")]
    cells += [*exercise("one", "1.1", "core"), *exercise("two", "1.2", "stretch")]
    cells += [code("area.which.check(...)")]
    cells += [text(174, "## 2. B (9 min, stretch)"), text(90, "## Summary")]
    cells += [text(900, "## Further reading")]
    cells = with_questions(cells, [ASKED])
    return lesson.outline("00_area", new_notebook(cells=cells), [*TASKS, ASKED])


def test_each_part_is_counted_once(made):
    first, second = made.sections
    # Words: the title and what follows, the section's, two headings of exercises.
    counted = (2 + 179 + 5 + 177 + 2 * 7) / 180 + 3 / 12 + 0.5 + 2 + 2 * 14 + 1
    assert pace.minutes(made, first) == pytest.approx(counted)
    assert pace.minutes(made, second) == pytest.approx((6 + 174 + 2 + 90) / 180)


def test_the_core_path_leaves_out_what_is_stretch(made):
    least, most = pace.counted(made)
    first, second = (pace.minutes(made, section) for section in made.sections)
    assert most == pytest.approx(first + second)
    assert least == pytest.approx(first - 14)
    assert (made.minutes, pace.core_minutes(made)) == (29, 20 - 14)
