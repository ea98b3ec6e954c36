"""Binary digits that become waves, for notebooks 00 and 01."""

import altair as alt

from helpers.draw.channels import at_pixels, linear_scale, of_pair, title, tooltips
from helpers.draw.controls import clock, player
from helpers.draw.renderer import PAGE_INK

_DIGITS = 4


def bits():
    """Binary digits of the positions that become waves, and back.

    The slider is the exponent of the waves' size, in percent: at 0 only the sign is
    left, which is the digit; at 100 each digit is a wave of the same length.
    """
    last = 2 ** (_DIGITS + 1) - 1
    high = 46
    base = _digit_waves(last, high)
    names = base.transform_filter(f"datum.position == {last}")
    names = names.mark_text(align="left", dx=10)
    dots = base.transform_filter("datum.position % 1 == 0").mark_circle(size=34)
    line = base.mark_line(strokeWidth=1.5).encode(order="position:Q")
    head = title(
        "smooth < 1 ? 'the binary digits of the position: they jump'"
        " : smooth >= 100 ? 'waves of the same lengths: they glide'"
        " : 'between digits and waves'"
    )
    description = (
        f"The last {_DIGITS} binary digits of the positions 0 to {last}, one row each, as "
        "steps between 0 and 1. A slider, or Play, makes the steps round until every "
        "digit is a sine wave of the same length; the fastest is above."
    )
    return (
        alt.layer(
            line,
            dots.encode(tooltip=tooltips("name", "position|d", "value|.3f")),
            names.encode(text="name:N", color=alt.value(PAGE_INK)),
            clock("smooth"),
            width=560,
            height=high * _DIGITS,
        )
        .add_params(*player("smooth", 0, 0, 100, "smoothness, percent", speeds=(40,)))
        .properties(title=head, description=description)
    )


def _digit_waves(last, high):
    """Every digit's wave, eight points a position, each in a row ``high`` pixels high."""
    count = 8 * last + 1
    digit = f"floor(datum.n / {count})"
    angle = "PI * (datum.position + 0.5) / pow(2, datum.digit)"
    along = alt.X("position:Q", scale=linear_scale(0, last), axis=alt.Axis(grid=False))
    return (
        alt.Chart(alt.sequence(0, _DIGITS * count, as_="n"))
        .transform_calculate(pair=digit, digit=digit, position=f"datum.n % {count} / 8")
        .transform_calculate(wave=f"sin({angle})")
        .transform_calculate(
            value="(1 - (datum.wave < 0 ? -1 : 1)"
            " * pow(abs(datum.wave), smooth / 100)) / 2"
        )
        .transform_calculate(
            y=f"{high} * (datum.digit + 1) - 6 - {high - 14} * datum.value",
            name="'digit ' + datum.digit",
        )
        .encode(x=along, y=at_pixels("y", "y")["y"], color=of_pair(range(_DIGITS)))
    )
