"""Exercise 1.3: the table, one row for each position; the paper's double loop."""

import numpy as np

CASES = [
    (11, 4),
    (10, 6),
    (3, 8),
    (1, 4),
    (20, 16),
    (4, 4),
    (300, 2),
    (7, 12),
]
TOLERANCE = (1e-4, 2e-4)  # float32 angles of 300 radians are off by 2e-5 at most


def position_table(max_len, d_model):
    table = np.zeros((max_len, d_model))
    for pos in range(max_len):
        for i in range(d_model // 2):
            angle = pos / 10_000 ** (2 * i / d_model)
            table[pos, 2 * i] = np.sin(angle)
            table[pos, 2 * i + 1] = np.cos(angle)
    return table


def draw(rng):
    """One row, two, as many as pairs or columns, or any number; any even width."""
    d_model = 2 * rng.integers(1, 17)
    max_len = rng.choice([1, 2, d_model // 2, d_model, rng.integers(3, 60)])
    return max_len, d_model


def sines_then_cosines(max_len, d_model):
    """All sines, then all cosines."""
    table = position_table(max_len, d_model)
    return np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)


def cosines_then_sines(max_len, d_model):
    """All cosines, then all sines."""
    return np.roll(sines_then_cosines(max_len, d_model), d_model // 2, axis=1)
