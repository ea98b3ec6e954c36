"""Exercise 3.3: from a row alone, the row k positions earlier."""

import numpy as np

from helpers.encoding import positional_encoding


def step_back(row, k):
    theta = 10_000.0 ** (-2 * np.arange(len(row) // 2) / len(row))
    sine, cosine = np.sin(k * theta), np.cos(k * theta)
    earlier = np.empty(len(row))
    earlier[0::2] = cosine * row[0::2] - sine * row[1::2]
    earlier[1::2] = sine * row[0::2] + cosine * row[1::2]
    return earlier


def _case(pos, d_model, k):
    return positional_encoding(pos + 1, d_model)[pos], k


_CHOSEN = [(10, 8, 3), (5, 8, 5), (40, 6, 12), (0, 4, 1), (3, 16, -2), (7, 2, 0)]
CASES = [_case(*chosen) for chosen in [*_CHOSEN, (20_000, 12, 7)]]


def draw(rng):
    d_model = 2 * rng.integers(1, 40)
    return _case(rng.integers(2000), d_model, rng.integers(-60, 61))


def words(row, k):
    """The row by its position, which its numbers don't show."""
    rows = positional_encoding(20_001, len(row))
    pos = np.abs(rows - row).sum(axis=1).argmin()
    return f"the row at position {pos} (width {len(row)}), `k={k}`"
