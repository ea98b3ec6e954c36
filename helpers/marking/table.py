"""marks.csv: one row for each student, one column for each exercise and question."""

import csv

from helpers.exercises.core import CORRECT, INCORRECT

_ACTIVE = ("=", "+", "-", "@", "\t", "\r", "\n")  # a spreadsheet would compute these


def write(path, columns, rows):
    """Write the marks; ``rows`` are (student, {column: Verdict}) in their order."""
    # The byte order mark tells spreadsheets that it is UTF-8.
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["student", "correct", "of", *columns])
        for student, verdicts in rows:
            correct = sum(verdicts[c].status == CORRECT for c in columns)
            cells = [cell(verdicts[column]) for column in columns]
            writer.writerow([_inert(student), correct, len(columns), *cells])


def cell(verdict):
    """What a cell of the marks says about a verdict."""
    if verdict.status == INCORRECT and verdict.mistake:
        return _inert(f"{INCORRECT}: {verdict.mistake}")
    return verdict.status


def _inert(text):
    """The text on one line, so that no spreadsheet takes it for a formula."""
    text = " ".join(str(text).split())
    return f"'{text}" if text.startswith(_ACTIVE) else text
