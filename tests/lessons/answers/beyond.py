"""Answers to the exercises of notebook 09; a docstring says what is told."""

import numpy as np
import torch

from helpers.encoding import angular_speeds, positional_encoding


def woven(angles):
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(angles), -1)


def encode_patches__own_formula(height, width, d_model):
    speeds = 10_000.0 ** (-4 * np.arange(d_model // 4) / d_model)
    row, column = np.indices((height, width)).reshape(2, -1, 1)
    return torch.tensor(woven(np.concatenate([row * speeds, column * speeds], axis=1)))


def encode_patches__fourteen(height, width, d_model):
    """index 14 is out of bounds"""
    row, column = np.divmod(np.arange(height * width), width)
    table = positional_encoding(14, d_model // 2)
    return np.hstack([table[row], table[column]])


def rotate_2d__pair_by_pair(x, rows, columns):
    half, out = x.shape[1] // 2, np.zeros(x.shape)
    for c in range(0, 2 * half, 2):
        angle = (rows if c < half else columns) * 10_000.0 ** (-(c % half) / half)
        out[:, c] = x[:, c] * np.cos(angle) + x[:, c + 1] * np.sin(angle)
        out[:, c + 1] = x[:, c + 1] * np.cos(angle) - x[:, c] * np.sin(angle)
    return out


def timestep_table__phase(when, width):
    if width % 2 == 1:
        raise ValueError("width must be even")
    angles = np.outer(when, np.repeat(angular_speeds(width), 2))
    return torch.sin(torch.tensor(angles + np.tile([0, np.pi / 2], width // 2)))


def fourier_features__walk(points, width, first, last):
    factor, speed, columns = (last / first) ** (1 / (width // 2 - 1)), first, []
    for _ in range(width // 2):
        columns += [np.sin(points * speed), np.cos(points * speed)]
        speed *= factor
    return np.array(columns).T
