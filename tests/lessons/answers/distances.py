"""Answers to the exercises of notebook 04; a docstring says what is told."""

import itertools
import math
from functools import reduce

import numpy as np

from helpers import encoding


def distance_matrix__dot_products(rows):
    products = np.einsum("pc,qc->pq", rows, rows)
    squares = np.diag(products)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))


def distance_matrix__a_little_more(table):
    """line 4"""
    gaps = table[:, None] - table[None]
    return np.sqrt((gaps**2).sum(axis=-1) + 1e-8)


def distance_from_offset__half_angles(k, d):
    sines = [math.sin(k / 10_000 ** (i / d) / 2) for i in range(0, d, 2)]
    return 2 * math.hypot(*sines)


def distance_from_offset__float32(k, d_model):
    theta = 10_000 ** (-np.arange(0, d_model, 2, dtype=np.float32) / d_model)
    return np.sqrt(2 * np.sum(1 - np.cos(np.float32(k) * theta)))


def distance_from_offset__two_rows_of_a_table(k, d_model):
    """a table"""
    rows = encoding.positional_encoding(abs(k) + 1, d_model)
    return math.dist(rows[0], rows[-1])


def D(k, d_model):
    return np.sqrt(2 * np.sum(1 - np.cos(k * encoding.angular_speeds(d_model))))


def first_fall__count(d_model):
    return next(k for k in itertools.count(1) if D(k + 1, d_model) < D(k, d_model))


def first_fall__largest_of_100(d_model):
    """smaller offsets after which D falls"""
    return max(range(1, 100), key=lambda k: D(k, d_model))


def period__search(hands):
    steps = max(hands)
    while any(steps % hand for hand in hands):
        steps += 1
    return float(steps)


def period__neighbours(periods):
    """periods of the hands that are not back then"""
    return max(map(math.lcm, periods, periods[1:] or periods))


def period__with_a_slash(periods):
    """wrong where the result is large"""
    return int(reduce(lambda a, b: a * b / math.gcd(int(a), b), periods, 1))
