"""Answers as a cell types them, and two small exercises that judge them."""

import linecache

import numpy as np
import torch

from helpers.exercises.core import Exercise


def table(n, width):
    rows = np.arange(n)[:, None]
    return np.sin(rows + 1.5 * np.arange(width))


def count(k):
    return 3 * k + 1


TABLE = Exercise(
    table,
    stub="def table(n, width): ...",
    cases=[(4, 6), (5, 4), (7, 8), (3, 2)],
    hints=["", ""],
)
COUNT = Exercise(
    count,
    stub="def count(k): ...",
    cases=[(2,), (5,), (-3,), (8,), (-1,)],
    hints=["", ""],
)


def answer(code, **names):
    """What a cell with this code defines last."""
    file = f"<cell {abs(hash(code))}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    namespace = {
        "np": np,
        "torch": torch,
        "table": table,
        "__name__": "__main__",
        **names,
    }
    before = set(namespace)
    exec(compile(code, file, "exec"), namespace)
    return namespace[next(n for n in reversed(namespace) if n not in before)]


def unseen(function):
    """The same function where its source is not known."""
    return lambda *args: function(*args)
