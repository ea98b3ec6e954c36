"""The explorable of notebook 06: every attention map of a prediction, one at a time."""

import altair as alt
import numpy as np
import pandas as pd

from helpers.explore.controls import choice
from helpers.explore.renderer import data


def attention_maps(steps):
    """One map at a time; sliders choose the map, the head and the decoding step.

    ``steps`` holds one dict a decoding step, from step 1: name of the map ->
    (weights of shape (heads, queries, keys), names of queries, names of keys).
    """
    frame = _long(steps)
    chosen = {
        "map": list(dict.fromkeys(frame["map"])),
        "head": sorted(set(frame["head"])),
        "step": sorted(set(frame["step"])),
    }
    first = {"map": chosen["map"][-1], "head": 0, "step": len(steps)}
    params = [
        param
        for name, options in chosen.items()
        for param in choice(f"shown_{name}", first[name], options, name)
    ]
    cells = (
        alt.Chart(data(frame))
        .transform_filter(
            " && ".join(f"datum['{name}'] == shown_{name}" for name in chosen)
        )
        .encode(
            x=alt.X("key:N", title="key: looked at", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("query:N", title="query: looks"),
        )
    )
    squares = cells.mark_rect().encode(
        color=alt.Color(
            "weight:Q",
            scale=alt.Scale(range=["#F7FBFF", "#08306B"], domain=[0, 1]),
            title="weight",
        ),
        tooltip=["map:N", "head:Q", "step:Q", "query:N", "key:N", "weight:Q"],
    )
    numbers = cells.mark_text(fontSize=16).encode(
        text=alt.Text("weight:Q", format=".2f"),
        color=alt.condition(
            "datum.weight > 0.65", alt.value("white"), alt.value("black")
        ),
    )
    return (
        (squares + numbers)
        .add_params(*params)
        .properties(
            width=260,
            height=220,
            title=alt.Title(
                alt.expr("shown_map + ', head ' + shown_head + ', step ' + shown_step")
            ),
            description=(
                "One attention map of the trained model at a time, chosen by three "
                "sliders: which map, which head, which decoding step. Rows are "
                "queries, columns are keys; the weights of a row sum to 1."
            ),
        )
    )


def _long(steps):
    """One row a weight, for all steps, maps and heads."""
    rows = [
        (step, name, head, queries[q], keys[k], round(float(weight), 2))
        for step, maps in enumerate(steps, start=1)
        for name, (weights, queries, keys) in maps.items()
        for (head, q, k), weight in np.ndenumerate(np.asarray(weights))
    ]
    columns = ["step", "map", "head", "query", "key", "weight"]
    return pd.DataFrame(rows, columns=columns)
