"""Answers to the exercises of notebook 03; a docstring says what is told."""

import math

import numpy as np
import torch

from helpers import encoding


def rotation_block__one_complex_number(offset, speed):
    z = np.exp(1j * offset * speed)
    return np.array([z.real, z.imag, -z.imag, z.real], dtype=np.float32).reshape(2, 2)


def rotation_block__tensor(steps, speed):
    angle = torch.tensor([0, -1, 1, 0]).double() * math.pi / 2 + steps * speed
    return angle.cos().reshape(2, 2)


def rotation_block__mirror_from_0(k, theta):
    """right only from position 0"""
    turned = np.exp(1j * theta * k)
    return np.array([[-turned.real, turned.imag], [turned.imag, turned.real]])


def rotation_block__steps(k, theta):
    """no step for negative k"""
    block, c, s = np.eye(2), np.cos(theta), np.sin(theta)
    for _ in range(k):
        block = block @ [[c, s], [-s, c]]
    return block


def rotation_block__absolute(k, theta):
    """line 3"""
    angle = abs(k) * theta
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s], [-s, c]])


def full_rotation__power(k, d):
    step = np.zeros((d, d))
    for i in range(0, d, 2):
        c, s = math.cos(10_000 ** (-i / d)), math.sin(10_000 ** (-i / d))
        step[i : i + 2, i : i + 2] = [[c, s], [-s, c]]
    return np.linalg.matrix_power(step, k)


def full_rotation__torch(offset, width):
    angles = offset * torch.tensor(encoding.angular_speeds(width))
    c, s = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack([c, s, -s, c], dim=1).reshape(-1, 2, 2))


def full_rotation__stacked(k, d_model):
    """a stack of blocks"""
    angles = k * encoding.angular_speeds(d_model)
    return [[[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]] for a in angles]


def step_back__complex(given, steps):
    turn = np.exp(1j * steps * encoding.angular_speeds(len(given)))
    return (np.array(given).view(complex) * turn).view(float)


def step_back__angles(row, k):
    back = []
    for i in range(0, len(row), 2):
        angle = math.atan2(row[i], row[i + 1]) - k / 10_000 ** (i / len(row))
        back += [math.sin(angle), math.cos(angle)]
    return back


def step_back__arcsine(row, k):
    """half of the circle lost"""
    angles = np.arcsin(row[::2]) - k * encoding.angular_speeds(len(row))
    return np.column_stack([np.sin(angles), np.cos(angles)]).ravel()


def look_back_weights__loop(table, k, beta):
    weights = []
    for x in table:
        query = encoding.rotation_matrix(-k, len(x)) @ x
        scores = [beta * math.fsum(query * key) for key in table]
        powers = [math.exp(score - max(scores)) for score in scores]
        weights.append([power / math.fsum(powers) for power in powers])
    return weights


def look_back_weights__from_the_right(table, k, beta):
    """looks forward"""
    scores = beta * table @ encoding.rotation_matrix(-k, table.shape[1]) @ table.T
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
