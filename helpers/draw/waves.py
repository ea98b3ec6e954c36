"""The waves of a table, for notebook 01: what is pointed at moves all else."""

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import (
    at_pixels,
    caption,
    cells,
    linear_scale,
    note,
    of_pair,
    single_datum,
    title,
    values,
)
from helpers.draw.controls import choice, controls, handler, vega_signal
from helpers.draw.dials import face, hand, mark_event, pointing, tip
from helpers.draw.renderer import PAGE_INK, PAGE_WIDTH, data

_WIDE = 556  # pixels of the waves, fewer on a phone
_FINE = 6  # points of a curve for each position
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
    Sine solid, cosine dashed; dots are the table's values, and the curve through them is
    that of a hand which turns evenly. Buttons choose a pair, the others stay pale. The
    pointer, a slider or a number box set the position.
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
    hands = _hands(table, pairs)
    waves = _waves(base, hands, pairs, last)
    left = alt.vconcat(waves, _moment(base, pairs), spacing=6)
    hint = "point at the waves, or set the position"
    head = title(
        "pair == 'all' ? 'The waves of all pairs, a colour for each hand'"
        " : 'Columns ' + 2 * pair + ' and ' + (2 * pair + 1) + ' are one hand, pair '"
        " + pair + ', which needs ' + "
        f"format({_length(hands, pairs)}, ',.3~r') + ' positions for a turn'",
        subtitle=hint,
    )
    description = (
        f"Columns {2 * pairs[0]} to {2 * pairs[-1] + 1} of an encoding table as "
        f"waves over {len(table)} positions, sine solid and cosine dashed, one "
        f"colour per pair. {_crossings(table, pairs)} At the position that is "
        "chosen, a rule across the waves, the pairs' dials, the row's cells, and "
        "a frame round the row in the table as a heat map. Buttons choose a pair."
    )
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
                "wide", expr=f"clamp(({PAGE_WIDTH}) - 105 || {_WIDE}, 200, {_WIDE})"
            ),
        )
        .properties(
            usermeta={"patch": _PATCH},
            title=head,
            description=description,
        )
    )


def _length(hands, pairs):
    """The positions that the chosen pair needs for one wave, as an expression."""
    return f"(2 * PI / abs({hands[1]}[indexof({pairs}, +pair)]))"


def _hands(table, pairs):
    """The angle of each pair's hand at position 0, and its speed in radians a position."""
    both = table[:, [2 * pair for pair in pairs]], table[:, [2 * p + 1 for p in pairs]]
    angles = np.unwrap(np.arctan2(*both), axis=0)
    speeds = (angles[-1] - angles[0]) / max(1, len(table) - 1)
    return angles[0].round(6).tolist(), speeds.round(9).tolist()


def _curves(hands, pairs, last):
    """The sines and cosines of hands that turn evenly, between the positions too."""
    count, chosen = _FINE * last + 1, f"floor(datum.n / {_FINE * last + 1})"
    angle = f"{hands[0]}[{chosen}] + {hands[1]}[{chosen}] * datum.position"
    return (
        alt.Chart(alt.sequence(0, count * len(pairs), as_="n"))
        .transform_calculate(
            pair=f"{pairs}[{chosen}]", position=f"datum.n % {count} / {_FINE}"
        )
        .transform_calculate(sine=f"sin({angle})", cosine=f"cos({angle})")
    )


def _waves(base, hands, pairs, last):
    x = alt.X("position:Q", title="position", scale=linear_scale(0, last))
    y = alt.Y("value:Q", title="value", scale=alt.Scale(domain=[-1.1, 1.3]))
    shown = "pair == 'all' || datum.pair == pair"

    def folded(chart):
        both = chart.transform_filter(shown).transform_fold(
            ["sine", "cosine"], as_=["wave", "value"]
        )
        return both.encode(x, y, color=of_pair(pairs))

    dashes = alt.Scale(domain=["sine", "cosine"], range=[[1, 0], [9, 5]])
    curves = folded(_curves(hands, pairs, last)).mark_line(strokeWidth=2)
    curves = curves.encode(
        strokeDash=alt.StrokeDash("wave:N", scale=dashes, legend=None)
    )
    chosen = folded(base)
    dots = chosen.mark_circle(size=12, opacity=0.55)
    here = chosen.transform_filter("datum.position == here")
    large = here.mark_circle(size=80, opacity=1)
    late = f"here > {0.88 * last}"
    side, away = f"{late} ? 'right' : 'left'", f"{late} ? -8 : 8"
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
    bracket = _one_turn(hands, pairs, last, y)
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
    layers = rule.encode(x), curves, dots, large, numbers, names, *bracket, near
    return alt.layer(*layers, width=_WIDE, height=230)


