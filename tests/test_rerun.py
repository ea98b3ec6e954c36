"""Every cell can be run again: twice in a row, with the same result."""

import copy

import pytest
from nbclient import NotebookClient
from stored import NOTEBOOKS, name_of, read, said

from helpers.publishing.refresh import is_compared


@pytest.mark.slow  # `make rerun`; CI runs it after the other tests
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name_of)
def test_cells_give_the_same_again(notebook):
    stored = read(notebook)
    client = NotebookClient(
        copy.deepcopy(stored),
        timeout=120,
        resources={"metadata": {"path": str(notebook.parent)}},
    )
    with client.setup_kernel():
        for number, cell in enumerate(stored.cells):
            for _ in range(2 if cell.cell_type == "code" else 0):
                again = client.execute_cell(copy.deepcopy(cell), number)
                if is_compared(cell):
                    assert said(again) == said(cell), cell.source
