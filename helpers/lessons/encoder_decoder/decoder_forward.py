"""Exercise 6.3: the forward pass of a decoder layer."""

import math
from types import SimpleNamespace

import torch
from torch.nn.functional import layer_norm


def _attention(gain):  # one head without projections
    def attend(x, context, mask=None):
        scores = gain * x @ context.mT
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return scores.softmax(dim=-1) @ context.roll(1, dims=-1)

    return attend


def _norm(seed):
    """A layer norm with weights of its own, one for each column, as after training."""

    def norm(x):
        weight = 1 + torch.arange(x.shape[-1]) * seed % 7 / 4
        return layer_norm(x, x.shape[-1:]) * weight - seed / 9

    return norm


PARTS = SimpleNamespace(
    self_attention=_attention(0.5),
    cross_attention=_attention(0.8),
    feed_forward=lambda x: 1.5 * torch.tanh(x.roll(1, dims=-1)),
    norms=[_norm(n) for n in (2, 3, 4)],
)


def _case(batch, targets, sources, d_model, mask, seed=0):
    made = torch.Generator().manual_seed(seed)
    x = torch.randn(batch, targets, d_model, generator=made)
    return x, torch.randn(batch, sources, d_model, generator=made), mask


CAUSAL = torch.ones(5, 5, dtype=torch.bool).tril()
CASES = [
    _case(2, 3, 4, 6, CAUSAL[:3, :3]),
    _case(3, 5, 2, 4, CAUSAL),
    _case(1, 2, 2, 8, CAUSAL[:2, :2].T),  # a mask that is not causal
]


def draw(rng):
    batch, targets, sources, d_model = rng.integers(1, [4, 7, 7, 9]).tolist()
    seen = torch.tensor(rng.random((targets, targets)) < 0.6)
    mask = seen | (torch.eye(targets) == 1)
    return _case(batch, targets, sources, d_model + 2, mask, int(rng.integers(99)))


def run(answer, x, memory, mask):
    return answer(PARTS, x, memory, mask)


def decoder_forward(parts, x, memory, mask):
    x = parts.norms[0](x + parts.self_attention(x, x, mask))
    x = parts.norms[1](x + parts.cross_attention(x, memory))
    return parts.norms[2](x + parts.feed_forward(x))
