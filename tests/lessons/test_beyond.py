"""Notebook 09: the range of speeds."""

import numpy as np
import pytest

from helpers.encoding import positional_encoding
from helpers.lessons import beyond


@pytest.mark.parametrize("d_model", [4, 10, 64])
def test_fourier_features_hold_the_papers_table(d_model):
    slowest = 10_000 ** (-(d_model - 2) / d_model)
    made = beyond.fourier_features.reference(np.arange(30), d_model, 1, slowest)
    assert made == pytest.approx(positional_encoding(30, d_model))
