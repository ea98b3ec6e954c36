"""An exam of one's own: ``make exam``, build/exam/sheet-A.html, key-A.html and so for B.

``lessons/area/exam.md`` holds six questions for each notebook. Nearly every one draws
numbers: its code calls ``rng``, and ``«name»`` in text and answer is filled in with
what the code sets. The numbers come from a seed, which the key alone says; who has it
has the key, so that without ``SEED=word`` one is drawn that nobody can guess. Reasons
that are asked for stand in the repository; they are few of the points.

The code asserts what makes its answer the only right one. Numbers of the answer that
are on the edge of rounding, as 0.4150 is to two decimals, are drawn again here.
"""

import argparse
import math
import re
import secrets
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from helpers import encoding
from helpers.publish.lesson import (
    LESSONS,
    ROOT,
    BuildError,
    divided,
    notebook_paths,
    read_lesson,
)
from helpers.publish.pages import rendered, with_font
from helpers.publish.prose import Prose

VERSIONS = ("A", "B")
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

    def drawn(self, seed, version="A"):
        """(text, answer, what the code has set) with the numbers of a seed.

        Another version than A has other numbers than A wherever numbers are drawn.
        """
        first = self._drawn(seed)
        if version == VERSIONS[0]:
            return first
        others = (self._drawn(f"{seed} {version} {n}") for n in range(50))
        return next((other for other in others if other[0] != first[0]), first)

    def _drawn(self, seed):
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


def has_exam(stem):
    """Whether a notebook has exam questions; the tour has none."""
    return (LESSONS / stem[3:] / "exam.md").exists()


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


def exam_pages(paths, seed, version="A"):
    """The HTML of the students' sheet and of the key on some notebooks."""
    lessons = list(map(read_lesson, paths))
    prose = Prose([lesson.stem for lesson in lessons])
    parts = []
    for lesson in lessons:
        drawn = [(one, one.drawn(seed, version)) for one in read_exam(lesson.stem)]
        points = sum(asked.points for asked, _ in drawn)
        parts.append((lesson.title, drawn, points))
    pages = (
        rendered(
            "exam.html.j2",
            key=key,
            parts=parts,
            prose=prose,
            seed=seed,
            version=version,
        )
        for key in (False, True)
    )
    return tuple(with_font(page)[0] for page in pages)  # no sign of an answer's font


def main():
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Two versions of an exam, a students' sheet and a key of each."
    )
    parser.add_argument(
        "seed",
        nargs="?",
        default=secrets.token_hex(5),
        help="a word that nobody guesses: the same word gives the same numbers",
    )
    parser.add_argument("--only", nargs="+", default=[], help="notebooks: 01 02 …")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "exam")
    options = parser.parse_args()
    paths = [p for p in notebook_paths(*options.only) if has_exam(p.stem)]
    options.output.mkdir(parents=True, exist_ok=True)
    for version in VERSIONS:
        pages = exam_pages(paths, options.seed, version)
        for name, page in zip(("sheet", "key"), pages, strict=True):
            path = options.output / f"{name}-{version}.html"
            path.write_text(page, encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
