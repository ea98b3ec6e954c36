"""Exercise 8.1: a batch of windows, and the characters that come next."""

import torch


def _case(size, starts, length, seed=8):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, 100, (size,), generator=generator)
    return ids, torch.tensor(starts, dtype=torch.long), length


CASES = [
    _case(20, [0, 7, 3], 4),
    _case(30, [9], 6),
    _case(13, [0, 4, 8, 1, 7], 4),
    _case(9, [2, 2], 1),
    _case(11, [0, 1], 9),
]


def draw(rng):
    size, length, count = rng.integers([30, 1, 1], [200, 20, 9]).tolist()
    # the last target is the last id
    starts = rng.integers(0, size - length, size=count)
    starts[0] = rng.choice([0, starts[0], size - length - 1])
    return _case(size, starts.tolist(), length, int(rng.integers(1000)))


def inputs_and_targets(ids, starts, length):
    """Row r begins at starts[r]; both results have the shape (len(starts), length)."""
    places = starts[:, None] + torch.arange(length + 1)
    windows = ids[places]
    return windows[:, :-1], windows[:, 1:]
