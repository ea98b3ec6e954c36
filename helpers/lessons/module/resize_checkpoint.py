"""Exercise 5.2: a checkpoint whose table gets another number of rows."""

from collections.abc import Mapping

import torch

from helpers.module import sinusoidal_table

NAMES = ["weight", "bias", "decoder.table", "words", "steps", "memory"]


def _case(rows, max_len, d_model, *others, at=0):
    shapes = [(6,), (max_len, 2), (7, 4), (9, 12), (), (rows, d_model)]
    shape = dict(zip(NAMES, shapes, strict=True))
    entries = [
        (name, torch.full(shape[name], 3 if name == "steps" else 0.5))
        for name in others
    ]
    entries.insert(at, ("table", sinusoidal_table(rows, d_model)))
    return dict(entries), max_len


CASES = [
    _case(9, 12, 8, "weight", "bias"),
    _case(10, 4, 6, "words", "steps", at=2),
]


def draw(rng):
    rows, max_len, pairs, at = rng.integers(1, [40, 40, 9, 4]).tolist()
    others = rng.permutation(NAMES)[: rng.integers(0, 5)].tolist()
    return _case(rows, max_len, 2 * pairs, *others, at=at)


def run(answer, state, max_len):
    kept = {name: value.clone() for name, value in state.items()}
    result = answer(state, max_len)
    if not isinstance(result, Mapping):
        return result
    same = list(state) == list(kept) and all(state[n].equal(kept[n]) for n in kept)
    kinds = {type(value).__name__ for value in result.values()}
    return {
        "the names in it": ", ".join(sorted(map(str, result))),
        **{f'its `"{name}"`': result.get(name) for name in kept},
        **{f'the dtype of its `"{n}"`': _dtype(result.get(n)) for n in kept},
        "the type of its entries": ", ".join(sorted(kinds)),
        "the old dict": "kept" if same and result is not state else "changed",
    }


def _dtype(value):
    return str(getattr(value, "dtype", None))


def words(state, max_len):
    shapes = ", ".join(f'`"{name}"` {tuple(v.shape)}' for name, v in state.items())
    return f"a checkpoint with {shapes} and `max_len={max_len}`"


def resize_checkpoint(state, max_len):
    d_model = state["table"].shape[1]
    return {**state, "table": sinusoidal_table(max_len, d_model)}
