"""What a check leaves in a notebook for programs that read it, seen in a real kernel."""

import nbformat
import pytest

from helpers import __version__
from helpers.checks import source
from helpers.lessons import formula
from helpers.publish.lesson import client

HELPED = """
import numpy as np
from helpers.lessons import formula

def exponent(d_model):
    return -2 * np.arange(d_model // 2) / d_model
"""
SPEEDS = """
def angular_speeds(d_model):
    # a comment, and an empty line

    return 10_000.0 ** exponent(d_model)
"""
CELLS = (
    HELPED + SPEEDS + "\nformula.angular_speeds.check(angular_speeds)",
    "formula.angular_speeds.check(lambda d: np.ones(d // 2))",
    f"{formula.angular_speeds.stub}\nformula.angular_speeds.check(angular_speeds)",
    'formula.frozen_hands.check(" A) ")\nformula.frozen_hands.check("z")',
)


@pytest.fixture(scope="module")
def outputs():
    """The outputs of each of the cells."""
    made = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    notebook = nbformat.v4.new_notebook(cells=made)
    client(notebook).execute()
    return [cell.outputs for cell in notebook.cells]


def test_the_record_says_what_was_judged_and_how(outputs):
    (right,), (wrong,), (stub,), (chosen, none) = (
        [output.metadata["helpers"] for output in each] for each in outputs
    )
    of_all = {"task": "formula.angular_speeds", "edition": __version__}
    helper = HELPED.split("\n\n")[1]
    digest = [source.digest(code.split("\n")) for code in (SPEEDS, helper)]
    assert right.items() >= {**of_all, "status": "correct", "digest": digest}.items()
    assert right["mistake"] is None and right["message"]
    assert wrong.items() >= {**of_all, "status": "incorrect"}.items()
    assert wrong["mistake"] and wrong["digest"] == [source.digest([CELLS[1]])]
    assert stub["status"] == "not attempted"
    assert (chosen["task"], chosen["choice"]) == ("formula.frozen_hands", "a")
    assert (none["mistake"], none["choice"]) == ("no such choice", None)


def test_where_metadata_is_dropped_the_text_has_status_and_mistake(outputs):
    (right,), (wrong,), (stub,), _ = outputs
    mistake = wrong.metadata["helpers"]["mistake"]
    of_all = "[formula.angular_speeds: "
    assert right.data["text/plain"].endswith(f"\n{of_all}correct]")
    assert wrong.data["text/plain"].endswith(f"\n{of_all}incorrect: {mistake}]")
    # What a notebook is handed out with is as it was.
    assert of_all not in stub.data["text/plain"] + wrong.data["text/markdown"]
