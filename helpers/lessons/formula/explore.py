"""Explorables of notebook 01: digits that become waves, the dials, waves, the table."""

import altair as alt
import numpy as np
import pandas as pd

from helpers import encoding
from helpers.draw import dials
from helpers.draw.channels import (
    at_pixels,
    cells,
    note,
    of_pair,
    signed,
    title,
    tooltips,
)
from helpers.draw.channels import values as written
from helpers.draw.controls import clock, player
from helpers.draw.digits import bits
from helpers.draw.renderer import data, resized
from helpers.draw.waves import sinusoids
from helpers.lessons.formula.pictures import calm_side

__all__ = ["bits", "dial_explorer", "heatmap", "sinusoids"]

# Pixels: a pair's strip and its hand; where hub, trace and cells of a strip are.
_UNIT, _RADIUS, _HUB, _TRACE, _CELLS, _TALL = 152, 58, 88, 154, 272, 336
_BACK, _DEEP = 36, 3  # positions that a trace goes back, pixels for each


def dial_explorer(d_model=8, furthest=1000):
    """One hand a pair of columns; the position moves hands, traces and row together.

    The hand of pair ``i`` points at (sine, cosine) of ``pos * theta_i``, clockwise
    from twelve o'clock. Its tip leaves a trace, which is the pair's sine column; under
    it stand the cells of columns ``2i`` and ``2i + 1``. Play, or drag a hand.
    """
    pairs = d_model // 2
    params, moved = dials.grabbed("grab", "pos", 0, furthest)
    strips, speeds = dials.dials_side_by_side(pairs), encoding.angular_speeds(d_model)
    frame = pd.DataFrame({"pair": range(pairs), "theta": speeds})
    placed = _placed(alt.Chart(data(frame)), strips)
    sides = {"width": _UNIT * pairs, "height": _TALL}
    own = {**sides, "params": ...}
    patch = [
        resized(own, "width", f"{_UNIT} * {strips}"),
        resized(own, "height", f"{_TALL} * ceil({pairs} / {strips})"),
    ]
    first, last = speeds[[0, -1]] * furthest / (2 * np.pi)
    hint = "drag a hand, press Play, or set the position"
    description = (
        f"{pairs} clock dials, one for each pair of a table of width {d_model}. Under "
        "each dial the trace of its hand, which is the sine column, and the two cells of "
        "the table's row: the sine and the cosine of the hand's angle. Set the position, "
        f"0 to {furthest}, let it play, or drag a hand. At {furthest}, pair 0 has made "
        f"{first:.3g} turns, and pair {pairs - 1} {last:.3g}."
    )
    return (
        alt.layer(
            *_traces(pairs, d_model, strips),
            *_dials(placed, range(pairs)),
            *_row(placed),
            clock("pos"),
            **sides,
        )
        .resolve_scale(color="independent")
        .add_params(*player("pos", 24, 0, furthest, "position", moved=moved), *params)
        .properties(
            usermeta={"patch": patch},
            title=title("'position ' + floor(pos + 1e-6)", subtitle=hint),
            description=description,
        )
    )


def _placed(chart, strips):
    """Where each pair's dial is: strips side by side, on a phone two in a row."""
    return chart.transform_calculate(
        left=f"{_UNIT} * (datum.pair % {strips})",
        top=f"{_TALL} * floor(datum.pair / {strips})",
    ).transform_calculate(
        hub_x=f"datum.left + {_UNIT / 2}", hub_y=f"datum.top + {_HUB}"
    )


