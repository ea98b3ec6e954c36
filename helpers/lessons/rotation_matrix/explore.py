"""Explorables of notebook 03: a hand that is turned, and the laboratory."""

import altair as alt
import pandas as pd

from helpers import encoding
from helpers.draw import dials
from helpers.draw.channels import (
    PHONE,
    at_pixels,
    caption,
    cells,
    note,
    of_pair,
    signed,
    single_datum,
    title,
    tooltips,
)
from helpers.draw.channels import values as written
from helpers.draw.controls import choice, controls
from helpers.draw.look import GOOD
from helpers.draw.renderer import PAGE_INK, data

MATRICES = ("M_k", "its transpose")
ROWS = ("PE[pos]", "matrix · PE[pos]", "PE[pos + k]")
_UNIT, _RADIUS, _TALL = 174, 62, 168  # pixels of a dial's place, of a hand
_CELL, _SQUARE = 44, 27  # pixels of a column of the rows, of the matrix


def turned():
    """The hand of the pair (0.6, 0.8), dashed, and where it points after a turn.

    The solid hand can be dragged, or turned in degrees. At the right, or below on a
    phone, the pair is multiplied by the matrix of the turn.
    """
    params, moved = dials.grabbed("grab", "turn", -180, 180, speed="PI / 180")
    sine, cosine = "sin(turn * PI / 180)", "cos(turn * PI / 180)"
    later = f"(0.6 * {cosine} + 0.8 * {sine})", f"(0.8 * {cosine} - 0.6 * {sine})"
    told = ", ".join(f"' + format({number}, '.2f') + '" for number in later)
    base = single_datum(hub_x="140", hub_y="130", begin="atan2(0.6, 0.8)")
    base = base.transform_calculate(
        end="datum.begin + turn * PI / 180",
        half="(datum.begin + datum.end) / 2",
        by="turn + '°'",
    )
    base = dials.pointing(base, "before", "0.6", "0.8", 100)
    base = dials.pointing(base, "after", *later, 100)
    base = dials.pointing(base, "by", "sin(datum.half)", "cos(datum.half)", 62)
    matrix = f"{cosine}, -{sine}, {sine}, {cosine}"  # column by column
    return (
        alt.layer(
            dials.face(base, 100),
            *_axes(),
            dials.hand(
                base,
                "before",
                color=PAGE_INK,
                strokeDash=[5, 4],
                strokeWidth=3,
                opacity=0.7,
            ),
            base.mark_arc(innerRadius=40, outerRadius=43, color=GOOD).encode(
                alt.Theta("begin:Q", scale=None),
                alt.Theta2("end:Q"),
                **at_pixels("hub_x", "hub_y"),
            ),
            dials.hand(base, "after", color=GOOD),
            note(base, "by_x", "by_y", "by", fontSize=13),
            dials.tip(base, "after", 260, color=GOOD).properties(name="grab"),
            *_product(f"{matrix}, 0.6, 0.8, {', '.join(later)}"),
            width=634,
            height=250,
        )
        .resolve_scale(color="independent")
        .add_params(
            *controls("turn", 30, -180, 180, "the turn, degrees", moved=moved),
            *params,
        )
        .properties(
            title=title(
                f"'From (0.60, 0.80), a turn by ' + turn + '° leads to ({told})'",
                subtitle="drag the blue tip; dashed: before, solid: after",
            ),
            description=(
                "A dial with two hands. The dashed one points at the pair (0.6, "
                "0.8), the solid one at the pair after a turn, an arc between them. "
                "Beside it stands the matrix of the turn times the pair. Drag the "
                "tip of the solid hand, or set the turn in degrees."
            ),
        )
    )


