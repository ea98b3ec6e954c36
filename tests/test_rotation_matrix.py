"""Notebook 03: the shift matrix, its exercises, the head among words."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import row, shift

from helpers import encoding
from helpers.exercises import rotation_matrix as exercises

WIDTHS = st.integers(1, 64).map(lambda pairs: 2 * pairs)
OFFSETS = st.integers(-150, 150)


# The theorem


@pytest.mark.parametrize("d_model", [2, 6, 8, 64, 128])
def test_one_matrix_moves_every_row(d_model):
    rows = encoding.positional_encoding(350, d_model)
    for k in range(-150, 151):
        here = np.arange(max(0, -k), 200)
        moved = rows[here] @ encoding.rotation_matrix(k, d_model).T
        assert np.abs(moved - rows[here + k]).max() <= 1e-12


@settings(max_examples=60, deadline=None)
@given(k=OFFSETS, pos=st.integers(0, 199), d_model=WIDTHS)
def test_it_moves_rows_of_any_width(k, pos, d_model):
    moved = encoding.rotation_matrix(k, d_model) @ row(pos, d_model)
    assert np.abs(moved - row(pos + k, d_model)).max() <= 1e-12


@settings(max_examples=60, deadline=None)
@given(a=OFFSETS, b=OFFSETS, d_model=WIDTHS)
def test_rotations_compose_and_are_orthogonal(a, b, d_model):
    first, second = (encoding.rotation_matrix(k, d_model) for k in (a, b))
    both = encoding.rotation_matrix(a + b, d_model)
    assert np.abs(first @ second - both).max() <= 1e-12
    assert np.abs(first.T @ first - np.eye(d_model)).max() <= 1e-12
    np.testing.assert_array_equal(encoding.rotation_matrix(-a, d_model), first.T)
    np.testing.assert_allclose(first, shift(a, d_model), rtol=0, atol=1e-12)


# The exercises


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), dense=st.booleans())
def test_any_matrix_right_only_from_position_0_is_named(seed, dense):
    random = np.random.default_rng(seed)

    def answer(k, d_model):
        matrix = np.array(shift(k, d_model))
        matrix[:, 0::2] = random.normal(size=(d_model, d_model // 2))
        if dense:  # the cosine columns may share out their sum as they like
            parts = random.dirichlet(np.ones(d_model // 2), size=d_model)
            matrix[:, 1::2] = parts * matrix[:, 1::2].sum(axis=1, keepdims=True)
        return matrix

    feedback = exercises.full_rotation.judge(answer)
    assert feedback.mistake == "right only from position 0"
    block = exercises.rotation_block.judge(
        lambda k, theta: [
            [random.normal(), math.sin(k * theta)],
            [random.normal(), math.cos(k * theta)],
        ]
    )
    assert block.mistake == "right only from position 0"


@pytest.mark.parametrize("sign", [1, -1])
def test_one_wrong_half_is_told_with_its_starting_positions(sign):
    def answer(k, d_model):
        matrix = np.array(shift(k, d_model))
        if k * sign > 20:
            matrix[:, 0::2] = 0.5
        return matrix

    feedback = exercises.full_rotation.judge(answer)
    assert feedback.status == "incorrect"
    assert "0, 1, 3, 10, 200, got 0" in feedback.message


def test_a_wrong_matrix_without_a_name_shows_its_first_difference():
    def answer(k, d_model):
        return np.abs(shift(k, d_model))

    feedback = exercises.full_rotation.judge(answer)
    assert feedback.mistake not in {m.name for m in exercises.full_rotation.mistakes}
    assert "`[0, 0]`" in feedback.message
    assert "expected `-0.989992`, got `0.989992`" in feedback.message


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    ("made", "says"),
    [
        (np.eye(9), "(8, 8)"),
        (np.full((8, 8), np.nan), "nan"),
        ("rotation", "text"),
        ([[1.0], [2.0, 3.0]], "different lengths"),
    ],
)
def test_unreadable_matrices_get_their_own_sentence(made, says):
    feedback = exercises.full_rotation.judge(lambda k, d_model: made)
    assert feedback.status == "incorrect"
    assert says in feedback.message


@pytest.mark.parametrize("form", [np.float32, np.float64, list])
def test_right_matrices_pass_in_any_form(form):
    def answer(k, d_model):
        matrix = shift(k, d_model)
        return matrix if form is list else np.array(matrix, dtype=form)

    assert exercises.full_rotation.judge(answer).status == "correct"


def test_weights_of_the_head_against_a_loop():
    def answer(table, k, beta):
        n, d_model = table.shape
        weights = []
        for pos in range(n):
            query = np.array(shift(-k, d_model)) @ table[pos]
            scores = [
                beta * math.fsum(a * b for a, b in zip(query, key, strict=True))
                for key in table.tolist()
            ]
            scores = [math.exp(score - max(scores)) for score in scores]
            weights.append([score / math.fsum(scores) for score in scores])
        return weights

    assert exercises.look_back_weights.judge(answer).status == "correct"


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("an array (2, 2)", lambda k, theta: _block(k * theta).reshape(1, 2, 2)),
        ("either sign of k", lambda k, theta: _block(abs(k) * theta)),
        ("theta per position", lambda k, theta: _block(float(k))),
    ],
)
def test_a_block_must_do_all_that_is_asked(demand, answer):
    assert exercises.rotation_block.judge(answer).status == "incorrect", demand


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("any even width", lambda k, d: shift(k, d) if d in (2, 8) else np.eye(d)),
        ("any k", lambda k, d: np.linalg.matrix_power(shift(1, d), max(k, 0))),
        ("not from 0 only", lambda k, d: np.array(shift(k, d)) * ([0, 1] * (d // 2))),
    ],
)
def test_a_matrix_must_do_all_that_is_asked(demand, answer):
    assert exercises.full_rotation.judge(answer).status == "incorrect", demand


def _searching(furthest):
    """Finds the position of the row in a table, then looks up the row before."""

    def answer(given, k):
        table = encoding.positional_encoding(furthest, len(given))
        pos = int(np.abs(table - given).sum(axis=1).argmin())
        return row(pos - k, len(given)) if pos >= k else table[0]

    return answer


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("any position", _searching(1000)),
        ("before position 0", _searching(30_000)),
        ("negative k", lambda given, k: shift(-max(k, 0), len(given)) @ given),
        ("shape (d_model,)", lambda given, k: (shift(-k, len(given)) @ given)[None]),
    ],
)
def test_a_step_back_must_do_all_that_is_asked(demand, answer):
    assert exercises.step_back.judge(answer).status == "incorrect", demand


def _weights(table, k, beta, scale=1.0, mask=False):
    scores = scale * beta * table @ np.array(shift(k, table.shape[1])) @ table.T
    if mask:
        scores = np.where(np.tri(len(table)) > 0, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _nothing_before_0(table, k, beta):
    weights = _weights(table, k, beta)
    weights[: max(k, 0)] = 0
    return weights


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("no other scale", lambda t, k, b: _weights(t, k, b, t.shape[1] ** -0.5)),
        ("no mask", lambda t, k, b: _weights(t, k, b, mask=True)),
        (
            "any rows",
            lambda t, k, b: _weights(encoding.positional_encoding(*t.shape), k, b),
        ),
        ("first rows like all others", _nothing_before_0),
    ],
)
def test_a_head_must_do_all_that_is_asked(demand, answer):
    assert exercises.look_back_weights.judge(_weights).status == "correct"
    assert exercises.look_back_weights.judge(answer).status == "incorrect", demand


def test_a_head_must_stand_a_large_beta():
    def answer(table, k, beta):
        weights = np.exp(beta * table @ shift(k, table.shape[1]) @ table.T)
        return weights / weights.sum(axis=1, keepdims=True)

    feedback = exercises.look_back_weights.judge(answer)
    assert feedback.mistake == "maximum not subtracted"


def _without_a_maximum(scores):
    return [math.exp(score) for score in scores]


def _one_maximum_for_all(scores):
    # A row of an encoding has no larger product than that with itself: 32 at width 64.
    return [math.exp(score - 50 * 32) for score in scores]


@pytest.mark.parametrize(
    ("exponentials", "mistake"),
    [
        (_without_a_maximum, "maximum not subtracted"),
        (_one_maximum_for_all, "one maximum for all rows"),
    ],
)
def test_a_head_of_plain_numbers_must_stand_a_large_beta_too(exponentials, mistake):
    """`math.exp` and division by zero raise where NumPy's would give inf and nan."""

    def answer(table, k, beta):
        scores = beta * table @ np.array(shift(k, table.shape[1])) @ table.T
        if beta < 50:
            scores += 50 * 32 * (exponentials is _one_maximum_for_all) - scores.max()
        rows = [exponentials(row) for row in scores.tolist()]
        return [[value / sum(row) for value in row] for row in rows]

    assert exercises.look_back_weights.judge(answer).mistake == mistake


