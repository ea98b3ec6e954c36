"""The explorable of notebook 06: two points of a walk, and the corner that comes next."""

import altair as alt
import pandas as pd

from helpers import corners
from helpers.draw.channels import linear_scale, title
from helpers.draw.controls import choice
from helpers.draw.look import BAD, GOOD, MUTED
from helpers.draw.renderer import PAGE_INK, data

_NAMES = ["lower left", "lower right", "upper right", "upper left"]
_TURNS = {"counter-clockwise": 1, "clockwise": 3}


def next_corner():
    """A walk round a square: its first two points, and where it goes on.

    Buttons choose the first corner, the direction, and in which order a reader is told
    the two points. The order decides which corner comes next.
    """
    frame = pd.DataFrame(corners.CORNERS, columns=["x", "y"])
    frame["corner"] = range(4)
    step = f"(turn == 'clockwise' ? {_TURNS['clockwise']} : 1)"
    begin = f"indexof({_NAMES}, start)"
    second = f"(({begin} + {step}) % 4)"
    told_first = f"(order == 'as walked' ? {begin} : {second})"
    told_last = f"(order == 'as walked' ? {second} : {begin})"
    after = f"((2 * {told_last} - {told_first} + 4) % 4)"
    across = (
        f"({told_last} == ({told_first} + 3) % 4 ? ({told_last} + 3) % 4 : {after})"
    )
    base = alt.Chart(data(frame)).encode(
        alt.X("x:Q", scale=linear_scale(-1.6, 1.6), axis=None),
        alt.Y("y:Q", scale=linear_scale(-1.6, 1.6), axis=None),
    )
    place = base.transform_calculate(
        part=f"datum.corner == {told_first} ? '0' : datum.corner == {told_last} ? '1'"
        f" : datum.corner == {across} ? '?' : ''"
    )
    given = place.transform_filter("datum.part == '0' || datum.part == '1'")
    coming = place.transform_filter("datum.part == '?'")
    square = base.mark_point(shape="square", size=90, color=MUTED, opacity=0.6)
    rings = given.mark_point(
        size=700, fill=GOOD, stroke=GOOD, fillOpacity=0.25, opacity=1
    )
    answer = coming.mark_point(size=700, color=BAD, strokeWidth=3, opacity=1)
    labels = place.transform_filter("datum.part != ''").mark_text(
        fontSize=18, fontWeight="bold", color=PAGE_INK
    )
    head = f"'the walk goes on to the ' + {_NAMES}[{across}] + ' corner'"
    description = (
        "A square with two points of a walk, marked 0 and 1, and the corner that comes "
        "next, marked with a question mark. Buttons choose where the walk starts, which "
        "way it goes round, and whether the two points are told as walked or exchanged. "
        "Exchanged, the same two points lead to another corner."
    )
    return (
        alt.layer(
            square, rings, answer, labels.encode(text="part:N"), width=260, height=260
        )
        .add_params(
            *choice("start", _NAMES[0], _NAMES, "the walk starts"),
            *choice("turn", "clockwise", list(_TURNS), "and goes round"),
            *choice("order", "as walked", ["as walked", "exchanged"], "told"),
        )
        .properties(
            title=title(head, subtitle="exchange the two points"),
            description=description,
        )
    )
