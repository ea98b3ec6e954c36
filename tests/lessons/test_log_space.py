"""Exercises of notebook 02: loops are seen, and no demand of the text can be ignored."""

import numpy as np
import pytest
import torch
from references import row

from helpers.lessons import log_space

right_table = log_space.broadcast_table.reference


def by_hand(max_len, d_model):
    return [row(pos, d_model) for pos in range(max_len)]


def with_while(max_len, d_model):
    rows = []
    while len(rows) < max_len:
        rows.append(right_table(max_len, d_model)[len(rows)])
    return torch.stack(rows)


def loop_in_a_helper(max_len, d_model):
    return torch.tensor(by_hand(max_len, d_model))


def call_for_every_row(max_len, d_model):
    if max_len == 1:
        return right_table(1, d_model)
    before = call_for_every_row(max_len - 1, d_model)
    return torch.cat([before, right_table(max_len, d_model)[-1:]])


@pytest.mark.parametrize("answer", [by_hand, with_while, loop_in_a_helper])
def test_a_right_table_out_of_a_loop_is_told_so(answer):
    assert log_space.broadcast_table.judge(answer).mistake == "a loop"


@pytest.mark.parametrize("form", [tuple, list, np.array, torch.tensor])
def test_equal_rows_pass_in_any_form(form):
    def first_equal_rows(table):
        pair = log_space.first_equal_rows.reference(table)
        return pair and form(pair)

    assert log_space.first_equal_rows.judge(first_equal_rows).status == "correct"


def pairs_of(table, equal):
    for q in range(len(table)):
        for p in range(q):
            if equal(table[p], table[q]):
                return p, q
    return None


def interleaved(sines, cosines):
    return torch.stack([sines, cosines], dim=2).flatten(1)


IGNORED = {
    "no call for every row": ("broadcast_table", call_for_every_row),
    "as many rows as columns": (
        "broadcast_table",
        lambda n, d: right_table(n, d) if n != d else right_table(n, d).T,
    ),
    "one position": ("broadcast_table", lambda n, d: right_table(n, d).squeeze(0)),
    "their precision": (
        "interleave",
        lambda s, c: interleaved(s, c).float(),
    ),
    "the cosines that are given": (
        "interleave",
        lambda s, c: interleaved(s, (1 - s**2).sqrt()),
    ),
    "equal to the last bit of a float64": (
        "first_equal_rows",
        lambda t: pairs_of(t.double().float(), torch.equal),
    ),
    "in their order": (
        "first_equal_rows",
        lambda t: pairs_of(t.sort(dim=1).values, torch.equal),
    ),
}


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("demand", IGNORED)
def test_an_answer_that_ignores_one_demand_is_not_accepted(demand):
    name, answer = IGNORED[demand]
    assert getattr(log_space, name).judge(answer).status == "incorrect"
