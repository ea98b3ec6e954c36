"""The reference, against the formula written out with `math` and by its properties."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import row, shift

from helpers import encoding

widths = st.integers(1, 40).map(lambda pairs: 2 * pairs)
lengths = st.integers(1, 60)
bases = st.floats(1.5, 1e6)
offsets = st.integers(-200, 200)


@given(lengths, widths, bases)
@settings(max_examples=50)
def test_the_table_is_the_papers(max_len, d_model, base):
    table = encoding.positional_encoding(max_len, d_model, base)
    assert table.shape == (max_len, d_model)
    assert table.dtype == np.float64
    rows = [row(pos, d_model, base) for pos in range(max_len)]
    np.testing.assert_allclose(table, rows, atol=1e-12)


@given(lengths, st.lists(st.floats(0.5, 50), min_size=1, max_size=5))
def test_clocks_of_any_periods(max_len, periods):
    table = encoding.encode_with_periods(max_len, periods)
    assert table.shape == (max_len, 2 * len(periods))
    angles = [2 * math.pi * (max_len - 1) / period for period in periods]
    pairs = [wave(angle) for angle in angles for wave in (math.sin, math.cos)]
    np.testing.assert_allclose(table[-1], pairs, atol=1e-9)


@given(offsets, widths)
def test_the_matrix_is_that_of_the_loops(k, d_model):
    made = encoding.rotation_matrix(k, d_model)
    np.testing.assert_allclose(made, shift(k, d_model), atol=1e-12)


@given(lengths, widths)
@settings(max_examples=30)
def test_distances_are_euclidean(n, d_model):
    table = encoding.positional_encoding(n, d_model)
    far = encoding.distances(table)
    for p, q in ((n // 3, n - 1), (n - 1, n // 3), (n - 1, n - 1)):
        assert math.isclose(far[p, q], math.dist(table[p], table[q]), abs_tol=1e-12)


@pytest.mark.parametrize(
    ("name", "arguments", "error", "words"),
    [
        ("angular_speeds", (7,), ValueError, "d_model must be even"),
        ("encode_with_periods", (3, []), ValueError, "periods must be a list"),
        ("encode_with_periods", (3, [4, 0]), ValueError, "periods must be"),
        ("rotation_matrix", (1.5, 8), TypeError, "k must be an integer"),
        ("distances", (np.zeros(3),), ValueError, "table must be"),
    ],
)
def test_bad_input_gets_one_clear_sentence(name, arguments, error, words):
    with pytest.raises(error, match=rf"\A{words}.*\Z"):
        getattr(encoding, name)(*arguments)
