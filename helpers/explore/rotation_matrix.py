"""The explorable of notebook 03: the rotation laboratory."""

import altair as alt
import pandas as pd

from helpers import encoding
from helpers.explore.controls import choice, controls
from helpers.explore.dials import pair_colours, places
from helpers.explore.renderer import data
from helpers.look import BAD, GOOD, INK, MUTED

MATRICES = ("M_k", "its transpose", "right from position 0 only")
ROWS = ("PE[pos]", "matrix times PE[pos]", "PE[pos + k]")
_SIDE, _CELL = 126, 40  # pixels of a dial, and of a column of the rows


def laboratory(d_model=8, furthest=100, reach=50):
    """Turn a row by ``k`` and compare with the row that is ``k`` positions on.

    Sliders and number boxes for ``pos`` and ``k`` (either sign); another puts a wrong
    matrix in the place of ``M_k``. Everything is computed by Vega expressions: hands
    before and after, the three rows, the matrix and the residual.
    """
    pairs = range(d_model // 2)
    speeds = pd.DataFrame({"pair": pairs, "theta": encoding.angular_speeds(d_model)})
    parts = alt.vconcat(
        _dials(speeds),
        alt.hconcat(
            alt.vconcat(_rows(speeds), _residual(speeds), spacing=18).resolve_scale(
                color="independent"
            ),
            _matrix(speeds),
            spacing=16,
        ).resolve_scale(color="independent"),
        spacing=0,
    ).resolve_scale(color="independent")
    return parts.add_params(
        *controls("pos", 4, 0, furthest, "pos"),
        *controls("k", 3, -reach, reach, "k"),
        *choice("matrix", MATRICES[0], MATRICES, "matrix"),
    ).properties(
        title=alt.Title(
            alt.expr(
                "'from position ' + pos + ' by k = ' + k + ' to position ' + (pos + k)"
                " + (pos + k < 0 ? ' (no token stands there; the formula holds)' : '')"
            )
        ),
        description=(
            f"Rotation laboratory at width {d_model}. Above, a dial for each pair of "
            "columns: the dashed hand points at the pair at pos, the solid hand at the "
            "pair that the matrix makes of it, the ring at the pair at pos + k. Below, "
            "the row at pos, the row that the matrix makes of it and the row at "
            "pos + k, then their largest difference; beside them the matrix. Sliders "
            "and number boxes set pos and k, a slider of three stops the matrix. With M_k "
            "the hand always meets the ring and the difference is at most about 1e-15."
        ),
    )


def _applied(chart):
    """What the chosen block makes of each pair, and what it should make of it."""
    return chart.transform_calculate(
        turn="k * datum.theta",
        sine="sin(pos * datum.theta)",
        cosine="cos(pos * datum.theta)",
        wanted_sine="sin((pos + k) * datum.theta)",
        wanted_cosine="cos((pos + k) * datum.theta)",
        **_block(),
        made_sine="datum.a * datum.sine + datum.b * datum.cosine",
        made_cosine="datum.c * datum.sine + datum.d * datum.cosine",
    )


def _block():
    """The entries [[a, b], [c, d]] of a pair's block, for the chosen matrix."""
    back = f"matrix == '{MATRICES[1]}'"
    garbage = f"matrix == '{MATRICES[2]}'"
    sine, cosine = "sin(datum.turn)", "cos(datum.turn)"
    return {
        "a": f"{garbage} ? {sine} : {cosine}",
        "b": f"{back} ? -{sine} : {sine}",
        "c": f"{back} ? {sine} : {garbage} ? {cosine} : -{sine}",
        "d": cosine,
    }


def _dials(speeds):
    pairs = len(speeds)
    length = 0.41  # of a hand; the face of a dial is 1 wide
    points = {
        f"{name}_{axis}": f"{middle} + {length} * datum.{value}"
        for name, prefix in (("before", ""), ("after", "made_"), ("goal", "wanted_"))
        for axis, middle, value in (
            ("x", "datum.middle", f"{prefix}sine"),
            ("y", "0", f"{prefix}cosine"),
        )
    }
    base = _applied(alt.Chart(data(speeds))).transform_calculate(
        middle="datum.pair + 0.5",
        hub="0",
        caption="'pair ' + datum.pair + ' by ' + format(datum.turn, '.3~f') + ' rad'",
        **points,
    )
    x, y = places((0, pairs), (-0.46, 0.58))
    colour = alt.Color("pair:O", scale=pair_colours(speeds["pair"]), legend=None)
    tooltip = [
        alt.Tooltip("pair:O"),
        alt.Tooltip("theta:Q", title="radians a step"),
        alt.Tooltip("made_sine:Q", title="sine, made", format=".4f"),
        alt.Tooltip("wanted_sine:Q", title="sine at pos + k", format=".4f"),
        alt.Tooltip("made_cosine:Q", title="cosine, made", format=".4f"),
        alt.Tooltip("wanted_cosine:Q", title="cosine at pos + k", format=".4f"),
    ]
    face = base.mark_point(
        shape="circle", size=(2 * length * _SIDE) ** 2, stroke=MUTED, filled=False
    ).encode(x("middle"), y("hub"))
    before = base.mark_rule(strokeWidth=2.5, strokeDash=[5, 4], color=MUTED).encode(
        x("middle"), y("hub"), x2="before_x:Q", y2="before_y:Q"
    )
    after = base.mark_rule(strokeWidth=4, strokeCap="round").encode(
        x("middle"),
        y("hub"),
        x2="after_x:Q",
        y2="after_y:Q",
        color=colour,
        tooltip=tooltip,
    )
    goal = base.mark_point(size=150, strokeWidth=2.5, filled=False, color=INK).encode(
        x("goal_x"), y("goal_y"), tooltip=tooltip
    )
    caption = base.mark_text(dy=-length * _SIDE - 16, fontSize=12, color=INK).encode(
        x("middle"), y("hub"), text="caption:N"
    )
    return (face + before + after + goal + caption).properties(
        width=_SIDE * pairs,
        height=1.04 * _SIDE,
        title=alt.Title(
            "dashed: the pair at pos · solid: the matrix times it · ring: the pair at "
            "pos + k",
            fontSize=12,
            fontWeight="normal",
        ),
    )


def _cells(speeds):
    """One datum for each cell of the three rows."""
    values = {
        ROWS[0]: ["sine", "cosine"],
        ROWS[1]: ["made_sine", "made_cosine"],
        ROWS[2]: ["wanted_sine", "wanted_cosine"],
    }
    names = [name for both in values.values() for name in both]
    which = (
        f"indexof(datum.entry, 'made') == 0 ? '{ROWS[1]}' : "
        f"indexof(datum.entry, 'wanted') == 0 ? '{ROWS[2]}' : '{ROWS[0]}'"
    )
    return (
        _applied(alt.Chart(data(speeds)))
        .transform_fold(names, as_=["entry", "value"])
        .transform_calculate(
            column="2 * datum.pair + (indexof(datum.entry, 'cosine') >= 0 ? 1 : 0)",
            row=which,
            ink="datum.value > 0.735 || datum.value < -0.79 ? 'white' : 'black'",
        )
    )


def _signed(field):
    scale = alt.Scale(scheme="redblue", reverse=True, domain=[-1, 1], clamp=True)
    return alt.Color(field, scale=scale, legend=None)


def _rows(speeds):
    base = _cells(speeds).encode(
        alt.X(
            "column:O",
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0, ticks=False),
        ),
        alt.Y("row:N", sort=list(ROWS), title=None, axis=alt.Axis(ticks=False)),
    )
    box = base.mark_rect(stroke="white", strokeWidth=2).encode(color=_signed("value:Q"))
    number = base.mark_text(fontSize=11).encode(
        text=alt.Text("value:Q", format=".3f"),
        color=alt.Color("ink:N", scale=None, legend=None),
    )
    return (
        (box + number)
        .resolve_scale(color="independent")
        .properties(width=_CELL * 2 * len(speeds), height=84)
    )


