"""The explorable of notebook 08: remedies along a text."""

import json

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import linear_scale, single_datum, title, tooltips
from helpers.draw.controls import choice
from helpers.draw.look import BAD, MUTED
from helpers.draw.renderer import data


def remedies(places, trained=64, block=16):
    """Loss along a text for one remedy at a time, the others pale behind it.

    ``places`` maps a remedy to its loss at every place of a window.
    """
    names = list(places)
    losses = np.array(list(places.values()))
    length = losses.shape[1]
    means = losses.reshape(len(names), -1, block).mean(axis=2)
    frame = pd.DataFrame(means, names, np.arange(block / 2, length, block)).stack()
    frame = frame.rename_axis(["remedy", "place"]).reset_index(name="loss")
    y = alt.Y("loss:Q", title="loss (nats per character)", scale=alt.Scale(zero=False))
    lines = alt.Chart(data(frame)).encode(
        alt.X("place:Q", title="place", scale=linear_scale(0, length)),
        y,
        detail="remedy:N",
    )
    chosen = lines.transform_filter("datum.remedy == remedy")
    limit = single_datum(place=f"{trained - 0.5}").encode(x="place:Q")
    limit = limit.mark_rule(strokeDash=[5, 4], color=MUTED)
    # A name stands at the end of its line, or higher, clear of the name below it.
    ends = frame.groupby("remedy").last().sort_values("loss").reset_index()
    apart = 0.065 * np.ptp(frame["loss"]) * np.arange(len(ends))
    ends["loss"] = np.maximum.accumulate(ends["loss"] - apart) + apart
    labels = alt.Chart(data(ends)).mark_text(align="left", dx=8)
    said = json.dumps(
        {n: f"Loss {n}: {np.mean(loss):.2f}" for n, loss in places.items()}
    )
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
            labels.encode(y, x="place:Q", text="remedy:N"),
            width=520,
            height=240,
        )
        .add_params(*choice("remedy", names[0], names, "remedy"))
        .properties(title=head, description=description)
    )
