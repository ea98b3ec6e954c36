"""Answers to the exercises of 04 as readers write them; each docstring: what is told."""

import itertools
import math

import numpy as np

from helpers import encoding

# -------------------------------------------------------------- distance_matrix


def distance_matrix__norm(table):
    """right"""
    return np.linalg.norm(table[:, None] - table, axis=-1).tolist()


def distance_matrix__dot_products(rows):
    """right"""
    products = np.einsum("pc,qc->pq", rows, rows)
    squares = np.diag(products)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))


def distance_matrix__upper_half(table):
    """right"""
    n = len(table)
    p, q = np.triu_indices(n, 1)
    made = np.zeros((n, n))
    made[p, q] = made[q, p] = np.sqrt(((table[p] - table[q]) ** 2).sum(axis=1))
    return made


def distance_matrix__row_by_row(table):
    """a loop"""
    return np.array([np.sqrt(((table - row) ** 2).sum(axis=1)) for row in table])


def distance_matrix__squares(table):
    """no root"""
    gaps = np.expand_dims(table, 1) - np.expand_dims(table, 0)
    return np.einsum("pqc,pqc->pq", gaps, gaps)


def distance_matrix__manhattan(table):
    """absolute differences"""
    return np.linalg.norm(table[:, None] - table, ord=1, axis=2)


def distance_matrix__half_the_width(table):
    """rows taken for encodings"""
    inner = np.einsum("ic,jc->ij", table, table)
    return np.sqrt(2 * np.clip(table.shape[1] / 2 - inner, 0, None))


def distance_matrix__a_little_more(table):
    """line 4"""
    gaps = table[:, None] - table[None]
    return np.sqrt((gaps**2).sum(axis=-1) + 1e-8)


# --------------------------------------------------------- distance_from_offset


def distance_from_offset__loop(k, d_model):
    """right"""
    squared = 0.0
    for i in range(d_model // 2):
        squared += 2 * (1 - math.cos(k / 10_000 ** (2 * i / d_model)))
    return math.sqrt(squared)


def distance_from_offset__half_angles(k, d):
    """right"""
    return math.hypot(
        *(2 * math.sin(k / 10_000 ** (i / d) / 2) for i in range(0, d, 2))
    )


def distance_from_offset__trace(offset, width):
    """right"""
    M = encoding.rotation_matrix(offset, width)
    return np.float32(np.sqrt(width - np.einsum("ii", M)))


def distance_from_offset__two_rows_of_a_table(k, d_model):
    """a table"""
    rows = encoding.positional_encoding(abs(k) + 1, d_model)
    return math.dist(rows[0], rows[-1])


def distance_from_offset__arcs(k, d_model):
    """arc for chord"""
    return math.hypot(*(k / 10_000 ** (i / d_model) for i in range(0, d_model, 2)))


def distance_from_offset__sines(k, d_model):
    """sines only"""
    return math.hypot(
        *(math.sin(k / 10_000 ** (i / d_model)) for i in range(0, d_model, 2))
    )


def distance_from_offset__product(k, d_model):
    """dot product"""
    angles = abs(k) * encoding.angular_speeds(d_model)
    here, there = (
        [np.zeros_like(angles), np.ones_like(angles)],
        [
            np.sin(angles),
            np.cos(angles),
        ],
    )
    return np.einsum("ai,ai", here, there)


def distance_from_offset__degrees(k, d_model):
    """degrees"""
    squared = 0.0
    for i in range(d_model // 2):
        squared += 2 - 2 * math.cos(math.radians(k / 10_000 ** (2 * i / d_model)))
    return math.sqrt(squared)


# ------------------------------------------------------------------- first_fall


def first_fall__count(d_model):
    """right"""

    def D(k):
        theta = encoding.angular_speeds(d_model)
        return np.sqrt(2 * np.sum(1 - np.cos(k * theta)))

    return next(k for k in itertools.count(1) if D(k + 1) < D(k))


def first_fall__longer_and_longer(d):
    """right"""
    length = 8
    while True:
        angles = np.outer(np.arange(length), encoding.angular_speeds(d))
        falls = np.flatnonzero(np.diff(np.cos(angles).sum(axis=1)) > 0)
        if len(falls):
            return falls[0]
        length *= 2


def first_fall__far_enough(d_model):
    """right"""
    D = [math.fsum(-np.cos(k * encoding.angular_speeds(d_model))) for k in range(400)]
    k = 1
    while not D[k + 1] < D[k]:
        k = k + 1
    return float(k)


def first_fall__below_the_first(d_model):
    """falls below the neighbour"""
    theta = encoding.angular_speeds(d_model)
    for k in range(2, 5000):
        if np.sum(1 - np.cos(k * theta)) < np.sum(1 - np.cos(theta)) - 1e-9:
            return k
    return None


def first_fall__largest_of_100(d_model):
    """smaller offsets after which D falls"""
    theta = encoding.angular_speeds(d_model)
    return max(range(1, 100), key=lambda k: np.sum(1 - np.cos(k * theta)))


# ----------------------------------------------------------------------- period


def period__unpacked(periods):
    """right"""
    return math.lcm(*periods)


def period__search(hands):
    """right"""
    steps = max(hands)
    while any(steps % hand for hand in hands):
        steps += 1
    return float(steps)


def period__euclid(periods):
    """right"""
    steps = 1
    for period in periods:
        a, b = steps, period
        while b:
            a, b = b, a % b
        steps = steps // a * period
    return np.int64(steps)


def period__product(periods):
    """product"""
    steps = 1
    for period in periods:
        steps *= period
    return steps


def period__slowest(periods):
    """largest period"""
    return sorted(periods)[-1]


def period__neighbours(periods):
    """periods of the hands that are not back then"""
    return max(map(math.lcm, periods, periods[1:] or periods))


def period__any_for_all(periods):
    """smallest period"""
    steps = 1
    while all(steps % period for period in periods):
        steps += 1
    return steps


def period__divided_once(periods):
    """product by common divisor"""
    return math.prod(periods) // math.gcd(*periods)


def period__in_32_bits(periods):
    """wrong where the result is large"""
    steps = np.ones(1, dtype=np.int32)
    for period in periods:
        steps = np.lcm(steps, np.int32(period))
    return int(steps[0])


def period__with_a_slash(periods):
    """wrong where the result is large"""
    steps = 1
    for period in periods:
        steps = steps * period / math.gcd(int(steps), period)
    return int(steps)
