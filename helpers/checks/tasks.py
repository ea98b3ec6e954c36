"""What exercises and questions share, and how far one came with them."""

import itertools
import json
from pathlib import Path

from helpers import __version__
from helpers.checks.feedback import (
    CORRECT,
    INCORRECT,
    NOT_ATTEMPTED,
    SIGNS,
    framed,
    kernel,
    show,
)

PROGRESS_FILE = (
    ".progress.json"  # beside a student's own copies; deleted, all begins anew
)
EDITIONS_FILE = ".editions.json"  # what `helpers.mine` leaves beside them
TRIES = 2  # different wrong answers after which the solution is offered


class Task:
    """A name, hints, a check, and how it stands in this run.

    A kind of task has ``judge(answer)``, which gives the Feedback and shows nothing;
    ``fingerprint(answer)``, which tells different answers apart; ``_solution()``, the
    solution as Markdown and as plain text; and ``_after()``, what whoever has solved it
    can unfold.
    """

    kind = "task"
    solution_title = after_title = "The lesson's own solution"

    def __init__(self, name, hints):
        self.name = name
        self.hints = tuple(hints)
        self.lesson = ""  # the folder of its lesson, which sets it
        self.status = NOT_ATTEMPTED  # of the latest check; correct once it was correct
        self.tried = []  # the different answers, as `_identity` tells them apart
        self.passed = set()  # those of them that were correct in this kernel
        self.keep = lambda: None  # how progress is kept; a lesson sets it
        self._next_hint = 0  # that `hint` will show

    def check(self, answer=..., *, strict=False):
        """Judge an answer; shows the Feedback and returns it.

        With ``strict``, an AssertionError says the same where it is not correct: what
        automatic graders wait for.
        """
        feedback = self.judge(answer)
        feedback.record = self.record(answer, feedback)
        if feedback.status != NOT_ATTEMPTED:
            self._note(answer, feedback.status)
        feedback.folds = self._folds(feedback.status)
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
            **self.fingerprint(answer),
        }

    def fingerprint(self, answer):
        """Which answer it was, as a part of the record: values are texts, or lists."""
        return {}

    def _note(self, answer, status):
        identity = self._identity(answer)
        if identity not in ["", *self.tried]:
            self.tried.append(identity)
        if status == CORRECT:
            self.passed.add(identity)
        if self.status != CORRECT:
            self.status = status
        self.keep()

    def _identity(self, answer):
        """The digest of an answer's code, or its letter; empty where there is none."""
        parts = self.fingerprint(answer).values()
        return " ".join(text for texts in parts for text in texts or ())

    def _folds(self, status):
        """(title, Markdown) of what is folded below a verdict.

        One hint more with each different wrong answer, and the solution after some.
        """
        if status == CORRECT:
            return [(self.after_title, self._after())]
        tries = len(self.tried) if status == INCORRECT else 0
        folds = [self._titled_hint(n) for n in range(max(tries, 1))[: len(self.hints)]]
        if tries >= TRIES:
            folds.append((self.solution_title, self._solution()[0]))
        return folds

    def _titled_hint(self, number):
        return f"Hint {number + 1} of {len(self.hints)}", self.hints[number]

    def _after(self):
        return self._solution()[0]

    def solution(self):
        """Show the solution."""
        show(*self._solution())

    def hint(self):
        """Show the next hint; the last one stays."""
        title, text = self._titled_hint(self._next_hint)
        self._next_hint = min(self._next_hint + 1, len(self.hints) - 1)
        show(f"**{title}.** {text}", f"{title}. {text}")


class Tasks(tuple):
    """The exercises and questions of a lesson, in order."""

    lesson = ""

    def progress(self):
        """How far you came: see `Progress`."""
        return Progress(self)

    def restore(self, lesson):
        """Take up what was kept of this lesson, and keep what comes."""
        self.lesson = lesson
        known = _stored_progress().get(lesson, {})
        for task in self:
            task.status, task.tried = known.get(task.name, (NOT_ATTEMPTED, []))
            task.lesson = lesson
            task.keep = self.keep

    def keep(self):
        """Write down how far one came, where a student works on copies of their own."""
        if _progress_file():
            mine = {task.name: [task.status, task.tried] for task in self}
            _progress_file().write_text(
                json.dumps({**_stored_progress(), self.lesson: mine}, indent=1),
                encoding="utf-8",
            )


def _progress_file():
    own = kernel() is not None and Path(EDITIONS_FILE).exists()
    return Path(PROGRESS_FILE) if own else None


def _stored_progress():
    path = _progress_file()
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path else {}
    except (OSError, ValueError):
        return {}


class Progress:
    """Every exercise and question of a notebook with ✔ ✘ ○ and the answers tried.

    ``rows`` holds (number, name, status, different answers tried); the number counts
    the exercises, and is empty for a question. What was correct once stays so.
    """

    def __init__(self, tasks):
        number = itertools.count(1)
        self.rows = [
            (
                next(number) if task.kind == "exercise" else "",
                task.name,
                task.status,
                len(task.tried),
            )
            for task in tasks
        ]
        self.correct = [task.status for task in tasks].count(CORRECT)
        bar = "█" * self.correct + "░" * (len(self.rows) - self.correct)
        self.summary = f"{self.correct} of {len(self.rows)} correct", bar

    def __repr__(self):
        width = max((len(row[1]) for row in self.rows), default=0)
        lines = [
            f"{SIGNS[status][0]} {number:>2} {name:{width}}  answers tried: {tries}"
            for number, name, status, tries in self.rows
        ]
        return "\n".join(["  ".join(self.summary), *lines])

    def _repr_mimebundle_(self, include=None, exclude=None):
        said, bar = self.summary
        lines = [f"**{said}** {bar}", "", "| | exercise | | answers tried |"]
        lines.append("|:-:|:-:|:--|:--|")
        for number, name, status, tries in self.rows:
            sign, word = SIGNS[status]
            stands = f"`{name}`: {word.rstrip('.').lower()}"
            lines.append(f"| {sign} | {number} | {stands} | {tries} |")
        status = CORRECT if self.correct == len(self.rows) else NOT_ATTEMPTED
        return {
            "text/markdown": framed("\n".join(lines), status),
            "text/plain": repr(self),
        }
