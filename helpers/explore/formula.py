"""Explorables of notebook 01: the dials, the waves, the table."""

import altair as alt
import numpy as np
import pandas as pd

from helpers import encoding
from helpers.explore.controls import choice, controls
from helpers.explore.dials import pair_colours
from helpers.explore.renderer import data
from helpers.look import INK, MUTED, pair_colour
from helpers.pictures.formula import calm_side


def dial_explorer(d_model=8, furthest=1000):
    """One hand per pair of columns; the position moves hands and table row together.

    The hand of pair ``i`` points at (sine, cosine) of ``pos * theta_i``, clockwise
    from twelve o'clock; the two cells under it are the columns ``2i`` and ``2i + 1``.
    """
    pairs = d_model // 2
    frame = pd.DataFrame({"pair": range(pairs)})
    frame["theta"] = encoding.angular_speeds(d_model)
    unit, radius, head = 152, 66, 30  # pixels: a dial's cell, a hand, the caption
    reach = radius / unit
    base = alt.Chart(data(frame)).transform_calculate(
        angle="pos * datum.theta",
        sine="sin(datum.angle)",
        cosine="cos(datum.angle)",
        middle="datum.pair + 0.5",
        hub="0",
        above=f"{(radius + 7 + head / 2) / unit}",
        tip_x=f"datum.pair + 0.5 + {reach} * datum.sine",
        tip_y=f"{reach} * datum.cosine",
        turns="datum.angle / (2 * PI)",
        caption="'pair ' + datum.pair + ':  ' + format(datum.turns, '.2f') + ' turns'",
    )
    across = alt.X("middle:Q", scale=alt.Scale(domain=[0, pairs]), axis=None)
    tall = 2 * radius + 14 + head
    level = alt.Scale(domain=[-(radius + 7) / unit, (radius + 7 + head) / unit])
    up = alt.Y("tip_y:Q", scale=level, axis=None)
    colour = alt.Color(
        "pair:N", scale=pair_colours(range(pairs)), legend=None, title="pair of columns"
    )
    tooltip = [
        alt.Tooltip("pair:O"),
        alt.Tooltip("theta:Q", title="radians per step"),
        alt.Tooltip("sine:Q", format=".4f"),
        alt.Tooltip("cosine:Q", format=".4f"),
    ]
    face = base.mark_point(
        shape="circle",
        size=(2 * radius) ** 2,
        stroke=MUTED,
        strokeWidth=1,
        filled=False,
    ).encode(across, alt.Y("hub:Q", scale=level, axis=None))
    hand = base.mark_rule(strokeWidth=4, strokeCap="round").encode(
        across,
        alt.Y("hub:Q", scale=level, axis=None),
        x2="tip_x:Q",
        y2="tip_y:Q",
        color=colour,
        tooltip=tooltip,
    )
    tip = base.mark_circle(size=90, opacity=1).encode(
        alt.X("tip_x:Q", scale=alt.Scale(domain=[0, pairs]), axis=None),
        up,
        color=colour,
        tooltip=tooltip,
    )
    caption = base.mark_text(fontSize=12, color=INK).encode(
        across, alt.Y("above:Q", scale=level, axis=None), text="caption:N"
    )
    faces = face + hand + tip + caption
    faces = faces.properties(width=unit * pairs, height=tall)
    return (
        alt.vconcat(faces, _row_cells(base, pairs, unit * pairs), spacing=4)
        .add_params(*controls("pos", 3, 0, furthest, "position"))
        .properties(
            title=alt.TitleParams(text=alt.ExprRef("'position ' + pos")),
            description=(
                f"{pairs} clock dials, one for each pair of a table of width {d_model}; "
                "under them the row of the table: the sine and the cosine of each hand's "
                "angle. A slider and a number box set the position, 0 to "
                f"{furthest}. At {furthest}, pair 0 has made "
                f"{furthest / (2 * np.pi):.3g} turns, and pair {pairs - 1} "
                f"{furthest * frame['theta'].iloc[-1] / (2 * np.pi):.3g}."
            ),
        )
    )


def _row_cells(base, pairs, width):
    cells = base.transform_fold(["sine", "cosine"], as_=["wave", "value"])
    cells = cells.transform_calculate(
        column="2 * datum.pair + (datum.wave == 'cosine' ? 1 : 0)",
        left="datum.column / 2 + 0.02",
        right="datum.column / 2 + 0.48",
        centre="datum.column / 2 + 0.25",
        head="'column ' + datum.column + '\\n(' + slice(datum.wave, 0, 3) + ')'",
        ink="datum.value > 0.735 || datum.value < -0.79 ? 'white' : 'black'",
    )
    domain = alt.Scale(domain=[0, pairs])
    box = cells.mark_rect().encode(
        alt.X("left:Q", scale=domain, axis=None),
        alt.X2("right:Q"),
        color=signed("value:Q", legend=None),
        tooltip=["column:O", "wave:N", alt.Tooltip("value:Q", format=".4f")],
    )
    number = cells.mark_text(fontSize=13).encode(
        alt.X("centre:Q", scale=domain, axis=None),
        text=alt.Text("value:Q", format=".4f"),
        color=alt.Color("ink:N", scale=None, legend=None),
    )
    head = cells.mark_text(
        fontSize=11, dy=-38, lineBreak="\n", lineHeight=13, color=MUTED
    ).encode(alt.X("centre:Q", scale=domain, axis=None), text="head:N")
    both = (box + number).properties(width=width, height=34)
    return (both + head).resolve_scale(color="independent")


