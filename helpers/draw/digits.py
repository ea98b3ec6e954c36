"""Binary digits that become waves, for notebooks 00 and 01."""

import altair as alt

from helpers.draw.channels import (
    at_pixels,
    linear_scale,
    note,
    of_pair,
    single_datum,
    title,
    tooltips,
)
from helpers.draw.controls import clock, player
from helpers.draw.renderer import PAGE_INK

_HIGH, _FINE = 52, 16  # pixels of a digit's row, points of its line for each position


def bits(digits=4):
    """Binary digits of the positions that become waves, and back.

    The slider is the exponent of the waves' size, in percent: at 0 only the sign is
    left, which is the digit; at 100 each digit is a wave of the same length. That wave
    is always there, pale. A band marks the step at which all digits change.
    """
    half = 2**digits
    high = _HIGH * digits
    last = 2 * half - 1
    base, waves = (_digit_waves(digits, last, size) for size in ("smooth / 100", "1"))
    names = base.transform_filter(f"datum.position == {last}")
    names = names.mark_text(align="left", dx=10, fontSize=13)
    dots = base.transform_filter("datum.position % 1 == 0").mark_circle(size=34)
    line = base.mark_line(strokeWidth=2).encode(order="position:Q")
    pale = waves.mark_line(strokeWidth=1.2, opacity=0.4)
    band = single_datum(begin=f"{half // 2 - 1}", end=f"{half // 2}", zero="0")
    band = band.transform_calculate(high=f"{high + 4}").mark_rect(
        fill=PAGE_INK, opacity=0.12
    )
    head = title(
        f"smooth < 1 ? 'Binary digits jump: from {half // 2 - 1} to {half // 2} all "
        f"{digits} flip. Rounded off, each becomes the pale wave'"
        " : smooth >= 100 ? 'Waves of the same lengths as the digits: they glide'"
        " : 'Between digits that jump and waves that glide'",
        subtitle="press Play, or drag the slider",
    )
    description = (
        f"The last {digits} binary digits of the positions 0 to {last}, one row each, as "
        "steps between 0 and 1, in front of a pale wave of the same length. A slider, or "
        "Play, makes the steps round until every digit is that wave; the fastest is "
        f"above. A band marks the step from {half // 2 - 1} to {half // 2}, which "
        f"changes all {digits} digits."
    )
    return (
        alt.layer(
            band.encode(
                **at_pixels("begin", "zero", "end", "high")
                | {"x": alt.X("begin:Q", title="position")}
            ),
            pale.encode(order="position:Q"),
            line,
            dots.encode(tooltip=tooltips("name", "position|d", "value|.3f")),
            names.encode(text="name:N", color=alt.value(PAGE_INK)),
            _ends(digits),
            clock("smooth"),
            width=740,
            height=high,
        )
        .add_params(*player("smooth", 0, 0, 100, "smoothness, percent", speed=40))
        .properties(title=head, description=description)
    )


def _ends(digits):
    """0 and 1 at the left of each row."""
    ends = alt.Chart(alt.sequence(0, 2 * digits, as_="n")).transform_calculate(
        left="-8",
        said="datum.n % 2",
        y=f"{_HIGH} * (floor(datum.n / 2) + 1) - 6 - {_HIGH - 14} * datum.said",
    )
    return note(ends, "left", "y", "said", align="right", fontSize=11)


def _digit_waves(digits, last, size):
    """Every digit's wave, to the power ``size``, each in its row."""
    count = _FINE * last + 1
    digit = f"floor(datum.n / {count})"
    angle = "PI * (datum.position + 0.5) / pow(2, datum.digit)"
    along = alt.X(
        "position:Q", scale=linear_scale(0, last), axis=alt.Axis(grid=False, offset=6)
    )
    return (
        alt.Chart(alt.sequence(0, digits * count, as_="n"))
        .transform_calculate(
            pair=digit, digit=digit, position=f"datum.n % {count} / {_FINE}"
        )
        .transform_calculate(wave=f"sin({angle})")
        .transform_calculate(
            value=f"(1 - (datum.wave < 0 ? -1 : 1) * pow(abs(datum.wave), {size})) / 2"
        )
        .transform_calculate(
            y=f"{_HIGH} * (datum.digit + 1) - 6 - {_HIGH - 14} * datum.value",
            name="pow(2, datum.digit) + 's'",
        )
        .encode(x=along, y=at_pixels("y", "y")["y"], color=of_pair(range(digits)))
    )
