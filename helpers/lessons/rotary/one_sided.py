import torch

CASES = [
    (torch.arange(-4, 5), 0.25),
    (torch.arange(6) - torch.tensor([[0], [3], [5]]), 1 / 16),
    (torch.tensor([3, -1, 0, -7, 2]), 0.0),
]


def draw(rng):
    """Offsets of one to four axes, in any order and with gaps; slopes from 0 up."""
    keys, queries = rng.choice([1, 2, 5, 30]), rng.choice([1, 3, 4])
    offset = torch.tensor(rng.integers(-40, 41, (queries, 1, 2 * keys)))[..., ::2]
    if rng.integers(2):
        place = torch.arange(keys)
        offset = (place - torch.tensor(rng.integers(keys, size=(queries, 1))))[:, None]
    shapes = offset, offset[0, 0], offset[:, 0], offset[:, None]
    offset = shapes[rng.integers(4)].to(rng.choice([torch.int64, torch.int32]))
    return offset, rng.choice([0.0, 1 / 256, 0.5, 2.0, 30.0])


def one_sided(offset, slope):
    """-slope times the distance behind, minus infinity ahead."""
    ahead = offset > 0
    return (-slope * offset.abs()).masked_fill(ahead, -torch.inf)
