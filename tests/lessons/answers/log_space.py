"""Answers to the exercises of notebook 02; a docstring says what is told."""

import math

import numpy as np
import torch


def broadcast_table__phase(rows, width):
    column = torch.arange(width, dtype=torch.float64)
    speeds = 10_000 ** (-(column - column % 2) / width)
    angles = torch.einsum("p,c->pc", torch.arange(rows).double(), speeds)
    return torch.sin(angles + column % 2 * torch.pi / 2)


def one_row(pos, d_model):
    angles = pos * 10_000 ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=1).flatten()


def rows_in_a_loop(max_len, d_model):
    return [one_row(pos, d_model) for pos in range(max_len)]


def broadcast_table__helper(max_len, d_model):
    """a loop"""
    return torch.stack(rows_in_a_loop(max_len, d_model))


def log_space_speeds__sum_of_steps(d_model):
    steps = torch.full((d_model // 2,), -2 * math.log(10_000) / d_model).double()
    return (steps.cumsum(0) - steps[0]).exp()


def interleave__numpy(s, c):
    return np.dstack([s.numpy(), c.numpy()]).reshape(len(s), -1)


def interleave__list(sines, cosines):
    both = zip(sines.tolist(), cosines.tolist(), strict=True)
    return [[v for pair in zip(*rows, strict=True) for v in pair] for rows in both]


def interleave__own_cosines(sines, cosines):
    """line 3"""
    cosines = torch.sqrt(1 - sines**2)
    return torch.stack([sines, cosines], dim=2).flatten(1)


def first_equal_rows__numbered(table):
    number = np.unique(table.numpy(), axis=0, return_inverse=True)[1].ravel()
    firsts = [int(np.flatnonzero(number == n)[0]) for n in number]
    return next((np.array([p, q]) for q, p in enumerate(firsts) if p < q), None)


def first_equal_rows__close(table):
    """nearly equal"""
    for q in range(len(table)):
        for p in range(q):
            if torch.allclose(table[p].double(), table[q].double(), atol=1e-6):
                return p, q
    return None


def first_equal_rows__row_zero(table):
    """None came back"""
    seen = {}
    for q, row in enumerate(table.tolist()):
        p = seen.get(tuple(row))
        if p:
            return p, q
        seen[tuple(row)] = q
    return None
