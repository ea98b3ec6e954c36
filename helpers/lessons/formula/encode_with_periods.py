"""Exercise 1.1: clock hands of given periods, a pair of columns for each."""

import numpy as np

CASES = [
    (8, [4, 5, 7]),
    (12, [6]),
    (5, [3, 10]),
    (30, [2.5, 8, 9, 11]),
    (1, [4, 9]),
    (6, np.array([3, 5, 4])),
]
TOLERANCE = (1e-4, 1e-4)


def encode_with_periods(max_len, periods):
    angles = np.arange(max_len)[:, None] * (2 * np.pi / np.asarray(periods))
    table = np.zeros((max_len, 2 * len(periods)))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def draw(rng):
    """Any number of periods in any order: whole or not, some of them equal."""
    hands = rng.integers(1, 7)
    periods = rng.integers(2, 13, size=hands)
    if rng.random() < 0.4:
        periods = (periods + rng.random(hands)).round(2)
    if rng.random() < 0.3:
        periods[-1] = periods[0]
    max_len = rng.choice([1, 2, hands, 2 * hands, rng.integers(3, 40), 257])
    return max_len, periods if rng.random() < 0.3 else periods.tolist()


def counted(max_len, periods):
    """Hands that move when the one before has gone round, as digits do."""
    rows = []
    for pos in range(max_len):
        row, rest = [], pos
        for b in periods:
            angle = 2 * np.pi * (rest % b) / b
            row += [np.sin(angle), np.cos(angle)]
            rest = rest // b
        rows.append(row)
    return np.array(rows)
