"""Notebook 06: its explorable, read back for every walk and both orders."""

import pytest
from drawing import drawn

from helpers.corners import CORNERS
from helpers.lessons.encoder_decoder.explore import next_corner


@pytest.mark.parametrize(
    ("turn", "order", "walk"),
    [
        ("clockwise", "as walked", [0, -1, -2]),
        ("clockwise", "exchanged", [-1, 0, 1]),
        ("counter-clockwise", "as walked", [0, 1, 2]),
        ("counter-clockwise", "exchanged", [1, 0, -1]),
    ],
)
@pytest.mark.parametrize(("answer", "shown"), [("hidden", 2), ("shown", 3)])
def test_the_order_of_the_two_points_decides_the_next_corner(
    turn, order, walk, answer, shown
):
    marks = drawn(next_corner, turn=turn, order=order, answer=answer)
    found = {m["point"]: (m["x"], m["y"]) for m in marks if "point" in m}
    assert found == dict(enumerate(map(tuple, CORNERS[walk[:shown]])))
