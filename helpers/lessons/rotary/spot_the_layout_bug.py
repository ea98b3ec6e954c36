import numpy as np

from helpers.lessons.rotary.rotate import TOLERANCE as TOLERANCE
from helpers.lessons.rotary.rotate import draw as draw

CASES = [
    (np.array([[1.0, 2, 3, 4]]), np.array([1])),
    (np.arange(12.0).reshape(2, 6), np.array([0, 3])),
    (np.random.default_rng(3).normal(size=(3, 8)).round(3), np.array([-2, 5, 41])),
]


def turn_halves(x, positions):
    """Rotate x by M_pos; column c and column c + d/2 are a pair."""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-np.arange(half) / half)
    angles = np.tile(positions[:, None] * theta, 2)
    partner = np.concatenate([x[:, half:], -x[:, :half]], axis=1)
    return x * np.cos(angles) + partner * np.sin(angles)
