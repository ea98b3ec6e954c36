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


_CHOSEN = [
    (10, 8, 3),
    (5, 8, 5),
    (40, 6, 12),
    (0, 4, 1),
    (3, 16, -2),
    (7, 2, 0),
]
CASES = [_case(*chosen) for chosen in [*_CHOSEN, (20_000, 8, 7), (1500, 6, 2)]]


def draw(rng):
    d_model = 2 * rng.integers(1, 40)
    return _case(rng.integers(rng.choice([9, 2000])), d_model, rng.integers(-60, 61))


def _position(row):
    """The position, from the fastest hand: no two whole positions have its angle."""
    hand = np.exp(1j * np.arange(20_001))
    return int(np.abs(hand - (row[1] + 1j * row[0])).argmin())


def words(row, k):
    """The row by its position, which its numbers don't show."""
    return f"the row at position {_position(row)} (width {len(row)}), `k={k}`"
