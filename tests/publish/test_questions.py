"""What a learning platform gets: the form of the file, and every feedback in it."""

import re
from xml.etree import ElementTree

import pytest
from stored import NOTEBOOKS, lesson_of

from helpers.publish import questions

ASKED = {
    placed.call: placed.task
    for path in NOTEBOOKS
    for placed in lesson_of(path).tasks
    if placed.task.kind == "question"
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
    """https://docs.moodle.org/en/Moodle_XML_format"""
    for question in quiz.findall("question[@type='multichoice']"):
        for name in ("name", "questiontext", "generalfeedback", "idnumber", "single"):
            assert len(question.findall(name)) == 1
        fractions = [float(a.attrib["fraction"]) for a in question.findall("answer")]
        assert sorted(fractions)[-1] == 100 and sum(fractions) == 100
    numbers = [number.text for number in quiz.iter("idnumber")]
    assert len(set(numbers)) == len(numbers) == len(ASKED)
    for category in quiz.iter("category"):
        assert text_of(category).startswith("$course$/top/")


def test_every_choice_has_the_notebooks_feedback(quiz):
    asked = quiz.findall("question[@type='multichoice']")
    found = {text_of(question.find("name")): question for question in asked}
    assert found.keys() == ASKED.keys()
    for name, question in ASKED.items():
        answers = found[name].findall("answer")
        assert len(answers) == len(question.choices)
        for answer, choice in zip(answers, question.choices.values(), strict=True):
            assert (answer.attrib["fraction"] == "100") == bool(choice.right)
            told = text_of(answer.find("feedback"))
            assert told == questions.to_html(choice.feedback)


def test_formulas_are_as_moodle_shows_them(quiz):
    texts = [element.text or "" for element in quiz.iter("text")]
    plain = re.sub(r"<code>.*?</code>|\$course\$", "", "\n".join(texts))
    assert r"\theta" in plain and "$" not in plain
    made = questions.to_html(r"If $a<b$, `x_$1` *is* $$\frac{1}{2}$$")
    assert r"\(a&lt;b\)" in made and r"\[\frac{1}{2}\]" in made
    assert "<code>x_$1</code>" in made
