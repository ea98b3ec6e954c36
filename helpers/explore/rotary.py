"""The explorables of notebook 07: two turning hands, their signs, turns in a context."""

import altair as alt
import numpy as np
import pandas as pd

from helpers.encoding import angular_speeds
from helpers.explore.controls import choice, controls
from helpers.explore.dials import pair_colours, places
from helpers.explore.renderer import data
from helpers.look import BAD, GOOD, INK, MUTED

MODES = ("rotated by M_pos", "encoding added")
BASES = (10_000, 100_000, 500_000, 1_000_000, 10_000_000)
ENOUGH = 0.95  # of the training sequences: a hand that is right there can carry
_STRIP = 395  # pixels from the first offset to the last
_SIDE = 144  # pixels of a dial
_QUERY = (0.4, 2.5, 5.2, 1.0)  # directions of the hands at position 0, in radians,
_KEY = (1.3, 1.7, 4.4, 0.2)  # clockwise from twelve o'clock: (sine, cosine)


def hands(reach=32, furthest=100):
    """A query and a key as two hands a pair; move both, or one against the other.

    Sliders and number boxes set the query's position ``pos`` and the offset ``k`` of
    the key; a third slider chooses between rotating and adding. Below, what each pair
    contributes to the score, and the score against the offset.
    """
    pairs = len(_QUERY)
    frame = pd.DataFrame(
        {
            "pair": range(pairs),
            "theta": angular_speeds(2 * pairs),
            "query_sine": np.sin(_QUERY),
            "query_cosine": np.cos(_QUERY),
            "key_sine": np.sin(_KEY),
            "key_cosine": np.cos(_KEY),
        }
    )
    below = alt.hconcat(_shares(frame), _curve(frame, reach), spacing=30)
    return (
        alt.vconcat(_dials(frame), below, spacing=12)
        .resolve_scale(color="independent")
        .add_params(
            *controls("pos", 3, 0, furthest, "position of the query"),
            *controls("k", 4, -reach, reach, "offset of the key"),
            *choice("mode", MODES[0], MODES, "positions are"),
        )
        .properties(
            title=alt.Title(
                alt.expr(
                    "'query at position ' + pos + ', offset ' + k + ', key at ' + (pos + k)"
                )
            ),
            description=(
                f"{pairs} dials, one a pair, each with the query's hand (solid) and "
                "the key's hand (dashed). Sliders and number boxes move the query's "
                "position and the key's offset; a slider of two stops chooses "
                "rotating or adding. Below, each pair's contribution to the score and the "
                "score against the offset. When rotated, moving the query's position turns "
                "both hands together and changes no contribution."
            ),
        )
    )


def signs(d_head=16, furthest=64):
    """The sine of every hand against the offset, for a base and a trained length.

    Beside each pair stands the share of training sequences in which its sine has the
    sign of the offset; the fastest pair with at least `ENOUGH` is marked.
    """
    pairs = d_head // 2
    frame = pd.DataFrame(
        [(pair, k) for pair in range(pairs) for k in range(1, furthest)],
        columns=["pair", "k"],
    )
    bases = [1000, *BASES[:2], BASES[3]]
    base = choice("base", BASES[0], bases, f"base, {bases[0]:,} to {bases[-1]:,}")
    hands = alt.Chart(data(frame)).transform_calculate(
        half=f"PI * pow(base, 2 * datum.pair / {d_head})",
        sine="sin(PI * datum.k / datum.half)",
        weight="max(trained - datum.k, 0)",
        name="'pair ' + datum.pair",
    )
    y = alt.Y("name:N", title=None, sort=None)
    strips = (
        hands.transform_calculate(begin="datum.k - 0.5", end="datum.k + 0.5")
        .mark_rect()
        .encode(
            alt.X(
                "begin:Q",
                title="offset of B from A",
                scale=alt.Scale(domain=[0, furthest], nice=False),
                axis=alt.Axis(grid=False),
            ),
            alt.X2("end:Q"),
            y,
            alt.Color(
                "sine:Q",
                title="sine",
                scale=alt.Scale(scheme="redblue", reverse=True, domain=[-1, 1]),
                legend=alt.Legend(orient="bottom", gradientLength=160),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="hand"),
                alt.Tooltip("k:Q", title="offset"),
                alt.Tooltip("sine:Q", format=".2f"),
                alt.Tooltip("half:Q", title="half turn", format=".1f"),
            ],
        )
    )
    limit = (
        alt.Chart(data(pd.DataFrame({"at": [0]})))
        .transform_calculate(limit="trained - 0.5")
        .mark_rule(color=INK, strokeWidth=2)
        .encode(alt.X("limit:Q"))
    )
    told = (
        hands.transform_calculate(
            right="datum.sine > 0 ? datum.weight : 0",
        )
        .transform_aggregate(
            right="sum(right)", all="sum(weight)", groupby=["pair", "name", "half"]
        )
        .transform_calculate(
            share="datum.right / datum.all",
            enough=f"datum.right >= {ENOUGH} * datum.all ? datum.pair : {pairs}",
        )
        .transform_joinaggregate(carrier="min(enough)")
        .transform_calculate(
            marked="datum.pair == datum.carrier",
            said="(datum.marked ? '← ' : '') + format(datum.share, '.0%')"
            " + ' right, half turn ' + format(datum.half, ',.1f')",
        )
        .mark_text(align="left", dx=6, fontSize=12, color=INK)
        .encode(
            y,
            x=alt.value("width"),
            text="said:N",
        )
    )
    return (
        alt.layer(strips, limit, told)
        .add_params(*base, *controls("trained", 16, 4, 48, "trained length"))
        .properties(
            width=_STRIP,
            height=26 * pairs,
            padding={"right": 190, "left": 5, "top": 5, "bottom": 5},
            title=alt.Title(
                alt.expr(
                    "'base ' + format(base, ',') + ', trained at length ' + trained"
                )
            ),
            description=(
                f"A strip for each of the {pairs} pairs of a head that is {d_head} "
                f"wide: the sine of its angle at offsets 1 to {furthest - 1}, red "
                "where positive, blue where negative. An upright line ends the trained "
                "offsets. Beside each strip: in what share of the training sequences "
                "the sine has the sign of the offset, and the half turn. The fastest "
                f"pair with at least {ENOUGH:.0%} is marked with ←. A slider sets "
                "the base, a slider and a number box the trained length."
            ),
        )
    )


