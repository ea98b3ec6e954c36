"""What notebook 00 states, computed again at other settings."""

import numpy as np
from defined import cells, definitions

from helpers import encoding

NOTEBOOK = definitions("tour", ["rng", "to_query", "to_key", "to_value"])


@cells("dog-result")
def test_the_dog_is_the_same_without_positions():
    words, attention = (
        np.random.default_rng(3).normal(size=(5, 16)),
        NOTEBOOK["attention"],
    )
    table, moved = encoding.positional_encoding(5, 16), words[[0, 4, 2, 3, 1]]
    assert np.allclose(attention(words)[4], attention(moved)[1])
    placed = attention(words + table)[4] - attention(moved + table)[1]
    assert np.abs(placed).max() > 0.1


@cells("verdict-folds")
def test_the_verdicts():
    table = encoding.positional_encoding(5000, 8)
    far = np.linalg.norm(table - table[0], axis=1)
    assert far[4] < far[3]
    assert far[63] < far[1]
    assert far[1:].min() > 0.5, "no row comes back"
    speeds = encoding.angular_speeds(512)
    assert speeds.min() >= 1e-4
    assert speeds.max() == 1
