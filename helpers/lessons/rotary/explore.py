"""The explorables of notebook 07: two turning hands, and the signs of their sines."""

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw import dials
from helpers.draw.channels import (
    PHONE,
    caption,
    linear_scale,
    note,
    of_pair,
    signed,
    single_datum,
    title,
    tooltips,
)
from helpers.draw.controls import choice, clock, controls, player
from helpers.draw.look import BAD, GOOD
from helpers.draw.renderer import data
from helpers.encoding import angular_speeds

MODES = ("rotated by M_pos", "encoding added")
BASES = (1_000, 10_000, 1_000_000)
_REACH = 32  # how far the key can be from the query
_D_HEAD = 16
_FURTHEST = 64  # the offset at which the strips end
_STRIP = 395  # pixels from the first offset to the last
# Pixels: a dial's place, its radius.
_WIDE = 192
_TALL = 182
_SIDE = f"({PHONE} ? 144 : {_WIDE})"
_RADIUS = f"({PHONE} ? 58 : 76)"
_ROTATED = f"mode == '{MODES[0]}'"
_QUERY = (0.4, 2.5, 5.2, 1.0)  # directions of the hands at position 0, in radians,
_KEY = (1.3, 1.7, 4.4, 0.2)  # clockwise from twelve o'clock: (sine, cosine)


def hands():
    """A query and a key as two hands a pair; move both, or one against the other.

    Play moves the query's position ``pos``, a slider the offset of the key; two
    buttons choose between rotating and adding. Below, what each pair contributes to the
    score, and the score against the offset.
    """
    pairs = range(len(_QUERY))
    frame = pd.DataFrame({"pair": pairs, "theta": angular_speeds(2 * len(pairs))})
    for name, angles in (("query", _QUERY), ("key", _KEY)):
        frame[f"{name}_sine"] = np.sin(angles)
        frame[f"{name}_cosine"] = np.cos(angles)
    params, moved = dials.grabbed("grab_hands", "pos", 0, 100)
    here = _placed(alt.Chart(data(frame)).transform_calculate(k="k"))
    below = alt.hconcat(_shares(here, pairs), _curve(here, frame), spacing=30)
    below = below.resolve_scale(color="independent")
    return (
        alt.vconcat(_dials(here, pairs), below, spacing=12)
        .resolve_scale(color="independent")
        .add_params(
            *player("pos", 3, 0, 100, "position of the query", 5, moved),
            *controls("k", 4, -_REACH, _REACH, "offset of the key"),
            *choice("mode", MODES[0], MODES, "positions are"),
            *params,
        )
        .properties(
            usermeta={"patch": dials.stacked(len(pairs), _SIDE, _TALL)},
            title=title(
                "'Query at ' + floor(pos) + ', key at ' + (floor(pos) + k)"
                " + ': move both, and '"
                f" + ({_ROTATED} ? 'the hands turn, but the score stays the same'"
                " : 'the score changes')"
            ),
            description=(
                f"{len(pairs)} dials, one a pair, each with the query's hand (solid) "
                "and the key's hand (dashed). Play, a slider, or a hand that is "
                "dragged moves the query's position, another slider the key's "
                "offset; two buttons choose rotating or adding. Below, each pair's "
                "contribution to the score and the score against the offset. When "
                "rotated, moving the query's position turns both hands together and "
                "changes no contribution."
            ),
        )
    )


def signs():
    """The sine of every hand against the offset, for a base and a trained length.

    The fastest pair whose sine has the sign of every trained offset is marked.
    """
    pairs = _D_HEAD // 2
    frame = pd.DataFrame({"pair": np.repeat(range(pairs), _FURTHEST - 1)})
    frame["k"] = np.tile(range(1, _FURTHEST), pairs)
    hands = alt.Chart(data(frame)).transform_calculate(
        half=f"PI * pow(base, 2 * datum.pair / {_D_HEAD})",
        sine="sin(PI * datum.k / datum.half)",
        name="'pair ' + datum.pair",
    )
    limit = single_datum(limit="trained - 0.5")
    edge, line = (
        limit.mark_rule(color=colour, strokeWidth=width).encode(alt.X("limit:Q"))
        for colour, width in (("white", 5), ("black", 2))
    )
    return (
        alt.layer(
            _strips(hands),
            edge,
            line,
            _half_turns(hands, pairs),
            width=_STRIP,
            height=26 * pairs,
        )
        .add_params(
            *choice("base", BASES[1], BASES, "base"),
            *controls("trained", 16, 4, 48, "trained length"),
        )
        .properties(
            title=title(
                "'Base ' + format(base, ',') + ', trained at length ' + trained"
            ),
            description=(
                f"A strip for each of the {pairs} pairs of a head that is {_D_HEAD} "
                f"wide: the sine of its angle at offsets 1 to {_FURTHEST - 1}, red "
                "where positive, blue where negative. A vertical line ends the "
                "trained offsets. Beside each strip: the half turn. The fastest pair "
                "whose sine is positive at every trained offset is marked with ←. A "
                "slider sets the base, a slider and a number box the trained length."
            ),
        )
    )


