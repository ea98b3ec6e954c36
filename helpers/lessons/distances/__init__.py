"""Exercises of notebook 04: the geometry of distance."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "which_is_further",
        "distance_matrix",
        "distance_from_offset",
        "first_fall",
        "how_often_it_falls",
        "period",
        "which_row_is_nearest",
        "is_the_nearest_row_the_neighbour",
    ],
)
progress = TASKS.progress
