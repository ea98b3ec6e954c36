"""The sinusoidal positional encoding in NumPy float64, as the paper defines it.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.5. Everything
here is the reference that the exercises, the pictures and the tests compare with.
"""

import numpy as np

from helpers import arguments


def angular_speeds(d_model, base=10_000.0):
    """Angular speed of every pair of columns, in radians per position.

    ``theta_i = base ** (-2 i / d_model)`` for the pair ``i = 0 ... d_model/2 - 1``.

    Returns an array of shape ``(d_model // 2,)``, fastest pair first.
    Raises TypeError for a width that is no integer, ValueError for one that is not
    even and positive, or for a base that is not a positive number.
    Source: the formula of section 3.5; the speed is the reciprocal of its denominator.
    """
    d_model = arguments.even("d_model", d_model)
    pair = np.arange(d_model // 2)
    return arguments.positive("base", base) ** (-2.0 * pair / d_model)


def positional_encoding(max_len, d_model, base=10_000.0):
    """The table of encodings, one row per position.

    Column ``2i`` holds ``sin(pos * theta_i)`` and column ``2i + 1`` holds
    ``cos(pos * theta_i)``, for ``pos = 0 ... max_len - 1``.

    Returns an array of shape ``(max_len, d_model)``. Raises as `angular_speeds`
    does, and likewise for a ``max_len`` that is not a positive integer.
    Source: section 3.5.
    """
    return _rows(arguments.count("max_len", max_len), angular_speeds(d_model, base))


def encode_with_periods(max_len, periods):
    """Encode positions with one hand per period; a hand of period b turns in b steps.

    Returns an array of shape ``(max_len, 2 * len(periods))``: for every period ``b`` a
    column ``sin(2 pi pos / b)`` and a column ``cos(2 pi pos / b)``.
    Raises ValueError when there is no period or one that is not positive.
    Source: notebook 01, section 3 (the clocks that lead to the paper's speeds).
    """
    periods = np.asarray(periods, dtype=float)
    if periods.ndim != 1 or not len(periods) or not np.all(periods > 0):
        raise ValueError(f"periods must be a list of positive numbers; got {periods!r}")
    return _rows(arguments.count("max_len", max_len), 2.0 * np.pi / periods)


def rotation_matrix(k, d_model, base=10_000.0):
    """The matrix ``M_k`` that carries every row of the table ``k`` positions on.

    ``PE[pos + k] = M_k @ PE[pos]`` for every ``pos`` and any integer ``k``. The
    matrix is block diagonal; the block of pair ``i`` is
    ``[[cos(k theta_i), sin(k theta_i)], [-sin(k theta_i), cos(k theta_i)]]``.

    Returns an array of shape ``(d_model, d_model)``. Raises TypeError for a ``k``
    that is no integer, otherwise as `angular_speeds` does.
    Source: section 3.5, "for any fixed offset k, PE_{pos+k} can be represented as a
    linear function of PE_pos"; the blocks follow from angle addition.
    """
    angles = arguments.integer("k", k) * angular_speeds(d_model, base)
    matrix = np.zeros((d_model, d_model))
    sines, cosines = np.arange(0, d_model, 2), np.arange(1, d_model, 2)
    matrix[sines, sines] = matrix[cosines, cosines] = np.cos(angles)
    matrix[sines, cosines] = np.sin(angles)
    matrix[cosines, sines] = -np.sin(angles)
    return matrix


def distances(table):
    """Euclidean distance between every two rows of a table.

    ``table`` has shape ``(n, width)``; returns an array of shape ``(n, n)``,
    symmetric with a zero diagonal. Raises ValueError for anything but two
    dimensions. Source: the Euclidean norm; notebook 04.
    """
    table = np.asarray(table, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"table must be (positions, columns); got {table.shape}")
    # Differences, not dot products: those lose half the digits of near rows.
    return np.stack([np.linalg.norm(table - row, axis=1) for row in table])


def _rows(max_len, speeds):
    angles = np.arange(max_len)[:, None] * speeds
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(max_len, -1)
