"""Answers to the exercises of 07 as readers write them; each docstring: what is told."""

import numpy as np
import torch

from helpers.encoding import angular_speeds, rotation_matrix


def rotate__complex(x, positions):
    """right"""
    pairs = x[:, 0::2] + 1j * x[:, 1::2]
    pairs = pairs * np.exp(-1j * np.outer(positions, angular_speeds(x.shape[1])))
    return np.stack([pairs.real, pairs.imag], axis=2).reshape(x.shape)


def rotate__pair_by_pair(x, positions):
    """right"""
    d = x.shape[1]
    columns = []
    for i in range(d // 2):
        angle = np.array([pos / 10_000 ** (2 * i / d) for pos in positions])
        a, b = x[:, 2 * i], x[:, 2 * i + 1]
        columns.append(a * np.cos(angle) + b * np.sin(angle))
        columns.append(b * np.cos(angle) - a * np.sin(angle))
    return np.array(columns).T


def rotate__torch(values, where):
    """right"""
    x = torch.tensor(np.array(values)).double()
    speeds = torch.exp(torch.arange(0, x.shape[1], 2) * -np.log(10_000) / x.shape[1])
    angle = torch.tensor(where)[:, None] * speeds
    a, b = x.unflatten(1, (-1, 2)).unbind(2)
    first = a * angle.cos() + b * angle.sin()
    return torch.stack([first, b * angle.cos() - a * angle.sin()], 2).flatten(1)


def rotate__matrices(x, positions):
    """a matrix"""
    d = x.shape[1]
    return np.stack(
        [rotation_matrix(int(p), d) @ row for p, row in zip(positions, x, strict=True)]
    )


def rotate__as_published(x, positions):
    """halves layout and other sign"""
    half = x.shape[1] // 2
    angles = positions[:, None] * angular_speeds(x.shape[1])
    cosine, sine = np.tile(np.cos(angles), 2), np.tile(np.sin(angles), 2)
    return x * cosine + np.concatenate([-x[:, half:], x[:, :half]], axis=1) * sine


def rotate__counter_clockwise(x, positions):
    """other sign"""
    pairs = x[:, 0::2] + 1j * x[:, 1::2]
    pairs = pairs * np.exp(1j * np.outer(positions, angular_speeds(x.shape[1])))
    return np.stack([pairs.real, pairs.imag], axis=2).reshape(x.shape)


def rotate__exponent_doubled(x, positions):
    """line 6"""
    d = x.shape[1]
    turned = np.zeros(x.shape)
    for i in range(0, d, 2):
        phi = positions * 10_000.0 ** (-2 * i / d)
        turned[:, i] = x[:, i] * np.cos(phi) + x[:, i + 1] * np.sin(phi)
        turned[:, i + 1] = x[:, i + 1] * np.cos(phi) - x[:, i] * np.sin(phi)
    return turned


def _turned(x, positions):
    angles = positions[:, None] * angular_speeds(x.shape[1])
    a, b, sine, cosine = x[:, 0::2], x[:, 1::2], np.sin(angles), np.cos(angles)
    pairs = [a * cosine + b * sine, b * cosine - a * sine]
    return np.stack(pairs, axis=2).reshape(x.shape)


def scores__of_offsets(query, key, positions):
    """right"""
    n, d = query.shape
    made = np.zeros((n, n))
    for r in range(n):
        for c in range(n):
            step = np.array([positions[c] - positions[r]])
            made[r, c] = query[r] @ _turned(key[c : c + 1], step)[0]
    return made


def scores__einsum(query, key, positions):
    """right"""
    return np.einsum("id,jd->ij", _turned(query, positions), _turned(key, positions))


def scores__complex(query, key, positions):
    """right"""
    spin = np.exp(-1j * np.outer(positions, angular_speeds(query.shape[1])))
    q, k = ((x[:, 0::2] + 1j * x[:, 1::2]) * spin for x in (query, key))
    return (q @ k.conj().T).real


def scores__keys_as_they_are(query, key, positions):
    """only the query is rotated"""
    return np.einsum("id,jd->ij", _turned(query, positions), key)


def scores__against_each_other(query, key, positions):
    """opposite directions"""
    return _turned(query, positions) @ _turned(key, -positions).T


def offset_spread__two_loops(scores):
    """right"""
    worst = 0
    for k in range(len(scores)):
        below = [scores[i + k][i] for i in range(len(scores) - k)]
        above = [scores[i][i + k] for i in range(len(scores) - k)]
        for found in (below, above):
            worst = max(worst, max(found) - min(found))
    return worst


def offset_spread__masked(scores):
    """right"""
    place = np.arange(len(scores))
    offset = place - place[:, None]
    return float(max(np.ptp(scores[offset == k]) for k in np.unique(offset)))


def offset_spread__all_pairs(scores):
    """right"""
    moved = [0.0]
    for step in range(1, len(scores)):
        moved.append(np.abs(scores[step:, step:] - scores[:-step, :-step]).max())
    return max(moved)


def offset_spread__one_step(scores):
    """neighbours only"""
    steps = [
        abs(np.diff(np.diagonal(scores, k)))
        for k in range(1 - len(scores), len(scores))
    ]
    return max(step.max(initial=0) for step in steps)


def spot_the_layout_bug__tile(x, positions):
    """right"""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-np.arange(half) / half)
    angles = np.tile(positions[:, None] * theta, (1, 2))
    partner = np.concatenate([x[:, half:], -x[:, :half]], axis=1)
    return x * np.cos(angles) + partner * np.sin(angles)


