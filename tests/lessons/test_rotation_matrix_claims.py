"""What notebook 03 states, computed again at other settings."""

import math

import mpmath
import numpy as np
import pytest
from references import row, shift

from helpers.encoding import positional_encoding, rotation_matrix

ULP = 2.0**-24


def test_the_pair_rotated_by_hand():
    """“The pair becomes $(0.8,\\ -0.6)$, although you never learned where it was.”

    And in the notes: “Then ask for a quarter *back*, which gives $(-0.8,\\ 0.6)$ after
    all.”
    """
    speed = 0.1
    pos = math.atan2(0.6, 0.8) / speed
    quarter = math.pi / 2 / speed
    for steps, pair in ((quarter, (0.8, -0.6)), (-quarter, (-0.8, 0.6))):
        angle = (pos + steps) * speed
        assert (math.sin(angle), math.cos(angle)) == pytest.approx(pair)


@pytest.mark.parametrize("base", [100.0, 1e6])
@pytest.mark.parametrize("d_model", [6, 20, 100])
def test_one_matrix_moves_every_row_at_any_base(d_model, base):
    """“The matrix depends on $k$ and not on the position”"""
    rows = positional_encoding(260, d_model, base)
    for k in (-90, -7, 1, 23, 130):
        here = np.arange(max(0, -k), 130)
        moved = rows[here] @ rotation_matrix(k, d_model, base).T
        assert np.abs(moved - rows[here + k]).max() <= 1e-12


