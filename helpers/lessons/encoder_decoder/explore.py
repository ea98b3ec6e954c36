"""The explorable of notebook 06: two points of a walk, and the corner that comes next."""

from itertools import product

import altair as alt
import numpy as np
import pandas as pd

from helpers.corners import CORNERS
from helpers.draw.channels import linear_scale, title
from helpers.draw.controls import choice
from helpers.draw.look import DIVERGING_COLOURS, MUTED, PAPER
from helpers.draw.renderer import PAGE_INK, data

_TURNS = {"clockwise": -1, "counter-clockwise": 1}
_ORDERS = {"as walked": (0, 1, 2), "exchanged": (1, 0, 3)}
_NEXT = (
    "order == 'as walked' ? 'upper right' : turn == 'clockwise' ? 'lower right'"
    " : 'upper left'"
)


def next_corner():
    """Two points of a walk round a square, and the corner that comes next.

    Buttons choose the direction, in which order a reader is told the two points, and
    whether the next corner is shown. The order decides which it is.
    """
    rows = [
        (turn, order, n, (_TURNS[turn] * _ORDERS[order][n]) % 4)
        for turn, order, n in product(_TURNS, _ORDERS, range(3))
    ]
    frame = pd.DataFrame(rows, columns=["turn", "order", "point", "corner"])
    frame[["x", "y"]] = np.array(CORNERS)[frame.pop("corner")]
    wide = "1.35 * width / height"  # so that the square is one
    ends = linear_scale(alt.expr(f"-{wide}"), alt.expr(wide))
    x = alt.X("x:Q", scale=ends, axis=None)
    y = alt.Y("y:Q", scale=linear_scale(-1.35, 1.35), axis=None)
    round_it = pd.DataFrame(np.array(CORNERS)[[0, 1, 2, 3, 0]], columns=["x", "y"])
    sides = alt.Chart(data(round_it.reset_index())).encode(x, y)
    square = sides.mark_line(color=MUTED, strokeDash=[2, 4]).encode(order="index:Q")
    points = (
        alt.Chart(data(frame))
        .transform_filter("datum.turn == turn && datum.order == order")
        .encode(x, y)
    )
    walk = points.transform_filter("datum.point < (answer == 'shown' ? 3 : 2)")
    line = walk.mark_line(color=PAGE_INK, strokeWidth=2).encode(order="point:Q")
    # An arrow's head in the middle between a point and the one before it.
    heads = (
        walk.transform_window(
            from_x="lag(x)", from_y="lag(y)", sort=[alt.SortField("point")]
        )
        .transform_filter("datum.point > 0")
        .transform_calculate(
            turned="atan2(datum.x - datum.from_x, datum.y - datum.from_y) * 180 / PI",
            x="(datum.x + datum.from_x) / 2",
            y="(datum.y + datum.from_y) / 2",
        )
        .mark_point(shape="triangle", size=220, fill=PAGE_INK, stroke=None, opacity=1)
        .encode(angle=alt.Angle("turned:Q", scale=None))
    )
    free = "datum.index == 2 || datum.index == (turn == 'clockwise' ? 1 : 3)"
    asked = sides.transform_filter(f"answer == 'hidden' && ({free})")
    look = {"fontSize": 20, "fontWeight": "bold"}
    # Dark enough, on a dark page too, for white figures.
    given = DIVERGING_COLOURS[0]
    colour = alt.condition(
        "datum.point < 2", alt.value(given), alt.value(DIVERGING_COLOURS[-1])
    )
    discs = walk.mark_circle(size=1100, opacity=1).encode(color=colour)
    labels = walk.mark_text(**look, color=PAPER).encode(text="point:N")
    doubt = asked.mark_text(**look, dx=22).encode(text=alt.value("?"))
    head = f"answer == 'shown' ? 'Told ' + order + ', the walk goes on to the ' + ({_NEXT})"
    description = (
        "A square with two points of a walk from its lower left corner, numbered 0 and "
        "1. Buttons choose which way it goes round, whether the two points are told as "
        "walked or exchanged, and whether the next corner is shown. Exchanged, the same "
        "two points lead to another corner."
    )
    return (
        alt.layer(doubt, square, line, heads, discs, labels)
        .add_params(
            *choice("turn", "clockwise", list(_TURNS), "the walk goes"),
            *choice("order", "as walked", list(_ORDERS), "you are told 0 and 1"),
            *choice("answer", "hidden", ["hidden", "shown"], "the next corner"),
        )
        .properties(
            width=800,
            height=300,
            title=title(f"({head} : 'Points 0 and 1: which corner comes next?')"),
            description=description,
        )
    )