def _one_turn(hands, pairs, last, y):
    """A bracket from one crest of the chosen pair's sine to the next."""
    length, start = _length(hands, pairs), f"{hands[0]}[indexof({pairs}, +pair)]"
    turns = f"({hands[1]}[indexof({pairs}, +pair)] > 0 ? 0.25 : 0.75) * 2 * PI"
    crest = f"((({turns}) - {start} + 4 * PI) % (2 * PI)) / (2 * PI) * {length}"
    span = (
        single_datum(crest=crest)
        .transform_calculate(
            next=f"datum.crest + {length}",
            middle=f"datum.crest + {length} / 2",
            value="1.06",
            said=f"'one turn: ' + format({length}, ',.3~r')",
        )
        .transform_filter(f"pair != 'all' && datum.next <= {last}")
        .encode(y=y)
    )
    return [
        span.mark_rule(color=PAGE_INK).encode(
            alt.X("crest:Q", title="position", scale=linear_scale(0, last)), x2="next:Q"
        ),
        *(
            span.mark_tick(color=PAGE_INK, orient="vertical", size=10).encode(
                x=f"{at}:Q"
            )
            for at in ("crest", "next")
        ),
        span.mark_text(dy=-9, fontSize=12).encode(x="middle:Q", text="said:N"),
    ]


def _moment(base, pairs):
    """Dials and cells at the position that is pointed at."""
    unit, radius = f"(wide / {len(pairs)})", 24
    here = base.transform_filter("datum.position == here").transform_calculate(
        left=f"{unit} * indexof({pairs}, datum.pair)",
        hub_x=f"datum.left + {unit} / 2",
        hub_y="42",
        above="8",
        caption="'pair ' + datum.pair",
    )
    here = pointing(here, "tip", "datum.sine", "datum.cosine", radius)
    both = here.transform_fold(["sine", "cosine"], as_=["wave", "value"])
    both = both.transform_calculate(
        odd="datum.wave == 'cosine' ? 1 : 0",
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
    tall, wide = max(1, 330 // (last + 1)), min(14, 120 // (2 * len(pairs)))
    deep = tall * (last + 1)
    table = cells(
        base.transform_fold(["sine", "cosine"], as_=["wave", "value"])
        .transform_calculate(
            column=f"2 * indexof({pairs}, datum.pair) + (datum.wave == 'cosine' ? 1 : 0)"
        )
        .transform_calculate(
            begin=f"datum.column * {wide}",
            end=f"(datum.column + 1) * {wide}",
            upper=f"datum.position * {tall}",
            lower=f"(datum.position + 1) * {tall}",
        )
    )
    row = (
        single_datum(
            begin="-3",
            end=f"{2 * len(pairs) * wide + 3}",
            upper=f"here * {tall} - 1.5",
            lower=f"(here + 1) * {tall} + 1.5",
        )
        .mark_rect(fill=None, stroke=PAGE_INK, strokeWidth=1.5)
        .encode(**at_pixels("begin", "upper", "end", "lower"))
    )
    columns = (
        single_datum(
            begin=f"2 * indexof({pairs}, +pair) * {wide} - 1.5",
            end=f"2 * (indexof({pairs}, +pair) + 1) * {wide} + 1.5",
            upper="-3",
            lower=f"{deep + 3}",
        )
        .transform_filter("pair != 'all'")
        .mark_rect(fill=None, stroke=PAGE_INK, strokeWidth=1.5, strokeDash=[4, 3])
        .encode(**at_pixels("begin", "upper", "end", "lower"))
    )
    ends = alt.Chart(alt.sequence(0, last + 1, max(1, last), as_="position"))
    ends = ends.transform_calculate(x="-6", y=f"(datum.position + 0.5) * {tall}")
    numbered = note(ends, "x", "y", "position", align="right")
    return alt.layer(table, row, columns, numbered).properties(
        width=2 * len(pairs) * wide, height=deep, title=caption("the table")
    )


def _crossings(table, pairs):
    """How often each column passes through zero, as a sentence."""
    shown = [table[:, column] for pair in pairs for column in (2 * pair, 2 * pair + 1)]
    counts = [int((np.diff(np.sign(v[v != 0])) != 0).sum()) for v in shown]
    said = ", ".join(str(count) for count in counts)
    return f"From the first column to the last they cross zero {said} times."
