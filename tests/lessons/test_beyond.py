"""Notebook 09: the references against plain loops, and other layouts of the table."""

import numpy as np
import pytest
from defined import definitions
from hypothesis import given
from hypothesis import strategies as st
from references import row, rows, turned_by_hand

from helpers.encoding import positional_encoding
from helpers.lessons import beyond


@pytest.mark.parametrize(("height", "width", "d_model"), [(3, 5, 8), (14, 9, 16)])
def test_two_axes_in_one_table(height, width, d_model):
    wanted = [
        row(r, d_model // 2) + row(c, d_model // 2)
        for r in range(height)
        for c in range(width)
    ]
    made = beyond.encode_patches.reference(height, width, d_model)
    assert made == pytest.approx(np.array(wanted), abs=1e-9)


@given(
    st.integers(1, 6),
    st.lists(
        st.tuples(st.integers(-50, 50), st.integers(0, 99)), min_size=1, max_size=5
    ),
    st.integers(0, 99),
)
def test_rotate_2d_is_two_rotations_side_by_side(quarter, patches, seed):
    x, (down, across) = rows(len(patches), 4 * quarter, seed), np.array(patches).T
    halves = x[:, : 2 * quarter], x[:, 2 * quarter :]
    wanted = [
        turned_by_hand(*part) for part in zip(halves, (down, across), strict=True)
    ]
    made = beyond.rotate_2d.reference(x, down, across)
    assert made == pytest.approx(np.hstack(wanted), abs=1e-9)


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=5), st.integers(1, 8))
def test_at_real_times_it_is_the_formula(times, pairs):
    made = beyond.timestep_table.reference(times, 2 * pairs)
    wanted = np.array([row(time, 2 * pairs) for time in times])
    assert made == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("d_model", [4, 10, 64])
def test_fourier_features_hold_the_papers_table(d_model):
    slowest = 10_000 ** (-(d_model - 2) / d_model)
    made = beyond.fourier_features.reference(np.arange(30), d_model, 1, slowest)
    assert made == pytest.approx(positional_encoding(30, d_model))


def test_diffusion_layouts_against_loops():
    made = definitions("beyond")["in_diffusion_code"]
    times = np.array([0.0, 3.5, 999])
    for flip, shift in ((False, 0), (True, 0), (False, 1), (True, 1)):
        for time, got in zip(times, made(times, 10, flip, shift), strict=True):
            angles = [time / 10_000 ** (i / (5 - shift)) for i in range(5)]
            waves = [np.sin(angles), np.cos(angles)]
            assert got == pytest.approx(np.concatenate(waves[::-1] if flip else waves))
