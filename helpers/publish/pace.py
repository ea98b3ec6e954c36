"""How many minutes a notebook takes: ``python -m helpers.publish.pace [01 …]``.

Prints each notebook's words and cells and the minutes of its core path and of all of it,
stated and counted, then those of each section. Counted is what a student needs who
reads, runs and answers everything.

A cell that computes for some seconds says so in its metadata (``seconds``, in a text of
Jupytext ``# %% seconds=20``).
"""

import re
import sys

from helpers.publish.lesson import notebook_paths, read_lesson
from helpers.publish.question_cells import MARK

WORDS_A_MINUTE = 180
LINES_A_MINUTE = 12  # of code that is new to the reader
EXERCISE = 1.4  # times the minutes that an exercise states
MINUTES_A_PREDICTION = 1  # with the reading of its choices
MINUTES_AN_EXPLORABLE = 2

_EXPLORABLE = re.compile(r"\b(?:explore|arcs|hands)\.\w+\(")
# What nobody reads out: rules and bars of tables, addresses of links.
_UNREAD = re.compile(r"^\|[-:| ]+\|$|(?<=\])\([^)]*\)|\|", re.MULTILINE)
_FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)


def words(text):
    """How many words a text of Markdown has."""
    return len(_UNREAD.sub(" ", text).split())


def is_prose(cell):
    """Whether a cell is read as prose; a question belongs to its minute."""
    return cell.cell_type == "markdown" and MARK not in cell.metadata


def minutes(lesson, section):
    """The counted minutes of a section of a `lesson.Lesson`.

    What stands before the first section belongs to it, and the summary to the last. A
    fold is not counted. An exercise's stub and check are part of its minutes.
    """
    found = 0
    for placed in section.tasks:
        found += EXERCISE * placed.minutes if placed.minutes else MINUTES_A_PREDICTION
    own = {n for placed in section.tasks for n in (placed.stub_cell, placed.check_cell)}
    for number in _numbers(lesson, section):
        cell = lesson.notebook.cells[number]
        if is_prose(cell):
            found += words(_FOLDED.sub("", cell.source)) / WORDS_A_MINUTE
        elif cell.cell_type == "code" and number not in own:
            lines = [line for line in cell.source.splitlines() if line.strip()]
            found += len(lines) / LINES_A_MINUTE
            found += MINUTES_AN_EXPLORABLE * len(_EXPLORABLE.findall(cell.source))
            found += cell.metadata.get("seconds", 0) / 60
    return found


def _numbers(lesson, section):
    """The numbers of the cells of a section; further reading is nobody's."""
    cells = lesson.notebook.cells
    after = lesson.sections[section.number :]
    heads = [
        n for n, c in enumerate(cells) if c.source.startswith("## Further reading")
    ]
    end = after[0].cell if after else min(heads, default=len(cells))
    return range(section.cell if section.number > 1 else 0, end)


def core(lesson, minutes_of):
    """Minutes without stretch sections and stretch exercises, given those of sections."""
    total = 0
    for section in lesson.sections:
        if section.path != "stretch":
            stretch = (p.minutes for p in section.tasks if p.path == "stretch")
            total += minutes_of(section) - EXERCISE * sum(stretch)
    return total


def core_minutes(lesson):
    """The stated minutes of a lesson's core path."""
    return round(core(lesson, lambda section: section.minutes))


def counted(lesson):
    """The counted minutes of a lesson: of its core path, and of all."""
    found = {section.number: minutes(lesson, section) for section in lesson.sections}
    return core(lesson, lambda section: found[section.number]), sum(found.values())


def main(arguments):
    """Print the table of some notebooks; of all where none is named."""
    print("Minutes are stated/counted: of the core path, of all, of each section.")
    for lesson in map(read_lesson, notebook_paths(*arguments)):
        cells, (least, most) = lesson.notebook.cells, counted(lesson)
        prose = sum(words(cell.source) for cell in cells if is_prose(cell))
        print(
            f"{lesson.stem}: {prose} words, {len(cells)} cells, "
            f"core {core_minutes(lesson)}/{least:.0f}, all {lesson.minutes}/{most:.0f};",
            *(f"{s.minutes}/{minutes(lesson, s):.0f}" for s in lesson.sections),
        )


if __name__ == "__main__":
    main(sys.argv[1:])
