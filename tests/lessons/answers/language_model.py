"""Answers to the exercises of notebook 08; a docstring says what is told."""

import math

import numpy as np
import torch
from torch import nn


def inputs_and_targets__rolled(text, begin, n):
    places = (begin.unsqueeze(1) + torch.arange(n)).flatten()
    return [shifted[places].reshape(-1, n) for shifted in (text, text.roll(-1))]


def bits__math(chances):
    return sum(-math.log(float(p), 2) for p in chances) / len(chances)


def mean_weight_by_offset__counting(weights):
    batch, n, _ = weights.shape
    sums, counts = np.zeros(n), np.zeros(n)
    for pos in range(n):
        for j in range(pos + 1):
            sums[pos - j] += float(weights[:, pos, j].sum())
            counts[pos - j] += batch
    return torch.tensor(sums / counts)


def without_head__mask(seen, head):
    kept = torch.ones(seen.shape[1], dtype=seen.dtype)
    kept[head] = 0
    return seen * kept[:, None, None]


def ntk_base__equation(b, times, width):
    if width < 4:
        raise ValueError
    slowest = b ** (2 / width - 1) / times
    return slowest ** (1 / (2 / width - 1))


def loss_of__place_by_place(network, text):
    scores, later = network(text[:, :-1]).unbind(1), text[:, 1:].unbind(1)
    return torch.stack(list(map(nn.functional.cross_entropy, scores, later))).mean()


def loss_of__no_gradient(model, windows):
    """gradient"""
    with torch.no_grad():
        scores = model(windows[:, :-1])
    return nn.functional.cross_entropy(scores.flatten(0, 1), windows[:, 1:].flatten())
