"""What exercises and questions share, and how far one came with them."""

import itertools
import json
from pathlib import Path

from helpers import __version__
from helpers.checks.feedback import CORRECT, NOT_ATTEMPTED, SIGNS, framed, kernel, show

KEPT = ".progress.json"  # beside a student's own copies; deleted, all begins anew
OWN_COPIES = ".editions.json"  # what `helpers.mine` leaves beside them


class Task:
    """A name, hints, a check, and how it stands in this run.

    A kind of task has ``judge(answer)``, which gives the Feedback and shows nothing,
    and ``_solution()``, the solution as Markdown and as plain text.
    """

    kind = "task"

    def __init__(self, name, hints):
        self.name, self.hints = name, tuple(hints)
        self.lesson = ""  # the folder of its lesson, which sets it
        self.status = NOT_ATTEMPTED  # of the latest check; correct once it was correct
        self.hints_used = 0
        self.keep = lambda: None  # how progress is kept; a lesson sets it

    def check(self, answer=..., *, strict=False):
        """Judge an answer; shows the Feedback and returns it.

        With ``strict``, an AssertionError says the same where it is not correct: what
        automatic graders wait for.
        """
        feedback = self.judge(answer)
        feedback.record = self.record(answer, feedback)
        if self.status != CORRECT and feedback.status != NOT_ATTEMPTED:
            self.status = feedback.status
            self.keep()
        feedback.show()
        if strict and feedback.status != CORRECT:
            raise AssertionError(repr(feedback))
        return feedback

    def record(self, answer, feedback):
        """What the output of `check` says to programs that read the notebook.

        ``digest`` and ``choice`` say which answer was judged: see the kinds of task.
        """
        return {
            "task": f"{self.lesson}.{self.name}",
            "status": feedback.status,
            "mistake": feedback.mistake,
            "message": feedback.message,
            "edition": __version__,
            **self.judged(answer),
        }

    def judged(self, answer):
        """Which answer was judged, as a part of the record."""
        return {}

    def solution(self):
        """Show the solution."""
        show(*self._solution())

    def hint(self):
        """Show the next hint; the last one stays."""
        number = min(self.hints_used, len(self.hints) - 1)
        self.hints_used = number + 1
        self.keep()
        last = ", the last one" if number + 1 == len(self.hints) else ""
        head = f"**Hint {number + 1} of {len(self.hints)}{last}.**"
        text = f"{head} {self.hints[number]}"
        show(text, text.replace("**", ""))


class Tasks(tuple):
    """The exercises and questions of a lesson, in order."""

    lesson = ""

    def progress(self):
        """How far you came: see `Progress`."""
        return Progress(self)

    def restore(self, lesson):
        """Take up what was kept of this lesson, and keep what comes."""
        self.lesson = lesson
        known = _kept().get(lesson, {})
        for task in self:
            task.status, task.hints_used = known.get(task.name, (NOT_ATTEMPTED, 0))
            task.lesson, task.keep = lesson, self.keep

    def keep(self):
        """Write down how far one came, where a student works on copies of their own."""
        if _file():
            mine = {task.name: [task.status, task.hints_used] for task in self}
            text = json.dumps({**_kept(), self.lesson: mine}, indent=1)
            _file().write_text(text, encoding="utf-8")


def _file():
    own = kernel() is not None and Path(OWN_COPIES).exists()
    return Path(KEPT) if own else None


def _kept():
    try:
        return json.loads(_file().read_text(encoding="utf-8")) if _file() else {}
    except (OSError, ValueError):
        return {}


class Progress:
    """Every exercise and question of a notebook with ✔ ✘ ○ and the hints used.

    ``rows`` holds (number, name, status, hints used, hints there are); the number
    counts the exercises, and is empty for a question. What was correct once stays so.
    """

    def __init__(self, tasks):
        number = itertools.count(1)
        self.rows = [
            (
                next(number) if task.kind == "exercise" else "",
                task.name,
                task.status,
                task.hints_used,
                len(task.hints),
            )
            for task in tasks
        ]
        self.correct = [task.status for task in tasks].count(CORRECT)
        bar = "█" * self.correct + "░" * (len(self.rows) - self.correct)
        self.summary = f"{self.correct} of {len(self.rows)} correct", bar

    def __repr__(self):
        width = max((len(row[1]) for row in self.rows), default=0)
        lines = [
            f"{SIGNS[status][0]} {number:>2} {name:{width}}  hints: {used} of {there}"
            for number, name, status, used, there in self.rows
        ]
        return "\n".join(["  ".join(self.summary), *lines])

    def _repr_mimebundle_(self, include=None, exclude=None):
        said, bar = self.summary
        lines = [f"**{said}** {bar}", "", "| | exercise | | hints used |"]
        lines.append("|:-:|:-:|:--|:--|")
        for number, name, status, used, there in self.rows:
            sign, word = SIGNS[status]
            stands = f"`{name}`: {word.rstrip('.').lower()}"
            lines.append(f"| {sign} | {number} | {stands} | {used} of {there} |")
        status = CORRECT if self.correct == len(self.rows) else NOT_ATTEMPTED
        text = framed("\n".join(lines), status)
        return {"text/markdown": text, "text/plain": repr(self)}
