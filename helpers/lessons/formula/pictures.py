"""Pictures of notebook 01: where the encoding sits, counter, clocks, distances, table."""

import numpy as np
from matplotlib.patches import Circle

from helpers.draw.boxes import arrow, box, frame, height_of, sheet, stack, write
from helpers.draw.look import BAD, MUTED, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line
from helpers.draw.style import BLUES, WIDE
from helpers.draw.table import whole_waves as whole_waves
from helpers.draw.words import each, listed


def model_map():
    """The encoder and the decoder, with the place where positions are added."""
    picture, ax = sheet(
        5.4,
        (11.6, 7.8),
        (-0.6, -0.35),
        alt=(
            "The transformer as two stacks of boxes. Left, the encoder: ids of shape "
            "(batch, length), embedding to (batch, length, d_model), plus positions "
            "(length, d_model), then self-attention and feed-forward, N times. "
            "Right, the decoder: the same start with its own positions, then masked "
            "self-attention, attention to the encoder's output, and feed-forward, N "
            "times; above them, outside the layers, the last layer, which gives the "
            "next word."
        ),
        title="Positions enter once in each stack, at the bottom",
    )
    encoder = "ids", "embedding", "+ positions", "self-attention", "feed-forward"
    decoder = (
        "ids, shifted by one",
        "embedding",
        "+ positions",
        "masked self-attention",
        "attention to the encoder",
        "feed-forward",
        "last layer: the next word",
    )
    stack(ax, 1.6, "Encoder", encoder, 3.5)
    stack(ax, 9.4, "Decoder", decoder, 3.5)
    for level, shape in enumerate(
        ("(batch, length)", "(batch, length, d_model)", "(length, d_model)")
    ):
        write(ax, 3.55, height_of(level), shape, color=MUTED, ha="left")
    top = height_of(4)
    arrow(ax, (3.37, top), (7.62, top))
    write(ax, 5.5, top + 0.27, "the encoder's output", fontsize=10)
    for x, layers, beside in (1.6, 2, 3.9), (9.4, 3, 7.1):
        frame(
            ax,
            x,
            height_of(2.5 + layers / 2),
            3.76,
            layers - 0.14,
            facecolor="none",
            edgecolor=MUTED,
            linestyle="--",
        )
        write(ax, beside, height_of(3), "× N", fontsize=11)
    write(ax, 1.6, -0.1, "residuals and norms are left out", color=MUTED)
    return picture


def binary_counter(bits):
    """Binary digits of the positions, ``bits`` of shape (positions, digits).

    The two rows between which most digits change are framed.
    """
    n, digits = bits.shape
    flips = np.abs(np.diff(bits, axis=0)).sum(axis=1)
    jump = flips.argmax()
    picture, ax = plot(
        4.6,
        None,
        "position",
        width=6.5,
        alt=(
            f"The {digits} binary digits of the positions 0 to {n - 1}, one row per "
            "position, the ones digit in the left column. Between two rows the "
            f"number of digits that flip: {listed(flips)}. A frame marks the largest."
        ),
        title=f"From {jump} to {jump + 1}, {flips[jump]} of {digits} digits flip",
    )
    heat(ax, bits, (0, 1.2), BLUES, "d", aspect="auto")
    ax.set_xticks(range(digits), [f"{2**d}s" for d in range(digits)])
    box(
        ax,
        -0.48,
        jump - 0.48,
        digits - 0.04,
        1.96,
        fill=False,
        edgecolor=BAD,
        linewidth=2.4,
    )
    for step, count in enumerate(flips):
        write(ax, digits - 0.2, step + 0.5, count)
    write(ax, digits - 0.2, -0.3, "flips")
    ax.spines[:].set_visible(False)
    return picture


