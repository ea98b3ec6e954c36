"""The student and the instructor edition, and the notes that they are made from."""

import copy
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from stored import NOTEBOOKS, ROOT, code_cells, name_of, needs_make, read

from helpers.lessons import formula
from helpers.publish import answers, editions, handout, lesson
from helpers.publish.lesson import BuildError, misfits, read_lesson, read_notes
from helpers.publish.printed import notes_page

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
WITHOUT_TORCH = [p for p in NOTEBOOKS if p.stem[:2] in ("01", "03")]


@cache
def lesson_at(path):
    return read_lesson(path)


# ------------------------------------------------------------ the instructor's notes


@every_notebook
def test_the_notes_fit_their_notebook(path):
    assert misfits(lesson_at(path), read_notes(path.stem)) == []


@every_notebook
def test_the_lesson_has_every_exercise_and_the_minutes_of_its_heading(path):
    found = lesson_at(path)
    stated = int(re.search(r"Time.*?(\d+) min", read(path).cells[0].source)[1])
    assert found.minutes == stated
    numbers = [section.number for section in found.sections]
    assert numbers == list(range(1, len(numbers) + 1))
    text = "\n".join(cell.source for cell in read(path).cells)
    titled = re.findall(r"^\*\*Exercise (\d+\.\d+) — ", text, re.MULTILINE)
    labels = [task.label for task in found.tasks if task.label != "question"]
    assert [label.split(" ")[1].rstrip(",") for label in labels] == titled
    checks = [cell for cell in code_cells(path) if ".check(" in cell.source]
    assert [read(path).cells[task.check] for task in found.tasks] == checks


NOTES = """# 01 · A title

## Before the lesson
Prepare.

## 1. One
**Ask.** Why?

**Expect.** Because.

## 2. Two
**Ask.** How?

**Expect.** So.

**Watch.** This.

## After the lesson
Exit.
"""


@pytest.fixture
def small():
    """A lesson of two sections, with the notes that fit it."""
    cells = ["# 01 · A title", "## 1. One (20 min)", "## 2. Two (45 min)\n\nText."]
    notebook = new_notebook(cells=[new_markdown_cell(cell) for cell in cells])
    return lesson.outline("01_formula", notebook, ())


def notes_of(text, folder):
    (folder / "formula").mkdir(exist_ok=True)
    (folder / "formula" / "notes.md").write_text(text, encoding="utf-8")
    return read_notes("01_formula", folder)


def test_notes_that_fit_have_no_misfits(small, tmp_path):
    assert misfits(small, notes_of(NOTES, tmp_path)) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("A title", "Another title", "the title is"),
        ("2. Two", "2. Too", "the sections are"),
        ("2. Two", "3. Two", "the sections are"),
        ("**Expect.** Because.", "", "section 1 needs an Ask"),
        ("**Ask.** How?", "", "section 2 needs an Ask"),
    ],
)
def test_notes_that_do_not_fit_are_named(small, tmp_path, old, new, said):
    notes = notes_of(NOTES.replace(old, new), tmp_path)
    assert any(said in sentence for sentence in misfits(small, notes))


def test_notes_that_are_missing_or_unordered_are_an_error(tmp_path):
    with pytest.raises(BuildError, match="notes.md is missing"):
        read_notes("01_formula", tmp_path)
    with pytest.raises(BuildError, match="close with"):
        notes_of(NOTES.replace("## After the lesson", "## Later"), tmp_path)
    with pytest.raises(BuildError, match="`Two` is not a section"):
        notes_of(NOTES.replace("2. Two", "Two"), tmp_path)


# --------------------------------------------------------------- the student edition


def test_the_notes_can_be_printed():
    pytest.importorskip("math_core")
    lessons = [lesson_at(path) for path in NOTEBOOKS]
    text = notes_page(lessons, [read_notes(path.stem) for path in NOTEBOOKS])
    assert text.count("<article>") == len(NOTEBOOKS)
    for one in lessons:
        assert text.count("<h2>") >= len(one.sections) + 2
    loaded = re.findall(r"(?:src|href|url)\W{1,2}(\w+:)", text)
    assert "@page" in text and set(loaded) == {"data:"}


