"""Exercise 10.3: a cache that forgets old keys, and what it takes for the position."""

import torch

CASES = [(4, (3, 1, 1, 1)), (2, (1, 1, 1, 1, 1)), (6, (9, 1, 1)), (5, (1, 1))]


def draw(rng):
    """Any window; a prompt of any length, then one token or a few at a time."""
    steps = rng.integers(1, 3, size=rng.integers(1, 12)).tolist()
    return int(rng.integers(1, 9)), (int(rng.integers(1, 12)), *steps)


def run(answer, window, lengths):
    """What a model asks of its cache: where do the next tokens begin, what is kept?"""
    cache, starts, held, total = answer(window), [], [], 0
    for length in lengths:
        starts.append(cache.next_position())
        keys = 7 * torch.arange(total, total + length) + 40  # no positions
        kept = cache.append(keys)
        total += length
        held.append(kept.tolist() if isinstance(kept, torch.Tensor) else kept)
    return {
        "the positions where new tokens begin": starts,
        "the keys after each step": str(held),
    }


def words(window, lengths):
    return f"a window of {window}, fed with {', '.join(map(str, lengths))} tokens"


class Cache:
    """Holds the keys of the last `window` tokens, rotated when they came in."""

    def __init__(self, window):
        self.window, self.seen = window, 0
        self.keys = torch.empty(0, dtype=torch.long)

    def next_position(self):
        return self.seen

    def append(self, keys):
        self.seen += len(keys)
        self.keys = torch.cat([self.keys, keys])[-self.window :]
        return self.keys
