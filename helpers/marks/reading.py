"""The verdicts in a notebook: read from its outputs, while none of its code is run.

A check leaves a record of its verdict in the metadata of its output (`Task.record`).
Where an editor has dropped it, the last line of the output's text has status and
mistake, and only the digest of the judged code is lost.
"""

import json
import re
from dataclasses import dataclass

from helpers.checks import source
from helpers.checks.feedback import CORRECT, INCORRECT, KEY, NOT_ATTEMPTED

NOT_RUN, CHANGED, MISSING = NOT_JUDGED = "not run", "changed since", "missing"
JUDGED = (CORRECT, INCORRECT)

_LAST_LINE = re.compile(
    r"(?P<task>\w+\.\w+): (?P<status>correct|incorrect)(?:: (?P<mistake>.+))?\]"
)


@dataclass
class Verdict:
    """What a notebook says about one task.

    ``choice`` is the letter of a question, ``code`` the text of an exercise's answer
    without comments. What students can write is cut and has no hidden sign.
    """

    status: str = MISSING
    mistake: str = ""
    message: str = ""
    choice: str | None = None
    code: str = ""

    def __str__(self):
        return f"{self.status}: {self.mistake}".removesuffix(": ")


def verdicts(content, tasks):
    """Area -> column -> Verdict for each lesson in a notebook, given as bytes.

    ``tasks`` maps areas to columns ("formula.angular_speeds") to tasks. Many kinds of
    exception say that it is damaged, or no notebook.
    """
    notebook = Notebook(json.loads(content)["cells"])
    return {
        area: {column: notebook.verdict(column, task) for column, task in own.items()}
        for area, own in tasks.items()
        if notebook.is_of(area)
    }


class Notebook:
    """The code cells of a notebook, and the records in their outputs."""

    def __init__(self, cells):
        self.records, self.cells = [], []  # the lines of code of each cell
        for cell in (cell for cell in cells if cell["cell_type"] == "code"):
            self.records += filter(None, map(_record, cell.get("outputs", ())))
            self.cells.append(source.counted("".join(cell["source"]).split("\n")))
        self.text = "\n".join("\n".join(lines) for lines in self.cells)

    def is_of(self, area):
        """Whether it belongs to a lesson: it imports it, or has a check of it."""
        named = rf"\bhelpers\.lessons(\.| import\b.*\b){area}\b|\b{area}\.\w+\.check\("
        return re.search(named, self.text)

    def verdict(self, column, task):
        """The Verdict on a task: a right one if there is any, else the last one.

        A record counts while the answer that it is about stands in the notebook.
        """
        own = [record for record in self.records if record["task"] == column]
        if not own:
            return Verdict(self._without_record(task))
        known = [record for record in own if self._stands(task, record)]
        right = [record for record in known if record["status"] == CORRECT]
        record = (right or known or own)[-1]
        codes = map(self._code, record.get("digest") or ())
        choice = record.get("choice") or record["mistake"]
        return Verdict(
            record["status"] if known else CHANGED,
            shown(record["mistake"], 120),
            shown(record["message"], 2000),
            task.key(choice) if task.kind == "question" else None,
            shown(next(codes, ""), 2000),
        )

    def _stands(self, task, record):
        """Whether the code that was judged is in the notebook; a question has none."""
        if digests := record.get("digest"):
            return all(map(self._code, digests))
        return record["status"] != NOT_ATTEMPTED or self._as_given(task)

    def _without_record(self, task):
        if self._as_given(task):
            return NOT_ATTEMPTED
        return NOT_RUN if f".{task.name}.check(" in self.text else MISSING

    def _as_given(self, task):
        """Whether the stub of an exercise, or the dots of a question, are still there."""
        if task.kind == "exercise":
            return "\n".join(source.counted(task.stub.split("\n"))) in self.text
        return f".{task.name}.check(...)" in self.text

    def _code(self, digest):
        """The code that a digest is of, or "" where it is not in the notebook."""
        found = (source.find(digest, lines) for lines in self.cells)
        return "\n".join(next(filter(None, found), ()))


def _record(output):
    """The record in an output, or None."""
    if record := output.get("metadata", {}).get(KEY):
        return record if record["status"] in (*JUDGED, NOT_ATTEMPTED) else None
    text = "".join(output.get("data", {}).get("text/plain", ""))
    said, _, last = text.strip().rpartition("\n[")
    found = _LAST_LINE.fullmatch(last)
    return found and {**found.groupdict(), "message": said.partition(". ")[2]}


def shown(text, most):
    """The beginning of a text, each sign that is not to be seen written out: ``\\x1b``."""
    text = str(text or "")[:most]
    return "".join(s if s.isprintable() or s == "\n" else ascii(s)[1:-1] for s in text)
