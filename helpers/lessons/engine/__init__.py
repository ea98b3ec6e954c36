"""Exercises of notebook 10: positions in an engine, from cache and padding to scaling."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "apply_rotary",
        "to_halves",
        "next_position",
        "ids_from_mask",
        "ids_from_documents",
        "by_parts",
        "loaded_as_they_are",
        "cache_before_or_after",
        "after_eviction",
        "left_padding",
        "restart_or_mask",
        "which_ramp",
        "second_copy",
        "half_of_the_columns",
        "mixed_layouts",
    ],
)
progress = TASKS.progress
