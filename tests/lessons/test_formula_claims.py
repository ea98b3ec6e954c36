"""What notebook 01 states, computed again at other settings."""

import math

import numpy as np
import pytest
from references import row

from helpers.encoding import angular_speeds, encode_with_bases, positional_encoding


def attention(x, rng):
    query, key, value = rng.normal(size=(3, x.shape[1], x.shape[1]))
    scores = x @ query @ (x @ key).T / math.sqrt(x.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ x @ value


@pytest.mark.parametrize(("length", "width"), [(7, 4), (12, 16)])
def test_attention_is_permutation_equivariant(length, width):
    """“attention has **lost the order** of the words”"""
    rng = np.random.default_rng(length)
    x, order = rng.normal(size=(length, width)), rng.permutation(length)
    places = np.array([row(pos, width) for pos in range(length)])
    plain, with_places = (
        attention(given, np.random.default_rng(1))[order]
        - attention(swapped, np.random.default_rng(1))
        for given, swapped in ((x, x[order]), (x + places, x[order] + places))
    )
    assert np.abs(plain).max() < 1e-12
    assert np.abs(with_places).max() > 0.1


def demands(code, n):
    """The four demands, each tested number by number."""
    short, long = np.asarray(code(n // 5)), np.asarray(code(n))
    apart = [[math.dist(a, b) for b in long] for a in long]
    return (
        np.abs(long).max() <= 1,
        np.allclose(short, long[: n // 5]),
        len({tuple(np.round(r, 9)) for r in long}) == n,
        all(
            abs(apart[p][p + k] - apart[0][k]) < 1e-9
            for k in range(n)
            for p in range(n - k)
        ),
    )


@pytest.mark.parametrize(
    ("code", "fails"),
    [
        (lambda n: [[pos] for pos in range(n)], 0),
        (lambda n: [[pos / n] for pos in range(n)], 1),
        (lambda n: encode_with_bases(n, [4, 5, 7]), 2),
        (lambda n: encode_with_bases(n, [3, 10, 4]), 2),
        (lambda n: [[int(b) for b in f"{pos:08b}"] for pos in range(n)], 3),
        (
            lambda n: (
                -np.sin(np.pi * (np.arange(n)[:, None] + 0.5) / 2 ** np.arange(8))
            ),
            3,
        ),
        (lambda n: [row(pos, 4) for pos in range(n)], None),
        (lambda n: positional_encoding(n, 10, 300), None),
    ],
)
def test_each_code_fails_one_demand(code, fails):
    """“Every attempt fails exactly one demand. The formula meets all four.” “other bases
    meet the four demands too”"""
    assert demands(code, 160) == tuple(number != fails for number in range(4))


def test_hands_of_whole_periods_return_together():
    """“As long as the periods are whole numbers, all hands come back to the start
    together, sooner or later.” “420 is the first number that 4, 5, 6 and 7 all divide.”
    “At 140 the code starts again, and at 280 once more.” “clocks of periods 4, 5, 7 repeat
    at 140”"""
    for periods in ([4, 5, 7], [4, 5, 6, 7], [6, 10, 15], [9, 2]):
        table = encode_with_bases(500, periods)
        again = np.flatnonzero(np.isclose(table, table[0]).all(axis=1))
        assert again[1] == math.lcm(*periods)
        assert (np.diff(again) == again[1]).all()


def test_slow_hands_move():
    """“pair 2 goes round more than one and a half times, and pair 3 turns by 57
    degrees” “9 degrees would need 1 degree per step, and this hand turns 0.057 degrees.”"""
    assert 1.5 < 1000 * 0.01 / math.tau < 2
    assert math.degrees(1000 * 0.001) == pytest.approx(57, abs=0.5)
    assert math.degrees(0.001) == pytest.approx(0.057, abs=5e-4)


def test_wavelengths_stop_before_ten_thousand_times_the_shortest():
    """“The factor never quite reaches 10000.” “the longest wave is 100 times as long as
    the shortest, and at 512 it is 9647 times as long” “the wavelength of pair 19 is 97
    and that of pair 20 is 112”"""
    for d_model in (2, 6, 100, 4096):
        speeds = angular_speeds(d_model)
        factor = 10_000 ** ((d_model - 2) / d_model)
        assert speeds[0] / speeds[-1] == pytest.approx(factor) and factor < 10_000
    longest = [angular_speeds(d)[0] / angular_speeds(d)[-1] for d in (4, 512)]
    assert [round(factor) for factor in longest] == [100, 9647]
    waves = [math.tau * 10_000 ** (2 * i / 128) for i in (19, 20)]
    assert [round(wave) for wave in waves] == [97, 112]


@pytest.mark.parametrize("base", [50, 100, 300, 1000])
@pytest.mark.parametrize("width", [512, 1024])
def test_a_base_as_large_as_the_text_is_enough(base, width):
    """“By this measure, and at this width, a base about as large as your longest text is
    enough.” “By this measure 50 to 100 is enough, and neighbours are further apart than
    with 10000.”"""
    rows = positional_encoding(5 * base, width, base)
    apart = np.linalg.norm(rows - rows[0], axis=1)
    assert apart[base // 10] < 0.88 * apart.max()
    assert apart[base] > 0.94 * apart.max()
    first, second = positional_encoding(2, width)
    assert apart[1] > 1.1 * math.dist(first, second)


@pytest.mark.parametrize("base", [100, 300, 10_000, 300_000])
def test_a_larger_base_delays_the_end_and_does_not_raise_it(base):
    """“A larger base doesn't push far rows further apart.” “In the end each column stays
    near $\\sqrt{512}=22.6$”"""
    far = np.arange(10 * base, 10 * base + 500)
    turned = np.outer(far, angular_speeds(512, base))
    apart = np.sqrt(2 * (1 - np.cos(turned)).sum(axis=1))
    assert apart.mean() == pytest.approx(math.sqrt(512), rel=0.02)
    near = np.outer(np.arange(1, base), angular_speeds(512, base))
    larger = np.outer(np.arange(1, base), angular_speeds(512, 5 * base))
    assert np.mean(np.cos(near).sum(axis=1) < np.cos(larger).sum(axis=1)) > 0.95


def nearest(rows, table):
    return np.array([((table - r) ** 2).sum(axis=1).argmin() for r in rows])


@pytest.mark.parametrize(("width", "size"), [(64, 1), (96, 3), (512, 1), (512, 10)])
def test_the_position_is_found_once_the_word_is_subtracted(width, size):
    """“From width 64 on, every word of the usual size is found” “Subtract the
    word, and exactly the position's row is left.”"""
    rng = np.random.default_rng(width + size)
    words = size * rng.normal(size=(1000, width))
    table = positional_encoding(100, width)
    word, pos = rng.integers(1000, size=300), rng.integers(100, size=300)
    sums = words[word] + table[pos]
    found = nearest(sums, words)
    assert (found == word).all()
    assert (nearest(sums - words[found], table) == pos).all()


@pytest.mark.parametrize("size", [0.02, 0.1, 0.3, 1, 3, 10])
def test_the_larger_of_the_two_is_found_and_reveals_the_other(size):
    """“At width 512 the larger of the two is found in each case, and subtracting it reveals
    the other.” “Beside words ten times as large, the position is hardly ever read
    directly.” “Beside words ten times as small, it is the word that is often missed.”"""
    rng = np.random.default_rng(int(100 * size))
    words, table = size * rng.normal(size=(1000, 512)), positional_encoding(100, 512)
    word, pos = rng.integers(1000, size=300), rng.integers(100, size=300)
    sums = words[word] + table[pos]
    if size < 0.7:  # the root mean square of the table
        place = nearest(sums, table)
        assert (place == pos).all()
        assert (nearest(sums - table[place], words) == word).all()
        assert size > 0.1 or (nearest(sums, words) == word).mean() < 0.7
    else:
        found = nearest(sums, words)
        assert (found == word).all()
        assert (nearest(sums - words[found], table) == pos).all()
        assert size < 10 or (nearest(sums, table) == pos).mean() < 0.15


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_at_width_8_the_lookup_fails_and_nothing_is_lost(seed):
    """“At width 8 both direct readings fail most of the time. Still, nothing is lost,
    because no two of the 100 000 possible sums are the same.”"""
    rng = np.random.default_rng(seed)
    words, table = rng.normal(size=(1000, 8)), positional_encoding(100, 8)
    word, pos = rng.integers(1000, size=300), rng.integers(100, size=300)
    given = words[word] + table[pos]
    assert (nearest(given, words) == word).mean() < 0.4
    assert (nearest(given, table) == pos).mean() < 0.2
    sums = (words[:, None] + table).reshape(-1, 8)
    assert len(np.unique(sums.round(9), axis=0)) == 100_000


def test_figures_of_the_notes():
    """“The dots show about 2.8 for 10 and 0.9 for 20, because at 20 two of the hands are
    back.” “Pair 1 has turned by
    252° and tells the two positions apart.” “5000 of 60 611 steps are about 30 degrees.”"""
    clocks = encode_with_bases(21, [4, 5, 7])
    assert math.dist(clocks[0], clocks[10]) == pytest.approx(2.8, abs=0.05)
    assert math.dist(clocks[0], clocks[20]) == pytest.approx(0.9, abs=0.05)
    assert math.degrees(44 * 0.1) == pytest.approx(252, abs=0.5)
    assert 5000 / (math.tau * 10_000 ** (510 / 512)) * 360 == pytest.approx(30, abs=0.5)
