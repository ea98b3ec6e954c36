"""The explorables of notebook 08: heads over a line of text, remedies along a text."""

import json

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import linear_scale, title, tooltips
from helpers.draw.controls import choice, controls, handler
from helpers.draw.look import BAD, GOOD, MUTED
from helpers.draw.renderer import data

_CELL = 10  # pixels of a character


def heads(line, weights):
    """Every head's weights over a line of text, for the character that is pointed at.

    ``weights`` maps a head's name to an array (query, key). Point at a character of the
    line, or set its place.
    """
    last, names = len(line) - 1, list(weights)
    moving = {"source": "view", "type": "pointermove"}
    pointed = handler(moving, "datum && isNumber(datum.key) ? datum.key : place")
    place = controls("place", 2 * last // 3, 0, last, "place", moved=[pointed])
    shown = ["␣" if c == " " else c for c in line]
    letters = pd.DataFrame({"key": range(len(line)), "character": shown})
    letters = _grid(pd.DataFrame({"head": names}).merge(letters, how="cross"))
    seen = _seen(line, weights)
    faint = alt.Scale(domain=[0, 1], range=[0, 0.5])  # letters stay readable
    strength = alt.FillOpacity("weight:Q", scale=faint, legend=None)
    description = (
        f"A line of {len(line)} characters, once for each of {len(names)} heads. The "
        "character at the chosen place has a frame. The more colour a character has, the "
        "larger the weight that the head gives to it. Set the place with the pointer, a "
        "slider or a number box."
    )
    head = "'where the character at place ' + place + ' looks'"
    return (
        alt.layer(
            letters.mark_rect(fillOpacity=0),  # something to point at
            seen.mark_rect(fill=GOOD).encode(strength),
            letters.mark_text(fontSize=12, font="monospace").encode(text="character:N"),
            letters.transform_filter("datum.key == place").mark_rect(
                fillOpacity=0, stroke=BAD, strokeWidth=2
            ),
            seen.mark_rect(fillOpacity=0).encode(  # the letters would hide it
                tooltip=tooltips("head", "back|d|places back", "weight|.2f")
            ),
            width=_CELL * len(line),
            height=26 * len(names),
        )
        .add_params(*place)
        .properties(
            usermeta={"patch": []},  # narrower, its letters would overlap
            title=title(head, subtitle="point at a character, or set its place"),
            description=description,
        )
    )


def _grid(frame):
    """A chart with a row for each head and a column for each character."""
    line = alt.Scale(padding=0)
    plain = alt.Axis(ticks=False, domain=False, grid=False, labelPadding=8)
    return alt.Chart(data(frame)).encode(
        alt.X("key:O", axis=None, scale=line),
        alt.Y("head:N", title=None, sort=None, axis=plain, scale=line),
    )


def _seen(line, weights):
    """The weights at the chosen place; one row of data a head and key.

    A column a place, so that another place changes the colours of marks that stay.
    """
    rows = [pd.DataFrame(np.asarray(w).T.round(2)) for w in weights.values()]
    frame = pd.concat(rows, keys=weights, names=["head", "key"]).reset_index()
    return (
        _grid(frame.rename(columns=str))
        .transform_filter("datum.key <= place")
        .transform_calculate(weight="datum[place]", back="place - datum.key")
    )


def remedies(places, trained=64, block=16):
    """Loss along a text for one remedy at a time, the others pale behind it.

    ``places`` maps a remedy to its loss at every place of a window.
    """
    names, losses = list(places), np.array(list(places.values()))
    means = losses.reshape(len(names), -1, block).mean(axis=2)
    frame = pd.DataFrame({"remedy": np.repeat(names, means.shape[1])})
    frame["place"] = np.tile((np.arange(means.shape[1]) + 0.5) * block, len(names))
    frame["loss"] = means.ravel()
    length = losses.shape[1]
    y = alt.Y("loss:Q", title="loss (nats per character)", scale=alt.Scale(zero=False))
    lines = alt.Chart(data(frame)).encode(
        alt.X("place:Q", title="place", scale=linear_scale(0, length)),
        y,
        alt.Detail("remedy:N"),
    )
    chosen = lines.transform_filter("datum.remedy == remedy")
    end = alt.Chart(data(pd.DataFrame({"place": [trained - 0.5]})))
    limit = end.mark_rule(strokeDash=[5, 4], color=MUTED).encode(alt.X("place:Q"))
    # A name stands at the end of its line, or higher, clear of the name below it.
    ends = frame.groupby("remedy").last().sort_values("loss").reset_index()
    apart = 0.065 * np.ptp(frame["loss"]) * np.arange(len(ends))
    ends["loss"] = np.maximum.accumulate(ends["loss"] - apart) + apart
    labels = alt.Chart(data(ends)).mark_text(align="left", dx=8)
    said = json.dumps({n: f"{n}: {np.mean(loss):.2f}" for n, loss in places.items()})
    head = title(f"{said}[remedy] + ' nats, mean of all places'")
    description = (
        f"Loss against the place in a window of {length} characters, trained to {trained} "
        "(dashed vertical line), for one remedy at a time; the other "
        f"{len(names) - 1} stay behind it, pale. Buttons choose the remedy."
    )
    return (
        alt.layer(
            limit,
            lines.mark_line(color=MUTED, opacity=0.3),
            chosen.mark_line(color=BAD, strokeWidth=2.5),
            chosen.mark_circle(color=BAD, size=45, opacity=1).encode(
                tooltip=tooltips("remedy", "place|.0f", "loss|.2f")
            ),
            labels.encode(alt.X("place:Q"), y, text="remedy:N"),
            width=520,
            height=240,
        )
        .add_params(*choice("remedy", names[0], names, "remedy"))
        .properties(title=head, description=description)
    )
