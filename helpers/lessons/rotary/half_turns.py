import numpy as np

CASES = [
    (16, 10_000),
    (8, 500.0),
    (6, 1_000_000),
    (64, 2.5),
    (4, 10_000),
]


def draw(rng):
    """Any even width, bases from just above 1 up, whole or not."""
    base = rng.choice([1.5, 7, 100, 10_000, 500_000]) * rng.uniform(1, 2)
    return 2 * rng.choice([1, 2, 3, 8, 9, 64]), rng.choice([base, round(base) + 1])


def half_turns(d_head, base):
    """The offset after which the hand of each pair has made half a turn."""
    theta = base ** (-np.arange(0, d_head, 2) / d_head)
    return np.pi / theta
