"""class.html: what the class believes, without names, for whoever teaches tomorrow.

On top three things for tomorrow, the mistakes that most of those who answered made.
Then each exercise with its wrong answers: how many, the commonest code of each, what
the check said, and what the instructor's notes suggest.
"""

import html
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat

from helpers.checks.feedback import INCORRECT
from helpers.marks.reading import JUDGED
from helpers.publish.lesson import notebook_paths, read_notes
from helpers.publish.pages import rendered, with_font
from helpers.publish.prose import Prose

_THEME = Path(__file__).parent / "theme"
_HEADING = re.compile(r"^## (\d+)\. ", re.M)


def write(path, students, tasks):
    """Write the page about students and the ``tasks`` of each area."""
    prose, chapters = Prose([]), []
    for area, own in tasks.items():
        verdicts = [student.verdicts for student in students if student.has(own)]
        chapters.append(Chapter(area, own, verdicts))
    wrong = [group for c in chapters for task in c.tasks for group in task.wrong]
    # A mistake with a name is a belief that can be taught about; an error is a guess.
    wrong.sort(key=lambda group: (not group.text, -group.share))
    parts = {"chapters": chapters, "first": wrong[:3], "students": len(students)}
    text = rendered("class.html.j2", _THEME, prose=prose, plain=plain, **parts)
    path.write_text(with_font(text)[0], encoding="utf-8")


class Chapter:
    """A notebook, and its tasks, of which the one that most got wrong comes first."""

    def __init__(self, area, tasks, verdicts):
        (path,) = [path for path in notebook_paths() if path.stem[3:] == area]
        cells = nbformat.read(path, as_version=4).cells
        self.title = re.match(r"# (.+)", cells[0].source)[1]
        self.area, self.handed_in = area, len(verdicts)
        notes = read_notes(path.stem).sections
        self.tasks = [
            Answers(
                column, task, section, *notes[section], [v[column] for v in verdicts]
            )
            for column, task in tasks.items()
            for section in [_section(column, cells)]
        ]
        self.tasks.sort(key=lambda task: -sum(group.share for group in task.wrong))


def _section(column, cells):
    """The number of the section in which a task is checked."""
    number = 1
    for cell in cells:
        if f"{column}.check(" in cell.source:
            break
        number = ([number] + _HEADING.findall(cell.source))[-1]
    return int(number)


@dataclass
class Answers:
    """A task, where the notes treat it, and what the class has answered."""

    column: str
    task: object
    section: int
    title: str
    notes: str
    verdicts: list

    @property
    def counts(self):
        """Status -> how many."""
        return Counter(verdict.status for verdict in self.verdicts)

    @cached_property
    def wrong(self):
        """Wrong answers by their mistake, or by the sentence that they were told."""
        groups, answered = {}, sum(self.counts[status] for status in JUDGED)
        for verdict in self.verdicts:
            if verdict.status == INCORRECT:
                group = Group(
                    self, verdict, verdict.choice or verdict.mistake, answered
                )
                key = group.name if group.text else (group.name, group.sentence)
                groups.setdefault(key, group).codes.append(verdict.code)
        return sorted(groups.values(), key=lambda group: -group.share)


class Group:
    """Wrong answers of one kind; ``text`` is what our own text tells them, if any."""

    def __init__(self, answers, verdict, name, answered):
        self.answers, self.name, self.message = answers, name, verdict.message
        self.answered, self.codes = answered, []
        if verdict.choice:
            self.text = answers.task.choices[name].feedback
        else:
            known = {m.name: m.sentence for m in getattr(answers.task, "mistakes", ())}
            self.text = known.get(name)

    @property
    def sentence(self):
        """The first sentence of the message; numbers make no difference."""
        first = re.split(r"(?<=[.!?])\s", self.message, maxsplit=1)[0]
        return re.sub(r"\d+", "0", first)

    @property
    def share(self):
        """Of those who answered."""
        return len(self.codes) / self.answered

    @property
    def commonest(self):
        """(code, how often) of the answer that most wrote; ("", 0) where none is known."""
        return (Counter(filter(None, self.codes)).most_common(1) or [("", 0)])[0]


def plain(message):
    """A message as HTML: what an answer raised or printed may be in it."""
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(message))
    return text.replace("\n\n", "<br>")
