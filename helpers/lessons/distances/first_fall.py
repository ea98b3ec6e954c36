"""Exercise 4.3: the first step that leads closer."""

from functools import cache

import numpy as np

CASES = [
    (8,),
    (16,),
    (32,),
    (64,),
    (200,),
    (2,),
    (2048,),
    (4096,),
]


def first_fall(d_model):
    theta = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    k = 1
    while np.cos((k + 1) * theta).sum() <= np.cos(k * theta).sum():
        k += 1
    return k


def draw(rng):
    return (2 * int(10 ** rng.uniform(0, 3)),)


def run(answer, d_model):
    """What comes back, and whether the distance falls there and nowhere before."""
    k = answer(d_model)
    if k is None or np.ndim(k) or isinstance(k, str):
        return k
    falls = np.flatnonzero(np.diff(_squares(d_model)) < 0)
    return {
        "whether D falls after a smaller offset already": "yes"
        if falls[0] < k
        else "no",
        "whether D falls after that offset": "yes" if k in falls else "no",
        "the offset": k,
    }


@cache
def _squares(d_model):
    theta = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    return 1 - np.cos(np.outer(np.arange(1000), theta)).mean(axis=1)


def below_the_neighbour(d_model):
    below = np.flatnonzero(_squares(d_model)[1:] < _squares(d_model)[1] - 1e-12)
    return int(below[0]) + 1 if len(below) else None


def before_it_falls_below(d_model):
    found = below_the_neighbour(d_model)
    return None if found is None else found - 1
