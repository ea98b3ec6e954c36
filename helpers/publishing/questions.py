"""Every question as Moodle XML: `make questions`, for the question bank of a course.

``python -m helpers.publishing.questions [file]``. A category for each notebook; every
choice has the feedback that the notebook gives; formulas as Moodle shows them.
"""

import argparse
import html
from pathlib import Path
from xml.etree import ElementTree

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from helpers.exercises.core import Question
from helpers.publishing.lesson import ROOT, notebook_paths, read_lesson

OUTPUT = ROOT / "build" / "questions.xml"
CATEGORY = "$course$/top/Positional encoding"


def moodle(lessons):
    """The questions of some lessons (`lesson.Lesson`) as an XML tree."""
    quiz = ElementTree.Element("quiz")
    for lesson in lessons:
        asked = [p for p in lesson.tasks if isinstance(p.task, Question)]
        if asked:
            quiz.append(_category(lesson.title))
        for placed in asked:
            quiz.append(_question(placed))
    ElementTree.indent(quiz)
    return ElementTree.ElementTree(quiz)


def _category(title):
    element = ElementTree.Element("question", type="category")
    # Moodle takes a slash for a new level.
    name = f"{CATEGORY}/{title.replace('/', '//')}"
    ElementTree.SubElement(_child(element, "category"), "text").text = name
    return element


def _question(placed):
    question = placed.task
    element = ElementTree.Element("question", type="multichoice")
    # The dot is the one of `formula.frozen_hands`, as in the notebook.
    _text(_child(element, "name"), placed.call)
    _html(element, "questiontext", question.text)
    _text(_child(element, "generalfeedback", format="html"), "")
    plain = {
        "defaultgrade": "1.0",
        "penalty": "0.5",
        "hidden": "0",
        "idnumber": placed.call,
        "single": "true",
        "shuffleanswers": "true",
        "answernumbering": "abc",
    }
    for name, text in plain.items():
        _child(element, name).text = text
    for choice in question.choices.values():
        fraction = "100" if choice.right else "0"
        answer = _child(element, "answer", fraction=fraction, format="html")
        _text(answer, to_html(choice.text))
        _html(answer, "feedback", choice.feedback)
    for hint in question.hints:
        _html(element, "hint", hint)
    return element


def _child(parent, name, **attributes):
    return ElementTree.SubElement(parent, name, attributes)


def _text(parent, text):
    _child(parent, "text").text = text


def _html(parent, name, markdown):
    _text(_child(parent, name, format="html"), to_html(markdown))


def to_html(markdown):
    """Markdown as HTML with formulas between ``\\(`` and ``\\)``, or ``\\[``, ``\\]``."""
    made = MarkdownWithMath(renderer=_Renderer(escape=True)).render(markdown).strip()
    if made.count("<p>") == 1 and made.startswith("<p>"):
        return made.removeprefix("<p>").removesuffix("</p>")
    return made


class _Renderer(IPythonRenderer):
    def inline_math(self, body):
        return rf"\({html.escape(body, quote=False)}\)"

    def block_math(self, body):
        return rf"\[{html.escape(body, quote=False)}\]"


def write(path, lessons=None):
    """Write the questions into a file; returns how many there are."""
    lessons = lessons or [read_lesson(path) for path in notebook_paths()]
    tree = moodle(lessons)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    tree.write(path, encoding="UTF-8", xml_declaration=True)
    return len(tree.findall("question[@type='multichoice']"))


def main(arguments=None):
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.publishing.questions",
        description="Write every question as Moodle XML.",
    )
    parser.add_argument("output", nargs="?", type=Path, default=OUTPUT)
    output = parser.parse_args(arguments).output
    print(f"{write(output)} questions: {output}")


if __name__ == "__main__":
    main()
