"""Exercise 4.2: the distance of two rows from their offset alone."""

import numpy as np

from helpers.checks.demands import most_numbers_at_once

CASES = [
    (1, 8),
    (3, 8),
    (-4, 8),
    (-7, 64),
    (7, 6),
    (0, 4),
    (1, 2),
    (1000, 512),
]
TOLERANCE = (1e-5, 2e-5)


def distance_from_offset(k, d_model):
    theta = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    return np.sqrt(2 * np.sum(1 - np.cos(k * theta)))


def draw(rng):
    k = int(rng.choice([-1, 1]) * 10 ** rng.uniform(0, 3.5))
    return k, 2 * int(10 ** rng.uniform(0, 3))


def a_table(answer):
    return most_numbers_at_once(answer, 6000, 4) >= 6000
