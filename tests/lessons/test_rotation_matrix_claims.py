"""What notebook 03 states, computed again at other settings."""

import math

import numpy as np
import pytest
from defined import cells, definitions
from references import row, shift

from helpers.encoding import positional_encoding, rotation_matrix
from helpers.lessons.rotation_matrix import look_back_weights

NOTEBOOK = definitions("rotation_matrix", constants=["fifty", "sentence"])
HEAD = look_back_weights.reference


@cells("quarter-turn", "59db08f5", "notes")
def test_the_pair_rotated_by_hand():
    for angle, pair in ((math.pi / 2, (0.8, -0.6)), (-math.pi / 2, (-0.8, 0.6))):
        assert NOTEBOOK["move"](0.6, 0.8, angle) == pytest.approx(pair)
    round_later = NOTEBOOK["move"](0.6, 0.8, 2 * math.pi * 100 + math.pi / 2)
    assert round_later == pytest.approx((0.8, -0.6))


@pytest.mark.parametrize(("d_model", "base"), [(6, 1e6), (100, 100.0)])
@cells("e19ca669", "e773a76a")
def test_one_matrix_moves_every_row_at_any_base(d_model, base):
    rows = positional_encoding(260, d_model, base)
    for k in (-90, 1, 130):
        here = np.arange(max(0, -k), 130)
        moved = rows[here] @ rotation_matrix(k, d_model, base).T
        assert np.abs(moved - rows[here + k]).max() <= 1e-12


@cells("bd8874b5", "ecf7fcc9")
def test_from_position_0_the_sine_columns_may_hold_anything():
    garbage = np.array(shift(17, 10))
    garbage[:, 0::2] = np.random.default_rng(1).normal(size=(10, 5))
    reaches = [np.allclose(garbage @ row(p, 10), row(p + 17, 10)) for p in (0, 1, 44)]
    assert reaches == [True, False, False]


@cells("ecf7fcc9")
def test_the_transpose_moves_back():
    rows = positional_encoding(60, 10)
    assert np.allclose(rows[20:] @ rotation_matrix(7, 10), rows[13:-7])


def learned(d_model, starts, k):
    """How far the matrix that least squares finds is from M_k."""
    found = NOTEBOOK["learn_shift"](d_model, np.asarray(starts), k)
    return np.abs(found - rotation_matrix(k, d_model))


@cells("f8b76094", "ecf7fcc9", "notes", "exam")
def test_which_rows_reveal_the_matrix_at_width_64():
    rng, rows = np.random.default_rng(2), positional_encoding(30_000, 64)
    for count in (50, 200, 500, 5000, 10_000):
        assert learned(64, range(count), 5).max() > 0.1
        assert np.linalg.cond(rows[:count]) > 1e15
    assert learned(64, range(30_000), 5).max() < 1e-5 and np.linalg.cond(rows) < 1e15
    for reach, count in ((30_000, 100), (100_000, 64)):
        assert learned(64, rng.choice(reach, count, replace=False), 3).max() < 1e-6


@cells("8768875b", "733952d1")
def test_fifty_rows_are_enough_at_width_8_only():
    assert np.linalg.matrix_rank(positional_encoding(50, 8)) == 8
    assert learned(8, range(50), 7).max() < 1e-9
    for d_model in (16, 32, 128):
        off = learned(d_model, range(50), 7).max(axis=1)
        assert off[:4].max() < 1e-3 and off[-2:].max() > 0.1
        rows = positional_encoding(50, d_model)
        missing = 1 - np.diag(np.linalg.pinv(rows, rcond=1e-13) @ rows)
        assert np.abs(missing[:8]).max() < 1e-6 and missing[-4:].min() > 0.4
    for d_model, share in ((32, 0.6), (64, 1 / 3), (128, 0.2)):
        found = NOTEBOOK["learn_shift"](d_model, np.arange(47))
        seen, later, spanned, _ = NOTEBOOK["misses"](found)
        assert float(seen) == 0 and float(later) > 0.1
        assert spanned / d_model == pytest.approx(share, abs=0.1)


