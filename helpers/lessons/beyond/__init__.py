"""Exercises of notebook 09: two axes, real times, coordinates."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "encode_patches",
        "rotate_2d",
        "timestep_table",
        "fourier_features",
        "patch_below",
        "between_the_steps",
        "fast_hands",
    ],
)
progress = TASKS.progress
