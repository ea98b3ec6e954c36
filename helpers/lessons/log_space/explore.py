"""The explorable of notebook 02: which number a half-precision position becomes."""

import altair as alt
import pandas as pd

from helpers.draw.channels import linear_scale, tooltips
from helpers.draw.controls import controls
from helpers.draw.look import BAD, GOOD
from helpers.draw.renderer import PAGE_INK, data

# Significant binary digits of each format, the hidden one counted.
_DIGITS = {"float32": 24, "float16": 11, "bfloat16": 8}
_LAST = 4999  # position that can be chosen
_REACH = 16  # positions shown to either side
_LEVEL = alt.Scale(domain=[-0.3, 6.2], reverse=True, nice=False)


def stored_positions():
    """Positions around one that you choose, and what three formats keep of them.

    A line leads from every position to the number that stands for it; rounding is to
    the nearest, half to even, as the hardware does it.
    """
    base = _stored()
    place = "datum.value + here"
    axis = alt.Axis(
        labelExpr=f"{place} < 0 || {place} > {_LAST} ? '' : {place}",
        values=list(range(-_REACH, _REACH + 1, 4)),
        grid=False,
        orient="top",
    )
    scale = linear_scale(-_REACH - 1, _REACH + 1)
    name = "position of the token"
    row, foot = (alt.Y(f"{y}:Q", scale=_LEVEL, axis=None) for y in ("row", "foot"))
    kept = alt.Scale(domain=["kept", "moved"], range=[GOOD, BAD])
    legend = alt.Legend(title=None, orient="bottom")
    shown = tooltips("format", "position|d", "stored|d", "gap|d|gap between numbers")
    lines = base.mark_rule(strokeWidth=1.6, clip=True).encode(
        alt.X("offset:Q", title=name, scale=scale, axis=axis),
        row,
        alt.Color("kept:N", scale=kept, legend=legend),
        x2="moved_to:Q",
        y2="foot:Q",
        tooltip=shown,
    )
    feet = base.mark_point(filled=True, size=45, clip=True, opacity=1).encode(
        x="moved_to:Q", y=foot, color=alt.value(PAGE_INK), tooltip=shown
    )
    inside = base.transform_filter(f"abs(datum.moved_to) <= {_REACH}")
    numbers = inside.mark_text(dy=14, fontSize=11)
    numbers = numbers.encode(x="moved_to:Q", y=foot, text="label:N")
    keeps = (
        f"{name} keeps {digits} significant binary digits"
        for name, digits in _DIGITS.items()
    )
    description = (
        "Positions around a chosen one and the numbers that stand for them: a line from "
        f"each position to its number. {'; '.join(keeps)}. Where a position needs more, "
        "lines run together."
    )
    layers = lines, feet, numbers, *_counts(base)
    chart = alt.layer(*layers, width=600, height=300, description=description)
    return chart.add_params(*controls("here", 256, 0, _LAST, "position"))


def _stored():
    """Each position near ``here`` with the number that each format makes of it."""
    formats = pd.DataFrame(_DIGITS.items(), columns=["format", "digits"])
    formats["row"] = 2.2 * formats.index
    offsets = pd.DataFrame({"offset": range(-_REACH, _REACH + 1)})
    return (
        alt.Chart(data(formats.merge(offsets, how="cross")))
        .transform_calculate(position="here + datum.offset")
        .transform_filter(f"datum.position >= 0 && datum.position <= {_LAST}")
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
            label="datum.stored == datum.position"
            " && datum.stored % max(width < 400 ? 16 : 4, datum.gap) == 0"
            " ? '' + datum.stored : ''",
        )
    )


def _counts(base):
    """At the right of each format: its name, and how many numbers are left."""
    counts = base.transform_aggregate(
        positions="count()", numbers="distinct(stored)", groupby=["format", "row"]
    ).transform_calculate(
        said="datum.format",
        counted="datum.positions + ' positions, ' + datum.numbers + ' numbers'",
    )
    y = alt.Y("row:Q", scale=_LEVEL, axis=None)
    counts = counts.encode(x=alt.value("width"), y=y)
    name = {"fontSize": 13, "fontWeight": "bold", "dy": 6}
    return [
        counts.mark_text(align="left", dx=10, **name).encode(text="said:N"),
        counts.mark_text(align="left", dx=10, dy=24).encode(text="counted:N"),
    ]
