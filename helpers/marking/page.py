"""class.html: what the class believes, for the next lesson. One page, and no names.

For each exercise how many are right, which mistakes there are and how many make each,
with what the check says; for each question the share of every choice; what the notes
say on it; and wrong answers that no name fits, grouped by what they compute.
"""

import html
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from helpers.exercises.core import CORRECT, INCORRECT, NOT_ATTEMPTED, Exercise
from helpers.marking import judging, reading
from helpers.marking.starters import starter
from helpers.publishing import site
from helpers.publishing.lesson import (
    BuildError,
    notebook_paths,
    read_lesson,
    read_notes,
)
from helpers.publishing.mathml import font
from helpers.publishing.prose import Prose

GROUPS = 8  # of answers without a name, for one exercise
_THEME = Path(__file__).parent / "theme"
_PLACE = "/*the font of the formulas*/"


@dataclass
class Row:
    """One line of a task's table: a verdict, how many have it, what it says."""

    kind: str  # right, wrong or none
    name: str  # HTML
    count: int
    share: float
    said: str = ""  # HTML


@dataclass
class Group:
    """Answers without a name that compute the same."""

    count: int
    said: str
    code: str
    starter: str


def write(path, areas, verdicts):
    """Write the page about a class; ``verdicts`` has one dict for each student."""
    prose = Prose([])
    chapters = [_chapter(area, verdicts, prose) for area in areas]
    frame = {
        "style": site._text("style.css") + site._code_colours() + _text("class.css"),
        "script": site._text("site.js"),
        "font": _PLACE,
    }
    page = _environment().get_template("class.html.j2")
    text = page.render(
        **frame,
        title="What the class believes",
        description="Results of a class, by exercise and question, without names.",
        chapters=chapters,
        students=len(verdicts),
        copying=_text("class.js"),
    )
    path.write_text(text.replace(_PLACE, font([text]), 1), encoding="utf-8")
    return path


def _chapter(area, verdicts, prose):
    lesson, notes = _lesson(area), None
    if lesson is not None:
        try:
            notes = read_notes(lesson.stem)
        except BuildError:
            notes = None
    places = {}
    for section in lesson.sections if lesson else ():
        for placed in section.tasks:
            places[placed.call] = section, placed.label
    tasks = []
    for column, task in reading.tasks_of(area).items():
        mine = [verdict[column] for verdict in verdicts]
        section, label = places.get(column, (None, ""))
        tasks.append(_task(column, task, mine, section, label, notes, prose))
    title = lesson.title if lesson else area
    handed_in = sum(
        any(v[c].status != reading.MISSING for c in reading.tasks_of(area))
        for v in verdicts
    )
    return {"area": area, "title": title, "tasks": tasks, "handed_in": handed_in}


@cache
def _lesson(area):
    for path in notebook_paths():
        if path.stem.split("_", 1)[1] == area:
            try:
                return read_lesson(path)
            except BuildError:
                return None
    return None


def _task(column, task, verdicts, section, label, notes, prose):
    exercise = isinstance(task, Exercise)
    counts = Counter(v.status for v in verdicts)
    about = _about(label, exercise)
    said = None
    if section is not None:
        text = notes.sections.get(section.number, ("", ""))[1] if notes else ""
        said = {
            "title": f"{section.number}. {section.title}",
            "html": prose.html(_paragraphs(text)) if text else "",
        }
    return {
        "column": column,
        "anchor": column.replace(".", "-"),
        "about": about,
        "exercise": exercise,
        "text": "" if exercise else prose.html(task.text),
        "rows": (_exercise_rows if exercise else _question_rows)(task, verdicts, prose),
        "groups": _groups(task, verdicts) if exercise else [],
        "right": counts[CORRECT],
        "wrong": counts[INCORRECT],
        "none": counts[NOT_ATTEMPTED] + counts[reading.MISSING],
        "all": len(verdicts),
        "notes": said,
    }


def _about(label, exercise):
    if label and label != "question":
        return label[0].upper() + label[1:]
    return "Exercise" if exercise else "Question"


def _paragraphs(text):
    return re.sub(r"\n+(?=\*\*(?:Ask|Expect|Watch)\.\*\*)", "\n\n", text)


def _exercise_rows(task, verdicts, prose):
    total = len(verdicts)
    sentences = {m.name: m.sentence for m in task.mistakes}
    right = sum(v.status == CORRECT for v in verdicts)
    rows = [Row("right", "right", right, right / total)]
    wrong = [v for v in verdicts if v.status == INCORRECT]
    names = Counter(v.mistake or "no name" for v in wrong)
    for name, count in names.most_common():
        if name in sentences:
            said = prose.html(sentences[name])
        else:
            messages = Counter(
                v.message for v in wrong if (v.mistake or "no name") == name
            )
            said = _plain(messages.most_common(1)[0][0])
            if len(messages) > 1:
                said = f"for example: {said}"
        rows.append(Row("wrong", html.escape(name), count, count / total, said))
    return rows + _without_answer(verdicts)


def _question_rows(question, verdicts, prose):
    total, rows = len(verdicts), []
    letters = Counter(v.letter for v in verdicts if v.letter)
    for letter, choice in question.choices.items():
        kind = "right" if choice.right else "wrong"
        name = f"<b>{letter}</b> {prose.line(choice.text)}"
        if choice.right:
            name += ' <span class="sign">✔ right</span>'
        count = letters[letter]
        said = prose.html(choice.feedback)
        rows.append(Row(kind, name, count, count / total, said))
    other = sum(v.status == INCORRECT and not v.letter for v in verdicts)
    if other:
        said = "Not one of the letters, or Python cannot read the cell."
        rows.append(Row("wrong", "no choice", other, other / total, said))
    return rows + _without_answer(verdicts)


def _without_answer(verdicts):
    rows, total = [], len(verdicts)
    names = {NOT_ATTEMPTED: "not attempted", reading.MISSING: "not handed in"}
    for status, name in names.items():
        count = sum(v.status == status for v in verdicts)
        if count:
            rows.append(Row("none", name, count, count / total))
    return rows


def _groups(task, verdicts):
    """Answers that no listed mistake fits, those that compute the same together."""
    found = {}
    for verdict in verdicts:
        named = judging.is_named(task, verdict.mistake)
        if verdict.status == INCORRECT and verdict.outcomes and not named:
            found.setdefault(verdict.outcomes, []).append(verdict)
    groups = []
    for same in sorted(found.values(), key=len, reverse=True)[:GROUPS]:
        example = min(same, key=lambda v: (len(v.code), v.code))
        groups.append(
            Group(
                len(same),
                _plain(example.message),
                site._code(example.code),
                starter(task, example.code),
            )
        )
    return groups


def _plain(message):
    """A message as HTML: what an answer raised or printed may be in it."""
    pieces = re.split(r"`([^`]*)`", message)
    parts = [
        f"<code>{html.escape(piece)}</code>" if n % 2 else html.escape(piece)
        for n, piece in enumerate(pieces)
    ]
    return "".join(parts).replace("\n\n", "<br>")


def _text(name):
    return (_THEME / name).read_text(encoding="utf-8")


@cache
def _environment():
    # As on the site: what is put in is HTML already, or is escaped by name.
    return Environment(
        loader=FileSystemLoader([_THEME, site.THEME]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
