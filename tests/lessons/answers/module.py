"""Answers to the exercises of notebook 05; a docstring says what is told."""

from collections import OrderedDict

import torch
from torch import nn

from helpers import sinusoidal_table


def forward__sentence_by_sentence(table, x, dropout):
    return dropout(torch.stack([sentence + table[: len(sentence)] for sentence in x]))


def forward__dropout_by_hand(table, x, dropout):
    summed = torch.clone(x)
    summed += table[torch.arange(x.size(1))]
    return nn.functional.dropout(summed, dropout.p, training=dropout.training)


def forward__in_place(table, x, dropout):
    """changes its input"""
    x += table[: x.shape[1]]
    return dropout(x)


def forward__detached(table, x, dropout):
    """one change"""
    return dropout(x.detach().clone() + table[: x.shape[1]])


def dropout_scale__tensor(p):
    return torch.tensor(1.0, dtype=torch.float64) / (1 - p)


def resize_checkpoint__ordered(state, max_len):
    new = OrderedDict(state)
    new["table"] = sinusoidal_table(max_len, state["table"].size(1))
    return new


def resize_checkpoint__first_entry(state, max_len):
    """shape"""
    first = next(iter(state.values()))
    return {**state, "table": sinusoidal_table(max_len, first.shape[-1])}


class Module(nn.Module):
    """What the patients below have in common."""

    def __init__(self, d_model, max_len):
        super().__init__()
        self.keep(sinusoidal_table(max_len, d_model))

    def keep(self, table):
        self.register_buffer("table", table, persistent=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class clinic_a__own_name(Module):
    def keep(self, table):
        self.register_buffer("pe", table)

    def forward(self, x):
        return x + self.pe[: x.shape[1]]


class clinic_b__batch_of_one(Module):
    def keep(self, table):
        self.register_buffer("table", table[None])

    def forward(self, x):
        return self.table[:, : x.size(1)] + x


class clinic_b__moved_by_hand(Module):
    """plain attribute"""

    def keep(self, table):
        self.table = table

    def to(self, *where):
        self.table = self.table.to(*where)
        return self


class clinic_b__moved_with_the_rest(Module):
    def keep(self, table):
        self.table = table

    def _apply(self, move):
        self.table = move(self.table)
        return super()._apply(move)


class clinic_c__looked_up(Module):
    def forward(self, x):
        positions = torch.arange(x.shape[1], device=x.device)
        return x + nn.functional.embedding(positions, self.table)


class clinic_d__on_a_copy(Module):
    def forward(self, x):
        x = x.clone()
        x += self.table[: x.shape[1]]
        return x
