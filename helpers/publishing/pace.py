"""How many minutes a section takes: from its words, lines, pictures and exercises.

``python -m helpers.publishing.pace [01 …]`` prints the stated minutes beside these.
"""

import re
import sys
from dataclasses import dataclass

from helpers.exercises.core import Exercise
from helpers.publishing.lesson import notebook_paths, read_lesson

WORDS_A_MINUTE = 180
SECONDS_A_LINE = 4  # of code that is new to the reader
SECONDS_A_PICTURE = 20
MINUTES_A_QUESTION = 1

_HELPS = re.compile(r"^# \w+\.\w+\.(hint|solution)\(\)", re.MULTILINE)


@dataclass(frozen=True)
class Pace:
    """What a section holds; ``minutes`` is the time that it takes."""

    words: int
    lines: int
    pictures: int
    questions: int
    exercises: int  # minutes, as their headings state them

    @property
    def minutes(self):
        """Minutes for a student who reads, runs and answers everything."""
        seconds = SECONDS_A_LINE * self.lines + SECONDS_A_PICTURE * self.pictures
        return (
            self.words / WORDS_A_MINUTE
            + seconds / 60
            + MINUTES_A_QUESTION * self.questions
            + self.exercises
        )


def pace(lesson, section):
    """The Pace of a section of a `lesson.Lesson`.

    Every word counts, those of an exercise too. An exercise's stub and check are part
    of its stated minutes, a question's cells part of its minute.
    """
    cells = lesson.notebook.cells[section.cell : _end(lesson, section)]
    own = set()
    for placed in section.tasks:
        own |= {placed.check, placed.given, placed.check - 1}
    words = lines = pictures = 0
    for number, cell in enumerate(cells, start=section.cell):
        if cell.cell_type == "markdown":
            words += len(_read_aloud(cell.source).split())
            continue
        pictures += sum("image/png" in o.get("data", {}) for o in cell.outputs)
        if number not in own and not _HELPS.search(cell.source):
            lines += sum(bool(line.strip()) for line in cell.source.splitlines())
    is_exercise = [isinstance(placed.task, Exercise) for placed in section.tasks]
    return Pace(
        words,
        lines,
        pictures,
        is_exercise.count(False),
        sum(placed.minutes or 0 for placed in section.tasks if placed.minutes),
    )


def core_minutes(lesson):
    """Minutes of a lesson without its stretch exercises."""
    stretch = [p.minutes for p in lesson.tasks if p.path == "stretch"]
    return lesson.minutes - sum(stretch)


def _end(lesson, section):
    """The first cell behind a section."""
    for number, cell in enumerate(lesson.notebook.cells):
        opens = cell.cell_type == "markdown" and re.match(r"## ", cell.source)
        if opens and number > section.cell:
            return number
    return len(lesson.notebook.cells)


def _read_aloud(source):
    """Markdown without the marks that nobody reads: rules of tables, targets of links."""
    text = re.sub(r"^\|[-:| ]+\|$", "", source, flags=re.MULTILINE)
    return re.sub(r"\]\([^)]*\)", "]", text).replace("|", " ")


def main(arguments=None):
    """Print each section's stated minutes and those of its pace."""
    wanted = tuple(sys.argv[1:] if arguments is None else arguments) or ("",)
    for path in (p for p in notebook_paths() if p.stem.startswith(wanted)):
        lesson = read_lesson(path)
        total = 0
        print(f"{lesson.stem}: {lesson.minutes} stated, {core_minutes(lesson)} core")
        for section in lesson.sections:
            found = pace(lesson, section)
            total += found.minutes
            print(
                f"  §{section.number} {section.minutes:3} stated {found.minutes:5.1f}",
                found,
            )
        print(f"  all {total:.1f}")


if __name__ == "__main__":
    main()
