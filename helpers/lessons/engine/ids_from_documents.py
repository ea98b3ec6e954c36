import torch

CASES = [
    (torch.tensor([[0, 0, 0, 1, 1], [4, 4, 7, 7, 7]]),),
    (torch.tensor([[2, 2, 2, 2]]),),
    (torch.tensor([[5, 1, 1, 9], [0, 0, 0, 3], [1, 2, 3, 4]]),),
    (torch.tensor([[3, 3, 1, 3, 3]]),),  # a number may come again
]


def draw(rng):
    """Documents of any length, numbered in any order; a number may come again."""
    batch, length = (int(n) for n in rng.integers(1, 9, 2))
    chance = rng.choice([0, 0.3, 0.8])
    begins = rng.random((batch, length)) < chance
    numbers = (begins * rng.integers(1, 5, (batch, length))).cumsum(axis=1)
    return (torch.tensor(numbers % 7),)


def words(documents):
    return f"`documents = {documents.tolist()}`"


def ids_from_documents(documents):
    """The position of every token in its own document, (batch, length)."""
    place = torch.arange(documents.shape[1]).expand(documents.shape)
    begins = documents != documents.roll(1, dims=1)
    first = (place * begins).cummax(dim=1).values  # where its document began
    return place - first


def by_number(documents):
    """Counts how often a number has come before, wherever it stood."""
    same = documents[:, :, None] == documents[:, None, :]
    return same.tril().sum(2) - 1


def sorted_lengths(documents):
    """Takes the lengths of the numbers in their order, not in that of the row."""
    lengths = (torch.unique(row, return_counts=True)[1] for row in documents)
    return torch.stack([torch.cat([torch.arange(n) for n in all_]) for all_ in lengths])


def not_whole(answer):
    """The dtype of the ids where it is none that a table can be indexed with."""
    dtype = answer(*CASES[0]).dtype
    return None if dtype in (torch.int64, torch.int32) else str(dtype)
