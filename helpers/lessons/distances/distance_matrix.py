"""Exercise 4.1: the Euclidean distance between every two rows, without loops."""

import numpy as np

from helpers.checks.demands import loop_in
from helpers.encoding import encode_with_bases, positional_encoding

TOLERANCE = (1e-4, 1e-5)


def distance_matrix(table):
    differences = table[:, None, :] - table[None, :, :]
    return np.sqrt((differences**2).sum(axis=-1))


def _near_twins(rows, apart, rng):
    """Every row twice, nearly: then |a|² + |b|² − 2 a·b may come out below zero."""
    twice = np.repeat(rows, 2, axis=0)
    return twice + apart * rng.normal(size=twice.shape) / np.sqrt(twice.shape[1])


CASES = [
    (positional_encoding(5, 8),),
    (encode_with_bases(8, [4, 5, 7]),),
    (positional_encoding(12, 64),),
    (np.array([[3.0, 0, 4], [0, 5, 0], [1, 2, 2]]),),
    (_near_twins(positional_encoding(20, 64), 1e-9, np.random.default_rng(0)),),
]


def draw(rng):
    n, width = int(rng.integers(1, 30)), int(rng.integers(1, 40))
    rows = rng.uniform(0.1, 5) * rng.normal(size=(n, width)) + rng.normal()
    kind = rng.integers(4)
    if kind == 0:
        return (_near_twins(rows, 1e-4, rng),)
    if kind == 1:
        return (np.repeat(rows, 2, axis=0),)
    return (
        np.asfortranarray(rows) if kind == 2 else np.repeat(rows, 2, axis=1)[:, ::2],
    )


def a_loop(answer):
    return loop_in(answer)


def by_products(table):
    squares = (table**2).sum(axis=1)
    squared = squares[:, None] + squares - 2 * table @ table.T
    return np.where(squared < 0, np.nan, np.sqrt(np.abs(squared)))


def cosine_similarity(table):
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    return unit @ unit.T


def positions_not_rows(table):
    return 1.0 * np.abs(np.subtract.outer(*2 * [np.arange(len(table))]))
