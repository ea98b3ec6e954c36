"""Answers to the exercises of notebook 10; a docstring says what is told."""

import math

import torch


def apply_rotary__rotate_half(q, k, cos, sin, position_ids):
    cos = torch.cat([cos, cos], -1)[position_ids].unsqueeze(1)
    sin = torch.cat([sin, sin], -1)[position_ids].unsqueeze(1)

    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), -1)

    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def apply_rotary__complex(q, k, cos, sin, position_ids):
    turn = torch.complex(cos, sin)[position_ids][:, None]
    turned = [torch.complex(*x.chunk(2, -1)) * turn for x in (q, k)]
    return tuple(torch.cat([x.real, x.imag], -1) for x in turned)


def apply_rotary__in_place(q, k, cos, sin, position_ids):
    """keep their values"""
    c, s = cos[position_ids][:, None], sin[position_ids][:, None]
    for x in (q, k):
        a, b = (half.clone() for half in x.chunk(2, -1))
        x[:] = torch.cat([a * c - b * s, b * c + a * s], -1)
    return q, k


def to_halves__by_head(weight, heads):
    parts = [torch.cat([rows[0::2], rows[1::2]]) for rows in weight.chunk(heads)]
    return torch.cat(parts)


def to_halves__view(weight, heads):
    rows, width = weight.shape
    split = weight.view(heads, rows // heads // 2, 2, width)
    return split.transpose(1, 2).reshape(rows, width)


class next_position__positions_kept:
    def __init__(self, window):
        self.size, self.kept, self.end = window, [], 0

    def next_position(self):
        return self.end

    def append(self, keys):
        self.end += keys.numel()
        self.kept = (self.kept + keys.tolist())[-self.size :]
        return torch.tensor(self.kept, dtype=torch.long)


def ids_from_mask__argmax(mask):
    mask = mask.bool()
    begin = mask.long().argmax(dim=1, keepdim=True)
    return torch.where(mask, torch.arange(mask.shape[1]) - begin, 0)


def ids_from_mask__ones(mask):
    """line 4"""
    ids = mask.long().cumsum(-1) - 1
    return ids.masked_fill(mask == 0, 1)


def ids_from_documents__loop(documents):
    ids = torch.zeros_like(documents)
    for row, numbers in zip(ids, documents, strict=True):
        for n in range(1, len(numbers)):
            row[n] = row[n - 1] + 1 if numbers[n] == numbers[n - 1] else 0
    return ids


def by_parts__wavelengths(speeds, length, factor, low, high):
    waves = 2 * math.pi / speeds
    smooth = (length / waves - low) / (high - low)
    between = (1 - smooth) * speeds / factor + smooth * speeds
    slow = torch.where(waves > length / low, speeds / factor, between)
    return torch.where(waves < length / high, speeds, slow)
