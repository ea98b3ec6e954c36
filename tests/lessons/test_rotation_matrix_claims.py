"""What notebook 03 states, computed again at other settings."""

import math

import numpy as np
import pytest
from defined import definitions
from references import row, shift

from helpers.encoding import positional_encoding, rotation_matrix

NOTEBOOK = definitions("rotation_matrix")
ULP = 2.0**-24


def test_the_pair_rotated_by_hand():
    """“The pair becomes $(0.8,\\ -0.6)$, although you never learned where it was.” And in
    the notes: “Then ask for a quarter *back*, which gives $(-0.8,\\ 0.6)$ after all.”"""
    for angle, pair in ((math.pi / 2, (0.8, -0.6)), (-math.pi / 2, (-0.8, 0.6))):
        assert NOTEBOOK["move"](0.6, 0.8, angle) == pytest.approx(pair)


@pytest.mark.parametrize(("d_model", "base"), [(6, 1e6), (100, 100.0)])
def test_one_matrix_moves_every_row_at_any_base(d_model, base):
    """“The matrix depends on $k$ and not on the position”"""
    rows = positional_encoding(260, d_model, base)
    for k in (-90, 1, 130):
        here = np.arange(max(0, -k), 130)
        moved = rows[here] @ rotation_matrix(k, d_model, base).T
        assert np.abs(moved - rows[here + k]).max() <= 1e-12


def test_from_position_0_the_sine_columns_may_hold_anything():
    """“a check from position 0 sees only half of the matrix”"""
    garbage = np.array(shift(17, 10))
    garbage[:, 0::2] = np.random.default_rng(1).normal(size=(10, 5))
    reaches = [np.allclose(garbage @ row(p, 10), row(p + 17, 10)) for p in (0, 1, 44)]
    assert reaches == [True, False, False]


@pytest.mark.parametrize(("d_model", "first"), [(16, 3), (128, 7)])
def test_walking_drifts_and_one_jump_does_not(d_model, first):
    """“the error of the walk grows in proportion to the number of steps, because every step
    repeats the rounding of $M_1$. The error of the jump doesn't grow”"""
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


def test_which_rows_reveal_the_matrix_at_width_64():
    """“The first 10 000 rows don't reveal $M_3$ at width 64. The first 30 000 do, and so do
    100 rows drawn at random from them.” “The two sets that succeed are spread over 30 000
    positions. The two that fail stay within the first 10 000, and their condition numbers
    are above $10^{15}$.” “50 rows of width 64 didn't reveal it.” “100 rows drawn at random
    from 30 000 positions do” Elsewhere: “64 rows drawn from 100 000 positions find $M_3$
    to $10^{-6}$ or better” “The first few hundred rows do not reveal”"""
    rng, rows = np.random.default_rng(2), positional_encoding(30_000, 64)
    for count in (50, 200, 500, 10_000):
        assert learned(64, range(count), 5).max() > 0.1
        assert np.linalg.cond(rows[:count]) > 1e15
    assert learned(64, range(30_000), 5).max() < 1e-5 and np.linalg.cond(rows) < 1e15
    for reach, count in ((30_000, 100), (100_000, 64)):
        assert learned(64, rng.choice(reach, count, replace=False), 3).max() < 1e-6


def test_fifty_rows_are_enough_at_width_8_only():
    """“fifty rows were enough to find $M_3$” “50 rows reveal $M_3$ at width 8” “the one of
    width 64 fails further on. In the picture, its fast blocks are found, and the slow ones
    are not. The last table gives the reason. At width 8 the rows span every direction. At
    width 64 they don't” “The missing directions belong to the slow hands”"""
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


def test_the_condition_number_bounds_how_far_weights_move():
    """“In the worst case, a relative error of the right-hand sides grows by this factor in
    the weights. For our two rows it is about 400.”"""
    ours = np.array([[1, 1], [1, 1.01]])
    assert np.linalg.cond(ours) == pytest.approx(400, abs=5)
    right, error = np.linalg.svd(ours)[0].T
    grown = np.linalg.norm(np.linalg.solve(ours, error))
    grown /= np.linalg.norm(np.linalg.solve(ours, right))
    assert grown == pytest.approx(np.linalg.cond(ours))


@pytest.mark.parametrize("k", [11, -6])
def test_the_head_looks_exactly_k_back(k):
    """“At $\\beta=5$ at least 99 % of the weight lands on the target, from every position
    that has one.”"""
    rows = positional_encoding(150, 64)
    weights = NOTEBOOK["softmax"](5 * rows @ rotation_matrix(-k, 64).T @ rows.T)
    assert np.diagonal(weights, -k).min() > 0.99


def test_a_narrower_table_needs_a_larger_beta():
    """“In a narrower table the target leads by less, and the same weight needs a larger
    $\\beta$.”"""
    gaps, least = [], []
    for d_model in (8, 16, 64, 512):
        rows = positional_encoding(100, d_model)
        scores = np.sort(rows @ rows.T, axis=1)
        gaps.append((scores[:, -1] - scores[:, -2]).min())
        least.append(np.diagonal(NOTEBOOK["softmax"](5 * rows @ rows.T)).min())
    assert gaps == sorted(gaps) and least == sorted(least) and least[0] < 0.5


def test_words_blur_the_head_and_room_of_its_own_keeps_it_sharp():
    """“**A larger β hardly helps at size 0.1.**”, “(Smaller words rarely do that, so at
    size 0.05 a larger β still helps.)”, “At size 0.1 it is still 0.81 on average, but
    almost 0 at some positions. At size 1, with which `nn.Embedding` initialises its rows,
    almost nothing is left.”, “**The 16 fastest columns alone help somewhat.**”, “**Fast
    columns without words cure it, if a head reads only those.**”, “It stays large at most
    positions and is almost 0 at some.”, “falls as the words grow.”"""
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
def test_what_a_sine_alone_leaves_open(theta, n):
    """“If the hand goes round several times, the sine alone leaves a share of about
    $\\sin^2(k\\theta)$ unexplained”"""
    angles = np.arange(n) * theta
    for k in range(1, 6):
        later = np.sin(angles + k * theta)
        share = NOTEBOOK["unexplained"](np.sin(angles)[:, None], later)
        assert share == pytest.approx(np.sin(k * theta) ** 2, abs=0.02)


def test_rotated_blocks_are_the_table():
    """“Errors don't add up from one block of rows to the next”"""
    made = NOTEBOOK["build_by_rotating"](4000, 30, 16)
    assert np.abs(made - positional_encoding(4000, 30)).max() < 1e-11
