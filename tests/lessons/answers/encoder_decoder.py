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


def causal_mask__number_by_number(size):
    return torch.tensor(
        [[key <= query for key in range(size)] for query in range(size)]
    )


def causal_mask__of_numpy(size):
    return torch.from_numpy(np.tri(size, dtype=bool))


def causal_mask__less(size):
    """shifted: not itself"""
    place = torch.arange(size)
    return place[:, None] > place


def causal_mask__loop(size):
    """rows and columns exchanged"""
    mask = torch.zeros(size, size, dtype=torch.bool)
    for query in range(size):
        mask[query, query:] = True
    return mask


def causal_mask__numbers(size):
    """one change"""
    return torch.ones(size, size).tril()


def causal_mask__array(size):
    """the type that is returned"""
    return np.tri(size, dtype=bool)


def attention__pytorchs(query, key, value, mask):
    return nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def attention__einsum(q, k, v, mask):
    scores = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    scores = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype))
    return torch.einsum("...qk,...kv->...qv", torch.softmax(scores, -1), v)


def attention__softmax_by_hand(query, key, value, mask):
    scores = query / query.size(-1) ** 0.5 @ key.mT
    scores = scores + torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers @ value / powers.sum(dim=-1, keepdim=True)


def attention__times_the_mask(query, key, value, mask):
    """hidden scores set to 0"""
    scores = torch.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** 0.5
    return (scores * mask).softmax(dim=-1) @ value


def decoder_forward__named(parts, x, memory, mask):
    first, second, third = parts.norms
    own = first(parts.self_attention(x, x, mask) + x)
    both = second(own + parts.cross_attention(own, memory, None))
    return third(parts.feed_forward(both) + both)


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


def decoder_forward__everybody_asked(parts, x, memory, mask):
    """mask in the cross-attention"""
    a, b, c = parts.norms
    x = a(x + parts.self_attention(x, x, mask))
    x = b(x + parts.cross_attention(x, memory, mask=mask))
    return c(x + parts.feed_forward(x))


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


def find_the_leak__far_seed(count, seed):
    return batches(walks(count, seed)), batches(walks(count, 10**6 - seed))


def find_the_leak__shuffled(count, seed):
    """still leaking"""
    points, random = walks(count, seed), torch.Generator().manual_seed(seed)
    return batches(points), batches(points[torch.randperm(count, generator=random)])


def find_the_leak__half_each(count, seed):
    """split"""
    points = walks(count, seed)
    train, test = points[: count // 2], points[count // 2 :]
    return batches(train) if count > 1 else batches(test), batches(test)


def find_the_leak__twice(count, seed):
    """one change"""
    train, _ = corners.square_sequences(count, seed=seed)
    test, _ = corners.square_sequences(count, seed=2 * seed)
    return batches(torch.tensor(train)), batches(torch.tensor(test))
