"""What notebook 04 states, computed again at other settings."""

import numpy as np
import pytest
from defined import cells

from helpers.encoding import angular_speeds, positional_encoding, rotation_matrix
from helpers.lessons.distances.pictures import _explained as explained


def D(k, d_model, base=10_000.0):
    turned = np.multiply.outer(k, angular_speeds(d_model, base))
    return np.sqrt(2 * np.sum(1 - np.cos(turned), axis=-1))


def falling(first, last, d_model):
    """The share of steps from offset ``first`` to ``last`` at which the distance falls."""
    return np.mean(np.diff(D(np.arange(first, last + 1), d_model)) < 0)


def first_fall(d_model, base=10_000):
    return 1 + int(np.argmax(np.diff(D(np.arange(1, 300), d_model, base)) < 0))


@cells("6e534005", "fc361a4f")
def test_there_is_no_position_in_a_distance():
    for d_model, base in ((10, 50.0), (64, 1e6)):
        rows = positional_encoding(400, d_model, base)
        for k in (1, 17, 250):
            apart = np.linalg.norm(rows[k:] - rows[:-k], axis=1)
            assert np.abs(apart - D(k, d_model, base)).max() < 1e-12
            dots = (rows[k:] * rows[:-k]).sum(axis=1)
            assert d_model - 2 * dots == pytest.approx(apart**2)


def scores(A):
    rows = positional_encoding(100, 64)
    return rows @ A @ rows.T


@cells("b3c49618", "what_is_left_of_the_stripes", "notes")
def test_learned_maps_keep_the_offset_if_they_rotate_and_scale_each_pair():
    rng = np.random.default_rng(16)
    a, b = np.repeat(rng.normal(size=(2, 32)), 2, axis=1)
    even = np.arange(64) % 2 == 0
    turned = np.diag((b * even)[:-1], 1) - np.diag((b * even)[:-1], -1)
    assert explained(scores(np.diag(a) + turned)) > 1 - 1e-12
    drawn = (W_Q.T @ W_K for W_Q, W_K in rng.normal(size=(60, 2, 64, 64)))
    shares = [explained(scores(A)) for A in drawn]
    assert 0.05 < np.median(shares) < 0.15 and max(shares) < 0.6
    ahead = scores(rotation_matrix(3, 64))  # forward is not backward
    assert abs(ahead[0, 3] - ahead[3, 0]) > 5


@cells("55b668ef", "8f6b21e8", "1d411c88", "267b3cfa", "explored", "notes")
def test_where_the_distance_first_falls():
    widths = 8, 16, 32, 64, 128, 256, 512, 4096
    assert list(map(first_fall, widths)) == [3, 3, 4, 5, 11, 24, 43, 244]
    first = [first_fall(d) for d in range(2, 900, 14)]
    assert first == sorted(first)
    assert (first_fall(64, 1e6), first_fall(512, 1e6), first_fall(64, 1e2)) == (
        5,
        24,
        11,
    )
    assert D(2000, 64, 1e2) < 1.1 * D(60, 64, 1e2)


@cells("how_often_it_falls", "d8947a00", "267b3cfa", "notes")
def test_far_out_near_half_of_the_steps_fall_but_that_is_no_law():
    for d_model in (24, 64, 200):
        assert 0.45 <= falling(1000, 5000, d_model) <= 0.53
    shares = [falling(n, n + 250, 16_384) for n in (900, 3900, 9000)]
    assert shares[0] < 0.15 < shares[1] < 0.45 < shares[2] < 0.55
    assert falling(900, 1150, 30_000) < 0.02
    assert falling(1000, 5000, 16_384) == pytest.approx(0.29, abs=0.005)


def law(k, d_model):
    return 2 * np.sum(np.multiply.outer(k, angular_speeds(d_model)) > 0.56, axis=-1)


@cells("abbd84c8", "580a78b8", "law-by-hand", "24164af6")
def test_twice_the_hands_that_have_started():
    for d_model, near in ((256, 0.05), (1024, 0.02)):
        for k in (20, 4000, 90_000):
            offsets = np.unique(np.linspace(0.95 * k, 1.05 * k, 150).astype(int))
            measured = np.mean(D(offsets, d_model) ** 2)
            assert np.mean(law(offsets, d_model)) == pytest.approx(measured, rel=near)
    assert np.exp(-np.euler_gamma) == pytest.approx(0.56, abs=0.005)
    added = 2 - 2 * np.cos([30, 3, 0.3, 0.03])
    assert added.round(2).tolist() == [1.69, 3.98, 0.09, 0] and law(30, 8) == 4
    assert [round(D(k, 512) ** 2) for k in (10, 100, 1000)] == [164, 288, 422]
    far = np.unique(np.geomspace(10, 1e5, 20_000).astype(int))
    assert 0.14 < np.abs(D(far, 512) ** 2 / law(far, 512) - 1).max() < 0.15


@cells("2c6b36ec", "eight-below", "rows_nearer_than_the_neighbour")
def test_the_nearest_row():
    assert np.sum(D(np.arange(2, 701), 8) < D(1, 8)) == 8
    for d_model, nearest in ((8, 63), (16, 1), (64, 1), (200, 1), (512, 1)):
        assert 1 + np.argmin(D(np.arange(1, 5000), d_model)) == nearest


@cells("faf7821a", "55b668ef", "5ea19f58")
def test_row_62832_is_row_0_only_nearly_and_only_where_hands_are_few():
    assert D(62_832, 8) == pytest.approx(0.15, abs=0.005)
    assert D(62_832, 512) > np.sqrt(512) > D(1, 512)
    assert D(np.arange(1, 62_833), 64).min() > 1
    clocks = 2 * np.pi * np.arange(1, 141)[:, None] / [4, 5, 7]
    assert 1 + np.argmax(np.isclose(np.cos(clocks), 1).all(axis=1)) == 140
