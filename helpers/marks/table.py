"""marks.csv, and the tables that an instructor brings: a roster, overrides."""

import re

import pandas as pd

from helpers.marks.reading import Verdict
from helpers.marks.submissions import Student

_ACTIVE = tuple("=+-@\t\r\n|%")  # a spreadsheet would compute what begins so
# After any separator a cell may begin: `x;=1+1` is two cells elsewhere.
_INSIDE = re.compile(r"([;,\t|]\s*)(?=[=+\-@])")
MOST = 30_000  # characters that a spreadsheet takes in a cell


def write(path, students, columns):
    """A row a student: name, id, how many are correct, the reason, every verdict."""
    rows = [
        {
            "student": student.name,
            "id": student.number,
            "correct": len(student.of("correct", columns)),
            "of": len(columns),
            "reason": student.reason(columns),
            **{column: str(student.verdicts[column]) for column in columns},
        }
        for student in students
    ]
    # The byte order mark tells spreadsheets that it is UTF-8.
    pd.DataFrame(rows).map(inert).to_csv(path, index=False, encoding="utf-8-sig")


def inert(text):
    """The text on one line, so that no spreadsheet takes a part of it for a formula."""
    text = _INSIDE.sub(r"\1'", re.sub(r"[\r\n]", " ", str(text))[:MOST])
    return f"'{text}" if text.startswith(_ACTIVE) else text


def call_the_roll(path, students):
    """Add a Student for each of a CSV of student,id who handed in nothing.

    Known is whoever has the id or, in any case of letters, the name. Who is not on the
    roster gets a notice.
    """
    strangers = list(students)
    for name, number in _rows(path, "student", "id"):
        same = [s for s in strangers if s.name.casefold() == name.casefold()]
        same = [s for s in strangers if number and s.number == number] or same
        if same:
            strangers.remove(same[0])
        else:
            students.append(Student(name, number, notices=["handed in nothing"]))
    for student in strangers:
        student.notices.append("not on the roster")


def override(path, students, columns):
    """Put in the verdicts of a CSV of student (or id),task,verdict,reason: the last word.

    ValueError where not exactly one student, or no task, is called so.
    """
    for who, column, verdict, why in _rows(
        path, "student", "task", "verdict", "reason"
    ):
        own = [student for student in students if who in (student.name, student.number)]
        if len(own) != 1 or column not in columns:
            raise ValueError(
                f"{path}: {len(own)} are {who!r}, or no task is {column!r}"
            )
        own[0].verdicts[column] = Verdict(verdict)
        own[0].tell(column, f"{verdict}, because {why}")


def _rows(path, *names):
    """The rows of a CSV file with these names above its columns."""
    return pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=True)[
        [*names]
    ].values
