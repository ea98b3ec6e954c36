"""Answers to the exercises of notebook 06; a docstring says what is told."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from helpers import corners
from helpers.training import batches


def causal_mask__compared(size):
    place = torch.arange(size)
    return place[:, None] >= place


def causal_mask__of_numpy(size):
    return torch.from_numpy(np.tri(size, dtype=bool))


def causal_mask__numbers(size):
    """one change"""
    return torch.ones(size, size).tril()


def causal_mask__array(size):
    """the type that is returned"""
    return np.tri(size, dtype=bool)


def attention__pytorchs(query, key, value, mask):
    return nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def attention__softmax_by_hand(query, key, value, mask):
    scores = query / query.size(-1) ** 0.5 @ key.mT
    scores = scores + torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers @ value / powers.sum(dim=-1, keepdim=True)


def decoder_forward__loop(parts, x, memory, mask):
    steps = [
        lambda x: parts.self_attention(x, x, mask=mask),
        lambda x: parts.cross_attention(x, memory),
        parts.feed_forward,
    ]
    for norm, step in zip(parts.norms, steps, strict=True):
        x = norm(x + step(x))
    return x


def decoder_forward__in_place(parts, x, memory, mask):
    x = parts.norms[0](torch.add(x, parts.self_attention(x, x, mask)))
    x += parts.cross_attention(x, memory)
    y = parts.norms[1](x)
    return parts.norms[2](y + parts.feed_forward(y))


def decoder_forward__pre_norm(parts, x, memory, mask):
    """layer norms before the steps"""
    a, b, c = parts.norms
    y = a(x)
    x = x + parts.self_attention(y, y, mask)
    x = x + parts.cross_attention(b(x), memory)
    return x + parts.feed_forward(c(x))


def decoder_forward__own_mask(parts, x, memory, mask):
    """one change"""
    mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
    x = parts.norms[0](x + parts.self_attention(x, x, mask))
    x = parts.norms[1](x + parts.cross_attention(x, memory))
    return parts.norms[2](x + parts.feed_forward(x))


def walks(count, seed):
    return torch.tensor(corners.square_sequences(count, seed=seed)[0]).float()


def find_the_leak__torchs_loaders(count, seed):
    sets = (TensorDataset(walks(count, s)) for s in (seed, seed + 99))
    return [DataLoader(points, batch_size=7) for points in sets]


def find_the_leak__one_draw(count, seed):
    both = walks(2 * count, seed)
    return batches(both[count:], size=16), batches(both[:count], shuffle=False)


def find_the_leak__shuffled(count, seed):
    """still leaking"""
    points, random = walks(count, seed), torch.Generator().manual_seed(seed)
    return batches(points), batches(points[torch.randperm(count, generator=random)])


def find_the_leak__twice(count, seed):
    """one change"""
    train, _ = corners.square_sequences(count, seed=seed)
    test, _ = corners.square_sequences(count, seed=2 * seed)
    return batches(torch.tensor(train)), batches(torch.tensor(test))
