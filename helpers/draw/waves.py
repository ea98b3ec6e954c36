"""The waves of a table, for notebook 01: what is pointed at moves all else."""

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import (
    both_columns,
    caption,
    cells,
    linear_scale,
    note,
    of_pair,
    outline,
    single_datum,
    title,
    values,
)
from helpers.draw.controls import choice, controls, handler, vega_signal
from helpers.draw.dials import face, hand, mark_event, pointing, tip
from helpers.draw.renderer import PAGE_INK, PAGE_WIDTH, data
from helpers.draw.turns import turn_lengths
from helpers.draw.words import listed

_WIDE = 546  # pixels of the waves, fewer on a phone
_POINTED = handler(
    [mark_event(event, "scrub") for event in ("pointermove", "pointerdown")],
    "datum.position",
)
# Where the window is narrow: the table below the waves, and all as wide as they are.
_COLUMNS = {"signal": f"{PAGE_WIDTH} < {_WIDE + 200} ? 1 : 2"}
_PATCH = [
    {"op": "add", "path": "/layout/columns", "value": _COLUMNS},
    {"op": "add", "path": "/signals/0/update", "value": "wide"},
]


def sinusoids(table, columns=None):
    """Columns of a table as waves, with the dials and the row of one position.

    ``table`` of shape (positions, columns), or the pairs that have one of ``columns``.
    Sine solid, cosine dashed; dots are the table's values, with a smooth curve through
    them. Buttons choose a pair. The pointer, a slider or a number box set the position.
    """
    table = np.asarray(table)
    columns = range(table.shape[1]) if columns is None else columns
    pairs = sorted({int(column) // 2 for column in columns})
    last = len(table) - 1
    place, pair = (grid.ravel() for grid in np.indices((len(table), len(pairs))))
    pair = np.take(pairs, pair)
    frame = pd.DataFrame({"position": place, "pair": pair})
    frame["sine"], frame["cosine"] = table[place, 2 * pair], table[place, 2 * pair + 1]
    base = alt.Chart(data(frame))
    turns = turn_lengths(table)[pairs].astype(float).round(3).tolist()
    left = alt.vconcat(_waves(base, pairs, last), _moment(base, pairs), spacing=6)
    return (
        alt.hconcat(left, _strip(base, pairs, last), spacing=16)
        .resolve_scale(color="independent")
        .add_params(
            *controls("here", min(24, last), 0, last, "position", moved=[_POINTED]),
            *choice(
                "pair", str(pairs[:2][-1]), ["all", *map(str, pairs)], "pair shown"
            ),
            # A still is drawn without a window.
            vega_signal(
                "wide", expr=f"clamp(({PAGE_WIDTH}) - 110 || {_WIDE}, 200, {_WIDE})"
            ),
        )
        .properties(
            usermeta={"patch": _PATCH},
            title=title(
                "pair == 'all' ? 'The waves of all pairs, a colour for each hand'"
                " : 'Columns ' + 2 * pair + ' and ' + (2 * pair + 1)"
                " + ' are one hand, pair ' + pair + ', which needs ' + "
                f"format({turns}[indexof({pairs}, +pair)], ',.3~r')"
                " + ' positions for a turn'",
                subtitle="point at the waves, or set the position",
            ),
            description=(
                f"Columns {2 * pairs[0]} to {2 * pairs[-1] + 1} of an encoding table "
                f"as waves over {len(table)} positions, sine solid and cosine dashed, "
                "one colour per pair. From the first pair to the last, a turn needs "
                f"{listed(turns)} positions. At the position that is chosen, a rule "
                "across the waves, the pairs' dials, the row's cells, and a frame "
                "round the row in the table as a heat map. Buttons choose a pair."
            ),
        )
    )


def _waves(base, pairs, last):
    x = alt.X("position:Q", title="position", scale=linear_scale(0, last))
    y = alt.Y("value:Q", title="value", scale=alt.Scale(domain=[-1.1, 1.2]))
    shown = "pair == 'all' || datum.pair == pair"
    dashes = alt.Scale(domain=["sine", "cosine"], range=[[1, 0], [9, 5]])
    chosen = both_columns(base.transform_filter(shown)).encode(
        x, y, color=of_pair(pairs)
    )
    curves = chosen.mark_line(strokeWidth=2, interpolate="natural").encode(
        strokeDash=alt.StrokeDash("wave:N", scale=dashes, legend=None)
    )
    here = chosen.transform_filter("datum.position == here")
    late = f"here > {0.88 * last}"
    side = f"{late} ? 'right' : 'left'"
    away = f"{late} ? -8 : 8"
    numbers = (
        here.transform_filter("pair != 'all'")
        .transform_calculate(said="format(datum.value, '.4f')")
        .mark_text(align=alt.expr(side), dx=alt.expr(away), dy=-8, fontSize=13)
        .encode(text="said:N", color=alt.value(PAGE_INK))
    )
    names = (
        chosen.transform_filter(f"pair != 'all' && datum.position == {last}")
        .mark_text(align="left", dx=8, fontSize=13)
        .encode(text="wave:N", color=alt.value(PAGE_INK))
    )
    rule = single_datum(position="here").mark_rule(color=PAGE_INK, opacity=0.6)
    near = (
        alt.Chart(alt.sequence(0, last + 1, as_="position"), name="scrub")
        .transform_calculate(
            begin="max(datum.position - 0.5, 0)",
            end=f"min(datum.position + 0.5, {last})",
        )
        .mark_rect(fill="transparent", opacity=1)
        .encode(x="begin:Q", x2="end:Q", y=alt.value(0), y2=alt.value("height"))
    )
    return alt.layer(
        rule.encode(x),
        curves,
        chosen.mark_circle(size=12, opacity=0.55),
        here.mark_circle(size=80, opacity=1),
        numbers,
        names,
        near,
        width=_WIDE,
        height=230,
    )


def _moment(base, pairs):
    """Dials and cells at the position that is pointed at."""
    unit = f"(wide / {len(pairs)})"
    radius = 24
    here = base.transform_filter("datum.position == here").transform_calculate(
        left=f"{unit} * indexof({pairs}, datum.pair)",
        hub_x=f"datum.left + {unit} / 2",
        hub_y="42",
        above="8",
        caption="'pair ' + datum.pair",
    )
    here = pointing(here, "tip", "datum.sine", "datum.cosine", radius)
    both = both_columns(here).transform_calculate(
        begin=f"datum.left + {unit} / 2 * datum.odd + 2",
        end=f"datum.left + {unit} / 2 * (datum.odd + 1) - 2",
        middle_x=f"datum.left + {unit} / 2 * (datum.odd + 0.5)",
        middle_y="86",
        upper="74",
        lower="98",
        under="109",
        head="'col ' + (2 * datum.pair + datum.odd)",
    )
    return alt.layer(
        face(here, radius),
        hand(here, "tip", strokeWidth=3).encode(color=of_pair(pairs)),
        tip(here, "tip", 50).encode(color=of_pair(pairs)),
        note(here, "hub_x", "above", "caption"),
        cells(both),
        values(both, ".2f", fontSize=11),
        note(both, "middle_x", "under", "head", fontSize=11),
    ).properties(width=_WIDE, height=116)


def _strip(base, pairs, last):
    """The table as a heat map, a frame round the row that is pointed at."""
    tall = max(1, 330 // (last + 1))
    wide = min(14, 120 // (2 * len(pairs)))
    deep = tall * (last + 1)
    table = cells(
        both_columns(base)
        .transform_calculate(column=f"2 * indexof({pairs}, datum.pair) + datum.odd")
        .transform_calculate(
            begin=f"datum.column * {wide}",
            end=f"(datum.column + 1) * {wide}",
            upper=f"datum.position * {tall}",
            lower=f"(datum.position + 1) * {tall}",
        )
    )
    row = outline(
        begin="-3",
        end=f"{2 * len(pairs) * wide + 3}",
        upper=f"here * {tall} - 1.5",
        lower=f"(here + 1) * {tall} + 1.5",
    )
    columns = outline(
        begin=f"2 * indexof({pairs}, +pair) * {wide} - 1.5",
        end=f"2 * (indexof({pairs}, +pair) + 1) * {wide} + 1.5",
        upper="-3",
        lower=f"{deep + 3}",
    ).transform_filter("pair != 'all'")
    ends = alt.Chart(alt.sequence(0, last + 1, max(1, last), as_="position"))
    ends = ends.transform_calculate(x="-6", y=f"(datum.position + 0.5) * {tall}")
    return alt.layer(
        table, row, columns, note(ends, "x", "y", "position", align="right")
    ).properties(width=2 * len(pairs) * wide, height=deep, title=caption("the table"))
