"""Explorables of notebook 04: maps with values under the pointer, and the explorer."""

from itertools import product

import altair as alt
import numpy as np
import pandas as pd

from helpers import encoding
from helpers.draw.channels import linear_scale, signed_scale, title, tooltips
from helpers.draw.controls import choice, controls, pointed
from helpers.draw.look import BAD, GOOD
from helpers.draw.renderer import PAGE_INK, data

WIDTHS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
BASES = (2, 10, 100, 1000, 10_000, 100_000, 1_000_000)
# A gradient would be drawn anew for each largest distance, the old ones staying.
_KEY = {"type": "symbol", "symbolType": "square", "offset": 8}  # of a legend
_SIDE = 280  # pixels of the explorer's map, a whole number for each of 40 cells


def maps(distance, kernel):
    """Distance and dot product of every two rows, side by side, values on hover.

    ``distance`` and ``kernel`` hold one value an offset, 0 ... n - 1: each fills the
    cells of its two diagonals, so that n numbers make the n by n cells.
    """
    n = len(distance)
    frame = pd.DataFrame({"offset": range(n), "distance": distance, "product": kernel})
    cells = _diagonals(alt.Chart(data(frame)), n)
    tooltip = tooltips("offset|d", "distance|.4f", "product|.4f|dot product")

    def one(field, title, colours, shown, digits):
        label = f"format(datum.value, '{digits}')"
        key = alt.Legend(**_KEY, values=shown, labelExpr=label)
        colour = alt.Color(f"{field}:Q", title=None, scale=colours, legend=key)
        return (
            cells.mark_point(filled=True, opacity=1, strokeWidth=0)
            .encode(*_map_of(n, 300), color=colour, tooltip=tooltip)
            .properties(width=300, height=300, title=title, name=f"tiles_{field}")
        )

    largest = float(np.abs(kernel).max())
    sizes = np.linspace(0, np.max(distance), 5).round(1).tolist()
    signs = np.linspace(-largest, largest, 5).round().tolist()
    description = (
        f"Two maps of {n} by {n} positions: the distance of every two rows, zero on the "
        "main diagonal, and their dot product, largest there. Both are constant along "
        "every diagonal. The pointer reads the values."
    )
    left = one("distance", "distance", alt.Scale(scheme="viridis"), sizes, ".1f")
    right = one("product", "dot product", signed_scale(largest), signs, ".0f")
    pair = alt.hconcat(left, right, spacing=16, description=description)
    return pair.resolve_scale(color="independent")


def explorer(furthest=60, mapped=40):
    """Distance against offset and the map, for any width and base.

    Sliders set ``d_model`` and the base, a slider and a number box the offset that is
    marked; the offset under the pointer takes its place while it is over the map.
    """
    width = choice("d_model", 8, WIDTHS, "d_model")
    base = choice("base", 10_000, BASES, "base")
    under, chosen = pointed("chosen", "offset", "k")
    source = _distances(furthest)
    head = title("'d_model = ' + d_model + ', base = ' + format(base, ',')")
    description = (
        f"Distance explorer. Left, the distances of the first {mapped} positions as a "
        "map; the diagonal under the pointer is outlined. Right, the distance against "
        "the offset, with the marked offset and its value; triangles are offsets after "
        "which the distance falls. Sliders set the width and the base, a slider and a "
        "number box the offset. At width 8 and base 10000 the first fall is after "
        "offset 3."
    )
    return (
        alt.hconcat(_map(source, mapped, under), _curve(source, furthest), spacing=30)
        .resolve_scale(color="independent", shape="independent")
        .add_params(*width, *base, *controls("k", 3, 1, furthest, "offset k"), chosen)
        .properties(title=head, description=description)
    )


def _distances(furthest):
    """D(k) for k = 0 ... furthest + 1: a column for each width and base, one is shown.

    Made beforehand: in the browser, up to 256 pairs times 62 offsets at each step leave
    so much to tidy up that every tenth step takes two frames. Four decimals are what
    is shown, and they rise and fall where the distances do.
    """
    columns = {}
    for d_model, base in product(WIDTHS, BASES):
        table = encoding.positional_encoding(furthest + 2, d_model, base=base)
        columns[f"{d_model} {base}"] = encoding.distances(table)[0].round(4)
    frame = pd.DataFrame(columns).rename_axis("offset").reset_index()
    chosen = "datum[d_model + ' ' + base]"
    return alt.Chart(data(frame)).transform_calculate(distance=chosen)