def _product(entries):
    """A matrix times a pair, ``entries`` column by column, and the pair that results."""
    made = alt.Chart(alt.sequence(0, 8, as_="n")).transform_calculate(
        value=f"[{entries}][datum.n]",
        begin=f"({PHONE} ? 0 : 320) + [0, 62, 158, 254][floor(datum.n / 2)]",
        upper=f"({PHONE} ? 290 : 82) + 48 * (datum.n % 2)",
    )
    made = made.transform_calculate(
        end="datum.begin + 60",
        lower="datum.upper + 46",
        middle_x="datum.begin + 30",
        middle_y="datum.upper + 23",
    )
    heads = made.transform_filter("datum.n > 1 && datum.n % 2 == 0")
    heads = heads.transform_calculate(
        x="datum.middle_x - (datum.n == 2 ? 31 : 0)",
        y="datum.upper - 14",
        head="['', 'the turn', 'before', 'after'][datum.n / 2]",
        ahead="datum.begin - 18",
        sign="['', '', '×', '='][datum.n / 2]",
    )
    return [
        cells(made),
        written(made, ".2f", fontSize=14),
        note(heads, "ahead", "lower", "sign", fontSize=18),
        note(heads, "x", "y", "head", fontSize=13),
    ]


def _axes():
    """Thin lines through the dial: the sine to the right, the cosine up."""
    both = alt.Chart(alt.sequence(0, 2, as_="n")).transform_calculate(
        left="datum.n ? 140 : 20",
        right="280 - datum.left",
        top="datum.n ? 10 : 130",
        bottom="260 - datum.top",
        beside="datum.n ? 140 : 284",
        above="datum.n ? 0 : 130",
        name="datum.n ? 'cosine' : 'sine'",
    )
    return [
        both.mark_rule(color=PAGE_INK, opacity=0.35, strokeWidth=1).encode(
            **at_pixels("left", "top", "right", "bottom")
        ),
        note(both, "beside", "above", "name", fontSize=13),
    ]


