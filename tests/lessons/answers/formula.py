"""Answers to the exercises of notebook 01, and what each should be told."""

import math
from itertools import accumulate, repeat

import numpy as np

# ------------------------------------------------------------ encode_with_bases


def encode_with_bases__loop(n, periods):
    """right"""
    rows = []
    for pos in range(n):
        row = []
        for b in periods:
            row += [math.sin(math.tau * pos / b), math.cos(math.tau * pos / b)]
        rows.append(row)
    return rows


def encode_with_bases__cell_by_cell(max_len, bases):
    """right"""
    bases = np.asarray(bases)

    def cell(pos, column):
        angle = 2 * np.pi * pos / bases[column // 2]
        return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))

    return np.fromfunction(cell, (max_len, 2 * len(bases)), dtype=int)


def encode_with_bases__float32(max_len, bases):
    """right"""
    angles = np.einsum("p,b->pb", np.arange(max_len), 2 * np.pi / np.array(bases))
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=2)
    return pairs.reshape(max_len, -1).astype(np.float32)


def encode_with_bases__concatenated(max_len, bases):
    """sines first"""
    angles = 2 * np.pi * np.outer(np.arange(max_len), 1 / np.array(bases))
    return np.hstack([np.sin(angles), np.cos(angles)])


def encode_with_bases__mixed_radix(max_len, bases):
    """one hand after the other"""
    table = []
    for pos in range(max_len):
        row, rest = [], pos
        for b in bases:
            rest, digit = divmod(rest, b)
            row += [np.sin(2 * np.pi * digit / b), np.cos(2 * np.pi * digit / b)]
        table.append(row)
    return np.array(table)


def encode_with_bases__sorted(max_len, bases):
    """line 3"""
    angles = 2 * np.pi * np.arange(max_len)[:, None] / np.sort(bases)
    table = np.empty((max_len, 2 * len(bases)))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def encode_with_bases__takes_them_out(max_len, bases):
    """changes its input"""
    pos, columns = np.arange(max_len), []
    bases = bases if isinstance(bases, list) else list(bases)
    while bases:
        angle = 2 * np.pi * pos / bases.pop(0)
        columns += [np.sin(angle), np.cos(angle)]
    return np.column_stack(columns)


# --------------------------------------------------------------- angular_speeds


def angular_speeds__list(width):
    """right"""
    return [1 / 10_000 ** (2 * i / width) for i in range(width // 2)]


def angular_speeds__running_product(d_model):
    """right"""
    factor = 10_000 ** (-2 / d_model)
    steps = repeat(factor, d_model // 2 - 1)
    return np.array(list(accumulate(steps, lambda a, b: a * b, initial=1.0)))


def angular_speeds__logarithm(d_model):
    """right"""
    return np.exp(-np.log(10_000) * np.arange(0, d_model, 2) / d_model)


def angular_speeds__twice_even(d_model):
    """doubled exponent"""
    return [10_000 ** (-2 * i / d_model) for i in range(0, d_model, 2)]


def angular_speeds__every_column(d_model):
    """one speed per column"""
    return np.repeat(10_000.0 ** (-np.arange(0, d_model, 2) / d_model), 2)


def angular_speeds__end_point(d_model):
    """slowest is 1/10000"""
    return np.geomspace(1, 1e-4, d_model // 2) if d_model > 2 else np.ones(1)


def angular_speeds__floor(d_model):
    """line 3"""
    return np.array([10_000.0 ** (-2 * i // d_model) for i in range(d_model // 2)])


# -------------------------------------------------------------- encode_position


def encode_position__loop(pos, d_model):
    """right"""
    pairs, rest = divmod(d_model, 2)
    if rest:
        raise ValueError("a sine without its cosine")
    row = []
    for i in range(pairs):
        angle = pos / math.pow(10_000, 2 * i / d_model)
        row += [math.sin(angle), math.cos(angle)]
    return row


def encode_position__of_columns(place, width):
    """right"""
    if width % 2 == 1:
        raise ValueError
    column = np.arange(width)
    angle = place * 10_000.0 ** (-(column - column % 2) / width)
    return np.where(column % 2, np.cos(angle), np.sin(angle))


def encode_position__phase(pos, d_model):
    """right"""
    if d_model % 2:
        raise ValueError("odd")
    angle = np.repeat(pos * 10_000.0 ** (-np.arange(0, d_model, 2) / d_model), 2)
    angle[1::2] += np.pi / 2
    return np.sin(angle).astype(np.float32)


def encode_position__own_exponent(pos, d_model):
    """a denominator for each column"""
    if d_model % 2:
        raise ValueError
    row = np.zeros(d_model)
    for c in range(d_model):
        angle = pos / 10_000 ** (c / d_model)
        row[c] = math.cos(angle) if c % 2 else math.sin(angle)
    return row


def encode_position__outside(pos, d_model):
    """divided outside the sine"""
    if d_model % 2:
        raise ValueError("odd")
    row = []
    for i in range(d_model // 2):
        below = 10_000 ** (2 * i / d_model)
        row += [np.sin(pos) / below, np.cos(pos) / below]
    return np.array(row)


def encode_position__whole_numbers(pos, d_model):
    """line 5"""
    if d_model % 2:
        raise ValueError("odd")
    row = np.zeros(d_model, dtype=int)
    angles = pos * 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    row[0::2] = np.sin(angles)
    row[1::2] = np.cos(angles)
    return row
