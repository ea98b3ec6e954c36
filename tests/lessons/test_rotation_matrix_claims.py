"""What notebook 03 states, computed again at other settings."""

import math

import numpy as np
import pytest
from defined import cells, definitions
from references import row, shift

from helpers.encoding import positional_encoding, rotation_matrix
from helpers.lessons.rotation_matrix import look_back_weights

NOTEBOOK = definitions("rotation_matrix", constants=["shown", "sentence"])
HEAD = look_back_weights.reference


@cells("quarter-turn", "59db08f5", "notes", "where_the_hand_points")
def test_the_pair_rotated_by_hand():
    for turns, pair in ((0.25, (0.8, -0.6)), (-0.25, (-0.8, 0.6)), (0.5, (-0.6, -0.8))):
        for rounds in (0, 100):
            moved = NOTEBOOK["move"](0.6, 0.8, math.tau * (rounds + turns))
            assert moved == pytest.approx(pair)


@pytest.mark.parametrize(("d_model", "base"), [(6, 1e6), (100, 100.0)])
@cells("e19ca669", "e773a76a", "in-the-laboratory", "ecf7fcc9")
def test_one_matrix_moves_every_row_and_its_transpose_back(d_model, base):
    rows = positional_encoding(260, d_model, base)
    for k in (-90, 1, 130):
        here = np.arange(max(0, -k), 130)
        matrix = rotation_matrix(k, d_model, base)
        assert np.abs(rows[here] @ matrix.T - rows[here + k]).max() <= 1e-12
        assert np.abs(rows[here + k] @ matrix - rows[here]).max() <= 1e-12


@cells("bd8874b5", "ecf7fcc9", "what_one_start_proves")
def test_from_position_0_the_sine_columns_may_hold_anything():
    garbage = np.array(shift(17, 10))
    garbage[:, 0::2] = np.random.default_rng(1).normal(size=(10, 5))
    for pos, arrives in ((0, True), (1, False), (44, False)):
        assert np.allclose(garbage @ row(pos, 10), row(pos + 17, 10)) is arrives


@cells("f8b76094", "ecf7fcc9", "notes", "exam")
def test_which_rows_reveal_the_matrix_at_width_64():
    rng, rows = np.random.default_rng(2), positional_encoding(30_000, 64)
    off, found = {}, {}
    for count in (50, 5000, 10_000, 30_000):
        found[count] = NOTEBOOK["learn_shift"](64, np.arange(count))
        off[count] = np.abs(found[count] - rotation_matrix(3, 64)).max()
        assert (off[count] > 0.1) == (np.linalg.cond(rows[:count]) > 1e15)
    assert min(off[50], off[5000], off[10_000]) > 0.1 and off[30_000] < 1e-5
    missed = np.abs(rows[:20_000] @ found[10_000].T - rows[3:20_003]).max(axis=1)
    assert missed[:10_000].max() < 1e-11
    assert missed[10_000:].max() == pytest.approx(0.15, abs=0.01)
    for reach, few in ((30_000, 100), (10**5, 64)):
        scattered = NOTEBOOK["learn_shift"](64, rng.permutation(reach)[:few])
        assert np.abs(scattered - rotation_matrix(3, 64)).max() < 1e-6


@cells("8768875b", "733952d1", "what_the_first_rows_determine")
def test_the_first_rows_are_enough_at_width_8_only():
    for d_model, rank in ((8, 8), (32, 23), (64, 33), (128, 48)):
        found = NOTEBOOK["learn_shift"](d_model, np.arange(197))
        seen, later, spanned, _ = NOTEBOOK["misses"](found)
        assert float(seen) == 0 and spanned == pytest.approx(rank, abs=2)
        assert (float(later) > 0.1) is (d_model > 8)
        off = np.abs(found - rotation_matrix(3, d_model)).max(axis=1)
        assert off[:4].max() < 1e-3 and (off[-2:].max() > 0.1) == (d_model > 8)


@pytest.mark.parametrize("k", [11, -6])
@cells("6070f046", "e773a76a")
def test_the_head_looks_exactly_k_back(k):
    weights = HEAD(positional_encoding(150, 64), k, 5)
    assert np.diagonal(weights, -k).min() > 0.99


@cells("words-as-they-grow", "notes")
def test_with_larger_words_each_sees_itself():
    words, rng = NOTEBOOK["sentence"].split(), np.random.default_rng(0)
    vectors = {word: rng.normal(size=64) for word in dict.fromkeys(words)}
    spoken = np.array([vectors[word] for word in words])
    heads = [
        HEAD(positional_encoding(10, 64) + size * spoken, 3, 5) for size in (0, 0.2, 1)
    ]
    for weights, seen in zip(heads, ("chased", "the", "across"), strict=True):
        assert words[weights[6].argmax()] == seen and weights[6].max() > 0.95
    assert heads[0][:3, 0].min() > 0.5  # no word is three back
    like = np.equal.outer(words, words)
    assert (heads[2] * like).sum(axis=1).min() > 0.8


@cells("04666a5d", "ecf7fcc9", "notes", "what_words_do")
def test_words_blur_the_head_and_fast_columns_help_somewhat():
    NOTEBOOK.update(positions_64=positional_encoding(900, 64)[800:], head=HEAD)
    weights, fast = NOTEBOOK["on_target"], np.arange(64) < 16
    assert weights(0).min() > 0.99
    tenth = weights(0.1)
    assert 0.7 < tenth.mean() < 0.9 and tenth.min() < 0.05
    assert np.mean(tenth > 0.9) > 0.5 and 0 < np.mean(tenth < 0.1) < 0.15
    means = [weights(size).mean() for size in (0.02, 0.1, 0.3, 1)]
    assert means == sorted(means, reverse=True) and means[-1] < 0.04
    at_fifty = weights(0.1, beta=50)
    assert abs(at_fifty.mean() - tenth.mean()) < 0.08
    assert weights(0.1, beta=1000)[at_fifty < 0.01].max() < 0.01
    assert tenth.mean() + 0.05 < weights(0.1, reads=fast).mean() < 0.98


@cells("04666a5d", "what_words_do")
def test_the_lead_of_the_target_and_what_words_make_of_it():
    lead = 1 - np.cos(10_000.0 ** (-np.arange(32) / 32))
    assert [lead.sum(), lead[:8].sum()] == pytest.approx([1.08, 1.07], abs=0.005)
    words = 0.1 * np.random.default_rng(3).normal(size=(100, 100, 64))
    x = positional_encoding(100, 64) + words
    scores = x @ rotation_matrix(-3, 64).T @ x.swapaxes(1, 2)
    target, other = (np.diagonal(scores, -k, 1, 2) for k in (3, 4))
    assert np.std(target[:, 1:] - other) == pytest.approx(0.8, abs=0.05)


@cells("277b5a63", "rotated-payoff", "e773a76a")
@pytest.mark.parametrize("offset", [-4, 0, 9])
def test_rotated_vectors_are_compared_by_their_offset_alone(offset):
    rows = positional_encoding(1000, 12)
    u, v = np.random.default_rng(5).normal(size=(2, 12))
    rotated, added = [], []
    for p in (9, 60, 990):
        turned = rotation_matrix(p, 12) @ u, rotation_matrix(p - offset, 12) @ v
        rotated.append(np.dot(*turned))
        added.append((u + rows[p]) @ (v + rows[p - offset]))
    assert rotated == pytest.approx([u @ rotation_matrix(-offset, 12) @ v] * 3)
    assert np.ptp(added) > 0.01
