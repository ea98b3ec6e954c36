"""What tests compare with: the encoding computed number by number, in plain loops."""

import math

import numpy as np
import torch


def batch(*shape, dtype=torch.float32):
    """Random numbers, the same in each run."""
    generator = torch.Generator().manual_seed(0)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def row(pos, d_model, base=10_000):
    """A row of the paper's table, a list of d_model numbers."""
    values = []
    for pair in range(d_model // 2):
        angle = pos / base ** (2 * pair / d_model)
        values += [math.sin(angle), math.cos(angle)]
    return values


def adjacent(i, d):
    """The columns of pair i, side by side."""
    return 2 * i, 2 * i + 1


def halves(i, d):
    """The columns of pair i, one in each half."""
    return i, i + d // 2


def turned_by_hand(x, positions, partner=adjacent, sign=1, base=10_000):
    """Row r of x turned by its position; ``partner(i, d)`` gives the columns of pair i.

    Sign 1 is the direction of the lesson, -1 that of published models.
    """
    d = len(x[0])
    out = [list(row) for row in x]
    for r, pos in enumerate(positions):
        for i in range(d // 2):
            one, two = partner(i, d)
            angle = sign * pos / base ** (2 * i / d)
            a, b = x[r][one], x[r][two]
            out[r][one] = a * math.cos(angle) + b * math.sin(angle)
            out[r][two] = b * math.cos(angle) - a * math.sin(angle)
    return np.array(out)


def shift(k, d_model):
    """The shift matrix: its columns are those of the identity, turned by k."""
    return turned_by_hand(np.eye(d_model), [k] * d_model).T


def rows(n, d, seed=0):
    """Random rows, (n, d)."""
    return np.random.default_rng(seed).normal(size=(n, d))


def distance(k, d_model, base=10_000):
    """Distance of rows that are k apart."""
    return math.dist(row(0, d_model, base), row(k, d_model, base))
