"""Exercises of notebook 02: the table by one broadcast, in log space."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "shape_of_product",
        "broadcast_table",
        "log_space_speeds",
        "interleave",
        "cost_of_the_loop",
        "rows_in_bfloat16",
        "first_equal_rows",
        "most_accurate_route",
        "largest_error",
    ],
)
progress = TASKS.progress