@every_notebook
def test_students_get_the_same_cells_without_outputs(path):
    stored, given = read(path), editions.student(lesson_at(path))
    assert given.metadata == stored.metadata
    for old, new in zip(stored.cells, given.cells, strict=True):
        assert (old.id, old.source, old.metadata) == (new.id, new.source, new.metadata)
        if new.cell_type == "code":
            assert new.outputs == [] and new.execution_count is None
    assert any(cell.get("outputs") for cell in stored.cells), "the original is kept"


@pytest.fixture(scope="module")
def unzipped(tmp_path_factory):
    """The student edition as a student has it: unzipped in a folder of their own."""
    folder = tmp_path_factory.mktemp("class")
    lessons = [lesson_at(path) for path in NOTEBOOKS]
    plain = [editions.student(one) for one in lessons]
    _, archive = handout.write(folder / "build", handout.STUDENT, lessons, plain)
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(folder)
    return folder / handout.STUDENT.top


def test_the_zip_is_the_folder(unzipped):
    folder = unzipped.parent / "build" / "student"
    files = [p.relative_to(folder) for p in folder.rglob("*") if p.is_file()]
    assert len(files) > 30
    for file in files:
        assert (unzipped / file).read_bytes() == (folder / file).read_bytes()
    assert [p.name for p in NOTEBOOKS] == sorted(
        p.name for p in (unzipped / "notebooks").glob("*.ipynb")
    )


def test_a_handout_commits_no_environment_and_has_what_binder_reads(unzipped):
    ignored = (unzipped / ".gitignore").read_text(encoding="utf-8").split()
    assert ".venv/" in ignored
    assert (unzipped / "runtime.txt").exists()


def test_the_same_files_give_the_same_zip(tmp_path, monkeypatch):
    lessons = [lesson_at(path) for path in NOTEBOOKS]
    plain = [editions.student(one) for one in lessons]

    def built(name):
        folder = tmp_path / name
        return handout.write(folder, handout.STUDENT, lessons, plain)[1].read_bytes()

    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    one = built("one")
    assert one == built("two")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert built("three") != one
    with zipfile.ZipFile(tmp_path / "three" / "student.zip") as archive:
        assert {i.date_time for i in archive.infolist()} == {(2023, 11, 14, 22, 13, 20)}


