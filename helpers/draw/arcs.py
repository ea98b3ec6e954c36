"""Attention as arcs over one sentence: from the word that asks to those it looks at."""

import json

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import at_pixels, title, tooltips
from helpers.draw.controls import choice, controls, handler
from helpers.draw.dials import mark_event
from helpers.draw.look import GOOD
from helpers.draw.renderer import PAGE_INK, data

_SIZE, _LETTER, _GAP = 19, 11.5, 12  # the words' letters, and between two words
_FLAT = 0.45  # height of an arc, in halves of its width
_POINTED = handler(
    [mark_event(event, "words") for event in ("pointerover", "pointerdown")],
    "datum.key",
)


def look_back(words, d_model=64, furthest=3):
    """A head built by hand that looks k words back, as arcs over a sentence.

    The query of position ``pos`` is ``beta * M_-k PE_pos`` and the key of position ``j``
    is ``PE_j``, so that a score is ``beta * sum_i cos((pos - k - j) theta_i)``. Sliders
    set the word that asks, k and beta. Returns an Altair chart.
    """
    pairs = d_model // 2
    last = len(words) - 1
    pair = f"(datum.n % {pairs})"
    gone = f"(query - back - floor(datum.n / {pairs}))"
    scores = (
        alt.Chart(alt.sequence(0, len(words) * pairs, as_="n"))
        .transform_calculate(
            key=f"floor(datum.n / {pairs})",
            term=f"sharp * cos({gone} * pow(10000, -{pair} / {pairs}))",
        )
        .transform_aggregate(score="sum(term)", groupby=["key"])
    )
    description = (
        f"The sentence “{' '.join(words)}” with arcs from the word that asks to the words "
        "that the head looks at; the wider an arc, the larger the weight. Sliders set the "
        "word, the offset k, which may be negative, and beta. With a small beta the "
        "weight spreads; with a large one nearly all of it is on the word k back, "
        "whatever word asks."
    )
    parameters = [
        *controls("query", min(4, last), 0, last, "word that asks", moved=[_POINTED]),
        *controls("back", 2, -furthest, furthest, "k, words back"),
        *choice("sharp", 5, [0.05, 0.2, 1, 5], "beta"),
    ]
    asking = f"'“' + {json.dumps(words)}[query] + '” looks '"
    where = "abs(back) + (back < 0 ? ' ahead' : ' back')"
    head = f"{asking} + (back == 0 ? 'at itself' : {where})"
    return (
        _sentence(words, _softmax(scores))
        .add_params(*parameters)
        .properties(
            title=title(
                head, subtitle="point at a word, or set k and beta; weights in %"
            ),
            description=description,
        )
    )


