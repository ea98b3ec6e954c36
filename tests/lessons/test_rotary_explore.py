"""Notebook 07: its explorables, read back."""

import math

import numpy as np
import pytest
from drawing import drawn
from references import turned_by_hand

from helpers.lessons.rotary import explore


@pytest.mark.parametrize(("pos", "k"), [(3, 4), (50, -7)])
@pytest.mark.parametrize("mode", explore.MODES)
def test_the_hands_score_as_computed_by_hand(pos, k, mode):
    marks = drawn(explore.hands, pos=pos, k=k, mode=mode)
    _line, dot = [m for m in marks if m.keys() == {"offset", "score"}]
    parts = [m["contribution"] for m in marks if "contribution" in m]
    hands = []
    for angles, place in ((explore._QUERY, pos), (explore._KEY, pos + k)):
        start = [f(angle) for angle in angles for f in (math.sin, math.cos)]
        (moved,) = turned_by_hand([start], [place])
        (row,) = turned_by_hand([[0, 1] * 4], [place])
        hands.append(moved if mode == explore.MODES[0] else row + start)
    wanted = np.multiply(*hands).reshape(-1, 2).sum(axis=1)
    assert parts == pytest.approx(wanted, abs=1e-4)
    assert [dot["offset"], dot["score"]] == pytest.approx([k, sum(wanted)], abs=1e-4)


@pytest.mark.parametrize(
    ("base", "trained", "carrier"),
    [(10**4, 16, 2), (10**4, 8, 1), (10**3, 16, 2), (10**6, 16, 1)],
)
def test_the_strips_are_the_sines_and_the_arrow_is_at_the_fastest_right_one(
    base, trained, carrier
):
    marks = drawn(explore.signs, base=base, trained=trained)
    half = [math.pi * base ** (pair / 8) for pair in range(8)]
    wanted = [math.sin(k * math.pi / h) for h in half for k in range(1, 64)]
    drawn_sines = [mark["sine"] for mark in marks if "sine" in mark]
    assert drawn_sines == pytest.approx(wanted, abs=0.006)
    told = [mark["said"] for mark in marks if "said" in mark]
    arrows = ["← " * (pair == carrier) for pair in range(8)]
    assert told == [f"{a}half turn {h:,.1f}" for a, h in zip(arrows, half, strict=True)]
    right = [min(wanted[63 * n : 63 * n + trained - 1]) > 0 for n in range(8)]
    assert right.index(True) == carrier
