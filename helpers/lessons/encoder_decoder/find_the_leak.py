"""Exercise 6.4: a test set that is not held out. A few fresh walks are nearly alike."""

import torch
from torch import nn

from helpers import corners
from helpers.training import batches

CASES = [(64, 1), (40, 7), (48, 0)]
DRAWN = 6


def draw(rng):
    return rng.choice([1, 2, 17, 100]), rng.integers(10_000)


def run(answer, count, seed):
    if not isinstance(pair := answer(count, seed), (tuple, list)):
        return pair
    seen = {"what is returned": ", ".join(type(part).__name__ for part in pair)}
    if seen["what is returned"] != "DataLoader, DataLoader":
        return seen
    train, test = map(_walks, pair)
    sets = {"the training set": train, "the test set": test}
    for name, walks in sets.items():
        seen[f"the shape of {name}"] = str(tuple(walks.shape))
        near = bool(((walks.abs() - 1).abs() < 0.7).all())  # noise is 0.1
        seen[f"whether {name} goes from corner to corner"] = near
    if train.shape[1:] != test.shape[1:]:
        return seen
    others = dict(zip(sets, map(_walks, answer(count, seed + 50)), strict=True))
    again = [name for name in sets if _shared(sets[name], others[name])]
    seen["the number of test sequences seen in training"] = _shared(test, train)
    seen["what is the same again for another `seed`"] = " and ".join(again) or "nothing"
    return seen


def _walks(loader):
    return torch.cat([r if torch.is_tensor(r) else r[0] for r in loader]).double()


def _shared(some, others):
    turned = [others * torch.tensor([a, b]) for a in (1, -1) for b in (1, -1)]
    pair = some, torch.cat(turned + [one.flip(-1) for one in turned])
    noise = [nn.functional.normalize((w - w.sign() + 1e-6).flatten(1)) for w in pair]
    same = torch.cdist(*(walks.sign().flatten(1) for walks in pair)) == 0
    alike = (noise[0] @ noise[1].T * same).amax(dim=1)  # cosines; chance gives a few
    return int((alike > (0.85 if alike.median() > 0.85 else 0.999)).sum())


def find_the_leak(count, seed):
    points, _ = corners.square_sequences(count, seed=seed)
    test_points, _ = corners.square_sequences(count, seed=seed + 1)

    train = torch.tensor(points, dtype=torch.float32)
    train_loader = batches(train, size=16, shuffle=True)

    test = torch.tensor(test_points, dtype=torch.float32)
    test_loader = batches(test, size=16, shuffle=False)
    return train_loader, test_loader
