"""The student and the instructor edition, and the notes that they are made from."""

import copy
import os
import re
import zipfile
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from stored import NOTEBOOKS, lesson_of, name_of

from helpers.lessons import formula
from helpers.publish import editions, handout, lesson
from helpers.publish.lesson import BuildError, Notes, read_notes
from helpers.publish.pages import notes_page

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
LESSONS = [lesson_of(path) for path in NOTEBOOKS]


@every_notebook
def test_the_notes_fit_their_notebook(path):
    notes, sections = read_notes(path.stem), lesson_of(path).sections
    assert notes.title == lesson_of(path).title
    titles = {number: title for number, (title, _) in notes.sections.items()}
    assert titles == {section.number: section.title for section in sections}
    for number, (_, text) in notes.sections.items():
        parts = re.findall(r"^\*\*(Ask|Expect)\.\*\*", text, re.MULTILINE)
        assert parts and parts == ["Ask", "Expect"] * (len(parts) // 2), number


def test_the_notes_can_be_printed():
    text = notes_page(LESSONS, [read_notes(one.stem) for one in LESSONS])
    assert text.count("<article>") == len(LESSONS)
    assert text.count("<h2>") >= sum(len(one.sections) + 2 for one in LESSONS)
    loaded = re.findall(r"(?:src|href|url)\W{1,2}(\w+:)", text)
    assert "@page" in text and set(loaded) == {"data:"}


# --------------------------------------------------------------- the student edition


@every_notebook
def test_students_get_the_same_cells_without_outputs(path):
    stored, given = lesson_of(path).notebook, editions.student(lesson_of(path))
    for old, new in zip(stored.cells, given.cells, strict=True):
        assert (old.id, old.source, old.metadata) == (new.id, new.source, new.metadata)
        assert not new.get("outputs") and not new.get("execution_count")
    assert any(cell.get("outputs") for cell in stored.cells), "the original is kept"


@pytest.fixture(scope="module")
def unzipped(tmp_path_factory):
    """The student edition as a student has it: unzipped in a folder of their own."""
    folder = tmp_path_factory.mktemp("class")
    os.environ.pop("SOURCE_DATE_EPOCH", None)
    plain = [editions.student(one) for one in LESSONS]
    _, archive = handout.write(folder / "build", "student", LESSONS, plain)
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(folder)
    return folder / "positional-encoding"


def test_the_zip_is_the_folder_and_the_same_in_each_build(
    unzipped, tmp_path, monkeypatch
):
    plain = [editions.student(one) for one in LESSONS]
    folder, archive = handout.write(tmp_path, "student", LESSONS, plain)
    first = unzipped.parent / "build" / "student.zip"
    assert archive.read_bytes() == first.read_bytes()
    files = [p.relative_to(folder) for p in folder.rglob("*") if p.is_file()]
    assert len(files) > 30
    for file in files:
        assert (unzipped / file).read_bytes() == (folder / file).read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    _, archive = handout.write(tmp_path, "student", LESSONS, plain)
    with zipfile.ZipFile(archive) as zipped:
        assert {i.date_time for i in zipped.infolist()} == {(2023, 11, 14, 22, 13, 20)}


def test_what_the_handout_installs_is_there(unzipped):
    rooms = {path.name for path in (unzipped / "helpers").iterdir() if path.is_dir()}
    assert rooms == {"checks", "draw", "lessons"}
    assert not [*unzipped.rglob("exam.md"), *unzipped.rglob("notes.md")]
    pins = (unzipped / "requirements.txt").read_text(encoding="utf-8")
    assert "torch==" in pins and "jupyterlab==" in pins and "-e ." in pins
    assert "pytest" not in pins and "math-core" not in pins
    own = ("pyproject.toml", "LICENSE", ".gitignore", "runtime.txt")  # the last: Binder
    assert all((unzipped / name).is_file() for name in own)


def test_the_handout_speaks_of_nothing_that_is_not_there(unzipped):
    readme = (unzipped / "README.md").read_text(encoding="utf-8")
    for one in LESSONS:
        assert f"(notebooks/{one.stem}.ipynb) | {one.minutes} |" in readme
    assert "$" not in readme, "a name of the template was not filled in"
    for path in (p for p in unzipped.rglob("*") if p.is_file()):
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"\b(?:tests|publish|build)/\w+", text), path.name
        if path.suffix == ".ipynb":
            cells = nbformat.reads(text, as_version=4).cells
            text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
        if path.suffix in (".md", ".ipynb"):
            for target in re.findall(r"\]\(([^)#]+)\)", text):
                assert (path.parent / target).exists(), target


