"""What notebook 03 states, computed again at other settings."""

import math

import numpy as np
import pandas as pd
import pytest
from defined import cells, definitions

from helpers.encoding import angular_speeds, positional_encoding, rotation_matrix
from helpers.lessons.rotation_matrix import look_back_weights

NOTEBOOK = definitions("rotation_matrix", constants=["shown", "sentence"])
HEAD = NOTEBOOK["head"] = look_back_weights.reference
M_3 = rotation_matrix(3, 64)


def furthest(one, other):
    return np.abs(one - other).max()


@cells("quarter-turn", "59db08f5", "notes", "where_the_hand_points")
def test_the_pair_rotated_by_hand():
    for turns, pair in ((0.25, (0.8, -0.6)), (100.5, (-0.6, -0.8))):
        moved = NOTEBOOK["move"](0.6, 0.8, math.tau * turns)
        assert moved == pytest.approx(pair)


@pytest.mark.parametrize(
    ("d_model", "base"),
    [
        (6, 1e6),
        (100, 100.0),
    ],
)
@cells("e19ca669", "e773a76a", "in-the-laboratory", "ecf7fcc9")
def test_one_matrix_moves_every_row_and_its_transpose_back(d_model, base):
    rows = positional_encoding(260, d_model, base)
    for k in (1, 130):
        matrix = rotation_matrix(k, d_model, base)
        assert furthest(rows[:-k] @ matrix.T, rows[k:]) <= 1e-12
        assert furthest(rows[k:] @ matrix, rows[:-k]) <= 1e-12


@cells("bd8874b5", "ecf7fcc9", "what_one_start_proves")
def test_from_position_0_the_sine_columns_may_hold_anything():
    garbage = rotation_matrix(17, 10)
    garbage[:, 0::2] = np.random.default_rng(1).normal(size=(10, 5))
    rows = positional_encoding(80, 10)
    missed = np.abs(rows[:-17] @ garbage.T - rows[17:]).max(axis=1)

    assert missed[0] < 1e-12
    assert missed[1:].min() > 0.1


@cells("f8b76094", "ecf7fcc9", "notes", "exam")
def test_which_rows_reveal_the_matrix_at_width_64():
    learn = NOTEBOOK["learn_shift"]
    found = learn(64, np.arange(10_000))
    rows = positional_encoding(20_003, 64)
    missed = np.abs(rows[:-3] @ found.T - rows[3:]).max(axis=1)

    assert missed[:10_000].max() < 1e-11
    assert missed[10_000:].max() == pytest.approx(0.15, abs=0.01)
    for reach, few in ((30_000, 100), (10**5, 64)):
        scattered = np.random.default_rng(2).permutation(reach)[:few]
        assert furthest(learn(64, scattered), M_3) < 1e-6


@pytest.mark.parametrize(("d_model", "rank"), [(8, 8), (128, 48)])
@cells("8768875b", "733952d1", "what_the_first_rows_determine")
def test_the_first_rows_are_enough_at_width_8_only(d_model, rank):
    found = NOTEBOOK["learn_shift"](d_model, NOTEBOOK["shown"])
    seen, later, spanned, _ = NOTEBOOK["misses"](found)
    assert float(seen) == 0
    assert spanned == pytest.approx(rank, abs=2)
    assert (float(later) > 0.1) == (d_model > 8)
    assert furthest(found[:4], rotation_matrix(3, d_model)[:4]) < 1e-3  # fast hands


@cells("words-as-they-grow", "notes")
@pytest.mark.parametrize(
    ("size", "seen"),
    [
        (0, "chased"),
        (0.2, "the"),
        (1, "across"),
    ],
)
def test_with_larger_words_each_sees_itself(size, seen):
    words = np.array(NOTEBOOK["sentence"].split())
    vectors = np.random.default_rng(0).normal(size=(10, 64))
    spoken = vectors[pd.factorize(words)[0]]  # the same for the same word
    weights = HEAD(positional_encoding(10, 64) + size * spoken, 3, 5)

    assert words[weights[6].argmax()] == seen
    assert weights[6].max() > 0.95
    if size == 0:  # no word is three back
        assert weights[:3, 0].min() > 0.5
    if size == 1:
        assert np.sum(weights, axis=1, where=words[:, None] == words).min() > 0.8


@cells("04666a5d", "ecf7fcc9", "notes", "what_words_do")
def test_words_blur_the_head_and_fast_columns_help_somewhat():
    NOTEBOOK["positions_64"] = positional_encoding(900, 64)[800:]
    weights = NOTEBOOK["on_target"]
    tenth, sharp = weights(0.1), weights(0.1, beta=50)
    fast = weights(0.1, reads=np.arange(64) < 16)

    assert np.mean(tenth > 0.9) > 0.5
    assert 0 < np.mean(tenth < 0.1) < 0.15
    assert sharp.mean() == pytest.approx(tenth.mean(), abs=0.08)
    assert weights(0.1, beta=1000)[sharp < 0.01].max() < 0.01
    assert tenth.mean() + 0.05 < fast.mean() < 0.98


@cells("04666a5d", "what_words_do")
def test_the_lead_of_the_target_and_what_words_make_of_it():
    # How far the score of a row falls from itself to its neighbour, by pairs.
    lead = 1 - np.cos(angular_speeds(64))
    assert lead.sum() == pytest.approx(1.08, abs=0.005)
    assert lead[:8].sum() == pytest.approx(1.07, abs=0.005)

    words = 0.1 * np.random.default_rng(3).normal(size=(100, 100, 64))
    x = positional_encoding(100, 64) + words
    scores = x @ M_3 @ x.swapaxes(1, 2)
    target, other = (np.diagonal(scores, -k, 1, 2) for k in (3, 4))
    assert np.std(target[:, 1:] - other) == pytest.approx(0.8, abs=0.05)


@cells("277b5a63", "rotated-payoff", "e773a76a")
@pytest.mark.parametrize("offset", [-4, 9])
def test_rotated_vectors_are_compared_by_their_offset_alone(offset):
    u, v = np.random.default_rng(5).normal(size=(2, 12))
    expected = u @ rotation_matrix(-offset, 12) @ v
    for p in (9, 60, 990):
        query = rotation_matrix(p, 12) @ u
        key = rotation_matrix(p - offset, 12) @ v
        assert query @ key == pytest.approx(expected)
