import torch

CASES = [
    (torch.arange(24.0).reshape(8, 3), 2),
    (torch.arange(12.0)[:, None], 1),
    (torch.arange(36.0).reshape(18, 2), 3),
]


def draw(rng):
    """Any number of heads and pairs; rows that can be told apart."""
    heads, pairs, width = (int(rng.choice([1, 2, 3, 5, 8])) for _ in range(3))
    weight = torch.tensor(rng.normal(size=(heads * 2 * pairs, width)).round(3))
    return weight.to(rng.choice([torch.float32, torch.float64])), heads


def to_halves(weight, heads):
    """The rows of (heads * d_head, d_model), head by head: even rows, then odd ones."""
    heads_of_pairs = weight.unflatten(0, (heads, -1, 2))  # head, pair, which of the two
    return heads_of_pairs.transpose(1, 2).flatten(0, 2)
