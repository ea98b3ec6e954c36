"""Read the marks of a class: ``python -m helpers.marks FOLDER``, `make marks`.

Writes marks.csv and class.html into build/marks, or where ``--output`` says.
"""

import argparse
import sys
from pathlib import Path
from zipfile import BadZipFile

from helpers.marks import page, submissions, table
from helpers.publish.lesson import ROOT, notebook_paths, read_lesson

ABOUT = "Read the verdicts in the notebooks of a class; nothing in them is run."


def main(arguments=None):
    """The command line; ends with one sentence where no marks can be made."""
    parser = argparse.ArgumentParser("python -m helpers.marks", description=ABOUT)
    add = parser.add_argument
    add("folder", type=Path, help="folder of submissions, or the zip of a class")
    add("--output", type=Path, default=ROOT / "build" / "marks", help="build/marks")
    add("--only", nargs="+", default=[], help="this assignment: 01 02 …")
    add("--roster", help="CSV of student,id: who is missing")
    add("--overrides", help="CSV of student,task,verdict,reason")
    options = parser.parse_args(arguments)
    try:
        mark(**vars(options))
    except (OSError, BadZipFile, ValueError, KeyError) as error:
        sys.exit(f"No marks were made ({type(error).__name__}): {error}.")


def mark(folder, output, only=(), roster=None, overrides=None):
    """Write marks.csv and class.html into a folder; ValueError says what is wrong."""
    output.mkdir(parents=True, exist_ok=True)
    marks = output / "marks.csv"
    page_path = output / "class.html"
    for path in (marks, page_path):  # whatever happens, no older marks stay
        path.unlink(missing_ok=True)
    students = submissions.find(folder)
    tasks = tasks_of(only)
    if not (students and tasks):
        raise ValueError(f"no submission is in {folder}, or there is no such notebook")
    for student in students:
        student.read(tasks)
    if not only:
        tasks = _assigned(tasks, students)
    columns = [column for own in tasks.values() for column in own]
    if roster:
        table.call_the_roll(roster, students)
    if overrides:
        table.override(overrides, students, columns)
    table.write(marks, students, columns)
    page.write(page_path, students, tasks)
    print(f"Students: {len(students)}; `reason` says what was not judged.")
    print(marks, page_path, sep="\n")


def tasks_of(only):
    """Area -> column ("formula.angular_speeds") -> task, in the order of the lessons."""
    lessons = map(read_lesson, notebook_paths(*only))
    return {one.stem[3:]: {p.call: p.task for p in one.tasks} for one in lessons}


def _assigned(tasks, students):
    """What at least half as many handed in as the notebook that most did."""
    counts = {a: sum(s.has(own) for s in students) for a, own in tasks.items()}
    most = max(counts.values())
    kept = {a: own for a, own in tasks.items() if 2 * counts[a] >= most}
    print(f"The assignment: {', '.join(kept)}. --only names another.")
    return kept


if __name__ == "__main__":
    main()
