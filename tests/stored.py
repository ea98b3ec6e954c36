"""The notebooks as they are stored, for the tests that read them."""

from functools import cache
from pathlib import Path

import nbformat
import pytest

from helpers.publish.lesson import read_lesson

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# Each notebook, and the module of helpers.lessons that goes with it.
AREA_OF = {path.stem: path.stem[3:] for path in NOTEBOOKS}
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


lesson_of = cache(read_lesson)  # the lesson in the notebook at a path


@cache
def read(path):
    """The notebook at a path."""
    return nbformat.read(path, as_version=4)


def code_cells(path):
    """Its code cells."""
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def prose_cells(path):
    """Its Markdown cells."""
    return [cell for cell in read(path).cells if cell.cell_type == "markdown"]


def is_compared(cell):
    """Whether nbval compares the cell's outputs."""
    tags = cell.metadata.get("tags", [])
    return not {"nbval-ignore-output", "nbval-skip"} & set(tags)


def imports(path):
    """The source of its imports, which stand in one cell."""
    return next(c.source for c in code_cells(path) if "from helpers" in c.source)


def said(cell):
    """The text of a cell's outputs: what must be the same in every run.

    One text for each output, and for each stream: a kernel may send it in pieces.
    """
    texts, before = [], None
    for output in cell.outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        if output.get("name") and output.get("name") == before:
            texts[-1] += text
        else:
            texts.append(text)
        before = output.get("name")
    return texts


def notebook_of(area):
    """The path of an area's notebook."""
    (path,) = [path for path in NOTEBOOKS if AREA_OF[path.stem] == area]
    return path
