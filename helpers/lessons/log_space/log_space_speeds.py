"""Exercise 2.3: find the fault in a log-space formula."""

import math

import torch

CASES = [
    (8,),
    (4,),
    (6,),
    (16,),
    (64,),
    (512,),
]
TOLERANCE = (5e-5, 1e-9)  # room for float32; base 10001 is off by up to 1e-4


def log_space_speeds(d_model):
    pair = torch.arange(d_model // 2)
    return torch.exp(2 * pair * (-math.log(10_000.0) / d_model))


def draw(rng):
    """A width: small ones, odd numbers of pairs, and large ones."""
    pairs = rng.choice([rng.integers(1, 8), rng.integers(8, 60), rng.integers(60, 600)])
    return (2 * pairs,)
