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


@cells("why-same-step")
def test_of_rows_of_equal_length_dot_products_depend_on_the_distance_alone():
    rows = positional_encoding(50, 12)
    apart = np.linalg.norm(rows[:, None] - rows, axis=2)
    assert (rows**2).sum(axis=1) == pytest.approx(6)
    assert rows @ rows.T == pytest.approx(6 - apart**2 / 2)


@cells("324a8e61", "21144086", "a19dcfe5")
def test_digits_jump_and_one_wave_is_quick_in_the_middle():
    flips = [bin(pos ^ (pos + 1)).count("1") for pos in range(15)]
    assert flips[7:9] == [4, 1] and max(flips) == 4
    assert len({pos % 256 for pos in range(257)}) == 256  # eight digits run out
    steps = np.abs(np.diff(NOTEBOOK["waves"](256)[:, 7]))
    assert steps.min() < 0.25 * steps.max()


@cells("the-hands")
@pytest.mark.parametrize("k", [1, 2, 5])
def test_one_sine_has_two_futures_and_the_tip_moves_equally_far(k):
    futures = [math.sin(now + k) for now in (math.asin(0.3), math.pi - math.asin(0.3))]
    assert abs(np.diff(futures)) > 0.1
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
def test_fast_hands_tell_neighbours_apart_and_slow_ones_regions():
    speeds, nearest = angular_speeds(8), {}
    for name, some in {"all": speeds, "fast": speeds[:2], "slow": speeds[2:]}.items():
        rows = encode_with_periods(1001, math.tau / some)
        apart = np.linalg.norm(rows[1:] - rows[0], axis=1)
        nearest[name] = apart.argmin() + 1, apart.min()
    assert (nearest["fast"][0], nearest["slow"][0]) == (377, 1)
    assert nearest["fast"][1] < 0.01 and nearest["slow"][1] < 0.02
    assert nearest["all"][1] > 0.6
    rounds = 377 * speeds[:2] / math.tau
    assert rounds == pytest.approx([60, 6], 1e-3)
    assert 100 * speeds[2:] == pytest.approx(speeds[:2])
    assert math.degrees(44 * 0.1) == pytest.approx(252, abs=0.5)
    assert 5000 / (math.tau * 10_000 ** (510 / 512)) * 360 == pytest.approx(30, abs=0.5)


@cells("wider_table", "in-pairs")
@pytest.mark.parametrize(("narrow", "wide"), [(4, 6), (6, 8), (8, 64)])
def test_a_wider_table_keeps_its_first_pair_only(narrow, wide):
    table, wider = positional_encoding(50, narrow), positional_encoding(50, wide)
    same = np.isclose(table, wider[:, :narrow]).all(axis=0)
    assert same.tolist() == [True, True] + [False] * (narrow - 2)
    assert (1 / angular_speeds(4)).tolist() == pytest.approx([1, 100])


@cells("501381e4", "no-wrap-around", "slowest_columns", "calm-columns")
def test_wavelengths_stop_before_ten_thousand_times_the_shortest():
    factors = [1 / angular_speeds(d)[-1] for d in (4, 512, 4096)]
    assert [round(factor) for factor in factors[:2]] == [100, 9647]
    assert factors[2] < 10_000
    waves = math.tau / angular_speeds(128)
    assert waves[[19, 20, 32]].round().tolist() == [97, 112, 628]
    assert waves[63] == pytest.approx(54_000, 0.02)


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
    near, later = [], []
    for base in (50, 10_000, 10**6):
        turned = np.outer([1, 50], angular_speeds(width, base))
        one, fifty = np.sqrt(2 * (1 - np.cos(turned)).sum(axis=1) / width)
        near, later = [*near, one], [*later, fifty]
        far = np.outer(10 * base + np.arange(500), angular_speeds(width, base))
        level = np.sqrt(2 * (1 - np.cos(far)).sum(axis=1) / width)
        assert level.mean() == pytest.approx(1, rel=0.05)
    assert near[0] > 1.1 * near[1] > 1.2 * near[2]
    assert later[0] > 0.9 and later == sorted(later, reverse=True)


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


@cells("52a757c4")
def test_adding_is_concatenating_with_shared_weights():
    rng = np.random.default_rng(2)
    x, p, w = (rng.normal(size=shape) for shape in ((5, 8), (5, 8), (8, 3)))
    stacked = np.concatenate([x, p], axis=1) @ np.concatenate([w, w])
    assert np.allclose(stacked, (x + p) @ w)
