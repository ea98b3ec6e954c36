"""Every cell can be run twice in a row with the same result, pictures included.

Each notebook runs as a student has it who has solved all: the solutions in their cells.
What differs from one run of a cell to the next shows after a few steps of training, so
training is cut short; that it comes out as stored, whole, is what `make test` sees.
"""

import base64
import copy
import io

import nbformat
import numpy as np
import pytest
from PIL import Image
from stored import every_notebook, is_compared, read, said

from helpers.marks.__main__ import tasks_of
from helpers.marks.reading import verdicts
from helpers.publish import editions
from helpers.publish.lesson import client, read_lesson

# What is written in a notebook that trains, and what is run in its place.
SHORTER = {
    "06_encoder_decoder": {"epochs=6": "epochs=1", ".run(6)": ".run(1)"},
    "07_rotary": {"steps=120": "steps=3", "steps=240": "steps=3"},
    "08_language_model": {
        "LENGTH, RATE = 400,": "LENGTH, RATE = 20,",
        "- length, 2 * length": "- length, 40 * length",  # text to measure with
    },
    "09_beyond": {"steps=400": "steps=20"},
    "10_engine": {
        "engine.model.text()": "engine.model.text(); engine.model.STEPS = 20"
    },
}
# Processors and library builds move the edges of a drawing a little: at most 0.00035 of
# the pixels. Two swapped labels of a legend move 0.003.
GREY_LEVELS, SHARE = 40, 0.001


def pictures(cell):
    """The Matplotlib pictures of a cell's outputs, as arrays of grey levels.

    A chart's picture is drawn with the fonts of the machine, so it is not compared; its
    specification is.
    """
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" in data and not any("vega" in kind for kind in data):
            image = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
            yield np.asarray(image.convert("L"), dtype=int)


def assert_same(new, old):
    """The outputs of two runs of a cell are the same."""
    assert said(new) == said(old), new.source
    for one, other in zip(pictures(new), pictures(old), strict=True):
        assert one.shape == other.shape, new.source
        assert (np.abs(one - other) > GREY_LEVELS).mean() <= SHARE, new.source


def solved(lesson):
    """The notebook with its solutions, and little training."""
    notebook, shorter = editions.filled(lesson), SHORTER.get(lesson.stem, {})
    for long, short in shorter.items():
        assert any(long in cell.source for cell in notebook.cells), long
        for cell in notebook.cells:
            cell.source = cell.source.replace(long, short)
    return notebook


def as_stored(lesson):
    """The cells whose outputs are the stored ones although the stubs are filled in."""
    cells = range(len(lesson.notebook.cells))
    if lesson.stem in SHORTER:
        return set()
    own = {
        number
        for placed in lesson.tasks
        for number in range(
            placed.stub_cell or placed.check_cell, placed.check_cell + 1
        )
    }
    # What says whose code it is or how far one is, and what the stubs' patients do.
    whose = (".yours_or_ours(", ".progress(", "Patient")
    return {
        number
        for number in set(cells) - own
        if not any(part in lesson.notebook.cells[number].source for part in whose)
    }


@pytest.mark.slow  # `make rerun`; CI runs it after the other tests
@every_notebook
def test_cells_give_the_same_again_and_every_solution_is_correct(path):
    lesson = read_lesson(path)
    notebook, stored, same = solved(lesson), read(path).cells, as_stored(lesson)
    runner = client(notebook, path.parent)
    with runner.setup_kernel():
        for number, cell in enumerate(notebook.cells):
            first = copy.deepcopy(runner.execute_cell(cell, number))
            again = runner.execute_cell(cell, number)
            if cell.cell_type == "code" and is_compared(cell):
                assert_same(again, first)
                if number in same:
                    assert_same(again, stored[number])
    # Whoever hands it in so gets every mark, without its being run again.
    tasks = tasks_of([path.stem])
    (marks,) = verdicts(nbformat.writes(notebook).encode(), tasks).values()
    correct = {"correct"} if lesson.tasks else set()
    assert {verdict.status for verdict in marks.values()} == correct
