"""Notebook 03: the shift matrix for any width and offset, and what its checks demand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import row, shift

from helpers import encoding
from helpers.lessons import rotation_matrix

WIDTHS = st.integers(1, 64).map(lambda pairs: 2 * pairs)
OFFSETS = st.integers(-150, 150)


@settings(max_examples=60, deadline=None)
@given(k=OFFSETS, pos=st.integers(0, 199), d_model=WIDTHS)
def test_one_matrix_moves_rows_of_any_width(k, pos, d_model):
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


@settings(max_examples=15, deadline=None)
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

    feedback = rotation_matrix.full_rotation.judge(answer)
    assert feedback.mistake == "right only from position 0"


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("any even width", lambda k, d: shift(k, d) if d in (2, 8) else np.eye(d)),
        ("any k", lambda k, d: np.linalg.matrix_power(shift(1, d), max(k, 0))),
        ("an array (d, d)", lambda k, d: np.array(shift(k, d))[None]),
    ],
)
def test_a_matrix_must_do_all_that_is_asked(demand, answer):
    assert rotation_matrix.full_rotation.judge(answer).status == "incorrect", demand


def _searching(furthest):
    """Finds the position of the row in a table, then looks up the row before."""

    def answer(given, k):
        table = encoding.positional_encoding(furthest, len(given))
        pos = int(np.abs(table - given).sum(axis=1).argmin())
        return row(pos - k, len(given)) if pos >= k else table[0]

    return answer


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("any position", _searching(1000)),
        ("before position 0", _searching(30_000)),
        ("shape (d_model,)", lambda given, k: (shift(-k, len(given)) @ given)[None]),
    ],
)
def test_a_step_back_must_do_all_that_is_asked(demand, answer):
    assert rotation_matrix.step_back.judge(answer).status == "incorrect", demand


def _weights(table, k, beta, scale=1.0, highest=math.inf):
    scores = scale * beta * table @ np.array(shift(k, table.shape[1])) @ table.T
    scores = np.minimum(scores, highest)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _nothing_before_0(table, k, beta):
    weights = _weights(table, k, beta)
    weights[: max(k, 0)] = 0
    return weights


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("no other scale", lambda t, k, b: _weights(t, k, b, t.shape[1] ** -0.5)),
        ("no clipping", lambda t, k, b: _weights(t, k, b, highest=700)),
        ("first rows like all others", _nothing_before_0),
    ],
)
def test_a_head_must_do_all_that_is_asked(demand, answer):
    assert rotation_matrix.look_back_weights.judge(_weights).status == "correct"
    assert rotation_matrix.look_back_weights.judge(answer).status == "incorrect", demand
