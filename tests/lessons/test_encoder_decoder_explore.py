"""Notebook 06: its explorable, read back for every walk and both orders."""

import pytest
from drawing import drawn

from helpers.corners import CORNERS
from helpers.lessons.encoder_decoder.explore import next_corner

TURNS = {"clockwise": -1, "counter-clockwise": 1}


@pytest.mark.parametrize("turn", TURNS)
def test_the_order_of_the_two_points_decides_the_next_corner(turn):
    step = TURNS[turn]
    one, other = 0, step
    walked = {
        "as walked": (one, other, other + step),
        "exchanged": (other, one, one - step),
    }
    for order, walk in walked.items():
        for answer, shown in (("hidden", 2), ("shown", 3)):
            chosen = {"turn": turn, "order": order}
            marks = drawn(next_corner, **chosen, answer=answer)
            found = {m["point"]: (m["x"], m["y"]) for m in marks if "point" in m}
            places = [tuple(CORNERS[corner % 4]) for corner in walk[:shown]]
            assert found == dict(enumerate(places))
