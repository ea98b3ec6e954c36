"""Notebook 09: the range of speeds, and other layouts of the table."""

import numpy as np
import pytest
from defined import definitions

from helpers.encoding import positional_encoding
from helpers.lessons import beyond


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
