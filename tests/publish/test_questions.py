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
