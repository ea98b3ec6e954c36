import numpy as np


def _by_offset(values):
    """A matrix that is constant along its diagonals, (n, n) for 2n - 1 values."""
    place = np.arange(len(values) // 2 + 1)
    return np.asarray(values)[place - place[:, None] + place[-1]]


CASES = [
    (np.array([[4.0, 1, 0, 2], [7, 4, 3, 0], [1, 7, 4, 1], [9, 1, 2, 4]]),),
    (_by_offset([3.0, -1, 4, 1, -5, 9, 2, 6, -5]),),
    (np.diag([0.0, 0, 2, 0, -3], 2) + np.diag([0.0, 0, 0, 1, 0], -2),),
    (np.random.default_rng(4).integers(-9, 10, (9, 9)),),
]


def draw(rng):
    """Any scores; or one value for each offset, but for two places on one diagonal."""
    n = rng.choice([1, 2, 3, 4, 8, 40])
    if rng.integers(3) == 0:
        made = rng.normal(size=(n, 2 * n))[:, ::2] + rng.choice([-50, 0, 50])
        return (made.astype(rng.choice(["float32", "float64"])).round(3),)
    made = _by_offset(rng.integers(-30, 31, 2 * n - 1).astype(float))
    offset = rng.choice([0, 1, n // 2, n - 2, n - 2]) if n > 2 else 0
    row = rng.integers(n - offset)
    made[row, row + offset] += rng.choice([-1, 1]) * rng.integers(1, 9)
    made = made.T if rng.integers(2) else made
    return (made.astype(int) if rng.integers(2) else made,)


def offset_spread(scores):
    """The largest difference between two scores with the same offset."""
    n = len(scores)
    diagonals = [np.diagonal(scores, k) for k in range(-(n - 1), n)]
    return max(d.max() - d.min() for d in diagonals)
