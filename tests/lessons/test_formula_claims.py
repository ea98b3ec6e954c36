"""What notebook 01 states, computed again at other settings."""

import math

import numpy as np
import pytest
from defined import cells, definitions

from helpers.encoding import angular_speeds, encode_with_periods, positional_encoding

NOTEBOOK = definitions("formula", ["to_query", "to_key", "to_value"])


def distances_from_0(offsets, speeds):
    """How far the rows at some offsets are from row 0, for hands of these speeds."""
    turned = np.outer(offsets, speeds)
    return np.sqrt(2 * (1 - np.cos(turned)).sum(axis=1))


@cells("order-lost", "fc9e83dc")
def test_positions_or_a_mask_show_the_order_to_attention():
    attend, x = (
        NOTEBOOK["self_attention"],
        np.random.default_rng(7).normal(size=(12, 8)),
    )
    places, mask = positional_encoding(12, 8), np.tri(12, dtype=bool)
    for added, allowed, sees in (
        (0, True, False),
        (places, True, True),
        (0, mask, True),
    ):
        apart = attend(x[::-1] + added, allowed) - attend(x + added, allowed)[::-1]
        assert np.abs(apart).max() > 0.1 if sees else np.allclose(apart, 0)


@pytest.mark.parametrize(
    ("code", "fails"),
    [
        (lambda n: encode_with_periods(n, [3, 10, 4]), ["unique"]),
        (lambda n: np.arange(n)[:, None] >> np.arange(9) & 1, ["same step"]),
        (lambda n: positional_encoding(n, 10, 300), []),
    ],
)
@cells("2fb26336", "f42dc91c", "a19dcfe5", "996396fe", "21144086", "the-hands")
def test_each_code_fails_one_requirement(code, fails):
    met = NOTEBOOK["requirements"](code)
    assert [name for name, is_met in met.items() if not is_met] == fails


@cells("20c63a4a", "notes")
@pytest.mark.parametrize("periods", [[4, 5, 7], [4, 5, 6, 7], [9, 2]])
def test_hands_of_whole_periods_return_together(periods):
    table = encode_with_periods(900, periods)
    again = np.flatnonzero(np.isclose(table, table[0]).all(axis=1))
    assert again.tolist() == [*range(0, 900, math.lcm(*periods))]


@cells("frozen_hands", "950bdd28", "ace6f3d7", "notes")
def test_fast_hands_tell_neighbours_apart_and_slow_ones_regions():
    speeds, offsets = angular_speeds(8), np.arange(1, 1001)
    all_hands, fast, slow = (
        distances_from_0(offsets, speeds[hands])
        for hands in (slice(4), slice(2), slice(2, 4))
    )
    assert all_hands.min() > 0.6 > 0.01 > fast.min() == fast[377 - 1]
    assert slow.argmin() == 0


@cells("wider_table", "in-pairs")
def test_a_wider_table_keeps_its_first_pair_only():
    table, wider = positional_encoding(50, 8), positional_encoding(50, 64)
    same = np.isclose(table, wider[:, :8]).all(axis=0)
    assert same.tolist() == [True, True] + [False] * 6


@cells("501381e4", "slowest_columns", "calm-columns", "notes")
def test_wavelengths_stop_before_ten_thousand_times_the_shortest():
    for width, pair, wave in (
        (4096, -1, 62_548),
        (512, -1, 60_611),
        (128, 19, 97),  # a whole wave within 100 positions
        (128, 20, 112),
    ):
        assert math.tau / angular_speeds(width)[pair] == pytest.approx(wave, rel=5e-3)


@cells("2fb26336", "no-wrap-around", "four-sentences")
def test_no_row_comes_back_when_the_slowest_hand_does():
    """Rows are compared with row 0; by the fourth requirement that is enough."""
    for width in (4, 8, 64):
        speeds = angular_speeds(width)
        slowest = math.tau / speeds[-1]
        apart = distances_from_0(np.arange(1, math.ceil(slowest) + 9), speeds)
        assert apart.min() > 1e-4 and apart[round(slowest) - 1] > 0.03


@cells("other_base", "f42dc91c", "notes")
def test_with_a_larger_base_neighbours_are_closer_and_the_level_comes_later():
    offsets = [1, 50, *range(10**7, 10**7 + 500)]
    near, fifty, *far = np.transpose(
        [
            distances_from_0(offsets, angular_speeds(64, base)) / 8
            for base in (50, 10_000, 10**6)
        ]
    )
    assert np.mean(far, axis=0) == pytest.approx(1, rel=0.05)
    assert (np.diff([near, fifty]) < 0).all()
    assert near[0] > 1.1 * near[1]
    assert fifty[0] > 0.9


@cells("ff640cd8", "add_or_concatenate", "notes")
@pytest.mark.parametrize(("width", "size"), [(64, 1), (512, 2), (512, 10)])
def test_the_nearest_word_is_right_and_its_rest_is_the_position(width, size):
    rng, places = np.random.default_rng(1), positional_encoding(100, width)
    words, told = size * rng.normal(size=(1000, width)), rng.integers(1000, size=100)
    for word, added in zip(told, words[told] + places, strict=True):
        assert np.linalg.norm(words - added, axis=1).argmin() == word
    if size == 10:  # the nearest position is mostly another
        near = [
            np.linalg.norm(places - row, axis=1).argmin()
            for row in words[told] + places
        ]
        assert np.mean(near == np.arange(100)) < 0.2
