"""Exercise 8.5: the base that slows the slowest hand by a factor."""

CASES = [
    (10_000, 4, 16),
    (10_000.0, 2, 64),
    (500_000, 8, 128),
    (100, 3.5, 6),
    (10_000, 1, 32),
    (10_000, 3, 4),
    (10_000, 4, 2),
    (10_000, 1, 2),
]


def draw(rng):
    d_head = 2 * rng.choice([1, 2, 3, 4, 8, 9, 64], p=[0.1] + 6 * [0.15])
    factor = rng.choice([rng.integers(1, 40), rng.uniform(1, 10), 0.5])
    return rng.choice([50, 10_000, 500_000.0]), factor, d_head


def ntk_base(base, factor, d_head):
    """The base at which the slowest of d_head / 2 hands is factor times slower."""
    if d_head == 2:
        raise ValueError("one hand: its speed is 1 for every base")
    return base * factor ** (d_head / (d_head - 2))
