"""What notebook 01 states, computed again at other settings."""

import math

import numpy as np
import pytest
from defined import cells, definitions

from helpers.encoding import angular_speeds, encode_with_periods, positional_encoding

NOTEBOOK = definitions("formula")


@cells("order-lost", "fc9e83dc")
def test_attention_is_permutation_equivariant():
    rng = np.random.default_rng(7)
    for name in ("to_query", "to_key", "to_value"):
        NOTEBOOK[name] = rng.normal(size=(8, 8))
    attend, order = NOTEBOOK["self_attention"], rng.permutation(12)
    x, places = rng.normal(size=(12, 8)), positional_encoding(12, 8)
    assert np.allclose(attend(x[order]), attend(x)[order])
    placed = attend(x[order] + places) - attend(x + places)[order]
    assert np.abs(placed).max() > 0.1


@pytest.mark.parametrize(
    ("code", "fails"),
    [
        (lambda n: np.arange(n)[:, None] + 0.5, ["bounded"]),
        (lambda n: np.arange(n)[:, None] / n, ["any length"]),
        (lambda n: encode_with_periods(n, [3, 10, 4]), ["unique"]),
        (lambda n: np.arange(n)[:, None] >> np.arange(9) & 1, ["same step"]),
        (NOTEBOOK["waves"], ["same step"]),
        (lambda n: positional_encoding(n, 10, 300), []),
    ],
)
@cells("2fb26336", "f42dc91c", "a19dcfe5", "996396fe")
def test_each_code_fails_one_requirement(code, fails):
    met = NOTEBOOK["requirements"](code)
    assert [name for name, is_met in met.items() if not is_met] == fails


@cells("324a8e61", "21144086", "a19dcfe5")
def test_digits_jump_and_one_wave_is_quick_in_the_middle():
    flips = [bin(pos ^ (pos + 1)).count("1") for pos in range(15)]
    assert flips[7:9] == [4, 1] and max(flips) == 4
    steps = np.abs(np.diff(NOTEBOOK["waves"](256)[:, 7]))
    assert steps.min() < 0.25 * steps.max()


@cells("the-hands")
@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_tip_moves_equally_far(k):
    tips = positional_encoding(40, 2)
    assert np.ptp(np.linalg.norm(tips[k:] - tips[:-k], axis=1)) < 1e-12


@cells("20c63a4a", "notes")
def test_hands_of_whole_periods_return_together():
    for periods in ([4, 5, 7], [4, 5, 6, 7], [9, 2]):
        table = encode_with_periods(900, periods)
        again = np.flatnonzero(np.isclose(table, table[0]).all(axis=1))
        assert (np.diff(again) == math.lcm(*periods)).all() and len(again) > 1
    clocks = encode_with_periods(21, [4, 5, 7])
    far = [math.dist(clocks[0], clocks[k]) for k in (10, 20)]
    assert far == pytest.approx([2.8, 0.9], abs=0.05)


@cells("frozen_hands", "950bdd28", "ace6f3d7", "notes")
@pytest.mark.parametrize(
    ("hands", "nearest", "least"),
    [([0, 1, 2, 3], 63, 0.645), ([0, 1], 377, 0.009), ([2, 3], 1, 0.01)],
)
def test_fast_hands_tell_neighbours_apart_and_slow_ones_regions(hands, nearest, least):
    speeds = angular_speeds(8)
    rows = encode_with_periods(1001, math.tau / speeds[hands])
    apart = np.linalg.norm(rows[1:] - rows[0], axis=1)
    assert (apart.argmin() + 1, apart.min()) == (
        nearest,
        pytest.approx(least, abs=1e-3),
    )
    assert 377 * speeds[:2] / math.tau == pytest.approx([60, 6], 1e-3)
    assert 100 * speeds[2:] == pytest.approx(speeds[:2])
    assert math.degrees(44 * speeds[1]) == pytest.approx(252, abs=0.5)


@cells("wider_table", "in-pairs")
@pytest.mark.parametrize(("narrow", "wide"), [(4, 6), (6, 8), (8, 64)])
def test_a_wider_table_keeps_its_first_pair_only(narrow, wide):
    table, wider = positional_encoding(50, narrow), positional_encoding(50, wide)
    same = np.isclose(table, wider[:, :narrow]).all(axis=0)
    assert same.tolist() == [True, True] + [False] * (narrow - 2)
    assert (1 / angular_speeds(4)).tolist() == pytest.approx([1, 100])


@cells("501381e4", "no-wrap-around", "slowest_columns", "calm-columns", "notes")
def test_wavelengths_stop_before_ten_thousand_times_the_shortest():
    longest = [1 / angular_speeds(d)[-1] for d in (4, 512, 4096)]
    assert longest == pytest.approx([100, 9647, 9955], abs=0.5)
    waves = math.tau / angular_speeds(128)[[19, 20, 32, 63]]
    assert waves == pytest.approx([97, 112, 628, 54_410], rel=0.005)
    assert math.degrees(5000 * angular_speeds(512)[-1]) == pytest.approx(30, abs=0.5)


@cells("2fb26336", "no-wrap-around", "four-sentences")
def test_no_row_comes_back_when_the_slowest_hand_does():
    """Rows are compared with row 0; by the fourth requirement that is enough."""
    for width in (4, 8, 64):
        slowest = math.tau / angular_speeds(width)[-1]
        assert slowest < math.tau * 10_000
        turned = np.outer(np.arange(1, 80_000), angular_speeds(width))
        apart = 2 * (1 - np.cos(turned)).sum(axis=1)
        assert apart.min() > 1e-9
        assert apart[round(slowest) - 1] > 1e-3


@cells("other_base", "f42dc91c", "notes")
@pytest.mark.parametrize("width", [64, 512])
def test_with_a_larger_base_neighbours_are_closer_and_the_level_comes_later(width):
    curves = []
    for base in (50, 10_000, 10**6):
        far = np.append([1, 50], 10 * base + np.arange(500))
        turned = np.outer(far, angular_speeds(width, base))
        curves.append(np.sqrt(1 - np.cos(turned).mean(axis=1)))
        assert curves[-1][2:].mean() == pytest.approx(1, rel=0.05)
    near, fifty = np.transpose(curves)[:2]
    assert near[0] > 1.1 * near[1] > 1.2 * near[2]
    assert fifty[0] > 0.9 and fifty.tolist() == sorted(fifty, reverse=True)


@cells("ff640cd8", "add_or_concatenate", "notes")
@pytest.mark.parametrize(("width", "size"), [(64, 1), (96, 3), (512, 2), (512, 10)])
def test_the_nearest_word_is_right_and_its_rest_is_the_position(width, size):
    rng, places = np.random.default_rng(1), positional_encoding(100, width)
    words = size * rng.normal(size=(1000, width))
    word, place = rng.integers(1000, size=200), rng.integers(100, size=200)
    sums = words[word] + places[place]
    found = [np.linalg.norm(words - row, axis=1).argmin() for row in sums]
    assert (found == word).all()
    assert np.allclose(sums - words[found], places[place])
    nearest = [np.linalg.norm(places - row, axis=1).argmin() for row in sums]
    assert size < 10 or np.mean(nearest == place) < 0.15
