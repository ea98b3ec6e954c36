"""Exercises and questions of notebook 08: a language model of your own."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "inputs_and_targets",
        "without_a_code",
        "moved_text",
        "which_head",
        "mean_weight_by_offset",
        "without_head",
        "loss_of",
        "where_it_rises",
        "ntk_base",
        "which_remedy",
    ],
)
progress = TASKS.progress
