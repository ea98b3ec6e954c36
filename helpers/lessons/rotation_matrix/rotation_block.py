"""Exercise 3.1: the block that moves one pair on by k positions."""

import numpy as np

CASES = [
    (1, 1.0),
    (3, 0.1),
    (-4, 1.0),
    (7, 0.5),
    (0, 2.5),
    (-150, 0.01),
]
STARTS = np.array([0, 1, 3, 10, 200])


def rotation_block(k, theta):
    angle = k * theta
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, sine], [-sine, cosine]])


def draw(rng):
    return rng.integers(-300, 301), 10 ** rng.uniform(-2, 0.5)


def run(answer, k, theta):
    return observed(answer(k, theta), k, np.array([theta]))


def observed(made, k, speeds):
    """The matrix, and from where it arrives.

    What is right from position 0 alone is seen as just that, however it came about.
    """
    try:
        matrix = np.array(made, dtype=float)
        arrives = [np.allclose(matrix @ a, b, 0, 1e-4) for a, b in _moves(k, speeds)]
    except (TypeError, ValueError):  # not a matrix of this size: compared as it is
        return made
    if arrives[0] and not any(arrives[1:]):
        return {"the positions from which it reaches `pos + k`": "0 alone"}
    every = "all that were tried"
    found = every if all(arrives) else ", ".join(map(str, STARTS[arrives])) or "none"
    where = "the positions from which it reaches `pos + k`"
    return {"the matrix": made, where: found}


def _moves(k, speeds):
    for pos in STARTS:
        yield [_row(n * speeds) for n in (pos, pos + k)]


def _row(angles):
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