@pytest.mark.parametrize("k", [11, -6])
@cells("6070f046", "e773a76a")
def test_the_head_looks_exactly_k_back(k):
    weights = HEAD(positional_encoding(150, 64), k, 5)
    assert np.diagonal(weights, -k).min() > 0.99


@cells("02d82dc0")
def test_where_no_word_is_two_back_the_first_gets_most():
    weights = HEAD(positional_encoding(10, 64), 2, 5)
    assert weights[:2, 0].min() > 0.5


@cells("words-as-they-grow")
def test_with_larger_words_each_sees_itself():
    words, rng = NOTEBOOK["sentence"].split(), np.random.default_rng(0)
    vectors = {word: rng.normal(size=64) for word in dict.fromkeys(words)}
    spoken = np.array([vectors[word] for word in words])
    table, across = positional_encoding(len(words), 64), words.index("across")
    for size, place in ((0, across - 3), (0.2, across - 2), (1, across)):
        assert HEAD(table + size * spoken, 3, 5)[across, place] > 0.95
    weights = HEAD(table + spoken, 3, 5)
    like = np.equal.outer(words, words)
    assert (weights * like).sum(axis=1).min() > 0.8


@cells("04666a5d", "ecf7fcc9", "notes", "what_words_do")
def test_words_blur_the_head_and_room_of_its_own_keeps_it_sharp():
    NOTEBOOK.update(positions_64=positional_encoding(900, 64)[800:], head=HEAD)
    weights, fast = NOTEBOOK["on_target"], np.arange(64) < 16
    assert weights(0).min() > 0.99
    tenth = weights(0.1)
    assert 0.7 < tenth.mean() < 0.9 and tenth.min() < 0.05
    assert np.mean(tenth > 0.9) > 0.5 and 0 < np.mean(tenth < 0.1) < 0.15
    means = [weights(size).mean() for size in (0.02, 0.05, 0.1, 0.3, 1)]
    assert means == sorted(means, reverse=True) and means[-1] < 0.04
    assert abs(weights(0.1, beta=50).mean() - tenth.mean()) < 0.08
    at_a_thousand = weights(0.1, beta=1000)
    assert np.all(at_a_thousand[weights(0.1, beta=50) < 0.01] < 0.01)
    assert tenth.mean() + 0.05 < weights(0.1, reads=fast).mean() < 0.98
    assert weights(1, reads=fast, writes=~fast).min() > 0.98
    assert weights(1, writes=~fast).mean() < 0.1


@cells("04666a5d", "what_words_do")
def test_the_lead_of_the_target_and_what_words_make_of_it():
    rows, rng = positional_encoding(100, 64), np.random.default_rng(3)
    lead = 1 - np.cos(10_000.0 ** (-np.arange(32) / 32))
    assert lead.sum() == pytest.approx(1.1, abs=0.05)
    assert lead[:8].sum() > 0.95 * lead.sum()
    changed = []
    for _ in range(100):
        x = rows + 0.1 * rng.normal(size=rows.shape)
        scores = x @ rotation_matrix(-3, 64).T @ x.T
        changed.append(np.diagonal(scores, -3)[1:] - np.diagonal(scores, -4))
    assert np.std(changed) == pytest.approx(0.8, abs=0.05)


@cells("277b5a63", "rotated-payoff", "e773a76a")
def test_rotated_vectors_are_compared_by_their_offset_alone():
    rng = np.random.default_rng(5)
    u, v = rng.normal(size=(2, 12))
    rows = positional_encoding(1000, 12)
    for offset in (-4, 0, 9):
        places = [(pos, pos - offset) for pos in (9, 60, 990)]
        rotated = [
            (rotation_matrix(p, 12) @ u) @ (rotation_matrix(j, 12) @ v)
            for p, j in places
        ]
        assert np.ptp(rotated) < 1e-11
        assert rotated[0] == pytest.approx(u @ rotation_matrix(-offset, 12) @ v)
        assert np.ptp([(u + rows[p]) @ (v + rows[j]) for p, j in places]) > 0.01
