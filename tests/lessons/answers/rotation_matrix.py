"""Answers to the exercises of notebook 03; a docstring says what is told."""

import math

import numpy as np
import torch

from helpers import encoding


def rotation_block__one_complex_number(offset, speed):
    z = np.exp(1j * offset * speed)
    return np.array([z.real, z.imag, -z.imag, z.real], dtype=np.float32).reshape(2, 2)


def full_rotation__torch(offset, width):
    angles = offset * torch.tensor(encoding.angular_speeds(width))
    c, s = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([c, s, -s, c], dim=1).reshape(-1, 2, 2))


def full_rotation__stacked(k, d_model):
    """a stack of blocks"""
    angles = k * encoding.angular_speeds(d_model)
    return [[[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]] for a in angles]


def full_rotation__sines_at_random(k, d_model):
    """right only from position 0"""
    matrix = encoding.rotation_matrix(k, d_model)
    matrix[:, 0::2] = np.random.default_rng(1).normal(size=(d_model, d_model // 2))
    return matrix


def step_back__complex(given, steps):
    turn = np.exp(1j * steps * encoding.angular_speeds(len(given)))
    return (np.array(given).view(complex) * turn).view(float)


def look_back_weights__loop(table, k, beta):
    weights = []
    for x in table:
        query = encoding.rotation_matrix(-k, len(x)) @ x
        scores = [beta * math.fsum(query * key) for key in table]
        powers = [math.exp(score - max(scores)) for score in scores]
        weights.append([power / math.fsum(powers) for power in powers])
    return weights
