import numpy as np

from helpers.lessons.rotary.rotate import draw as draw_rows
from helpers.lessons.rotary.rotate import rotate

_ROWS = np.random.default_rng(8).normal(size=(2, 5, 8)).round(3)
CASES = [
    (*_ROWS, np.arange(5)),
    (*_ROWS[:, :4, :6], np.array([7, -2, 40, 40])),
    (*_ROWS[:, :3, 4:], np.array([2, 17, 9])),
]
TOLERANCE = (1e-4, 2e-3)  # float32 passes


def draw(rng):
    """Queries as `rotate` gets its rows, and keys of any numbers."""
    query, positions = (part[:20] for part in draw_rows(rng))
    return query, rng.permuted(query, axis=1), positions


def mixed_layouts(query, key, positions):
    """The keys with column c and column c + d/2 for a pair."""
    order = np.arange(query.shape[1]).reshape(2, -1).T.ravel()
    far = np.empty(key.shape)
    far[:, order] = rotate(key[:, order], positions)
    return rotate(query, positions) @ far.T


def scores(query, key, positions):
    """Dot products of rotated queries and keys, (n, n); no division."""
    return rotate(query, positions) @ rotate(key, positions).T
