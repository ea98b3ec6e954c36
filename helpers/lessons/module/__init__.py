"""Notebook 05: the module."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "forward",
        "half_model",
        "unused_rows",
        "resize_checkpoint",
        "where_sqrt_d_matters",
        "newest_token",
        "add_rows",
        "clinic_a",
        "clinic_b",
        "rows_of_patient_c",
        "clinic_c",
        "clinic_d",
    ],
)
progress = TASKS.progress
