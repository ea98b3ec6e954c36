"""Notebook 07: the questions that its readers are asked."""

import pytest
import torch
from defined import definitions

NOTEBOOK = definitions("rotary", ("A", "B", "FILLERS"))


@pytest.mark.parametrize(
    ("task", "truth"),
    [("sequences", lambda a, b: a < b), ("neighbours", lambda a, b: b == a + 1)],
)
def test_the_questions_are_what_they_say(task, truth):
    tokens, answer = NOTEBOOK[task](1000, 12, torch.Generator().manual_seed(0))
    for row, yes in zip(tokens.tolist(), answer.tolist(), strict=True):
        assert row.count(0) == row.count(1) == 1
        assert yes == truth(row.index(0), row.index(1))
    assert 0.4 < answer.float().mean() < 0.6
