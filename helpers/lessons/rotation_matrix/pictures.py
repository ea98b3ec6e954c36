"""Pictures of notebook 03: block matrices, where one arrives, what data reveal."""

import numpy as np

from helpers.draw.boxes import box
from helpers.draw.look import BAD, GOOD, pair_colour
from helpers.draw.panels import heat, panel_row, plot, scale
from helpers.draw.words import each, listed


def matrix(entries, title):
    """A square matrix with signed entries; each pair's block has its pair's frame."""
    size = len(entries)
    inside = np.kron(np.eye(size // 2), np.ones((2, 2))).astype(bool)
    elsewhere = "zeros" if not np.any(entries[~inside]) else "other entries, too,"
    alt = (
        f"{title}: {size} by {size} entries, coloured by sign and size; {size // 2} "
        f"framed blocks of 2 by 2 on the diagonal, {elsewhere} elsewhere."
    )
    _, ax = plot(5.2, 4.4, alt=alt, title=title)
    image = heat(ax, entries, written=".3f", size=8)
    for text, entry in zip(list(ax.texts), np.ravel(entries), strict=True):
        text.set_visible(entry != 0)  # nothing is written where there is nothing
    for start in range(0, size, 2):
        look = {"fill": False, "ec": pair_colour(start // 2), "lw": 2.5}
        box(ax, start - 0.5, start - 0.5, 2, 2, **look)
    return scale(image, ax, shrink=0.8)


def misses(worst):
    """The largest error of a matrix from every starting position, as bars.

    ``worst`` is an array over positions. The title says from where the matrix arrives.
    """
    worst = np.asarray(worst)
    arrives = np.flatnonzero(worst <= 1e-12)
    told = f"the matrix arrives from {listed(f'position {n}' for n in arrives)} alone"
    if len(arrives) in (0, len(worst)):
        told = f"the matrix arrives from {'everywhere' if len(arrives) else 'nowhere'}"
    alt = (
        f"A bar for each of {len(worst)} starting positions, the largest error from "
        f"there, {worst.max():.2f} at most: {told}."
    )
    labels = ("starting position", "largest error")
    ends = (0, 1.1 * max(*worst, 1))
    picture, ax = plot(7.5, 2.6, *labels, alt=alt, title=told, ylim=ends)
    ax.bar(range(len(worst)), worst, color=BAD)
    ax.plot(arrives, 0 * arrives, "o", color=GOOD, ms=9, clip_on=False, zorder=3)
    ax.margins(x=0.02)
    return picture


def recovered(pairs, name):
    """Matrices from least squares beside the true one, called ``name``.

    ``pairs`` maps a title to (true, found); colours end at −1 and 1.
    """
    titles = []
    shown = []
    for title, (true, found) in pairs.items():
        titles += [f"{title}: {name}", "found by least squares", _wrong(true, found)]
        shown += [true, found, found - true]
    alt = (
        "For each width the true matrix, the one that least squares finds, and the "
        f"difference: {each(pairs, lambda both: _wrong(*both))}."
    )
    _, axes = panel_row(titles, 8.0, 2.2 * len(pairs) + 0.4, alt=alt, columns=3)
    for ax, entries in zip(axes, shown, strict=True):
        image = heat(ax, entries)
        ax.set(xticks=[], yticks=[])
    return scale(image, axes, shrink=0.6)


def _wrong(true, found):
    """In which pairs' rows two matrices differ visibly."""
    off = np.abs(true - found).reshape(len(true) // 2, -1).max(axis=1) > 0.05
    wrong = np.flatnonzero(off)
    if not len(wrong):
        return "no pair differs"
    last = "last " if wrong[0] and off[wrong[0] :].all() else ""
    return f"{last}{len(wrong)} of {len(off)} pairs differ"
