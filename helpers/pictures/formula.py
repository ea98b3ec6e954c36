"""Pictures of notebook 01: where the encoding sits, the counter, the clocks."""

import numpy as np
from matplotlib.patches import Circle, FancyBboxPatch

from helpers.pictures.stacks import ROUND, arrow, height_of, sheet, stack
from helpers.pictures.style import (
    DIVERGING,
    GRID,
    INK,
    MUTED,
    Picture,
    listed,
    pair_colour,
    tidy,
)


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
    picture, ax = sheet(8.4, 4.7, (12.4, 7.1), alt=alt)
    left = ["ids", "embedding", "+ positions", "self-attention", "feed-forward"]
    right = [
        "ids, shifted by one",
        "embedding",
        "+ positions",
        "masked self-attention",
        "attention to the encoder",
        "feed-forward",
    ]
    shapes = ["(batch, length)", "(batch, length, d_model)", "(length, d_model)"]
    stack(ax, 1.9, "Encoder", left, width=3.5)
    stack(ax, 10.4, "Decoder", right, width=3.5)
    for level, shape in enumerate(shapes):
        y = height_of(level)
        ax.text(6.15, y, shape, ha="center", va="center", color=MUTED)
        for x in (3.85, 8.45):
            ax.plot([x, x + 0.35 * (1 if x < 6 else -1)], [y, y], color=GRID)
    arrow(ax, (3.82, 4.65), (8.6, 4.65), linewidth=1.2)
    ax.text(6.15, 4.85, "the encoder's output", ha="center", color=INK)
    for x, top in ((1.9, 5.08), (10.4, 6.08)):
        repeated = FancyBboxPatch(
            (x - 1.88, 3.22),
            3.76,
            top - 3.22,
            boxstyle=ROUND,
            facecolor="none",
            edgecolor=MUTED,
            linestyle="--",
            linewidth=0.8,
        )
        ax.add_patch(repeated)
    ax.text(6.15, 3.65, "dashed: N layers", ha="center", va="center", color=MUTED)
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
    picture = Picture(3.6, 4.2, alt=alt)
    ax = picture.subplots()
    ax.imshow(bits, cmap="Blues", vmin=0, vmax=2.5, aspect="auto")
    for (row, column), bit in np.ndenumerate(bits):
        ax.text(column, row, str(bit), ha="center", va="center", color=INK, fontsize=9)
    ax.set_xticks(range(digits), [f"{2**d}s" for d in range(digits)])
    ax.set_yticks(range(n))
    return _label(picture, ax, xlabel="binary digit", ylabel="position")


def counter_and_waves(bits, times, waves):
    """Each digit of the counter as steps, and the wave of the same period over it.

    ``bits`` of shape (positions, digits); ``times`` of shape (n,), in positions;
    ``waves`` of shape (n, digits), in -1 ... 1.
    """
    n, digits = bits.shape
    held = np.asarray(bits)[np.minimum(np.floor(times).astype(int), n - 1)]
    inside = abs(times - np.round(times)) > 1e-6  # between the jumps
    fits = (held == (waves > 0))[inside].mean()
    place = "high where the digit is 1 and low where it is 0"
    alt = (
        f"{digits} plots, one below the other, one per binary digit, over the positions "
        f"0 to {n}: the digit as grey steps between 0 and 1, and a smooth wave over it, "
        + (f"{place}." if fits == 1 else f"{place} in {fits:.0%} of all places.")
    )
    picture = Picture(7.5, 0.9 * digits + 0.6, alt=alt)
    axes = np.atleast_1d(picture.subplots(digits, 1, sharex=True))
    for digit, ax in enumerate(axes):
        held = np.append(bits[:, digit], bits[-1, digit])
        ax.step(range(n + 1), held, where="post", color=MUTED, linewidth=1)
        ax.plot(times, (1 + waves[:, digit]) / 2, color=pair_colour(digit), linewidth=2)
        tidy(ax, ylabel=f"{2**digit}s", grid=False)
        ax.set(yticks=[0, 1], ylim=(-0.15, 1.15))
    axes[-1].set_xlabel("position")
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
    colours = [pair_colour(i) for i in pairs]
    alt = (
        f"Clock dials for {', '.join(names)} (rows) at the positions "
        f"{', '.join(str(p) for p in positions)} (columns). Under each dial are the "
        "sine and the cosine of its angle. From the first dial to the last, "
        + listed(
            f"{name} turns by {np.degrees(speed * np.ptp(positions)):.3g} degrees"
            for name, speed in zip(names, speeds, strict=True)
        )
        + "."
    )
    size = min(1.0, 8.6 / len(positions))  # inches across a dial's cell
    wide, high = 2.4, 3.05  # a cell, in radii
    picture = Picture(
        size * len(positions) + 0.8,
        size * (high * len(speeds) + 0.6) / wide,
        alt=alt,
    )
    ax = picture.subplots()
    for hand, speed in enumerate(speeds):
        y = -high * hand
        ax.text(-1.4, y, names[hand], ha="right", va="center", color=INK)
        for place, pos in enumerate(positions):
            _dial(ax, wide * place, y, pos * speed, colours[hand])
            if hand == 0:
                ax.text(wide * place, 1.15, f"{pos}", ha="center", va="bottom")
    ax.set(
        xlim=(-1.3, wide * (len(positions) - 1) + 1.2),
        ylim=(-high * (len(speeds) - 1) - 1.7, 1.7),
        aspect="equal",
    )
    ax.axis("off")
    return picture


