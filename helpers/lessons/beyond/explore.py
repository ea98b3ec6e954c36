"""The explorables of notebook 09: patches in a sequence, hands of a chosen range."""

import json

import altair as alt
import numpy as np
import pandas as pd

from helpers.draw.channels import at_pixels, caption, linear_scale, title, tooltips
from helpers.draw.controls import choice, controls, handler, power
from helpers.draw.dials import mark_event
from helpers.draw.look import BAD, GOOD, MUTED
from helpers.draw.renderer import PAGE_INK, data
from helpers.draw.words import listed

_CELL = 38  # pixels of a patch in the image
STEP = 4  # each step of a slider makes a hand this many times faster
_SLOW = "min(slowest, fastest)"  # a slowest hand above the fastest counts as equal
_CHOSEN = f"datum['fit_' + fastest + '_' + {_SLOW}]"  # the column of its fit
_BOTH = tooltips("target|.3f|signal", "fit|.3f|network")


def patches(weights):
    """A square image, and below it the same as a sequence: where a head looks.

    ``weights`` maps a head's name to an array (query, key), patches in reading order.
    Buttons choose the head, the pointer or a slider the patch that asks.
    """
    count = len(next(iter(weights.values())))
    side = round(count**0.5)
    below = (side + 1) * _CELL
    seen = {
        name: [np.flatnonzero(row).tolist() for row in head]
        for name, head in weights.items()
    }
    first, *_ = seen.values()
    near = f"{json.dumps(seen)}[head][query]"
    far = f"max(query - {near}[0], peek({near}) - query)"
    head = (
        f"'Patch ' + query + ' looks at ' + join({near}, ', ') + ': up to ' + {far}"
        " + ' tokens away'"
    )
    base = (
        # Every patch twice, in the image and in the sequence.
        alt.Chart(alt.sequence(0, 2 * count, as_="n"))
        .transform_calculate(patch=f"datum.n % {count}", image=f"datum.n < {count}")
        .transform_calculate(
            left=f"datum.image ? width / 2 + {_CELL} * (datum.patch % {side} - {side / 2})"
            f" : width * datum.patch / {count}",
            upper=f"datum.image ? {_CELL} * (0.3 + floor(datum.patch / {side})) : {below}",
            wide=f"datum.image ? {_CELL} : width / {count}",
            state="datum.patch == query ? 'asks' : "
            f"indexof({near}, datum.patch) < 0 ? '' : 'seen'",
        )
        .transform_calculate(
            right="datum.left + datum.wide",
            x="datum.left + datum.wide / 2",
            lower=f"datum.upper + {_CELL}",
        )
    )
    colours = alt.Scale(domain=["asks", "seen", ""], range=[BAD, GOOD, "transparent"])
    cells = base.mark_rect(stroke=MUTED, opacity=0.4).encode(
        **at_pixels("left", "upper", "right", "lower"),
        color=alt.Color("state:N", scale=colours, legend=None),
    )
    # On a phone, a patch of the sequence has room for its number where it is marked.
    numbers = base.transform_filter(
        "width >= 600 || datum.image || datum.state"
    ).mark_text(fontSize=alt.expr("width < 600 ? 9 : 14"), dy=_CELL / 2)
    pointed = [mark_event(event, "patches") for event in ("pointerover", "pointerdown")]
    return (
        alt.layer(
            cells.properties(name="patches"),
            numbers.encode(**at_pixels("x", "upper"), text="patch:Q").properties(
                name="patches_written"
            ),
            width=800,
            height=below + _CELL,
        )
        .add_params(
            *controls(
                "query",
                count // 2,
                0,
                count - 1,
                "patch",
                moved=[handler(pointed, "datum.patch")],
            ),
            *choice("head", [*weights][0], weights, "head"),
        )
        .properties(
            title=title(
                head, subtitle="the image, and below it the sequence; point at a patch"
            ),
            description=(
                f"An image of {side} lines of {side} patches, numbered in reading "
                "order, and below it the same as a sequence. The pointer or a slider "
                f"chooses a patch, buttons one of {len(weights)} heads; the patches "
                f"that it looks at are marked in both. At first patch {count // 2} "
                f"looks at {listed(first[count // 2])}."
            ),
        )
    )


