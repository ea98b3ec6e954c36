"""class.html: what the class believes, without names, for whoever teaches tomorrow.

On top three things for tomorrow, the mistakes that most of those who answered made.
Then each exercise with its wrong answers: how many, the commonest code of each, what
the check said, and what the instructor's notes suggest.
"""

import html
import re
from collections import Counter
from dataclasses import dataclass, field
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
    chapters = [_chapter(area, own, students) for area, own in tasks.items()]
    wrong = [group for c in chapters for task in c["tasks"] for group in task.wrong]
    # A mistake with a name is a belief that can be taught about; an error is a guess.
    wrong.sort(key=lambda group: (not group.text, -group.share))
    parts = {"chapters": chapters, "first": wrong[:3], "students": len(students)}
    text = rendered("class.html.j2", _THEME, prose=Prose([]), plain=plain, **parts)
    path.write_text(with_font(text)[0], encoding="utf-8")


def _chapter(area, tasks, students):
    """A notebook, and its tasks, of which the one that most got wrong comes first."""
    (path,) = [path for path in notebook_paths() if path.stem[3:] == area]
    cells = nbformat.read(path, as_version=4).cells
    notes = read_notes(path.stem).sections
    verdicts = [student.verdicts for student in students if student.has(tasks)]
    answers = []
    for column, task in tasks.items():
        section = _section(column, cells)
        about = (column, task, section, *notes[section])
        answers.append(Answers(*about, [own[column] for own in verdicts]))
    answers.sort(key=lambda task: -sum(group.share for group in task.wrong))
    title, handed_in = cells[0].source.partition("\n")[0], len(verdicts)
    return {"area": area, "title": title[2:], "count": handed_in, "tasks": answers}


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

    @cached_property
    def counts(self):
        """Status -> how many."""
        return Counter(verdict.status for verdict in self.verdicts)

    @cached_property
    def wrong(self):
        """Wrong answers by their mistake, or by the sentence that they were told."""
        groups = {}
        for verdict in self.verdicts:
            if verdict.status == INCORRECT:
                text = self.ours.get(verdict.choice or verdict.mistake)
                # Without a name of ours, by the first sentence without its numbers.
                told = text or re.sub(r"\d+", "0", verdict.message.partition(". ")[0])
                key = verdict.choice or verdict.mistake, told
                group = groups.setdefault(key, Group(self, *key, text, verdict.message))
                group.codes.append(verdict.code)
        return sorted(groups.values(), key=lambda group: -group.share)

    @cached_property
    def ours(self):
        """What our own texts tell each choice, or each mistake that has a name."""
        if self.task.kind == "question":
            return {key: choice.feedback for key, choice in self.task.choices.items()}
        return {mistake.name: mistake.sentence for mistake in self.task.mistakes}


@dataclass
class Group:
    """Wrong answers of one kind; ``text`` is what our own texts tell them, if any."""

    answers: Answers
    name: str
    told: str
    text: str | None
    message: str
    codes: list = field(default_factory=list)

    @property
    def share(self):
        """Of those who answered."""
        return len(self.codes) / sum(self.answers.counts[s] for s in JUDGED)

    @property
    def commonest(self):
        """(code, how often) of the answer that most wrote, where one is known."""
        return Counter(filter(None, self.codes)).most_common(1)


def plain(message):
    """A message as HTML: what an answer raised or printed may be in it."""
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(message))
    return text.replace("**", "").replace("\n\n", "<br>")