def sinusoids(table, columns=None):
    """Columns of a table as waves: all of them, or those listed.

    ``table`` of shape (positions, columns). Sine solid, cosine dashed; a rule under
    the pointer reads off every wave at that position. A slider and the legend choose
    waves, dragging moves the picture, Shift and the wheel zoom.
    """
    frame = _long(table)
    if columns is not None:
        frame = frame[frame["column"].isin(columns)].reset_index(drop=True)
    columns = sorted(frame["column"].unique())
    frame["name"] = [f"{c} ({'cos' if c % 2 else 'sin'})" for c in frame["column"]]
    names = list(dict.fromkeys(frame["name"]))
    pairs = sorted({int(c) // 2 for c in columns})
    pair = choice("pair", -1, [-1, *pairs], "pair shown (all at the left end)")
    pick = alt.selection_point(name="columns", fields=["name"], bind="legend")
    # The plain wheel scrolls the page.
    zoom = alt.selection_interval(
        name="zoom", bind="scales", encodings=["x"], zoom="wheel![event.shiftKey]"
    )
    near = alt.selection_point(
        name="hover", fields=["position"], on="pointerover", clear="pointerout"
    )
    last = int(frame["position"].max())
    x = alt.X(
        "position:Q",
        title="position",
        scale=alt.Scale(domain=[0, last], nice=False),
    )
    base = (
        alt.Chart(data(frame))
        .encode(x)
        .transform_filter("pair < 0 || floor(datum.column / 2) == pair")
    )
    # One strip a position catches the pointer: quicker than every dot of every wave.
    here = "isDefined(hover.position) && datum.position == hover.position[0]"
    strips = alt.Chart(alt.sequence(0, last + 1, as_="position"))
    legend = alt.Legend(symbolType="stroke", symbolStrokeWidth=3, symbolSize=400)
    told = {"sort": names, "title": "column", "legend": legend}
    colours = [pair_colour(int(c) // 2) for c in columns]
    colour = alt.Color("name:N", scale=alt.Scale(domain=names, range=colours), **told)
    dashes = [[5, 4] if int(c) % 2 else [1, 0] for c in columns]
    dash = alt.StrokeDash("name:N", scale=alt.Scale(domain=names, range=dashes), **told)
    shown = alt.condition(pick, alt.value(1), alt.value(0.06))
    waves = base.mark_line(strokeWidth=1.6, clip=True, strokeJoin="round").encode(
        alt.Y("value:Q", title="value", scale=alt.Scale(domain=[-1.1, 1.1])),
        colour,
        dash,
        opacity=shown,
    )
    read = base.transform_filter(here).transform_filter(pick)
    dots = read.mark_point(filled=True, size=55, clip=True, opacity=1).encode(
        alt.Y("value:Q"),
        colour,
        tooltip=["position:Q", "name:N", alt.Tooltip("value:Q", format=".4f")],
    )
    rule = strips.transform_filter(here).mark_rule(color=MUTED, clip=True).encode(x)
    catcher = (
        strips.transform_calculate(
            left="datum.position - 0.5", right="datum.position + 0.5"
        )
        .mark_rect(opacity=0, clip=True)
        .encode(alt.X("left:Q"), alt.X2("right:Q"))
        .add_params(near)
    )
    chart = catcher + waves.add_params(pick, *pair, zoom) + rule + dots
    return chart.properties(
        width=600,
        height=260,
        title=alt.Title(
            alt.expr(
                "pair < 0 ? 'all pairs' : 'pair ' + pair + ': columns ' + 2 * pair"
                " + ' and ' + (2 * pair + 1)"
            ),
            subtitle="drag to move, Shift and wheel to zoom, double-click to go back",
            subtitleColor=MUTED,
        ),
        description=(
            f"Columns {columns[0]} to {columns[-1]} of an encoding table as waves over "
            f"{len(table)} positions, sine solid and cosine dashed, one colour per pair. "
            f"{_crossings(frame)} Choose a pair with the slider, or click a column in "
            "the legend (shift-click adds one)."
        ),
    )


def heatmap(table):
    """A table as coloured cells; the pointer reads position, column, pair and value."""
    frame = _long(table)
    frame["pair"] = frame["column"] // 2
    return (
        alt.Chart(data(frame))
        .mark_rect()
        .encode(
            alt.X("column:O", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            alt.Y("position:O", axis=alt.Axis(labelOverlap=True)),
            signed("value:Q", title="value"),
            tooltip=[
                "position:O",
                "column:O",
                "pair:O",
                alt.Tooltip("value:Q", format=".4f"),
            ],
        )
        .properties(
            width=560,
            height=300,
            description=(
                f"Heat map of an encoding table: {len(table)} positions down, "
                f"{table.shape[1]} columns across, blue for -1 and red for 1. "
                + calm_side(table)
            ),
        )
    )


def signed(field, **details):
    """Colour for values from -1 to 1: blue below zero, white at it, red above."""
    scale = alt.Scale(scheme="redblue", reverse=True, domain=[-1, 1])
    return alt.Color(field, scale=scale, **details)


def _crossings(frame):
    """How often each column passes through zero, as a sentence."""
    waves = frame.groupby("column")["value"]
    counts = waves.apply(lambda v: int((np.diff(np.sign(v[v != 0])) != 0).sum()))
    said = ", ".join(str(count) for count in counts)
    return f"From the first column to the last they cross zero {said} times."


def _long(table):
    rows, columns = np.indices(np.shape(table))
    return pd.DataFrame(
        {"position": rows.ravel(), "column": columns.ravel(), "value": np.ravel(table)}
    )
