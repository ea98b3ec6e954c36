"""A notebook read as a lesson: its sections, its minutes, its exercises and questions.

Also the instructor's notes that go with it (``helpers/lessons/area/notes.md``), and
the command line of what is built from it.
"""

import argparse
import re
import sys
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
LESSONS = ROOT / "helpers" / "lessons"
_SECTION = re.compile(r"^## (\d+)\. (.+) \((\d+) min(?:, (stretch))?\)$", re.M)
_EXERCISE = re.compile(
    r"^\*\*Exercise (\d+\.\d+) — (.+)\*\* \((\d+) min(?:, (core|stretch))?\)", re.M
)


class BuildError(Exception):
    """Why an edition cannot be made, in one sentence."""


@dataclass
class PlacedTask:
    """An exercise or question in its notebook, with the numbers of two of its cells."""

    task: object
    call: str  # "formula.angular_speeds"
    label: str  # "exercise 1.2, angular speeds" or "question"
    minutes: int | None
    stub_cell: int | None  # None for a question
    check_cell: int
    path: str | None = None  # "core" or "stretch" for an exercise


@dataclass
class Section:
    """A numbered section: minutes, the clock at its start, what it asks to do."""

    number: int
    title: str
    minutes: int
    start: int
    cell: int
    path: str | None = None  # "stretch" where the core path leaves it out
    tasks: list = field(default_factory=list)


@dataclass
class Lesson:
    """A notebook and its parts."""

    stem: str
    notebook: object
    title: str
    sections: list

    @property
    def minutes(self):
        """The minutes of all sections."""
        return sum(section.minutes for section in self.sections)

    @property
    def tasks(self):
        """Every exercise and question, in the order of the notebook."""
        return [task for section in self.sections for task in section.tasks]


def notebook_paths(*names):
    """The notebooks of the series, in order, or those whose names begin so."""
    paths = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
    return [path for path in paths if path.stem.startswith(names or "")]


def client(notebook, folder=NOTEBOOKS):
    """What executes a notebook in a new kernel, started in a folder.

    Its outputs are the same in every run: no times, and one text for each stream.
    """
    return NotebookClient(
        notebook,
        timeout=300,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # no word on TCP each time
        resources={"metadata": {"path": str(folder)}},
    )


def read_lesson(path):
    """The lesson in a notebook; BuildError where an exercise has lost its cell."""
    notebook = nbformat.read(path, as_version=4)
    area = path.stem[3:]
    return outline(path.stem, notebook, import_module(f"helpers.lessons.{area}").TASKS)


def outline(stem, notebook, tasks):
    """The lesson in a notebook whose exercises and questions are given."""
    title = re.match(r"# (.+)", notebook.cells[0].source)[1]
    sections = list(_sections(notebook))
    found = [_placed(stem, notebook.cells, task) for task in tasks]
    for placed in sorted(found, key=lambda placed: placed.check_cell):
        section = next(s for s in reversed(sections) if s.cell <= placed.check_cell)
        section.tasks.append(placed)
    return Lesson(stem, notebook, title, sections)


def _sections(notebook):
    clock = 0
    for number, cell in enumerate(notebook.cells):
        source = cell.source if cell.cell_type == "markdown" else ""
        for match in _SECTION.finditer(source):
            minutes = int(match[3])
            yield Section(int(match[1]), match[2], minutes, clock, number, match[4])
            clock += minutes


def _placed(stem, cells, task):
    call = f"{stem[3:]}.{task.name}"
    exercise = task.kind == "exercise"
    argument = task.defines if exercise else "..."
    check = _cell_with(stem, cells, f"{call}.check({argument})")
    stub = _cell_with(stem, cells, task.stub) if exercise else None
    # The heading of an exercise stands before its first cell, with prose between.
    for cell in reversed(cells[: stub or check]):
        if cell.cell_type == "code" and ".check(" in cell.source:
            break
        match = cell.cell_type == "markdown" and _EXERCISE.search(cell.source)
        if match:
            return PlacedTask(
                task,
                call,
                f"exercise {match[1]}, {match[2]}",
                int(match[3]),
                stub,
                check,
                match[4],
            )
    return PlacedTask(task, call, "question", None, stub, check)


def _cell_with(stem, cells, source):
    for number, cell in enumerate(cells):
        if cell.cell_type == "code" and cell.source.strip() == source.strip():
            return number
    line = source.strip().splitlines()[0]
    raise BuildError(f"{stem}: there is no cell `{line}` as the exercise has it.")


@dataclass(frozen=True)
class Notes:
    """An instructor's notes: what to know before, for each section, and after."""

    title: str
    before: str
    sections: dict  # number -> (title, text)
    after: str


def read_notes(stem):
    """The notes for a notebook: its title, and a heading for each of its sections."""
    title, *parts = divided(stem, "notes")
    texts = [part.split("\n", 1) for part in parts]
    (_, before), *middle, (_, after) = ((a, text.strip()) for a, text in texts)
    named = ((heading.split(". ", 1), text) for heading, text in middle)
    sections = {int(number): (name, text) for (number, name), text in named}
    return Notes(title.strip().removeprefix("# "), before, sections, after)


def divided(stem, name):
    """What a notebook's file has before its first heading, and each part after."""
    text = (LESSONS / stem[3:] / f"{name}.md").read_text(encoding="utf-8")
    return re.split(r"^## ", text, flags=re.M)


def command(build, description, folder):
    """The command line for ``build(folder)``, which returns paths."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", nargs="?", default=folder)
    options = parser.parse_args()
    try:
        print(*build(options.folder), sep="\n")
    except BuildError as error:
        sys.exit(f"Nothing was written. {error}")
