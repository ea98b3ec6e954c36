"""Every cell can be run again, twice in a row, with the same result, pictures included."""

import base64
import copy
import io
import time

import nbformat
import numpy as np
import pytest
from PIL import Image
from stored import every_notebook, is_compared, read, said

from helpers.marks.__main__ import tasks_of
from helpers.marks.reading import verdicts
from helpers.publish import editions
from helpers.publish.lesson import client, read_lesson

# Processors and library builds move the edges of a drawing a little: at most 0.00035 of
# the pixels. Two swapped labels of a legend move 0.003.
GREY_LEVELS, SHARE = 40, 0.001


def pictures(cell):
    """The Matplotlib pictures that a cell stores, as arrays of grey levels.

    A chart's picture is drawn with the fonts of the machine, so it is not compared; its
    specification is.
    """
    found = []
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" in data and not any("vega" in kind for kind in data):
            image = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
            found.append(np.asarray(image.convert("L"), dtype=int))
    return found


@pytest.mark.slow  # `make rerun`; CI runs it after the other tests
@every_notebook
def test_cells_give_the_same_again_and_every_solution_is_correct(path):
    """One kernel for both: every cell twice, and after each stub's check its solution."""
    stored, lesson = read(path), read_lesson(path)
    filled = editions.filled(lesson)
    compared = 0
    runner = client(copy.deepcopy(stored), path.parent)
    with runner.setup_kernel():

        def run(cell, number):
            return runner.execute_cell(copy.deepcopy(cell), number)

        for number, cell in enumerate(stored.cells):
            for _ in range(2 if cell.cell_type == "code" else 0):
                begin = time.monotonic()
                again = run(cell, number)
                spent = time.monotonic() - begin
                assert spent < 10 * cell.metadata.get("seconds", 5), (
                    "state its `seconds`"
                )
                if cell.source.endswith(".progress()"):
                    every = f"{len(lesson.tasks)} of {len(lesson.tasks)} correct"
                    assert said(again)[0].startswith(every)
                elif is_compared(cell) and ".yours_or_ours(" not in cell.source:
                    assert said(again) == said(cell), cell.source
                    both = zip(pictures(again), pictures(cell), strict=True)
                    for new, old in both:
                        compared += 1
                        assert new.shape == old.shape, cell.source
                        off = np.abs(new - old) > GREY_LEVELS
                        assert off.mean() <= SHARE, cell.source
            for task in (t for t in lesson.tasks if t.check == number):
                # A solution may call what an earlier exercise defines.
                given = [t.stub_cell for t in lesson.tasks if t.stub_cell is not None]
                given = [n for n in given if n <= number]
                for cell in given:
                    run(filled.cells[cell], cell)
                checked = run(filled.cells[number], number)
                told = said(checked)
                assert any(t.startswith("✔ ") for t in told), (task.call, told)
                filled.cells[number].outputs = checked.outputs
                for cell in given:  # what follows is stored as the stubs have it
                    run(stored.cells[cell], cell)
    assert compared
    # And whoever hands it in so gets every mark, without its being run again.
    tasks = tasks_of([path.stem])
    (marks,) = verdicts(nbformat.writes(filled).encode(), tasks).values()
    correct = {"correct"} if lesson.tasks else set()
    assert {verdict.status for verdict in marks.values()} == correct