def _dial(ax, x, y, angle, colour):
    ax.add_patch(Circle((x, y), 1, facecolor="white", edgecolor=MUTED, linewidth=0.8))
    swept = np.linspace(0, min(angle, 2 * np.pi), 60)
    ax.fill(
        x + np.append(0, 0.8 * np.sin(swept)),
        y + np.append(0, 0.8 * np.cos(swept)),
        color=colour,
        alpha=0.18,
        linewidth=0,
    )
    tip = np.array([np.sin(angle), np.cos(angle)])
    ax.plot([x, x + tip[0]], [y, y + tip[1]], color=colour, linewidth=2.2)
    ax.plot(x + tip[0], y + tip[1], "o", color=colour, markersize=4)
    sine, cosine = tip.round(2) + 0.0
    words = f"{sine:.2f}, {cosine:.2f}"
    ax.text(x, y - 1.15, words, ha="center", va="top", fontsize=8, color=INK)


def distance_by_offset(distances):
    """Every distance of a table over its offset: one dot per two positions.

    ``distances`` of shape (n, n).
    """
    p, q = np.triu_indices(len(distances), 1)
    spreads = [
        np.ptp(np.diagonal(distances, k)) for k in range(1, max(len(distances), 2))
    ]
    alt = (
        f"Distance against offset for every two of {len(distances)} positions: "
        f"{len(p)} dots. "
    )
    if max(spreads) < 1e-9:
        alt += "All dots of one offset coincide: each offset has one distance."
    else:
        alt += f"The dots of one offset spread over up to {max(spreads):.2g}."
    picture = Picture(6.5, 2.8, alt=alt)
    ax = picture.subplots()
    ax.plot(q - p, distances[p, q], "o", markersize=4, alpha=0.25, color=pair_colour(0))
    ax.set_ylim(bottom=0)
    tidy(ax, xlabel="offset k (positions)", ylabel="distance")
    return picture


def table(encoding, *, title=None):
    """An encoding table as a picture, ``encoding`` of shape (positions, columns)."""
    n, width = encoding.shape
    alt = (
        f"Heat map of an encoding table of {n} positions (down) and {width} columns "
        f"(across), from blue for -1 to red for 1. {calm_side(encoding)}"
    )
    picture = Picture(7.5, 3.6, alt=alt)
    ax = picture.subplots()
    image = ax.imshow(encoding, cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto")
    picture.colorbar(image, ax=ax, label="value")
    return _label(picture, ax, "column", "position", title)


def calm_side(table):
    """A sentence that says how much the two halves of a table change, row by row."""
    change = np.abs(np.diff(table, axis=0)).mean(axis=0)
    left, right = (half.mean() for half in np.array_split(change, 2))
    return (
        f"From one row to the next a value changes by {left:.2g} on average in the left "
        f"half of the columns, and by {right:.2g} in the right half."
    )


def _label(picture, ax, xlabel, ylabel, title=None):
    tidy(ax, title=title, xlabel=xlabel, ylabel=ylabel, grid=False)
    for side in ax.spines.values():
        side.set_visible(False)
    return picture
