"""Exercises of notebook 04: the geometry of distance."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "which_is_further",
        "distance_matrix",
        "distance_from_offset",
        "what_is_left_of_the_stripes",
        "first_fall",
        "how_often_it_falls",
        "rows_nearer_than_the_neighbour",
    ],
)
progress = TASKS.progress
