"""No choice gives itself away by its form."""

from helpers import lessons
from helpers.checks.question import Choice, Question
from helpers.publish.fairness import choices, form


def question(right, *wrong):
    others = [Choice(text, text) for text in wrong]
    return Question(right, "?", [*others, Choice(right, "Yes.", True)], ["", ""])


def test_what_counts_as_a_reason_and_as_shortest():
    asked = [
        question("It grows.", "It falls, because it must.", "No."),
        question(
            "It stays, so all is well.", "As before", "Since then.", "The same so"
        ),
    ]
    assert list(form(choices(asked)).values()) == [1 / 2, 2 / 5, 0, 1 / 2]


def test_form_tells_nothing():
    right, wrong, shortest, longest = form(choices(lessons.ALL)).values()
    assert abs(right - wrong) <= 0.15 and shortest <= 0.4 and longest <= 0.4


def test_no_letter_is_a_good_guess():
    letters = [task.answer for task in lessons.ALL if isinstance(task, Question)]
    assert max(map(letters.count, set(letters))) <= len(letters) / 3
