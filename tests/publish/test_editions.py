"""The student and the instructor edition, and the notes that they are made from."""

import copy
import os
import re
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from stored import NOTEBOOKS, every_notebook, lesson_of

from helpers.lessons import formula
from helpers.publish import editions, handout, lesson
from helpers.publish.lesson import BuildError, Notes, read_notes
from helpers.publish.pages import notes_page

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


@every_notebook
def test_students_get_the_same_cells_without_outputs(path):
    stored, given = lesson_of(path).notebook, editions.student(lesson_of(path))
    for old, new in zip(stored.cells, given.cells, strict=True):
        assert old.id == new.id and old.source in new.source
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


def test_the_zip_is_the_same_in_each_build(unzipped, tmp_path, monkeypatch):
    plain = [editions.student(one) for one in LESSONS]
    _, archive = handout.write(tmp_path, "student", LESSONS, plain)
    first = unzipped.parent / "build" / "student.zip"
    assert archive.read_bytes() == first.read_bytes()
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
    own = ("pyproject.toml", "LICENSE", ".gitignore", ".binder/requirements.txt")
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
    mine = tmp_path / "student" / "marks.txt"
    mine.parent.mkdir()
    mine.touch()
    with pytest.raises(BuildError, match="is not an edition"):
        handout.write(tmp_path, "student", [], [])
    mine.unlink()  # it is still there
    for _ in range(2):
        handout.write(tmp_path, "student", [], [])


def test_what_students_are_told_stands_below_each_check():
    one = LESSONS[0]
    made = editions.annotated(one, read_notes(one.stem), editions.filled(one)).cells
    added = {c.id: c.source for c in made if editions.TAG in c.metadata.get("tags", [])}
    cells = one.notebook.cells
    assert [cell.id for cell in made if cell.id not in added] == [c.id for c in cells]
    for placed in one.tasks:
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
    order = ["# 01", "plan", "Prepare", "## 1.", "Why?\n>\n> **Expect", "## 2.", "Exit"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("task", "part", "wrong", "said"),
    [
        (formula.frozen_hands, "answer", "z", "formula.frozen_hands is not correct: ✘"),
        (formula.angular_speeds, "solution_code", "1 / 0", "ends in ZeroDivisionError"),
    ],
)
def test_a_broken_solution_stops_the_build(monkeypatch, task, part, wrong, said):
    monkeypatch.setattr(task, part, wrong)
    stored = LESSONS[0].notebook.cells
    check = next(one.check for one in LESSONS[0].tasks if one.task is task)
    begin = new_code_cell("from helpers.lessons import formula")
    cells = [new_markdown_cell("# 01\n\n## 1. One (1 min)"), begin]
    small = new_notebook(cells=cells + stored[check - 2 : check + 1])
    with pytest.raises(BuildError, match=f"01_formula: .*{said}"):
        editions.executed(lesson.outline("01_formula", small, [task]))


@pytest.mark.slow
def test_a_student_can_run_a_notebook_with_the_unzipped_files_alone(unzipped):
    path = unzipped / "notebooks" / "04_distances.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_code_cell("import helpers\nprint(helpers.__file__)"))
    runner = lesson.client(notebook, path.parent)
    runner.execute(env={**os.environ, "PYTHONPATH": str(unzipped)})
    place = Path(notebook.cells[-1].outputs[0].text.strip())
    assert place == unzipped / "helpers" / "__init__.py"
