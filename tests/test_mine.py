"""The student's copies: made when missing, never overwritten, new editions beside."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from stored import every_notebook, read

from helpers import mine

ANSWER = "def f(x):\n    return 2 * x"


def write(folder, source):
    output = new_output("stream", text="the answer\n")
    cell = new_code_cell(source, outputs=[output], execution_count=1, id="a")
    nbformat.write(new_notebook(cells=[cell]), folder / "01_formula.ipynb")


def sources(folder):
    return {
        path.name: [cell.source for cell in nbformat.read(path, as_version=4).cells]
        for path in folder.glob("*.ipynb")
    }


@pytest.fixture
def folders(tmp_path):
    given, own = tmp_path / "notebooks", tmp_path / "mine"
    given.mkdir()
    write(given, "f = ...")
    assert mine.update(given, own) == []
    (cell,) = nbformat.read(own / "01_formula.ipynb", as_version=4).cells
    assert (cell.outputs, cell.execution_count) == ([], None)
    return given, own


def test_what_answers_a_question_is_folded():
    tagged = {"tags": ["reveal"]}
    cells = [new_markdown_cell("It's *c*.", metadata=tagged)]
    cells += [new_code_cell(ANSWER, metadata=tagged), new_markdown_cell("Go on.")]
    cells += [new_markdown_cell("{1}", metadata={**tagged, "fold": "Why it is one"})]
    text, code, plain, named = mine.for_students(new_notebook(cells=cells)).cells
    assert text.source.startswith("<details><summary>What you should have seen<")
    assert named.source.startswith("<details><summary>Why it is one</summary>\n\n{1}")
    assert text.source.endswith("</summary>\n\nIt's *c*.\n\n</details>")
    assert (code.source, code.metadata.jupyter) == (ANSWER, {"source_hidden": True})
    assert plain.source == "Go on."


# Below these, no cell on the same screen tells what they ask.
OPEN = {None, "mirror"}


@every_notebook
def test_below_each_question_what_answers_it_is_folded(path):
    asked = None
    for cell in read(path).cells:
        if "reveal" in cell.metadata.get("tags", []):
            asked = None
        elif "question" in cell.metadata:
            assert asked in OPEN
            asked = cell.metadata["question"]
    assert asked in OPEN


def test_an_untouched_copy_follows_a_new_edition(folders):
    write(folders[1], "f = ...")  # run and saved, nothing edited
    write(folders[0], "f = ...  # new")
    (told,) = mine.update(*folders)
    assert "follows" in told
    assert sources(folders[1]) == {"01_formula.ipynb": ["f = ...  # new"]}


def test_a_new_edition_stands_beside_an_edited_copy_once(folders):
    write(folders[1], ANSWER)
    assert mine.update(*folders) == []
    for number, source in enumerate(("second edition", "third edition"), start=1):
        write(folders[0], source)
        (told,) = mine.update(*folders)
        assert f"01_formula (new {number}).ipynb" in told
        assert mine.update(*folders) == []
    assert sources(folders[1]) == {
        "01_formula.ipynb": [ANSWER],
        "01_formula (new 1).ipynb": ["second edition"],
        "01_formula (new 2).ipynb": ["third edition"],
    }


def test_a_damaged_copy_is_not_overwritten(folders):
    (folders[1] / "01_formula.ipynb").write_text("{", encoding="utf-8")
    write(folders[0], "f = ...  # new")
    mine.update(*folders)
    assert (folders[1] / "01_formula.ipynb").read_text(encoding="utf-8") == "{"
