"""Pictures of notebook 03: block matrices, where one arrives, what data reveal."""

import numpy as np

from helpers.draw.boxes import box, write
from helpers.draw.look import BAD, GOOD, pair_colour
from helpers.draw.panels import heat, panel_row, plot, scale
from helpers.draw.words import each, listed


def matrix(entries, title):
    """A square matrix with signed entries; each pair's block has its pair's frame."""
    entries = np.asarray(entries)
    size = len(entries)
    first = np.arange(0, size, 2)  # column of each pair
    angles = np.arctan2(entries[first, first + 1], entries[first, first])
    turns = np.kron(np.diag(np.cos(angles)), np.eye(2))
    turns += np.kron(np.diag(np.sin(angles)), [[0, 1], [-1, 0]])
    head = f"{title} is no rotation of each pair"
    if np.allclose(entries, turns):
        head = (
            f"{title}: {len(angles)} blocks, each turns one pair, by {angles[0]:.2g} "
            f"to {angles[-1]:.2g} rad, zero elsewhere"
        )
    picture, ax = plot(
        5.2,
        "reads column",
        "writes column",
        alt=(
            f"{size} by {size} entries, coloured by sign and size. The blocks of 2 by "
            "2 on the diagonal are framed, and beside each stands the angle of its "
            "turn."
        ),
        title=head,
    )
    heat(ax, entries, written=".3f", size=10, aspect="auto")
    for text, entry in zip(list(ax.texts), np.ravel(entries), strict=True):
        text.set_visible(entry != 0)  # nothing is written where there is nothing
    ax.spines[:].set_visible(False)
    for pair, angle in enumerate(angles):
        corner = 2 * pair - 0.5
        box(
            ax,
            corner,
            corner,
            2,
            2,
            fill=False,
            edgecolor=pair_colour(pair),
            linewidth=2.5,
        )
        write(ax, size - 0.4, corner + 1, f"{angle:.2g} rad", ha="left", fontsize=10)
    return picture


def misses(worst):
    """The largest error of a matrix from every starting position, as bars.

    ``worst`` is an array over positions. The title says from where the matrix arrives.
    """
    worst = np.asarray(worst)
    arrives = np.flatnonzero(worst <= 1e-12)
    places = listed(f"position {n}" for n in arrives)
    picture, ax = plot(
        2.8,
        "starting position",
        "largest error",
        alt=(
            f"A bar for each of {len(worst)} starting positions, the largest error "
            f"from there, {worst.max():.2f} at most."
        ),
        title=f"The matrix arrives from {places} alone",
    )
    ax.bar(range(len(worst)), worst, color=BAD)
    ax.plot(arrives, 0 * arrives, "o", color=GOOD, ms=9, clip_on=False, zorder=3)
    ax.margins(x=0.02)
    return picture


def recovered(pairs, name):
    """Matrices from least squares beside the true one, called ``name``.

    ``pairs`` maps a title to (true, found); colours end at −1 and 1.
    """
    heads = []
    shown = []
    for width, (true, found) in pairs.items():
        heads += [f"{width}: {name}", "found by least squares", "the difference"]
        shown += [true, found, found - true]
    told = each(pairs, lambda both: _wrong(*both))
    _, axes = panel_row(
        heads,
        2.6 * len(pairs) + 0.4,
        alt=(
            "For each width the true matrix, the one that least squares finds, and the "
            "difference."
        ),
        title=f"Least squares against the truth: {told}",
        columns=3,
    )
    for ax, entries in zip(axes, shown, strict=True):
        image = heat(ax, entries)
        ax.set(xticks=[], yticks=[])
    return scale(image, axes, shrink=0.6, ticks=[-1, 0, 1])


def _wrong(true, found):
    """In how many pairs' rows two matrices differ visibly."""
    off = np.abs(true - found).reshape(len(true) // 2, -1).max(axis=1) > 0.05
    return f"{off.sum()} of {len(off)} pairs differ"