def test_a_head_must_stand_rows_of_different_lengths():
    def answer(table, k, beta):
        scores = beta * table @ np.array(shift(k, table.shape[1])) @ table.T
        weights = np.exp(scores - scores.max())  # one maximum for all
        return weights / weights.sum(axis=1, keepdims=True)

    feedback = exercises.look_back_weights.judge(answer)
    assert feedback.mistake == "one maximum for all rows"


@pytest.mark.usefixtures("status_only")
def test_a_step_back_that_looks_rows_up_is_told_from_which_rows_it_fails():
    def answer(given, k):
        rows = encoding.positional_encoding(100, len(given))
        return rows[np.abs(rows - given).sum(axis=1).argmin() - k]

    said = exercises.step_back.judge(answer).message
    assert "For the row at position 0 (width 4), `k=1`" in said
    assert "also wrong for the row at position 20000" in said


def test_stepping_back_through_the_matrix_is_right():
    def answer(given, k):
        return encoding.rotation_matrix(k, len(given)).T @ given

    assert exercises.step_back.judge(answer).status == "correct"


def test_walking_drifts_in_proportion_to_the_steps():
    step, walked = encoding.rotation_matrix(1, 64).astype(np.float32), []
    now = np.array(row(0, 64), dtype=np.float32)
    for pos in range(1, 3001):
        now = step @ now
        walked.append(np.abs(now - row(pos, 64)).max())
    for pos in (100, 1000, 3000):
        assert 0.2 <= walked[pos - 1] / (pos * 2.0**-24) <= 2


