"""Pictures of notebook 01: where the encoding sits, the counter, the clocks."""

import numpy as np
from matplotlib.patches import Circle

from helpers.draw.boxes import arrow, frame, height_of, sheet, stack, write
from helpers.draw.look import GRID, MUTED, pair_colour
from helpers.draw.panels import heat, panel_row, plot
from helpers.draw.style import BLUES
from helpers.draw.table import calm_side, table
from helpers.draw.words import each, listed

__all__ = [
    "model_map",
    "binary_counter",
    "dials",
    "distance_by_offset",
    "calm_side",
    "table",
]


def model_map():
    """The encoder and the decoder, with the place where positions are added."""
    alt = (
        "The transformer as two stacks of boxes. Left, the encoder: ids of shape "
        "(batch, length), embedding to (batch, length, d_model), plus positions "
        "(length, d_model), then self-attention and feed-forward, N times. Right, the "
        "decoder: the same start with its own positions, then masked self-attention, "
        "attention to the encoder's output, and feed-forward. Positions are added once, "
        "at the bottom of each stack."
    )
    picture, ax = sheet(8.4, 4.7, (12.4, 7.2), alt=alt)
    first, last = ["embedding", "+ positions"], "feed-forward"
    left = ["ids", *first, "self-attention", last]
    right = ["ids, shifted by one", *first, "masked self-attention"]
    stack(ax, 1.95, "Encoder", left, 3.5)
    stack(ax, 10.4, "Decoder", [*right, "attention to the encoder", last], 3.5)
    shapes = "(batch, length)", "(batch, length, d_model)", "(length, d_model)"
    for level, shape in enumerate(shapes):
        y = height_of(level)
        write(ax, 6.15, y, shape, fontsize=10, color=MUTED)
        ax.plot([3.85, 4.2], [y, y], [8.1, 8.45], [y, y], color=GRID)
    arrow(ax, (3.87, 4.65), (8.6, 4.65), linewidth=1.2)
    write(ax, 6.15, 4.95, "the encoder's output", fontsize=10)
    for x, top in ((1.95, 5.08), (10.4, 6.08)):
        look = {"facecolor": "none", "edgecolor": MUTED, "linewidth": 0.8}
        frame(ax, x, (3.22 + top) / 2, 3.76, top - 3.22, linestyle="--", **look)
    write(ax, 6.15, 3.65, "dashed: N layers", fontsize=10, color=MUTED)
    return picture


def binary_counter(bits):
    """Binary digits of the positions, ``bits`` of shape (positions, digits)."""
    n, digits = bits.shape
    changes = np.count_nonzero(np.diff(bits, axis=0), axis=0)
    alt = (
        f"The {digits} binary digits of the positions 0 to {n - 1}, one row per "
        "position, the ones digit in the left column. From one row to the next the "
        f"columns change {listed(changes)} times, from left to right."
    )
    picture, ax = plot(3.6, 4.2, "binary digit", "position", alt=alt)
    heat(ax, bits, (0, 1.2), BLUES, "d", aspect="auto")
    ax.set_xticks(range(digits), [f"{2**d}s" for d in range(digits)])
    ax.spines[:].set_visible(False)
    return picture


def dials(speeds, positions, *, pairs=None, names=None):
    """Clock faces: one row per hand, one column per position.

    ``speeds`` in radians per step. A hand starts at twelve o'clock and turns clockwise,
    so that its tip lies at (sine, cosine); both stand under the dial. A pale arc, one
    turn at the most, shows how far it has come since position 0. ``pairs`` numbers the
    hands (and so colours them); by default 0, 1, 2, …
    """
    speeds, positions = np.asarray(speeds, float), np.asarray(positions)
    pairs = range(len(speeds)) if pairs is None else pairs
    names = names or [f"pair {i}" for i in pairs]
    turns = zip(names, np.degrees(speeds * np.ptp(positions)), strict=True)
    turned = listed(f"{name} turns by {turn:.3g} degrees" for name, turn in turns)
    alt = (
        f"Clock dials for {', '.join(names)} (rows) at the positions "
        f"{', '.join(str(p) for p in positions)} (columns). Under each dial are the "
        f"sine and the cosine of its angle. From the first dial to the last, {turned}."
    )
    size = min(1.0, 8.6 / len(positions)) / 2.4  # inches of a radius
    wide, high = 2.4, 3.05  # a dial and what is around it, in radii
    left = 1.6 + 0.085 * max(map(len, names)) / size  # where the names begin
    reach = (wide * (len(positions) - 1) + 1.2, 1.8)
    start = (-left, -high * (len(speeds) - 1) - 1.7)
    width, height = ((b - a) * size for a, b in zip(start, reach, strict=True))
    picture, ax = sheet(width, height, reach, start, alt=alt)
    ax.set_aspect("equal")
    for hand, (speed, pair) in enumerate(zip(speeds, pairs, strict=True)):
        y = -high * hand
        write(ax, -1.4, y, names[hand], ha="right", fontsize=10)
        for place, pos in enumerate(positions):
            _dial(ax, wide * place, y, pos * speed, pair_colour(pair))
            if hand == 0:
                write(ax, wide * place, 1.15, f"{pos}", va="bottom", fontsize=10)
    return picture


def _dial(ax, x, y, angle, colour):
    ax.add_patch(Circle((x, y), 1, facecolor="white", edgecolor=MUTED, linewidth=0.8))
    swept = np.linspace(0, min(angle, 2 * np.pi), 60)
    across, up = (0.8 * np.append(0, f(swept)) for f in (np.sin, np.cos))
    ax.fill(x + across, y + up, color=colour, alpha=0.18, linewidth=0)
    sine, cosine = np.sin(angle), np.cos(angle)
    ax.plot([x, x + sine], [y, y + cosine], color=colour, linewidth=2.2)
    ax.plot(x + sine, y + cosine, "o", color=colour, markersize=4)
    said = f"{sine:z.2f}, {cosine:z.2f}".replace("-", "−")
    write(ax, x, y - 1.15, said, va="top", fontsize=8)


def distance_by_offset(tables):
    """Every distance of a table over its offset: one dot per two positions.

    ``tables`` maps a title to distances of shape (n, n), a panel for each.
    """
    alt = (
        "Distance against offset for every two positions, a dot each: "
        f"{each(tables, _spread)}."
    )
    picture, axes = panel_row(
        tables, 8.5, 2.8, "offset k (positions)", "distance", alt=alt
    )
    for ax, distances in zip(axes, tables.values(), strict=True):
        p, q = np.triu_indices(len(distances), 1)
        look = {"markersize": 4, "alpha": 0.25, "color": pair_colour(0)}
        ax.plot(q - p, distances[p, q], "o", **look)
        ax.set_ylim(bottom=0)
    return picture


def _spread(distances):
    """Whether one offset has one distance, in words."""
    spread = max(np.ptp(np.diagonal(distances, k)) for k in range(1, len(distances)))
    if spread < 1e-9:
        return "dots of one offset coincide, so each offset has one distance"
    return f"dots of one offset spread over up to {spread:.2g}"
