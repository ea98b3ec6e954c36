"""The explorable of notebook 06: who looks at whom, on the square itself."""

import altair as alt
import numpy as np
import pandas as pd

from helpers.corners import CORNERS
from helpers.draw.channels import at, told
from helpers.draw.controls import choice, pointed
from helpers.draw.look import GOOD
from helpers.draw.renderer import PAGE_INK, data

_SIDE, _MARGIN, _SCALE = 270, 50, 170  # pixels: the picture, its rim, the square
_CHOSEN = ("map", "head", "step")


def attention_maps(steps, points=CORNERS):
    """The weights of one query as arrows on the square, beside the map they are from.

    ``steps`` holds one dict a decoding step, from step 1: name of the map ->
    (weights of shape (heads, queries, keys), names of queries, names of keys). Names end
    in a number: that row of ``points`` is where they are. Buttons choose the map, the
    head, the step and the query; so does pointing at a point, while it lasts.
    """
    frame = _long(steps, np.asarray(points))
    options = {
        name: [str(option) for option in dict.fromkeys(frame[name])]
        for name in (*_CHOSEN, "query")
    }
    first = {"map": options["map"][-1], "step": options["step"][-1]}
    first["query"] = frame["query"].iloc[-1]
    params = [
        param
        for name, of in options.items()
        for param in choice(f"shown_{name}", first.get(name, of[0]), of, name)
    ]
    under, asked = pointed("asked", "query", "shown_query")
    chosen = " && ".join(f"datum['{name}'] == shown_{name}" for name in _CHOSEN)
    shown = alt.Chart(data(frame)).transform_filter(chosen)
    return (
        alt.hconcat(_square(shown, under), _map(shown), spacing=30)
        .resolve_scale(color="independent")
        .add_params(*params, asked)
        .properties(
            title=alt.Title(
                alt.expr("shown_map + ', head ' + shown_head + ', step ' + shown_step")
            ),
            description=(
                "Attention of the trained model on the square. Arrows lead from the "
                "query that is chosen to its keys, the wider the more weight; a ring "
                "is the weight on itself. Beside it the map: rows are queries, columns "
                "keys; the weights of a row sum to 1. Buttons choose the map, the "
                "head, the decoding step and the query."
            ),
        )
    )


def _square(shown, under):
    asked = shown.transform_filter("datum.query == asked").transform_calculate(
        far="datum.query != datum.key"
    )
    width = alt.StrokeWidth("weight:Q", scale=alt.Scale(domain=[0, 1], range=[0.5, 9]))
    width = width.legend(None)
    arrows = asked.transform_filter("datum.far")
    lines = arrows.mark_rule(color=GOOD, opacity=0.8).encode(
        **at("from_x", "from_y", "to_x", "to_y"), strokeWidth=width
    )
    heads = arrows.mark_point(
        shape="triangle", filled=True, color=GOOD, size=220
    ).encode(**at("to_x", "to_y"), angle=alt.Angle("turned:Q", scale=None))
    itself = asked.transform_filter("!datum.far").mark_point(
        size=900, stroke=GOOD, fill="transparent", opacity=0.8
    )
    weights = asked.transform_calculate(
        x="datum.far ? (datum.from_x + datum.to_x) / 2 + 14 : datum.query_x + 4",
        y="datum.far ? (datum.from_y + datum.to_y) / 2 - 12 : datum.query_y - 28",
    ).mark_text(fontSize=13, fontWeight="bold")
    dots = shown.mark_circle(size=220, opacity=1, color=PAGE_INK)
    names = [
        shown.transform_aggregate(
            groupby=[side, f"{side}_x", f"{side}_y"], rows="count()"
        )
        .transform_calculate(below=f"datum.{side}_y + 28")
        .mark_text()
        .encode(**at(f"{side}_x", "below"), text=f"{side}:N")
        for side in ("query", "key")
    ]
    return alt.layer(
        _outline(),
        lines,
        heads,
        itself.encode(**at("query_x", "query_y"), strokeWidth=width),
        dots.encode(**at("key_x", "key_y")),
        dots.encode(**at("query_x", "query_y"), tooltip=told("query")).add_params(
            under
        ),
        *names,
        weights.encode(**at("x", "y"), text=alt.Text("weight:Q", format=".2f")),
    ).properties(width=_SIDE, height=_SIDE)


def _outline():
    ends = {"x": _MARGIN, "x2": _MARGIN + _SCALE, "y": _MARGIN, "y2": _MARGIN + _SCALE}
    square = alt.Chart(alt.sequence(0, 1, as_="n")).mark_rect(
        fill="transparent", stroke=PAGE_INK, strokeOpacity=0.3, opacity=1
    )
    return square.encode(**{side: alt.value(place) for side, place in ends.items()})


def _map(shown):
    cells = shown.encode(
        x=alt.X("key:N", title="key: looked at", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("query:N", title="query: looks"),
    )
    blues = alt.Scale(range=["#F7FBFF", "#08306B"], domain=[0, 1])
    squares = cells.mark_rect(strokeWidth=3).encode(
        color=alt.Color("weight:Q", scale=blues, legend=None),
        stroke=alt.condition("datum.query == asked", alt.value(GOOD), alt.value(None)),
        tooltip=told("query", "key", "weight|.2f"),
    )
    ink = alt.condition("datum.weight > 0.65", alt.value("white"), alt.value("black"))
    numbers = cells.mark_text(fontSize=16).encode(
        text=alt.Text("weight:Q", format=".2f"), color=ink
    )
    return (squares + numbers).properties(width=200, height=180)


def _long(steps, points):
    """One row a weight, with the pixels of its arrow."""
    rows = []
    for step, maps in enumerate(steps, start=1):
        for name, (weights, queries, keys) in maps.items():
            for (head, q, k), weight in np.ndenumerate(np.asarray(weights)):
                here, there = (
                    _pixels(points, names[n]) for names, n in ((queries, q), (keys, k))
                )
                rows.append(
                    {"step": step, "map": name, "head": head, "query": queries[q]}
                    | {"key": keys[k], "weight": round(float(weight), 2)}
                    | _arrow(here, there)
                )
    return pd.DataFrame(rows).round(2)


def _pixels(points, name):
    x, y = points[int(name.split()[-1])]
    return np.array([_MARGIN + _SCALE * (x + 1) / 2, _MARGIN + _SCALE * (1 - y) / 2])


def _arrow(here, there):
    """From one point to the other, without the dots themselves."""
    way = there - here
    long = np.hypot(*way)
    start, end = (
        (here + 14 * way / long, there - 20 * way / long) if long else (here, there)
    )
    places = {"query": here, "key": there, "from": start, "to": end}
    turned = np.degrees(np.arctan2(way[0], -way[1]))
    return {"turned": turned} | {
        f"{name}_{axis}": place[n]
        for name, place in places.items()
        for n, axis in enumerate("xy")
    }
