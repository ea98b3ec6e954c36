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
    speeds = formula_speeds("d_model", d_model, base)
    if not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise TypeError(f"dtype must be a floating-point dtype of torch; got {dtype!r}")
    pairs = sine_cosine_pairs(max_len, speeds, dtype)
    return pairs.flatten(1).to(torch.get_default_device())


def formula_speeds(name, width, base):
    """``base ** (-2 i / width)`` for every pair i, a float64 tensor on the CPU.

    ``name`` is what an error calls the width.
    """
    width = arguments.even(name, width)
    return arguments.positive("base", base) ** (_float64(0, width, 2) / -width)


def sine_cosine_pairs(max_len, speeds, dtype):
    """Sine and cosine of ``pos * speed``, shape ``(max_len, pairs, 2)``, on the CPU.

    ``speeds`` is a float64 tensor on the CPU, in radians per position.
    """

    def turn(k):
        return torch.polar(_ONE, -k * speeds)  # cos(k theta) - i sin(k theta)

    # A pair (s, c) is the number s + ic. Its product with turn(k) is M_k (s, c), the
    # pair k positions on. Row 0 is (0, 1) everywhere, the number i.
    first = turn(_float64(0, min(BLOCK, max_len))[:, None]) * 1j
    if max_len <= BLOCK:
        return torch.view_as_real(first).to(dtype)

    turned, step, here = torch.empty_like(first), turn(BLOCK), turn(0)
    # NumPy asks the system for large pages: filling them takes half the time.
    memory = np.empty(max_len * len(speeds) * 2 * dtype.itemsize, np.uint8)
    table = torch.from_numpy(memory).view(dtype).view(max_len, -1, 2)
    for rows in table.split(BLOCK):
        torch.mul(first, here, out=turned)
        rows.copy_(torch.view_as_real(turned)[: len(rows)])
        here = here * step
    return table


class Tabulated(nn.Module):
    """A module with a buffer ``table`` that ``_made(dtype)`` can compute at any time.

    The buffer is not part of a checkpoint. A model that is made on the meta device and
    filled from one would therefore keep whatever the memory held.
    """

    def reset_parameters(self):
        """Compute the table again; from the meta device it goes to the default one."""
        device = self.table.device
        device = torch.get_default_device() if self.table.is_meta else device
        self.table = self._made(self.table.dtype).to(device)

    def _keep(self, table):
        table = table.to(torch.get_default_device())
        self.register_buffer("table", table, persistent=False)

    def _apply(self, fn, recurse=True):
        # `.to()`, `.half()` and `to_empty()` all come here, and the last one leaves a
        # table without values.
        super()._apply(fn, recurse)
        if not self.table.is_meta:
            self.reset_parameters()
        return self


class PositionalEncoding(Tabulated):
    """Adds to every token the encoding of its position, then applies dropout.

    ``forward(x)`` takes and returns ``(batch, length, d_model)``, in the dtype of its
    input, which it leaves as it is; position is the index along ``length``.
    ``forward(x, start=57)`` counts from 57: for a model that keeps the keys and values
    of earlier tokens and is fed the newest ones only.
    ``forward(x, positions=ids)`` gives every token the position in ``ids``, integers of
    shape ``(length,)`` or ``(batch, length)``: for rows that are padded on the left,
    hold several documents, or have come to different places.
    ``scale_input=True`` multiplies the input by ``sqrt(d_model)`` first.
    The buffer ``table`` follows ``.to()`` but is not part of a checkpoint, so weights
    load into a module of any other ``max_len``. It is computed again whenever the module
    is moved, after ``to_empty()`` too, and by ``reset_parameters()``.
    Raises TypeError or ValueError for an argument or an input that does not fit.
    """

    def __init__(
        self, d_model, dropout=0.1, max_len=5000, *, base=10_000.0, scale_input=False
    ):
        super().__init__()
        self.max_len = arguments.count("max_len", max_len)
        self.speeds = formula_speeds("d_model", d_model, base)
        self.d_model = 2 * len(self.speeds)
        self._keep(self._made(torch.float32))
        self.scale = math.sqrt(self.d_model) if scale_input else 1.0
        rate = arguments.probability("dropout", dropout)
        self.dropout = nn.Dropout(rate, inplace=True)

    def forward(self, x, *, start=0, positions=None):
        check_input(x, ("batch", "length", "d_model"), self.d_model)
        rows = rows_at(self.table, x, start, positions).to(x.dtype)
        # rows + scale * x in one pass; the sum is ours, so dropout may write into it.
        summed = torch.add(rows, x, alpha=self.scale)
        return self.dropout(summed) if self.dropout.training else summed

    def _made(self, dtype):
        return sine_cosine_pairs(self.max_len, self.speeds, dtype).flatten(1)

    def extra_repr(self):
        return f"d_model={self.d_model}, max_len={self.max_len}, scale={self.scale:.4g}"


