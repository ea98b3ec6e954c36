"""Exercise 6.2: attention, for any batch axes, widths and masks."""

import math

import torch


def _case(batch, queries, keys, d_k, d_v, mask, scale=2.0, shift=0.0, seed=6):
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape):
        made = torch.randn(*batch, *shape, generator=generator, dtype=torch.float64)
        return made if scale > 100 else made.float()  # large scores need the digits

    key = normal(d_k, keys).transpose(-2, -1)  # as after a split: a view
    return scale * normal(queries, d_k) + shift, key - shift, normal(keys, d_v), mask


PADDING = torch.tensor([[True, True, False, True, False]])
MIXED = torch.tensor([[True, False, True], [False, True, True]])

# Every size differs from the ones that it could be mixed up with.
CASES = [
    _case((), 4, 4, 6, 3, torch.ones(4, 4, dtype=torch.bool)),
    _case((2,), 5, 5, 16, 7, torch.ones(5, 5, dtype=torch.bool).tril()),
    _case((2, 6), 3, 4, 9, 5, torch.ones(3, 4, dtype=torch.bool).tril()),
    _case((3,), 2, 5, 8, 8, PADDING),
    _case((4,), 2, 3, 1, 2, MIXED),
    _case((2, 3, 1), 2, 3, 4, 6, MIXED.expand(2, 1, 1, 2, 3)),
    _case((), 2, 3, 5, 4, MIXED, 0.1, 6.0),  # all scores near -80
    _case((), 2, 3, 4, 2, MIXED, 4000.0, seed=88),  # hidden: 10 000 above the others
]


def draw(rng):
    batch = rng.integers(1, 4, size=rng.integers(0, 3)).tolist()
    queries, keys, d_k, d_v, seed = rng.integers(1, [8, 8, 20, 9, 99]).tolist()
    rows = 1 if rng.random() < 0.3 else queries  # one row serves every query
    hidden = rng.random((rows, keys)) < rng.choice([0.0, 0.5])
    hidden[:, rng.integers(keys)] = False  # every query sees some key
    scale = float(rng.choice([0.0, 2.0, 1000.0], p=[0.1, 0.7, 0.2]))
    return _case(batch, queries, keys, d_k, d_v, torch.tensor(~hidden), scale, 0, seed)


def attention(query, key, value, mask):
    """Output of shape (..., queries, d_v); mask is True where looking is allowed."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value
