"""The exam: every number is computed, for any seed, and none stands in a notebook."""

import re

from stored import NOTEBOOKS, code_cells, every_notebook, lesson_of, read, said

from helpers.publish.exam import ExamQuestion, exam_pages, read_exam

SEEDS = [f"seed {n}" for n in range(50)]


@every_notebook
def test_every_drawn_variant_has_an_answer_of_its_own(path):
    """The code of a question asserts what makes its answer the only one."""
    asked = read_exam(path.stem)
    assert [question.number for question in asked] == [1, 2, 3, 4, 5, 6]
    assert sum("rng" in question.code for question in asked) >= 4
    for question in asked:
        drawn = [question.drawn(seed) for seed in SEEDS]
        for text, answer, _ in drawn:
            assert "«" not in text + answer, question.title
        if "rng" in question.code:
            assert len({text for text, _, _ in drawn}) > 5, question.title


def test_what_is_on_the_edge_of_rounding_is_drawn_again():
    code = "drawn = rng.choice([0.415, 0.25, 0.7343])"
    question = ExamQuestion(1, "Edge", 1, "", "«drawn:.2f» of «drawn»", code)
    shown = {question.drawn(seed)[1] for seed in SEEDS}
    assert shown == {"0.25 of 0.25", "0.73 of 0.7343"}


@every_notebook
def test_answers_are_not_in_the_notebooks(path):
    texts = [cell.source for cell in read(path).cells]
    texts += [text for cell in code_cells(path) for text in said(cell)]
    text = "\n".join(texts)
    for question in read_exam(path.stem):
        _, answer, _ = question.drawn("autumn")
        for number in re.findall(r"\*\*-?(\d+\.\d{3,})\*\*", answer):
            assert number not in text, question.title


def test_the_sheet_has_no_answers_and_the_key_has_all():
    lessons = [lesson_of(path) for path in NOTEBOOKS]
    sheet, key = exam_pages(lessons, "autumn")
    for page in (sheet, key):
        assert page.count("<section>") == 6 * len(lessons)
        plain = re.sub(r"<style>.*?</style>|<code>.*?</code>", "", page, flags=re.S)
        assert "$" not in plain
    assert "Name:" in sheet and "Name:" not in key
    sheets = [exam_pages(lessons[:1], seed)[0] for seed in "aab"]
    assert sheets[0] == sheets[1] != sheets[2]  # to the byte
