"""Notebook 07: its explorables, read back."""

import math

import numpy as np
import pytest
from drawing import drawn
from references import row, turned_by_hand

from helpers.lessons.rotary import explore


@pytest.mark.parametrize(("pos", "k"), [(3, 4), (50, -7)])
@pytest.mark.parametrize("mode", explore.MODES)
def test_the_hands_score_as_computed_by_hand(pos, k, mode):
    marks = drawn(explore.hands, pos=pos, k=k, mode=mode)
    _line, dot = [m for m in marks if m.keys() == {"offset", "score"}]
    parts = [m["contribution"] for m in marks if "contribution" in m]
    hands = []
    for angles, place in ((explore._QUERY, pos), (explore._KEY, pos + k)):
        hand = np.transpose([np.sin(angles), np.cos(angles)]).ravel()
        if mode == explore.MODES[0]:
            (hand,) = turned_by_hand([hand], [place])
        else:
            hand = hand + row(place, 8)
        hands.append(hand)
    wanted = np.multiply(*hands).reshape(-1, 2).sum(axis=1)

    assert parts == pytest.approx(wanted, abs=1e-4)
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
    shown = [mark["sine"] for mark in marks if "sine" in mark]

    assert shown == pytest.approx(sines.ravel(), abs=0.006)

    wanted = [f"half turn {offset:,.1f}" for offset in half]
    carrier = (sines[:, : trained - 1] > 0).all(axis=1).argmax()
    wanted[carrier] = f"← {wanted[carrier]}"
    assert [mark["said"] for mark in marks if "said" in mark][:8] == wanted