def spot_the_layout_bug__hstack(x, positions):
    """right"""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-np.arange(half) / half)
    angles = np.hstack([positions[:, None] * theta] * 2)
    partner = np.concatenate([x[:, half:], -x[:, :half]], axis=1)
    return x * np.cos(angles) + partner * np.sin(angles)


def spot_the_layout_bug__index(x, positions):
    """right"""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-(np.arange(2 * half) % half) / half)
    angles = positions[:, None] * theta
    partner = np.concatenate([x[:, half:], -x[:, :half]], axis=1)
    return x * np.cos(angles) + partner * np.sin(angles)


def spot_the_layout_bug__neighbours(x, positions):
    """interleaved layout"""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-np.arange(half) / half)
    angles = np.repeat(positions[:, None] * theta, 2, axis=1)
    partner = np.empty(x.shape)
    partner[:, 0::2], partner[:, 1::2] = x[:, 1::2], -x[:, 0::2]
    return x * np.cos(angles) + partner * np.sin(angles)


def one_sided__where(offset, slope):
    """right"""
    return torch.where(offset <= 0, slope * offset, -torch.inf)


def one_sided__in_place(offset, slope):
    """right"""
    bias = slope * offset.double()
    bias[offset > 0] = float("-inf")
    return bias


def one_sided__clamped(offset, slope):
    """right"""
    hidden = torch.zeros(offset.shape).masked_fill(offset.gt(0), float("-inf"))
    return hidden + offset.clamp(max=0) * slope


def one_sided__numpy(offset, slope):
    """no tensor"""
    steps = offset.numpy()
    return np.where(steps > 0, -np.inf, slope * steps)


def one_sided__times_infinity(offset, slope):
    """infinity times zero"""
    return -slope * offset.abs() + (offset > 0) * float("-inf")


def one_sided__itself(offset, slope):
    """hides itself"""
    return torch.where(offset < 0, slope * offset, -torch.inf)


def half_turns__loop(d_head, base):
    """right"""
    return [np.pi * base ** (2 * i / d_head) for i in range(d_head // 2)]


def half_turns__library(d_head, base):
    """right"""
    return 0.5 * (2 * np.pi / angular_speeds(d_head, base))


def half_turns__torch(width, b):
    """right"""
    i = torch.arange(width // 2, dtype=torch.float64)
    return torch.exp(np.log(np.pi) + 2 * i / width * np.log(b))


def half_turns__wavelengths(d_head, base):
    """a whole turn"""
    return [2 * np.pi * base ** (2 * i / d_head) for i in range(d_head // 2)]


def half_turns__pair_index(d_head, base):
    """column index"""
    return np.pi * base ** (np.arange(d_head // 2) / d_head)
