"""Notebook 01: the formula."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "shuffled_sentence",
        "encode_with_periods",
        "what_repeats",
        "frozen_hands",
        "angular_speeds",
        "which_denominator",
        "encode_position",
        "slowest_columns",
        "other_base",
        "add_or_concatenate",
    ],
)
progress = TASKS.progress
