"""The explorables of notebook 10: a cache that fills, and hands that a scaling slows."""

import json

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import linear_scale, title, tooltips
from helpers.draw.controls import choice, controls
from helpers.draw.look import BAD, GOOD, GRID, MUTED
from helpers.draw.renderer import data

_SIDE = 36  # pixels of a token
COUNTED = ("tokens seen", "keys kept")
_LINES = ("token", "its position", "offset seen")


def cache(tokens="it forgets", window=5):
    """A cache with a window, filled token by token, keys rotated when they came in.

    The position of a new token is the number of tokens seen before, or the number of
    keys that were kept, as it is at first. Below each token: its position, and the
    offset from the query.
    """
    base, last = _tokens(tokens, window), len(tokens)
    full = min(window + 4, last)  # some are dropped: what is counted makes a difference
    here = base.transform_filter("datum.state == 'kept' || datum.state == 'query'")
    was = base.transform_filter("datum.state != 'to come'")
    states = ["kept", "query", "dropped", "to come"]
    colours = alt.Scale(domain=states, range=[GOOD, BAD, GRID, "transparent"])
    legend = alt.Legend(title=None, orient="bottom")
    boxes = base.mark_rect(opacity=0.35, stroke=MUTED, height=_SIDE - 4).encode(
        _line(0),
        alt.Color("state:N", scale=colours, legend=legend),
        tooltip=tooltips("token", "state", "position|d", "offset|d"),
    )
    query = _position("(seen - 1)", window)
    head = (
        f"'position ' + {query} + ' after ' + (seen - 1) + ' tokens, so its offsets are ' "
        f"+ ({query} == seen - 1 ? 'right' : 'wrong')"
    )
    description = (
        f"A row of {last} tokens. The last one seen is the query; of the tokens before it "
        f"a window of {window} is kept, with the query. Below each token stand its "
        "position and the offset that the query sees, crossed where it is not the true "
        "one. A slider or a box sets how many tokens were seen; buttons choose whether a "
        "new token's position counts the tokens seen or the keys kept."
    )
    return (
        alt.layer(
            boxes,
            _written(base, 0, "token:N"),
            _written(was, 1, "position:Q"),
            _written(here, 2, "written:N", fontWeight="bold"),
            *(_named(n, name) for n, name in enumerate(_LINES)),
            width=_SIDE * last,
            height=_SIDE * len(_LINES),
        )
        .add_params(*controls("seen", full, 1, last, "tokens seen"))
        .add_params(*choice("counted", COUNTED[1], COUNTED, "position counts"))
        .properties(title=title(head), description=description)
    )


def _position(place, window):
    """The position of the token at a place, by what is counted."""
    # With the keys counted, no token gets a position beyond the window.
    return f"(counted == {json.dumps(COUNTED[0])} ? {place} : min({place}, {window}))"


def _tokens(tokens, window):
    """A datum for each token: its position, its state, the offset that is seen."""
    rows = pd.DataFrame({"place": range(len(tokens))})
    rows["token"] = ["␣" if token == " " else token for token in tokens]
    state = (
        "datum.place >= seen ? 'to come' : datum.place == seen - 1 ? 'query' : "
        f"datum.place < seen - {window} ? 'dropped' : 'kept'"
    )
    position, query = _position("datum.place", window), _position("(seen - 1)", window)
    return (
        alt.Chart(data(rows))
        .encode(alt.X("place:O", axis=None, scale=alt.Scale(padding=0)))
        .transform_calculate(state=state, position=position)
        .transform_calculate(offset=f"datum.position - {query}")
        .transform_calculate(right="datum.offset == datum.place - (seen - 1)")
        .transform_calculate(
            written="replace(datum.offset, '-', '−') + (datum.right ? '' : ' ✗')"
        )
    )


def _line(number):
    return alt.Y(datum=(number + 0.5) * _SIDE, scale=None, axis=None)


def _written(chart, line, field, **look):
    return chart.mark_text(fontSize=14, **look).encode(_line(line), text=field)


def _named(line, name):
    mark = alt.Chart(data(pd.DataFrame({"name": [name]})))
    mark = mark.mark_text(align="right", dx=-8)
    return mark.encode(_line(line), x=alt.value(0), text="name:N")


def scalings(found, length=64):
    """Which hands a scaling slows, and what the model then loses.

    ``found`` maps a scaling to (how much slower each hand is, loss at the trained
    length, loss at four times that length), the first is the model as it was trained.
    At first the chart shows the scaling that loses least far away.
    """
    _, start, end = next(iter(found.values()))
    said = {
        name: f"{name}: {short:.2f} nats at {length}, {long:.2f} at {4 * length}, "
        f"saved {(end - long) / (end - start):.0%}"
        for name, (_, short, long) in found.items()
    }
    hands = len(next(iter(found.values()))[0])
    description = (
        f"Bars of how much slower each of {hands} hands is, and of the loss at {length} "
        f"and {4 * length} characters, for one of {len(found)} scalings; short lines show "
        "the losses of the others. Buttons choose the scaling."
    )
    names, best = list(found), min(found, key=lambda name: found[name][2])
    return (
        alt.hconcat(_slowed(found), _losses(found, length))
        .add_params(*choice("scaling", best, names, "scaling"))
        .properties(
            title=title(f"{json.dumps(said)}[scaling]"), description=description
        )
    )


_CHOSEN = "datum.scaling == scaling"


def _slowed(found):
    """Bars of how much slower each hand is, of the scaling that is chosen."""
    slower = np.array([slowed for slowed, _, _ in found.values()])
    frame = pd.DataFrame({"scaling": np.repeat(list(found), slower.shape[1])})
    frame["hand"] = np.tile(np.arange(slower.shape[1]), len(found))
    frame["slower"] = slower.ravel().round(2)
    upright, most = alt.Axis(labelAngle=0), float(np.ceil(slower.max()))
    return (
        alt.Chart(data(frame), width=220, height=200)
        .transform_filter(_CHOSEN)
        .mark_bar(color=GOOD)
        .encode(
            alt.X("hand:O", title="hand (0 is the fastest)", axis=upright),
            alt.Y("slower:Q", title="times slower", scale=linear_scale(0, most)),
            tooltip=tooltips("hand", "slower|.1f|times slower"),
        )
    )


def _losses(found, length):
    """Bars of both losses of the scaling that is chosen; lines for those of all."""
    frame = pd.DataFrame({"scaling": np.repeat(list(found), 2)})
    frame["characters"] = np.tile([length, 4 * length], len(found))
    frame["loss"] = np.ravel([both for _, *both in found.values()]).round(3)
    upright, most = alt.Axis(labelAngle=0), float(np.ceil(frame["loss"].max() * 2) / 2)
    base = alt.Chart(data(frame)).encode(
        alt.X("characters:O", title="characters read", axis=upright),
        alt.Y("loss:Q", title="loss (nats)", scale=linear_scale(0, most)),
    )
    chosen = base.transform_filter(_CHOSEN).mark_bar(color=BAD, width=40)
    return alt.layer(
        base.mark_tick(color=MUTED, opacity=0.5, thickness=2, width=40),
        chosen.encode(tooltip=tooltips("scaling", "characters", "loss|.2f")),
        width=120,
        height=200,
    )