@needs_make
def test_make_offers_students_what_they_need(unzipped):
    said = subprocess.run(
        ["make", "--no-print-directory", "-C", unzipped],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert re.findall(r"make (\w+)", said) == ["help", "lab"]


def test_what_the_handout_installs_is_there(unzipped):
    project = tomllib.loads((unzipped / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["packages"]["find"]["include"] == ["helpers*"]
    rooms = {path.name for path in (unzipped / "helpers").iterdir() if path.is_dir()}
    assert rooms == {"checks", "draw", "lessons"}
    assert not [*unzipped.rglob("exam.md"), *unzipped.rglob("notes.md")]
    assert (unzipped / project["project"]["license-files"][0]).is_file()
    for needed in re.findall(
        r"helpers/\S+", (unzipped / "Makefile").read_text(encoding="utf-8")
    ):
        assert (unzipped / needed).exists(), needed
    pins = (unzipped / "requirements.txt").read_text(encoding="utf-8")
    assert "torch==" in pins and "jupyterlab==" in pins and "-e ." in pins
    assert "pytest" not in pins


def test_the_handout_speaks_of_nothing_that_is_not_there(unzipped):
    for path in (p for p in unzipped.rglob("*") if p.is_file()):
        text = path.read_text(encoding="utf-8")
        for mention in re.findall(r"\b(?:tests|publish|build)/\w+", text):
            raise AssertionError(f"{path.name} speaks of {mention}")
        if path.suffix == ".md":
            targets = re.findall(r"\]\(([^)]+)\)", text)
            assert len(targets) >= len(NOTEBOOKS)
            for target in targets:
                assert (path.parent / target).exists(), target
    for path in (unzipped / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                for target in re.findall(r"\]\(([^)#]+)\)", cell.source):
                    assert (path.parent / target).exists(), target


def test_the_readme_lists_every_notebook_with_its_minutes(unzipped):
    text = (unzipped / "README.md").read_text(encoding="utf-8")
    for path in NOTEBOOKS:
        one = lesson_at(path)
        row = f"| [{one.title}](notebooks/{path.name}) | {one.minutes} |"
        assert row in text.splitlines()
    for word in ("make lab", "py -m venv", "check(", "hint()", "solution()"):
        assert word in text
    assert "$" not in text, "a name of the template was not filled in"


def test_the_helpers_that_are_imported_are_the_handouts_own(unzipped):
    code = "import helpers.lessons.formula as f; print(f.__file__)"
    said = _python(unzipped, "-c", code)
    assert Path(said.strip()).is_relative_to(unzipped)


def _python(unzipped, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(unzipped)},
        cwd=unzipped / "notebooks",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_edition_replaces_itself_and_nothing_else(tmp_path):
    mine = tmp_path / "student"
    mine.mkdir()
    (mine / "marks.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BuildError, match="is not an edition"):
        handout.write(tmp_path, handout.STUDENT, [], [])
    assert (mine / "marks.txt").read_text(encoding="utf-8") == "mine"
    (mine / "marks.txt").unlink()
    for _ in range(2):
        handout.write(tmp_path, handout.STUDENT, [], [])
    assert (mine / "Makefile").is_file()


def test_a_makefile_without_its_marks_is_an_error():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    with pytest.raises(BuildError, match="has lost"):
        handout.makefile(text.replace("# --- the environment", ""))


# ------------------------------------------------------------ the instructor edition


@cache
def annotated(path):
    """The instructor's notebook, not executed."""
    one = lesson_at(path)
    return editions.annotated(one, read_notes(path.stem), editions.filled(one))


def _added(notebook):
    return [c for c in notebook.cells if editions.TAG in c.metadata.get("tags", [])]


@pytest.mark.parametrize("path", WITHOUT_TORCH, ids=name_of)
def test_instructors_get_the_solutions_and_the_right_letters(path):
    given = annotated(path)
    own = {cell.id: cell for cell in given.cells if cell not in _added(given)}
    assert list(own) == [cell.id for cell in read(path).cells]
    sources = [cell.source.strip() for cell in own.values()]
    for task in lesson_at(path).tasks:
        if task.task.kind == "exercise":
            assert task.task.solution_code.strip() in sources
            assert task.task.stub.strip() not in sources
        else:
            assert f'{task.call}.check("{task.task.answer}")' in sources


@pytest.mark.parametrize("path", WITHOUT_TORCH, ids=name_of)
def test_added_cells_are_marked_and_keep_their_ids(path):
    given = annotated(path)
    nbformat.validate(given)
    added = _added(given)
    ids = [cell.id for cell in given.cells]
    assert len(set(ids)) == len(ids)
    one = lesson_at(path)
    assert len(added) == 3 + len(one.sections) + len(one.tasks)
    for cell in added:
        assert cell.source.removeprefix("> ").startswith("**For the instructor · ")
        quoted = [line.startswith(">") for line in cell.source.splitlines()]
        assert not any(quoted) if "\n|" in cell.source else all(quoted)
    again = editions.annotated(one, read_notes(path.stem), editions.filled(one))
    assert [cell.id for cell in again.cells] == ids
    assert [cell.source for cell in again.cells] == [c.source for c in given.cells]


@pytest.mark.parametrize("path", WITHOUT_TORCH, ids=name_of)
def test_what_students_are_told_stands_below_each_check(path):
    added = {cell.id: cell.source for cell in _added(annotated(path))}
    cells = read(path).cells
    for task in lesson_at(path).tasks:
        near = [f"{cells[task.check + n].id}-answers" for n in (1, 0)]
        text = next(added[name] for name in near if name in added)
        flat = _flat(text.replace("\n>", "\n"))
        for hint in task.task.hints:
            assert _flat(hint) in flat
        if task.task.kind == "exercise":
            for mistake in task.task.mistakes:
                assert _flat(mistake.sentence) in flat, mistake.name
        else:
            assert flat.count("✔ right") == 1
            for choice in task.task.choices.values():
                assert _flat(choice.feedback) in flat
        assert text.count("<details>") == text.count("</details>")


def _flat(text):
    return " ".join(text.split())


def test_the_plan_has_a_clock_and_the_notes_stand_at_their_section(small, tmp_path):
    notes = notes_of(NOTES, tmp_path)
    given = editions.annotated(small, notes, copy.deepcopy(small.notebook))
    text = "\n".join(cell.source for cell in given.cells)
    assert "| 0:20 | 2. Two | 45 | none |" in text
    assert "| 1:05 | end | 65 in all | |" in text
    assert "section 2: 45 minutes, 0:20 to 1:05**\n>\n> **Ask.** How?" in text
    assert "Why?\n>\n> **Expect.** Because." in text, "each part is a paragraph"
    order = [
        "# 01",
        "plan",
        "before the",
        "## 1.",
        "Why?",
        "## 2.",
        "How?",
        "after the",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_bars_do_not_end_a_cell_of_a_table():
    assert editions._in_table("a | b") == r"a \| b"
    assert editions._in_table("the $|p-q|$ of") == r"the $\vert p-q\vert $ of"


# --------------------------------------------------------- wrong answers, to be read


def test_a_mistake_that_is_judged_otherwise_stops_the_build(monkeypatch):
    (path,) = [p for p in NOTEBOOKS if p.stem == "01_formula"]
    task = next(t for t in lesson_at(path).tasks if t.task is formula.angular_speeds)
    right = copy.copy(formula.angular_speeds.mistakes[0])
    object.__setattr__(right, "answer", formula.angular_speeds.reference)
    monkeypatch.setattr(formula.angular_speeds, "mistakes", (right,))
    with pytest.raises(BuildError, match='angular_speeds.*is judged "correct"'):
        answers.explained(task)


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


def test_right_solutions_are_executed_and_found_correct(one_exercise):
    notebook = editions.executed(one_exercise)
    said = [cell.outputs[0].data["text/markdown"] for cell in notebook.cells[4::2]]
    assert all("\n\n✔ **Correct.**" in text for text in said)
    assert one_exercise.notebook.cells[4].outputs == [], "the original is kept"


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        ("def angular_speeds(d_model):\n    return np.ones(4)\n", "is not correct: ✘"),
        ("def angular_speeds(d_model):\n    ...\n", "is not correct: ○"),
        ("angular_speeds = missing\n", "ends in NameError"),
    ],
)
def test_a_broken_solution_stops_the_build(one_exercise, monkeypatch, solution, said):
    monkeypatch.setattr(type(formula.angular_speeds), "solution_code", solution)
    with pytest.raises(BuildError, match=said) as caught:
        editions.executed(one_exercise)
    assert str(caught.value).startswith("01_formula: ")
    assert "formula.angular_speeds" in str(caught.value) or "Error" in said


def test_a_stub_that_the_notebook_lost_stops_the_build(one_exercise):
    notebook = copy.deepcopy(one_exercise.notebook)
    notebook.cells[3].source += "\n    return 1"
    with pytest.raises(BuildError, match="no cell `def angular_speeds"):
        lesson.outline("01_formula", notebook, (formula.angular_speeds,))


def test_the_command_ends_with_one_sentence(monkeypatch, tmp_path):
    pytest.importorskip("math_core", reason="the site's packages are not installed")

    def broken(one):
        raise BuildError(f"{one.stem}: a cell ends in NameError: x")

    monkeypatch.setattr(editions, "executed", broken)
    monkeypatch.setattr(editions, "read_lesson", lesson_at)
    with pytest.raises(SystemExit, match="^No edition was made. 01_formula: a cell"):
        editions.main([str(tmp_path)])
    assert not any(tmp_path.iterdir())


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
