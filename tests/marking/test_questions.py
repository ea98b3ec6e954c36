"""What a learning platform gets, and the exam: formats and numbers are right."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from stored import ROOT, read, said

from helpers import exercises
from helpers.exercises.core import Question
from helpers.publishing import questions
from helpers.publishing.exam import EXAM, exam_page, read_exam
from helpers.publishing.lesson import notebook_paths, read_lesson

ASKED = {
    f"{area}.{task.name}": task
    for area in exercises.AREAS
    for task in exercises.ALL
    if isinstance(task, Question)
    and task in __import__(f"helpers.exercises.{area}", fromlist=["x"]).EXERCISES
}
# Moodle XML, as documented: tag -> (attributes, children with how many of each).
FORMATS = {"html", "moodle_auto_format", "plain_text", "markdown"}
MANY = range(1, 100)
MULTICHOICE = {
    **{name: [1] for name in ("name", "questiontext", "generalfeedback")},
    **{name: [1] for name in ("defaultgrade", "penalty", "hidden", "idnumber")},
    **{name: [1] for name in ("single", "shuffleanswers", "answernumbering")},
    "answer": MANY,
    "hint": range(100),
}


@pytest.fixture(scope="module")
def quiz(tmp_path_factory):
    path = tmp_path_factory.mktemp("moodle") / "questions.xml"
    assert questions.write(path) == len(ASKED)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<?xml")  # Moodle refuses even an empty line before it
    return ElementTree.fromstring(text)


def text_of(element):
    (text,) = element.findall("text")
    return text.text or ""


def test_the_file_is_what_moodle_documents(quiz):
    assert quiz.tag == "quiz" and not quiz.attrib
    numbers = set()
    for question in quiz:
        assert question.tag == "question"
        assert question.attrib["type"] in ("category", "multichoice")
        if question.attrib["type"] == "category":
            assert text_of(question.find("category")).startswith("$course$/top/")
            continue
        children = [child.tag for child in question]
        assert set(children) <= set(MULTICHOICE)
        for tag, allowed in MULTICHOICE.items():
            assert children.count(tag) in allowed, tag
        for tag in ("questiontext", "generalfeedback", "hint", "answer"):
            for part in question.findall(tag):
                assert part.attrib["format"] in FORMATS
                text_of(part)
        fractions = [float(a.attrib["fraction"]) for a in question.findall("answer")]
        assert sorted(fractions)[-1] == 100 and sum(fractions) == 100
        assert question.findtext("single") == "true"
        assert question.findtext("shuffleanswers") in ("true", "1")
        assert question.findtext("answernumbering") in ("abc", "ABCD", "123", "none")
        assert 0 <= float(question.findtext("penalty")) <= 1
        numbers.add(question.findtext("idnumber"))
    assert len(numbers) == len(ASKED)


def test_every_choice_has_the_notebooks_feedback(quiz):
    found = {
        text_of(q.find("name")): q
        for q in quiz.findall("question[@type='multichoice']")
    }
    assert found.keys() == ASKED.keys()
    for name, question in ASKED.items():
        answers = found[name].findall("answer")
        assert len(answers) == len(question.choices)
        for answer, choice in zip(answers, question.choices.values(), strict=True):
            assert (answer.attrib["fraction"] == "100") == choice.right
            told = text_of(answer.find("feedback"))
            assert told == questions.to_html(choice.feedback)


def test_formulas_are_as_moodle_shows_them(quiz):
    texts = [element.text or "" for element in quiz.iter("text")]
    formulas = [f for text in texts for f in re.findall(r"\\\((.*?)\\\)", text)]
    assert any(r"\theta" in formula for formula in formulas)
    for text in texts:
        if not text.startswith("$course$"):
            assert "$" not in re.sub(r"<code>.*?</code>", "", text)
            # The HTML itself is well formed.
            ElementTree.fromstring(f"<p>{_without_entities(text)}</p>")
    made = questions.to_html(r"If $a<b$, `x_$1` *is* $$\frac{1}{2}$$")
    assert r"\(a&lt;b\)" in made and r"\[\frac{1}{2}\]" in made
    assert "<code>x_$1</code>" in made


def _without_entities(text):
    return re.sub(r"&(?!amp;|lt;|gt;|quot;|apos;|#)", "&amp;", text)


STEMS = sorted(path.stem for path in EXAM.glob("*.md"))


def test_every_notebook_has_an_exam():
    assert {path.stem for path in notebook_paths()} <= set(STEMS)


@pytest.mark.parametrize("stem", STEMS)
def test_six_exam_questions_whose_numbers_are_computed(stem):
    import math

    import torch

    from helpers import encoding, sinusoidal_table

    asked = read_exam(stem)
    assert len(asked) == 6
    space = {"np": np, "math": math, "torch": torch, "encoding": encoding}
    for question in asked:
        assert question.text and question.answer
        bold = re.findall(r"\*\*([-\d.]+)\*\*", question.answer)
        assert bool(bold) == bool(question.code), question.title
        if bold:
            names = {**space, "sinusoidal_table": sinusoidal_table}
            exec(question.code, names)
            digits = len(bold[0].partition(".")[2])
            assert round(float(names["answer"]), digits) == float(bold[0])
    assert sum(bool(question.code) for question in asked) >= 4


@pytest.mark.parametrize("path", sorted(EXAM.glob("*.md")), ids=lambda p: p.stem)
def test_exam_answers_are_not_in_the_notebooks(path):
    """No bold number of an exam is written or printed in the notebook."""
    cells = read(ROOT / "notebooks" / f"{path.stem}.ipynb").cells
    text = "\n".join(cell.source for cell in cells)
    for cell in cells:
        text += "\n".join(said(cell) if cell.cell_type == "code" else [])
    for question in read_exam(path.stem):
        for number in re.findall(r"\*\*(-?\d+\.\d{3,})\*\*", question.answer):
            assert number.lstrip("-") not in text, question.title


def test_the_exam_is_a_page_with_the_answers_behind():
    pytest.importorskip("math_core", reason="the site's packages are not installed")
    lessons = [read_lesson(path) for path in notebook_paths()]
    page = exam_page(lessons)
    assert page.count("<article>") == 2 * len(lessons)
    assert page.count("<section>") == 12 * len(lessons)
    first = page.index("<h1>Answers")
    assert "135.4" not in page[:first] and "135.4" in page[first:]
    assert "$" not in re.sub(
        r"<style>.*?</style>|<code>.*?</code>", "", page, flags=re.S
    )
