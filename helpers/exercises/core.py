"""What a module of exercises is written with, in one place.

Adding an exercise is ``@exercise(stub=…, cases=…, hints=…, mistakes=[Slip(…), …])``
above its solution; adding a question is ``Question(name, text, choices, hints)``; the
last lines of a module are ``EXERCISES = collect(globals())`` and
``progress = EXERCISES.progress``.
"""

from helpers.exercises.demands import Demand, no_loop
from helpers.exercises.exercise import Exercise, exercise, plain_call
from helpers.exercises.feedback import CORRECT, INCORRECT, NOT_ATTEMPTED, Feedback
from helpers.exercises.mistakes import Mistake, Slip
from helpers.exercises.question import Choice, Question
from helpers.exercises.tasks import Progress, Tasks, collect

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
    "Slip",
    "Tasks",
    "collect",
    "exercise",
    "no_loop",
    "plain_call",
]
