"""Exercise 6.1: the causal mask."""

import torch

CASES = [
    (1,),
    (2,),
    (4,),
    (7,),
]
DRAWN = 10


def draw(rng):
    return (rng.choice([rng.integers(1, 65), 200]),)


def run(answer, size):
    """The mask and what it is made of, since 1 and 0 look like True and False."""
    mask = answer(size)
    if mask is None or mask is ...:
        return mask
    return {
        "the type that is returned": type(mask).__name__,
        "the dtype of the mask": str(getattr(mask, "dtype", "without a dtype")),
        "the mask": mask,
    }


def causal_mask(size):
    """(size, size), True where query (row) may look at key (column)."""
    return torch.ones(size, size, dtype=torch.bool).tril()
