"""The report on a rotary position encoding: one function that rotates queries and keys.

A rotation is linear, so the rotated unit vectors are its matrix, one for each position;
layout, direction and norm are read off that matrix.
"""

import numpy as np

from helpers.examine.calling import as_array
from helpers.examine.report import NOT_SURE, Report, yes
from helpers.examine.trying import attempt

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
_HELP = "Give one function: examine.rotary(lambda q, k: …) or (lambda x, positions: …)."


def rotary(rotate):
    """The Report on ``rotate(q, k) -> (q, k)``, ``rotate(x)`` or ``rotate(x, positions)``.

    The axes of q, k and x are found out: those count by which every head of every
    sentence is rotated alike, and d_head is 8, 64, 128, 32 or 16. Tensors are tried
    first, then NumPy arrays.
    """
    title, notes = getattr(rotate, "__name__", "rotate"), []
    for width in WIDTHS:
        for call in _calls(rotate):
            for axes in SHAPES:
                tried = attempt(_matrices, call, axes, width)
                if tried.error is None:
                    return Report(title, _facts(call, axes, tried.value))
                notes.append(f"Tried {SHAPES[axes]}: {tried.sentence}.")
    return Report(title, {"call": NOT_SURE}, [*notes[:2], _HELP])


def _calls(rotate):
    """The ways to call, in this order: each takes x and the positions."""
    for call in (
        lambda x, positions: rotate(x, x + 0)[0],
        lambda x, positions: rotate(x, x + 0, positions)[0],
        lambda x, positions: rotate(x),
        rotate,
    ):
        yield call
        yield lambda x, positions, call=call: call(x.numpy(), positions.numpy())


def _result(call, axes, vectors):
    """What comes of x with the vectors (length, d_head) in all heads and sentences."""
    import torch

    sizes = SIZES | dict(zip("ld", vectors.shape, strict=True))
    place = [sizes[axis] if axis in "ld" else 1 for axis in axes]
    x = vectors.reshape(place).expand([sizes[axis] for axis in axes]).contiguous()
    result = call(x, torch.arange(len(vectors)))
    if tuple(result.shape) != tuple(x.shape):
        raise ValueError(f"x of shape {tuple(x.shape)} gives {tuple(result.shape)}")
    return result


def _turned(call, axes, vectors, dtype="float64"):
    """The rotated vectors (length, d_head); ValueError where heads or sentences differ."""
    import torch

    result = _result(call, axes, torch.as_tensor(vectors, dtype=getattr(torch, dtype)))
    array = np.moveaxis(as_array(result), axes.index("l"), -2)
    alike = array.reshape(-1, *vectors.shape)
    if np.ptp(alike, axis=0).max() > 1e-6:
        raise ValueError("heads or sentences are rotated differently")
    return alike[0]


def _matrices(call, axes, width):
    """The matrix of each position, (length, d_head, d_head)."""
    units = np.vstack([np.eye(width), np.zeros(width)])
    *columns, zeros = (
        _turned(call, axes, np.tile(unit, (LENGTH, 1))) for unit in units
    )
    if zeros.any():
        raise ValueError("zeros do not stay zeros, so it is no rotation")
    matrices = np.stack(columns, axis=2)
    if np.ptp(matrices, axis=0).max() < 1e-3:
        raise ValueError("positions are not rotated differently")
    return matrices


def _facts(call, axes, matrices):
    width = matrices.shape[1]
    moves = np.abs(matrices - np.eye(width)).max(axis=(0, 2)) > 1e-6
    kept = np.abs(np.linalg.norm(matrices, axis=1) - 1).max() < 1e-3
    layout, direction = _layout(matrices[1][np.ix_(moves, moves)], kept)
    exact = attempt(_spread, call, axes, width, "float64", 60)
    coarse = attempt(_spread, call, axes, width, "bfloat16", FAR)
    return {
        "call": SHAPES[axes],
        "layout": layout,
        "direction": direction,
        "columns rotated": f"{moves.sum()} of {width}",
        "only the offset counts": yes(not exact.error and exact.value < 1e-2),
        "spread in bfloat16": NOT_SURE if coarse.error else round(coarse.value, 2),
        "norm kept": yes(kept),
        "gradient": yes(attempt(_gradient, call, axes, width).value is not None),
        "batch axis": "counts positions" if axes == "lbhd" else "alike",
    }


def _layout(matrix, kept):
    """The layout and the direction of the matrix of position 1."""
    width = len(matrix)
    half = width // 2
    orders = {"halves": np.arange(width), "interleaved": np.r_[0:width:2, 1:width:2]}
    for layout, order in orders.items():
        turn = matrix[np.ix_(order, order)]
        sine = np.diag(turn, half)
        rebuilt = np.diag(np.diag(turn)) + np.diag(sine, half) - np.diag(sine, -half)
        if np.abs(rebuilt - turn).max() < 1e-5:
            return layout, "published" if sine[0] < 0 else "the other"
    return "columns reordered" if kept else "mixed", NOT_SURE


def _spread(call, axes, width, dtype, last):
    """The largest spread of scores with one offset, in their standard deviations.

    Over the last 60 positions up to ``last``; the query and the key are the same two
    random vectors everywhere.
    """
    query, key = (
        _turned(call, axes, np.tile(vector, (last, 1)), dtype)[-60:]
        for vector in np.random.default_rng(0).normal(size=(2, width))
    )
    scores = query @ key.T
    diagonals = [np.ptp(np.diagonal(scores, k)) for k in range(-59, 60)]
    return float(max(diagonals) / scores.std())


def _gradient(call, axes, width):
    """The gradient that comes back to x."""
    import torch

    x = torch.ones(LENGTH, width, requires_grad=True)
    _result(call, axes, x).sum().backward()
    return x.grad
