"""No choice gives itself away by its form."""

import pytest

from helpers import lessons
from helpers.checks.question import Choice, Question
from helpers.publish.fairness import Form, form

QUESTIONS = [task for task in lessons.ALL if isinstance(task, Question)]


def question(right, *wrong):
    choices = [Choice(text, text) for text in wrong]
    return Question("q", "?", [*choices, Choice(right, "Yes.", True)], ["", ""])


def test_what_counts_as_a_reason_and_as_shortest():
    asked = [
        question("It grows.", "It falls, because it must.", "No."),
        question(
            "It stays, so all is well.", "As before", "Since then.", "The same so"
        ),
    ]
    assert form(asked) == Form(1 / 2, 2 / 5, 0, 1 / 2)
    tied = question("yes", "nay", "no, no")
    assert form([tied]) == Form(0, 0, 1, 0)


@pytest.mark.xfail(reason="the questions are being rewritten", strict=True)
def test_form_tells_nothing():
    found = form(QUESTIONS)
    assert abs(found.right_with_reason - found.wrong_with_reason) <= 0.15
    assert found.right_is_shortest <= 0.4 and found.right_is_longest <= 0.4


def test_no_letter_is_a_good_guess():
    letters = [question.answer for question in QUESTIONS]
    assert max(map(letters.count, set(letters))) <= len(letters) / 3
