"""Answers to the exercises of 09 as readers write them; each docstring: what is told."""

import numpy as np
import torch

from helpers.encoding import angular_speeds, positional_encoding


def encode_patches__loop(height, width, d_model):
    """right"""
    down = positional_encoding(height, d_model // 2)
    across = positional_encoding(width, d_model // 2)
    rows = [[*down[r], *across[c]] for r in range(height) for c in range(width)]
    return np.array(rows)


def encode_patches__repeat_and_tile(height, width, d_model):
    """right"""
    half = d_model // 2
    left = np.repeat(positional_encoding(height, half), width, axis=0)
    right = np.tile(positional_encoding(width, half), (height, 1))
    return np.hstack([left, right])


def encode_patches__own_formula(height, width, d_model):
    """right"""
    speeds = np.repeat(10_000.0 ** (-4 * np.arange(d_model // 4) / d_model), 2)
    quarter = np.tile([0, np.pi / 2], d_model // 4)
    row, column = np.indices((height, width)).reshape(2, -1, 1)
    angles = np.concatenate([row * speeds + quarter, column * speeds + quarter], axis=1)
    return torch.tensor(np.sin(angles))


def encode_patches__fourteen(height, width, d_model):
    """exception"""
    row, column = np.divmod(np.arange(height * width), width)
    table = positional_encoding(14, d_model // 2)
    return np.hstack([table[row], table[column]])


def encode_patches__swapped(height, width, d_model):
    """axes exchanged"""
    left = np.tile(positional_encoding(width, d_model // 2), (height, 1))
    right = np.repeat(positional_encoding(height, d_model // 2), width, axis=0)
    return np.hstack([left, right])


def encode_patches__sum(height, width, d_model):
    """still shared"""
    down = positional_encoding(height, d_model)[:, None]
    return (down + positional_encoding(width, d_model)).reshape(-1, d_model)


def _turned(x, positions, sign=1):
    angles = sign * positions[:, None] * angular_speeds(x.shape[1])
    a, b, sine, cosine = x[:, 0::2], x[:, 1::2], np.sin(angles), np.cos(angles)
    pairs = [a * cosine + b * sine, b * cosine - a * sine]
    return np.stack(pairs, axis=2).reshape(x.shape)


def rotate_2d__two_halves(x, rows, columns):
    """right"""
    left, right = np.split(x, 2, axis=1)
    return np.hstack([_turned(left, rows), _turned(right, columns)])


def rotate_2d__complex(x, rows, columns):
    """right"""
    half = x.shape[1] // 2
    pairs = x[:, 0::2] + 1j * x[:, 1::2]
    theta = angular_speeds(half)
    angles = np.hstack([np.outer(rows, theta), np.outer(columns, theta)])
    pairs = pairs * np.exp(-1j * angles)
    return np.stack([pairs.real, pairs.imag], axis=2).reshape(x.shape)


def rotate_2d__pair_by_pair(x, rows, columns):
    """right"""
    half, out = x.shape[1] // 2, np.zeros(x.shape)
    for c in range(0, 2 * half, 2):
        places = rows if c < half else columns
        angle = places * 10_000.0 ** (-(c % half) / half)
        out[:, c] = x[:, c] * np.cos(angle) + x[:, c + 1] * np.sin(angle)
        out[:, c + 1] = x[:, c + 1] * np.cos(angle) - x[:, c] * np.sin(angle)
    return out


def rotate_2d__columns_first(x, rows, columns):
    """axes exchanged"""
    left, right = np.split(x, 2, axis=1)
    return np.hstack([_turned(left, columns), _turned(right, rows)])


def rotate_2d__backwards(x, rows, columns):
    """other sign"""
    left, right = np.split(x, 2, axis=1)
    return np.hstack([_turned(left, rows, -1), _turned(right, columns, -1)])


def rotate_2d__one_after_the_other(x, rows, columns):
    """axes share the pairs"""
    return _turned(_turned(x, rows), columns)


def timestep_table__stack(times, d_model):
    """right"""
    if d_model % 2 == 1:
        raise ValueError("odd")
    angles = np.outer(times, angular_speeds(d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(times), -1)


def timestep_table__loops(times, d_model):
    """right"""
    if d_model % 2:
        raise ValueError
    rows = []
    for t in times:
        angles = [t / 10_000 ** (2 * i / d_model) for i in range(d_model // 2)]
        rows.append([wave(a) for a in angles for wave in (np.sin, np.cos)])
    return rows


def timestep_table__torch(times, d_model):
    """right"""
    if d_model % 2:
        raise ValueError("d_model must be even")
    times = torch.as_tensor(np.array(times), dtype=torch.float32)[:, None]
    angles = times * torch.tensor(angular_speeds(d_model), dtype=torch.float32)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)


def timestep_table__shifted(times, d_model):
    """sines first, exponent shifted"""
    if d_model % 2:
        raise ValueError("odd")
    half = d_model // 2
    speeds = np.exp(-np.log(10_000) * np.arange(half) / max(half - 1, 1))
    angles = np.outer(times, speeds)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


def timestep_table__diffusion(times, d_model):
    """sines first"""
    if d_model % 2:
        raise ValueError("odd")
    angles = np.outer(times, angular_speeds(d_model))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


def timestep_table__integers(times, d_model):
    """times cut to whole numbers"""
    if d_model % 2:
        raise ValueError("odd")
    angles = np.outer([int(t) for t in times], angular_speeds(d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(times), -1)


def fourier_features__powers(x, d_model, fastest, slowest):
    """right"""
    hands = d_model // 2
    speeds = fastest * (slowest / fastest) ** (np.arange(hands) / (hands - 1))
    angles = np.outer(x, speeds)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(x), d_model)


def fourier_features__walk(x, d_model, fastest, slowest):
    """right"""
    factor = (slowest / fastest) ** (1 / (d_model // 2 - 1))
    columns, speed = [], fastest
    for _ in range(d_model // 2):
        columns += [np.sin(x * speed), np.cos(x * speed)]
        speed *= factor
    return np.array(columns).T


def fourier_features__logspace(x, d_model, fastest, slowest):
    """right"""
    ends = np.log10([fastest, slowest])
    angles = x[:, None] * np.logspace(*ends, d_model // 2)
    return torch.tensor(np.dstack([np.sin(angles), np.cos(angles)])).flatten(1)


def fourier_features__linear(x, d_model, fastest, slowest):
    """a linear ladder"""
    hands = d_model // 2
    step = (fastest - slowest) / (hands - 1)
    angles = np.outer(x, [fastest - i * step for i in range(hands)])
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(x), d_model)


def fourier_features__in_rounds(x, d_model, fastest, slowest):
    """rounds for radians"""
    angles = 2 * np.pi * np.outer(x, np.geomspace(fastest, slowest, d_model // 2))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(x), d_model)


def fourier_features__one_short(x, d_model, fastest, slowest):
    """slowest left out"""
    hands = d_model // 2
    angles = np.outer(x, fastest * (slowest / fastest) ** (np.arange(hands) / hands))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(x), d_model)
