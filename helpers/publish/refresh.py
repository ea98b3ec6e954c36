"""Re-execute the notebooks and store their outputs: `make refresh [NOTEBOOK=03]`.

``python -m helpers.publish.refresh [03 04 …]``: all, or those whose names begin so.

A notebook in which nothing is new but what is never twice the same (a timing, in a
cell that nbval does not compare) keeps its file to the byte; ``--everything`` stores
such cells too, after a change to what they draw.
"""

import copy
import sys

import nbformat

from helpers.publish.lesson import client, notebook_paths


def steady(notebook):
    """What must be the same in two runs: all but the outputs that vary by nature."""
    part = copy.deepcopy(notebook)
    for cell in part.cells:
        tags = cell.metadata.get("tags", [])
        if {"nbval-ignore-output", "nbval-skip"} & set(tags):
            cell.outputs = []
    return part


def refresh(path, everything=False):
    """Store fresh outputs, where what is compared has changed; returns whether."""
    old = nbformat.read(path, as_version=4)
    new = copy.deepcopy(old)
    client(new, path.parent).execute()
    changed = everything or steady(new) != steady(old)
    if changed:
        nbformat.write(new, path)
    return changed


if __name__ == "__main__":
    everything = "--everything" in sys.argv
    wanted = (a for a in sys.argv[1:] if a != "--everything")
    for notebook in notebook_paths(*wanted):
        stored = refresh(notebook, everything)
        print(notebook.name, "stored" if stored else "is up to date")
