"""Sequences of the corners of a square: a task small enough to see through.

A sequence starts at a random corner and goes round clockwise or counter-clockwise;
every point is off its corner by some noise. Only the order tells the direction.

Source: the idea is from Godoy, "Deep Learning with PyTorch Step-by-Step", 2021.
"""

import numpy as np

# Counter-clockwise from the lower left; x to the right, y upwards.
CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def square_sequences(count, length=4, *, noise=0.1, seed=0):
    """Sequences of one length.

    Returns ``points`` of shape ``(count, length, 2)`` and ``directions`` of shape
    ``(count,)``: 1 for clockwise, 0 for counter-clockwise. ``noise`` is the standard
    deviation of both coordinates around the corner. The same seed gives the same
    sequences; two seeds give sequences of which no two are equal.
    Raises ValueError for a count or length below 1 or a negative noise.
    """
    if count < 1 or length < 1:
        raise ValueError(f"count and length must be at least 1; got {count}, {length}")
    if not noise >= 0:
        raise ValueError(f"noise must not be negative; got {noise}")
    generator = np.random.default_rng(seed)
    directions = generator.integers(2, size=count)
    start = generator.integers(4, size=count)
    step = np.where(directions == 1, -1, 1)
    order = (start[:, None] + step[:, None] * np.arange(length)) % 4
    points = CORNERS[order] + generator.normal(0.0, noise, (count, length, 2))
    return points, directions