def laboratory(d_model=8, furthest=100, reach=50):
    """Turn a row by ``k`` and compare with the row that is ``k`` positions on.

    Sliders and number boxes for ``pos`` and ``k`` (either sign); a button puts the
    transpose in the place of ``M_k``. Hands before and after, the three rows, the matrix
    and the residual.
    """
    pairs = range(d_model // 2)
    speeds = pd.DataFrame({"pair": pairs, "theta": encoding.angular_speeds(d_model)})
    source = _applied(alt.Chart(data(speeds)))
    left = alt.vconcat(_rows(source, pairs), _residual(source, pairs), spacing=18)
    left = left.resolve_scale(color="independent")
    below = alt.hconcat(left, _matrix(source, pairs), spacing=16)
    below = below.resolve_scale(color="independent")
    parts = alt.vconcat(_dials(source, pairs), below, spacing=0)
    where = "(pos + k) + (pos + k < 0 ? ', where no token stands' : '')"
    return (
        parts.resolve_scale(color="independent")
        .add_params(
            *controls("pos", 4, 0, furthest, "position pos"),
            *controls("k", 3, -reach, reach, "offset k"),
            *choice("matrix", MATRICES[0], MATRICES, "matrix"),
        )
        .properties(
            usermeta={"patch": dials.stacked(len(pairs), _UNIT, _TALL)},
            title=title(
                f"k && matrix != '{MATRICES[0]}' ? 'The transpose takes row ' + pos"
                f" + ' to row ' + (pos - k) + ', not to ' + {where}"
                " : 'The matrix for k = ' + k + ' takes row ' + pos + ' to row ' + "
                f"{where}",
                subtitle="dashed: at pos; solid: the matrix times it; ring: at pos + k",
            ),
            description=(
                f"Rotation laboratory at width {d_model}. Above, a dial for each pair of "
                "columns: the dashed hand points at the pair at pos, the solid hand at "
                "the pair that the matrix makes of it, the ring at the pair at pos + k. "
                "Below, the row at pos, the row that the matrix makes of it and the row "
                "at pos + k, then their largest difference; beside them the matrix. "
                "Sliders and number boxes set pos and k, two buttons the matrix. With "
                "M_k the hand always meets the ring and the difference is only rounding."
            ),
        )
    )


def _applied(chart):
    """What the chosen block makes of each pair, and what it should make of it."""
    sine = "sin(k * datum.theta)"
    chosen = f"(matrix == '{MATRICES[0]}' ? 1 : -1)"
    return chart.transform_calculate(
        sine="sin(pos * datum.theta)",
        cosine="cos(pos * datum.theta)",
        wanted_sine="sin((pos + k) * datum.theta)",
        wanted_cosine="cos((pos + k) * datum.theta)",
        a="cos(k * datum.theta)",
        b=f"{chosen} * {sine}",
        c=f"-{chosen} * {sine}",
        d="cos(k * datum.theta)",
    ).transform_calculate(
        made_sine="datum.a * datum.sine + datum.b * datum.cosine",
        made_cosine="datum.c * datum.sine + datum.d * datum.cosine",
    )


def _dials(source, pairs):
    row = dials.dials_side_by_side(len(pairs))
    base = source.transform_calculate(
        hub_x=f"{_UNIT} * (datum.pair % {row} + 0.5)",
        hub_y=f"{_TALL - _RADIUS - 12} + {_TALL} * floor(datum.pair / {row})",
        above="datum.hub_y - 80",
        caption="'pair ' + datum.pair + ' by ' + format(k * datum.theta, '.3~f') + ' rad'",
    )
    for name, of in (("before", ""), ("after", "made_"), ("goal", "wanted_")):
        base = dials.pointing(
            base, name, f"datum.{of}sine", f"datum.{of}cosine", _RADIUS
        )
    return alt.layer(
        dials.face(base, _RADIUS),
        dials.hand(
            base,
            "before",
            color=PAGE_INK,
            strokeWidth=2.5,
            strokeDash=[5, 4],
            opacity=0.6,
        ),
        dials.hand(base, "after").encode(color=of_pair(pairs)),
        base.mark_point(size=150, strokeWidth=2.5, color=PAGE_INK, opacity=1).encode(
            **at_pixels("goal_x", "goal_y")
        ),
        note(base, "hub_x", "above", "caption"),
    ).properties(width=_UNIT * len(pairs), height=_TALL)


def _axis(**more):
    axis = alt.Axis(ticks=False, domain=False, labelPadding=8, **more)
    return {"title": None, "axis": axis}


def _rows(source, pairs):
    sines = ["sine", "made_sine", "wanted_sine"]
    cosines = ["cosine", "made_cosine", "wanted_cosine"]
    which = (
        f"indexof(datum.entry, 'made') == 0 ? '{ROWS[1]}' : "
        f"indexof(datum.entry, 'wanted') == 0 ? '{ROWS[2]}' : '{ROWS[0]}'"
    )
    base = source.transform_fold(sines + cosines, as_=["entry", "value"])
    base = base.transform_calculate(
        column="2 * datum.pair + (indexof(datum.entry, 'cosine') >= 0 ? 1 : 0)",
        row=which,
    )
    place = {
        "x": alt.X("column:O", **_axis(orient="top", labelAngle=0)),
        "y": alt.Y("row:N", sort=list(ROWS), **_axis()),
    }
    return (
        alt.layer(
            base.mark_rect().encode(**place, color=signed(legend=None)),
            written(base, ".2f", place, fontSize=12),
        )
        .resolve_scale(color="independent")
        .properties(width=_CELL * 2 * len(pairs), height=105)
    )


def _residual(source, pairs):
    return (
        source.transform_calculate(
            off="max(abs(datum.made_sine - datum.wanted_sine), "
            "abs(datum.made_cosine - datum.wanted_cosine))"
        )
        .transform_aggregate(residual="max(off)")
        .transform_calculate(
            verdict="datum.residual < 1e-12 ? 'the rows agree' : 'the rows differ'",
            shown="'largest difference of the last two rows:\\n' + "
            "format(datum.residual, '.1e') + ':  ' + datum.verdict",
        )
        .mark_text(
            dy=-10, fontSize=13, fontWeight="bold", lineBreak="\n", lineHeight=18
        )
        .encode(text="shown:N")
        .properties(width=_CELL * 2 * len(pairs), height=44)
    )


def _matrix(source, pairs):
    side = _SQUARE * 2 * len(pairs)
    return (
        source.transform_fold(["a", "b", "c", "d"], as_=["entry", "value"])
        .transform_calculate(
            row="2 * datum.pair + (datum.entry == 'a' || datum.entry == 'b' ? 0 : 1)",
            column="2 * datum.pair"
            " + (datum.entry == 'a' || datum.entry == 'c' ? 0 : 1)",
        )
        .mark_rect()
        .encode(
            alt.X("column:O", **_axis(orient="top", labelAngle=0)),
            alt.Y("row:O", **_axis()),
            color=signed(legend=None),
            tooltip=tooltips("row", "column", "value|.4f"),
        )
        .properties(
            width=side, height=side, title=caption("the matrix; zero elsewhere")
        )
    )
