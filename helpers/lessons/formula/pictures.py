"""Pictures of notebook 01: where the encoding sits, counter, clocks, distances, table."""

import numpy as np
from matplotlib.patches import Circle, Rectangle

from helpers.draw.boxes import arrow, box, frame, height_of, sheet, stack, write
from helpers.draw.look import MUTED, pair_colour
from helpers.draw.panels import heat, panel_row, reference_line
from helpers.draw.style import BLUES, WIDE
from helpers.draw.table import whole_waves
from helpers.draw.words import each, listed

__all__ = [
    "model_map",
    "binary_counter",
    "dials",
    "same_sine",
    "distance_by_offset",
    "whole_waves",
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
    told = "Positions enter once, at the bottom of each stack"
    picture, ax = sheet(WIDE, 5.3, (13.0, 7.5), (-0.6, -0.35), alt=alt, title=told)
    first, last = ["embedding", "+ positions"], "feed-forward"
    left = ["ids", *first, "self-attention", last]
    right = ["ids, shifted by one", *first, "masked self-attention"]
    stack(ax, 1.6, "Encoder", left, 3.5)
    stack(ax, 10.8, "Decoder", [*right, "attention to the encoder", last], 3.5)
    shapes = "(batch, length)", "(batch, length, d_model)", "(length, d_model)"
    for level, shape in enumerate(shapes):
        look = {"fontsize": 10, "color": MUTED, "ha": "left"}
        write(ax, 3.55, height_of(level), shape, **look)
    top = height_of(4)
    arrow(ax, (3.37, top), (9.02, top), linewidth=1.2)
    write(ax, 6.2, top + 0.27, "the encoder's output", fontsize=10)
    for x, high, edge, side in (
        (1.6, 5.08, -0.36, "right"),
        (10.8, 6.08, 12.76, "left"),
    ):
        look = {"facecolor": "none", "edgecolor": MUTED, "linewidth": 0.8}
        frame(ax, x, (3.22 + high) / 2, 3.76, high - 3.22, linestyle="--", **look)
        write(ax, edge, (3.22 + high) / 2, "× N", fontsize=11, ha=side)
    arrow(ax, (9.05, height_of(5)), (7.6, height_of(5)), linewidth=1.2)
    write(ax, 7.5, height_of(5), "the next word", fontsize=10, ha="right")
    write(ax, 1.6, -0.1, "residuals, norms and the last layer left out", color=MUTED)
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
    many = "all" if flips[jump] == digits else f"{flips[jump]} of"
    head = f"From {jump} to {jump + 1}, {many} {digits} digits flip"
    like = {"width_ratios": (1, 1.1), "sharey": True}
    heads = "the digits, ones first", "how many flip on the way to the next row"
    picture, (ax, bars) = panel_row(heads, WIDE, 4.6, alt=alt, title=head, like=like)
    heat(ax, bits, (0, 1.2), BLUES, "d", aspect="auto")
    ax.set_xticks(range(digits), [f"{2**d}s" for d in range(digits)])
    ax.set_ylabel("position", fontsize=10)
    look = {"fill": False, "edgecolor": pair_colour(1), "linewidth": 2.4}
    ax.add_patch(Rectangle((-0.48, jump - 0.48), digits - 0.04, 1.96, **look))
    usual, marked = pair_colour(0), pair_colour(1)
    colours = [marked if step == jump else usual for step in range(n - 1)]
    bars.barh(np.arange(n - 1) + 0.5, flips, 0.6, color=colours)
    for step, count in enumerate(flips):
        write(bars, count + 0.1, step + 0.5, count, ha="left")
    bars.grid(visible=False)
    bars.set(xticks=[], xlim=(0, digits + 0.5))
    for axes in (ax, bars):
        axes.spines[:].set_visible(False)
    return picture


def dials(speeds, positions, *, pairs=None, names=None):
    """Clock faces: one row per hand, one column per position.

    ``speeds`` in radians per step. A hand starts at twelve o'clock and turns clockwise,
    so that its tip lies at (sine, cosine); both stand under the dial. A pale arc shows
    how far it has come in this turn; the whole turns since position 0 stand beside it.
    One column is framed. ``pairs`` numbers the hands (and so colours them); by default
    0, 1, 2, …
    """
    speeds, positions = np.asarray(speeds, float), np.asarray(positions)
    pairs = range(len(speeds)) if pairs is None else pairs
    names = names or [f"pair {i}" for i in pairs]
    turns = zip(names, speeds * np.ptp(positions) / (2 * np.pi), strict=True)
    turned = listed(f"{name} goes round {turn:.3g} times" for name, turn in turns)
    alt = (
        f"Clock dials for {', '.join(names)} (rows) at the positions "
        f"{', '.join(str(p) for p in positions)} (columns). Under each dial are the "
        f"sine and the cosine of its angle. From the first dial to the last, {turned}."
    )
    wide, high = 2.4, 3.2  # a dial and what is around it, in radii
    left = 1.8 + 0.3 * max(map(len, names))  # where the names begin
    reach = (wide * (len(positions) - 1) + 1.3, 2.0)
    start = (-left, -high * (len(speeds) - 1) - 1.8)
    height = WIDE * (reach[1] - start[1]) / (reach[0] - start[0]) + 0.35
    faster = np.divide(speeds[:-1], speeds[1:])
    head = f"Read down: {2 * len(speeds)} numbers are the code of one position"
    if len(faster) > 1 and np.ptp(faster) < 1e-9 * faster[0]:
        head = f"Each hand turns {faster[0]:.3g} times more slowly than the one above"
    picture, ax = sheet(WIDE, height, reach, start, alt=alt, title=head)
    ax.set_aspect("equal")
    write(ax, -1.4, 1.5, "position", ha="right", fontsize=10)
    write(ax, -1.4, -1.4, "sine, cosine", ha="right", color=MUTED)
    middle = (len(positions) - 1) // 2
    look = {"fill": False, "edgecolor": MUTED, "linewidth": 1.2}
    box(ax, wide * (middle - 0.5), start[1] + 0.1, wide, 1.75 - start[1], **look)
    for hand, (speed, pair) in enumerate(zip(speeds, pairs, strict=True)):
        y = -high * hand
        write(ax, -1.4, y, names[hand], ha="right", fontsize=10)
        digits = 2 if np.abs(np.sin(speed * positions)).max() >= 0.02 else 3
        for place, pos in enumerate(positions):
            _dial(ax, wide * place, y, pos * speed, pair_colour(pair), digits)
            if hand == 0:
                write(ax, wide * place, 1.5, f"{pos}", fontsize=10)
    return picture


def _dial(ax, x, y, angle, colour, digits):
    ax.add_patch(Circle((x, y), 1, facecolor="white", edgecolor=MUTED, linewidth=0.8))
    laps, rest = divmod(angle + 1e-9, 2 * np.pi)
    swept = np.linspace(0, rest, 60)
    across, up = (0.8 * np.append(0, f(swept)) for f in (np.sin, np.cos))
    ax.fill(x + across, y + up, color=colour, alpha=0.18, linewidth=0)
    sine, cosine = np.sin(angle), np.cos(angle)
    ax.plot([x, x + sine], [y, y + cosine], color=colour, linewidth=2.2)
    ax.plot(x + sine, y + cosine, "o", color=colour, markersize=4)
    if laps:
        write(ax, x + 1.17, y + 1.02, f"+{laps:.0f}", ha="right")
    said = f"{sine:z.{digits}f}, {cosine:z.{digits}f}".replace("-", "−")
    write(ax, x, y - 1.4, said)


def same_sine(rising, k):
    """A sine wave that has one value twice, and what the sine is ``k`` positions later.

    ``rising`` is an angle in radians, at 1 radian a position, where the wave rises.
    """
    marked = np.array([rising, np.pi - rising])
    now, later = np.sin(rising), np.sin(marked + k)
    said = [f"{value:.2f}".replace("-", "−") for value in (now, *later)]
    head = (
        f"The sine alone cannot tell: from {said[0]} it goes to {said[1]} or {said[2]}"
    )
    heads = f"the sine is {said[0]} twice …", f"… and {k} later it is one or the other"
    alt = (
        f"Left, a sine wave with two marks at height {now:.2f}, where it rises and where "
        f"it falls. Right, an ellipse, the sine {k} positions later against the sine now. "
        f"The marks lead to {later[0]:.2f} and to {later[1]:.2f}."
    ).replace("-", "−")
    more = {"title": head, "like": {"width_ratios": (1.5, 1)}}
    picture, (wave, plane) = panel_row(heads, WIDE, 3.6, alt=alt, **more)
    wave.set(xlabel="position", ylabel="sine now", yticks=[-1, -0.5, 0, 0.5, 1])
    plane.set(xlabel="sine now", ylabel=f"sine {k} positions later")
    angles = np.linspace(0, 2 * np.pi, 200)
    wave.plot(angles, np.sin(angles), color=pair_colour(0))
    plane.plot(np.sin(angles), np.sin(angles + k), color=pair_colour(0))
    reference_line(wave, y=now)
    reference_line(plane, x=now)
    marks = (("^", "rising", 1), ("v", "falling", 2))
    for angle, then, (marker, name, number) in zip(marked, later, marks, strict=True):
        look = {"marker": marker, "color": pair_colour(number), "zorder": 3}
        wave.plot(angle, now, markersize=11, **look)
        plane.plot(now, then, markersize=11, **look)
        write(wave, angle + 0.25, now + 0.13, name, ha="left", fontsize=10)
        write(
            plane,
            now + 0.12,
            then + np.copysign(0.2, then),
            name,
            ha="left",
            fontsize=10,
        )
    plane.set(aspect="equal", xlim=(-1.15, 1.45), ylim=(-1.35, 1.2))
    return picture


def distance_by_offset(tables):
    """Which distances a table has at each offset: one, or a range of them.

    ``tables`` maps a name to distances of shape (n, n), a panel for each, on one scale.
    A dot for each distance, and a line through them where each offset has one.
    """
    found = {name: _one_or_many(far) for name, far in tables.items()}
    alt = (
        "Distance between two rows against the offset of their positions, on one scale: "
        f"{each(found, str)}."
    )
    one, other = (
        listed(name for name, told in found.items() if (told == _ALIKE) == alike)
        for alike in (True, False)
    )
    head = f"Every offset has one distance for {one}, several for {other}"
    heads = [f"{name}: {told}" for name, told in found.items()]
    labels, more = ("offset k (positions)", "distance"), {"like": {"sharey": True}}
    picture, axes = panel_row(heads, WIDE, 3.4, *labels, alt=alt, title=head, **more)
    for ax, distances in zip(axes, tables.values(), strict=True):
        offsets = range(1, len(distances))
        values = [np.diagonal(distances, k) for k in offsets]
        if _one_or_many(distances) == _ALIKE:
            means = [every.mean() for every in values]
            ax.plot(offsets, means, color=pair_colour(0), linewidth=1, alpha=0.5)
        k = np.repeat(offsets, [*map(len, values)])
        ax.plot(k, np.concatenate(values), "o", markersize=3, color=pair_colour(0))
        ax.plot(k[k == 1], values[0], "o", markersize=7, color=pair_colour(1))
        look = {"ha": "left", "fontweight": "bold", "color": "#B34A00"}
        write(ax, 1.8, min(values[0]) - 0.2, "k = 1", **look)
        ax.set_ylim(bottom=0)
    return picture


_ALIKE = "every step of k has one length"


def _one_or_many(distances):
    """Whether one offset has one distance, in words."""
    if all(np.ptp(np.diagonal(distances, k)) < 1e-9 for k in range(1, len(distances))):
        return _ALIKE
    several = len(np.unique(np.diagonal(distances, 1).round(9)))
    if several == 1:
        return "not every step has one length"
    return f"a step of 1 has {several} different lengths"