def _strips(hands):
    return (
        hands.transform_calculate(begin="datum.k - 0.5", end="datum.k + 0.55")
        .mark_rect()
        .encode(
            alt.X(
                "begin:Q", scale=linear_scale(0, _FURTHEST), title="offset of B from A"
            ),
            alt.X2("end:Q"),
            alt.Y("name:N", title=None, sort=None),
            signed(
                "sine:Q",
                title="sine",
                legend=alt.Legend(orient="bottom", gradientLength=160),
            ),
            tooltip=tooltips("k|d|offset", "sine|.2f"),
        )
    )


def _half_turns(hands, pairs):
    """At the right of each strip its half turn, and the arrow at the fastest right one."""
    return (
        hands.transform_filter("datum.k == 1")
        .transform_calculate(right=f"datum.half > trained - 1 ? datum.pair : {pairs}")
        .transform_joinaggregate(fastest="min(right)")
        .transform_calculate(
            said="(datum.pair == datum.fastest ? '← ' : '') + 'half turn '"
            " + format(datum.half, ',.1f')"
        )
        .mark_text(align="left", dx=6)
        .encode(
            alt.Y("name:N", title=None, sort=None), x=alt.value("width"), text="said:N"
        )
    )


def _placed(chart):
    """The pair of the query at ``pos`` and of the key at ``pos + datum.k``."""
    columns = {}
    for name, where in (("query", "pos"), ("key", "(pos + datum.k)")):
        sine = f"datum.{name}_sine"
        cosine = f"datum.{name}_cosine"
        angle = f"({where} * datum.theta)"
        x = f"{sine} * cos{angle} + {cosine} * sin{angle} : {sine} + sin{angle}"
        y = f"{cosine} * cos{angle} - {sine} * sin{angle} : {cosine} + cos{angle}"
        columns[f"{name}_x"] = f"{_ROTATED} ? {x}"
        columns[f"{name}_y"] = f"{_ROTATED} ? {y}"
    return chart.transform_calculate(**columns).transform_calculate(
        part="datum.query_x * datum.key_x + datum.query_y * datum.key_y"
    )


def _dials(here, pairs):
    row = dials.dials_side_by_side(len(pairs))
    # Of a hand that is 1 long; adding makes it up to twice that, on smaller dials.
    length = f"({_ROTATED} ? {_RADIUS} : {_RADIUS} / 2)"
    base = here.transform_calculate(
        hub_x=f"{_SIDE} * (datum.pair % {row} + 0.5)",
        hub_y=f"106 + {_TALL} * floor(datum.pair / {row})",
        above=f"datum.hub_y - {_RADIUS} - 14",
        caption="'pair ' + datum.pair",
        area=f"pow(2 * {length}, 2)",
    )
    for name in ("query", "key"):
        base = dials.pointing(
            base, f"{name}_end", f"datum.{name}_x", f"datum.{name}_y", length
        )
    colour = of_pair(pairs)
    return alt.layer(
        dials.hand(base, "key_end", strokeWidth=3, strokeDash=[5, 4]).encode(
            color=colour
        ),
        dials.hand(base, "query_end").encode(color=colour),
        note(base, "hub_x", "above", "caption"),
        dials.face(base, _RADIUS, "grab_hands").encode(
            size=alt.Size("area:Q", scale=None)
        ),
        clock("pos"),
        width=len(pairs) * _WIDE,
        height=_TALL,
        title=caption("solid: query; dashed: key"),
    )


def _shares(here, pairs):
    return (
        here.mark_bar()
        .encode(
            alt.X("part:Q", title="contribution", scale=linear_scale(-2, 4)),
            alt.Y("pair:O", title="pair"),
            color=of_pair(pairs),
            tooltip=tooltips("pair", "part|.4f|contribution"),
        )
        .properties(width=270, height=170)
    )


def _curve(here, frame):
    """The score against every offset, and the dot of the one that is set."""
    offsets = pd.DataFrame({"k": range(-_REACH, _REACH + 1)})
    every = alt.Chart(data(frame.merge(offsets, how="cross")))
    # The scores of rotated hands are between -2 and 5; added ones need more room.
    ends = (alt.expr(f"{_ROTATED} ? {one}") for one in ("-2 : -4", "5 : 14"))
    x = alt.X("k:Q", title="offset", scale=linear_scale(-_REACH, _REACH))
    y = alt.Y("score:Q", title="score", scale=linear_scale(*ends))
    line, summed = (
        chart.transform_aggregate(score="sum(part)", groupby=["k"])
        for chart in (_placed(every), here)
    )
    return alt.layer(
        line.mark_line(color=GOOD, strokeWidth=2).encode(x, y),
        summed.mark_circle(size=110, color=BAD, opacity=1).encode(
            x, y, tooltip=tooltips("score|.4f")
        ),
        summed.transform_calculate(said="'score ' + format(datum.score, '.3f')")
        .mark_text(x=212, y=-4, fontSize=13, fontWeight="bold")
        .encode(text="said:N"),
    ).properties(width=424, height=170)
