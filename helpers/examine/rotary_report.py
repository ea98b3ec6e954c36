"""The report on a rotary position encoding: one function that rotates queries and keys.

A rotation is linear, so the rotated unit vectors are its matrix, one for each position;
layout, direction and norm are read off that matrix.
"""

import functools

import numpy as np

from helpers.examine.calling import as_array
from helpers.examine.report import NOT_SURE, Report
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
                turned = functools.partial(_turned, call, axes)
                tried = attempt(_matrices, turned, width)
                if tried.error is None:
                    return Report(title, _facts(turned, axes, tried.value))
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


def _filled(axes, vectors, dtype):
    """x with the vectors (length, d_head) in all its heads and sentences."""
    import torch

    x = torch.as_tensor(vectors, dtype=dtype)
    sizes = SIZES | {"l": len(x), "d": x.shape[1]}
    place = [sizes[axis] if axis in "ld" else 1 for axis in axes]
    return x.reshape(place).expand([sizes[axis] for axis in axes]).contiguous()


def _turned(call, axes, vectors, dtype="float64"):
    """The rotated vectors (length, d_head); ValueError where heads or sentences differ."""
    import torch

    x = _filled(axes, vectors, getattr(torch, dtype))
    result = call(x, torch.arange(len(vectors)))
    if tuple(result.shape) != tuple(x.shape):
        raise ValueError(f"x of shape {tuple(x.shape)} gives {tuple(result.shape)}")
    array = np.moveaxis(as_array(result), axes.index("l"), -2)
    rest = array.reshape(-1, *array.shape[-2:])
    if np.ptp(rest, axis=0).max() > 1e-6:
        raise ValueError("heads or sentences are rotated differently")
    return rest[0]


def _matrices(turned, width):
    """The matrix of each position, (length, d_head, d_head)."""
    columns = [turned(np.tile(unit, (LENGTH, 1))) for unit in np.eye(width)]
    if np.abs(turned(np.zeros((LENGTH, width)))).max() > 0:
        raise ValueError("zeros do not stay zeros, so it is no rotation")
    matrices = np.stack(columns, axis=2)
    if np.ptp(matrices, axis=0).max() < 1e-3:
        raise ValueError("positions are not rotated differently")
    return matrices


def _facts(turned, axes, matrices):
    width = matrices.shape[1]
    moves = np.abs(matrices - np.eye(width)).max(axis=(0, 2)) > 1e-6
    kept = np.abs(np.linalg.norm(matrices, axis=1) - 1).max() < 1e-3
    layout, direction = _layout(matrices[1][np.ix_(moves, moves)], kept)
    exact = attempt(_spread, turned, width, "float64", 60)
    coarse = attempt(_spread, turned, width, "bfloat16", FAR)
    facts = {"call": SHAPES[axes], "layout": layout, "direction": direction}
    if not moves.all():
        facts["columns rotated"] = f"{moves.sum()} of {width}"
    facts["only the offset counts"] = _yes(not exact.error and exact.value < 1e-2)
    facts["spread in bfloat16"] = NOT_SURE if coarse.error else round(coarse.value, 2)
    facts["norm kept"] = _yes(kept)
    facts["gradient"] = _yes(not attempt(_backward, turned, axes, width).error)
    facts["batch axis"] = "counts positions" if axes == "lbhd" else "alike"
    return facts


def _yes(fact):
    return "yes" if fact else "no"


def _layout(matrix, kept):
    """The layout and the direction of the matrix of position 1."""
    width = len(matrix)
    for layout, first in (
        ("halves", np.arange(width // 2)),
        ("interleaved", np.arange(0, width, 2)),
    ):
        partner = first + (width // 2 if layout == "halves" else 1)
        cosine, sine = matrix[first, first], matrix[first, partner]
        rebuilt = np.zeros_like(matrix)
        rebuilt[first, first] = rebuilt[partner, partner] = cosine
        rebuilt[first, partner], rebuilt[partner, first] = sine, -sine
        if np.abs(rebuilt - matrix).max() < 1e-5:
            return layout, "published" if sine[0] < 0 else "the other"
    return "columns reordered" if kept else "mixed", NOT_SURE


def _spread(turned, width, dtype, last):
    """The largest spread of scores with one offset, in their standard deviations.

    Over the last 60 positions up to ``last``; the query and the key are the same two
    random vectors everywhere.
    """
    query, key = (
        turned(np.tile(vector, (last, 1)), dtype)[-60:]
        for vector in np.random.default_rng(0).normal(size=(2, width))
    )
    scores = query @ key.T
    diagonals = [np.ptp(np.diagonal(scores, k)) for k in range(-59, 60)]
    return float(max(diagonals) / scores.std())


def _backward(turned, axes, width):
    """Raises unless a gradient comes back to x."""
    import torch

    x = _filled(axes, np.ones((LENGTH, width)), torch.float32).requires_grad_()
    turned.args[0](x, torch.arange(LENGTH)).sum().backward()
    if x.grad is None:
        raise ValueError("no gradient")
