"""Notebook 04: distance, dot product and trace are one, for any width and offset."""

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


def test_the_picture_of_falls_gives_away_one_case_only():
    # Notebook 04 draws widths 8, 128 and 512 just before the exercise.
    tested = {d_model for (d_model,) in distances.first_fall.cases}
    assert tested & {8, 128, 512} == {8}
