"""Exercise 8.4: a loss that is too good to be true."""

import torch
from torch import nn


def _model(characters, seed):
    """Predicts from the character itself and, a little, from the one before it."""
    generator = torch.Generator().manual_seed(seed)
    own, before = torch.randn(2, characters, characters, generator=generator)
    own.requires_grad_()  # as the weights that are to be trained

    def model(ids):
        scores = own[ids]
        scores[:, 1:] += 0.5 * before[ids[:, :-1]]
        return scores

    return model, own


def _case(characters, batch, length, seed=8):
    generator = torch.Generator().manual_seed(seed)
    windows = torch.randint(0, characters, (batch, length + 1), generator=generator)
    return characters, windows, seed


CASES = [
    _case(5, 2, 3),
    _case(9, 1, 7),
    _case(4, 4, 3),
    _case(3, 6, 1),
]


def draw(rng):
    characters, batch, length, seed = rng.integers(2, 12, size=4).tolist()
    return _case(characters, batch, length, seed)


def run(answer, characters, windows, seed):
    model, weights = _model(characters, seed)
    loss = answer(model, windows)
    if loss is None or loss is ...:
        return loss
    reached = getattr(loss, "requires_grad", False)
    if reached:
        (gradient,) = torch.autograd.grad(loss.sum(), weights, allow_unused=True)
        reached = gradient is not None
    reached = "yes" if reached else "no"
    return {"the loss": loss, "whether the loss's gradient reaches the model": reached}


def words(characters, windows, seed):
    return f"`windows` of shape `{tuple(windows.shape)}`"


def loss_of(model, windows):
    """Mean loss of the next characters; windows: (batch, length + 1)."""
    inputs, targets = windows[:, :-1], windows[:, 1:]
    predicted = model(inputs)  # (batch, length, characters)
    return nn.functional.cross_entropy(predicted.flatten(0, 1), targets.flatten())
