"""Exercise 3.4: the attention weights of a head that looks k positions back."""

import numpy as np

from helpers.encoding import positional_encoding


def look_back_weights(table, k, beta):
    d_model = table.shape[1]
    theta = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    sine, cosine = np.sin(k * theta), np.cos(k * theta)
    queries = np.empty(table.shape)
    queries[:, 0::2] = cosine * table[:, 0::2] - sine * table[:, 1::2]
    queries[:, 1::2] = sine * table[:, 0::2] + cosine * table[:, 1::2]
    scores = beta * queries @ table.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _with_words(n, d_model, size=0.3):
    words = np.random.default_rng(n).normal(size=(n, d_model))
    return positional_encoding(n, d_model) + size * words


_UNEQUAL = _with_words(8, 16) * np.geomspace(0.01, 10, 8)[::-1, None]
CASES = [
    (positional_encoding(12, 16), 3, 1.0),
    (positional_encoding(20, 64), 3, 5.0),
    (_with_words(9, 6), 2, 0.5),
    (_with_words(10, 32), -2, 2.0),
    (positional_encoding(16, 64), 3, 50.0),
    (_UNEQUAL, 1, 20.0),
    (_with_words(1, 4), 1, 3.0),
]


def draw(rng):
    n = rng.integers(1, 30)
    d_model = 2 * rng.integers(1, 40)
    lengths = 10 ** rng.uniform(-1, 1, (n, 1)) if rng.random() < 0.3 else 1
    table = _with_words(n, d_model, rng.uniform(0, 1)) * lengths
    table = np.asfortranarray(table) if rng.random() < 0.3 else table
    size = 30 if rng.random() < 0.2 else 1  # a small beta, and scores as before
    beta = 10 ** rng.uniform(-1, 2.7) / size**2
    return size * table, rng.integers(-12, 13), beta
