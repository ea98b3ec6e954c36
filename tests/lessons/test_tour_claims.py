"""What notebook 00 states, computed again at other settings."""

import numpy as np
import pytest
from defined import cells, definitions

from helpers import encoding

NOTEBOOK = definitions("tour")


@pytest.mark.parametrize("seed", [3, 4])
@cells("dog-result")
def test_the_dog_is_the_same_without_positions(seed):
    rng = np.random.default_rng(seed)
    for name in ("to_query", "to_key", "to_value"):
        NOTEBOOK[name] = rng.normal(size=(16, 16)) / 4
    attention, words = NOTEBOOK["attention"], rng.normal(size=(4, 16))
    the, cat, dog, chased = words
    one, two = (
        np.array([the, cat, chased, the, dog]),
        np.array([the, dog, chased, the, cat]),
    )
    assert np.allclose(attention(one)[4], attention(two)[1])
    table = encoding.positional_encoding(5, 16)
    placed = attention(one + table)[4] - attention(two + table)[1]
    assert np.abs(placed).max() > 0.1


@cells("digits")
def test_digits_jump():
    bits = np.arange(16)[:, None] >> np.arange(4) & 1
    changed = np.abs(np.diff(bits, axis=0)).sum(axis=1)
    assert changed[7] == 4 and changed[8] == 1


@pytest.mark.parametrize(("k", "width"), [(3, 64), (-7, 32)])
@cells("rotation", "rotary-result")
def test_one_matrix_moves_every_row_and_scores_see_the_offset(k, width):
    table = encoding.positional_encoding(300, width)
    matrix = encoding.rotation_matrix(k, width)
    for pos in (20, 150, 280):
        assert np.allclose(matrix @ table[pos], table[pos + k])
    query, key = np.random.default_rng(1).normal(size=(2, width))
    scores = [
        (encoding.rotation_matrix(pos, width) @ query)
        @ (encoding.rotation_matrix(pos - k, width) @ key)
        for pos in (10, 1000)
    ]
    assert scores[0] == pytest.approx(scores[1])


@cells("verdict-folds")
def test_the_verdicts():
    table = encoding.positional_encoding(5000, 8)
    far = np.linalg.norm(table - table[0], axis=1)
    assert far[4] < far[3] and far[63] < far[1]
    assert far[1:].min() > 0.5, "no row comes back"
    speeds = encoding.angular_speeds(512)
    assert speeds.min() >= 1e-4 and speeds.max() == 1
