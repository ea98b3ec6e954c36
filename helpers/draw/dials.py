"""Fragments of explorables: dials with hands that turn, and that can be dragged."""

import altair as alt

from helpers.draw.channels import NARROW, at_pixels
from helpers.draw.controls import handler, vega_signal, window_event
from helpers.draw.renderer import PAGE_INK


def dials_side_by_side(pairs):
    """How many dials stand side by side, as an expression: two where it is narrow."""
    return f"({NARROW} ? 2 : {pairs})"


def stacked(pairs, side, tall):
    """Where it is narrow: dials two by two, what is below in one column; for vega-embed.

    For a chart whose first part is ``pairs`` dials, each ``side`` by ``tall`` pixels.
    """
    row = dials_side_by_side(pairs)
    places = {
        "0/encode/update/width": f"{side} * {row}",
        "0/encode/update/height": f"{tall} * ceil({pairs} / {row})",
        "1/layout/columns": f"{NARROW} ? 1 : 2",
    }
    return [
        {"op": "add", "path": f"/marks/{place}", "value": {"signal": value}}
        for place, value in places.items()
    ]


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
    # With round joins, a browser takes no more than the circle for its box.
    chart = base.mark_point(
        shape="circle",
        size=alt.expr(f"pow(2 * {radius}, 2)"),
        fill="transparent",
        opacity=1,
        stroke=PAGE_INK,
        strokeOpacity=0.45,
        strokeWidth=1,
        strokeJoin="round",
    ).encode(**at_pixels("hub_x", "hub_y"))
    return chart.properties(name=name) if name else chart


def hand(base, name, **look):
    """The rule from the hub to the tip that `pointing` gave this name."""
    look = {"strokeWidth": 4, "strokeCap": "round", **look}
    return base.mark_rule(**look).encode(
        **at_pixels("hub_x", "hub_y", f"{name}_x", f"{name}_y")
    )


def tip(base, name, size, **look):
    """The dot at the tip of a hand."""
    look = {"size": size, "opacity": 1, **look}
    return base.mark_circle(**look).encode(**at_pixels(f"{name}_x", f"{name}_y"))


def mark_event(event, name):
    """This event of Vega on a mark so called; Altair may add to a name, behind it."""
    return {
        "type": event,
        "filter": f"event.item && indexof('' + event.item.mark.name, '{name}') == 0",
    }


def grabbed(name, turned, low, high, speed="datum.theta"):
    """Lets hands be turned by the pointer: (parameters, ``moved`` of `controls`).

    A mark called ``name`` can be held, and its hand turns with the pointer: by ``speed``
    radians when ``turned`` grows by one. Let go, ``turned`` is whole again.
    """
    held = f"{name}_held"
    pull = f"{name}_pull"
    down = mark_event("pointerdown", name)
    up = window_event("pointerup")
    moving = up | {"type": "pointermove", "between": [down, up]}
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
        vega_signal(held, value=None, on=[handler(down, taken), handler(up, "null")]),
        vega_signal(pull, value=0, on=[handler(moving, f"{held} ? {behind} : 0")]),
    ]
    reached = f"{held} ? clamp({turned} + {least}, {low}, {high}) : {turned}"
    moved = [
        handler({"signal": pull}, reached, force=True),
        handler({"signal": held}, f"{held} ? {turned} : round({turned})", force=True),
    ]
    return params, moved
