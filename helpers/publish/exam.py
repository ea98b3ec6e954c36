"""An exam of one's own: ``make exam SEED=autumn``, build/exam/sheet.html and key.html.

``lessons/area/exam.md`` holds six questions for each notebook. A question may draw
numbers: its code calls ``rng``, and ``«name»`` in text and answer is filled in with
what the code sets. What stands in the repository gives no answer away.

The code asserts what makes its answer the only right one. Numbers of the answer that
are on the edge of rounding, as 0.4150 is to two decimals, are drawn again here.
"""

import argparse
import math
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from helpers import encoding
from helpers.publish.lesson import (
    ROOT,
    BuildError,
    divided,
    notebook_paths,
    read_lesson,
)
from helpers.publish.pages import rendered, with_font
from helpers.publish.prose import Prose

_FILLED = re.compile(r"«(\w+):?([^»]*)»")
_QUESTION = re.compile(
    r"(\d+)\. ([^\n]+) \((\d+) points?\)\s+(.+?)\s+"
    r"\*\*Answer\.\*\* (.+?)\s*(?:```python\n(.*)```\s*)?",
    re.S,
)


@dataclass(frozen=True)
class ExamQuestion:
    """A question with its answer, as written; ``code`` draws and computes its numbers."""

    number: int
    title: str
    points: int
    text: str
    answer: str
    code: str

    def drawn(self, seed):
        """(text, answer, what the code has set) with the numbers of a seed."""
        rng = np.random.default_rng(zlib.crc32(f"{seed} {self.title}".encode()))
        code = compile(self.code, f"<exam {self.title}>", "exec")
        for _ in range(100):
            names = {"np": np, "math": math, "encoding": encoding, "rng": rng}
            exec(code, names)
            shown = _FILLED.findall(self.answer)
            if not any(_on_edge(names.get(name), form) for name, form in shown):
                return _filled(self.text, names), _filled(self.answer, names), names
        raise BuildError(f"{self.title}: every answer is on the edge of rounding.")


def _on_edge(value, form):
    """Whether a little less or more would be rounded to another number."""
    decimals = re.fullmatch(r",?\.(\d)f", form)
    part = abs(value) * 10 ** int(decimals[1]) % 1 if decimals else 0
    return abs(part - 0.5) < 0.03


def _filled(text, names):
    def shown(match):
        value = names[match[1]]
        return format(value.tolist() if hasattr(value, "tolist") else value, match[2])

    return _FILLED.sub(shown, text)


def read_exam(stem):
    """The exam questions on a notebook; BuildError where one cannot be read."""
    asked = []
    for part in divided(stem, "exam")[1:]:
        match = _QUESTION.fullmatch(part)
        if not match:
            raise BuildError(f"{stem}: no question with points and answer: {part[:40]}")
        number, title, points, *texts = match.groups(default="")
        asked.append(ExamQuestion(int(number), title, int(points), *texts))
    return asked


def exam_pages(lessons, seed):
    """The HTML of the students' sheet and of the key, with the numbers of a seed."""
    prose, parts = Prose([lesson.stem for lesson in lessons]), []
    for lesson in lessons:
        drawn = [(asked, asked.drawn(seed)) for asked in read_exam(lesson.stem)]
        parts.append((lesson, drawn, sum(asked.points for asked, _ in drawn)))
    about = {"parts": parts, "prose": prose, "seed": seed}
    pages = (rendered("exam.html.j2", key=key, **about) for key in (False, True))
    return tuple(with_font(page)[0] for page in pages)  # no sign of an answer's font


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description="The students' sheet, and its key.")
    parser.add_argument("seed", help="any word; the same word gives the same numbers")
    parser.add_argument("--only", nargs="+", default=[], help="notebooks: 01 02 …")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "exam")
    options = parser.parse_args()
    lessons = [read_lesson(path) for path in notebook_paths(*options.only)]
    pages = exam_pages(lessons, options.seed)
    options.output.mkdir(parents=True, exist_ok=True)
    for name, page in zip(("sheet.html", "key.html"), pages, strict=True):
        (options.output / name).write_text(page, encoding="utf-8")
        print(options.output / name)


if __name__ == "__main__":
    main()
