"""Exercises of notebook 03: moving by k is a rotation."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "rotation_block",
        "what_one_start_proves",
        "full_rotation",
        "step_back",
        "when_the_transpose_arrives",
        "what_fifty_rows_determine",
        "look_back_weights",
        "what_words_do",
        "why_two_columns",
    ],
)
progress = TASKS.progress
