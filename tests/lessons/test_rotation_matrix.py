"""Notebook 03: whatever is right from position 0 only is told so."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from references import shift

from helpers.lessons import rotation_matrix


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
