"""Exercise 8.2: where a head looks, as a function of the offset alone."""

import torch


def _case(batch, length, seed=8, sharp=1.0):
    generator = torch.Generator().manual_seed(seed)
    scores = sharp * torch.randn(batch, length, length, generator=generator)
    later = torch.ones(length, length).triu(1) > 0
    return (scores.masked_fill(later, -torch.inf).softmax(-1),)


CASES = [_case(*size) for size in [(1, 4), (3, 6), (5, 2), (2, 1), (2, 33)]]


def draw(rng):
    batch = rng.integers(1, 6)
    length = rng.choice([1, 2, 5, 12, 40])
    sharp = rng.choice([0.0, 1.0, 20.0])
    return _case(batch, length, int(rng.integers(1000)), sharp)


def mean_weight_by_offset(weights):
    """Entry r: the mean weight on the key r places back, of queries that have one."""
    length = weights.shape[-1]
    return torch.stack([weights.diagonal(-r, 1, 2).mean() for r in range(length)])