def reading_heads(tokens, weights):
    """Heads of a trained model over a line of text, one at a time, as arcs.

    ``weights`` maps a head's name to an array (query, key); a causal head looks back
    only. Buttons choose the head, the pointer or a slider the token that asks. Returns an
    Altair chart.
    """
    names = list(weights)
    last = len(tokens) - 1
    rows = [pd.DataFrame(np.asarray(w).T.round(3)) for w in weights.values()]
    frame = pd.concat(rows, keys=names, names=["head", "key"]).reset_index()
    chosen = (
        alt.Chart(data(frame.rename(columns=str)))
        .transform_filter("datum.head == head")
        .transform_calculate(weight="datum[query]")
    )
    parameters = [
        *choice("head", names[0], names, "head"),
        *controls("query", 2 * last // 3, 0, last, "token that asks", moved=[_POINTED]),
    ]
    description = (
        f"A line of {len(tokens)} tokens with arcs from the one that asks to those that "
        "a head looks at; the wider an arc, the larger the weight. Buttons choose one of "
        f"{len(names)} heads: {', '.join(names)}. The pointer or a slider chooses the "
        "token."
    )
    return (
        _sentence(tokens, chosen)
        .add_params(*parameters)
        .properties(
            title=title(
                "head + ': where the marked token looks'",
                subtitle="point at a token; weights in %",
            ),
            description=description,
        )
    )


def _softmax(scores):
    """Adds ``weight``, the softmax of ``score``."""
    return (
        scores.transform_joinaggregate(most="max(score)")
        .transform_calculate(raised="exp(datum.score - datum.most)")
        .transform_joinaggregate(total="sum(raised)")
        .transform_calculate(weight="datum.raised / datum.total")
    )


def _sentence(words, weighted):
    """The words, and arcs for the ``weight`` of each ``key`` of a chart's data."""
    shown = ["␣" if word == " " else word for word in words]
    gap = {1: 2, 2: 6}.get(max(map(len, words)), _GAP)
    wide = np.array([len(word) * _LETTER + gap for word in shown])
    middle = np.cumsum(wide) - wide / 2
    high = 40 + 0.5 * _FLAT * (middle[-1] - middle[0]) + 8
    frame = pd.DataFrame({"key": range(len(words)), "word": shown, "x": middle})
    frame["begin"] = middle - wide / 2 + 2
    frame["end"] = middle + wide / 2 - 2
    places = alt.Chart(data(frame)).transform_calculate(
        y=f"{high}", upper=f"{high - 14}", lower=f"{high + 14}"
    )
    at_key = {
        name: f"{json.dumps(frame[name].round(1).tolist())}[datum.key]"
        for name in ("x", "begin", "end")
    }
    looked = weighted.transform_calculate(
        **at_key,
        word=f"{json.dumps(shown)}[datum.key]",
        asks=f"{[round(x, 1) for x in middle.tolist()]}[query]",
        y=f"{high - 16}",
        upper=f"{high - 14}",
        lower=f"{high + 14}",
        below=f"{high + 27}",
        share="format(100 * datum.weight, '.0f')",
    )
    tint = looked.mark_rect(fill=GOOD, cornerRadius=3).encode(
        **at_pixels("begin", "upper", "end", "lower"),
        fillOpacity=alt.FillOpacity(
            "weight:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.45]), legend=None
        ),
        tooltip=tooltips("word", "weight|.3f"),
    )
    marked = (
        places.transform_filter("datum.key == query")
        .mark_rect(fill=None, stroke=PAGE_INK, strokeWidth=2, cornerRadius=3)
        .encode(**at_pixels("begin", "upper", "end", "lower"))
    )
    letters = places.mark_text(fontSize=_SIZE, font="monospace", opacity=1).encode(
        **at_pixels("x", "y"), text="word:N"
    )
    shares = (
        looked.transform_filter("datum.weight >= 0.045")
        .mark_text(fontSize=12)
        .encode(**at_pixels("x", "below"), text="share:N")
    )
    touched = places.mark_rect(fill="transparent", opacity=1).encode(
        **at_pixels("begin", "upper", "end", "lower")
    )
    return alt.layer(
        tint,
        _arcs(looked),
        letters,
        marked,
        shares,
        touched.properties(name="words"),
        width=round(float(wide.sum())),
        height=round(high + 36),
    ).properties(usermeta={"patch": []})  # narrower, its words would overlap


def _arcs(looked):
    """Half an ellipse from the word that asks to each other one, as wide as its weight."""
    spans = looked.transform_calculate(
        centre="(datum.x + datum.asks) / 2", span="pow(datum.x - datum.asks, 2)"
    ).transform_filter("datum.weight >= 0.005")
    return spans.mark_point(
        # Half an ellipse, as wide as the square root of the size.
        shape=f"M-1,0A1,{_FLAT},0,0,1,1,0",
        fill="transparent",
        stroke=GOOD,
        opacity=0.85,
    ).encode(
        **at_pixels("centre", "y"),
        size=alt.Size("span:Q", scale=None, legend=None),
        strokeWidth=alt.StrokeWidth(
            "weight:Q", scale=alt.Scale(domain=[0, 1], range=[0.3, 9]), legend=None
        ),
    )