def dials(speeds, positions, names=None):
    """Clock faces: one row per hand, one column per position; one column is framed.

    ``speeds`` in radians per step. A hand starts at twelve o'clock and turns clockwise,
    so that its tip lies at (sine, cosine); both stand under the dial. Without ``names``,
    the hands are pairs 0, 1, 2, …
    """
    speeds = np.asarray(speeds, float)
    names = names or [f"pair {i}" for i in range(len(speeds))]
    head = f"Read down: {2 * len(speeds)} numbers are the code of one position"
    factors = speeds[:-1] / speeds[1:]
    if np.allclose(factors, factors[0]):
        head = f"Each hand turns {factors[0]:.3g} times more slowly than the one above"
    turns = zip(names, speeds * np.ptp(positions) / (2 * np.pi), strict=True)
    turned = listed(f"{name} goes round {turn:.3g} times" for name, turn in turns)
    # In radii of a dial: the middles of the dials, and the edges of the sheet.
    across = 2.4 * np.arange(len(positions))
    down = -3.2 * np.arange(len(speeds))
    right = across[-1] + 1.3
    bottom = down[-1] - 1.8
    picture, ax = sheet(
        WIDE * (2 - bottom) / (right + 4.2) + 0.35,
        (right, 2),
        (-4.2, bottom),
        alt=(
            f"Clock dials for {listed(names)} (rows) at the positions "
            f"{listed(positions)} (columns). Under each dial are the sine and the "
            f"cosine of its angle. From the first dial to the last, {turned}."
        ),
        title=head,
    )
    ax.set_aspect("equal")
    write(ax, -1.4, 1.5, "position", ha="right", fontsize=10)
    write(ax, -1.4, -1.4, "sine, cosine", ha="right", color=MUTED)
    box(
        ax,
        across[(len(positions) - 1) // 2] - 1.2,
        bottom + 0.1,
        2.4,
        1.75 - bottom,
        fill=False,
        edgecolor=MUTED,
        linewidth=1.2,
    )
    for x, pos in zip(across, positions, strict=True):
        write(ax, x, 1.5, pos, fontsize=10)
        for hand, y in enumerate(down):
            _dial(ax, x, y, pos * speeds[hand], pair_colour(hand))
    for name, y in zip(names, down, strict=True):
        write(ax, -1.4, y, name, ha="right", fontsize=10)
    return picture


def _dial(ax, x, y, angle, colour):
    """A hand on a circle, with the sine and the cosine of its angle below."""
    ax.add_patch(Circle((x, y), 1, fill=False, edgecolor=MUTED, linewidth=0.8))
    sine = np.sin(angle)
    cosine = np.cos(angle)
    ax.plot(
        [x, x + sine],
        [y, y + cosine],
        "o-",
        color=colour,
        linewidth=2.2,
        markersize=4,
        markevery=[1],
    )
    said = f"{round(sine, 9):z.2g}, {round(cosine, 9):z.2g}"  # 1e-16 is 0
    write(ax, x, y - 1.4, said.replace("-", "−"))


def same_sine(rising, k):
    """A sine wave that has one value twice, and what the sine is ``k`` positions later.

    ``rising`` is an angle in radians, at 1 radian a position, where the wave rises.
    """
    now = np.sin(rising)
    marked = np.array([rising, np.pi - rising])
    later = np.sin(marked + k)
    told = f"from {now:.2f} it goes to {later[0]:.2f} or {later[1]:.2f}"
    picture, (wave, plane) = panel_row(
        ("one value of the sine twice …", f"… and two values {k} positions later"),
        3.6,
        alt=(
            "Left, a sine wave with two marks at one height, where it rises and "
            f"where it falls. Right, an ellipse, the sine {k} positions later against "
            "the sine now, with both marks above the same place."
        ),
        title=f"The sine alone cannot tell: {told}".replace("-", "−"),
        like={"width_ratios": (1.5, 1)},
    )
    wave.set(xlabel="position", ylabel="sine now")
    plane.set(xlabel="sine now", ylabel=f"sine {k} positions later", aspect="equal")
    angles = np.linspace(0, 2 * np.pi, 200)
    wave.plot(angles, np.sin(angles), color=pair_colour(0))
    plane.plot(np.sin(angles), np.sin(angles + k), color=pair_colour(0))
    reference_line(wave, y=now)
    reference_line(plane, x=now)
    marks = ("^", "rising"), ("v", "falling")
    for number, (marker, name) in enumerate(marks):
        look = {"color": pair_colour(number + 1), "markersize": 11, "zorder": 3}
        wave.plot(marked[number], now, marker, **look)
        plane.plot(now, later[number], marker, **look)
        write(wave, marked[number] + 0.25, now + 0.13, name, ha="left", fontsize=10)
    plane.margins(0.15)
    return picture


def distance_by_offset(tables):
    """Which distances a table has at each offset: one, or a range of them.

    ``tables`` maps a name to distances of shape (n, n), a panel for each, on one scale.
    A dot for each distance, and a line through them where each offset has one. The title
    counts those of neighbours, which are marked.
    """
    counts = {name: _distances_at_offsets(far) for name, far in tables.items()}
    said = {name: f"{n} distance" + "s" * (n > 1) for name, (n, *_) in counts.items()}
    told = listed(f"{name} have {number}" for name, number in said.items())
    picture, axes = panel_row(
        tables,
        3.4,
        "offset k (positions)",
        "distance",
        alt=(
            "Distance between two rows against the offset of their positions, on one "
            "scale. Most distances at one offset: "
            f"{each(counts, lambda count: str(max(count)))}."
        ),
        title=f"At k = 1, {told}",
        like={"sharey": True},
    )
    for ax, (name, far) in zip(axes, tables.items(), strict=True):
        p, q = np.triu_indices(len(far), 1)
        ax.plot(q - p, far[p, q], "o", markersize=3, color=pair_colour(0))
        if max(counts[name]) == 1:
            ax.plot(range(1, len(far)), far[0, 1:], color=pair_colour(0), alpha=0.5)
        steps = np.diagonal(far, 1)
        ax.plot(np.ones(len(steps)), steps, "o-", markersize=7, color=BAD)
        write(
            ax,
            1.8,
            min(steps) - 0.2,
            f"k = 1: {said[name]}",
            ha="left",
            weight="bold",
        )
        ax.set_ylim(bottom=0)
    return picture


def _distances_at_offsets(far):
    """How many distances each of the offsets 1, 2, ... has."""
    offsets = range(1, len(far))
    return [len(np.unique(np.diagonal(far, k).round(9))) for k in offsets]
