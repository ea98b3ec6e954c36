"""The exercises of the series: one module a notebook, checked by one engine.

``ALL`` is every exercise and question, in the order of the notebooks. A notebook
imports its own module only: ``from helpers.exercises import formula``.
"""

from importlib import import_module

# The one list of the series: notebook NN_area goes with the module `area` here, in
# `helpers.pictures`, and in `helpers.explore`.
AREAS = (
    "formula",
    "log_space",
    "rotation_matrix",
    "distances",
    "module",
    "encoder_decoder",
    "rotary",
    "beyond",
)


def __getattr__(name):
    if name == "ALL":
        modules = [import_module(f"{__name__}.{area}") for area in AREAS]
        return tuple(task for module in modules for task in module.EXERCISES)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
