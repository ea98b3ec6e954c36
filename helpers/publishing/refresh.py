"""Re-execute the notebooks and store their outputs: `make refresh [NOTEBOOK=03]`.

``python -m helpers.publishing.refresh [03 04 …]``: all, or those whose names begin so.

A notebook in which nothing is new but what is never twice the same (a timing, in a
cell that nbval does not compare) keeps its file to the byte; ``--everything`` stores
such cells too, after a change to what they draw.
"""

import copy
import sys

import nbformat

from helpers.publishing.cover import store_cover
from helpers.publishing.lesson import client, notebook_paths


def executed(notebook, folder):
    """A copy of a notebook, run from top to bottom in a new kernel."""
    new = copy.deepcopy(notebook)
    client(new, folder).execute()
    return new


def is_compared(cell):
    """Whether nbval compares the cell's outputs."""
    tags = cell.metadata.get("tags", [])
    return not {"nbval-ignore-output", "nbval-skip"} & set(tags)


def steady(notebook):
    """What must be the same in two runs: all but the outputs that vary by nature."""
    part = copy.deepcopy(notebook)
    for cell in part.cells:
        if cell.cell_type == "code" and not is_compared(cell):
            cell.outputs = []
    return part


def refresh(path, everything=False):
    """Store fresh outputs, where what is compared has changed; returns whether."""
    old = nbformat.read(path, as_version=4)
    new = executed(old, path.parent)
    changed = everything or steady(new) != steady(old)
    if changed:
        nbformat.write(new, path)
    return changed


if __name__ == "__main__":
    everything = "--everything" in sys.argv
    wanted = tuple(a for a in sys.argv[1:] if a != "--everything") or ("",)
    for notebook in notebook_paths():
        if notebook.stem.startswith(wanted):
            stored = refresh(notebook, everything)
            print(notebook.name, "stored" if stored else "is up to date")
    store_cover()
