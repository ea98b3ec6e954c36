"""Pictures of notebook 03: block matrices, where one arrives, what data reveal."""

import numpy as np

from helpers.draw.boxes import box, write
from helpers.draw.look import BAD, GOOD, MUTED, pair_colour
from helpers.draw.panels import heat, panel_row, plot, scale
from helpers.draw.style import WIDE
from helpers.draw.words import each, listed


def matrix(entries, title):
    """A square matrix with signed entries; each pair's block has its pair's frame."""
    entries = np.asarray(entries)
    size = len(entries)
    inside = np.kron(np.eye(size // 2), np.ones((2, 2))).astype(bool)
    zero = not np.any(entries[~inside])
    elsewhere = "zeros" if zero else "other entries, too,"
    blocks = [entries[n : n + 2, n : n + 2] for n in range(0, size, 2)]
    angles = [float(np.arctan2(b[0, 1], b[0, 0])) for b in blocks]
    turns = [
        np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) for a in angles
    ]
    head = f"{title}: {size} by {size} entries"
    if zero and np.allclose(blocks, turns):
        head = (
            f"{title}: {len(blocks)} blocks, each turns one pair, by {angles[0]:.2g} to "
            f"{angles[-1]:.2g} rad, zero elsewhere"
        )
    alt = (
        f"{head}. {size} by {size} entries, coloured by sign and size; {size // 2} "
        f"framed blocks of 2 by 2 on the diagonal, {elsewhere} elsewhere. Beside each "
        "block, a dial with the angle by which it turns a hand."
    )
    labels = "reads column", "writes column"
    picture, ax = plot(WIDE, 5.2, *labels, alt=alt, title=head)
    heat(ax, entries, written=".3f", size=10, aspect="auto")
    for text, entry in zip(list(ax.texts), np.ravel(entries), strict=True):
        text.set_visible(entry != 0)  # nothing is written where there is nothing
    ax.spines[:].set_visible(False)
    ax.set(xlim=(-0.5, size + 1.5))
    for pair, angle in enumerate(angles):
        colour, y = pair_colour(pair), 2 * pair + 0.5
        box(ax, 2 * pair - 0.5, y - 1, 2, 2, fill=False, ec=colour, lw=2.5)
        dial = ax.inset_axes((size - 0.2, y - 0.7, 0.9, 1.4), transform=ax.transData)
        dial.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
        dial.axis("off")
        round_ = np.linspace(0, 2 * np.pi, 100)
        dial.plot(np.sin(round_), np.cos(round_), color=MUTED, lw=0.8)
        dial.plot([0, 0], [0, 1], "--", color=MUTED, lw=1.2)
        dial.plot([0, np.sin(angle)], [0, np.cos(angle)], color=colour, lw=2.5)
        write(ax, size + 0.75, y, f"{angle:.2g} rad", ha="left", fontsize=10)
    return picture


def misses(worst):
    """The largest error of a matrix from every starting position, as bars.

    ``worst`` is an array over positions. The title says from where the matrix arrives.
    """
    worst = np.asarray(worst)
    arrives = np.flatnonzero(worst <= 1e-12)
    told = f"The matrix arrives from {listed(f'position {n}' for n in arrives)} alone"
    if len(arrives) in (0, len(worst)):
        told = f"The matrix arrives from {'everywhere' if len(arrives) else 'nowhere'}"
    alt = (
        f"A bar for each of {len(worst)} starting positions, the largest error from "
        f"there, {worst.max():.2f} at most: {told}."
    )
    labels, ends = ("starting position", "largest error"), (0, 1.1 * max(*worst, 1))
    picture, ax = plot(WIDE, 2.8, *labels, alt=alt, title=told, ylim=ends)
    ax.bar(range(len(worst)), worst, color=BAD)
    ax.plot(arrives, 0 * arrives, "o", color=GOOD, ms=9, clip_on=False, zorder=3)
    ax.margins(x=0.02)
    return picture


def recovered(pairs, name):
    """Matrices from least squares beside the true one, called ``name``.

    ``pairs`` maps a title to (true, found); colours end at −1 and 1.
    """
    heads, shown = [], []
    for width, (true, found) in pairs.items():
        heads += [f"{width}: {name}", "found by least squares", "the difference"]
        shown += [true, found, found - true]
    told = each(pairs, lambda both: _wrong(*both))
    alt = (
        "For each width the true matrix, the one that least squares finds, and the "
        f"difference: {told}."
    )
    more = {"title": f"Least squares against the truth: {told}", "columns": 3}
    _, axes = panel_row(heads, WIDE, 2.6 * len(pairs) + 0.4, alt=alt, **more)
    for ax, entries in zip(axes, shown, strict=True):
        image = heat(ax, entries)
        ax.set(xticks=[], yticks=[])
    return scale(image, axes, shrink=0.6, ticks=[-1, 0, 1])


def _wrong(true, found):
    """In which pairs' rows two matrices differ visibly."""
    off = np.abs(true - found).reshape(len(true) // 2, -1).max(axis=1) > 0.05
    wrong = np.flatnonzero(off)
    if not len(wrong):
        return "no pair differs"
    last = "last " if wrong[0] and off[wrong[0] :].all() else ""
    return f"{last}{len(wrong)} of {len(off)} pairs differ"
