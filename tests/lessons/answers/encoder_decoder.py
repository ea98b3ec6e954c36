"""Answers to the exercises of notebook 06; a docstring says what is told."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from helpers import corners
from helpers.training import batches


def causal_mask__compared(size):
    place = torch.arange(size)
    return place[:, None] >= place


def causal_mask__numbers(size):
    """one change"""
    return torch.ones(size, size).tril()


def attention__pytorchs(query, key, value, mask):
    return nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def decoder_forward__in_place(parts, x, memory, mask):
    x = parts.norms[0](torch.add(x, parts.self_attention(x, x, mask)))
    x += parts.cross_attention(x, memory)
    y = parts.norms[1](x)
    return parts.norms[2](y + parts.feed_forward(y))


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


def find_the_leak__a_little_noise(count, seed):
    """the number of test sequences seen in training"""
    train = walks(count, seed)
    return batches(train), batches(train + 0.02 * walks(count, 5))
