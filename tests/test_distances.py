"""Notebook 04: the geometry, and what the exercises demand."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import distance

from helpers import encoding
from helpers.exercises import distances as exercises

# The geometry


@settings(max_examples=60, deadline=None)
@given(
    p=st.integers(0, 300),
    k=st.integers(0, 300),
    pairs=st.integers(1, 64),
)
def test_distance_and_dot_product_depend_on_the_offset_only(p, k, pairs):
    d_model = 2 * pairs
    table = encoding.positional_encoding(p + k + 1, d_model)
    here, there = table[p], table[p + k]
    assert math.dist(here, there) == pytest.approx(distance(k, d_model), abs=1e-11)
    half_trace = np.trace(encoding.rotation_matrix(k, d_model)) / 2
    assert here @ there == pytest.approx(half_trace, abs=1e-11)
    assert d_model - 2 * here @ there == pytest.approx(
        distance(k, d_model) ** 2, abs=1e-11
    )


def test_the_distance_matrix_against_a_double_loop():
    table = encoding.positional_encoding(7, 6)
    expected = [[math.dist(a, b) for b in table] for a in table]
    np.testing.assert_allclose(encoding.distances(table), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("d_model", "k"), [(8, 3), (16, 3), (64, 5), (128, 11), (512, 43)]
)
def test_where_the_distance_first_falls(d_model, k):
    curve = [distance(n, d_model) for n in range(k + 2)]
    assert curve[: k + 1] == sorted(curve[: k + 1])
    assert curve[k + 1] < curve[k]
    assert exercises.first_fall.reference(d_model) == k


def test_figures_of_the_text():
    assert distance(3, 8) == pytest.approx(2.0175, abs=5e-5)
    assert distance(4, 8) == pytest.approx(1.8619, abs=5e-5)
    assert min(range(1, 5000), key=lambda k: distance(k, 8)) == 63
    assert distance(63, 8) == pytest.approx(0.645, abs=5e-4)
    assert distance(44, 2) == pytest.approx(0.0177, abs=5e-5)
    assert distance(710, 2) == pytest.approx(6.0e-5, abs=5e-7)
    for k in range(10, 10_001, 37):
        line = math.sqrt(512 / math.log(10_000) * (np.euler_gamma + math.log(k)))
        assert line == pytest.approx(distance(k, 512), rel=0.055)


@pytest.mark.parametrize("k", [10, 100, 1000, 10_000, 50_000, 100_000])
def test_the_law_holds_to_its_end(k):
    offsets = np.unique(np.linspace(0.97 * k, 1.03 * k, 100).astype(int))
    squared = np.mean([distance(int(n), 512) ** 2 for n in offsets])
    # Cin(x) = γ + ln x − Ci(x), by mpmath
    far, near = (
        float(mpmath.euler + mpmath.log(x) - mpmath.ci(x)) for x in (k, k / 10_000)
    )
    assert 512 / math.log(10_000) * (far - near) == pytest.approx(squared, rel=0.03)


def test_further_out_every_second_step_brings_you_closer():
    for d_model in (8, 16, 64, 128, 512):
        curve = [distance(k, d_model) for k in range(2000, 2401)]
        falling = np.mean(np.diff(curve) < 0)
        assert 0.45 <= falling <= 0.55
    curve = [distance(k, 512) for k in range(43, 144)]
    assert 0.2 <= np.mean(np.diff(curve) < 0) <= 0.35  # not yet, right after the first


@pytest.mark.parametrize("seed", range(3))
def test_learned_maps_keep_the_offset_only_if_they_turn_each_pair(seed):
    random = np.random.default_rng(seed)
    table = encoding.positional_encoding(60, 16)
    turning = np.zeros((16, 16))
    for start in range(0, 16, 2):
        a, b = random.normal(size=2)
        turning[start : start + 2, start : start + 2] = [[a, b], [-b, a]]
    for A, kept in ((turning, True), (random.normal(size=(16, 16)), False)):
        scores = table @ A @ table.T
        spread = max(np.ptp(np.diagonal(scores, k)) for k in range(-50, 51))
        assert (spread < 1e-12) == kept
    assert not np.allclose(scores, scores.T)


def test_hands_with_periods_4_5_7_repeat_at_140():
    table = encoding.encode_with_bases(281, [4, 5, 7])
    apart = [math.dist(table[0], other) for other in table]
    assert max(apart[140], apart[280]) < 1e-12
    nearest = sorted(range(1, 140), key=apart.__getitem__)[:2]
    assert sorted(nearest) == [20, 120]
    assert apart[20] == pytest.approx(0.868, abs=5e-4)


# The exercises


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_by_dot_products_pass(dtype):
    def answer(table):
        table = table.astype(dtype)
        norms = (table**2).sum(axis=1)
        squared = norms[:, None] + norms - 2 * table @ table.T
        return np.sqrt(np.maximum(squared, 0))

    assert exercises.distance_matrix.judge(answer).status == "correct"


def test_distance_from_the_offset_passes_by_half_angles():
    def answer(k, d_model):
        total = 0.0
        for pair in range(d_model // 2):
            total += math.sin(k / 10_000 ** (2 * pair / d_model) / 2) ** 2
        return 2 * math.sqrt(total)

    assert exercises.distance_from_offset.judge(answer).status == "correct"


@settings(max_examples=40, deadline=None)
@given(periods=st.lists(st.integers(1, 12), min_size=1, max_size=4))
def test_the_period_is_the_first_repetition(periods):
    k = 1
    while any(k % period for period in periods):
        k += 1
    assert exercises.period.reference(periods) == k


def test_a_product_is_not_a_period():
    assert (
        exercises.period.judge(lambda periods: math.prod(periods)).mistake == "product"
    )


def test_np_lcm_and_math_lcm_as_students_call_them():
    assert (
        exercises.period.judge(lambda periods: math.lcm(*periods)).status == "correct"
    )
    unpacked = exercises.period.judge(lambda periods: np.lcm(*periods))
    assert unpacked.mistake == "np.lcm takes two numbers"
    ends = exercises.period.judge(lambda periods: np.lcm(min(periods), max(periods)))
    assert ends.mistake == "smallest and largest period"


def test_no_root_of_a_negative_number_reads_well():
    def answer(k, d_model):
        return np.nan if k == 3 else distance(k, d_model)

    message = exercises.distance_from_offset.judge(answer).message
    assert "For `k=3`, `d_model=8`, it is nan, where `2.01748` is expected." in message


@pytest.mark.parametrize(
    ("last", "mistake"),
    [(10, "search too short"), (60, "search too short"), (100, "search too short")]
    + [(140, "search too short"), (250, None)],
)
def test_a_search_that_ends_too_early_is_told_so(last, mistake):
    def answer(d_model):
        curve = [distance(k, d_model) for k in range(last + 1)]
        falls = (k for k in range(1, last) if curve[k + 1] < curve[k])
        return next(falls, None)

    assert exercises.first_fall.judge(answer).mistake == mistake


def test_the_picture_of_falls_gives_away_one_case_only():
    # Notebook 04 draws widths 8, 128 and 512 just before the exercise.
    tested = {d_model for (d_model,) in exercises.first_fall.cases}
    assert tested & {8, 128, 512} == {8}


# What the texts demand beside right numbers


def rows_by_a_loop(table):
    return np.array([np.sqrt(((table - row) ** 2).sum(axis=1)) for row in table])


def by_a_helper(table):
    return rows_by_a_loop(table)


def by_while(table):
    made, n = [], 0
    while n < len(table):
        made.append([math.dist(table[n], other) for other in table])
        n += 1
    return made


@pytest.mark.parametrize("answer", [rows_by_a_loop, by_a_helper, by_while])
def test_distances_by_a_loop_are_not_accepted(answer):
    feedback = exercises.distance_matrix.judge(answer)
    assert (feedback.status, feedback.mistake) == ("incorrect", "a loop")


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize(
    "squares", [lambda t: (t**2).sum(axis=1), lambda t: np.diag(t @ t.T)]
)
def test_distances_that_are_not_numbers_are_not_accepted(squares):
    def answer(table):
        squared = squares(table)[:, None] + squares(table) - 2 * table @ table.T
        return np.sqrt(squared)

    feedback = exercises.distance_matrix.judge(answer)
    assert feedback.status == "incorrect"
    assert feedback.mistake in ("root of a negative number", "not a number")


def a_table(k, d_model):
    table = encoding.positional_encoding(abs(k) + 1, d_model)
    return math.dist(table[0], table[abs(k)])


def a_list_of_rows(k, d_model):
    rows = [
        [pos / 10_000 ** (2 * pair / d_model) for pair in range(d_model // 2)]
        for pos in range(abs(k) + 1)
    ]
    return math.sqrt(2 * math.fsum(1 - math.cos(angle) for angle in rows[-1]))


@pytest.mark.parametrize("answer", [a_table, a_list_of_rows])
def test_a_distance_out_of_a_table_is_not_accepted(answer):
    feedback = exercises.distance_from_offset.judge(answer)
    assert (feedback.status, feedback.mistake) == ("incorrect", "a table")


def test_four_decimals_of_a_distance_are_too_few_and_float32_is_enough():
    def in_float32(k, d_model):
        theta = 10_000 ** (-np.arange(0, d_model, 2, dtype=np.float32) / d_model)
        return np.sqrt(2 * np.sum(1 - np.cos(np.float32(k) * theta)))

    judge = exercises.distance_from_offset.judge
    assert judge(in_float32).status == "correct"
    said = judge(lambda k, d: round(distance(k, d), 4))
    assert said.status == "incorrect" and "rounded to 4 decimals" in said.message


def test_a_large_number_of_steps_is_counted_exactly():
    feedback = exercises.period.judge(
        lambda periods: math.lcm(*periods) + (max(periods) == 25)
    )
    assert feedback.status == "incorrect"
    assert "too large by 1" in feedback.message


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("either sign", lambda k, d: distance(max(k, 0), d)),
        ("even d_model", lambda k, d: distance(k, 4 * max(d // 4, 1))),
    ],
)
def test_distance_from_the_offset_tests_its_text(demand, answer):
    assert exercises.distance_from_offset.judge(answer).status == "incorrect", demand


def test_a_period_beyond_the_picture_is_asked_for():
    def answer(periods):
        hands = np.exp(2j * np.pi * np.arange(141)[:, None] / np.array(periods))
        return 1 + int(np.argmin(np.abs(hands[1:] - 1).sum(axis=1)))

    assert exercises.period.judge(answer).status == "incorrect"
    assert exercises.period.judge(lambda p: math.lcm(*p[:3])).status == "incorrect"


@pytest.mark.parametrize("last", [20, 100, 130])
def test_a_table_too_short_for_wide_rows_is_not_accepted(last):
    def answer(d_model):
        curve = [distance(k, d_model) for k in range(last)]
        return next(k for k in range(1, last) if curve[k + 1] < curve[k])

    assert exercises.first_fall.judge(answer).status == "incorrect"


def test_the_period_is_exact_as_far_as_64_bits_go():
    large = [1_643_851, 1_643_861, 1_643_869]
    assert 2**61 < math.lcm(*large) < 2**63
    assert exercises.period.reference(large) == math.lcm(*large)
    for bits in (np.int16, np.int32, np.float32):
        judged = exercises.period.judge(
            lambda periods, bits=bits: int(
                bits(1) * np.array(math.lcm(*periods)).astype(bits)
            )
        )
        assert judged.mistake == "wrong where the result is large"
        assert "281170132523303" in judged.message


@pytest.mark.parametrize("patience", [1])  # it ends by the bound: no need to wait
def test_large_results_that_do_not_come_out_are_refused():
    def among(periods):
        k = np.arange(1, 1_000_001)
        hits = k[(k[:, None] % periods == 0).all(axis=1)]
        return int(hits[0]) if len(hits) else None

    for answer, gives in (
        (among, "`None`. Is something"),
        (lambda p: np.lcm.reduce(np.array(p, dtype=np.int16)), "`OverflowError`"),
    ):
        judged = exercises.period.judge(answer)
        assert judged.mistake == "wrong where the result is large"
        assert gives in judged.message


@pytest.mark.parametrize("patience", [1])  # it ends by the bound: no need to wait
def test_a_search_may_take_as_long_as_it_likes():
    def by_steps(periods):
        k = 1
        while any(k % period for period in periods):
            k += 1
        return k

    def in_an_array(periods):
        k = np.arange(1, math.prod(periods) + 1)
        return int(k[(k[:, None] % periods == 0).all(axis=1)][0])

    for answer in (by_steps, in_an_array, lambda periods: np.lcm.reduce(periods)):
        assert exercises.period.judge(answer).status == "correct"
