"""Exercises of notebook 02: the table by one broadcast, in log space."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "shape_of_product",
        "broadcast_table",
        "interleave",
        "log_space_speeds",
        "first_equal_rows",
        "wide_then_cast",
        "most_accurate_route",
    ],
)
progress = TASKS.progress
