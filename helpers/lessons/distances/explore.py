"""Explorables of notebook 04: maps with values under the pointer, and the explorer."""

from itertools import product

import altair as alt
import pandas as pd

from helpers import encoding
from helpers.draw.channels import caption, linear_scale, title, tooltips
from helpers.draw.controls import choice, controls, pointed
from helpers.draw.look import BAD, GOOD
from helpers.draw.renderer import PAGE_INK, data

WIDTHS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
BASES = (2, 10, 100, 1000, 10_000, 100_000, 1_000_000)
# A gradient would be drawn anew for each largest distance, the old ones staying.
_KEY = alt.Legend(type="symbol", symbolType="square", offset=8)
_SIZES = alt.Scale(scheme="viridis", nice=True)
_SIDE = 320  # pixels of the explorer's map, a whole number for each of 40 cells


def maps(distance, kernel):
    """Distance and dot product of every two rows, side by side, values on hover.

    ``distance`` and ``kernel`` hold one value an offset, 0 ... n - 1: each fills the
    cells of its two diagonals, so that n numbers make the n by n cells.
    """
    n = len(distance)
    frame = pd.DataFrame({"offset": range(n), "distance": distance, "product": kernel})
    side = 300
    cells = _diagonals(alt.Chart(data(frame)), n, side)
    description = (
        f"Two maps of {n} by {n} positions: the distance between every two rows, zero "
        "on the main diagonal, and their dot product, largest there. Both are constant "
        "along every diagonal. The pointer reads the values."
    )
    shown = "offset|d", "distance|.4f", "product|.4f|dot product"
    maps = [
        _filled(cells, field, scale, shown, alt.Legend(gradientLength=side)).properties(
            width=side, height=side, title=caption(head), name=f"tiles_{field}"
        )
        for field, head, scale in (
            ("distance", "distance", alt.Scale(scheme="viridis")),
            ("product", "dot product", alt.Scale(scheme="viridis", reverse=True)),
        )
    ]
    head = title(
        "'How alike are two positions?'",
        subtitle="point at a cell; dark: alike",
    )
    both = alt.hconcat(*maps, spacing=20, title=head, description=description)
    return both.resolve_scale(color="independent")


