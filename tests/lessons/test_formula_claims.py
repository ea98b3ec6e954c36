"""What notebook 01 states, computed again at other settings."""

import math

import numpy as np
import pytest
from defined import cells, definitions

from helpers.encoding import angular_speeds, encode_with_periods, positional_encoding

NOTEBOOK = definitions("formula")


@cells("order-lost", "vectors-break-it")
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
        (lambda n: np.arange(n)[:, None], ["bounded"]),
        (lambda n: np.arange(n)[:, None] / n, ["any length"]),
        (lambda n: encode_with_periods(n, [3, 10, 4]), ["unique"]),
        (lambda n: np.arange(n)[:, None] >> np.arange(9) & 1, ["same step"]),
        (NOTEBOOK["waves"], ["same step"]),
        (lambda n: positional_encoding(n, 10, 300), []),
    ],
)
@cells("2fb26336", "f42dc91c")
def test_each_code_fails_one_demand(code, fails):
    met = NOTEBOOK["demands"](code)
    assert [demand for demand, is_met in met.items() if not is_met] == fails


@cells("09fec204", "what_repeats", "20c63a4a", "996396fe", "notes")
def test_hands_of_whole_periods_return_together():
    for periods in ([4, 5, 7], [4, 5, 6, 7], [9, 2]):
        table = encode_with_periods(500, periods)
        again = np.flatnonzero(np.isclose(table, table[0]).all(axis=1))
        assert (np.diff(again) == math.lcm(*periods)).all() and len(again) > 1
    clocks = encode_with_periods(21, [4, 5, 7])
    far = [math.dist(clocks[0], clocks[k]) for k in (10, 20)]
    assert far == pytest.approx([2.8, 0.9], abs=0.05)


@cells("950bdd28", "frozen_hands", "notes")
def test_slow_hands_move():
    assert 1.5 < 1000 * 0.01 / math.tau < 2
    assert math.degrees(0.001) == pytest.approx(0.057, abs=5e-4)
    assert math.degrees(44 * 0.1) == pytest.approx(252, abs=0.5)
    assert 5000 / (math.tau * 10_000 ** (510 / 512)) * 360 == pytest.approx(30, abs=0.5)


@cells("501381e4", "slowest_columns", "calm-columns")
def test_wavelengths_stop_before_ten_thousand_times_the_shortest():
    factors = [1 / angular_speeds(d)[-1] for d in (4, 512, 4096)]
    assert [round(factor) for factor in factors[:2]] == [100, 9647]
    assert factors[2] < 10_000
    waves = math.tau / angular_speeds(128)[19:21]
    assert [round(wave) for wave in waves] == [97, 112]


@pytest.mark.parametrize(("base", "width"), [(50, 512), (300, 1024), (1000, 512)])
@cells("f42dc91c", "notes")
def test_a_base_as_large_as_the_text_is_enough(base, width):
    rows = positional_encoding(5 * base, width, base)
    apart = np.linalg.norm(rows - rows[0], axis=1)
    assert apart[base // 10] < 0.88 * apart.max()
    assert apart[base] > 0.94 * apart.max()
    assert apart[1] > 1.1 * math.dist(*positional_encoding(2, width))


@pytest.mark.parametrize("base", [100, 300_000])
@cells("f42dc91c")
def test_the_distance_ends_at_one_level_for_every_base(base):
    far = np.arange(10 * base, 10 * base + 500)
    turned = np.outer(far, angular_speeds(512, base))
    apart = np.sqrt(2 * (1 - np.cos(turned)).sum(axis=1))
    assert apart.mean() == pytest.approx(math.sqrt(512), rel=0.02)


@cells("ff640cd8")
def test_how_word_and_position_are_read_back():
    read_back = NOTEBOOK["read_back"]
    for width, size in ((64, 1), (96, 3), (512, 2), (512, 10)):
        shares = read_back(width, size)
        assert shares["word"] == shares["position, second"] == 1
    assert shares["position"] < 0.15
    for size in (0.02, 0.1, 0.4):
        shares = read_back(512, size)
        assert shares["position"] == shares["word, second"] == 1
        assert shares["word"] < 0.7 or size > 0.1


@cells("ff640cd8", "d4cd8205")
def test_at_width_8_the_lookup_fails_and_nothing_is_lost():
    word, position, word_2, position_2 = NOTEBOOK["read_back"](8).values()
    assert max(word, position, position_2) < 0.4 < word_2 < 0.6
    words = np.random.default_rng(1).normal(size=(1000, 8))
    sums = (words[:, None] + positional_encoding(100, 8)).reshape(-1, 8)
    assert len(np.unique(sums.round(9), axis=0)) == 100_000
