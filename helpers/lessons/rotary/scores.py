"""Exercise: scores."""

import numpy as np


def _rows(n, d, seed):
    return np.random.default_rng(seed).normal(size=(2, n, d)).round(3)


CASES = [
    (*_rows(5, 8, 8), np.arange(5)),
    (*_rows(4, 6, 6), np.array([7, -2, 40, 40])),
    (*_rows(3, 3 * 4, 4), np.array([2, 17, 9])),
]
TOLERANCE = (1e-4, 2e-3)  # float32 passes


def draw(rng):
    """Queries and keys as `rotate` gets its rows; n and d differ."""
    n, d = int(rng.choice([1, 2, 3, 7, 31])), 2 * int(rng.choice([1, 2, 3, 5, 32]))
    query, key = rng.normal(size=(2, n, 2 * d)).round(3)[..., ::2]
    if rng.integers(4) == 0:
        query, key = rng.integers(-9, 10, (2, n, d))
    reach = int(rng.choice([3, 40, 300]))
    return query, key, rng.integers(-reach, reach + 1, n)


def mixed_layouts(query, key, positions):
    """The keys with column c and column c + d/2 for a pair."""
    order = np.arange(query.shape[1]).reshape(2, -1).T.ravel()
    far = np.empty(key.shape)
    far[:, order] = _rotated(key[:, order], positions)
    return _rotated(query, positions) @ far.T


def _rotated(x, positions):
    angles = positions[:, None] * 10_000.0 ** (
        -np.arange(0, x.shape[1], 2) / x.shape[1]
    )
    pairs = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(-1j * angles)
    return np.stack([pairs.real, pairs.imag], axis=2).reshape(x.shape)


def scores(query, key, positions):
    """Dot products of rotated queries and keys, (n, n); no division."""

    def rotated(x):
        theta = 10_000.0 ** (-np.arange(0, x.shape[1], 2) / x.shape[1])
        angles = positions[:, None] * theta
        sine, cosine = np.sin(angles), np.cos(angles)
        a, b = x[:, 0::2], x[:, 1::2]
        out = np.empty(x.shape)
        out[:, 0::2] = a * cosine + b * sine
        out[:, 1::2] = b * cosine - a * sine
        return out

    return rotated(query) @ rotated(key).T