def _residual(speeds):
    worst = (
        _applied(alt.Chart(data(speeds)))
        .transform_calculate(
            off="max(abs(datum.made_sine - datum.wanted_sine), "
            "abs(datum.made_cosine - datum.wanted_cosine))"
        )
        .transform_aggregate(residual="max(off)")
        .transform_calculate(
            verdict="datum.residual < 1e-12 ? 'the rows agree' : 'the rows differ'",
            shown="'largest difference of the last two rows:\\n' + "
            "format(datum.residual, '.1e') + ':  ' + datum.verdict",
            ink=f"datum.residual < 1e-12 ? '{GOOD}' : '{BAD}'",
        )
    )
    return (
        worst.mark_text(
            fontSize=15, fontWeight="bold", lineBreak="\n", lineHeight=20, dy=-10
        )
        .encode(text="shown:N", color=alt.Color("ink:N", scale=None, legend=None))
        .properties(width=_CELL * 2 * len(speeds), height=44)
    )


def _matrix(speeds):
    entries = (
        _applied(alt.Chart(data(speeds)))
        .transform_fold(["a", "b", "c", "d"], as_=["entry", "value"])
        .transform_calculate(
            row="2 * datum.pair + (datum.entry == 'a' || datum.entry == 'b' ? 0 : 1)",
            column="2 * datum.pair + (datum.entry == 'a' || datum.entry == 'c' ? 0 : 1)",
        )
    )
    side = 18 * 2 * len(speeds)
    return (
        entries.mark_rect(stroke="white")
        .encode(
            alt.X(
                "column:O",
                title=None,
                axis=alt.Axis(orient="top", labelAngle=0, ticks=False),
            ),
            alt.Y("row:O", title=None, axis=alt.Axis(ticks=False)),
            color=_signed("value:Q"),
            tooltip=["row:O", "column:O", alt.Tooltip("value:Q", format=".4f")],
        )
        .properties(
            width=side,
            height=side,
            title=alt.Title(alt.expr("[matrix, '(zero elsewhere)']"), fontSize=12),
        )
    )
