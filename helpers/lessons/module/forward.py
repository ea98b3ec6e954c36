"""Exercise 5.1: the forward pass. Tables hold any numbers, so none can be typed in."""

import torch
from torch import nn


def _case(batch, length, max_len, d_model, p, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    table = torch.randn(max_len, d_model, dtype=dtype, generator=generator)
    x = torch.randn(length, batch, d_model, dtype=dtype, generator=generator)
    return table, x.transpose(0, 1), p  # a view, as after a transpose


CASES = [
    _case(3, 5, 12, 6, 0.2),
    _case(4, 7, 9, 2, 0.0),
    _case(2, 12, 12, 4, 0.5),
]


def draw(rng):
    batch = rng.integers(1, 7)
    length = rng.integers(1, 9)
    more = rng.integers(0, 9)
    dtype, p = map(rng.choice, ([torch.float32, torch.float64], [0, 0.1, 0.5, 0.9]))
    rows = max(batch, length) + more  # whoever counts sentences finds rows enough
    sizes = batch, length, rows, 2 * rng.integers(1, 6)
    return _case(*map(int, sizes), p, dtype, seed=int(rng.integers(1000)))


def run(answer, table, x, p):
    """The result in both modes, and what a user of it would notice."""
    dropout = nn.Dropout(p)
    modes = []
    results = []
    leaf = x.contiguous().requires_grad_()
    for mode, given in ((False, x), (True, leaf.clone())):
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(len(x))
            results.append(answer(table, given, dropout.train(mode)))
        modes.append(dropout.training)
    calm, shaken = results
    if calm is None or calm is ...:
        return calm
    return {
        "the result in eval mode": calm,
        "the result in training mode": shaken,
        "`dropout.training` after calls in eval and in training mode": str(modes),
        "whether a gradient reaches `x`": is_reached(leaf, shaken),
        "whether `table` asks for a gradient": str(table.requires_grad),
    }


def is_reached(leaf, result):
    """Whether what made ``leaf`` can learn from a loss of ``result``: yes or no."""
    if not getattr(result, "requires_grad", False):
        return "no"
    (found,) = torch.autograd.grad(result.sum(), leaf, allow_unused=True)
    return "no" if found is None else "yes"


def forward(table, x, dropout):
    return dropout(x + table[: x.shape[1]])
