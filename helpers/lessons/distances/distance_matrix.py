"""Exercise 4.1: the Euclidean distance between every two rows, without loops."""

import numpy as np

from helpers.checks.demands import loop_in as loop_in
from helpers.encoding import encode_with_periods, positional_encoding

TOLERANCE = (0, 5e-5)  # four decimals, however large the distance


def distance_matrix(table):
    differences = table[:, None, :] - table[None, :, :]
    return np.sqrt((differences**2).sum(axis=-1))


def _near_twins(rows, apart, rng):
    """Every row twice, nearly: then |a|² + |b|² − 2 a·b may come out below zero."""
    twice = np.repeat(rows, 2, axis=0)
    return twice + apart * rng.normal(size=twice.shape) / np.sqrt(twice.shape[1])


CASES = [
    (positional_encoding(5, 8),),
    (encode_with_periods(8, [4, 5, 7]),),
    (positional_encoding(12, 64),),
    (np.array([[3.0, 0, 4], [0, 5, 0], [1, 2, 2]]),),
    (_near_twins(positional_encoding(20, 64), 1e-9, np.random.default_rng(0)),),
]


def draw(rng):
    n = rng.integers(1, 30)
    width = rng.integers(1, 40)
    rows = rng.uniform(0.1, 5) * rng.normal(size=(n, width)) + rng.normal()
    twins = np.repeat(rows, 2, axis=0)
    sliced = np.repeat(rows, 2, axis=1)[:, ::2]
    kinds = _near_twins(rows, 1e-4, rng), twins, np.asfortranarray(rows), sliced
    return (kinds[rng.integers(4)],)
