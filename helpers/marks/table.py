"""marks.csv, and the columns that Moodle's and Canvas's imports take."""

import csv
import re

_ACTIVE = tuple("=+-@\t\r\n|%")  # a spreadsheet would compute what begins so
# After any separator a cell may begin: `x;=1+1` is two cells elsewhere.
_INSIDE = re.compile(r"([;,\t|]\s*)(?=[=+\-@])")


def weights(path, columns):
    """Column -> points from a CSV file of ``task,points``; ValueError for its faults."""
    found = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        for row in csv.reader(file):
            if not row or row[0].strip() in ("task", ""):
                continue
            if row[0].strip() not in columns:
                raise ValueError(f"{path}: no task is called {row[0]!r} here")
            found[row[0].strip()] = float(row[1])
    return found


def write(path, results, columns, points):
    """Write marks.csv: a row a student, a column for each exercise and question."""
    head = ["student", "id", "correct", "of"] + ["points", "of points"] * bool(points)
    rows = []
    for result in results:
        about = result.submission
        row = [about.student, about.number, len(result.correct), len(columns)]
        if points:
            row += [_score(result, points), _total(points)]
        verdicts = [result.verdicts[column] for column in columns]
        cells = [v.status + (f": {v.mistake}" if v.mistake else "") for v in verdicts]
        rows.append([*row, result.reason, *cells])
    note = "not judged, and left out"
    _write(path, [[*head, note, *columns], *rows])


def _score(result, points):
    return f"{sum(points.get(column, 0) for column in result.correct):g}"


def _total(points):
    return f"{sum(points.values()):g}"


def for_moodle(path, results, points):
    """The worksheet of Moodle's offline grading: participants by their numbers."""
    head = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]
    rows = [
        [
            f"Participant {r.submission.number}",
            r.submission.student,
            _score(r, points),
            _total(points),
            r.reason,
        ]
        for r in results
        if r.submission.system == "Moodle"
    ]
    return _some(path, head, rows)


def for_canvas(path, results, points, name):
    """A gradebook for Canvas's import: students by their numbers, one assignment."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name]
    worth = ["    Points Possible", "", "", "", "", _total(points)]
    rows = [
        [r.submission.student, r.submission.number, "", "", "", _score(r, points)]
        for r in results
        if r.submission.system == "Canvas"
    ]
    return _some(path, head, [worth, *rows] if rows else [])


def _some(path, head, rows):
    """Write the file where there are rows; returns its path or None."""
    path.unlink(missing_ok=True)
    if rows:
        _write(path, [head, *rows])
    return path if rows else None


def _write(path, rows):
    # The byte order mark tells spreadsheets that it is UTF-8.
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([[inert(c) for c in row] for row in rows])


def inert(text):
    """The text on one line, so that no spreadsheet takes a part of it for a formula."""
    text = _INSIDE.sub(r"\1'", re.sub(r"[\r\n]", " ", str(text)))
    return f"'{text}" if text.startswith(_ACTIVE) else text