def test_an_edition_replaces_itself_and_nothing_else(tmp_path):
    mine = tmp_path / "student"
    mine.mkdir()
    (mine / "marks.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BuildError, match="is not an edition"):
        handout.write(tmp_path, "student", [], [])
    assert (mine / "marks.txt").read_text(encoding="utf-8") == "mine"
    (mine / "marks.txt").unlink()
    handout.write(tmp_path, "student", [], [])
    handout.write(tmp_path, "student", [], [])


# ------------------------------------------------------------ the instructor edition


@pytest.fixture(scope="module")
def given():
    """A lesson, the instructor's notebook of it (not executed) and what is added."""
    one = LESSONS[0]
    made = editions.annotated(one, read_notes(one.stem), editions.filled(one))
    added = [c for c in made.cells if editions.TAG in c.metadata.get("tags", [])]
    return SimpleNamespace(lesson=one, cells=made.cells, added=added, notebook=made)


def test_instructors_get_the_solutions_and_the_right_letters(given):
    own = [cell for cell in given.cells if cell not in given.added]
    assert [c.id for c in own] == [c.id for c in given.lesson.notebook.cells]
    sources = [cell.source.strip() for cell in own]
    for placed in given.lesson.tasks:
        if placed.task.kind == "exercise":
            assert placed.task.solution_code.strip() in sources
            assert placed.task.stub.strip() not in sources
        else:
            assert f'{placed.call}.check("{placed.task.answer}")' in sources


def test_what_students_are_told_stands_below_each_check(given):
    added = {cell.id: cell.source for cell in given.added}
    cells = given.lesson.notebook.cells
    for placed in given.lesson.tasks:
        near = [f"{cells[placed.check + n].id}-answers" for n in (1, 0)]
        text = next(added[name] for name in near if name in added)
        flat, told = _flat(text.replace("\n>", "\n")), list(placed.task.hints)
        if placed.task.kind == "exercise":
            told += [mistake.sentence for mistake in placed.task.mistakes]
        else:
            told += [choice.feedback for choice in placed.task.choices.values()]
            assert flat.count("✔ right") == 1
        assert all(_flat(one) in flat for one in told), placed.call
        assert text.count("<details>") == text.count("</details>")


def _flat(text):
    return " ".join(text.split())


def test_the_plan_has_a_clock_and_the_notes_stand_at_their_section():
    cells = ["# 01 · A title", "## 1. One (20 min)", "## 2. $|p|$ (45 min)\n\nText."]
    notebook = new_notebook(cells=[new_markdown_cell(cell) for cell in cells])
    small = lesson.outline("01_formula", notebook, ())
    sections = {1: ("One", "**Ask.** Why?\n\n**Expect.** So."), 2: ("$|p|$", "How?")}
    notes = Notes(small.title, "Prepare.", sections, "Exit.")
    made = editions.annotated(small, notes, copy.deepcopy(notebook))
    text = "\n".join(cell.source for cell in made.cells)
    assert r"| 0:20 | 2. $\vert p\vert $ | 45 | none |" in text
    assert "| 1:05 | end | 65 in all | |" in text
    assert "section 2: 45 minutes, 0:20 to 1:05**\n>\n> How?" in text
    assert "Why?\n>\n> **Expect.** So." in text, "each part is a paragraph"
    order = ["# 01", "plan", "Prepare", "## 1.", "Why?", "## 2.", "How?", "Exit"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


# ----------------------------------------------------------------- really executed


@pytest.fixture
def one_exercise():
    """A lesson with one exercise and one question."""
    speeds, frozen = formula.angular_speeds, formula.frozen_hands
    cells = [
        new_markdown_cell("# 01 · A title"),
        new_markdown_cell("## 1. One (9 min)"),
        new_code_cell("import numpy as np\n\nfrom helpers.lessons import formula"),
        new_code_cell(speeds.stub),
        new_code_cell("formula.angular_speeds.check(angular_speeds)"),
        new_code_cell("formula.frozen_hands.ask()"),
        new_code_cell("formula.frozen_hands.check(...)"),
    ]
    notebook = new_notebook(cells=cells)
    return lesson.outline("01_formula", notebook, (speeds, frozen))


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        ("def angular_speeds(d_model):\n    return np.ones(4)\n", "is not correct: ✘"),
        ("angular_speeds = missing\n", "ends in NameError"),
    ],
)
def test_a_broken_solution_stops_the_build(one_exercise, monkeypatch, solution, said):
    monkeypatch.setattr(formula.angular_speeds, "solution_code", solution)
    with pytest.raises(BuildError, match=said) as caught:
        editions.executed(one_exercise)
    assert str(caught.value).startswith("01_formula: ")


@pytest.mark.slow
def test_a_student_can_run_a_notebook_with_the_unzipped_files_alone(unzipped):
    path = unzipped / "notebooks" / "04_distances.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_code_cell("import helpers\nprint(helpers.__file__)"))
    client = NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute(env={**os.environ, "PYTHONPATH": str(unzipped)})
    place = Path(notebook.cells[-1].outputs[0].text.strip())
    assert place == unzipped / "helpers" / "__init__.py"