def _dials(base, pairs):
    angle = "pos * datum.theta"
    sine, cosine = f"sin({angle})", f"cos({angle})"
    base = dials.pointing(base, "tip", sine, cosine, _RADIUS).transform_calculate(
        sine=sine,
        cosine=cosine,
        above=f"datum.top + {_HUB - _RADIUS - 16}",
        below=f"datum.top + {_TRACE}",
        caption=f"'pair ' + datum.pair + ':  ' + format({angle} / (2 * PI), '.2f')"
        " + ' turns'",
    )
    colour = of_pair(pairs)
    tooltip = tooltips("pair", "theta|.4~g|radians a step", "sine|.4f", "cosine|.4f")
    fall = base.mark_rule(strokeDash=[2, 3]).encode(
        **at_pixels("tip_x", "tip_y", "tip_x", "below"), color=colour
    )
    return [
        fall,
        dials.hand(base, "tip").encode(color=colour),
        dials.tip(base, "tip").encode(color=colour),
        note(base, "hub_x", "above", "caption"),
        dials.face(base, _RADIUS, "grab").encode(tooltip=tooltip),
    ]


def _traces(pairs, d_model, strips):
    """The sines of the positions passed, newest above: a line, a dot at each whole one."""
    passed = alt.Chart(alt.sequence(0, pairs * _BACK, as_="n")).transform_calculate(
        pair=f"floor(datum.n / {_BACK})", nth=f"datum.n % {_BACK}"
    )
    passed = (
        _placed(passed, strips)
        .transform_calculate(moment="min(pos, ceil(pos - 1e-6) - datum.nth)")
        .transform_filter("datum.moment >= 0")
        .transform_calculate(
            x=f"datum.hub_x + {_RADIUS} * "
            f"sin(datum.moment * pow(10000, -2 * datum.pair / {d_model}))",
            y=f"datum.top + {_TRACE} + {_DEEP} * (pos - datum.moment)",
        )
        .encode(**at_pixels("x", "y"), color=of_pair(range(pairs)))
    )
    line = passed.mark_line(strokeWidth=1.2, interpolate="natural")
    return [line.encode(order="nth:Q"), passed.mark_circle(size=16, opacity=1)]


def _row(base):
    both = (
        base.transform_calculate(
            sine="sin(floor(pos + 1e-6) * datum.theta)",
            cosine="cos(floor(pos + 1e-6) * datum.theta)",
        )
        .transform_fold(["sine", "cosine"], as_=["wave", "value"])
        .transform_calculate(odd="datum.wave == 'cosine' ? 1 : 0")
        .transform_calculate(
            column="2 * datum.pair + datum.odd",
            begin=f"datum.left + {_UNIT / 2} * datum.odd + 3",
            end=f"datum.left + {_UNIT / 2} * (datum.odd + 1) - 3",
            middle_x=f"datum.left + {_UNIT / 2} * (datum.odd + 0.5)",
            upper=f"datum.top + {_CELLS}",
            lower=f"datum.top + {_CELLS + 32}",
            middle_y=f"datum.top + {_CELLS + 16}",
            under=f"datum.top + {_CELLS + 46}",
            head="'col ' + datum.column + ' (' + slice(datum.wave, 0, 3) + ')'",
        )
    )
    return [
        cells(both).encode(tooltip=tooltips("column", "wave", "value|.4f")),
        written(both, fontSize=13),
        note(both, "middle_x", "under", "head", fontSize=11),
    ]


def heatmap(table):
    """A table as coloured cells; the pointer reads position, column, pair and value."""
    rows, columns = (grid.ravel() for grid in np.indices(table.shape))
    frame = {"position": rows, "column": columns, "value": table.ravel()}
    frame["pair"] = columns // 2
    description = (
        f"Heat map of an encoding table: {len(table)} positions down, {table.shape[1]} "
        f"columns across, blue for -1 and red for 1. {calm_side(table)}"
    )
    return (
        alt.Chart(data(pd.DataFrame(frame)))
        .mark_rect()
        .encode(
            alt.X("column:O", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            alt.Y("position:O", axis=alt.Axis(labelOverlap=True)),
            signed(title="value"),
            tooltip=tooltips("position", "column", "pair", "value|.4f"),
        )
        .properties(width=560, height=300, description=description)
    )
