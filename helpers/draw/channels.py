"""Fragments of explorables: places in pixels, colours, tooltips, texts in cells."""

from textwrap import wrap

import altair as alt

from helpers.draw.look import DIVERGING_COLOURS, pair_colour
from helpers.draw.renderer import PAGE_INK

PHONE = "windowSize()[0] < 700"
NARROW = "windowSize()[0] < 1000"  # a zoom of 150 % on a laptop
_MIDDLE = "windowSize()[0] < 1200"  # beside the file browser of JupyterLab
# Black or white on a cell of `signed`, whichever can be read.
VALUE_INK = "datum.value > 0.9 || datum.value < -0.84 ? 'white' : 'black'"


def of_pair(pairs):
    """The colour of a datum's ``pair``, one of these."""
    pairs = [int(pair) for pair in pairs]
    colours = alt.Scale(domain=pairs, range=[pair_colour(pair) for pair in pairs])
    return alt.Color("pair:O", scale=colours, legend=None)


def signed(field="value:Q", **details):
    """Colour for values from -1 to 1: blue below zero, white at it, red above."""
    last = len(DIVERGING_COLOURS) - 1
    domain = [2 * n / last - 1 for n in range(last + 1)]
    return alt.Color(
        field,
        scale=alt.Scale(domain=domain, range=list(DIVERGING_COLOURS), clamp=True),
        **details,
    )


def at_pixels(x, y, x2=None, y2=None):
    """Channels for fields that hold pixels, from the upper left corner of the view."""
    plain = {"scale": None, "axis": None}
    places = {"x": alt.X(f"{x}:Q", **plain), "y": alt.Y(f"{y}:Q", **plain)}
    ends = {"x2": alt.X2(f"{x2}:Q"), "y2": alt.Y2(f"{y2}:Q")} if x2 else {}
    return places | ends


def single_datum(**columns):
    """A chart of one datum, for what a parameter alone moves."""
    return alt.Chart(alt.sequence(0, 1, as_="n")).transform_calculate(**columns)


def cells(base, **look):
    """``value`` as the colour of a rectangle: begin, upper, end, lower are pixels."""
    return base.mark_rect(**look).encode(
        **at_pixels("begin", "upper", "end", "lower"), color=signed(legend=None)
    )


def outline(**ends):
    """A frame from ``begin`` and ``upper`` to ``end`` and ``lower``, expressions."""
    return (
        single_datum(**ends)
        .mark_rect(fill=None, stroke=PAGE_INK, strokeWidth=1.5)
        .encode(**at_pixels("begin", "upper", "end", "lower"))
    )


def tooltips(*fields):
    """Tooltips: "field", "field|format" or "field|format|title"."""
    none = alt.Undefined
    parts = ([*field.split("|"), none, none][:3] for field in fields)
    return [
        alt.Tooltip(f"{field}:{'N' if form is none else 'Q'}", format=form, title=title)
        for field, form, title in parts
    ]


def title(expression, subtitle=""):
    """A title that changes with what is set, an expression; long ones take two lines."""
    minus = f"replace({expression}, regexp('(^|[ (])-(?=\\\\d)', 'g'), '$1−')"
    length = f"({PHONE} ? 28 : {_MIDDLE} ? 66 : 86)"
    ends = f"regexp('(.{{' + {length} + ',}}?) ', 'g')"
    told = f"split(replace({minus}, {ends}, '$1|'), '|')"
    return alt.Title(alt.expr(told), subtitle=wrap(subtitle, 62))


def linear_scale(low, high, **more):
    """A scale from one number to another, and no further."""
    return alt.Scale(domain=[low, high], nice=False, **more)


def caption(text, **more):
    """A title that explains."""
    return alt.Title(text, fontSize=12, fontWeight="normal", **more)


def note(base, x, y, text, **look):
    """A field as text at a place."""
    return base.mark_text(**look).encode(**at_pixels(x, y), text=f"{text}:N")


def both_columns(chart):
    """``sine`` and ``cosine`` as ``wave`` and ``value``; ``odd`` is 1 for the cosine."""
    return chart.transform_fold(
        ["sine", "cosine"], as_=["wave", "value"]
    ).transform_calculate(odd="datum.wave == 'cosine' ? 1 : 0")


def values(base, form=".4f", place=None, **look):
    """``value`` written where its cell is: at ``middle_x``, ``middle_y``, or ``place``."""
    return (
        base.transform_calculate(ink=VALUE_INK)
        .mark_text(**look)
        .encode(
            **place or at_pixels("middle_x", "middle_y"),
            text=alt.Text("value:Q", format=form),
            color=alt.Color("ink:N", scale=None, legend=None),
        )
    )
