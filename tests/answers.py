"""Answers as a cell types them, and two small exercises that judge them."""

import linecache
from types import SimpleNamespace

import numpy as np
import torch

from helpers.checks.exercise import Exercise


def table(n, width):
    rows = np.arange(n)[:, None]
    return np.sin(rows + 1.5 * np.arange(width))


def count(k):
    return 3 * k + 1


def exercise(reference, cases, draw=None, stub="", room=(), **text):
    """An exercise as a lesson's folder would make it."""
    parts = {"CASES": cases, reference.__name__: reference, **dict(room)}
    if draw:
        parts["draw"] = draw
    text = {"hints": ["first", "second"], "stub": stub, **text}
    return Exercise(reference.__name__, SimpleNamespace(**parts), text)


def drawn_sizes(rng):
    return int(rng.integers(1, 9)), int(rng.integers(1, 9))


def drawn_number(rng):
    return (int(rng.integers(-20, 20)),)


TABLE = exercise(table, [(4, 6), (5, 4), (7, 8), (3, 2)], drawn_sizes)
COUNT = exercise(count, [(2,), (5,), (-3,), (8,), (-1,)], drawn_number)


def answer(code, **names):
    """What a cell with this code defines last."""
    file = f"<cell {abs(hash(code))}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    own = {"np": np, "torch": torch, "table": table, "__name__": "__main__"}
    namespace = {**own, **names, "__builtins__": __builtins__}
    before = set(namespace)
    exec(compile(code, file, "exec"), namespace)
    return namespace[next(n for n in reversed(namespace) if n not in before)]
