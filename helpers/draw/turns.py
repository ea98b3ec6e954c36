"""How long the hands of an encoding table need for a turn."""

import numpy as np


def turn_lengths(table):
    """The positions that the hand of each pair of columns needs for one turn.

    ``table`` has the shape (positions, columns), (sine, cosine) pairs.
    """
    angles = np.unwrap(np.arctan2(table[:, 0::2], table[:, 1::2]), axis=0)
    turned = np.abs(angles[-1] - angles[0]) / (2 * np.pi)
    return (len(table) - 1) / np.maximum(turned, 1e-9)  # a hand may stand still
