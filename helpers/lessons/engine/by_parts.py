import numpy as np
import torch

_THETA = torch.tensor(10_000.0 ** (-np.arange(8) / 8))
CASES = [
    (_THETA, 64, 4, 0.25, 1.0),
    (_THETA, 64, 4, 1, 32),
    (torch.tensor([2.0, 0.5, 0.1, 0.01, 0.0]), 100, 8, 1, 4),
]
TOLERANCE = (1e-4, 1e-6)


def draw(rng):
    """Any width, base and length; thresholds with hands below, between and above."""
    pairs, base = int(rng.choice([1, 2, 8, 32])), rng.choice([100, 10_000, 500_000])
    theta = torch.tensor(float(base) ** (-np.arange(pairs) / pairs))
    low = float(rng.choice([0.1, 0.25, 1, 2]))
    high = low * float(rng.choice([1.5, 4, 32]))
    length, factor = int(rng.choice([10, 64, 1000, 8192])), float(rng.choice([1, 2, 8]))
    # In float32, a difference of many turns has too few digits for narrow thresholds.
    theta = theta.to(torch.float32 if length < 100 and rng.integers(2) else theta.dtype)
    return theta, length, factor, low, high


def by_parts(speeds, length, factor, low, high):
    """Speeds of hands that make at least `high` turns stay; below `low` all is slowed."""
    turns = length * speeds / (2 * torch.pi)
    keep = ((turns - low) / (high - low)).clamp(0, 1)
    return speeds * (keep + (1 - keep) / factor)
