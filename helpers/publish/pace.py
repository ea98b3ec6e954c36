"""How many minutes a section takes: ``python -m helpers.publish.pace [01 …]``.

Prints the stated minutes beside those that its words, lines, pictures, questions and
exercises take a student who reads, runs and answers everything.
"""

import re
import sys

from helpers.publish.lesson import notebook_paths, read_lesson

WORDS_A_MINUTE = 180
SECONDS_A_LINE = 4  # of code that is new to the reader
SECONDS_A_PICTURE = 20
MINUTES_A_QUESTION = 1
_HELPS = re.compile(r"^# \w+\.\w+\.(hint|solution)\(\)", re.MULTILINE)
_UNREAD = re.compile(r"^\|[-:| ]+\|$|(?<=\])\([^)]*\)|\|", re.MULTILINE)


def minutes(lesson, section):
    """Minutes of a section of a `lesson.Lesson`.

    Every word counts, those of an exercise too. An exercise's stub and check are part
    of its stated minutes, a question's cells part of its minute.
    """
    every = lesson.notebook.cells
    heads = [n for n, c in enumerate(every) if re.match(r"## ", c.source)]
    ends = [n for n in heads if n > section.cell and every[n].cell_type == "markdown"]
    cells = every[section.cell : min(ends, default=None)]
    own = {n for p in section.tasks for n in (p.check, p.given, p.check - 1)}
    seconds = sum(
        60 * (placed.minutes or 0) or 60 * MINUTES_A_QUESTION * (placed.given is None)
        for placed in section.tasks
    )
    for number, cell in enumerate(cells, start=section.cell):
        if cell.cell_type == "markdown":
            words = _UNREAD.sub(" ", cell.source).split()
            seconds += 60 * len(words) / WORDS_A_MINUTE
            continue
        pictures = sum("image/png" in o.get("data", {}) for o in cell.outputs)
        seconds += SECONDS_A_PICTURE * pictures
        if number not in own and not _HELPS.search(cell.source):
            lines = [line for line in cell.source.splitlines() if line.strip()]
            seconds += SECONDS_A_LINE * len(lines)
    return seconds / 60


def core_minutes(lesson):
    """Minutes of a lesson without its stretch exercises."""
    return lesson.minutes - sum(p.minutes for p in lesson.tasks if p.path == "stretch")


def main(arguments):
    """Print each section's stated minutes and those of its pace."""
    for lesson in map(read_lesson, notebook_paths(*arguments)):
        found = [minutes(lesson, section) for section in lesson.sections]
        print(f"{lesson.stem}: {lesson.minutes} stated, {core_minutes(lesson)} core")
        for section, own in zip(lesson.sections, found, strict=True):
            print(f"  §{section.number} {section.minutes:3} stated {own:5.1f}")
        print(f"  all {sum(found):.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
