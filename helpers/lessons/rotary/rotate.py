import numpy as np

from helpers.checks.demands import most_numbers_at_once

_X = np.random.default_rng(8).normal(size=(5, 8)).round(3)
CASES = [
    (_X, np.arange(5)),
    (_X[:4, :6], np.array([7, -2, 40, 40])),
    (_X[:2, :4], np.array([1, 3])),
    (np.array([[3, -5, 2, 8], [1, 0, 0, -4], [9, 7, -6, 1]]), np.array([2, 9, 17])),
]
TOLERANCE = (1e-4, 3e-4)  # float32 passes


def draw(rng):
    """Rows of any width and number: whole, float32, sliced; positions of any order."""
    n = rng.choice([1, 2, 3, 7, 50])
    d = 2 * rng.choice([1, 2, 3, 5, 32])
    x = rng.normal(size=(n, 2 * d)).round(3)[:, ::2]
    kind = rng.integers(5)
    if kind == 0:
        x = rng.integers(-9, 10, (n, d))
    elif kind == 1:
        x = np.asfortranarray(x.astype(np.float32))
    reach = rng.choice([3, 40, 300])
    return x, rng.integers(-reach, reach + 1, n)


def builds_a_matrix(answer, d=512):
    """Whether rotating two rows of width 512 holds as many numbers as one matrix."""
    return most_numbers_at_once(answer, np.ones((2, d)), np.array([1, 2])) >= d * d


def rotate(x, positions):
    """Rotate row r of x (n, d) by M_pos with pos = positions[r]."""
    theta = 10_000.0 ** (-np.arange(0, x.shape[1], 2) / x.shape[1])
    angles = positions[:, None] * theta
    sine, cosine = np.sin(angles), np.cos(angles)
    a, b = x[:, 0::2], x[:, 1::2]
    out = np.empty(x.shape)
    out[:, 0::2] = a * cosine + b * sine
    out[:, 1::2] = b * cosine - a * sine
    return out
