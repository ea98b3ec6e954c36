"""Attention as arcs over a sentence: what is drawn for a word, a k, a head."""

import numpy as np
import pytest
import torch
from drawing import drawn, values

from helpers.draw.arcs import look_back, reading_heads
from helpers.encoding import positional_encoding

WORDS = ["the", "cat", "that", "chased", "the", "dog", "slept"]


def head_that_looks_back():
    return look_back(WORDS)


def weights_of(arcs):
    """What the arcs of a chart say, in order of size."""
    return sorted(values(arcs, "weight", "centre"))


@pytest.mark.parametrize(
    ("query", "back", "sharp"), [(4, 2, 5), (6, 3, 0.2), (1, -2, 1)]
)
def test_the_arcs_are_the_weights_of_the_head(query, back, sharp):
    table = positional_encoding(40, 64)
    scores = sharp * table[20 : 20 + len(WORDS)] @ table[20 + query - back]
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    arcs = drawn(head_that_looks_back, query=query, back=back, sharp=sharp)
    others = np.delete(weights, query)  # no arc leads to the word that asks
    expected = np.sort(others[others >= 0.005])
    assert weights_of(arcs) == pytest.approx(expected, abs=2e-3)


def test_a_trained_heads_weights_are_drawn_as_they_are():
    weights = np.tril(np.arange(1.0, 26).reshape(5, 5))
    heads = {"first": weights / weights.sum(1, keepdims=True), "second": np.eye(5)}
    tensors = {name: torch.tensor(head) for name, head in heads.items()}
    chart = reading_heads(list("a bcd"), tensors)
    for head, query in (("first", 1), ("first", 4), ("second", 4)):
        others = np.delete(heads[head][query], query)
        arcs = drawn(chart, query=query, head=head)
        assert weights_of(arcs) == pytest.approx(sorted(others[others > 0]), abs=1e-3)


def test_an_arrow_head_points_at_each_word_that_is_looked_at():
    marks = drawn(head_that_looks_back, query=4, back=2, sharp=0.2)
    below = {m["word"]: m["x"] for m in marks if {"word", "x", "y"} <= m.keys()}
    heads = {m["x"] for m in marks if m.keys() == {"x", "top"}}
    assert below["that"] in heads and below["the"] not in heads
