"""The explorable of notebook 02: which number a half-precision position becomes."""

import altair as alt
import pandas as pd

from helpers.draw.channels import linear_scale, title, tooltips
from helpers.draw.controls import controls
from helpers.draw.look import BAD, GOOD
from helpers.draw.renderer import PAGE_INK, data

# Significant binary digits of each format, the hidden one counted.
_DIGITS = {"float32": 24, "float16": 11, "bfloat16": 8}
_REACH = 16  # positions shown to either side
_LEVEL = alt.Scale(domain=[-0.3, 6.2], reverse=True, nice=False)


def stored_positions(here=257, last=4999):
    """Positions around one that you choose, and what three formats keep of them.

    A line leads from every position to the number that stands for it; rounding is to
    the nearest, half to even, as the hardware does it.
    """
    base = _stored(last)
    place = "(datum.value + here)"
    axis = alt.Axis(
        labelExpr=f"{place} % 4 || {place} < 0 || {place} > {last} ? '' : {place}",
        values=list(range(-_REACH, _REACH + 1)),
        tickCount=2 * _REACH + 1,  # else every second one is left out
        grid=False,
        orient="top",
    )
    scale = linear_scale(-_REACH - 1, _REACH + 1)
    row, foot = (alt.Y(f"{y}:Q", scale=_LEVEL, axis=None) for y in ("row", "foot"))
    kept = alt.Scale(domain=["kept", "moved"], range=[GOOD, BAD])
    shown = tooltips("format", "position|d", "stored|d", "gap|d|gap between numbers")
    lines = base.mark_rule(strokeWidth=1.6, clip=True).encode(
        alt.X("offset:Q", title=None, scale=scale, axis=axis),
        row,
        alt.Color("kept:N", scale=kept, legend=None),
        x2="moved_to:Q",
        y2="foot:Q",
        tooltip=shown,
    )
    feet = base.mark_point(filled=True, size=45, clip=True, opacity=1).encode(
        x="moved_to:Q", y=foot, color=alt.value(PAGE_INK), tooltip=shown
    )
    numbers = base.transform_filter(f"abs(datum.moved_to) <= {_REACH}").mark_text(
        dy=14, fontSize=11
    )
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
    made = {name: _rounded("here", digits) for name, digits in _DIGITS.items()}
    moved = " + ".join(
        f"({stored} == here ? '' : ', {name} makes it ' + {stored})"
        for name, stored in made.items()
    )
    head = title(
        f"'Position ' + here + ({moved} == '' ? ': all three formats keep it' : {moved})",
        subtitle="position above, number stored below; orange: another one",
    )
    return (
        alt.layer(*layers, width=650, height=310, description=description)
        .add_params(*controls("here", here, 0, last, "position"))
        .properties(title=head)
    )


def _gap(position, digits):
    """The distance of two numbers of a format near a position, as an expression."""
    power = f"floor(log(max({position}, 1)) / LN2 + 1e-9) - {digits} + 1"
    return f"pow(2, max(0, {power}))"


def _rounded(position, digits):
    """What a format keeps of a position: the nearest, half to even, as an expression."""
    gap = _gap(position, digits)
    below = f"floor({position} / {gap})"
    half = f"({position} % {gap}) * 2"
    up = f"{half} > {gap} || ({half} == {gap} && {below} % 2 == 1)"
    return f"({gap} * ({below} + ({up} ? 1 : 0)))"


def _stored(last):
    """Each position near ``here`` with the number that each format makes of it."""
    formats = pd.DataFrame(_DIGITS.items(), columns=["format", "digits"])
    formats["row"] = 2.2 * formats.index
    offsets = pd.DataFrame({"offset": range(-_REACH, _REACH + 1)})
    return (
        alt.Chart(data(formats.merge(offsets, how="cross")))
        .transform_calculate(position="here + datum.offset")
        .transform_filter(f"datum.position >= 0 && datum.position <= {last}")
        .transform_calculate(
            gap=_gap("datum.position", "datum.digits"),
            stored=_rounded("datum.position", "datum.digits"),
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
        counted="datum.positions + ' positions,|' + datum.numbers + ' numbers'",
    )
    counts = counts.encode(
        x=alt.value("width"), y=alt.Y("row:Q", scale=_LEVEL, axis=None)
    )
    return [
        counts.mark_text(
            align="left", dx=10, fontSize=13, fontWeight="bold", dy=6
        ).encode(text="format:N"),
        counts.mark_text(align="left", dx=10, dy=24, lineBreak="|").encode(
            text="counted:N"
        ),
    ]
