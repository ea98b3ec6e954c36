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
            task = row[0].strip() if row else ""
            if task in columns:
                found[task] = float(row[1])
            elif task not in ("task", ""):
                raise ValueError(f"{path}: no task is called {task!r} here")
    return found


def write(folder, results, columns, points, name):
    """Write marks.csv, and what Moodle and Canvas import; returns the paths.

    marks.csv has a row a student and a column for each exercise and question.
    """
    points_of = points or dict.fromkeys(columns, 1)
    tables = {
        "marks": _marks(results, columns, points),
        "moodle": _for_moodle(results, points_of),
        "canvas": _for_canvas(results, points_of, name),
    }
    for system, rows in tables.items():
        path = folder / f"{system}.csv"
        path.unlink(missing_ok=True)
        if rows:
            # The byte order mark tells spreadsheets that it is UTF-8.
            with open(path, "w", encoding="utf-8-sig", newline="") as file:
                csv.writer(file).writerows([[inert(c) for c in row] for row in rows])
    return [folder / f"{system}.csv" for system, rows in tables.items() if rows]


def _marks(results, columns, points):
    head = ["student", "id", "correct", "of"] + ["points", "of points"] * bool(points)
    rows = [[*head, "not judged, and left out", *columns]]
    for result in results:
        about = result.submission
        row = [about.student, about.number, len(result.correct), len(columns)]
        row += [_score(result, points), _total(points)] if points else []
        verdicts = [result.verdicts[column] for column in columns]
        cells = [v.status + (f": {v.mistake}" if v.mistake else "") for v in verdicts]
        rows.append([*row, result.reason, *cells])
    return rows


def _score(result, points):
    return f"{sum(points.get(column, 0) for column in result.correct):g}"


def _total(points):
    return f"{sum(points.values()):g}"


def _for_moodle(results, points):
    """The worksheet of offline grading: participants by their numbers."""
    head = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]
    rows, most = [], _total(points)
    for result, about in _of(results, "Moodle"):
        row = [f"Participant {about.number}", about.student, _score(result, points)]
        rows.append([*row, most, result.reason])
    return rows and [head, *rows]


def _for_canvas(results, points, name):
    """A gradebook: students by their numbers, one assignment."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name]
    worth = ["    Points Possible", "", "", "", "", _total(points)]
    rows = [
        [about.student, about.number, "", "", "", _score(result, points)]
        for result, about in _of(results, "Canvas")
    ]
    return rows and [head, worth, *rows]


def _of(results, system):
    """(result, submission) of those whose names a course system gave."""
    pairs = [(result, result.submission) for result in results]
    return [(result, about) for result, about in pairs if about.system == system]


def inert(text):
    """The text on one line, so that no spreadsheet takes a part of it for a formula."""
    text = _INSIDE.sub(r"\1'", re.sub(r"[\r\n]", " ", str(text)))
    return f"'{text}" if text.startswith(_ACTIVE) else text
