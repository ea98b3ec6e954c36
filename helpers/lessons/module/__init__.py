"""Notebook 05: the module."""

from helpers.checks.lesson import open_lesson

TASKS = open_lesson(
    __name__,
    [
        "forward",
        "keeps_moving",
        "larger_checkpoint",
        "resize_checkpoint",
        "dropped_or_not",
        "where_sqrt_d_matters",
        "clinic_a",
        "clinic_b",
        "clinic_c",
        "clinic_d",
    ],
)
progress = TASKS.progress

# The patients' names in earlier editions, for answers that were written then.
_NAMES = ["global", "attribute", "batch_axis", "in_place"]
globals().update({f"clinic_{n}": t for n, t in zip(_NAMES, TASKS[6:10], strict=True)})
