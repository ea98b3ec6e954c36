"""The report on a rotary position encoding: one function that rotates queries and keys.

A rotation is linear, so the rotated unit vectors are its matrix, one for each position;
layout, direction and norm are read off that matrix.
"""

import numpy as np

from helpers.encoding import angular_speeds
from helpers.examine.calling import as_array
from helpers.examine.report import Report
from helpers.examine.trying import attempt

NOT_SURE = "not sure"
WIDTH, LENGTH, BATCH, HEADS = 8, 6, 2, 3
FAR = 2000  # the position up to which bfloat16 is tried
# The usual axes of x, and the number of the one that counts positions.
SHAPES = {
    "(batch, heads, length, d_head)": ("bhld", 2),
    "(batch, length, heads, d_head)": ("blhd", 1),
    "(batch, length, d_head)": ("bld", 1),
    "(length, d_head)": ("ld", 0),
}
_HELP = "Give one function: examine.rotary(lambda q, k: …) or (lambda x, positions: …)."


def rotary(rotate):
    """The Report on ``rotate(q, k) -> (q, k)``, ``rotate(x)`` or ``rotate(x, positions)``.

    The axes of q, k and x are found out: (batch, heads, length, d_head) first, then
    (batch, length, heads, d_head), (batch, length, d_head), (length, d_head); d_head is 8.
    Tensors are tried first, then NumPy arrays.
    """
    subject, reasons = getattr(rotate, "__name__", "rotate"), []
    for turn in _ways(rotate):
        for words, (axes, where) in SHAPES.items():
            tried = attempt(_matrices, turn, axes, where)
            if tried.error is None:
                return _report(subject, words, turn, axes, where, tried.value)
            reasons.append(f"Tried x of {words}: {tried.sentence}.")
    return Report(subject, {"call": NOT_SURE}, [*reasons[:1], _HELP])


def _ways(rotate):
    """The ways to call, in this order: each takes x and the positions."""
    calls = (
        lambda x, positions: rotate(x, x + 0)[0],
        lambda x, positions: rotate(x, x + 0, positions)[0],
        lambda x, positions: rotate(x),
        lambda x, positions: rotate(x, positions),
    )
    for call in calls:
        yield call
        yield lambda x, positions, call=call: call(x.numpy(), positions.numpy())


def _filled(vectors, axes, where, dtype):
    """x with the vectors (length, d_head) in all its heads and sentences."""
    import torch

    x = torch.as_tensor(vectors, dtype=dtype)
    sizes = {"b": BATCH, "h": HEADS, "l": len(x), "d": x.shape[1]}
    shape = [sizes["l"] if n == where else 1 for n in range(len(axes) - 1)]
    full = [sizes[axis] for axis in axes]
    return x.reshape(*shape, -1).expand(full).contiguous()


def _turned(turn, vectors, axes, where, dtype):
    """The rotated vectors (length, d_head), and whether all sentences agree."""
    import torch

    x = _filled(vectors, axes, where, dtype)
    result = turn(x, torch.arange(len(vectors)))
    if tuple(result.shape) != tuple(x.shape):
        raise ValueError(f"x of shape {tuple(x.shape)} gives {tuple(result.shape)}")
    array = np.moveaxis(as_array(result), where, -2)
    rest = array.reshape(-1, *array.shape[-2:])
    return rest[0], bool(np.abs(rest - rest[0]).max() < 1e-6)


def _matrices(turn, axes, where):
    """The matrix of each position, (length, d_head, d_head), and whether all agree."""
    import torch

    columns, agree = [], True
    for unit in np.eye(WIDTH):
        vectors = np.tile(unit, (LENGTH, 1))
        column, alike = _turned(turn, vectors, axes, where, torch.float64)
        columns.append(column)
        agree = agree and alike
    matrices = np.stack(columns, axis=2)
    if agree and np.abs(matrices - matrices[0]).max() < 1e-3:
        raise ValueError("no position is rotated")
    return matrices, agree


def _report(subject, words, turn, axes, where, found):
    import torch

    matrices, agree = found
    layout, direction = _layout(matrices[1])
    spread = attempt(_spread, turn, axes, where, torch.float64, 60)
    coarse = attempt(_spread, turn, axes, where, torch.bfloat16, FAR)
    norms = np.linalg.norm(matrices, axis=1)
    kept = np.abs(norms - 1).max() < 1e-3
    facts = {"call": f"x of {words}", "layout": layout, "direction": direction}
    offset = spread.error is None and spread.value < 1e-2
    facts["only the offset counts"] = "yes" if offset else "no"
    facts["spread in bfloat16"] = NOT_SURE if coarse.error else round(coarse.value, 2)
    facts["norm kept"] = "yes" if kept else "no"
    facts["gradient"] = _gradient(turn, axes, where)
    facts["batch axis"] = "alike" if agree else "rotated by its index"
    return Report(subject, facts)


def _layout(matrix):
    """The layout and the direction of the matrix of position 1."""
    partner = {"interleaved": 1, "halves": WIDTH // 2}
    speeds = angular_speeds(WIDTH)
    for layout, other in partner.items():
        step = 2 if layout == "interleaved" else 1
        first = range(0, WIDTH // 2 * step, step)
        rebuilt = np.zeros_like(matrix)
        for a in first:
            pair = np.ix_([a, a + other], [a, a + other])
            rebuilt[pair] = matrix[pair]
        if np.abs(rebuilt - matrix).max() < 1e-3:
            sine = matrix[first[0], first[0] + other]
            if abs(sine) < np.sin(speeds[1]) / 2:
                return layout, NOT_SURE
            return layout, "published" if sine < 0 else "the other"
    return "not one of the two", NOT_SURE


def _spread(turn, axes, where, dtype, last):
    """The largest spread of scores with one offset, in their standard deviations.

    Over the last 60 positions up to ``last``; the query and the key are the same two
    random vectors everywhere.
    """
    query, key = np.random.default_rng(0).normal(size=(2, WIDTH))
    rotated = []
    for vector in (query, key):
        vectors = np.tile(vector, (last, 1))
        rotated.append(_turned(turn, vectors, axes, where, dtype)[0][-60:])
    scores = rotated[0] @ rotated[1].T
    diagonals = [np.ptp(np.diagonal(scores, k)) for k in range(-59, 60)]
    return float(max(diagonals) / scores.std())


def _gradient(turn, axes, where):
    import torch

    x = _filled(np.ones((LENGTH, WIDTH)), axes, where, torch.float32).requires_grad_()
    tried = attempt(lambda: turn(x, torch.arange(LENGTH)).sum().backward())
    return "yes" if tried.error is None and x.grad is not None else "no"
