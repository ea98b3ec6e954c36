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


def expected(query, back, sharp, d_model=64):
    """Softmax of the scores of one query, from the table itself."""
    table = positional_encoding(40, d_model)
    asked = table[20 + query - back]
    scores = sharp * table[20 : 20 + len(WORDS)] @ asked
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


@pytest.mark.parametrize(
    ("query", "back", "sharp"), [(4, 2, 5), (6, 3, 0.2), (1, -2, 1)]
)
def test_the_arcs_are_the_weights_of_the_head(query, back, sharp):
    marks = drawn(head_that_looks_back, query=query, back=back, sharp=sharp)
    weights = expected(query, back, sharp)
    arcs = [m["weight"] for m in marks if {"centre", "weight"} <= m.keys()]
    others = np.delete(weights, query)
    shown = others[others >= 0.005]
    assert sorted(arcs) == pytest.approx(sorted(shown), abs=2e-3)


def test_a_trained_heads_weights_are_drawn_as_they_are():
    weights = np.tril(np.arange(1.0, 26).reshape(5, 5))
    weights /= weights.sum(axis=1, keepdims=True)
    heads = {"first": weights, "second": np.eye(5)}
    tensors = {name: torch.tensor(head) for name, head in heads.items()}
    chart = reading_heads(list("a bcd"), tensors)
    for head, query in (("first", 1), ("first", 4), ("second", 4)):
        marks = drawn(chart, query=query, head=head)
        arcs = [m["weight"] for m in marks if {"centre", "weight"} <= m.keys()]
        wanted = np.delete(heads[head][query], query)
        assert sorted(arcs) == pytest.approx(sorted(wanted[wanted > 0]), abs=1e-3)


def test_an_arrow_head_points_at_each_word_that_is_looked_at():
    marks = drawn(head_that_looks_back, query=4, back=2, sharp=0.2)
    below = {m["word"]: m["x"] for m in marks if {"word", "x", "y"} <= m.keys()}
    heads = {m["x"] for m in marks if m.keys() == {"x", "top"}}
    assert below["that"] in heads and below["the"] not in heads
