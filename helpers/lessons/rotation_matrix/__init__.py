"""Exercises of notebook 03: moving by k is a rotation."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "where_the_hand_points",
        "rotation_block",
        "full_rotation",
        "what_one_start_proves",
        "step_back",
        "what_the_first_rows_determine",
        "look_back_weights",
        "what_words_do",
    ],
)
progress = TASKS.progress
