"""Exercises of notebook 07: rotated queries and keys, their layouts and limits."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "rotate",
        "scores",
        "spot_the_layout_bug",
        "half_turns",
        "key_before",
        "values_too",
        "mirror",
        "what_extrapolates",
        "past_half_a_turn",
        "next_door",
    ],
)
progress = TASKS.progress
