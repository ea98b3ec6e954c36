import numpy as np

_x = np.random.default_rng(1).normal(size=(5, 16)).round(3)
CASES = [
    (_x[:4, :8], np.array([0, 0, 1, 3]), np.array([0, 1, 0, 2])),
    (_x[:3, 6:10], np.array([2, 13, 7]), np.array([5, 0, 7])),
    (_x, np.array([1, -2, 40, 0, 9]), np.array([3, 4, -1, 8, 9])),
]
TOLERANCE = (1e-4, 3e-4)  # float32 passes


def draw(rng):
    """Patches of any number, width and place, also whole numbers and slices."""
    n = rng.choice([1, 2, 3, 7, 50])
    d = 4 * rng.choice([1, 2, 3, 16])
    x = rng.normal(size=(n, 2 * d)).round(3)[:, ::2]
    if rng.integers(4) == 0:
        x = rng.integers(-9, 10, (n, d))
    rows, columns = rng.integers(-20, 200, (2, n))
    return x, rows, columns


def split_halves(x, rows, columns):
    """Inside each half, column c and the one a quarter of the width further."""
    order = np.arange(x.shape[1]).reshape(2, 2, -1).swapaxes(1, 2).ravel()
    return rotate_2d(x[:, order], rows, columns)[:, np.argsort(order)]


def rotate_2d(x, rows, columns):
    """Rotate the left half of x (n, d) by the rows, the right half by the columns."""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-np.arange(0, half, 2) / half)
    angles = np.concatenate([rows[:, None] * theta, columns[:, None] * theta], axis=1)
    a, b = x[:, 0::2], x[:, 1::2]
    out = np.empty(x.shape)
    out[:, 0::2] = a * np.cos(angles) + b * np.sin(angles)
    out[:, 1::2] = b * np.cos(angles) - a * np.sin(angles)
    return out