def turns(d_head=128):
    """How often each hand goes round within a context, for several bases."""
    frame = pd.DataFrame({"pair": np.arange(d_head // 2)})
    base = choice("base", BASES[0], BASES, f"base, {BASES[0]:,} to {BASES[-1]:,}")
    size = controls("power", 12, 9, 20, "context = 2 to the power")
    bars = (
        alt.Chart(data(frame))
        .transform_calculate(
            theta=f"pow(base, -2 * datum.pair / {d_head})",
            turns="pow(2, power) * datum.theta / (2 * PI)",
            goes_round="datum.turns >= 1 ? 'goes round' : 'never goes round'",
        )
        .mark_point(size=60, opacity=1, filled=True)
        .encode(
            alt.X("pair:Q", title="pair i", scale=alt.Scale(domain=[-1, d_head // 2])),
            alt.Y(
                "turns:Q",
                title="turns within the context",
                scale=alt.Scale(type="log", domain=[1e-4, 1e6], clamp=True),
                axis=alt.Axis(format="~g", values=[1e-4, 1e-2, 1, 1e2, 1e4, 1e6]),
            ),
            alt.Color(
                "goes_round:N",
                scale=alt.Scale(
                    domain=["goes round", "never goes round"], range=[BAD, GOOD]
                ),
                legend=alt.Legend(title=None, orient="right"),
            ),
            alt.Shape(
                "goes_round:N",
                scale=alt.Scale(
                    domain=["goes round", "never goes round"],
                    range=["circle", "diamond"],
                ),
                title=None,
            ),
            tooltip=[
                alt.Tooltip("pair:O"),
                alt.Tooltip("theta:Q", title="radians a position", format=".3g"),
                alt.Tooltip("turns:Q", format=".3g"),
            ],
        )
    )
    once = _rule(alt.Chart(data(pd.DataFrame({"turns": [1]}))), INK).encode(
        alt.Y("turns:Q")
    )
    return (
        alt.layer(once, bars)
        .add_params(*base, *size)
        .properties(
            width=500,
            height=260,
            title=alt.Title(
                alt.expr(
                    "'base ' + format(base, ',') + ', context 2^' + power + ' = '"
                    " + format(pow(2, power), ',')"
                )
            ),
            description=(
                f"For each of the {d_head // 2} pairs of a head that is {d_head} wide: "
                "how many turns its hand makes within the context, on a logarithmic "
                "axis with a line at one turn. A slider sets the base, a slider and "
                "a number box the context. A larger base leaves more of the slow "
                "hands below one turn, a longer context fewer."
            ),
        )
    )


def _rule(chart, colour):
    return chart.mark_rule(strokeDash=[5, 4], color=colour, strokeWidth=1)


def _placed(chart):
    """The pair of the query at ``pos`` and of the key at ``pos + datum.k``."""
    columns = {}
    for name, where in (("query", "pos"), ("key", "(pos + datum.k)")):
        sine, cosine = f"datum.{name}_sine", f"datum.{name}_cosine"
        angle = f"({where} * datum.theta)"
        columns[f"{name}_x"] = (
            f"mode == '{MODES[0]}' ? {sine} * cos{angle} + {cosine} * sin{angle}"
            f" : {sine} + sin{angle}"
        )
        columns[f"{name}_y"] = (
            f"mode == '{MODES[0]}' ? {cosine} * cos{angle} - {sine} * sin{angle}"
            f" : {cosine} + cos{angle}"
        )
    return chart.transform_calculate(**columns).transform_calculate(
        part="datum.query_x * datum.key_x + datum.query_y * datum.key_y"
    )


def _here(frame):
    return _placed(alt.Chart(data(frame)).transform_calculate(k="k"))


def _dials(frame):
    pairs = len(frame)
    # Of a hand that is 1 long; adding makes it up to twice that, on smaller dials.
    length = f"(mode == '{MODES[0]}' ? 0.42 : 0.21)"
    base = _here(frame).transform_calculate(
        middle="datum.pair + 0.5",
        hub="0",
        query_end_x=f"datum.middle + {length} * datum.query_x",
        query_end_y=f"{length} * datum.query_y",
        key_end_x=f"datum.middle + {length} * datum.key_x",
        key_end_y=f"{length} * datum.key_y",
        caption="'pair ' + datum.pair",
        top="0.52",
        area=f"pow(2 * {length} * {_SIDE}, 2)",
    )
    x, y = places((0, pairs), (-0.45, 0.6))
    colour = _pair_colours(frame)
    face = base.mark_point(shape="circle", stroke=MUTED, filled=False).encode(
        x("middle"), y("hub"), size=alt.Size("area:Q", scale=None)
    )
    query = base.mark_rule(strokeWidth=4, strokeCap="round").encode(
        x("middle"), y("hub"), x2="query_end_x:Q", y2="query_end_y:Q", color=colour
    )
    key = base.mark_rule(strokeWidth=3, strokeDash=[5, 4]).encode(
        x("middle"), y("hub"), x2="key_end_x:Q", y2="key_end_y:Q", color=colour
    )
    label = base.mark_text(fontSize=12, color=INK).encode(
        x("middle"), y("top"), text="caption:N"
    )
    return alt.layer(face, key, query, label).properties(
        width=pairs * _SIDE,
        height=1.05 * _SIDE,
        title=alt.Title("solid: query · dashed: key", fontSize=12, color=MUTED),
    )


def _shares(frame):
    base = _here(frame).encode(
        alt.Y("pair:O", title="pair"),
        tooltip=[
            alt.Tooltip("pair:O"),
            alt.Tooltip("part:Q", title="contribution", format=".4f"),
        ],
    )
    bars = base.mark_bar().encode(
        alt.X(
            "part:Q",
            title="contribution to the score",
            scale=alt.Scale(domain=[-2, 4], nice=False),
        ),
        color=_pair_colours(frame),
    )
    return bars.properties(width=205, height=150)


def _curve(frame, reach):
    """The score against every offset, and the dot of the one that is set."""
    offsets = pd.DataFrame({"k": np.arange(-reach, reach + 1)})
    every = frame.merge(offsets, how="cross")
    y = alt.Y("score:Q", title="score", scale=alt.Scale(domain=[-4, 14], nice=False))
    x = alt.X("k:Q", title="offset", scale=alt.Scale(domain=[-reach, reach]))
    line = (
        _placed(alt.Chart(data(every)))
        .transform_aggregate(score="sum(part)", groupby=["k"])
        .mark_line(color=GOOD, strokeWidth=2)
        .encode(x, y)
    )
    summed = (
        _here(frame)
        .transform_aggregate(score="sum(part)", groupby=["k"])
        .transform_calculate(said="'score ' + format(datum.score, '.3f')")
    )
    dot = summed.mark_circle(size=110, color=BAD, opacity=1).encode(
        x, y, tooltip=[alt.Tooltip("score:Q", format=".4f")]
    )
    # At an end, the text keeps off the axis and within the picture.
    side = f"k < {-reach // 2} ? 'left' : k > {reach // 2} ? 'right' : 'center'"
    text = summed.mark_text(
        align=alt.expr(side), dy=-16, fontSize=13, fontWeight="bold", color=INK
    ).encode(x, y, text="said:N")
    return alt.layer(line, dot, text).properties(width=280, height=150)


def _pair_colours(frame):
    return alt.Color("pair:O", scale=pair_colours(frame["pair"]), legend=None)
