"""Attention as arcs over one sentence: from the word that asks to those it looks at."""

import json

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import at_pixels, title, tooltips
from helpers.draw.controls import choice, controls, handler, vega_signal
from helpers.draw.dials import mark_event
from helpers.draw.look import GOOD
from helpers.draw.renderer import PAGE_INK, PAGE_WIDTH, data, resized
from helpers.encoding import positional_encoding

_WIDE = 804  # pixels of the sentence, fewer on a phone
_LINE, _HIGH = 104, 168  # pixels down to the words, and in all
_POINTED = handler(
    [mark_event(event, "words") for event in ("pointerover", "pointerdown")],
    "datum.key",
)


def look_back(words):
    """A head built by hand that looks k words back, as arcs over a sentence.

    The query of position ``pos`` is ``beta * M_-k PE_pos`` and the key of position ``j``
    is ``PE_j``, so that a score is ``beta * sum_i cos((pos - k - j) theta_i)``. Sliders
    set the word that asks, k and beta. Returns an Altair chart.
    """
    last = len(words) - 1
    furthest = 3
    table = positional_encoding(len(words) + furthest, 64)
    products = json.dumps((table @ table[0]).round(6).tolist())  # by the offset
    raised = f"exp(sharp * ({products}[abs(query - back - %s)] - 32))"
    total = " + ".join(raised % key for key in range(len(words)))
    weighted = alt.Chart(alt.sequence(0, len(words), as_="key")).transform_calculate(
        weight=f"{raised % 'datum.key'} / ({total})"
    )
    parameters = [
        *controls("query", 4, 0, last, f"position, 0 to {last}", moved=[_POINTED]),
        *controls("back", 2, -furthest, furthest, "k positions back, −3 to 3"),
        *choice("sharp", 5, [0.05, 0.2, 1, 5], "beta, sharpness"),
    ]
    there = "(query - back)"
    named = f"' (“' + {json.dumps(_shown(words))}[%s] + '”)'"
    where = "abs(back) + (back < 0 ? ' ahead' : ' back')"
    share = f"format({raised % there} / ({total}), '.0%') + ' of its weight'"
    return _sentence(
        words,
        weighted,
        parameters,
        title(
            f"'Position ' + query + {named % 'query'} + ' looks '"
            f" + (back == 0 ? 'at itself' : {where})"
            f" + ({there} < 0 || {there} > {last} ? ', where nothing stands'"
            f" : ': ' + {share} + ' on position ' + {there} + {named % there})",
            subtitle="point at the text, or set k and beta; numbers: weights in %",
        ),
        "Sliders set the token, the offset k, which may be negative, and beta. With a "
        "small beta the weight spreads; with a large one nearly all of it is on the token "
        "k back, whatever token asks.",
    )


def reading_heads(tokens, weights, asks=None):
    """Heads of a trained model over a line of text, one at a time, as arcs.

    ``weights`` maps a head's name to an array (query, key); a causal head looks back
    only. Buttons choose the head, the pointer or a slider the token that asks: at rest
    number ``asks``, or else the one in whose row the first head has its largest weight
    on the token before. Returns an Altair chart.
    """
    names = list(weights)
    last = len(tokens) - 1
    heads = {name: np.asarray(head, float).round(3) for name, head in weights.items()}
    frame = pd.concat(
        {name: pd.DataFrame(head.T) for name, head in heads.items()},
        names=["head", "key"],
    ).reset_index()
    chosen = (
        alt.Chart(data(frame.rename(columns=str)))
        .transform_filter("datum.head == head")
        .transform_calculate(weight="datum[query]")
    )
    if asks is None:
        half = last // 2
        asks = half + int(np.diagonal(heads[names[0]], -1)[half - 1 :].argmax())
    parameters = [
        *controls("query", asks, 0, last, f"token, 0 to {last}", moved=[_POINTED]),
        *choice("head", names[0], names, "head"),
    ]
    named = f"' (“' + {json.dumps(_shown(tokens))}[%s] + '”)'"
    most = {name: head.argmax(axis=1).tolist() for name, head in heads.items()}
    share = {name: head.max(axis=1).tolist() for name, head in heads.items()}
    at = f"{json.dumps(most)}[head][query]"
    return _sentence(
        tokens,
        chosen,
        parameters,
        title(
            f"'Token ' + query + {named % 'query'} + ' looks most at ' + {at}"
            f" + {named % at} + ', with '"
            f" + format({json.dumps(share)}[head][query], '.0%')",
            subtitle="point at a token or choose a head; numbers: weights in %",
        ),
        f"Buttons choose one of {len(names)} heads: {', '.join(names)}. The pointer or a "
        "slider chooses the token.",
    )


def _shown(words):
    return ["␣" if word == " " else word for word in words]


