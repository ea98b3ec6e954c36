"""Exam questions, for the instructor edition alone: a page to print, answers behind.

``exam/NN_name.md`` holds six for each notebook. An answer whose first bold text is a
number has Python below it that computes this number; a test runs it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from helpers.publishing.lesson import BuildError, divided
from helpers.publishing.printing import formulas, rendered

EXAM = Path(__file__).parent / "exam"
_QUESTION = re.compile(r"(\d+)\. (.+) \((\d+) points?\)")


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
    path, _, *parts = divided(stem, folder, "exam questions")
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
    _, html = formulas()
    prose, parts = html.Prose([lesson.stem for lesson in lessons]), []
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
    return rendered("exam.html.j2", parts=parts)
