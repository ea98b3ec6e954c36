"""The explorable of notebook 06: two points of a walk, and the corner that comes next."""

from itertools import product

import altair as alt
import numpy as np
import pandas as pd

from helpers.corners import CORNERS
from helpers.draw.channels import linear_scale
from helpers.draw.controls import choice
from helpers.draw.look import BAD, GOOD, MUTED
from helpers.draw.renderer import PAGE_INK, data

_NAMES = ["lower left", "lower right", "upper right", "upper left"]
_TURNS = {"counter-clockwise": 1, "clockwise": -1}
_ORDERS = {"as walked": (0, 1, 2), "exchanged": (1, 0, 3)}


def next_corner():
    """Two points of a walk round a square, and the corner that comes next.

    Buttons choose the first corner, the direction, in which order a reader is told the
    two points, and whether the next corner is shown. The order decides which it is.
    """
    ways = product(range(4), _TURNS, _ORDERS, range(3))
    rows = [
        (_NAMES[start], turn, order, n, (start + _TURNS[turn] * _ORDERS[order][n]) % 4)
        for start, turn, order, n in ways
    ]
    frame = pd.DataFrame(rows, columns=["start", "turn", "order", "point", "corner"])
    frame[["x", "y"]] = np.array(CORNERS)[frame.pop("corner")]
    chosen = "datum.start == start && datum.turn == turn && datum.order == order"
    x = alt.X("x:Q", scale=linear_scale(-1.4, 1.4), axis=None)
    y = alt.Y("y:Q", scale=linear_scale(-1.4, 1.4), axis=None)
    round_it = pd.DataFrame(np.array(CORNERS)[[0, 1, 2, 3, 0]], columns=["x", "y"])
    sides = alt.Chart(data(round_it.reset_index())).encode(x, y, order="index:Q")
    square = sides.mark_line(color=MUTED, strokeDash=[2, 4])
    points = alt.Chart(data(frame)).transform_filter(chosen).encode(x, y)
    given = points.transform_filter("datum.point < 2")
    coming = points.transform_filter("datum.point == 2 && answer == 'shown'")
    rings = given.mark_point(size=700, fill=GOOD, stroke=GOOD, fillOpacity=0.25)
    circle = coming.mark_point(size=700, color=BAD, strokeWidth=3, opacity=1)
    look = {"fontSize": 18, "fontWeight": "bold", "color": PAGE_INK}
    labels = [p.mark_text(**look).encode(text="point:N") for p in (given, coming)]
    description = (
        "A square with two points of a walk, numbered 0 and 1. Buttons choose where the "
        "walk starts, which way it goes round, whether the two points are told as walked "
        "or exchanged, and whether the next corner is shown. Exchanged, the same two "
        "points lead to another corner."
    )
    return (
        alt.layer(square, rings, circle, *labels)
        .add_params(
            *choice("start", _NAMES[0], _NAMES, "the walk starts"),
            *choice("turn", "clockwise", list(_TURNS), "and goes round"),
            *choice("order", "as walked", list(_ORDERS), "told"),
            *choice("answer", "hidden", ["hidden", "shown"], "the next corner"),
        )
        .properties(
            width=220,
            height=220,
            title="Which corner comes next?",
            description=description,
        )
    )
