"""The explorables of notebook 10: a cache that fills, and hands that a scaling slows."""

import json

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import linear_scale, single_datum, title, tooltips
from helpers.draw.controls import choice, controls
from helpers.draw.look import BAD, GOOD, GRID, MUTED, pair_colour
from helpers.draw.renderer import data

_WIDE, _HIGH = 56, 34  # pixels of a token
_TEXT = "it␣forgets"
_WINDOW = 5
COUNTED = ("tokens seen", "keys kept")


def cache():
    """A cache with a window, filled token by token, keys rotated when they came in.

    The position of a new token is the number of tokens seen before, or the number of
    keys that were kept, as it is at first. Below each token: its position, the offset
    that the query sees, and the true one.
    """
    base = _tokens()
    last = len(_TEXT)
    here = base.transform_filter("datum.state == 'kept' || datum.state == 'query'")
    was = base.transform_filter("datum.state != 'to come'")
    colours = alt.Scale(
        domain=["dropped", "kept until now", "kept", "query", "to come"],
        range=[GRID, f"{GOOD}55", GOOD, pair_colour(2), "transparent"],
    )
    look = {"opacity": 0.35, "height": _HIGH - 4}
    query = _position("(seen - 1)")
    wrong = here.transform_filter("datum.offset != datum.true_offset")
    return (
        alt.layer(
            base.mark_rect(**look, stroke=MUTED).encode(
                _line(0),
                alt.Color(
                    "state:N",
                    scale=colours,
                    legend=alt.Legend(title=None, orient="bottom"),
                ),
                tooltip=tooltips("token", "state", "position|d", "offset|d"),
            ),
            wrong.mark_rect(**look, color=BAD).encode(_line(2)),
            _written(0, "token", base, "token:N"),
            _written(1, "position", was, "position:Q"),
            _written(2, "offset seen", here, "offset:Q"),
            _written(3, "true offset", here, "true_offset:Q"),
            width=_WIDE * last,
            height=_HIGH * 4,
        )
        # Some are dropped at first: what is counted makes a difference.
        .add_params(*controls("seen", _WINDOW + 4, 1, last, "tokens seen"))
        .add_params(*choice("counted", COUNTED[1], COUNTED, "position counts"))
        .properties(
            title=title(
                f"'The token at place ' + (seen - 1) + ' gets position ' + {query}"
                " + ': its offsets are '"
                f" + ({query} == seen - 1 ? 'right' : 'wrong')"
            ),
            description=(
                f"A row of {last} tokens. The last one seen is the query; it and the "
                f"{_WINDOW - 1} tokens before it are kept. Below each token stand its "
                "position, the offset that the query sees, orange where it is wrong, "
                "and the true offset. A slider or a box sets how many tokens were "
                "seen; buttons choose whether a new token's position counts the "
                "tokens seen or the keys kept."
            ),
        )
    )


def _position(place):
    """The position of the token at a place, by what is counted."""
    # With the keys counted, no token gets a position beyond the window.
    return f"(counted == '{COUNTED[0]}' ? {place} : min({place}, {_WINDOW}))"


def _tokens():
    """A datum for each token: its position, its state, the offset that is seen."""
    rows = pd.DataFrame({"token": list(_TEXT)}).rename_axis("place").reset_index()
    state = (
        "datum.place >= seen ? 'to come' : datum.place == seen - 1 ? 'query' : "
        # What is dropped as the query comes in was counted for its position.
        f"datum.place < seen - 1 - {_WINDOW} ? 'dropped' : "
        f"datum.place < seen - {_WINDOW} ? 'kept until now' : 'kept'"
    )
    return (
        alt.Chart(data(rows))
        .encode(alt.X("place:O", axis=None, scale=alt.Scale(padding=0)))
        .transform_calculate(state=state, position=_position("datum.place"))
        .transform_calculate(offset=f"datum.position - {_position('(seen - 1)')}")
        .transform_calculate(true_offset="datum.place - (seen - 1)")
    )


def _line(number):
    return alt.Y(datum=(number + 0.5) * _HIGH, scale=None, axis=None)


def _written(number, name, chart, field):
    """A field of every datum on a line, and its name at the left."""
    named = single_datum().mark_text(align="right", dx=-8, text=name)
    written = chart.mark_text(fontSize=14).encode(_line(number), text=field)
    return written + named.encode(_line(number), x=alt.value(0))


def scalings(found):
    """Which hands a scaling slows, and what the model then loses.

    ``found`` maps a scaling to (how much slower each hand is, loss at 64 characters,
    loss at 256), the first is the model as it was trained. At first the chart shows the
    scaling that loses least far away.
    """
    _, start, end = next(iter(found.values()))
    said = {
        name: f"Loss {name}: {short:.2f} nats at 64, {long:.2f} at 256, "
        f"saved {(end - long) / (end - start):.0%}"
        for name, (_, short, long) in found.items()
    }
    return (
        alt.hconcat(_slowed(found), _losses(found))
        .add_params(
            *choice(
                "scaling",
                min(found, key=lambda name: found[name][2]),
                list(found),
                "scaling",
            )
        )
        .properties(
            title=title(f"{json.dumps(said)}[scaling]"),
            description=(
                "Bars of how much slower each hand is, and of the loss at 64 and at "
                f"256 characters, for one of {len(found)} scalings; short lines show "
                "the losses of the others. Buttons choose the scaling."
            ),
        )
    )


_CHOSEN = "datum.scaling == scaling"
_UPRIGHT = alt.Axis(labelAngle=0)


def _slowed(found):
    """Bars of how much slower each hand is, of the scaling that is chosen."""
    slower = pd.DataFrame({name: slowed for name, (slowed, _, _) in found.items()})
    most = float(np.ceil(slower.to_numpy().max()))
    rows = slower.rename_axis("hand").reset_index().melt("hand", var_name="scaling")
    return (
        alt.Chart(data(rows.round(2)), width=220, height=200)
        .transform_filter(_CHOSEN)
        .mark_bar(color=GOOD)
        .encode(
            alt.X("hand:O", title="hand (0 is the fastest)", axis=_UPRIGHT),
            alt.Y("value:Q", title="times slower", scale=linear_scale(0, most)),
            tooltip=tooltips("hand", "value|.1f|times slower"),
        )
    )


def _losses(found):
    """Bars of both losses of the scaling that is chosen; lines for those of all."""
    losses = pd.DataFrame({name: both for name, (_, *both) in found.items()}, [64, 256])
    rows = losses.rename_axis("characters").reset_index()
    rows = rows.melt("characters", var_name="scaling", value_name="loss")
    base = alt.Chart(data(rows.round(3)), width=120, height=200).encode(
        alt.X("characters:O", title="characters read", axis=_UPRIGHT),
        alt.Y("loss:Q", title="loss (nats)"),
    )
    chosen = base.transform_filter(_CHOSEN).mark_bar(color=BAD, width=40)
    return base.mark_tick(
        color=MUTED, opacity=0.5, thickness=2, width=40
    ) + chosen.encode(tooltip=tooltips("scaling", "characters", "loss|.2f"))
