"""The exercises and questions of notebook 06."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "causal_mask",
        "attention",
        "decoder_forward",
        "find_the_leak",
        "does_it_help",
        "where_is_the_order",
        "points_exchanged",
        "direction_without",
        "mask_instead",
    ],
)
progress = TASKS.progress
