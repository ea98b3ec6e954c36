import torch

CASES = [
    (torch.tensor([[0, 0, 0, 1, 1], [1, 1, 1, 1, 1]]),),
    (torch.tensor([[0, 1, 1], [0, 0, 1], [1, 1, 1], [0, 0, 0]]),),
    (torch.ones(2, 1, dtype=torch.long),),
]


def draw(rng):
    """Any number of rows, each padded on the left by any number, none and all included."""
    batch, length = (int(n) for n in rng.integers(1, 8, 2))
    pads = torch.tensor(rng.integers(0, length + 1, (batch, 1)))
    mask = torch.arange(length) >= pads
    return (mask.to(rng.choice([torch.int64, torch.bool])),)


def words(mask):
    return f"`mask = {mask.tolist()}`"


def ids_from_mask(mask):
    """The position of every token in its text, (batch, length); 0 for padding."""
    return (mask.long().cumsum(dim=1) - 1).clamp(min=0)


def not_whole(answer):
    """The dtype of the ids where it is none that a table can be indexed with."""
    dtype = answer(*CASES[0]).dtype
    return None if dtype in (torch.int64, torch.int32) else str(dtype)
