"""Pictures of notebook 04: distances as a mesh and as a curve, scores, and near misses."""

import numpy as np

from helpers.draw.boxes import write
from helpers.draw.look import BAD, GOOD
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line
from helpers.draw.style import SEQUENTIAL, WIDE, name_lines
from helpers.draw.words import each, listed


def mesh(distances, title):
    """A small distance matrix with its values written in the cells."""
    n = len(distances)
    differ = max(np.ptp(np.diagonal(distances, k)) for k in range(1 - n, n)) > 1e-4
    told = "the values differ" if differ else "one value repeats"
    alt = (
        f"{title}, {n} by {n} cells: {told} along each diagonal. From position 0, the "
        f"furthest is {distances[0].argmax()}."
    )
    nearer = np.flatnonzero(np.diff(distances[0]) < 0)
    head = f"{title}: {told} along each diagonal"
    if len(nearer):
        head += f", and row {nearer[0] + 1} is nearer to row 0 than row {nearer[0]}"
    heads = "every two rows", "row 0 and each other row"
    more = {"title": head, "like": {"width_ratios": (1.3, 1)}}
    picture, (ax, bars) = panel_row(heads, WIDE, 4.2, alt=alt, **more)
    heat(ax, distances, (0, None), SEQUENTIAL, ".2f", size=11, aspect="auto")
    ax.set(xlabel="position q", ylabel="position p")
    colours = [BAD if place - 1 in nearer else GOOD for place in range(n)]
    bars.barh(range(n), distances[0], 0.6, color=colours)
    for place, distance in enumerate(distances[0]):
        write(bars, distance + 0.05, place, f"{distance:.2f}", ha="left", fontsize=11)
    bars.set(yticks=range(n), ylim=(n - 0.5, -0.5), xlabel="distance")
    bars.margins(x=0.15)
    return picture


def score_maps(scores):
    """Scores of every two positions, a map for each name, and what the offset explains.

    The share of the variance that the mean of each diagonal explains is 1 for stripes.
    """
    told = listed(f"{_explained(s):.0%} ({name})" for name, s in scores.items())
    head = f"The offset explains of the scores {told}"
    alt = f"Maps of the scores of every two positions. {head}."
    labels, more = ("position q", "position p"), {"alt": alt, "title": head}
    picture, axes = panel_row(scores, WIDE, 4.6, *labels, **more)
    for ax, table in zip(axes, scores.values(), strict=True):
        largest = np.abs(table).max()
        heat(ax, table, (-largest, largest))
    return picture


def _explained(scores):
    """The share of the variance that is explained by the mean of each diagonal."""
    n = len(scores)
    diagonals = (np.diagonal(scores, offset) for offset in range(1 - n, n))
    return 1 - sum(d.size * d.var() for d in diagonals) / (scores.size * scores.var())


def falls(curves):
    """Distance against offset, a panel for each width; falling steps marked.

    ``curves`` maps a title to distances at the offsets 0, 1, 2, ...
    """
    fallen = {n: np.flatnonzero(np.diff(line) < 0) for n, line in curves.items()}
    alt = f"Distance against offset, falling steps marked. {each(fallen, _falling)}."
    first = listed(places[0] for places in fallen.values() if len(places))
    head = f"The distance falls for the first time after {first} positions"
    told = [f"{name}\n{_falling(places)}" for name, places in fallen.items()]
    labels, more = ("offset $k$", "distance $D(k)$"), {"alt": alt, "title": head}
    picture, axes = panel_row(told, WIDE, 3.4, *labels, **more)
    for ax, line, places in zip(axes, curves.values(), fallen.values(), strict=True):
        ax.plot(line, "o-", color=GOOD, markersize=3, linewidth=1)
        ax.plot(places, np.asarray(line)[places], "v", color=BAD, markersize=6)
        ax.axvspan(0, places[0] if len(places) else len(line), color=GOOD, alpha=0.1)
        ax.set(ylim=(0, None), xlim=(0, None))
    return picture


def _falling(places):
    if not len(places):
        return "it never falls"
    return f"it falls {len(places)} times, first after {places[0]}"


def growth(offsets, squared, law):
    """Squared distance and the law for it, on a logarithmic axis of offsets."""
    follows = "follows" if np.median(np.abs(squared / law - 1)) < 0.05 else "leaves"
    step = np.interp([100, 1000], offsets, law)
    title = (
        f"D² {follows} the law: {np.ptp(step):.0f} more for every factor of ten, "
        "until every hand has started"
    )
    alt = (
        f"{title}, with ripples. It ends at {law[-1]:.0f}, at the offset {offsets[-1]}."
    )
    labels = "offset $k$ (logarithmic)", "D(k)²"
    _, ax = plot(WIDE, 3.6, *labels, alt=alt, title=title, xscale="log")
    ax.xaxis.set_major_formatter("{x:,.0f}")  # 1,000: larger digits than 10 to a power
    both = {"measured": squared, "law: twice the hands\nthat have started": law}
    lines(ax, offsets, both, marker="")
    ax.set(ylim=(0, None), xlim=(offsets[0], offsets[-1]))
    return name_lines(ax, 0.12)


def misses(distance, marked, title):
    """Distance from row 0 at the offsets 1, 2, ...: how many rows are near.

    A dashed line is at the distance of the neighbour; ``marked`` lists offsets.
    """
    near = distance[0]
    distance = np.asarray(distance)
    closer = np.sum(distance < near - 1e-9)
    title += f": {closer} of {len(distance)} rows are nearer than the neighbour"
    told = listed(f"{distance[k - 1]:.3f} at {k}" for k in marked)
    alt = f"{title}, which is {near:.3f} away. Marked are {told}."
    ends = {"ylim": (0, distance.max() * 1.05)}
    picture, ax = plot(WIDE, 3.2, "offset", "distance", alt=alt, title=title, **ends)
    ax.plot(np.arange(1, len(distance) + 1), distance, ".", color=GOOD, markersize=3)
    for k in marked:
        here = distance[k - 1]
        ax.plot(k, here, "o", color=BAD, markersize=5)
        write(ax, k, here - 0.09 * distance.max(), str(k), fontweight="bold")
    reference_line(ax, y=near, label="D(1)")
    ax.margins(x=0.01)
    return picture