def explorer(furthest=60, mapped=40):
    """Distance against offset and the map, for any width and base.

    Sliders set ``d_model`` and the base, a slider and a number box the offset that is
    marked; the offset under the pointer takes its place while it is over the map.
    """
    width = choice("d_model", 8, WIDTHS, "d_model")
    base = choice("base", 10_000, BASES, "base")
    under, chosen = pointed("chosen", "offset", "k")
    columns = _distances(furthest)
    source = alt.Chart(data(columns.reset_index())).transform_calculate(
        distance="datum[d_model + ' ' + base]"
    )
    falls = (columns.diff().iloc[1:] < 0).reset_index(drop=True)
    first = falls.idxmax().where(falls.any(), -1).to_json()
    head = title(
        "'Width ' + d_model + ', base ' + format(base, ',') + ': the distance ' + "
        f"({first}[d_model + ' ' + base] < 0 ? 'never falls within {furthest} positions'"
        f" : 'falls for the first time after offset ' + {first}[d_model + ' ' + base])",
        subtitle="triangles: the next distance is smaller",
    )
    description = (
        f"Distance explorer. Left, the distances of the first {mapped} positions as a "
        "map; the diagonal under the pointer is outlined. Right, the distance against "
        "the offset, with the marked offset and its value; triangles are offsets after "
        "which the distance falls. Sliders set the width and the base, a slider and a "
        "number box the offset. At width 8 and base 10000 the first fall is after "
        "offset 3."
    )
    return (
        alt.hconcat(_map(source, mapped, under), _curve(source, furthest), spacing=25)
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
        columns[f"{d_model} {base}"] = encoding.distances(
            encoding.positional_encoding(furthest + 2, d_model, base=base)
        )[0].round(4)
    return pd.DataFrame(columns).rename_axis("offset")


def _diagonals(chart, n, side):
    """The two diagonals of each offset on a map of n by n positions, ``side`` wide.

    All their cells are one path: one mark an offset instead of one a cell, 40 instead of
    1600, so that a control that changes every colour takes a frame. Paths run from -1 to
    1 across the map.
    """
    cell = 2 / n
    square = f"h{cell}v{cell}h-{cell}v-{cell}m{cell},{cell}"
    cells = f"replace(pad('', {n} - datum.offset, '.'), regexp('[.]', 'g'), '{square}')"
    across = linear_scale(-0.5, n - 0.5)
    down = alt.Scale(domain=[-0.5, n - 0.5], nice=False, reverse=True)
    return chart.transform_calculate(
        middle=str((n - 1) / 2),
        start=f"-1 + {cell} * datum.offset",
        path=f"'M' + datum.start + ',-1' + {cells}"
        f" + (datum.offset == 0 ? '' : 'M-1,' + datum.start + {cells})",
    ).encode(
        alt.X("middle:Q", scale=across, title="position q"),
        alt.Y("middle:Q", scale=down, title="position p"),
        alt.Shape("path:N", scale=None),
        alt.SizeValue(side**2),
    )


def _filled(cells, field, scale, shown, legend=_KEY):
    """Cells in the colours of a field, what the pointer tells of them beside."""
    return cells.mark_point(filled=True, opacity=1, strokeWidth=0).encode(
        color=alt.Color(f"{field}:Q", title=None, scale=scale, legend=legend),
        tooltip=tooltips(*shown),
    )


def _map(source, mapped, under):
    cells = _diagonals(
        source.transform_filter(f"datum.offset < {mapped}"), mapped, _SIDE
    )
    fill = _filled(cells, "distance", _SIZES, ("offset|d", "distance|.4f"))
    outline = cells.transform_filter("datum.offset == chosen").mark_point(
        filled=False, stroke=BAD, strokeWidth=1.5, opacity=1
    )
    fill = fill.add_params(under).properties(name="tiles")
    return (fill + outline).properties(
        width=_SIDE, height=_SIDE, title=caption("distance between positions p and q")
    )


def _curve(source, furthest):
    base = (
        source.transform_window(
            following="lead(distance)", sort=[alt.SortField("offset")]
        )
        .transform_filter(f"datum.offset <= {furthest}")
        .transform_calculate(
            then="datum.following < datum.distance ? 'falls' : 'rises'",
            shown="'D(' + datum.offset + ') = ' + format(datum.distance, '.4f')",
        )
    )
    line = base.encode(
        alt.X("offset:Q", title="offset k", scale=linear_scale(0, furthest)),
        alt.Y("distance:Q", title="distance D(k)"),
    )

    def looks(channel, *ways):
        return channel(
            "then:N",
            scale=alt.Scale(domain=["rises", "falls"], range=ways),
            title="next distance",
            legend=None,
        )

    dots = line.mark_point(filled=True, size=60, opacity=1).encode(
        color=looks(alt.Color, GOOD, BAD),
        shape=looks(alt.Shape, "circle", "triangle-down"),
        tooltip=tooltips("offset|d", "distance|.4f"),
    )
    chosen = "datum.offset == chosen"
    marked = line.transform_filter(chosen)
    layers = [
        line.mark_line(color=GOOD, strokeWidth=1.5),
        dots,
        marked.mark_rule(color=PAGE_INK, strokeDash=[3, 3]),
        marked.mark_point(color=PAGE_INK, size=140, strokeWidth=2),
        base.transform_filter(chosen)
        .mark_text(fontSize=14, fontWeight="bold", align="right")
        .encode(x=alt.value(327), y=alt.value(-12), text="shown:N"),
    ]
    return alt.layer(
        *layers,
        width=327,
        height=_SIDE,
        title=caption("distance against offset", offset=-14),
    )
