"""Rotary position embedding for PyTorch, in the direction that published models use.

Source: Su et al. 2021, "RoFormer", arXiv:2104.09864, section 3.4.2. The layout in
halves is that of GPT-NeoX and of Llama in transformers, the interleaved one that of
RoFormer, GPT-J and Llama as Meta published it.
"""

import torch

from helpers import arguments
from helpers.module import (
    Tabulated,
    check_input,
    formula_speeds,
    rows_at,
    sine_cosine_pairs,
)

LAYOUTS = ("halves", "interleaved")


class RotaryEncoding(Tabulated):
    """Rotates every query or key by the angles of its position.

    ``forward(x)`` takes and returns ``(batch, heads, length, d_head)``, in the dtype of
    its input. A pair ``(a, b)`` at position pos becomes
    ``(a cos - b sin, b cos + a sin)`` of ``pos * theta_i``: counter-clockwise, as in
    Llama, Qwen and RoFormer, whose weights fit. (Notebook 07 rotates clockwise.)

    max_len     the number of positions; the table has 2 rotary_dim floats for each
    layout      what a pair is: ``"halves"``, columns i and i + rotary_dim/2, or
                ``"interleaved"``, columns 2i and 2i + 1
    rotary_dim  rotate the first so many columns of each head only (default: all)
    speeds      radians per position, one for each pair, in place of
                ``base ** (-2 i / rotary_dim)``: for a scaled model

    ``start`` and ``positions`` are those of `PositionalEncoding`. Angles are float64,
    the table has float32 or better in a model of any dtype, and the result is rounded
    once: its error is that of the dtype at any position. The buffer ``table`` is not
    part of a checkpoint; after a change of ``speeds`` call ``reset_parameters()``.
    Raises TypeError or ValueError for an argument or an input that does not fit.
    """

    def __init__(
        self,
        d_head,
        max_len=8192,
        *,
        base=10_000.0,
        layout="halves",
        rotary_dim=None,
        speeds=None,
    ):
        super().__init__()
        self.d_head = arguments.even("d_head", d_head)
        self.max_len = arguments.count("max_len", max_len)
        self.rotary_dim = self.d_head
        if rotary_dim is not None:
            self.rotary_dim = arguments.even("rotary_dim", rotary_dim)
        if self.rotary_dim > self.d_head:
            raise ValueError(
                f"rotary_dim must be at most d_head={self.d_head}; got {rotary_dim}"
            )
        if layout not in LAYOUTS:
            raise ValueError(f"layout must be one of {LAYOUTS}; got {layout!r}")
        self.layout = layout
        self.speeds = formula_speeds("rotary_dim", self.rotary_dim, base)
        if speeds is not None:
            self.speeds = _checked(speeds, len(self.speeds))
        self._keep(self._made(torch.float32))

    def forward(self, x, *, start=0, positions=None):
        check_input(x, ("batch", "heads", "length", "d_head"), self.d_head)
        rows = rows_at(self.table, x, start, positions)
        if rows.dim() == 3:
            rows = rows[:, None]  # the same for all heads
        cosine, sine = rows.chunk(2, -1)
        if self.rotary_dim == self.d_head:
            return _rotated(x, cosine, sine, self.layout)
        turned, rest = x.tensor_split([self.rotary_dim], -1)
        return torch.cat([_rotated(turned, cosine, sine, self.layout), rest], -1)

    def _made(self, dtype):
        # Never below float32, whatever the model's dtype: cosines in bfloat16 would
        # cost more than the one rounding at the end.
        dtype = torch.promote_types(dtype, torch.float32)
        sine, cosine = sine_cosine_pairs(self.max_len, self.speeds, dtype).unbind(-1)
        if self.layout == "halves":
            return torch.cat([cosine, cosine, -sine, sine], 1)
        signed = torch.stack([-sine, sine], 2).flatten(1)
        return torch.cat([cosine.repeat_interleave(2, 1), signed], 1)

    def extra_repr(self):
        return (
            f"d_head={self.d_head}, max_len={self.max_len}, layout={self.layout!r}, "
            f"rotary_dim={self.rotary_dim}"
        )


def to_halves(weight, heads):
    """Reorder a query's or key's weight from the interleaved layout to halves.

    ``weight`` is what ``nn.Linear`` holds, ``(heads * d_head, d_model)``, or its bias
    ``(heads * d_head,)``; ``heads`` is the number of *its* heads, for keys often fewer
    than for queries. Returns a new tensor of the same shape. The scores stay as they
    are, because queries and keys are reordered alike; values need no change.
    Raises TypeError or ValueError where the rows do not make heads of pairs.
    """
    return _pairs_of(weight, heads, -1, 2).transpose(1, 2).flatten(0, 2)


def to_interleaved(weight, heads):
    """Reorder a query's or key's weight from halves to the interleaved layout.

    The way back from `to_halves`, with the same arguments and errors.
    """
    return _pairs_of(weight, heads, 2, -1).transpose(1, 2).flatten(0, 2)


def _pairs_of(weight, heads, *sizes):
    heads = arguments.count("heads", heads)
    if not isinstance(weight, torch.Tensor):
        raise TypeError(f"weight must be a torch.Tensor; got {type(weight).__name__}")
    if weight.dim() == 0 or not len(weight) or len(weight) % (2 * heads):
        raise ValueError(
            f"weight must have heads * d_head rows, d_head even, for heads={heads}; "
            f"got shape {tuple(weight.shape)}"
        )
    return weight.unflatten(0, (heads, *sizes))


def _checked(speeds, pairs):
    try:
        speeds = torch.as_tensor(speeds, dtype=torch.float64, device="cpu")
    except (TypeError, ValueError):
        raise TypeError(f"speeds must be numbers; got {speeds!r}") from None
    if speeds.shape != (pairs,) or not speeds.isfinite().all():
        raise ValueError(
            f"speeds must be {pairs} finite numbers, one for each pair; "
            f"got shape {tuple(speeds.shape)}"
        )
    return speeds.clone()


def _rotated(x, cosine, sine, layout):
    # Both members of each pair at once, because one token's time is the number of
    # operations. Where x is coarser than the table, both steps are in the table's dtype.
    return (x * cosine).addcmul_(_partners(x, layout), sine).to(x.dtype)


def _partners(x, layout):
    """x with the two members of each pair exchanged."""
    if layout == "halves":
        return x.roll(x.shape[-1] // 2, -1)
    return x.unflatten(-1, (-1, 2)).roll(1, -1).flatten(-2)
