"""Notebook 07: the references against plain loops, and the parts of its reader."""

import numpy as np
import pytest
import torch
from defined import definitions
from hypothesis import given
from hypothesis import strategies as st
from references import adjacent, halves, rows, turned_by_hand

from helpers import encoding
from helpers.lessons import rotary


@given(
    st.integers(1, 16),
    st.lists(st.integers(-300, 5000), min_size=1, max_size=6),
    st.integers(0, 99),
)
def test_rotate_is_the_loop_and_the_matrix(pairs, positions, seed):
    x = rows(len(positions), 2 * pairs, seed)
    rotated = rotary.rotate.reference(x, np.array(positions))
    assert rotated == pytest.approx(turned_by_hand(x, positions, adjacent), abs=1e-9)
    whole = [
        encoding.rotation_matrix(pos, 2 * pairs) @ row
        for pos, row in zip(positions, x, strict=True)
    ]
    assert rotated == pytest.approx(np.array(whole), abs=1e-9)


@pytest.mark.parametrize("d_model", [4, 8, 64])
def test_both_layouts_agree_after_permuting_columns(d_model):
    x, positions = rows(9, d_model), np.arange(5, 14)
    order = np.r_[0:d_model:2, 1:d_model:2]
    apart = rotary.spot_the_layout_bug.reference(x[:, order], positions)
    assert apart == pytest.approx(turned_by_hand(x[:, order], positions, halves))
    assert apart == pytest.approx(rotary.rotate.reference(x, positions)[:, order])


@pytest.mark.parametrize("seed", range(3))
def test_offset_spread_is_the_double_loop(seed):
    scores = np.random.default_rng(seed).normal(size=(7, 7))
    found = {}
    for p in range(7):
        for j in range(7):
            found.setdefault(j - p, []).append(scores[p, j])
    wanted = max(max(same) - min(same) for same in found.values())
    assert rotary.offset_spread.reference(scores) == pytest.approx(wanted)


@given(st.integers(1, 32), st.floats(2, 1e6))
def test_half_turns_are_where_the_sine_changes_its_sign(pairs, base):
    half = rotary.half_turns.reference(2 * pairs, base)
    speeds = encoding.angular_speeds(2 * pairs, base)
    assert (np.sin(0.999 * half * speeds) > 0).all()
    assert (np.sin(1.001 * half * speeds) < 0).all()


@pytest.fixture(scope="module")
def names():
    return definitions("rotary", ("A", "B", "FILLERS", "ahead"))


@pytest.mark.parametrize(
    ("task", "truth"),
    [("sequences", lambda a, b: a < b), ("neighbours", lambda a, b: b == a + 1)],
)
def test_the_questions_are_what_they_say(names, task, truth):
    tokens, answer = names[task](1000, 12, torch.Generator().manual_seed(0))
    for row, yes in zip(tokens.tolist(), answer.tolist(), strict=True):
        assert row.count(0) == row.count(1) == 1
        assert yes == truth(row.index(0), row.index(1))
    assert 0.4 < answer.float().mean() < 0.6


def test_the_code_enters_where_the_text_says(names):
    learned, fixed, plain = map(names["Reader"], ("learned", "sinusoidal", "none"))
    assert "table" in dict(learned.named_parameters())
    assert "table" not in dict(fixed.named_parameters())
    wanted = encoding.positional_encoding(64, 32)
    assert fixed.table.numpy() == pytest.approx(wanted, abs=1e-6)
    tokens, _ = names["sequences"](40, 16, torch.Generator().manual_seed(0))
    same = plain(tokens)
    plain.code = "rotary"
    assert torch.allclose(plain(tokens, torch.zeros(8)), same, atol=1e-6)
    assert not torch.allclose(plain(tokens), same, atol=1e-4)


def test_readers_rotate_by_the_matrix(names):
    x, positions = rows(5, 16), np.array([0, 3, 9, 40, 63])
    speeds = torch.tensor(encoding.angular_speeds(16))
    made = names["turn"](torch.tensor(x), torch.tensor(positions), speeds)
    assert made.numpy() == pytest.approx(rotary.rotate.reference(x, positions))


def test_answers_are_counted_by_their_offset(names):
    def reader(tokens):  # an oracle of the order
        a, b = ((tokens == letter).int().argmax(1) for letter in (0, 1))
        return torch.where((b - a > 0), 1.0, -1.0)

    offsets = np.array([-63, -20, -1, 1, 20, 63])
    assert names["first_said"](reader, offsets).tolist() == [0, 0, 0, 1, 1, 1]
