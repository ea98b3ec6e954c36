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

from helpers.checks.feedback import INCORRECT
from helpers.marks.reading import JUDGED
from helpers.publish.lesson import notebook_paths, read_lesson, read_notes
from helpers.publish.pages import rendered, with_font
from helpers.publish.prose import Prose

_THEME = Path(__file__).parent / "theme"


def write(path, students, tasks):
    """Write the page about students and the ``tasks`` of each area."""
    chapters = [_chapter(area, own, students) for area, own in tasks.items()]
    wrong = [group for c in chapters for task in c["tasks"] for group in task.wrong]
    # A mistake with a name is a belief that can be taught about; an error is a guess.
    wrong.sort(key=lambda group: (not group.text, -group.share))
    text = rendered(
        "class.html.j2",
        _THEME,
        prose=Prose([]),
        plain=plain,
        chapters=chapters,
        first=wrong[:3],
        students=len(students),
    )
    path.write_text(with_font(text)[0], encoding="utf-8")


def _chapter(area, tasks, students):
    """A notebook, and its tasks, of which the one that most got wrong comes first."""
    (path,) = [path for path in notebook_paths() if path.stem[3:] == area]
    lesson = read_lesson(path)
    notes = read_notes(path.stem).sections
    handed_in = [student.verdicts for student in students if student.has(tasks)]
    answers = [
        Answers(
            p.call, p.task, s.number, *notes[s.number], [v[p.call] for v in handed_in]
        )
        for s in lesson.sections
        for p in s.tasks
    ]
    answers.sort(key=lambda task: -sum(group.share for group in task.wrong))
    return {"lesson": lesson, "count": len(handed_in), "tasks": answers}


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
        if self.task.kind == "question":
            ours = {key: choice.feedback for key, choice in self.task.choices.items()}
        else:
            ours = {mistake.name: mistake.sentence for mistake in self.task.mistakes}
        groups = {}
        for verdict in self.verdicts:
            if verdict.status == INCORRECT:
                name = verdict.choice or verdict.mistake
                # Without a name of ours, by the first sentence without its numbers.
                told = re.sub(r"\d+", "0", verdict.message.partition(". ")[0])
                group = Group(self, name, ours.get(name), verdict.message)
                group = groups.setdefault((name, group.text or told), group)
                group.codes.append(verdict.code)
        return sorted(groups.values(), key=lambda group: -group.share)


@dataclass
class Group:
    """Wrong answers of one kind; ``text`` is what our own texts tell them, if any."""

    answers: Answers
    name: str
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
