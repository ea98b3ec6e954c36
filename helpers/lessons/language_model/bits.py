"""Exercise 8.2: the mean loss of a text in bits."""

import numpy as np

CASES = [
    (np.array([0.5, 0.25, 0.125]),),
    (np.array([0.9, 0.01, 0.3, 0.3]),),
    (np.array([1.0]),),
    (np.full(7, 1 / 103),),
    (np.array([1e-12, 1.0]),),
    (np.linspace(0.1, 0.9, 3000),),  # their product is 0 in every float
]


def draw(rng):
    chances = rng.uniform(size=rng.choice([1, 3, 40, 5000]))
    chances = chances ** rng.choice([0.2, 1, 6])
    kinds = np.repeat(chances, 2)[::2], chances.astype(np.float32), chances
    return (kinds[rng.integers(3)],)


def bits(chances):
    """Mean loss in bits of characters that were given these probabilities."""
    return -np.log2(chances).mean()
