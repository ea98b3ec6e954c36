"""Each test of a claim names the cells of its notebook whose sentences it recomputes."""

from importlib import import_module

import pytest
from stored import notebook_of, read

from helpers.lessons import AREAS


@pytest.mark.parametrize("area", AREAS)
def test_every_claim_names_what_it_recomputes(area):
    claims = vars(import_module(f"test_{area}_claims"))
    tests = [test for name, test in claims.items() if name.startswith("test_")]
    tasks = import_module(f"helpers.lessons.{area}").TASKS
    there = {part.id for part in read(notebook_of(area)).cells}
    there |= {"notes", "exam", *(task.name for task in tasks)}
    assert tests
    for test in tests:
        gone = test.cells - there
        assert not gone, f"{test.__name__}: the lesson has no cell {gone}"
