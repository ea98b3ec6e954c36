"""Attention as arcs over a sentence: what is drawn for a word, a k, a head."""

import numpy as np
import pytest
import torch
from drawing import drawn

from helpers.draw.arcs import look_back, reading_heads
from helpers.encoding import positional_encoding

WORDS = ["the", "cat", "that", "chased", "the", "dog", "slept"]


def head_that_looks_back():
    return look_back(WORDS)


def weights_of(arcs):
    """What the arcs of a chart say, in order of size."""
    marks = (mark for mark in arcs if {"centre", "weight"} <= mark.keys())
    return sorted(mark["weight"] for mark in marks)


@pytest.mark.parametrize(
    ("query", "back", "sharp"), [(4, 2, 5), (6, 3, 0.2), (1, -2, 1)]
)
def test_the_arcs_are_the_weights_of_the_head(query, back, sharp):
    table = positional_encoding(40, 64)
    scores = sharp * table[20 : 20 + len(WORDS)] @ table[20 + query - back]
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    arcs = drawn(head_that_looks_back, query=query, back=back, sharp=sharp)
    expected = sorted(weights[weights >= 0.005])
    assert weights_of(arcs) == pytest.approx(expected, abs=2e-3)


def test_a_trained_heads_weights_are_drawn_as_they_are():
    weights = np.tril(np.arange(1.0, 26).reshape(5, 5))
    heads = {"first": weights / weights.sum(1, keepdims=True), "second": np.eye(5)}
    tensors = {name: torch.tensor(head) for name, head in heads.items()}
    chart = reading_heads(list("a bcd"), tensors)
    for head, query in (("first", 1), ("first", 4), ("second", 4)):
        wanted = sorted(heads[head][query][heads[head][query] > 0])
        arcs = drawn(chart, query=query, head=head)
        assert weights_of(arcs) == pytest.approx(wanted, abs=1e-3)
