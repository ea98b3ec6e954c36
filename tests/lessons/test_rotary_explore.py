"""Notebook 07: its explorables, read back."""

import math

import numpy as np
import pytest
from drawing import drawn, values
from references import row, turned_by_hand

from helpers.lessons.rotary import explore


@pytest.mark.parametrize(("pos", "k"), [(3, 4), (50, -7)])
@pytest.mark.parametrize("mode", explore.MODES)
def test_the_hands_score_as_computed_by_hand(pos, k, mode):
    marks = drawn(explore.hands, pos=pos, k=k, mode=mode)
    _line, dot = [m for m in marks if m.keys() == {"offset", "score"}]
    angles, places = np.array([explore._QUERY, explore._KEY]), [pos, pos + k]
    hands = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(2, 8)
    if mode == explore.MODES[0]:
        hands = turned_by_hand(hands, places)
    else:
        hands = hands + [row(place, 8) for place in places]
    wanted = np.multiply(*hands).reshape(-1, 2).sum(axis=1)

    assert values(marks, "contribution") == pytest.approx(wanted, abs=1e-4)
    assert dot["offset"] == k
    assert dot["score"] == pytest.approx(sum(wanted), abs=1e-4)


@pytest.mark.parametrize(
    ("base", "trained"),
    [
        (10**4, 16),
        (10**4, 8),
        (10**6, 16),
    ],
)
def test_the_strips_are_the_sines_and_the_arrow_is_at_the_fastest_right_one(
    base, trained
):
    marks = drawn(explore.signs, base=base, trained=trained)
    half = math.pi * base ** (np.arange(8) / 8)
    sines = np.sin(math.pi * np.arange(1, 64) / half[:, None])

    assert values(marks, "sine") == pytest.approx(sines.ravel(), abs=0.006)

    wanted = [f"half turn {offset:,.1f}" for offset in half]
    carrier = (sines[:, : trained - 1] > 0).all(axis=1).argmax()
    wanted[carrier] = f"← {wanted[carrier]}"
    assert values(marks, "said")[:8] == wanted
