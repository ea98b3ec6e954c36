"""Reference, pictures, exercises and the finished module of the lesson.

The ideas are written in the notebooks; this package checks and draws them.
Importing it costs nothing: torch, Altair and Matplotlib load on first use.
"""

from importlib import import_module

_MODULE_NAMES = ("PositionalEncoding", "sinusoidal_table")


def __getattr__(name):
    if name in _MODULE_NAMES:
        return getattr(import_module("helpers.module"), name)
    raise AttributeError(f"module 'helpers' has no attribute {name!r}")


def __dir__():
    return [*globals(), *_MODULE_NAMES]
