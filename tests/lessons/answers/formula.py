"""Answers to the exercises of notebook 01; a docstring says what is told."""

import math
from itertools import accumulate, repeat

import numpy as np


def encode_with_bases__loop(n, periods):
    rows = []
    for pos in range(n):
        angles = [math.tau * pos / b for b in periods]
        rows.append([wave(a) for a in angles for wave in (math.sin, math.cos)])
    return rows


def encode_with_bases__mixed_radix(max_len, bases):
    """one hand after the other"""
    rest, columns = np.arange(max_len), []
    for b in bases:
        rest, digit = np.divmod(rest, b)
        columns += [np.sin(2 * np.pi * digit / b), np.cos(2 * np.pi * digit / b)]
    return np.column_stack(columns)


def angular_speeds__running_product(d_model):
    steps = repeat(10_000 ** (-2 / d_model), d_model // 2 - 1)
    return list(accumulate(steps, lambda a, b: a * b, initial=1.0))


def encode_position__phase(place, width):
    if width % 2 == 1:
        raise ValueError
    angle = np.repeat(place * 10_000.0 ** (-np.arange(0, width, 2) / width), 2)
    angle[1::2] += np.pi / 2
    return np.sin(angle)


def encode_position__whole_numbers(pos, d_model):
    """line 5"""
    if d_model % 2:
        raise ValueError("odd")
    row = np.zeros(d_model, dtype=int)
    angles = pos * 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    row[0::2], row[1::2] = np.sin(angles), np.cos(angles)
    return row
