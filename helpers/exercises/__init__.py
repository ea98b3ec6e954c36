"""The exercises of the series: one module a notebook, checked by one engine.

``ALL`` is every exercise and question, in the order of the notebooks. A notebook
imports its own module only: ``from helpers.exercises import formula``.
"""

from importlib import import_module
from pkgutil import iter_modules

_ORDER = (
    "formula",
    "log_space",
    "rotation_matrix",
    "distances",
    "module",
    "encoder_decoder",
    "rotary",
)


def __getattr__(name):
    if name == "ALL":
        found = {module.name for module in iter_modules(__path__)}
        modules = [import_module(f"{__name__}.{m}") for m in _ORDER if m in found]
        return tuple(task for module in modules for task in module.EXERCISES)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
