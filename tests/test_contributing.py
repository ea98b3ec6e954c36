"""The guide for authors works as it is written: its example is followed line by line."""

import importlib.util
import re
import sys
import textwrap
import tomllib

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from stored import ROOT

from helpers.exercises import formula
from helpers.publishing import editions, lesson

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ASK = "**Ask.** Why?\n\n**Expect.** Because."
EXAMPLE = GUIDE.split("## An exercise")[1].split("\n## ")[0]


def blocks(language):
    """The code blocks of the worked example, in order."""
    found = re.findall(rf"^   ```{language}\n(.*?)^   ```$", EXAMPLE, re.M | re.S)
    return [textwrap.dedent(block) for block in found]


@pytest.fixture
def area(tmp_path):
    """The example as a module of exercises, from a file, as an author has it."""
    code, _ = blocks("python")
    path = tmp_path / "guide_example.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[path.stem]


def test_the_solution_passes_the_stub_is_not_attempted_and_slips_are_named(area):
    (turns,) = area.EXERCISES
    assert turns.judge(turns.reference).status == "correct"
    namespace = {}
    exec(turns.stub, namespace)
    assert turns.judge(namespace["turns"]).status == "not attempted"
    assert len(turns.mistakes) == 2
    for mistake in turns.mistakes:
        assert turns.judge(mistake.answer).mistake == mistake.name


def test_the_wrong_answer_of_the_example_is_told_where_it_goes_wrong(area, tmp_path):
    _, code = blocks("python")
    typed = tmp_path / "typed.py"  # as a notebook has it: with its lines
    typed.write_text(code, encoding="utf-8")
    namespace = {"turns": area.turns, "np": area.np}
    exec(compile(code, str(typed), "exec"), namespace)
    feedback = namespace["feedback"]
    assert feedback.status == "incorrect" and feedback.mistake
    assert "look at the operator" in feedback.message


def test_its_cells_are_found_and_shown_in_the_instructors_edition(area):
    heading, stub, check, helps = blocks("text")
    assert stub.strip() == area.turns.stub.strip()
    notebook = nbformat.v4.new_notebook(
        cells=[
            new_markdown_cell("# 01 · A title"),
            new_markdown_cell("## 1. One (5 min)"),
            new_markdown_cell(heading.strip()),
            *(new_code_cell(source.strip()) for source in (stub, check, helps)),
        ]
    )
    one = lesson.outline("01_small", notebook, "formula", area.EXERCISES)
    (placed,) = one.tasks
    assert (placed.label, placed.minutes, placed.path) == (
        "exercise 1.9, turns",
        3,
        "core",
    )
    notes = lesson.Notes("n", one.title, "Before.", {1: ("One", ASK)}, "After.")
    given = editions.annotated(one, notes, editions.filled(one))
    text = "\n".join(cell.source for cell in given.cells)
    for part in (
        area.turns.solution_code.strip(),
        "whole turns only",
        "ignores the period",
    ):
        assert part in text
    assert all(hint in text for hint in area.turns.hints)


def test_the_guide_names_files_and_targets_that_are_there():
    for name in re.findall(r"`((?:helpers|tests|notebooks)/[\w./]+\.\w+)`", GUIDE):
        if "area" not in name and "NN" not in name:
            assert (ROOT / name).exists(), name
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`?make (\w+)", GUIDE)) - {"it"}:
        assert re.search(rf"^{target}:", makefile, re.M), target
    assert formula.EXERCISES


def test_the_changes_begin_with_the_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (newest, *_) = re.findall(r"^## (\S+)$", changes, re.M)
    assert newest == project["project"]["version"]