def test_the_drift_comes_from_the_rounded_matrix_and_one_jump_has_none():
    rounded = encoding.rotation_matrix(1, 64).astype(np.float32).astype(float)
    exact = encoding.rotation_matrix(1, 64)
    by_matrix, by_rows = np.array(row(0, 64)), np.array(row(0, 64), dtype=np.float32)
    for _ in range(3000):
        by_matrix = rounded @ by_matrix  # only the matrix was rounded
        by_rows = (exact @ by_rows).astype(np.float32)  # only the rows are
    by_matrix, by_rows = (np.abs(r - row(3000, 64)).max() for r in (by_matrix, by_rows))
    assert by_matrix >= 0.2 * 3000 * 2.0**-24
    assert by_rows <= by_matrix / 10
    for k in (10, 3000, 10_000):
        turn = encoding.rotation_matrix(k, 64).astype(np.float32)
        landed = turn @ np.array(row(1, 64), dtype=np.float32)
        assert np.abs(landed - row(k + 1, 64)).max() < 4 * 2.0**-24


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda k, theta: _block(k * theta)[:, ::-1], "columns exchanged"),
        (lambda k, theta: _block(k * theta)[::-1], "rows exchanged"),
    ],
)
def test_exchanged_columns_and_rows_are_named(answer, mistake):
    assert exercises.rotation_block.judge(answer).mistake == mistake


def _block(angle):
    return np.array(
        [
            [math.cos(angle), math.sin(angle)],
            [-math.sin(angle), math.cos(angle)],
        ]
    )


def test_a_softmax_divided_by_the_wrong_sums_is_named():
    def answer(table, k, beta):
        queries = table @ np.transpose(shift(-k, table.shape[1]))
        weights = np.exp(beta * queries @ table.T)
        return weights / weights.sum(axis=1)

    named = exercises.look_back_weights.judge(answer).mistake
    assert named == "divided by the sums of other rows"


# The head among words


def on_target(size, beta=5.0, columns=64, free=0, d_model=64, k=3, seed=0):
    """Attention weights on the position k back, words of a given size added."""
    random = np.random.default_rng(seed)
    words = size * random.normal(size=(100, d_model))
    words[:, :free] = 0
    x = (np.array([row(pos, d_model) for pos in range(100)]) + words)[:, :columns]
    back = np.array(shift(-k, d_model))[:columns, :columns]
    scores = beta * x @ back.T @ x.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.diagonal(weights / weights.sum(axis=1, keepdims=True), -k)


@pytest.mark.parametrize("seed", range(3))
def test_words_blur_the_head_and_room_of_its_own_keeps_it_sharp(seed):
    bare, tenth, usual = (on_target(s, seed=seed) for s in (0, 0.1, 1))
    assert bare.min() > 0.99
    assert 0.7 < tenth.mean() < 0.9
    assert tenth.min() < 0.05
    assert usual.mean() < 0.03
    sharper = on_target(0.1, beta=50, seed=seed).mean()
    fewer = on_target(0.1, columns=16, seed=seed).mean()
    own = on_target(1, columns=16, free=16, seed=seed)
    assert abs(sharper - tenth.mean()) < 0.08  # a larger beta hardly helps
    assert fewer > tenth.mean() + 0.05
    assert own.min() > 0.98


# What 50 rows determine


def test_120_digits_recover_the_matrix_that_float64_loses():
    d_model, k = 16, 3
    with mpmath.workdps(120):
        speeds = [
            mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / d_model) for i in range(8)
        ]
        rows = [
            [f(pos * speed) for speed in speeds for f in (mpmath.sin, mpmath.cos)]
            for pos in range(50)
        ]
        seen, later = mpmath.matrix(rows[:-k]), mpmath.matrix(rows[k:])
        found = ((seen.T * seen) ** -1 * (seen.T * later)).T
        far = np.array(found.tolist(), dtype=float) - shift(k, d_model)
        assert np.abs(far).max() < 1e-15
    table = np.array(rows, dtype=float)
    lost, *_ = np.linalg.lstsq(table[:-k], table[k:], rcond=1e-13)
    assert np.abs(lost.T - shift(k, d_model)).max() > 0.1
