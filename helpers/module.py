"""The finished module: sinusoidal positional encoding for PyTorch.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.5. The table is
quick to build because it uses its own theorem: moving by k positions is a rotation
(notebook 03).
"""

import math

import numpy as np
import torch
from torch import nn

from helpers import arguments

BLOCK = 48  # rows turned at a time: few enough for the processor's cache


def sinusoidal_table(max_len, d_model, *, base=10_000.0, dtype=torch.float32):
    """The table of encodings, shape ``(max_len, d_model)``.

    Column ``2i`` holds ``sin(pos * theta_i)`` and column ``2i + 1`` the cosine, with
    ``theta_i = base ** (-2 i / d_model)``. All arithmetic is float64, on the CPU; the
    only rounding to ``dtype`` is the last step.

    Accuracy: in float32 and below, up to 5000 positions, the nearest number of the type
    or, in fewer than one entry of 10 000, the one beside it. In float64 it is as good as
    the formula in float64, where ``pos * theta_i`` is rounded: 7e-13 off at 5000
    positions, 4e-11 at a million.
    Raises TypeError or ValueError, naming the argument that is wrong.
    """
    max_len = arguments.count("max_len", max_len)
    d_model = arguments.even("d_model", d_model)
    theta = arguments.positive("base", base) ** (_float64(0, d_model, 2) / -d_model)
    if not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise TypeError(f"dtype must be a floating-point dtype of torch; got {dtype!r}")

    def turn(k):
        return torch.polar(_ONE, -k * theta)  # cos(k theta) - i sin(k theta)

    # A pair (s, c) is the number s + ic. Its product with turn(k) is M_k (s, c), the
    # pair k positions on. Row 0 is (0, 1) everywhere, the number i.
    first = turn(_float64(0, min(BLOCK, max_len))[:, None]) * 1j
    if max_len <= BLOCK:
        return _finished(torch.view_as_real(first).to(dtype))

    turned, step, here = torch.empty_like(first), turn(BLOCK), turn(0)
    # NumPy asks the system for large pages: filling them takes half the time.
    memory = np.empty(max_len * d_model * dtype.itemsize, np.uint8)
    table = torch.from_numpy(memory).view(dtype).view(max_len, -1, 2)
    for rows in table.split(BLOCK):
        torch.mul(first, here, out=turned)
        rows.copy_(torch.view_as_real(turned)[: len(rows)])
        here = here * step
    return _finished(table)


class PositionalEncoding(nn.Module):
    """Adds to every token the encoding of its position, then applies dropout.

    ``forward(x)`` takes and returns ``(batch, length, d_model)``, in the dtype of its
    input, which it leaves as it is; position is the index along ``length``.
    ``forward(x, start=57)`` counts from 57: for a model that keeps the keys and values
    of earlier tokens and is fed the newest ones only.
    ``scale_input=True`` multiplies the input by ``sqrt(d_model)`` first.
    The buffer ``table`` follows ``.to()`` but is not part of a checkpoint, so weights
    load into a module of any other ``max_len``.
    Raises TypeError or ValueError for an argument or an input that does not fit.
    """

    def __init__(
        self, d_model, dropout=0.1, max_len=5000, *, base=10_000.0, scale_input=False
    ):
        super().__init__()
        table = sinusoidal_table(max_len, d_model, base=base)
        self.register_buffer("table", table, persistent=False)
        self.max_len, self.d_model = table.shape
        self.scale = math.sqrt(self.d_model) if scale_input else 1.0
        rate = arguments.probability("dropout", dropout)
        self.dropout = nn.Dropout(rate, inplace=True)

    def forward(self, x, *, start=0):
        self._check(x, start)
        rows = self.table[start : start + x.shape[1]].to(x.dtype)
        # rows + scale * x in one pass; the sum is ours, so dropout may write into it.
        summed = torch.add(rows, x, alpha=self.scale)
        return self.dropout(summed) if self.dropout.training else summed

    def _check(self, x, start):
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"x must be a torch.Tensor; got {type(x).__name__}")
        if not x.is_floating_point():
            raise TypeError(f"x must hold floats (embeddings, not ids); got {x.dtype}")
        if x.dim() != 3:
            raise ValueError(
                f"x must be (batch, length, d_model); got shape {tuple(x.shape)}"
            )
        if x.shape[2] != self.d_model:
            raise ValueError(
                f"x must have d_model={self.d_model} columns in its last dimension; "
                f"got {x.shape[2]}"
            )
        if arguments.integer("start", start) < 0:
            raise ValueError(f"start must not be negative; got {start}")
        if start + x.shape[1] > self.max_len:
            raise ValueError(
                f"x is longer than the table: it needs {start + x.shape[1]} positions, "
                f"max_len={self.max_len}"
            )

    def extra_repr(self):
        return f"d_model={self.d_model}, max_len={self.max_len}, scale={self.scale:.4g}"


_ONE = torch.ones((), dtype=torch.float64, device="cpu")


def _float64(start, stop, step=1):
    return torch.arange(start, stop, step, dtype=torch.float64, device="cpu")


def _finished(pairs):
    return pairs.flatten(1).to(torch.get_default_device())
