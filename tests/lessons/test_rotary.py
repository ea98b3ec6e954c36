"""Notebook 07: the parts of its reader."""

import pytest
import torch
from defined import definitions

from helpers import encoding

NOTEBOOK = definitions("rotary", ("A", "B", "FILLERS", "SLOPES", "ONE_SIDED"))


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


def test_the_code_enters_where_the_text_says():
    learned, fixed, plain = map(NOTEBOOK["Reader"], ("learned", "sinusoidal", "none"))
    assert "table" in dict(learned.named_parameters())
    assert "table" not in dict(fixed.named_parameters())
    wanted = encoding.positional_encoding(64, 32)
    assert fixed.table.numpy() == pytest.approx(wanted, abs=1e-6)
    tokens, _ = NOTEBOOK["sequences"](40, 16, torch.Generator().manual_seed(0))
    same = plain(tokens)
    plain.code = "rotary"
    assert torch.allclose(plain(tokens, torch.zeros(8)), same, atol=1e-6)
    assert not torch.allclose(plain(tokens), same, atol=1e-4)
