"""What exercises and questions share, and how far one came with them."""

from helpers.exercises import opening
from helpers.exercises.feedback import (
    CORRECT,
    NOT_ATTEMPTED,
    SIGNS,
    framed,
    show,
)


class Task:
    """A name, hints, a check, and how it stands in this run."""

    kind = "task"

    def __init__(self, name, hints):
        self.name, self.hints = name, tuple(hints)
        self.status = NOT_ATTEMPTED  # of the latest check; correct once it was correct
        self.hints_used = 0

    def check(self, answer=..., *, strict=False):
        """Judge an answer; shows the Feedback and returns it.

        With ``strict``, an AssertionError says the same where it is not correct: what
        automatic graders wait for.
        """
        feedback = self.judge(answer)
        if self.status != CORRECT and feedback.status != NOT_ATTEMPTED:
            self.status = feedback.status
        feedback.show()
        if strict and feedback.status != CORRECT:
            raise AssertionError(repr(feedback))
        return feedback

    def judge(self, answer):
        """The Feedback on an answer, not shown."""
        raise NotImplementedError

    def solution(self):
        """Show the solution, or when it opens."""
        when = opening.closed()
        show(*((when, when) if when else self._solution()))

    def _solution(self):
        """The solution as Markdown and as plain text."""
        raise NotImplementedError

    def hint(self):
        """Show the next hint; the last one stays."""
        number = min(self.hints_used, len(self.hints) - 1)
        self.hints_used = number + 1
        text = f"**Hint {number + 1} of {len(self.hints)}.** {self.hints[number]}"
        show(text, text.replace("**", ""))

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}>"


class Tasks(tuple):
    """The exercises and questions of a notebook, in order."""

    def progress(self):
        """How far you came in this run: see `Progress`."""
        return Progress(self)


class Progress:
    """Every exercise and question of a notebook with ✔ ✘ ○ and the hints used.

    ``rows`` holds (name, kind, status, hints used, hints there are). What was correct
    once in this run stays correct.
    """

    def __init__(self, tasks):
        self.rows = [
            (task.name, task.kind, task.status, task.hints_used, len(task.hints))
            for task in tasks
        ]

    @property
    def correct(self):
        """How many are correct."""
        return [status for _, _, status, *_ in self.rows].count(CORRECT)

    def _summary(self):
        return f"{self.correct} of {len(self.rows)} correct"

    def __repr__(self):
        width = max((len(name) for name, *_ in self.rows), default=0)
        lines = [
            f"{SIGNS[status][0]} {name:{width}}  {kind:8}  hints: {used} of {there}"
            for name, kind, status, used, there in self.rows
        ]
        return "\n".join([f"{self._summary()} in this run.", *lines])

    def _repr_mimebundle_(self, include=None, exclude=None):
        lines = [
            f"**{self._summary()}** in this run.",
            "",
            "| | | | hints used |",
            "|:-:|:--|:--|:--|",
        ]
        for name, kind, status, used, there in self.rows:
            sign, word = SIGNS[status]
            lines.append(
                f"| {sign} | `{name}` | {kind}: {word.rstrip('.').lower()} "
                f"| {used} of {there} |"
            )
        status = CORRECT if self.correct == len(self.rows) else NOT_ATTEMPTED
        text = framed("\n".join(lines), status)
        return {"text/markdown": text, "text/plain": repr(self)}


def collect(namespace):
    """Every exercise and question of a module, in the order of their definition."""
    tasks = (v for v in namespace.values() if isinstance(v, Task))
    return Tasks(dict.fromkeys(tasks))  # a class and its exercise may share one
