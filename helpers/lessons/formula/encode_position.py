"""Exercise 1.4: the row of one position; an odd width is refused."""

import numpy as np

CASES = [
    (1, 4),
    (0, 6),
    (3, 8),
    (7, 6),
    (100, 16),
    (5000, 4),
    (2, 5),
    (0, 1),
    (3, 7),
    (2, 3),
]
TOLERANCE = (1e-4, 2e-3)  # float32 angles of 5000 radians are off by 1e-3 at most


def encode_position(pos, d_model):
    if d_model % 2:
        raise ValueError(f"d_model must be even; got {d_model}")
    angles = pos * 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    row = np.zeros(d_model)
    row[0::2] = np.sin(angles)
    row[1::2] = np.cos(angles)
    return row


def draw(rng):
    """Any position; every third width or so is odd."""
    pos = rng.choice([0, 1, 2, rng.integers(3, 64), rng.integers(64, 5000)])
    return pos, 2 * rng.integers(1, 20) - (rng.random() < 0.3)
