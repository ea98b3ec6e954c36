"""Notebook 06: its explorable, read back for every walk and both orders."""

import pytest
from drawing import drawn

from helpers.corners import CORNERS
from helpers.lessons.encoder_decoder.explore import next_corner

NAMES = ["lower left", "lower right", "upper right", "upper left"]


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize(
    ("turn", "step"), [("clockwise", -1), ("counter-clockwise", 1)]
)
def test_the_order_of_the_two_points_decides_the_next_corner(start, turn, step):
    for order in ("as walked", "exchanged"):
        marks = drawn(next_corner, start=NAMES[start], turn=turn, order=order)
        found = {m["part"]: (m["x"], m["y"]) for m in marks if "part" in m}
        walk = [(start + step * n) % 4 for n in range(3)]
        if order == "exchanged":
            walk = [walk[1], walk[0], (walk[0] - step) % 4]
        for part, corner in zip((0, 1, "?"), walk, strict=True):
            assert found[part] == pytest.approx(tuple(CORNERS[corner]))
