"""Hands that write the table: what the sinusoidal encoding is, in one chart."""

import altair as alt
import numpy as np
import pandas as pd

from helpers import encoding
from helpers.draw import dials
from helpers.draw.channels import (
    NARROW,
    PHONE,
    at_pixels,
    both_columns,
    cells,
    note,
    of_pair,
    outline,
    title,
    tooltips,
    values,
)
from helpers.draw.controls import clock, player
from helpers.draw.renderer import PAGE_INK, data

# Pixels: a pair's two columns, its dial, the row that is written, the table below.
_PAIR = f"({PHONE} ? 40 : {NARROW} ? 73 : 95)"
_RADIUS = f"({PHONE} ? 18 : 34)"
_HUB, _ROW, _TABLE, _LINE, _WIDE = 58, 120, 162, 5, 95
NOW = "floor(step + 1e-6)"


def hands_write_the_table(d_model=16, rows=48):
    """One hand for each pair of columns; step by step they write the table's rows.

    The hand of pair ``i`` points at (sine, cosine) of ``pos * theta_i``, clockwise from
    twelve o'clock, and leaves the two numbers in columns ``2i`` and ``2i + 1``. Play, or
    drag a hand. Returns an Altair chart.
    """
    pairs = d_model // 2
    last = rows - 1
    speeds = encoding.angular_speeds(d_model)
    params, moved = dials.grabbed("grab", "step", 0, last)
    placed = alt.Chart(
        data(pd.DataFrame({"pair": range(pairs), "theta": speeds}))
    ).transform_calculate(
        left=f"{_PAIR} * datum.pair",
        hub_x=f"{_PAIR} * (datum.pair + 0.5)",
        hub_y=f"{_HUB}",
    )
    turns = speeds * last / (2 * np.pi)
    return (
        alt.layer(
            *_dials(placed, range(pairs)),
            *_new_row(placed),
            *_table(pairs, rows, d_model),
            _positions(rows),
            clock("step"),
            width=_WIDE * pairs,
            height=_TABLE + _LINE * rows + 4,
        )
        .resolve_scale(color="independent")
        .add_params(
            *player(
                "step",
                last * 3 // 7,
                0,
                last,
                "position",
                speed=10,
                moved=moved,
            ),
            *params,
        )
        .properties(
            title=title(
                f"'{pairs} hands write row ' + {NOW} + ' of the table: '"
                " + 'the fast ones flicker, the slow ones hardly move'",
                subtitle="press Play, or drag a hand",
            ),
            description=(
                f"{pairs} clock dials in a row, one for each pair of a table of width "
                f"{d_model}. The tip of each hand drops its two values, sine and "
                "cosine, into the pair's two columns below, and the table grows by a "
                f"row at every step. Set the position, 0 to {last}, let it play, or "
                f"drag a hand. At {last}, pair 0 has turned {turns[0]:.3g} times and "
                f"pair {pairs - 1} {turns[-1]:.2g} times, so the left columns flicker "
                "and the right ones hardly change."
            ),
        )
    )


def _dials(base, pairs):
    angle = "step * datum.theta"
    sine = f"sin({angle})"
    cosine = f"cos({angle})"
    base = dials.pointing(base, "tip", sine, cosine, _RADIUS).transform_calculate(
        sine=sine,
        cosine=cosine,
        above="12",
        into_sin=f"datum.left + {_PAIR} / 4",
        into_cos=f"datum.left + {_PAIR} * 0.75",
        into=f"{_ROW}",
        caption="'pair ' + datum.pair",
        sin=f"{PHONE} ? '' : 'sin'",
        cos=f"{PHONE} ? '' : 'cos'",
        named=f"{_ROW + 31}",
    )
    colour = of_pair(pairs)
    return [
        *(
            base.mark_rule(strokeDash=[2, 3], strokeWidth=1.2).encode(
                **at_pixels("tip_x", "tip_y", column, "into"), color=colour
            )
            for column in ("into_sin", "into_cos")
        ),
        dials.hand(base, "tip", strokeWidth=3).encode(color=colour),
        dials.tip(base, "tip", 60).encode(color=colour),
        note(base, "hub_x", "above", "caption", fontSize=12),
        *(
            note(base, f"into_{wave}", "named", wave, fontSize=11)
            for wave in ("sin", "cos")
        ),
        dials.face(base, _RADIUS, "grab").encode(
            tooltip=tooltips(
                "pair", "theta|.4~g|radians a step", "sine|.4f", "cosine|.4f"
            )
        ),
    ]


def _folded(base, angle):
    """Both columns of each pair, and their places."""
    return both_columns(
        base.transform_calculate(sine=f"sin({angle})", cosine=f"cos({angle})")
    ).transform_calculate(
        column="2 * datum.pair + datum.odd",
        begin=f"{_PAIR} / 2 * (2 * datum.pair + datum.odd) + 1",
        end=f"{_PAIR} / 2 * (2 * datum.pair + datum.odd + 1) - 1",
    )


def _new_row(base):
    both = _folded(base, f"{NOW} * datum.theta").transform_calculate(
        middle_x=f"datum.begin + {_PAIR} / 4 - 1",
        said=f"{PHONE} ? '' : format(datum.value, '.2f')",  # no room for a minus
        upper=f"{_ROW}",
        lower=f"{_ROW + 24}",
        middle_y=f"{_ROW + 12}",
    )
    return [
        cells(both, stroke=PAGE_INK, strokeWidth=1).encode(
            tooltip=tooltips("column", "wave", "value|.4f")
        ),
        values(both, fontSize=13).encode(text="said:N"),
    ]


def _table(pairs, rows, d_model):
    written = alt.Chart(alt.sequence(0, rows * pairs, as_="n")).transform_calculate(
        position=f"floor(datum.n / {pairs})", pair=f"datum.n % {pairs}"
    )
    angle = f"datum.position * pow(10000, -2 * datum.pair / {d_model})"
    both = (
        _folded(written, angle)
        .transform_filter(f"datum.position <= {NOW}")
        .transform_calculate(
            upper=f"{_TABLE} + {_LINE} * datum.position",
            lower=f"{_TABLE} + {_LINE} * (datum.position + 1)",
        )
    )
    return [
        cells(both).encode(tooltip=tooltips("position", "column", "value|.4f")),
        outline(
            begin="-2",
            end=f"{_PAIR} * {pairs} + 2",
            upper=f"{_TABLE} + {_LINE} * {NOW} - 1",
            lower=f"{_TABLE} + {_LINE} * ({NOW} + 1) + 1",
        ),
    ]


def _positions(rows):
    """The numbers of some rows, at the left of the table."""
    marked = alt.Chart(alt.sequence(0, rows - 3, 10, as_="row")).transform_calculate(
        x="-8",
        y=f"{_TABLE} + {_LINE} * (datum.row + 0.5)",
        said="(datum.row ? '' : 'row ') + datum.row",
    )
    return note(marked, "x", "y", "said", align="right")
