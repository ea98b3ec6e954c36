"""Each test of a claim names the cells of its notebook whose sentences it recomputes."""

import ast
from importlib import import_module
from pathlib import Path

import pytest
from stored import notebook_of, read

from helpers.lessons import AREAS

HERE = Path(__file__).parent
LESSONS = HERE.parents[1] / "helpers" / "lessons"


def named(test):
    """What a test's ``@cells(...)`` names."""
    return {
        name.value
        for decorator in test.decorator_list
        if ast.unparse(decorator).startswith("cells(")
        for name in decorator.args
    }


@pytest.mark.parametrize("area", AREAS)
def test_every_claim_names_what_it_recomputes(area):
    tree = ast.parse((HERE / f"test_{area}_claims.py").read_text(encoding="utf-8"))
    tests = [n for n in tree.body if getattr(n, "name", "").startswith("test_")]
    there = {cell.id for cell in read(notebook_of(area)).cells}
    there |= {path.stem for path in (LESSONS / area).iterdir()}  # notes, an exercise
    tasks = import_module(f"helpers.lessons.{area}").TASKS
    there |= {task.name for task in tasks}  # a question
    assert tests
    for test in tests:
        assert named(test), f"{test.name} names no cell"
        gone = named(test) - there
        assert not gone, f"{test.name}: the lesson has no cell {gone}"