def check_input(x, axes, width):
    """Raise TypeError or ValueError unless x holds floats on these axes.

    ``axes`` are their names; ``width`` is the length of the last one.
    """
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"x must be a torch.Tensor; got {type(x).__name__}")
    if not x.is_floating_point():
        raise TypeError(f"x must hold floats (embeddings, not ids); got {x.dtype}")
    if x.dim() != len(axes):
        raise ValueError(f"x must be ({', '.join(axes)}); got shape {tuple(x.shape)}")
    if x.shape[-1] != width:
        raise ValueError(
            f"x must have {axes[-1]}={width} columns in its last dimension; "
            f"got {x.shape[-1]}"
        )


def rows_at(table, x, start, positions):
    """The table's rows for x, whose first axis is the batch and last but one the length.

    Returns ``(length, width)``, or ``(batch, length, width)`` for positions of each row.
    Raises TypeError or ValueError for a start or positions that do not fit, RuntimeError
    for a table that has no values yet. Inside ``torch.compile`` and ``torch.export`` the
    values of ``positions`` are left to torch, which raises an error of its own.
    """
    if table.is_meta and not x.is_meta:
        raise RuntimeError(
            "the table is still on the meta device: call the module's reset_parameters()"
        )
    if positions is None:
        return table[_slice(len(table), start, x.shape[-2])]
    if start != 0:
        raise ValueError(f"start and positions exclude each other; got start={start!r}")
    _check_positions(positions, x, len(table))
    # Unlike table[positions], it refuses negative ones in compiled code too.
    return nn.functional.embedding(positions.long(), table)


def _slice(max_len, start, length):
    # The check makes a number of whatever counts as one, and inside a compiled graph it
    # would fix that number: a new graph for every start.
    if not torch.compiler.is_compiling():
        start = arguments.integer("start", start)
    if start < 0:
        raise ValueError(f"start must not be negative; got {start}")
    if start + length > max_len:
        raise ValueError(
            f"x is longer than the table: it needs {start + length} positions, "
            f"max_len={max_len}"
        )
    return slice(start, start + length)


def _check_positions(positions, x, max_len):
    if not isinstance(positions, torch.Tensor):
        raise TypeError(
            f"positions must be a torch.Tensor; got {type(positions).__name__}"
        )
    if positions.dtype not in _INTEGERS:
        raise TypeError(f"positions must be integers; got {positions.dtype}")
    batch, length = x.shape[0], x.shape[-2]
    rows_fit = positions.dim() == 1 or (
        positions.dim() == 2 and positions.shape[0] in (1, batch)
    )
    if not rows_fit or positions.shape[-1] != length:
        raise ValueError(
            f"positions must be ({length},) or ({batch}, {length}) for this x; "
            f"got shape {tuple(positions.shape)}"
        )
    if torch.compiler.is_compiling() or positions.is_meta or not positions.numel():
        return
    low, high = (int(end) for end in positions.aminmax())
    if low < 0:
        raise ValueError(f"positions must not be negative; got {low}")
    if high >= max_len:
        raise ValueError(
            f"positions must be below max_len={max_len}, the rows of the table; got {high}"
        )


_INTEGERS = {torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64}
_ONE = torch.ones((), dtype=torch.float64, device="cpu")


def _float64(start, stop, step=1):
    return torch.arange(start, stop, step, dtype=torch.float64, device="cpu")
