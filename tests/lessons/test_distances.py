"""Notebook 04: the geometry for any width and offset, and what its checks demand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import distance

from helpers import encoding
from helpers.lessons import distances


@settings(max_examples=60, deadline=None)
@given(p=st.integers(0, 300), k=st.integers(0, 300), pairs=st.integers(1, 64))
def test_distance_and_dot_product_depend_on_the_offset_only(p, k, pairs):
    d_model = 2 * pairs
    table = encoding.positional_encoding(p + k + 1, d_model)
    here, there = table[p], table[p + k]
    apart = distance(k, d_model)
    assert math.dist(here, there) == pytest.approx(apart, abs=1e-11)
    half_trace = np.trace(encoding.rotation_matrix(k, d_model)) / 2
    assert here @ there == pytest.approx(half_trace, abs=1e-11)
    assert d_model - 2 * here @ there == pytest.approx(apart**2, abs=1e-11)


def test_the_distance_matrix_against_a_double_loop():
    table = encoding.positional_encoding(7, 6)
    expected = [[math.dist(a, b) for b in table] for a in table]
    np.testing.assert_allclose(encoding.distances(table), expected, rtol=1e-14)


@settings(max_examples=40, deadline=None)
@given(periods=st.lists(st.integers(1, 12), min_size=1, max_size=4))
def test_the_period_is_the_first_repetition(periods):
    k = 1
    while any(k % period for period in periods):
        k += 1
    assert distances.period.reference(periods) == k


def test_the_picture_of_falls_gives_away_one_case_only():
    # Notebook 04 draws widths 8, 128 and 512 just before the exercise.
    tested = {d_model for (d_model,) in distances.first_fall.cases}
    assert tested & {8, 128, 512} == {8}


@pytest.mark.parametrize("last", [20, 100, 130])
def test_a_table_too_short_for_wide_rows_is_not_accepted(last):
    def answer(d_model):
        curve = [distance(k, d_model) for k in range(last)]
        return next(k for k in range(1, last) if curve[k + 1] < curve[k])

    assert distances.first_fall.judge(answer).status == "incorrect"


def in_float32(table):
    rows = table.astype(np.float32)
    squares = (rows**2).sum(axis=1)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * rows @ rows.T, 0))


def not_a_number(table):
    squares = (table**2).sum(axis=1)
    return np.sqrt(squares[:, None] + squares - 2 * table @ table.T)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("answer", [in_float32, not_a_number])
def test_distances_of_rows_that_are_nearly_equal_are_tested(answer):
    assert distances.distance_matrix.judge(answer).status == "incorrect"


def test_four_decimals_of_a_distance_are_too_few_and_float32_is_enough():
    def float32(k, d_model):
        theta = 10_000 ** (-np.arange(0, d_model, 2, dtype=np.float32) / d_model)
        return np.sqrt(2 * np.sum(1 - np.cos(np.float32(k) * theta)))

    judge = distances.distance_from_offset.judge
    assert judge(float32).status == "correct"
    assert judge(lambda k, d: round(distance(k, d), 4)).status == "incorrect"


def a_list_of_rows(k, d_model):
    rows = [
        [pos / 10_000 ** (2 * pair / d_model) for pair in range(d_model // 2)]
        for pos in range(abs(k) + 1)
    ]
    return math.sqrt(2 * math.fsum(1 - math.cos(angle) for angle in rows[-1]))


def test_a_distance_out_of_a_list_of_rows_is_not_accepted():
    assert distances.distance_from_offset.judge(a_list_of_rows).mistake == "a table"


@pytest.mark.parametrize("bits", [np.int16, np.int32, np.float32])
def test_a_period_with_too_few_bits_is_not_accepted(bits):
    def answer(periods):
        return int(np.array(math.lcm(*periods)).astype(bits))

    judged = distances.period.judge(answer)
    assert judged.mistake == "wrong where the result is large"


def test_a_search_for_the_period_may_take_as_long_as_it_likes():
    def by_steps(periods):
        k = 1
        while any(k % period for period in periods):
            k += 1
        return k

    def in_an_array(periods):
        k = np.arange(1, math.prod(periods) + 1)
        return int(k[(k[:, None] % periods == 0).all(axis=1)][0])

    for answer in (by_steps, in_an_array):
        assert distances.period.judge(answer).status == "correct"
