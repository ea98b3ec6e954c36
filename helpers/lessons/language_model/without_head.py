"""Exercise 8.3: what the heads saw, with one of them silenced."""

import torch


def _case(batch, heads, length, d_head, head, seed=8):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(batch, heads, length, d_head, generator=generator), head


CASES = [
    _case(2, 4, 5, 3, 1),
    _case(3, 2, 4, 6, 0),
    _case(1, 5, 7, 2, 4),
    _case(6, 1, 3, 4, 0),
    _case(4, 4, 4, 4, 3),
    (torch.linspace(0, 1, 48, dtype=torch.float64).reshape(2, 3, 4, 2), 1),
]
TOLERANCE = (0, 0)  # numbers are moved, none is computed


def draw(rng):
    sizes = rng.integers(1, 7, size=4).tolist()
    seen, head = _case(*sizes, rng.integers(sizes[1]), int(rng.integers(1000)))
    seen = seen.round() if rng.random() < 0.3 else seen  # equal numbers
    return seen.transpose(1, 2).contiguous().transpose(1, 2), head


def without_head(seen, head):
    """A copy of seen, (batch, heads, length, d_head), with zeros for one head."""
    kept = seen.clone()
    kept[:, head] = 0
    return kept
