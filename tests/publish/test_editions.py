"""The student and the instructor edition, and the notes that they are made from."""

import io
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from stored import NOTEBOOKS, ROOT, every_notebook, lesson_of

from helpers.lessons import formula
from helpers.publish import editions, lesson
from helpers.publish.lesson import BuildError, read_notes

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
    _, archive = editions.write_student(folder / "build", LESSONS)
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(folder)
    return folder / "positional-encoding"


def test_what_a_student_runs_is_there_and_nothing_of_the_instructors(unzipped):
    rooms = {path.name for path in (unzipped / "helpers").iterdir() if path.is_dir()}
    assert not rooms & {"marks", "publish"} and rooms >= {"checks", "draw", "lessons"}
    assert not (unzipped / "tests").exists()
    assert not [*unzipped.rglob("exam.md"), *unzipped.rglob("notes.md")]
    own = ("requirements.txt", "pyproject.toml", "LICENSE", ".gitignore", "runtime.txt")
    assert all((unzipped / name).is_file() for name in own)


def test_git_archive_leaves_out_the_same_files():
    def git(*arguments):
        command = ["git", "-C", ROOT, *arguments]
        return subprocess.run(command, capture_output=True, check=True).stdout

    archive = io.BytesIO(git("archive", "--worktree-attributes", "HEAD"))
    with tarfile.open(fileobj=archive) as archived:
        names = {entry.name for entry in archived if entry.isfile()}
    tracked = git("ls-tree", "-r", "--name-only", "HEAD").decode().splitlines()
    assert names == set(editions.student_files()) & set(tracked)


def test_an_instructor_gets_solutions_notes_and_what_builds_an_edition(tmp_path):
    notes = [read_notes(one.stem) for one in LESSONS]
    plain = [editions.filled(one) for one in LESSONS]
    target, _ = editions.write_instructor(tmp_path, LESSONS, plain, notes)
    page = (target / "notes.html").read_text(encoding="utf-8")
    assert page.count("<article>") == len(LESSONS) and "@page" in page
    assert page.count("<h2>") >= sum(len(one.sections) + 2 for one in LESSONS)
    assert set(re.findall(r"(?:src|href|url)\W{1,2}(\w+:)", page)) == {"data:"}
    for one in LESSONS:
        path = target / "solutions" / f"{one.stem}.ipynb"
        text = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
        solved = [p.task for p in one.tasks if p.task.kind == "exercise"]
        assert all(task.solution_code.rstrip() in text for task in solved)
    # It has no git: .gitignore says what belongs to it.
    code = (
        "from helpers.publish import editions as e; print(e.ROOT, *e.student_files())"
    )
    own = {**os.environ, "PYTHONPATH": str(target)}
    listed = subprocess.check_output(
        [sys.executable, "-c", code], cwd=target, env=own, text=True
    )
    root, *files = listed.split()
    assert root == str(target) and files == editions.student_files()


def test_the_handout_speaks_of_nothing_that_is_not_there(unzipped):
    readme = (unzipped / "README.md").read_text(encoding="utf-8")
    for one in LESSONS:
        assert f"(notebooks/{one.stem}.ipynb) | {one.minutes} |" in readme
    assert "$" not in readme, "a name of the template was not filled in"
    pages = {path: path.read_text(encoding="utf-8") for path in unzipped.rglob("*.md")}
    for path in unzipped.rglob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        pages[path] = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    for path, text in pages.items():
        assert not re.findall(r"\b(?:tests|publish|build)/\w+", text), path.name
        for target in re.findall(r"\]\((?!\w+://)([^)#]+)\)", text):
            assert (path.parent / target).exists(), target


def test_an_edition_replaces_itself_and_nothing_else(tmp_path):
    mine = tmp_path / "student" / "marks.txt"
    mine.parent.mkdir()
    mine.touch()
    with pytest.raises(BuildError, match="is not an edition"):
        editions.write_student(tmp_path, LESSONS)
    mine.unlink()  # it is still there
    for _ in range(2):
        editions.write_student(tmp_path, LESSONS)


def test_a_broken_solution_stops_the_build(monkeypatch):
    task = formula.frozen_hands
    monkeypatch.setattr(task, "answer", "z")
    (first,) = [one for one in LESSONS if one.stem == "01_formula"]
    check = next(one.check_cell for one in first.tasks if one.task is task)
    begin = new_code_cell("from helpers.lessons import formula")
    cells = [new_markdown_cell("# 01\n\n## 1. One (1 min)"), begin]
    small = new_notebook(cells=[*cells, first.notebook.cells[check]])
    with pytest.raises(
        BuildError, match="01_formula: .*frozen_hands is not correct: ✘"
    ):
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
