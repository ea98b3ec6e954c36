"""The exam: every number is computed, for any seed, and none stands in a notebook."""

import re
import sys

import pytest
from stored import NOTEBOOKS, code_cells, read, said

from helpers.publish import exam
from helpers.publish.exam import ExamQuestion, exam_pages, read_exam

EXAMINED = [path for path in NOTEBOOKS if exam.has_exam(path.stem)]
every_exam = pytest.mark.parametrize("path", EXAMINED, ids=lambda path: path.stem)
NAMES = ("sheet-A.html", "sheet-B.html", "key-A.html", "key-B.html")
SEEDS = [f"seed {n}" for n in range(20)]


@every_exam
def test_every_drawn_variant_has_an_answer_of_its_own(path):
    """The code of a question asserts what makes its answer the only one."""
    asked = read_exam(path.stem)
    assert [question.number for question in asked] == [1, 2, 3, 4, 5, 6]
    # Who has the repository knows what the others ask, and the answer.
    fixed = sum(question.points for question in asked if "rng" not in question.code)
    assert fixed <= sum(question.points for question in asked) / 10
    for question in asked:
        drawn = [question.drawn(seed) for seed in SEEDS]
        for text, answer, _ in drawn:
            assert "«" not in text + answer, question.title
        if "rng" in question.code:
            assert len({text for text, _, _ in drawn}) > 5, question.title
            assert all(question.drawn(s, "B")[0] != question.drawn(s)[0] for s in SEEDS)


def test_what_is_on_the_edge_of_rounding_is_drawn_again():
    code = "drawn = rng.choice([0.415, 0.25])"
    question = ExamQuestion(1, "Edge", 1, "", "«drawn:.2f»", code)
    assert {question.drawn(seed)[1] for seed in SEEDS} == {"0.25"}


@every_exam
def test_answers_are_not_in_the_notebooks(path):
    texts = [cell.source for cell in read(path).cells]
    texts += [text for cell in code_cells(path) for text in said(cell)]
    text = "\n".join(texts)
    for question in read_exam(path.stem):
        _, answer, _ = question.drawn("autumn")
        for number in re.findall(r"\*\*-?(\d+\.\d{3,})\*\*", answer):
            assert number not in text, question.title


def test_the_sheet_has_no_answers_and_the_key_has_all():
    sheet, key = exam_pages(EXAMINED, "autumn")
    for page in (sheet, key):
        assert page.count("<section>") == 6 * len(EXAMINED)
        plain = re.sub(r"<style>.*?</style>|<code>.*?</code>", "", page, flags=re.S)
        assert "$" not in plain
    assert "Name:" in sheet and "Name:" not in key
    assert 'class="line"' in sheet and 'class="line"' not in key
    assert "autumn" in key and "autumn" not in sheet


def test_without_a_seed_two_versions_are_drawn_that_nobody_can_guess(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(exam, "with_font", lambda page: [page])  # it takes a second

    def written(*arguments):
        command = ["exam", *arguments, "--only", "01", "--output", str(tmp_path)]
        monkeypatch.setattr(sys, "argv", command)
        exam.main()
        return [(tmp_path / name).read_text("utf-8") for name in NAMES]

    first, other = written(), written()
    assert not set(first) & set(other)
    sheets, keys = first[:2], first[2:]
    (seed,) = set(re.findall(r"SEED=(\w+)", "".join(keys)))
    assert len(seed) == 10 and seed not in "".join(sheets)
    assert written(seed) == first
