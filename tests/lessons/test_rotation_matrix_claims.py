"""What notebook 03 states, computed again at other settings."""

import math

import numpy as np
import pytest
from defined import cells, definitions
from references import row, shift

from helpers.encoding import positional_encoding, rotation_matrix

NOTEBOOK = definitions("rotation_matrix")
ULP = 2.0**-24


@cells("59db08f5", "notes")
def test_the_pair_rotated_by_hand():
    for angle, pair in ((math.pi / 2, (0.8, -0.6)), (-math.pi / 2, (-0.8, 0.6))):
        assert NOTEBOOK["move"](0.6, 0.8, angle) == pytest.approx(pair)


@pytest.mark.parametrize(("d_model", "base"), [(6, 1e6), (100, 100.0)])
@cells("e19ca669")
def test_one_matrix_moves_every_row_at_any_base(d_model, base):
    rows = positional_encoding(260, d_model, base)
    for k in (-90, 1, 130):
        here = np.arange(max(0, -k), 130)
        moved = rows[here] @ rotation_matrix(k, d_model, base).T
        assert np.abs(moved - rows[here + k]).max() <= 1e-12


@cells("bd8874b5")
def test_from_position_0_the_sine_columns_may_hold_anything():
    garbage = np.array(shift(17, 10))
    garbage[:, 0::2] = np.random.default_rng(1).normal(size=(10, 5))
    reaches = [np.allclose(garbage @ row(p, 10), row(p + 17, 10)) for p in (0, 1, 44)]
    assert reaches == [True, False, False]


@pytest.mark.parametrize(("d_model", "first"), [(16, 3), (128, 7)])
@cells("ffaa8c62")
def test_walking_drifts_and_one_jump_does_not(d_model, first):
    step = rotation_matrix(1, d_model).astype(np.float32)
    start = now = np.array(row(first, d_model), dtype=np.float32)
    for n in range(1, 3001):
        now = step @ now
        if n in (300, 3000):
            drift = np.abs(now - row(first + n, d_model)).max()
            assert 0.15 <= drift / (n * ULP) <= 2
            repeated = np.linalg.matrix_power(step.astype(float), n) @ start
            assert np.abs(now - repeated).max() < drift / 2
            jump = rotation_matrix(n, d_model).astype(np.float32) @ start
            assert np.abs(jump - row(first + n, d_model)).max() < 4 * ULP


def learned(d_model, starts, k):
    """How far the matrix that least squares finds is from M_k."""
    found = NOTEBOOK["learn_shift"](d_model, np.asarray(starts), k)
    return np.abs(found - rotation_matrix(k, d_model))


@cells("f8b76094", "e773a76a", "notes", "exam")
def test_which_rows_reveal_the_matrix_at_width_64():
    rng, rows = np.random.default_rng(2), positional_encoding(30_000, 64)
    for count in (50, 200, 500, 10_000):
        assert learned(64, range(count), 5).max() > 0.1
        assert np.linalg.cond(rows[:count]) > 1e15
    assert learned(64, range(30_000), 5).max() < 1e-5 and np.linalg.cond(rows) < 1e15
    for reach, count in ((30_000, 100), (100_000, 64)):
        assert learned(64, rng.choice(reach, count, replace=False), 3).max() < 1e-6


@cells("8768875b", "e773a76a", "733952d1")
def test_fifty_rows_are_enough_at_width_8_only():
    assert np.linalg.matrix_rank(positional_encoding(50, 8)) == 8
    assert learned(8, range(50), 7).max() < 1e-9
    for d_model in (16, 32, 128):
        off = learned(d_model, range(50), 7).max(axis=1)
        assert off[:4].max() < 1e-3 and off[-2:].max() > 0.1
        rows = positional_encoding(50, d_model)
        missing = 1 - np.diag(np.linalg.pinv(rows, rcond=1e-13) @ rows)
        assert np.abs(missing[:8]).max() < 1e-6 and missing[-4:].min() > 0.4
        found = NOTEBOOK["learn_shift"](d_model, np.arange(47))
        assert NOTEBOOK["fits"](found) == [True, False]


@cells("condition-number")
def test_the_condition_number_bounds_how_far_weights_move():
    ours = np.array([[1, 1], [1, 1.01]])
    assert np.linalg.cond(ours) == pytest.approx(400, abs=5)
    right, error = np.linalg.svd(ours)[0].T
    grown = np.linalg.norm(np.linalg.solve(ours, error))
    grown /= np.linalg.norm(np.linalg.solve(ours, right))
    assert grown == pytest.approx(np.linalg.cond(ours))


@pytest.mark.parametrize("k", [11, -6])
@cells("6070f046")
def test_the_head_looks_exactly_k_back(k):
    rows = positional_encoding(150, 64)
    weights = NOTEBOOK["softmax"](5 * rows @ rotation_matrix(-k, 64).T @ rows.T)
    assert np.diagonal(weights, -k).min() > 0.99


@cells("6070f046")
def test_a_narrower_table_needs_a_larger_beta():
    gaps, least = [], []
    for d_model in (8, 16, 64, 512):
        rows = positional_encoding(100, d_model)
        scores = np.sort(rows @ rows.T, axis=1)
        gaps.append((scores[:, -1] - scores[:, -2]).min())
        least.append(np.diagonal(NOTEBOOK["softmax"](5 * rows @ rows.T)).min())
    assert gaps == sorted(gaps) and least == sorted(least) and least[0] < 0.5


@cells("04666a5d", "what_words_do")
def test_words_blur_the_head_and_room_of_its_own_keeps_it_sharp():
    NOTEBOOK["positions_64"] = positional_encoding(900, 64)[800:]
    weights = NOTEBOOK["on_target_with_words"]
    tenth = weights(0.1)
    assert 0.7 < tenth.mean() < 0.9 and tenth.min() < 0.05
    means = [weights(size).mean() for size in (0.02, 0.05, 0.1, 0.3, 1)]
    assert means == sorted(means, reverse=True) and means[-1] < 0.04
    assert weights(0.05, beta=50).mean() > 0.98 > 0.97 > weights(0.05).mean()
    assert abs(weights(0.1, beta=50).mean() - tenth.mean()) < 0.08
    assert tenth.mean() + 0.05 < weights(0.1, columns=16).mean() < 0.98
    assert weights(1, columns=16, free=16).min() > 0.98
    assert weights(1, free=16).mean() < 0.1


@pytest.mark.parametrize(("theta", "n"), [(0.3, 1000), (2.2, 300)])
@cells("f1b17de5")
def test_what_a_sine_alone_leaves_open(theta, n):
    angles = np.arange(n) * theta
    for k in range(1, 6):
        later = np.sin(angles + k * theta)
        share = NOTEBOOK["unexplained"](np.sin(angles)[:, None], later)
        assert share == pytest.approx(np.sin(k * theta) ** 2, abs=0.02)


@cells("44c03687")
def test_rotated_blocks_are_the_table():
    made = NOTEBOOK["build_by_rotating"](4000, 30, 16)
    assert np.abs(made - positional_encoding(4000, 30)).max() < 1e-11
