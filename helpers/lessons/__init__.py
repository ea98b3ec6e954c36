"""The lessons: one folder for each notebook, with everything that belongs to it alone.

A notebook imports its own and nothing else of it: ``from helpers.lessons import
formula``; ``formula.pictures`` and ``formula.explore`` load on first use. ``AREAS`` is
the one list of the series, ``ALL`` every exercise and question in its order.
"""

from importlib import import_module

# Notebook NN_area goes with the folder `area`.
AREAS = (
    "tour",
    "formula",
    "log_space",
    "rotation_matrix",
    "distances",
    "module",
    "encoder_decoder",
    "rotary",
    "language_model",
    "beyond",
)


def __getattr__(name):
    if name == "ALL":
        lessons = [import_module(f"{__name__}.{area}") for area in AREAS]
        return tuple(task for lesson in lessons for task in lesson.TASKS)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