def _sentence(words, weighted, parameters, head, chosen):
    """The words, and arcs for the ``weight`` of each ``key`` of a chart's data.

    ``chosen`` says what the controls choose, for the text alternative.
    """
    shown = _shown(words)
    letters = np.array([max(len(word), 1.7) for word in shown]) + 1
    ends = np.cumsum(letters) / letters.sum()
    begins = ends - letters / letters.sum()
    places = _placed(
        alt.Chart(alt.sequence(0, len(words), as_="key")), shown, begins, ends
    )
    looked = _placed(weighted, shown, begins, ends).transform_calculate(
        share="format(100 * datum.weight, '.0f')"
    )
    cell = at_pixels("left", "upper", "right", "lower")
    tint = looked.mark_rect(
        fill=GOOD, fillOpacity=alt.expr("0.45 * datum.weight"), cornerRadius=3
    )
    marked = places.transform_filter("datum.key == query").mark_rect(
        fill=None, stroke=PAGE_INK, strokeWidth=2, cornerRadius=3
    )
    fills = min(letters / [0.75 * len(word) for word in shown]) / letters.sum()
    written = places.mark_text(
        fontSize=alt.expr(f"clamp({fills:.4f} * wide, 14, 28)"),
        font="monospace",
        opacity=1,
    )
    shares = looked.transform_filter("datum.weight >= 0.005").mark_text(
        fontSize=alt.expr("wide < 600 ? 10 : 13"), fontWeight="bold"
    )
    # On a phone, a line of letters has room for every fifth number.
    sparse = f"wide < {20 * len(words)} && datum.key % 5 != 0"
    numbers = places.transform_filter(f"!({sparse})").mark_text(fontSize=11)
    touched = places.mark_rect(fill="transparent", opacity=1)
    return (
        alt.layer(
            tint.encode(**cell, tooltip=tooltips("word", "weight|.3f")),
            *_arcs(looked, (begins + ends) / 2),
            written.encode(**at_pixels("x", "y"), text="word:N"),
            marked.encode(**cell),
            shares.encode(**at_pixels("x", "below"), text="share:N"),
            numbers.encode(
                **at_pixels("x", "deep"), text="key:Q", opacity=alt.value(0.75)
            ),
            touched.encode(**cell).properties(name="words"),
            width=_WIDE,
            height=_HIGH,
        )
        .add_params(
            *parameters,
            vega_signal(
                "wide", expr=f"clamp(({PAGE_WIDTH}) - 10 || {_WIDE}, 200, {_WIDE})"
            ),
        )
        .properties(
            title=head,
            description=(
                f"A line of {len(words)} tokens, words or letters, with arcs from the one "
                "that asks to those that a head looks at; the wider an arc, the larger "
                f"the weight. {chosen}"
            ),
            usermeta={
                "patch": [resized({"width": _WIDE, "params": []}, "width", "wide")]
            },
        )
    )


def _placed(chart, words, begins, ends):
    """Adds words and their places in pixels to data that have ``key``."""
    return chart.transform_calculate(
        word=f"{json.dumps(words)}[datum.key]",
        left=f"wide * {begins.round(4).tolist()}[datum.key] + 1",
        right=f"wide * {ends.round(4).tolist()}[datum.key] - 1",
        y=f"{_LINE}",
        upper=f"{_LINE - 18}",
        lower=f"{_LINE + 18}",
        below=f"{_LINE + 31}",
        deep=f"{_LINE + 52}",
    ).transform_calculate(x="(datum.left + datum.right) / 2")


def _arcs(looked, middles):
    """Half an ellipse from the word that asks to each other one, and an arrow head there.

    Both are as wide as the weight.
    """
    asks = f"wide * {middles.round(4).tolist()}[query]"
    high = f"(30 + {_LINE - 64} * datum.apart / wide)"
    spans = (
        looked.transform_calculate(asks=asks, apart=f"abs(datum.x - {asks})")
        .transform_filter("datum.weight >= 0.005 && datum.key != query")
        .transform_calculate(
            centre="(datum.x + datum.asks) / 2",
            top="datum.upper - 8",
            span="pow(datum.apart, 2)",
            # Half an ellipse, as wide as the square root of the size.
            arc=f"'M-1,0A1,' + 2 * {high} / max(datum.apart, 1) + ',0,0,1,1,0'",
        )
    )
    heads = spans.mark_point(
        shape="triangle-down",
        filled=True,
        opacity=1,
        size=alt.expr("20 + 380 * datum.weight"),
        color=GOOD,
    )
    return [
        # Behind a mark with an opacity, Chromium paints a part of what is there twice.
        spans.mark_point(fill="transparent", stroke=GOOD, opacity=1).encode(
            **at_pixels("centre", "top"),
            shape=alt.Shape("arc:N", scale=None),
            size=alt.Size("span:Q", scale=None, legend=None),
            strokeWidth=alt.StrokeWidth(
                "weight:Q", scale=alt.Scale(domain=[0, 1], range=[0.6, 6]), legend=None
            ),
        ),
        heads.encode(**at_pixels("x", "top")),
    ]
