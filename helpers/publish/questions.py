"""Every question as Moodle XML: `make questions`, for the question bank of a course.

``python -m helpers.publish.questions [file]``. A category for each notebook; every
choice has the feedback that the notebook gives; formulas as Moodle shows them.
"""

import html
import sys
from pathlib import Path

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from helpers.publish.lesson import ROOT, notebook_paths, read_lesson
from helpers.publish.pages import rendered
from helpers.publish.prose import unwrapped

OUTPUT = ROOT / "build" / "questions.xml"


def to_html(markdown):
    """Markdown as HTML with formulas between ``\\(`` and ``\\)``, or ``\\[``, ``\\]``."""
    return unwrapped(MarkdownWithMath(_Renderer(escape=True)).render(markdown))


class _Renderer(IPythonRenderer):
    def inline_math(self, body):
        return rf"\({html.escape(body, quote=False)}\)"

    def block_math(self, body):
        return rf"\[{html.escape(body, quote=False)}\]"


def write(path):
    """Write the questions into a file; returns how many there are."""
    text = rendered(
        "questions.xml.j2",
        lessons=[read_lesson(path) for path in notebook_paths()],
        to_html=to_html,
    )
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return text.count('<question type="multichoice">')


if __name__ == "__main__":
    output = Path(*sys.argv[1:2] or [OUTPUT])
    print(f"{write(output)} questions: {output}")
