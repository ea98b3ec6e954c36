"""What notebook 04 states, computed again at other settings."""

import numpy as np
import pytest
from defined import cells

from helpers.encoding import angular_speeds, positional_encoding, rotation_matrix
from helpers.lessons.distances.pictures import _explained as explained


def D(k, d_model, base=10_000.0):
    turned = np.multiply.outer(k, angular_speeds(d_model, base))
    return np.sqrt(2 * np.sum(1 - np.cos(turned), axis=-1))


def falling(offsets, d_model):
    """The share of steps between neighbouring offsets at which the distance falls."""
    return np.mean(np.diff(D(offsets, d_model)) < 0)


def first_fall(d_model, base=10_000):
    return 1 + int(np.argmax(np.diff(D(np.arange(1, 200), d_model, base)) < 0))


@pytest.mark.parametrize(("d_model", "base"), [(10, 50.0), (64, 1e6)])
@cells("6e534005", "fc361a4f")
def test_there_is_no_position_in_a_distance(d_model, base):
    rows = positional_encoding(400, d_model, base)
    for k in (1, 17, 250):
        apart = np.linalg.norm(rows[k:] - rows[:-k], axis=1)
        assert np.abs(apart - D(k, d_model, base)).max() < 1e-12
        dots = (rows[k:] * rows[:-k]).sum(axis=1)
        assert d_model - 2 * dots == pytest.approx(apart**2)


def scores(A, n=100):
    rows = positional_encoding(n, 64)
    return rows @ A @ rows.T


@cells("b3c49618", "what_is_left_of_the_stripes", "notes")
def test_learned_maps_keep_the_offset_if_they_rotate_and_scale_each_pair():
    rng = np.random.default_rng(16)
    pairwise = np.zeros((64, 64))
    for start in range(0, 64, 2):
        a, b = rng.normal(size=2)
        pairwise[start : start + 2, start : start + 2] = [[a, b], [-b, a]]
    assert explained(scores(pairwise)) > 1 - 1e-12
    drawn = [W_q.T @ W_k for W_q, W_k in rng.normal(size=(60, 2, 64, 64))]
    shares = [explained(scores(A)) for A in drawn]
    assert 0.05 < np.median(shares) < 0.15 and max(shares) < 0.6
    ahead = scores(rotation_matrix(3, 64))  # forward is not backward
    assert abs(ahead[0, 3] - ahead[3, 0]) > 5
    assert ahead[0, 3] != pytest.approx(ahead[3, 0])


@cells("55b668ef", "8f6b21e8", "explored", "notes")
def test_where_the_distance_first_falls():
    assert [first_fall(d) for d in (8, 16, 64, 128, 512)] == [3, 3, 5, 11, 43]
    assert [first_fall(32), first_fall(256)] == [4, 24]
    first = [first_fall(d) for d in range(2, 900, 14)]
    assert first == sorted(first) and first[0] < first[-1]
    assert 1 + np.argmax(np.diff(D(np.arange(1, 400), 4096)) < 0) < 400
    assert [first_fall(*setting) for setting in ((64, 1e6), (512, 1e6))] == [5, 24]
    assert first_fall(64, 1e2) == 11 and D(2000, 64, 1e2) < 1.1 * D(60, 64, 1e2)


@pytest.mark.parametrize("d_model", [24, 64, 200])
@cells("how_often_it_falls", "d8947a00", "267b3cfa")
def test_far_out_near_half_of_the_steps_fall(d_model):
    assert 0.45 <= falling(np.arange(1000, 5001), d_model) <= 0.53


@cells("d8947a00", "notes")
def test_half_is_no_law():
    windows = [np.arange(start, start + 251) for start in (900, 3900, 9000)]
    near, middle, far = (falling(offsets, 16_384) for offsets in windows)
    assert near < 0.15 < middle < 0.45 < far < 0.55
    assert falling(windows[0], 30_000) < 0.02 < 0.4 < falling(windows[0], 500)


def law(k, d_model):
    return 2 * np.sum(np.multiply.outer(k, angular_speeds(d_model)) > 0.56, axis=-1)


@pytest.mark.parametrize(("d_model", "near"), [(256, 0.05), (1024, 0.02)])
@pytest.mark.parametrize("k", [20, 4000, 90_000])
@cells("abbd84c8")
def test_twice_the_hands_that_have_started(d_model, near, k):
    offsets = np.unique(np.linspace(0.95 * k, 1.05 * k, 150).astype(int))
    both = law(offsets, d_model), D(offsets, d_model) ** 2
    assert np.mean(both[0]) == pytest.approx(np.mean(both[1]), rel=near)


@cells("abbd84c8", "law-by-hand", "24164af6")
def test_the_law_at_single_offsets():
    added = 2 - 2 * np.cos([30, 3, 0.3, 0.03])
    assert added.round(2).tolist() == [1.69, 3.98, 0.09, 0]
    assert law(30, 8) == 4 and round(D(30, 8) ** 2, 2) == 5.76
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
    around = np.arange(62_732, 62_933)
    assert D(62_832, 8) < 0.2 and D(around, 8).min() > 0.1
    assert D(62_832, 512) > np.sqrt(512) > D(1, 512)
    assert D(np.arange(1, 62_833), 64).min() > 1
    clocks = 2 * np.pi * np.arange(141)[:, None] / [4, 5, 7]
    back = np.isclose(np.cos(clocks), 1).all(axis=1)
    assert np.flatnonzero(back).tolist() == [0, 140]
