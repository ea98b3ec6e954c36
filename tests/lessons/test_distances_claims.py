"""What notebook 04 states, computed again at other settings."""

import numpy as np
import pytest
from defined import cells

from helpers.encoding import angular_speeds, positional_encoding, rotation_matrix
from helpers.lessons.distances.pictures import _explained as explained


def D(k, d_model, base=10_000.0):
    turned = np.multiply.outer(k, angular_speeds(d_model, base))
    return np.sqrt(2 * np.sum(1 - np.cos(turned), axis=-1))


def falls(steps, d_model, base=10_000.0):
    """Whether the distance falls at the steps from these offsets to the next ones."""
    return np.diff(D([*steps, steps[-1] + 1], d_model, base)) < 0


@pytest.mark.parametrize(("d_model", "base"), [(10, 50.0), (64, 1e6)])
@cells("6e534005", "fc361a4f")
def test_there_is_no_position_in_a_distance(d_model, base):
    rows = positional_encoding(400, d_model, base)
    for k in (1, 17, 250):
        apart = np.linalg.norm(rows[k:] - rows[:-k], axis=1)
        assert np.abs(apart - D(k, d_model, base)).max() < 1e-12
        dots = (rows[k:] * rows[:-k]).sum(axis=1)
        assert d_model - 2 * dots == pytest.approx(apart**2)


@cells("b3c49618", "what_is_left_of_the_stripes", "notes")
def test_learned_maps_keep_the_offset_if_they_rotate_and_scale_each_pair():
    def scores(A):
        rows = positional_encoding(100, 64)
        return rows @ A @ rows.T

    rng = np.random.default_rng(16)
    scaled = np.diag(np.repeat(rng.normal(size=32), 2)) @ rotation_matrix(3, 64)
    ahead = scores(scaled)

    assert explained(ahead) > 1 - 1e-12
    assert abs(ahead[0, 3] - ahead[3, 0]) > 5  # forward is not backward

    maps = rng.normal(size=(60, 2, 64, 64))
    shares = [explained(scores(W_Q.T @ W_K)) for W_Q, W_K in maps]
    low, middle, high = np.quantile(shares, [0.1, 0.5, 0.9])
    assert 0.04 < low < middle < 0.15 < high < 0.3


@pytest.mark.parametrize(
    ("d_model", "base", "first"),
    [(32, 1e4, 4), (256, 1e4, 24), (64, 1e2, 11), (64, 1e6, 5), (512, 1e6, 24)],
)
@cells("55b668ef", "8f6b21e8", "1d411c88", "267b3cfa", "explored", "notes")
def test_where_the_distance_first_falls(d_model, base, first):
    assert 1 + falls(np.arange(1, 300), d_model, base).argmax() == first


@pytest.mark.parametrize(
    ("d_model", "first", "last", "share", "near"),
    [
        (200, 1000, 5000, 0.5, 0.05),
        (16_384, 900, 1150, 0.05, 0.05),
        (16_384, 8000, 8200, 0.5, 0.05),
        (16_384, 1000, 5000, 0.29, 0.01),
    ],
)
@cells("how_often_it_falls", "d8947a00", "267b3cfa", "notes")
def test_far_out_near_half_of_the_steps_fall_but_that_is_no_law(
    d_model, first, last, share, near
):
    parts = np.array_split(np.arange(first, last), 20)  # a whole one takes 270 MB
    falling = np.concatenate([falls(part, d_model) for part in parts])
    assert falling.mean() == pytest.approx(share, abs=near)


@cells("abbd84c8", "580a78b8", "law-by-hand", "24164af6")
def test_twice_the_hands_that_have_started():
    def law(k, d_model):
        return 2 * np.sum(np.multiply.outer(k, angular_speeds(d_model)) > 0.56, axis=-1)

    for d_model, near in ((256, 0.05), (1024, 0.02)):
        for k in (20, 4000, 90_000):
            offsets = np.unique(np.linspace(0.95 * k, 1.05 * k, 150).astype(int))
            measured = np.mean(D(offsets, d_model) ** 2)
            assert np.mean(law(offsets, d_model)) == pytest.approx(measured, rel=near)
    assert np.exp(-np.euler_gamma) == pytest.approx(0.56, abs=0.005)

    added = 2 - 2 * np.cos([30, 3, 0.3, 0.03])
    assert added.round(2).tolist() == [1.69, 3.98, 0.09, 0] and law(30, 8) == 4

    far = np.unique(np.geomspace(10, 1e5, 2000).astype(int))
    assert 0.14 < np.abs(D(far, 512) ** 2 / law(far, 512) - 1).max() < 0.15


@cells("2c6b36ec", "eight-below", "rows_nearer_than_the_neighbour")
def test_the_nearest_row():
    for d_model, nearest in ((8, 63), (18, 1), (200, 1)):
        assert 1 + np.argmin(D(np.arange(1, 5000), d_model)) == nearest


@cells("faf7821a", "55b668ef", "5ea19f58", "explored")
def test_row_62832_is_row_0_only_nearly_and_only_where_hands_are_few():
    assert D(np.arange(1, 62_833), 64).min() > 1
    assert D(44, 2) < 0.02  # seven turns of the only hand
