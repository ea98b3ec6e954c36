"""The explorable of notebook 02: which number a half-precision position becomes."""

import altair as alt
import pandas as pd

from helpers.explore.controls import controls
from helpers.explore.renderer import data

# Significant binary digits of each format, the hidden one counted.
_DIGITS = {"float32": 24, "float16": 11, "bfloat16": 8}
_REACH = 16  # positions shown to either side


def stored_positions(here=256, last=4999):
    """Positions around one that you choose, and what three formats keep of them.

    A line leads from every position to the number that stands for it; rounding is to
    the nearest, half to even, as the hardware does it. Drawn in the browser, from 99
    rows and the parameter ``here``.
    """
    rows = [
        {"format": name, "digits": digits, "row": 2.2 * n, "offset": offset}
        for n, (name, digits) in enumerate(_DIGITS.items())
        for offset in range(-_REACH, _REACH + 1)
    ]
    base = (
        alt.Chart(data(pd.DataFrame(rows)))
        .transform_calculate(position="here + datum.offset")
        .transform_filter(f"datum.position >= 0 && datum.position <= {last}")
        .transform_calculate(
            gap="pow(2, max(0, floor(log(max(datum.position, 1)) / LN2 + 1e-9)"
            " - datum.digits + 1))"
        )
        .transform_calculate(
            below="floor(datum.position / datum.gap)",
            rest="datum.position / datum.gap - floor(datum.position / datum.gap)",
        )
        .transform_calculate(
            stored="datum.gap * (datum.below + (datum.rest > 0.5"
            " || (datum.rest == 0.5 && datum.below % 2 == 1) ? 1 : 0))"
        )
        .transform_calculate(
            kept="datum.stored == datum.position ? 'kept' : 'moved'",
            moved_to="datum.stored - here",
            foot="datum.row + 1",
            label="datum.stored == datum.position && datum.stored % max(4, datum.gap) == 0"
            " ? '' + datum.stored : ''",
        )
    )
    along = alt.X(
        "offset:Q",
        title="position of the token",
        scale=alt.Scale(domain=[-_REACH - 1, _REACH + 1], nice=False),
        axis=alt.Axis(
            labelExpr=f"datum.value + here < 0 || datum.value + here > {last}"
            " ? '' : datum.value + here",
            values=list(range(-_REACH, _REACH + 1, 4)),
            grid=False,
            orient="top",
        ),
    )
    level = alt.Scale(domain=[-0.3, 6.2], reverse=True, nice=False)
    colour = alt.Color(
        "kept:N",
        scale=alt.Scale(domain=["kept", "moved"], range=["#0072B2", "#D55E00"]),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    described = [
        alt.Tooltip("format:N"),
        alt.Tooltip("position:Q"),
        alt.Tooltip("stored:Q"),
        alt.Tooltip("gap:Q", title="gap between numbers"),
    ]
    lines = base.mark_rule(strokeWidth=1.6, clip=True).encode(
        x=along,
        x2="moved_to:Q",
        y=alt.Y("row:Q", scale=level, axis=None),
        y2="foot:Q",
        color=colour,
        tooltip=described,
    )
    feet = base.mark_point(filled=True, size=45, clip=True, opacity=1).encode(
        x=alt.X("moved_to:Q"),
        y=alt.Y("foot:Q", scale=level, axis=None),
        color=alt.value("#1B1B1B"),
        tooltip=described,
    )
    numbers = base.mark_text(dy=14, fontSize=11, clip=True).encode(
        x=alt.X("moved_to:Q"), y=alt.Y("foot:Q", scale=level, axis=None), text="label:N"
    )
    counts = (
        base.transform_aggregate(
            positions="count()", numbers="distinct(stored)", groupby=["format", "row"]
        )
        .transform_calculate(
            said="datum.format",
            counted="datum.positions + ' positions, ' + datum.numbers + ' numbers'",
        )
        .encode(y=alt.Y("row:Q", scale=level, axis=None))
    )
    names = counts.mark_text(
        align="left", fontSize=13, fontWeight="bold", dx=10, dy=6
    ).encode(x=alt.value("width"), text="said:N")
    sums = counts.mark_text(align="left", fontSize=12, dx=10, dy=24).encode(
        x=alt.value("width"), text="counted:N"
    )
    return (
        alt.layer(lines, feet, numbers, names, sums)
        .add_params(*controls("here", here, 0, last, "position"))
        .properties(
            width=600,
            height=300,
            description="Positions around a chosen one and the numbers that stand for "
            "them: a line from each position to its number. "
            + "; ".join(
                f"{name} keeps every position up to {min(2**digits, last)}"
                for name, digits in _DIGITS.items()
            )
            + ". Where positions are not kept, lines run together.",
        )
    )
