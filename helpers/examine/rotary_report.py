"""The report on a rotary position encoding: one function that rotates queries and keys.

A rotation is linear, so the rotated unit vectors are its matrix, one for each position;
layout, direction, speeds and norm are read off that matrix.
"""

import itertools

import numpy as np

from helpers.examine.calling import in_float64
from helpers.examine.numbers import UNKNOWN
from helpers.examine.report import NOT_SURE, Report, yes
from helpers.examine.trying import Unclear, attempt, first_that_works, start

WIDTHS = (8, 64, 128, 32, 16)
LENGTH = 6
FAR = 2000  # the position up to which bfloat16 is tried
# The usual axes of x; l counts positions.
SHAPES = {
    "bhld": "x of (batch, heads, length, d_head)",
    "blhd": "x of (batch, length, heads, d_head)",
    "lbhd": "x of (length, batch, heads, d_head)",
    "bld": "x of (batch, length, d_head)",
    "ld": "x of (length, d_head)",
}
_HELP = (
    "Give an instance or a function: examine.rotary(lambda q, k: …) or "
    "examine.rotary(lambda x, positions: …)."
)
_FIRST = "counts positions if it is axis 0: right only for (length, batch, …)"


def rotary(rotate):
    """The Report on ``rotate(q, k) -> (q, k)``, ``rotate(x)`` or ``rotate(x, positions)``.

    Positions are (batch, length) or (length,). The axes of q, k and x are found out: those
    count by which every head of every sentence is rotated alike, and d_head is 8, 64, 128,
    32 or 16.
    """
    start()
    title = getattr(rotate, "__name__", type(rotate).__name__)
    matrices, option, notes = first_that_works(
        _matrices, itertools.product(WIDTHS, SHAPES, _calls(rotate))
    )
    if matrices is None:
        return Report(title, {"call": NOT_SURE}, [*notes, _HELP])
    return Report(title, _facts(*option, matrices))


def _calls(rotate):
    """The ways to call, in this order: each takes x and positions (batch, length)."""
    return (
        lambda x, positions: rotate(x, x + 0)[0],
        lambda x, positions: rotate(x, x + 0, positions)[0],
        lambda x, positions: rotate(x, x + 0, positions[0])[0],
        lambda x, positions: rotate(x),
        rotate,
        lambda x, positions: rotate(x, positions[0]),
    )


def _result(call, axes, vector, count):
    """What comes of x with one vector (d_head,) at every position."""
    import torch

    sizes = {"b": 2, "h": 3, "l": count, "d": len(vector)}
    x = vector.expand([sizes[axis] for axis in axes]).contiguous()
    result = call(x, torch.arange(count).expand(len(x), -1))
    if getattr(result, "shape", None) != x.shape:
        raise Unclear("what comes back has not the shape of x (cosines and sines?)")
    return result


def _turned(call, axes, vector, count=LENGTH):
    """The vector rotated (count, d_head); Unclear where heads or sentences differ."""
    array = in_float64(_result(call, axes, vector, count))
    alike = np.moveaxis(array, axes.index("l"), -2).reshape(-1, count, len(vector))
    if np.ptp(alike, axis=0).max() > 1e-6:
        raise Unclear("heads or sentences are rotated differently")
    return alike[0]


def _matrices(width, axes, call):
    """The matrix of each position, (length, d_head, d_head)."""
    import torch

    units = torch.eye(width, dtype=torch.float64)
    if _turned(call, axes, 0 * units[0]).any():
        raise Unclear("zeros do not stay zeros, so it is no rotation")
    matrices = np.stack([_turned(call, axes, unit) for unit in units], axis=2)
    if np.ptp(matrices, axis=0).max() < 1e-3:
        raise Unclear("every position is rotated alike, or not at all")
    return matrices


def _facts(width, axes, call, matrices):
    import torch

    moves = np.abs(matrices - np.eye(width)).max(axis=(0, 2)) > 1e-6
    kept = np.allclose(np.linalg.norm(matrices, axis=1), 1, 0, 1e-3)
    layout, direction, speeds = _pairs(matrices[1], np.flatnonzero(moves), kept)
    exact = attempt(_spread, call, axes, width, 60, torch.float64)
    coarse = attempt(_spread, call, axes, width, FAR, torch.bfloat16)
    x = torch.ones(width, dtype=torch.bfloat16, requires_grad=True)
    result = attempt(_result, call, axes, x, LENGTH).value
    return {
        "call": SHAPES[axes],
        "layout": layout,
        "direction": direction,
        "speeds": speeds,
        "columns rotated": f"{moves.sum()} of {width}",
        "only the offset counts": yes(not exact.error and exact.value < 1e-2),
        "spread in bfloat16": NOT_SURE if coarse.error else coarse.value,
        "dtype kept": yes(getattr(result, "dtype", None) == x.dtype),
        "norm kept": yes(kept),
        "gradient": yes(getattr(result, "requires_grad", False)),
        "batch axis": _FIRST if axes == "lbhd" else "alike",
    }


def _pairs(turn, columns, kept):
    """Layout, direction and speeds of the matrix of position 1, by the moved columns.

    Each pair is a complex number, which a rotation multiplies.
    """
    orders = {"halves": columns, "interleaved": np.r_[columns[::2], columns[1::2]]}
    for layout, order in orders.items():
        first, second = np.split(turn[np.ix_(order, order)], 2)
        turned = first + 1j * second
        factors = np.diag(turned)
        pure = np.hstack([np.diag(factors), np.diag(1j * factors)])
        if np.allclose(turned, pure, 0, 1e-5):
            direction = "published" if factors[0].imag > 0 else "the other"
            return layout, direction, _speeds(np.abs(np.angle(factors)))
    return "columns reordered" if kept else "mixed", NOT_SURE, NOT_SURE


def _speeds(angles):
    """The base of the angles of position 1, in words."""
    half = len(angles)
    base = float(f"{angles[1 % half] ** -half:.3g}")
    fits = np.allclose(angles, base ** (-np.arange(half) / half), 1e-2, 0)
    return f"base {base:.10g}" if fits else UNKNOWN


def _spread(call, axes, width, count, dtype):
    """The largest spread of scores with one offset, in their standard deviations.

    Over the last 60 of ``count`` positions; the query and the key are the same two
    random vectors everywhere.
    """
    import torch

    vectors = torch.as_tensor(
        np.random.default_rng(0).normal(size=(2, width)), dtype=dtype
    )
    query, key = (_turned(call, axes, vector, count)[-60:] for vector in vectors)
    scores = query @ key.T
    diagonals = [np.ptp(np.diagonal(scores, k)) for k in range(-59, 60)]
    return round(float(max(diagonals) / scores.std()), 2)
