"""Exam questions, for the instructor edition alone: a page to print, answers behind.

``exam/NN_name.md`` holds six for each notebook. An answer whose first bold text is a
number has Python below it that computes this number; a test runs it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from helpers.publishing.lesson import BuildError

EXAM = Path(__file__).parent / "exam"
_QUESTION = re.compile(r"(\d+)\. (.+) \((\d+) points?\)")
_PLACE = "/*the font of the formulas*/"  # filled in once the page is known


@dataclass(frozen=True)
class ExamQuestion:
    """A question with its answer; ``code`` sets ``answer`` where that is a number."""

    number: int
    title: str
    points: int
    text: str
    answer: str
    code: str


def read_exam(stem, folder=EXAM):
    """The exam questions on a notebook; BuildError where they are not in order."""
    path = Path(folder) / f"{stem}.md"
    if not path.exists():
        raise BuildError(f"{stem}: the exam questions {path.name} are missing.")
    _, *parts = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.M)
    questions = [_question(path.name, part) for part in parts]
    if [q.number for q in questions] != list(range(1, len(questions) + 1)):
        raise BuildError(f"{path.name}: the questions are not numbered in order.")
    return questions


def _question(name, part):
    heading, _, body = part.partition("\n")
    match = _QUESTION.fullmatch(heading.strip())
    text, found, rest = body.partition("**Answer.** ")
    if not match or not found:
        raise BuildError(f"{name}: `{heading}` is no question with points and answer.")
    answer, _, code = rest.partition("```python\n")
    code = code.rpartition("```")[0]
    number, title, points = match.groups()
    return ExamQuestion(
        int(number), title, int(points), text.strip(), answer.strip(), code
    )


def exam_page(lessons):
    """The HTML of all exam questions: a sheet of questions, then one of answers."""
    try:
        from helpers.publishing.mathml import font
        from helpers.publishing.prose import Prose
    except ModuleNotFoundError as error:
        raise BuildError(
            f"The printable exam needs the package {error.name}: "
            "run `python -m pip install -e .[site]`."
        ) from error
    prose, parts = Prose([lesson.stem for lesson in lessons]), []
    for lesson in lessons:
        questions = read_exam(lesson.stem)
        parts.append(
            {
                "title": prose.line(lesson.title),
                "points": sum(q.points for q in questions),
                "questions": [
                    {
                        "number": q.number,
                        "title": prose.line(q.title),
                        "points": q.points,
                        "text": prose.html(q.text),
                        "answer": prose.html(q.answer),
                    }
                    for q in questions
                ],
            }
        )
    environment = Environment(
        loader=PackageLoader("helpers.publishing", "theme"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.get_template("exam.html.j2").render(parts=parts, font=_PLACE)
    return text.replace(_PLACE, font([text]))
