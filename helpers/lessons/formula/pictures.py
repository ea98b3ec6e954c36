"""Pictures of notebook 01: where the encoding sits, counter, clocks, distances, table."""

import numpy as np
from matplotlib.patches import Circle, Rectangle

from helpers.draw.boxes import arrow, frame, height_of, sheet, stack, write
from helpers.draw.look import GRID, MUTED, pair_colour
from helpers.draw.panels import heat, panel_row, plot
from helpers.draw.style import BLUES
from helpers.draw.table import table
from helpers.draw.words import each, listed

__all__ = [
    "model_map",
    "binary_counter",
    "dials",
    "same_sine",
    "distance_by_offset",
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
    picture, ax = sheet(8.4, 5.0, (12.4, 7.7), alt=alt)
    told = "positions are added once, at the bottom of each stack"
    write(ax, 6.2, 7.4, told, fontsize=11)
    first = ["embedding", "+ positions"]
    last = "feed-forward"
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
    """Binary digits of the positions, ``bits`` of shape (positions, digits).

    The two rows between which most digits change are framed.
    """
    n, digits = bits.shape
    changed = np.diff(bits, axis=0) != 0
    flips = changed.sum(axis=1)
    jump = int(flips.argmax())
    alt = (
        f"The {digits} binary digits of the positions 0 to {n - 1}, one row per "
        "position, the ones digit in the left column. From one row to the next the "
        f"columns change {listed(changed.sum(axis=0))} times, from left to right. The "
        f"step from {jump} to {jump + 1}, in a frame, changes {flips[jump]} of them."
    )
    head = f"from {jump} to {jump + 1},\n{flips[jump]} of {digits} digits flip"
    picture, ax = plot(3.6, 4.5, "binary digit", "position", alt=alt, title=head)
    heat(ax, bits, (0, 1.2), BLUES, "d", aspect="auto")
    ax.set_xticks(range(digits), [f"{2**d}s" for d in range(digits)])
    ax.spines[:].set_visible(False)
    look = {"fill": False, "edgecolor": pair_colour(1), "linewidth": 2.4}
    ax.add_patch(Rectangle((-0.48, jump - 0.48), digits - 0.04, 1.96, **look))
    return picture


def dials(speeds, positions, *, pairs=None, names=None):
    """Clock faces: one row per hand, one column per position.

    ``speeds`` in radians per step. A hand starts at twelve o'clock and turns clockwise,
    so that its tip lies at (sine, cosine); both stand under the dial. A pale arc, one
    turn at the most, shows how far it has come since position 0. ``pairs`` numbers the
    hands (and so colours them); by default 0, 1, 2, …
    """
    speeds = np.asarray(speeds, float)
    positions = np.asarray(positions)
    pairs = range(len(speeds)) if pairs is None else pairs
    names = names or [f"pair {i}" for i in pairs]
    turns = zip(names, speeds * np.ptp(positions) / (2 * np.pi), strict=True)
    turned = listed(f"{name} goes round {turn:.3g} times" for name, turn in turns)
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
    sine = np.sin(angle)
    cosine = np.cos(angle)
    ax.plot([x, x + sine], [y, y + cosine], color=colour, linewidth=2.2)
    ax.plot(x + sine, y + cosine, "o", color=colour, markersize=4)
    said = f"{sine:z.2f}, {cosine:z.2f}".replace("-", "−")
    write(ax, x, y - 1.15, said, va="top", fontsize=8)


def same_sine(rising, k):
    """A sine wave that has one value twice, and what the sine is ``k`` positions later.

    ``rising`` is an angle in radians, at 1 radian a position, where the wave rises.
    """
    marked = np.array([rising, np.pi - rising])
    now = np.sin(rising)
    later = np.sin(marked + k)
    heads = f"the sine is {now:.2f} twice …", "… and {} later it is {:.2f} or {:.2f}"
    heads = [head.format(k, *later).replace("-", "−") for head in heads]
    alt = (
        f"Left, a sine wave with two marks at height {now:.2f}, where it rises and where "
        f"it falls. Right, an ellipse, the sine {k} positions later against the sine now. "
        f"The marks lead to {later[0]:.2f} and to {later[1]:.2f}."
    ).replace("-", "−")
    like = {"width_ratios": (1.4, 1)}
    picture, (wave, plane) = panel_row(heads, 7.5, 3.2, alt=alt, like=like)
    wave.set(xlabel="position", ylabel="sine now")
    plane.set(xlabel="sine now", ylabel=f"sine {k} positions later")
    angles = np.linspace(0, 2 * np.pi, 200)
    wave.plot(angles, np.sin(angles), color=pair_colour(0))
    plane.plot(np.sin(angles), np.sin(angles + k), color=pair_colour(0))
    for angle, then, name in zip(marked, later, ("rising", "falling"), strict=True):
        look = {"marker": "^" if name == "rising" else "v", "color": pair_colour(1)}
        wave.plot(angle, now, markersize=9, **look)
        plane.plot(now, then, markersize=9, **look)
        write(wave, angle, now, f"   {name}", ha="left")
        write(plane, 0.6 * now, 0.7 * then, name)
    plane.set(aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
    return picture


def distance_by_offset(tables):
    """Which distances a table has at each offset: one, or a range of them.

    ``tables`` maps a name to distances of shape (n, n), a panel for each, on one scale.
    A dot for each distance, and a line through the mean of each offset.
    """
    alt = (
        "Distance between two rows against the offset of their positions, on one scale: "
        f"{each(tables, _one_or_many)}."
    )
    heads = [f"{name}:\n{_one_or_many(far)}" for name, far in tables.items()]
    like = {"sharey": True}
    picture, axes = panel_row(
        heads, 8.5, 3.2, "offset k (positions)", "distance", alt=alt, like=like
    )
    for ax, distances in zip(axes, tables.values(), strict=True):
        offsets = range(1, len(distances))
        found = [np.diagonal(distances, k) for k in offsets]
        means = [values.mean() for values in found]
        ax.plot(offsets, means, color=pair_colour(0), linewidth=1, alpha=0.5)
        k = np.repeat(offsets, [*map(len, found)])
        ax.plot(k, np.concatenate(found), "o", markersize=3, color=pair_colour(0))
        ax.plot(k[k == 1], found[0], "o", markersize=6, color=pair_colour(1))
        ax.set_ylim(bottom=0)
    return picture


def _one_or_many(distances):
    """Whether one offset has one distance, in words."""
    if all(np.ptp(np.diagonal(distances, k)) < 1e-9 for k in range(1, len(distances))):
        return "every step of k has one length"
    several = len(np.unique(np.diagonal(distances, 1).round(9)))
    if several == 1:
        return "not every step has one length"
    return f"a step of 1 has {several} different lengths"
