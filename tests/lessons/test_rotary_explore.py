"""Notebook 07: its explorables, read back and by their texts."""

import math

import numpy as np
import pytest
from drawing import drawn

from helpers.lessons.rotary import explore


def hands_drawn(pos, k, mode):
    marks = drawn(explore.hands, pos=pos, k=k, mode=mode)
    _line, dot = [m for m in marks if m.keys() == {"offset", "score"}]
    assert dot["offset"] == k
    return dot["score"], [m["contribution"] for m in marks if "contribution" in m]


@pytest.mark.parametrize(("pos", "k"), [(3, 4), (50, -7)])
@pytest.mark.parametrize("mode", explore.MODES)
def test_the_hands_score_as_computed_by_hand(pos, k, mode):
    score, parts = hands_drawn(pos, k, mode)
    wanted = []
    for i, (q, s) in enumerate(zip(explore._QUERY, explore._KEY, strict=True)):
        here, there = (p / 10_000 ** (i / 4) for p in (pos, pos + k))
        if mode == explore.MODES[0]:  # clockwise: the direction grows with the angle
            wanted.append(math.cos((q + here) - (s + there)))
        else:
            query = math.sin(q) + math.sin(here), math.cos(q) + math.cos(here)
            key = math.sin(s) + math.sin(there), math.cos(s) + math.cos(there)
            wanted.append(query[0] * key[0] + query[1] * key[1])
    assert parts == pytest.approx(wanted, abs=1e-4)
    assert score == pytest.approx(sum(wanted), abs=1e-4)


def test_moving_both_changes_no_score_only_when_rotated():
    rotated, added = (
        [hands_drawn(pos, 5, mode)[0] for pos in (3, 90)] for mode in explore.MODES
    )
    assert rotated == pytest.approx([rotated[0]] * 2, abs=1e-5)
    assert max(added) - min(added) > 0.5


@pytest.mark.parametrize(
    ("base", "trained", "carrier"),
    [(10**4, 16, 2), (10**4, 8, 1), (10**3, 16, 2), (10**6, 16, 1)],
)
def test_the_strips_are_the_sines_and_the_carrier_is_the_fastest_right_one(
    base, trained, carrier
):
    marks = drawn(explore.signs, base=base, trained=trained)
    strips = [mark for mark in marks if "sine" in mark]
    assert len(strips) == 8 * 63
    half = [math.pi * base ** (2 * pair / 16) for pair in range(8)]
    for mark in strips:
        pair = int(mark["name"][-1]) if "name" in mark else strips.index(mark) // 63
        wanted = math.sin(mark["offset"] * math.pi / half[pair])
        assert mark["sine"] == pytest.approx(wanted, abs=0.006)
    told = [mark["said"] for mark in marks if "said" in mark]
    assert [said.startswith("←") for said in told].index(True) == carrier
    right = [(np.sin(np.arange(1, trained) * math.pi / h) > 0).all() for h in half]
    assert right.index(True) == carrier
    for said, h in zip(told, half, strict=True):
        assert said.endswith(f"half turn {h:,.1f}")
