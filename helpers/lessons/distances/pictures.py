"""Pictures of notebook 04: distances as a mesh and as a curve, scores, and near misses."""

import numpy as np
from matplotlib.ticker import StrMethodFormatter

from helpers.draw.boxes import write
from helpers.draw.look import BAD, GOOD
from helpers.draw.panels import heat, panel_row, plot, reference_line
from helpers.draw.style import SEQUENTIAL, legend_beside
from helpers.draw.words import each

_PLAIN = StrMethodFormatter("{x:,.0f}")  # 1,000: larger digits than 10 to a power


def mesh(distances, title):
    """A small distance matrix with its values written in the cells."""
    n = len(distances)
    along = [np.ptp(np.diagonal(distances, k)) for k in range(-n + 1, n)]
    told = "one value repeats" if max(along) < 1e-4 else "the values differ"
    zero = "Zero" if not np.diagonal(distances).any() else "Not zero"
    alt = (
        f"{title}: a mesh of {n} by {n} cells with the distances written in. {zero} on "
        f"the main diagonal; along the other diagonals {told}. From 0, the furthest "
        f"position is {int(distances[0].argmax())}."
    )
    title = f"{title}:\n{told} along each diagonal"
    picture, ax = plot(4.2, 4.4, "position", "position", alt=alt, title=title)
    heat(ax, distances, (0, None), SEQUENTIAL, ".4f")
    return picture


def score_maps(scores):
    """Scores of every two positions, a map for each name, and what the offset explains.

    The share of the variance that the mean of each diagonal explains is 1 for stripes.
    """
    shares = {name: _explained(table) for name, table in scores.items()}
    n = len(next(iter(scores.values())))
    alt = (
        f"Scores of {n} by {n} positions, a map each, with the share of their variance "
        f"that the offset explains. {each(shares, lambda share: f'{share:.0%}')}."
    )
    told = [
        f"{name}\nthe offset explains {share:.0%}" for name, share in shares.items()
    ]
    picture, axes = panel_row(told, 8.6, 4.3, "position q", "position p", alt=alt)
    for ax, table in zip(axes, scores.values(), strict=True):
        largest = np.abs(table).max()
        heat(ax, table, (-largest, largest))
    return picture


def _explained(scores):
    """The share of the variance that is explained by the mean of each diagonal."""
    n = len(scores)
    diagonals = (np.diagonal(scores, offset) for offset in range(1 - n, n))
    missed = sum(np.sum((values - values.mean()) ** 2) for values in diagonals)
    return 1 - missed / np.sum((scores - scores.mean()) ** 2)


def falls(curves):
    """Distance against offset, a panel for each width; falling steps marked.

    ``curves`` maps a title to distances at the offsets 0, 1, 2, ...
    """
    fallen = {n: np.flatnonzero(np.diff(line) < 0) for n, line in curves.items()}
    alt = (
        "Distance against offset, a panel for each width; triangles mark offsets after "
        f"which the distance falls. {each(fallen, _falling)}."
    )
    told = [f"{name}\n{_falling(places)}" for name, places in fallen.items()]
    labels = "offset $k$", "distance $D(k)$"
    picture, axes = panel_row(told, 9.0, 3.1, *labels, alt=alt)
    for ax, line, places in zip(axes, curves.values(), fallen.values(), strict=True):
        ax.plot(line, "o-", color=GOOD, markersize=3, linewidth=1)
        ax.plot(places, np.asarray(line)[places], "v", color=BAD, markersize=6)
        ax.set_ylim(0)
    return picture


def _falling(places):
    if not len(places):
        return "it never falls"
    return f"it falls {len(places)} times, first after {places[0]}"


def growth(offsets, squared, law):
    """Squared distance and the law for it, on a logarithmic axis of offsets."""
    follows = "runs along" if np.median(np.abs(squared / law - 1)) < 0.05 else "leaves"
    end = np.mean(squared[-len(squared) // 20 :])
    alt = (
        "Squared distance against the offset, the offset on a logarithmic axis. It "
        f"{follows} the law, with ripples, from {squared[0]:.0f} to about {end:.0f} at "
        f"the right end. The law ends at {law[-1]:.0f}."
    )
    _, ax = _by_offset(7.2, 3.2, "D(k)²", alt, title=f"D² {follows} the law")
    ax.plot(offsets, squared, color=GOOD, linewidth=1, label="measured")
    look = {"color": BAD, "lw": 2, "ls": (0, (5, 2))}
    ax.plot(offsets, law, label="law: twice the hands\nthat have started", **look)
    ax.set_ylim(0)
    return legend_beside(ax)


def misses(distance, marked, title, near=None):
    """Distance from row 0 at every offset; offsets worth a look are marked.

    ``distance`` over the offsets 1, 2, ...; ``marked`` lists offsets; ``near`` draws
    the distance of neighbours, for comparison.
    """
    distance = np.asarray(distance)
    told = ", ".join(f"{distance[k - 1]:.3f} at {k}" for k in marked)
    below = ""
    if near is not None:
        closer = int(np.sum(distance < near - 1e-9)) or "None"
        title += f": {closer} of {len(distance)} rows are nearer than the neighbour"
        below = f" {closer} of them below the dashed line, D(1) = {near:.3f}."
    alt = (
        f"{title}: the distance from row 0 against the offset, for {len(distance)} "
        f"offsets.{below} Marked: {told}. The smallest is at {distance.argmin() + 1}."
    )
    ends = {"ylim": (0, distance.max() * 1.05)}
    picture, ax = plot(7.8, 2.8, "offset", "distance", alt=alt, title=title, **ends)
    offsets = np.arange(1, len(distance) + 1)
    if len(offsets) <= 200:
        ax.vlines(offsets, 0, distance, color=GOOD, linewidth=1.2)
    else:
        ax.plot(offsets, distance, ".", color=GOOD, markersize=3)
    for k in marked:
        here = distance[k - 1]
        ax.plot(k, here, "o", color=BAD, markersize=5, clip_on=False)
        write(ax, k, here - 0.09 * distance.max(), str(k), fontweight="bold")
    if near is not None:
        reference_line(ax, y=near, label="D(1)")
    ax.margins(x=0.01)
    return picture


def _by_offset(width, height, ylabel, alt, **more):
    """A plot over offsets on a logarithmic axis, from a distance of 0 on."""
    xlabel = "offset $k$ (logarithmic)"
    picture, ax = plot(width, height, xlabel, ylabel, alt=alt, xscale="log", **more)
    ax.xaxis.set_major_formatter(_PLAIN)
    return picture, ax
