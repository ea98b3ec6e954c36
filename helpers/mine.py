"""A student's own copies of the notebooks, in ``mine/``: `make lab` keeps them.

A copy has no outputs, and what a question asks for is folded, so that no answer stands
below its question. It is made where it is missing and never overwritten. Where the lesson
has a new edition of a notebook, an untouched copy follows; beside one that was edited,
the new one is put.
"""

import hashlib
import json
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
REVEAL = "reveal"  # the tag of a cell that says what an experiment shows
_FOLDED = """<details><summary>{title}</summary>

{text}

</details>"""
_TITLE = "What you should have seen"  # of such a fold; or its cell's metadata, `fold`
_STATE = ".editions.json"  # stem -> what was last handed out


def update(notebooks=ROOT / "notebooks", mine=ROOT / "mine"):
    """Bring the copies up to date; returns a sentence for each that was not made new."""
    mine.mkdir(exist_ok=True)
    state = _read(mine / _STATE)
    told = []
    for path in sorted(notebooks.glob("[0-9][0-9]_*.ipynb")):
        given = for_students(nbformat.read(path, as_version=4))
        new = _digest(given)
        copy = mine / path.name
        if not copy.exists():
            nbformat.write(given, copy)
        elif new != state.get(path.stem):
            if _digest(_own(copy)) == state.get(path.stem):
                nbformat.write(given, copy)
                told.append(f"{path.name} is new in this edition; your copy follows.")
            elif _digest(_own(copy)) != new:
                beside = _free(mine, path.stem)
                nbformat.write(given, beside)
                told.append(
                    f"{path.name} is new in this edition. You have worked on yours, so "
                    f"it stays as it is, and the new one is {beside.name}."
                )
        state[path.stem] = new
    (mine / _STATE).write_text(json.dumps(state, indent=1), encoding="utf-8")
    return told


def _read(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _own(copy):
    try:
        return nbformat.read(copy, as_version=4)
    except Exception:  # a damaged copy was touched, and is the student's
        return nbformat.v4.new_notebook()


def without_outputs(notebook):
    """The notebook, its cells' outputs and execution counts taken out."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
    return notebook


def for_students(notebook):
    """The notebook without outputs, and with what answers a question folded."""
    for cell in without_outputs(notebook).cells:
        if REVEAL in cell.metadata.get("tags", []):
            if cell.cell_type == "code":
                cell.metadata["jupyter"] = {"source_hidden": True}
            else:
                title = cell.metadata.get("fold", _TITLE)
                cell.source = _FOLDED.format(title=title, text=cell.source)
    return notebook


def _digest(notebook):
    """What a student edits: the text of the cells, in order."""
    sources = [(cell.cell_type, cell.source.strip()) for cell in notebook.cells]
    return hashlib.sha256(repr(sources).encode()).hexdigest()


def _free(mine, stem):
    number = 1
    while (path := mine / f"{stem} (new {number}).ipynb").exists():
        number += 1
    return path


if __name__ == "__main__":
    print(*update(), sep="\n")
