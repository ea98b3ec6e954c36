"""Fragments of explorables: places in pixels, dials, hands, cells, colours of pairs."""

import altair as alt

from helpers.draw.controls import signal
from helpers.draw.look import pair_colour
from helpers.draw.renderer import PAGE_INK

# Black or white on a cell of `signed`, whichever can be read.
VALUE_INK = "datum.value > 0.735 || datum.value < -0.79 ? 'white' : 'black'"


def pair_colours(pairs):
    """The scale that gives each of these pairs its colour."""
    pairs = [int(pair) for pair in pairs]
    return alt.Scale(domain=pairs, range=[pair_colour(pair) for pair in pairs])


def of_pair(pairs):
    """The colour of a datum's ``pair``."""
    return alt.Color("pair:O", scale=pair_colours(pairs), legend=None)


def signed(field="value:Q", most=1, **details):
    """Colour for values from -``most`` to it: blue below zero, white at it, red above."""
    ends = {"domain": [-most, most], "clamp": True}
    scale = alt.Scale(scheme="redblue", reverse=True, **ends)
    return alt.Color(field, scale=scale, **details)


def literal(field="ink:N"):
    """The colour that a field names."""
    return alt.Color(field, scale=None, legend=None)


def at(x, y, x2=None, y2=None):
    """Channels for fields that hold pixels, from the upper left corner of the view."""
    ends = {"x2": alt.X2(f"{x2}:Q")} if x2 else {}
    ends |= {"y2": alt.Y2(f"{y2}:Q")} if y2 else {}
    return {
        "x": alt.X(f"{x}:Q", scale=None, axis=None),
        "y": alt.Y(f"{y}:Q", scale=None, axis=None),
        **ends,
    }


def told(*fields):
    """Tooltips: "field", "field|format" or "field|format|title"."""
    parts = [[*field.split("|"), "", ""][:3] for field in fields]
    return [
        alt.Tooltip(
            f"{field}:{'Q' if form else 'N'}",
            **({"format": form} if form else {}),
            **({"title": title} if title else {}),
        )
        for field, form, title in parts
    ]


def quiet(text, **more):
    """A title that explains."""
    return alt.Title(text, fontSize=12, fontWeight="normal", **more)


def pointing(chart, name, sine, cosine, length):
    """Adds ``name_x``, ``name_y``: the tip of a hand, clockwise from twelve o'clock.

    The data have ``hub_x`` and ``hub_y``; ``sine`` and ``cosine`` are expressions.
    """
    return chart.transform_calculate(
        **{
            f"{name}_x": f"datum.hub_x + {length} * ({sine})",
            f"{name}_y": f"datum.hub_y - {length} * ({cosine})",
        }
    )


def face(base, radius, name=None):
    """The circle of a dial; with a name that holds "grab", it can be taken hold of."""
    ring = {"stroke": PAGE_INK, "strokeOpacity": 0.45, "strokeWidth": 1}
    chart = base.mark_point(
        shape="circle", size=(2 * radius) ** 2, fill="transparent", opacity=1, **ring
    ).encode(**at("hub_x", "hub_y"))
    return chart.properties(name=name) if name else chart


def hand(base, name, **look):
    """The rule from the hub to the tip that `pointing` gave this name."""
    look = {"strokeWidth": 4, "strokeCap": "round", **look}
    return base.mark_rule(**look).encode(
        **at("hub_x", "hub_y", f"{name}_x", f"{name}_y")
    )


def tip(base, name, size=90, **look):
    """The dot at the tip of a hand."""
    look = {"size": size, "opacity": 1, **look}
    return base.mark_circle(**look).encode(**at(f"{name}_x", f"{name}_y"))


def note(base, x, y, text, **look):
    """A field as text at a place."""
    return base.mark_text(**look).encode(**at(x, y), text=f"{text}:N")


def values(base, form=".4f", place=None, **look):
    """``value`` written where its cell is: at ``middle_x``, ``middle_y``, or ``place``."""
    return (
        base.transform_calculate(ink=VALUE_INK)
        .mark_text(**look)
        .encode(
            **place or at("middle_x", "middle_y"),
            text=alt.Text("value:Q", format=form),
            color=literal(),
        )
    )


def over(event, name):
    """This event of Vega on a mark so called; Altair may add to a name, behind it."""
    called = f"event.item && indexof('' + event.item.mark.name, '{name}') == 0"
    return {"type": event, "filter": called}


def grabbed(name, turned, low, high, speed="datum.theta"):
    """Lets hands be turned by the pointer: (parameters, ``moved`` of `controls`).

    A mark called ``name`` can be held, and its hand turns with the pointer: by ``speed``
    radians when ``turned`` grows by one. Let go, ``turned`` is whole again.
    """
    held, pull = f"{name}_held", f"{name}_pull"
    down = over("pointerdown", name)
    up = {"source": "window", "type": "pointerup"}
    pointed = "atan2(x(group()) - datum.hub_x, datum.hub_y - y(group()))"
    taken = (
        f"{{speed: {speed}, start: {pointed} - {turned} * {speed},"
        " x: x() - x(group()) + datum.hub_x, y: y() - y(group()) + datum.hub_y}"
    )
    behind = (
        f"atan2(x() - {held}.x, {held}.y - y()) - {held}.start"
        f" - {turned} * {held}.speed"
    )
    least = f"({pull} - 2 * PI * round({pull} / (2 * PI))) / {held}.speed"
    params = [
        signal(
            held,
            value=None,
            on=[{"events": down, "update": taken}, {"events": up, "update": "null"}],
        ),
        signal(
            pull,
            value=0,
            on=[
                {
                    "events": up | {"type": "pointermove", "between": [down, up]},
                    "update": f"{held} ? {behind} : 0",
                }
            ],
        ),
    ]
    moved = [
        {
            "events": {"signal": pull},
            "update": f"{held} ? clamp({turned} + {least}, {low}, {high}) : {turned}",
        },
        {
            "events": {"signal": held},
            "update": f"{held} ? {turned} : round({turned})",
        },
    ]
    return params, moved
