"""The names that other rooms use of the checks, in one place."""

from helpers.checks.demands import Demand, loop_in, most_numbers_at_once
from helpers.checks.exercise import Exercise, plain_call
from helpers.checks.feedback import CORRECT, INCORRECT, NOT_ATTEMPTED, Feedback
from helpers.checks.mistakes import Mistake
from helpers.checks.question import Choice, Question
from helpers.checks.tasks import Progress, Tasks

__all__ = [
    "CORRECT",
    "INCORRECT",
    "NOT_ATTEMPTED",
    "Choice",
    "Demand",
    "Exercise",
    "Feedback",
    "Mistake",
    "Progress",
    "Question",
    "Tasks",
    "loop_in",
    "most_numbers_at_once",
    "plain_call",
]
