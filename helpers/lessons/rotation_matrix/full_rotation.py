"""Exercise 3.2: the full matrix, one block for each pair."""

import numpy as np

from helpers.lessons.rotation_matrix.rotation_block import observed

CASES = [
    (3, 8),
    (1, 2),
    (-4, 6),
    (7, 4),
    (0, 12),
    (-150, 16),
    (40, 64),
    (40, 256),
]


def full_rotation(k, d_model):
    matrix = np.zeros((d_model, d_model))
    for pair in range(d_model // 2):
        angle = k * 10_000.0 ** (-2 * pair / d_model)
        cosine, sine = np.cos(angle), np.sin(angle)
        columns = slice(2 * pair, 2 * pair + 2)
        matrix[columns, columns] = [[cosine, sine], [-sine, cosine]]
    return matrix


def draw(rng):
    return rng.integers(-300, 301), 2 * rng.integers(1, 40)


def run(answer, k, d_model):
    speeds = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    return observed(answer(k, d_model), k, speeds)
