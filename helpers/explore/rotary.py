"""The explorables of notebook 07: two turning hands, lengths, turns in a context."""

import altair as alt
import numpy as np
import pandas as pd

from helpers.encoding import angular_speeds
from helpers.explore.controls import choice, controls
from helpers.explore.renderer import data
from helpers.look import BAD, GOOD, INK, MUTED, pair_colour

MODES = ("rotated by M_pos", "encoding added")
BASES = (10_000, 100_000, 500_000, 1_000_000, 10_000_000)
_SHAPES = (  # one a position code, so that none is told by its colour alone
    *("circle", "square", "triangle-up", "cross"),
    *("diamond", "triangle-down", "triangle-right"),
)
_SIDE = 160  # pixels of a dial
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
    below = alt.hconcat(_shares(frame), _curve(frame, reach), spacing=50)
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
                    "'query at position ' + pos + ', k = ' + k + ', key at ' + (pos + k)"
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


def extrapolation(results, trained=16):
    """Accuracy against length for all codes in one chart; a slider brings one up.

    ``results`` maps a code's name to {length: array over seeds}.
    """
    frame = pd.DataFrame(
        [
            {"code": name, "length": length, "seed": seed, "share": float(share)}
            for name, lengths in results.items()
            for length, seeds in lengths.items()
            for seed, share in enumerate(seeds)
        ]
    )
    names = list(results)
    shown = choice("shown", names[-1], names, "in front")
    colour = alt.Color(
        "code:N",
        scale=alt.Scale(
            domain=names, range=[pair_colour(n) for n in range(len(names))]
        ),
        legend=alt.Legend(title="position code", symbolOpacity=1),
    )
    x = alt.X(
        "length:Q",
        scale=alt.Scale(type="log", base=2, domain=[15, 68], nice=False),
        axis=alt.Axis(values=sorted(frame["length"].unique().tolist()), grid=False),
        title="length of the test sequences",
    )
    share = alt.Scale(domain=[0.3, 1.02], nice=False)
    shape = alt.Shape(
        "code:N",
        scale=alt.Scale(domain=names, range=_SHAPES[: len(names)]),
        title="position code",
    )
    bright = alt.condition("datum.code == shown", alt.value(1), alt.value(0.35))
    base = alt.Chart(data(frame)).encode(x, color=colour)
    lines = base.mark_line(strokeWidth=2.5).encode(
        alt.Y("mean(share):Q", scale=share, title="share right"),
        opacity=bright,
    )
    band = (
        base.transform_filter("datum.code == shown")
        .mark_area(opacity=0.18)
        .encode(
            alt.Y("min(share):Q", scale=share, title="share right"),
            alt.Y2("max(share):Q"),
        )
    )
    dots = base.mark_point(size=55, filled=True).encode(
        alt.Y("share:Q", scale=share, title="share right"),
        shape=shape,
        opacity=bright,
        tooltip=[
            alt.Tooltip("code:N", title="position code"),
            alt.Tooltip("length:Q"),
            alt.Tooltip("seed:O"),
            alt.Tooltip("share:Q", title="share right", format=".3f"),
        ],
    )
    guess = _rule(alt.Chart(data(pd.DataFrame({"share": [0.5]}))), MUTED).encode(
        alt.Y("share:Q", scale=share)
    )
    limit = _rule(alt.Chart(data(pd.DataFrame({"length": [trained]}))), INK).encode(x)
    return (
        alt.layer(guess, limit, band, lines, dots)
        .add_params(*shown)
        .properties(
            width=520,
            height=300,
            description=(
                "Share of right answers against the length of the test sequences, a "
                f"dot for each seed and a line for the mean of each code: "
                f"{', '.join(names)}. Trained at length {trained}, the upright dashed "
                "line; the level dashed line is guessing. A slider brings one code "
                "to the front with its range over the seeds."
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
                "a number box the context. A larger base lets more of the slow hands "
                "stay below one turn; a longer context fewer."
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
    length = 0.23  # of a hand that is 1 long; adding makes it up to twice that
    base = _here(frame).transform_calculate(
        middle="datum.pair + 0.5",
        hub="0",
        query_end_x=f"datum.middle + {length} * datum.query_x",
        query_end_y=f"{length} * datum.query_y",
        key_end_x=f"datum.middle + {length} * datum.key_x",
        key_end_y=f"{length} * datum.key_y",
        caption="'pair ' + datum.pair",
        top="0.47",
    )
    across = alt.Scale(domain=[0, pairs], nice=False)
    up = alt.Scale(domain=[-0.5, 0.5], nice=False)

    def x(field):
        return alt.X(f"{field}:Q", scale=across, axis=None)

    def y(field):
        return alt.Y(f"{field}:Q", scale=up, axis=None)

    colour = _pair_colours(frame)
    face = base.mark_point(
        shape="circle", size=(2 * length * _SIDE) ** 2, stroke=MUTED, filled=False
    ).encode(x("middle"), y("hub"))
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
        height=_SIDE,
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
    return bars.properties(width=240, height=150)


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
    text = summed.mark_text(dy=-16, fontSize=13, fontWeight="bold", color=INK).encode(
        x, y, text="said:N"
    )
    return alt.layer(line, dot, text).properties(width=330, height=150)


def _pair_colours(frame):
    pairs = frame["pair"].tolist()
    return alt.Color(
        "pair:O",
        scale=alt.Scale(domain=pairs, range=[pair_colour(pair) for pair in pairs]),
        legend=None,
    )
