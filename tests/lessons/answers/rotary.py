"""Answers to the exercises of notebook 07; a docstring says what is told."""

import numpy as np

from helpers.encoding import angular_speeds, rotation_matrix


def turned(x, positions):
    """The pairs of x as complex numbers, rotated."""
    pairs = x[:, 0::2] + 1j * x[:, 1::2]
    return pairs * np.exp(-1j * np.outer(positions, angular_speeds(x.shape[1])))


def columns(pairs):
    return np.stack([pairs.real, pairs.imag], axis=2).reshape(len(pairs), -1)


def rotate__complex(x, positions):
    return columns(turned(x, positions))


def rotate__matrices(x, positions):
    """a matrix"""
    both = zip(positions, x, strict=True)
    return np.stack([rotation_matrix(int(pos), len(row)) @ row for pos, row in both])


def scores__of_offsets(query, key, positions):
    rows = [columns(turned(key, positions - pos)) for pos in positions]
    return np.einsum("id,ijd->ij", query, rows)


def offset_spread__all_pairs(scores):
    steps = range(1, len(scores))
    return max([0, *(np.abs(scores[s:, s:] - scores[:-s, :-s]).max() for s in steps)])


def spot_the_layout_bug__complex(x, positions):
    first, second = np.split(x, 2, axis=1)
    pairs = columns(first + 1j * second)
    return np.hstack([turned(pairs, positions).real, turned(pairs, positions).imag])


def one_sided__in_place(offset, slope):
    bias = slope * offset.double()
    bias[offset > 0] = float("-inf")
    return bias


def half_turns__library(d_head, base):
    return 0.5 * (2 * np.pi / angular_speeds(d_head, base))
