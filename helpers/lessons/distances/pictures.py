"""Pictures of notebook 04: distances as a mesh and as a curve, scores, and near misses."""

import numpy as np

from helpers.draw.boxes import box, write
from helpers.draw.look import BAD, GOOD, INK, MUTED
from helpers.draw.panels import heat, panel_row, plot, reference_line
from helpers.draw.style import SEQUENTIAL
from helpers.draw.words import listed


def mesh(distances, title):
    """A small distance matrix with its values written in the cells."""
    n = len(distances)
    spread = max(np.ptp(np.diagonal(distances, k)) for k in range(1 - n, n))
    told = "the values differ" if spread > 1e-4 else "one value repeats"
    nearer = 1 + np.flatnonzero(np.diff(distances[0]) < 0)
    head = f"{title}: {told} along each diagonal"
    for row in nearer:
        head += f"; row {row} nearer to row 0 than row {row - 1}"
    labels = "position q", "position p"
    picture, ax = plot(
        3.8,
        *labels,
        alt=f"A map of {n} by {n} cells, a frame round both of two falling distances.",
        title=head,
    )
    heat(ax, distances, (0, None), SEQUENTIAL, ".2f", size=12, aspect="auto")
    for row in nearer:
        box(ax, row - 1.47, -0.47, 1.94, 0.94, fill=False, edgecolor=BAD, linewidth=4)
    return picture


def score_maps(scores):
    """Scores of every two positions, a map for each name, and what the offset explains.

    The share of the variance that the mean of each diagonal explains is 1 for stripes.
    """
    told = listed(f"{_explained(s):.0%} ({name})" for name, s in scores.items())
    picture, axes = panel_row(
        scores,
        4.6,
        "position q",
        "position p",
        alt="Maps of the scores of every two positions.",
        title=f"Of the scores, the offset explains {told}",
    )
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
    fallen = [np.flatnonzero(np.diff(line) < 0) for line in curves.values()]
    first = listed(places[0] for places in fallen)
    told = [
        f"{name}: it falls {len(places)} times"
        for name, places in zip(curves, fallen, strict=True)
    ]
    picture, axes = panel_row(
        told,
        3.4,
        "offset $k$",
        "distance $D(k)$",
        alt=f"Distance against offset, falling steps marked. {listed(told)}.",
        title=f"The distance falls for the first time after {first} positions",
    )
    for ax, line, places in zip(axes, curves.values(), fallen, strict=True):
        ax.plot(line, "o-", color=GOOD, markersize=3, linewidth=1)
        ax.plot(places, line[places], "v", color=BAD, markersize=6)
        ax.axvspan(0, places[0], color=GOOD, alpha=0.1)
        ax.set(ylim=(0, None), xlim=(0, None))
    return picture


def growth(offsets, squared, law):
    """Squared distance and the law for it, on a logarithmic axis of offsets."""
    off = np.median(np.abs(squared / law - 1))
    low, high = np.interp([100, 1000], offsets, law)
    grown = round(offsets[law.argmax()], -2)  # from here on the law is flat
    added = f"+{high - low:.0f}"
    labels = "offset $k$ (logarithmic)", "D(k)²"
    picture, ax = plot(
        3.6,
        *labels,
        alt=(
            "Both rise on a logarithmic axis of offsets, D² with ripples, to "
            f"{law[-1]:.0f} at the offset {offsets[-1]}."
        ),
        title=(
            f"The law: {added} for every factor of ten, up to offset {grown:,}; D² is "
            f"off by {off:.0%} in the median"
        ),
        xscale="log",
    )
    ax.xaxis.set_major_formatter("{x:,.0f}")  # 1,000: larger digits than 10 to a power
    ax.plot(offsets, squared, color=MUTED)
    ax.plot(offsets, law, "--", color=GOOD, linewidth=2.5)
    ax.plot([100, 1000, 1000], [low, low, high], color=INK)
    write(ax, 1100, (low + high) / 2, added, ha="left", fontsize=10)
    said = "law: twice the hands\nthat have started"
    write(ax, 80, low + 20, said, color=GOOD, ha="right", va="bottom", fontsize=10)
    last = offsets[-1], law[-1] - 60
    write(ax, *last, "measured", color=MUTED, ha="right", va="top", fontsize=10)
    ax.set(ylim=(0, None), xlim=(offsets[0], offsets[-1]))
    return picture


def misses(distance, marked, title):
    """Distance from row 0 at the offsets 1, 2, ...: how many rows are near.

    A dashed line is at the distance of the neighbour; ``marked`` lists offsets.
    """
    distance = np.asarray(distance)
    near = distance[0]
    closer = np.sum(distance < near - 1e-9)
    told = listed(f"{distance[k - 1]:.3f} at {k}" for k in marked)
    picture, ax = plot(
        3.2,
        "offset",
        "distance",
        alt=f"The neighbour is {near:.3f} away. Marked are {told}.",
        title=f"{title}: {closer} of {len(distance)} rows are nearer than the neighbour",
    )
    ax.plot(np.arange(1, len(distance) + 1), distance, ".", color=GOOD, markersize=3)
    for k in marked:
        ax.plot(k, distance[k - 1], "o", color=BAD, markersize=5)
        write(ax, k, distance[k - 1] - 0.3, k, fontweight="bold")
    reference_line(ax, y=near, label="D(1)")
    ax.margins(x=0.01)
    ax.set_ylim(bottom=0)
    return picture