def fields(x, target, sweep, window=(0.1, 0.35)):
    """A signal, what a network makes of it, and both spectra; two sliders.

    ``x`` holds evenly spaced coordinates, every other one a training point (the first
    is one); ``target`` the signal there. ``sweep[high, low]`` is the network's line for
    hands from 4 ** high down to 4 ** low radians per unit.
    """
    ends = range(max(high for high, _ in sweep) + 1)
    said = [power(STEP, end) for end in ends]
    lines = {f"fit_{high}_{low}": np.asarray(y) for (high, low), y in sweep.items()}
    errors = _errors(target, sweep)
    told = {
        f"{high}_{low}": f"{on:.3f} on the points, {gaps:.3f} between"
        for (high, low), (on, gaps) in zip(errors.index, errors.to_numpy(), strict=True)
    }
    on, gaps = errors.loc[ends[-1], ends[-1]]
    return alt.hconcat(
        _curve(x, target, lines, window).properties(
            width=386,
            height=240,
            title=caption(
                "dashed: signal · line: network · dots: on the points it learned"
            ),
        ),
        _spectrum(x, target, lines),
        spacing=30,
        title=title(
            "(slowest > fastest ? 'Slowest ' + slowest_said + ', above the fastest: all"
            f" at ' + pow({STEP}, fastest) : 'Hands from ' + pow({STEP}, fastest)"
            f" + ' down to ' + pow({STEP}, slowest)) + ' radians per unit: squared"
            f" error ' + {json.dumps(told)}[fastest + '_' + {_SLOW}]"
        ),
        description=(
            "Two sliders choose the fastest and the slowest of 16 hands. Left, a "
            "signal and what a network makes of it, with the errors on the training "
            "points and between them; right, both spectra. With all hands at "
            f"{STEP ** ends[-1]} radians per unit the error is {on:.1f} on the points "
            f"and {gaps:.1f} between."
        ),
    ).add_params(
        *choice("fastest", 1, ends, "fastest hand", said),
        *choice("slowest", 0, ends, "slowest hand", said),
    )


def _curve(x, target, lines, window):
    # No column may be called "signal": Vega would take its type for a signal's name.
    frame = pd.DataFrame(
        {"x": x, "target": target, "gap": [0, 1] * (len(x) // 2), **lines}
    )
    frame = frame[frame["x"].between(*window)]
    base = alt.Chart(data(frame.round(4))).transform_calculate(fit=_CHOSEN)
    base = base.encode(alt.X("x:Q", scale=linear_scale(*window), title="x"))
    scale = linear_scale(-1, 2.5, clamp=True)
    fit = base.encode(alt.Y("fit:Q", scale=scale, title="value"))
    return alt.layer(
        base.mark_line(color=PAGE_INK, strokeDash=[5, 4], strokeWidth=1.2).encode(
            alt.Y("target:Q", scale=scale, title="value")
        ),
        fit.mark_line(color=BAD, strokeWidth=1.2),
        fit.transform_filter("datum.gap == 0")
        .mark_circle(color=BAD, size=26, opacity=1)
        .encode(tooltip=tooltips("x|.4f") + _BOTH),
    )


def _errors(target, sweep):
    """The mean squared errors on the points and between them, by the two ends."""
    squares = {ends: (line - target) ** 2 for ends, line in sweep.items()}
    return pd.DataFrame(
        {ends: square.reshape(-1, 2).mean(axis=0) for ends, square in squares.items()},
        ["on", "gaps"],
    ).T


def _spectrum(x, target, lines):
    waves = {"target": target, **lines}
    sizes = {name: 2 * np.abs(np.fft.rfft(y)) / len(x) for name, y in waves.items()}
    base = alt.Chart(
        data(pd.DataFrame(sizes).rename_axis("rounds").reset_index().round(4))
    ).transform_calculate(fit=_CHOSEN)
    across = alt.X(
        "rounds:Q",
        scale=linear_scale(0, len(x) // 2, type="sqrt"),
        title="turns per unit (square-root scale)",
    )
    scale = linear_scale(0, 1.15, clamp=True)
    bars = base.mark_bar(color=BAD, width=1.6).encode(
        across,
        alt.Y("fit:Q", scale=scale, title="size of the wave"),
        tooltip=tooltips("rounds|d") + _BOTH,
    )
    goals = base.transform_filter("datum.target > 0.05").encode(
        across, alt.Y("target:Q", scale=scale, title="size of the wave")
    )
    numbers = goals.transform_calculate(
        said="datum.rounds + (datum.fit < 0.9 * datum.target ? ' missed' : '')"
    )
    return alt.layer(
        bars,
        goals.mark_point(shape="diamond", color=PAGE_INK, size=60, strokeWidth=1.5),
        numbers.mark_text(dy=-12, dx=-4, align="left").encode(text="said:N"),
        width=285,
        height=240,
        title=caption("spectrum · diamonds: signal · bars: network"),
    )