@pytest.mark.parametrize("d_model", [2, 10, 32])
def test_from_position_0_the_sine_columns_may_hold_anything(d_model):
    """“a check from position 0 sees only half of the matrix”"""
    rng = np.random.default_rng(d_model)
    for k in (-5, 2, 17):
        garbage = np.array(shift(k, d_model))
        garbage[:, 0::2] = rng.normal(size=(d_model, d_model // 2))
        reaches = [
            np.allclose(garbage @ row(pos, d_model), row(pos + k, d_model))
            for pos in (0, 1, 2, 9, 44)
        ]
        assert reaches == [True, False, False, False, False]


@pytest.mark.parametrize(("d_model", "first"), [(16, 3), (64, 40), (128, 7)])
def test_walking_drifts_and_one_jump_does_not(d_model, first):
    """“The error of the walk grows in proportion to the number of steps. The error of the
    jump doesn't grow”"""
    step = rotation_matrix(1, d_model).astype(np.float32)
    start = now = np.array(row(first, d_model), dtype=np.float32)
    for n in range(1, 3001):
        now = step @ now
        if n in (300, 1000, 3000):
            drift = np.abs(now - row(first + n, d_model)).max()
            assert 0.15 <= drift / (n * ULP) <= 2
            jump = rotation_matrix(n, d_model).astype(np.float32) @ start
            assert np.abs(jump - row(first + n, d_model)).max() < 4 * ULP


def learned(d_model, starts, k, base=10_000.0):
    """How far the matrix that least squares finds is from M_k."""
    rows = positional_encoding(starts.max() + k + 1, d_model, base)
    found, *_ = np.linalg.lstsq(rows[starts], rows[starts + k], rcond=1e-13)
    return np.abs(found.T - rotation_matrix(k, d_model, base)).max()


@pytest.mark.parametrize(("k", "seed"), [(1, 1), (5, 2), (20, 3)])
def test_rows_that_reach_far_reveal_the_matrix(k, seed):
    """“while at width 64 the rows must reach over tens of thousands of positions”
    “At width 64, even 10 000 neighbouring rows don't reveal $M_3$. But 30 000 do, and so
    do 100 rows that are spread over 30 000 positions.”"""
    rng = np.random.default_rng(seed)
    first = int(rng.integers(5000))
    assert learned(64, first + np.arange(10_000), k) > 0.1
    assert learned(64, first + np.arange(30_000), k) < 1e-5
    assert learned(64, rng.choice(30_000, 100, replace=False), k) < 1e-5


@pytest.mark.parametrize(("d_model", "base"), [(16, 100_000.0), (32, 10_000.0)])
def test_what_counts_is_how_far_the_rows_reach(d_model, base):
    """“What counts is how far the rows reach, because even the slowest hand must move.”
    “$M_3$ exists at every width, but short sequences may not reveal it.”"""
    spread = np.random.default_rng(d_model).choice(60_000, 2 * d_model, replace=False)
    assert learned(d_model, np.arange(200), 3, base) > 0.01
    assert learned(d_model, spread, 3, base) < 1e-6


@pytest.mark.parametrize("k", [1, 7])
def test_fifty_rows_are_enough_at_width_8_only(k):
    """“Fifty rows were enough to find $M_3$” “50 rows reveal $M_3$ at width 8” “The fast
    blocks are found, and the slow ones are not.”"""
    assert learned(8, np.arange(50), k) < 1e-9
    for d_model in (16, 32, 128):
        rows = positional_encoding(50 + k, d_model)
        found, *_ = np.linalg.lstsq(rows[:50], rows[k:], rcond=1e-13)
        off = np.abs(found.T - rotation_matrix(k, d_model)).max(axis=1)
        assert off[:4].max() < 1e-3 and off[-2:].max() > 0.1


def test_what_the_notes_say_of_spread_rows():
    """“64 rows drawn from 100 000 positions find $M_3$ to $10^{-6}$ or better”"""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        assert learned(64, rng.choice(100_000, 64, replace=False), 3) < 1e-6
    assert 0.5 < learned(64, np.arange(5000), 3) < 1


def test_the_data_determine_the_matrix_and_float64_loses_it():
    """“Rounding errors of the data can grow by this factor in the result.”"""
    d_model, k = 16, 5
    with mpmath.workdps(120):
        speeds = [
            mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / d_model) for i in range(8)
        ]
        rows = [
            [f(pos * speed) for speed in speeds for f in (mpmath.sin, mpmath.cos)]
            for pos in range(50)
        ]
        seen, later = mpmath.matrix(rows[:-k]), mpmath.matrix(rows[k:])
        found = ((seen.T * seen) ** -1 * (seen.T * later)).T
        far = np.array(found.tolist(), dtype=float) - shift(k, d_model)
    assert np.abs(far).max() < 1e-15
    assert learned(d_model, np.arange(45), k) > 0.1


@pytest.mark.parametrize("k", [1, 3, 11, -6])
def test_the_head_looks_exactly_k_back(k):
    """“At $\\beta=5$ at least 99 % of the weight lands on the target, from every position
    that has one.”"""
    rows = positional_encoding(150, 64)
    scores = rows @ rotation_matrix(-k, 64).T @ rows.T
    weights = np.exp(5 * (scores - scores.max(axis=1, keepdims=True)))
    weights /= weights.sum(axis=1, keepdims=True)
    assert np.diagonal(weights, -k).min() > 0.99


def test_a_narrower_table_needs_a_larger_beta():
    """“A narrower table has smaller gaps between its scores and needs a larger
    $\\beta$.”"""
    gaps, least = [], []
    for d_model in (8, 16, 32, 64, 128, 512):
        rows = positional_encoding(100, d_model)
        scores = np.sort(rows @ rows.T, axis=1)
        gaps.append((scores[:, -1] - scores[:, -2]).min())
        weights = np.exp(5 * (rows @ rows.T - d_model / 2))
        least.append((np.diagonal(weights) / weights.sum(axis=1)).min())
    assert gaps == sorted(gaps)
    assert least == sorted(least)
    assert least[0] < 0.5


def on_target(size, rng, beta=5.0, columns=64, free=0, k=3):
    """Attention weights on the position k back, words of a given size added."""
    words = size * rng.normal(size=(100, 64))
    words[:, :free] = 0
    x = (positional_encoding(100, 64) + words)[:, :columns]
    scores = beta * x @ rotation_matrix(-k, 64)[:columns, :columns].T @ x.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.diagonal(weights / weights.sum(axis=1, keepdims=True), -k)


@pytest.mark.parametrize(("seed", "k"), [(1, 2), (2, 8), (3, 20)])
def test_words_blur_the_head_and_room_of_its_own_keeps_it_sharp(seed, k):
    """“**A larger β hardly helps here.**”, “(Smaller words rarely do that, so at size 0.05
    a larger β still helps.)”, “At size 0.1 it is still 0.81 on average, but 0 at some
    positions. At size 1, where `nn.Embedding` starts, almost nothing is left.”,
    “**Fewer columns help somewhat.**”, “**Columns without words help fully.**”, “It stays
    large at most positions and is almost 0 at some.”,
    “The weight falls as the words grow.”"""

    def weights(size, **head):
        rng = np.random.default_rng(seed)
        return np.array([on_target(size, rng, k=k, **head) for _ in range(20)])

    tenth = weights(0.1)
    assert 0.7 < tenth.mean() < 0.9 and tenth.min() < 0.05
    means = [weights(size).mean() for size in (0.02, 0.05, 0.1, 0.3, 1)]
    assert means == sorted(means, reverse=True) and means[-1] < 0.04
    assert weights(0.05, beta=50).mean() > 0.98 > 0.97 > weights(0.05).mean()
    assert abs(weights(0.1, beta=50).mean() - tenth.mean()) < 0.08
    assert tenth.mean() + 0.05 < weights(0.1, columns=16).mean() < 0.98
    assert weights(1, columns=16, free=16).min() > 0.98


@pytest.mark.parametrize(("theta", "n"), [(1.0, 500), (0.3, 1000), (2.2, 300)])
def test_what_a_sine_alone_leaves_open(theta, n):
    """“From the sine alone a share of about $\\sin^2(k\\theta)$ remains unexplained.”"""
    angles = np.arange(n) * theta
    sine = np.sin(angles)
    for k in range(1, 6):
        later = np.sin(angles + k * theta)
        missed = later - sine * (sine @ later) / (sine @ sine)
        share = missed @ missed / (later @ later)
        assert share == pytest.approx(np.sin(k * theta) ** 2, abs=0.02)


@pytest.mark.parametrize(("size", "d_model"), [(16, 30), (100, 128)])
def test_rotated_blocks_are_the_table(size, d_model):
    """“Errors don't add up from block to block”"""
    rows = positional_encoding(4000, d_model)
    last = (4000 // size - 1) * size
    for k in (size, last):
        block = rows[:size] @ rotation_matrix(k, d_model).T
        assert np.abs(block - rows[k : k + size]).max() < 1e-11
