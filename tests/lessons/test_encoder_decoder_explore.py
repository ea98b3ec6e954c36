"""Notebook 06: its explorables, read back and by their texts."""

import numpy as np
import pytest
from drawing import drawn

from helpers.lessons.encoder_decoder import explore


def some_maps(step):
    """Two heads; decoder and cross maps have ``step`` queries."""
    given, inputs = ["point 0", "point 1"], ["point 1", "point 2"][:step]
    draw = np.random.default_rng(step)
    return {
        "encoder self-attention": (draw.dirichlet([1, 1], (2, 2)), given, given),
        "decoder self-attention": (
            draw.dirichlet([1] * step, (2, step)),
            inputs,
            inputs,
        ),
        "cross-attention": (draw.dirichlet([1, 1], (2, step)), inputs, given),
    }


def two_steps():
    return explore.attention_maps([some_maps(1), some_maps(2)])


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("head", [0, 1])
def test_the_buttons_choose_the_map_and_the_query_its_arrows(step, head):
    for name, (weights, queries, keys) in some_maps(step).items():
        chosen = {"map": name, "head": str(head), "step": str(step)}
        asked = {"query": queries[0], **chosen}
        marks = drawn(two_steps, **{f"shown_{k}": v for k, v in asked.items()})
        cells = [m for m in marks if {"query", "key", "weight"} == m.keys()]
        found = {
            (cell["query"], cell["key"]): cell["weight"]
            for cell in cells
            if not cell["key"].startswith("looked")  # as an axis says it
        }
        expected = {
            (query, key): round(float(weights[head, q, k]), 2)
            for q, query in enumerate(queries)
            for k, key in enumerate(keys)
        }
        assert found == pytest.approx(expected)
        written = [m["weight"] for m in marks if m.keys() == {"x", "y", "weight"}]
        assert written == pytest.approx([expected[queries[0], key] for key in keys])
