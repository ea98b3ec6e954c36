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
    choice: str = ""
    code: str = ""


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
        self.records = []  # each with the text of its cell
        self.cells = []  # the lines of code of each
        for cell in (cell for cell in cells if cell["cell_type"] == "code"):
            text = "".join(cell["source"])
            found = filter(None, map(_record, cell.get("outputs", ())))
            self.records += [(record, text) for record in found]
            self.cells.append(source.counted(text.split("\n")))
        self.text = "\n".join("\n".join(lines) for lines in self.cells)

    def is_of(self, area):
        """Whether it belongs to a lesson: it has a record of it, or imports it."""
        named = rf"\bhelpers\.lessons(\.| import\b.*\b){area}\b|\b{area}\.\w+\.check\("
        recorded = (record["task"].startswith(f"{area}.") for record, _ in self.records)
        return any(recorded) or bool(re.search(named, self.text))

    def verdict(self, column, task):
        """The Verdict on a task: a right one if there is any, else the last one.

        A record counts while the answer that it is about stands in the notebook.
        """
        own = [pair for pair in self.records if pair[0]["task"] == column]
        if not own:
            return Verdict(self._without_record(task))
        known = [pair for pair in own if self._stands(task, *pair)]
        right = [pair for pair in known if pair[0]["status"] == CORRECT]
        record, _ = (right or known or own)[-1]
        code = [self._code(digest) for digest in record.get("digest") or ()]
        return Verdict(
            record["status"] if known else CHANGED,
            shown(record["mistake"], 120),
            shown(record["message"], 2000),
            task.kind == "question" and _choice(task, record) or "",
            shown(code and code[0], 2000),
        )

    def _stands(self, task, record, cell):
        """Whether the answer that was judged is in the notebook."""
        if task.kind == "exercise":
            if digests := record.get("digest"):
                return all(map(self._code, digests))
            return record["status"] != NOT_ATTEMPTED or self._has_stub(task)
        call = rf"\.{task.name}\.check\(\s*(?:answer\s*=\s*)?[\"']([^\"']*)[\"']"
        typed = {task.key(letter) for letter in re.findall(call, cell)}
        return not typed or _choice(task, record) in typed  # it may be in a variable

    def _without_record(self, task):
        call = re.search(rf"\.{task.name}\.check\((\s*\.\.\.)?", self.text)
        if self._has_stub(task) if task.kind == "exercise" else call and call[1]:
            return NOT_ATTEMPTED
        return NOT_RUN if call else MISSING

    def _has_stub(self, task):
        return "\n".join(source.counted(task.stub.split("\n"))) in self.text

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


def _choice(task, record):
    """The letter of a question that was judged, or None where it was none."""
    if record["status"] == CORRECT:
        return task.answer
    return task.key(record.get("choice") or record["mistake"])


def shown(text, most):
    """The beginning of a text, each sign that is not to be seen written out: ``\\x1b``."""
    text = str(text or "")[:most]
    return "".join(s if s.isprintable() or s == "\n" else ascii(s)[1:-1] for s in text)