def _diagonals(chart, n):
    """The shape of the two diagonals of each offset: all their cells in one path.

    One mark an offset instead of one a cell, 40 instead of 1600: a control that changes
    every colour then takes a frame. Paths run from -1 to 1 across the map.
    """
    cell = 2 / n
    square = f"h{cell}v{cell}h-{cell}v-{cell}m{cell},{cell}"
    cells = f"replace(pad('', {n} - datum.offset, '.'), regexp('[.]', 'g'), '{square}')"
    return chart.transform_calculate(
        middle=str((n - 1) / 2),
        start=f"-1 + {cell} * datum.offset",
        path=f"'M' + datum.start + ',-1' + {cells}"
        f" + (datum.offset == 0 ? '' : 'M-1,' + datum.start + {cells})",
    )


def _map_of(n, side):
    """The channels of one mark an offset: n by n positions, ``side`` pixels wide."""
    down = alt.Scale(domain=[-0.5, n - 0.5], nice=False, reverse=True)
    return [
        alt.X("middle:Q", scale=linear_scale(-0.5, n - 0.5), title="position p"),
        alt.Y("middle:Q", scale=down, title="position q"),
        alt.Shape("path:N", scale=None),
        alt.SizeValue(side**2),
    ]


def _map(source, mapped, under):
    cells = _diagonals(source.transform_filter(f"datum.offset < {mapped}"), mapped)
    cells = cells.encode(*_map_of(mapped, _SIDE))
    colours, key = alt.Scale(scheme="viridis"), alt.Legend(**_KEY)
    fill = cells.mark_point(filled=True, opacity=1, strokeWidth=0).encode(
        color=alt.Color("distance:Q", scale=colours, legend=key, title=None),
        tooltip=tooltips("offset|d", "distance|.4f"),
    )
    outline = cells.transform_filter("datum.offset == chosen").mark_point(
        filled=False, stroke=BAD, strokeWidth=1.5, opacity=1
    )
    fill = fill.add_params(under).properties(name="tiles")
    head = "distance of positions p and q"
    return (fill + outline).properties(width=_SIDE, height=_SIDE, title=head)


def _curve(source, furthest):
    base = source.transform_window(
        following="lead(distance)", sort=[alt.SortField("offset")]
    ).transform_filter(f"datum.offset <= {furthest}")
    x = alt.X("offset:Q", title="offset k", scale=linear_scale(0, furthest))
    y = alt.Y("distance:Q", title="distance D(k)")
    line = base.mark_line(color=GOOD, strokeWidth=1.5).encode(x, y)
    kinds = ["rises", "falls"]
    colours = alt.Scale(domain=kinds, range=[GOOD, BAD])
    marks = alt.Scale(domain=kinds, range=["circle", "triangle-down"])
    guide = {"title": "next distance", "legend": alt.Legend(orient="bottom")}
    dots = (
        base.transform_calculate(
            then="datum.following < datum.distance ? 'falls' : 'rises'"
        )
        .mark_point(filled=True, size=34, opacity=1)
        .encode(
            x,
            y,
            color=alt.Color("then:N", scale=colours, **guide),
            shape=alt.Shape("then:N", scale=marks, **guide),
            tooltip=tooltips("offset|d", "distance|.4f"),
        )
    )
    marked = base.transform_filter("datum.offset == chosen")
    rule = marked.mark_rule(color=PAGE_INK, strokeDash=[3, 3]).encode(x)
    ring = marked.mark_point(color=PAGE_INK, size=140, strokeWidth=2).encode(x, y)
    value = (
        marked.transform_calculate(
            shown="'D(' + datum.offset + ') = ' + format(datum.distance, '.4f')"
        )
        .mark_text(fontSize=14, fontWeight="bold", align="right")
        .encode(x=alt.value(300), y=alt.value(-12), text="shown:N")
    )
    head = alt.Title("distance against offset", offset=-14)
    return alt.layer(line, dots, rule, ring, value, width=300, height=_SIDE, title=head)
