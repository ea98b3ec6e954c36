"""Exercise 2.1: the whole table from one broadcast product."""

import torch

from helpers.checks.demands import loop_in as loop_in

CASES = [
    (20, 16),
    (7, 8),
    (50, 6),
    (12, 12),
    (1, 4),
    (100, 64),
    (3000, 4),
    (5, 2),
]
TOLERANCE = (1e-4, 2e-3)  # float32 angles of 3000 radians are off by 1e-3 at most


def broadcast_table(max_len, d_model):
    positions = torch.arange(max_len).unsqueeze(1)
    angular_speeds = 1 / 10_000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = positions * angular_speeds
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


def draw(rng):
    """One row, two, as many as pairs or columns, or any number."""
    d_model = 2 * rng.integers(1, 33)
    max_len = rng.choice([1, 2, d_model // 2, d_model, rng.integers(3, 600)])
    return max_len, d_model


def sine_rows_and_cosine_rows(max_len, d_model):
    """Even rows hold sines, odd rows cosines."""
    column = torch.arange(d_model) // 2 * 2
    angles = torch.arange(max_len).unsqueeze(1) / 10_000 ** (column / d_model)
    even = (torch.arange(max_len) % 2 == 0).unsqueeze(1)
    return torch.where(even, torch.sin(angles), torch.cos(angles))


def rows_in_turn(max_len, d_model):
    """Even rows hold sines, odd rows cosines; the exponent grows with every column."""
    speeds = 10_000 ** (-torch.arange(d_model) / d_model)
    angles = torch.arange(max_len).unsqueeze(1) * speeds
    even = (torch.arange(max_len) % 2 == 0).unsqueeze(1)
    return torch.where(even, torch.sin(angles), torch.cos(angles))
