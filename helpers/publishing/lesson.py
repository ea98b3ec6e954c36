"""A notebook read as a lesson: its sections, its minutes, its exercises and questions.

Also the instructor's notes that go with it (``teaching/NN_name.md``).
"""

import re
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from helpers.exercises.core import Exercise

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
TEACHING = Path(__file__).parent / "teaching"

_SECTION = re.compile(r"^## (\d+)\. (.+) \((\d+) min\)$", re.MULTILINE)
_EXERCISE = re.compile(
    r"^\*\*Exercise (\d+\.\d+) — (.+)\*\* \((\d+) min(?:, (core|stretch))?\)", re.M
)


class BuildError(Exception):
    """Why an edition cannot be made, in one sentence."""


@dataclass
class Placed:
    """An exercise or question, and where it stands in the notebook."""

    task: object
    call: str  # "formula.angular_speeds"
    label: str  # "exercise 1.2, angular speeds" or "question"
    minutes: int | None
    given: int | None  # the cell that holds an exercise's stub
    check: int  # the cell that checks the answer
    path: str | None = None  # "core" or "stretch" for an exercise


@dataclass
class Section:
    """A numbered section: minutes, the clock at its start, what it asks to do."""

    number: int
    title: str
    minutes: int
    start: int
    cell: int
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


def notebook_paths():
    """The notebooks of the series, in order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))


def client(notebook, folder=NOTEBOOKS):
    """What executes a notebook in a new kernel, started in a folder.

    Its outputs are the same in every run: no times, and one text for each stream.
    """
    return NotebookClient(
        notebook,
        timeout=300,
        record_timing=False,
        coalesce_streams=True,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # no word on TCP each time
        resources={"metadata": {"path": str(folder)}},
    )


def read_lesson(path):
    """The lesson in a notebook; BuildError where an exercise has lost its cell."""
    notebook = nbformat.read(path, as_version=4)
    area = path.stem.split("_", 1)[1]
    exercises = import_module(f"helpers.exercises.{area}").EXERCISES
    return outline(path.stem, notebook, area, exercises)


def outline(stem, notebook, area, exercises):
    """The lesson in a notebook whose exercises and questions are given."""
    title = re.match(r"# (.+)", notebook.cells[0].source)[1]
    lesson = Lesson(stem, notebook, title, _sections(notebook))
    for exercise in exercises:
        task = _placed(stem, notebook.cells, f"{area}.{exercise.name}", exercise)
        before = [s for s in lesson.sections if s.cell <= task.check]
        if not before:
            raise BuildError(f"{stem}: {task.call} stands before the first section.")
        before[-1].tasks.append(task)
    for section in lesson.sections:
        section.tasks.sort(key=lambda task: task.check)
    return lesson


def _sections(notebook):
    sections, clock = [], 0
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            for match in _SECTION.finditer(cell.source):
                minutes = int(match[3])
                sections.append(
                    Section(int(match[1]), match[2], minutes, clock, number)
                )
                clock += minutes
    return sections


def _placed(stem, cells, call, exercise):
    is_exercise = isinstance(exercise, Exercise)
    argument = exercise.reference.__name__ if is_exercise else "..."
    check = _cell_with(stem, cells, f"{call}.check({argument})")
    if is_exercise:
        given = _cell_with(stem, cells, exercise.stub)
        first = given
    else:
        given, first = None, _cell_with(stem, cells, f"{call}.ask()")
    # The heading of an exercise stands before its first cell, with prose between.
    label, minutes, path = "question", None, None
    for cell in reversed(cells[:first]):
        if cell.cell_type == "code" and ".check(" in cell.source:
            break
        match = cell.cell_type == "markdown" and _EXERCISE.search(cell.source)
        if match:
            label, minutes = f"exercise {match[1]}, {match[2]}", int(match[3])
            path = match[4]
            break
    return Placed(exercise, call, label, minutes, given, check, path)


def _cell_with(stem, cells, source):
    for number, cell in enumerate(cells):
        if cell.cell_type == "code" and cell.source.strip() == source.strip():
            return number
    line = source.strip().splitlines()[0]
    raise BuildError(f"{stem}: there is no cell `{line}` as the exercise has it.")


@dataclass(frozen=True)
class Notes:
    """An instructor's notes: what to know before, for each section, and after."""

    name: str
    title: str
    before: str
    sections: dict  # number -> (title, text)
    after: str


def read_notes(stem, folder=TEACHING):
    """The notes for a notebook; BuildError where the file is missing or unordered."""
    path, title, *parts = divided(stem, folder, "instructor's notes")
    texts = dict(_heading_and_text(part) for part in parts)
    headings = list(texts)
    if headings[:1] != ["Before the lesson"] or headings[-1:] != ["After the lesson"]:
        raise BuildError(
            f'{path.name}: it must open with "Before the lesson" and close with '
            '"After the lesson".'
        )
    sections = {}
    for heading in headings[1:-1]:
        match = re.fullmatch(r"(\d+)\. (.+)", heading)
        if not match or int(match[1]) in sections:
            raise BuildError(f"{path.name}: `{heading}` is not a section of its own.")
        sections[int(match[1])] = (match[2], texts[heading])
    return Notes(
        path.name,
        title.strip().removeprefix("# "),
        texts["Before the lesson"],
        sections,
        texts["After the lesson"],
    )


def divided(stem, folder, what):
    """A notebook's file, what stands before its first heading, and each part after."""
    path = Path(folder) / f"{stem}.md"
    if not path.exists():
        raise BuildError(f"{stem}: the {what} {path.name} are missing.")
    return path, *re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.M)


def _heading_and_text(part):
    heading, _, text = part.partition("\n")
    return heading.strip(), text.strip()


def misfits(lesson, notes):
    """Where notes do not fit their notebook, a sentence for each place."""
    found = []
    if notes.title != lesson.title:
        found.append(f'the title is "{lesson.title}", not "{notes.title}"')
    there = {section.number: section.title for section in lesson.sections}
    for number, (title, text) in notes.sections.items():
        if there.get(number) != title:
            found.append(f'the notebook has no section "{number}. {title}"')
        parts = re.findall(r"^\*\*(Ask|Expect)\.\*\*", text, re.MULTILINE)
        if not parts or parts != ["Ask", "Expect"] * (len(parts) // 2):
            found.append(f"section {number} needs an Ask, and an Expect for each")
    found += [
        f"section {number} has no notes" for number in there.keys() - notes.sections
    ]
    if list(notes.sections) != sorted(notes.sections):
        found.append("the sections are not in order")
    if not notes.before or not notes.after:
        found.append("the part before or after the lesson is empty")
    return [f"{notes.name}: {sentence}." for sentence in found]
