"""Exercises 5.4 to 5.7: four broken modules, one repaired."""

import torch
from torch import nn

from helpers.lessons.module.forward import is_reached
from helpers.module import sinusoidal_table


def _case(d_model, max_len, batch, length, seed=0):
    x = torch.linspace(-3, 4, batch * length * d_model).reshape(batch, length, d_model)
    return d_model, max_len, x if seed % 2 == 0 else x.mT.contiguous().mT  # a view


CASES = [
    _case(8, 10, 2, 5),
    _case(4, 6, 5, 3),
    _case(2, 1, 4, 1),
    _case(512, 7, 2, 3),
]
DRAWN = 15
table = sinusoidal_table(100, 8)  # what patient A adds: the notebook's own


def draw(rng):
    d_model = 2 * int(rng.choice([1, 2, 3, 4, 5, 8, 32]))
    max_len = int(rng.choice([1, 2, 3, 7, 20, 101, 5003]))
    sizes = rng.integers(1, [min(max_len, 5) + 1, min(max_len, 12) + 1, 99])
    return _case(d_model, max_len, *sizes.tolist())


def run(answer, d_model, max_len, x):
    module = answer(d_model, max_len)
    kept = x.clone()
    result = module(x)
    if not isinstance(result, torch.Tensor):
        return result
    result = result.clone()
    tables = _tables(module)
    again = module(same := kept.clone()).clone()
    other = module(same.copy_(-kept))  # the same tensor with other numbers
    reached = is_reached(leaf := kept.clone().requires_grad_(), module(leaf.clone()))
    used, new = (answer(d_model, max_len) for _ in range(2))
    used(kept)  # the new one is moved before its first call
    nn.Sequential(module, used, new).to(torch.float16)
    half, new_half = (str(one(kept.half()).dtype) for one in (used, new))
    follows = {table.dtype for table in _tables(module)} == {torch.float16}
    return {
        "the output": result,
        "the output of a second call": again,
        "the output for other numbers in the same tensor": other,
        "whether a gradient reaches `x`": reached,
        "whether its table follows `.to()`": str(follows),
        "whether its table is trained": str(any(t.requires_grad for t in tables)),
        "the number of rows that it holds": sum(t.numel() for t in tables) // d_model,
        "the dtype of the output in a model after `.to(torch.float16)`": half,
        "the dtype of the output where `.to(torch.float16)` came first": new_half,
    }


def _tables(module):
    """What the module holds of the table's kind: not a column of whole positions."""
    held = [*vars(module).values(), *module.buffers(), *module.parameters()]
    tensors = [t for t in held if isinstance(t, torch.Tensor)]
    return [t for t in tensors if t.ndim > 1 and t.is_floating_point()]


class Patient(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        table = sinusoidal_table(max_len, d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]
