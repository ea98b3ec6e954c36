"""The report on a rotary position encoding: one function that rotates queries and keys.

A rotation is linear, so the rotated unit vectors are its matrix, one for each position;
layout, direction, speeds and norm are read off that matrix.
"""

import inspect
import itertools

import numpy as np

from helpers.examine.calling import as_array
from helpers.examine.numbers import UNKNOWN
from helpers.examine.report import NOT_SURE, Report, yes
from helpers.examine.trying import Unclear, attempt, first_that_works, start

WIDTHS = (8, 64, 128, 32, 16)
SIZES = {"b": 2, "h": 3}
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
    if inspect.isclass(rotate):
        return Report(title, {"call": NOT_SURE}, [f"{title} is a class. {_HELP}"])
    options = itertools.product(WIDTHS, SHAPES, _calls(rotate))
    matrices, option, notes = first_that_works(_matrices, options)
    if matrices is None:
        return Report(title, {"call": NOT_SURE}, [*notes, _HELP])
    return Report(title, _facts(*option, matrices))


def _calls(rotate):
    """The ways to call, in this order: each takes x and the positions."""
    ways = (
        lambda x, positions: rotate(x, x + 0)[0],
        lambda x, positions: rotate(x, x + 0, positions)[0],
        lambda x, positions: rotate(x),
        rotate,
    )
    for way in ways:
        yield lambda x, at, way=way: way(x, at.expand(len(x), -1))
        yield way


def _result(call, axes, vectors):
    """What comes of x with the vectors (length, d_head) in all heads and sentences."""
    import torch

    length = len(vectors)
    place = [length if axis == "l" else 1 for axis in axes[:-1]]
    x = vectors.reshape(*place, -1).expand([SIZES.get(axis, -1) for axis in axes])
    result = call(x.contiguous(), torch.arange(length))
    if getattr(result, "shape", None) != x.shape:
        raise Unclear("what comes back has not the shape of x (cosines and sines?)")
    return result


def _turned(call, axes, vector, count=LENGTH, dtype="float64"):
    """The vector rotated (count, d_head); Unclear where heads or sentences differ."""
    import torch

    vectors = torch.as_tensor(np.tile(vector, (count, 1)), dtype=getattr(torch, dtype))
    array = np.moveaxis(as_array(_result(call, axes, vectors)), axes.index("l"), -2)
    alike = array.reshape(-1, *vectors.shape)
    if np.ptp(alike, axis=0).max() > 1e-6:
        raise Unclear("heads or sentences are rotated differently")
    return alike[0]


def _matrices(width, axes, call):
    """The matrix of each position, (length, d_head, d_head)."""
    if _turned(call, axes, np.zeros(width)).any():
        raise Unclear("zeros do not stay zeros, so it is no rotation")
    columns = [_turned(call, axes, unit) for unit in np.eye(width)]
    matrices = np.stack(columns, axis=2)
    if np.ptp(matrices, axis=0).max() < 1e-3:
        raise Unclear("every position is rotated alike, or not at all")
    return matrices


def _facts(width, axes, call, matrices):
    import torch

    moves = np.abs(matrices - np.eye(width)).max(axis=(0, 2)) > 1e-6
    kept = np.abs(np.linalg.norm(matrices, axis=1) - 1).max() < 1e-3
    layout, direction, speeds = _pairs(matrices[1][np.ix_(moves, moves)], kept)
    exact = attempt(_spread, call, axes, width, 60, "float64")
    coarse = attempt(_spread, call, axes, width, FAR, "bfloat16")
    x = torch.ones(LENGTH, width, dtype=torch.bfloat16, requires_grad=True)
    result = attempt(_result, call, axes, x).value
    return {
        "call": SHAPES[axes],
        "layout": layout,
        "direction": direction,
        "speeds": speeds,
        "columns rotated": f"{moves.sum()} of {width}",
        "only the offset counts": yes(not exact.error and exact.value < 1e-2),
        "spread in bfloat16": NOT_SURE if coarse.error else round(coarse.value, 2),
        "dtype kept": yes(getattr(result, "dtype", None) == x.dtype),
        "norm kept": yes(kept),
        "gradient": yes(getattr(result, "requires_grad", False)),
        "batch axis": _FIRST if axes == "lbhd" else "alike",
    }


def _pairs(turn, kept):
    """Layout, direction and speeds of the matrix of position 1."""
    width = len(turn)
    half = width // 2
    orders = {"halves": np.arange(width), "interleaved": np.r_[0:width:2, 1:width:2]}
    for layout, order in orders.items():
        ordered = turn[np.ix_(order, order)]
        cosine, sine = np.diag(ordered), np.diag(ordered, -half)
        rebuilt = np.diag(cosine) + np.diag(sine, -half) - np.diag(sine, half)
        if np.abs(rebuilt - ordered).max() < 1e-5:
            direction = "published" if sine[0] > 0 else "the other"
            return layout, direction, _speeds(np.arctan2(np.abs(sine), cosine[:half]))
    return "columns reordered" if kept else "mixed", NOT_SURE, NOT_SURE


def _speeds(angles):
    """The base of the angles of position 1, in words."""
    half = len(angles)
    base = float(f"{angles[1 % half] ** -half:.3g}")
    fits = np.allclose(angles, base ** (-np.arange(half) / half), 1e-2, 0)
    return f"base {base:.10g}" if fits and half > 1 else UNKNOWN


def _spread(call, axes, width, last, dtype):
    """The largest spread of scores with one offset, in their standard deviations.

    Over the last 60 positions up to ``last``; the query and the key are the same two
    random vectors everywhere.
    """
    query, key = (
        _turned(call, axes, vector, last, dtype)[-60:]
        for vector in np.random.default_rng(0).normal(size=(2, width))
    )
    scores = query @ key.T
    diagonals = [np.ptp(np.diagonal(scores, k)) for k in range(-59, 60)]
    return float(max(diagonals) / scores.std())
