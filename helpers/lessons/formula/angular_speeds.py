"""Exercise 1.2: the speed of every pair, for any even width."""

import numpy as np

# At width 98, steps of 2 / d_model that are added up reach 1 once too often.
CASES = [
    (8,),
    (4,),
    (6,),
    (2,),
    (64,),
    (512,),
    (98,),
]
TOLERANCE = (5e-5, 1e-9)  # room for float32; base 10001 is off by up to 1e-4


def angular_speeds(d_model):
    pair = np.arange(d_model // 2)
    return 10_000.0 ** (-2 * pair / d_model)


def draw(rng):
    """A width: small ones, odd numbers of pairs, and large ones."""
    pairs = rng.choice([rng.integers(1, 8), rng.integers(8, 60), rng.integers(60, 600)])
    return (2 * pairs,)
