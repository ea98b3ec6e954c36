"""The guide for authors works as it is written: its example is followed line by line."""

import importlib
import re
import sys
import textwrap

import pytest
from answers import answer
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from stored import ROOT

from helpers import __version__
from helpers.publish import lesson
from helpers.publish.question_cells import with_questions

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
EXAMPLE = GUIDE.split("## An exercise")[1].split("\n## ")[0]
INIT = '''"""A lesson of one exercise."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(__name__, ["turns", "how_often"])
progress = TASKS.progress
'''


def block(language, number=0):
    """A code block of the worked example."""
    found = re.findall(rf"^   ```{language}\n(.*?)^   ```$", EXAMPLE, re.M | re.S)
    return textwrap.dedent(found[number])


QUESTION = re.search(r"^```toml\n(.*?)^```$", GUIDE, re.M | re.S)[1]


@pytest.fixture
def area(tmp_path, monkeypatch):
    """The example as a lesson of its own, from files, as an author has it."""
    folder = tmp_path / "guide_lesson"
    folder.mkdir()
    for name, text in {
        "__init__.py": INIT,
        "turns.py": block("python"),
        "turns.toml": block("toml"),
        "questions.toml": QUESTION,
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("guide_lesson")
    for name in [n for n in sys.modules if n.startswith("guide_lesson")]:
        del sys.modules[name]


def test_the_solution_passes_the_stub_is_not_attempted_and_mistakes_are_named(area):
    turns = area.turns
    assert turns.judge(turns.reference).status == "correct"
    assert turns.judge(answer(turns.stub)).status == "not attempted"
    assert len(turns.mistakes) == 2
    for mistake in turns.mistakes:
        assert turns.judge(mistake.answer).mistake == mistake.name
    feedback = turns.judge(answer(block("text", 3)))
    assert feedback.mistake and "line 2" in feedback.message
    assert area.how_often.judge("a").status == "correct"
    names = {"formula": area, "turns": answer(turns.stub)}
    exec(block("python", 1), names)
    assert names["rounds_of"] is turns.reference


def test_its_cells_are_found_in_a_notebook(area):
    heading, stub, check = (block("text", n) for n in range(3))
    assert stub.strip() == area.turns.stub.strip()
    prose = ("# 01 · A title", "## 1. One (5 min)", heading.strip())
    code = (stub.strip(), check.strip(), "formula.how_often.check(...)")
    cells = [*map(new_markdown_cell, prose), *map(new_code_cell, code)]
    *_, question, _ = with_questions(cells, area.TASKS)
    assert question.source == area.how_often.markdown()
    one = lesson.outline("01_formula", new_notebook(cells=cells), area.TASKS)
    placed, _ = one.tasks
    assert (placed.label, placed.minutes) == ("exercise 1.9, turns", 3)


def test_the_guide_names_files_that_are_there():
    for name in re.findall(r"`((?:helpers|tests|notebooks)/[\w./]+\.\w+)`", GUIDE):
        if "area" not in name and "NN" not in name:
            assert (ROOT / name).exists(), name


def test_the_changes_begin_with_the_version():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)$", changes, re.M)[1] == __version__
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{__version__}"' in project
