"""Pictures of notebook 04: distances as a mesh, as a curve, and near misses."""

import numpy as np
from matplotlib.ticker import StrMethodFormatter

from helpers.draw.boxes import write
from helpers.draw.look import BAD, GOOD, INK, MUTED
from helpers.draw.panels import heat, panel_row, plot, reference_line
from helpers.draw.style import SEQUENTIAL, curve, legend_beside
from helpers.draw.words import each

_PLAIN = StrMethodFormatter("{x:,.0f}")  # 1,000: larger digits than 10 to a power


def mesh(distances, title):
    """A small distance matrix with its values written in the cells."""
    n = len(distances)
    along = [np.ptp(np.diagonal(distances, k)) for k in range(-n + 1, n)]
    told = "one value repeats" if max(along) < 5e-5 else "the values differ"
    zero = "Zero" if not np.diagonal(distances).any() else "Not zero"
    alt = (
        f"{title}: a mesh of {n} by {n} cells with the distances written in. {zero} on "
        f"the main diagonal; along the other diagonals {told}. From 0, the furthest "
        f"position is {int(distances[0].argmax())}."
    )
    picture, ax = plot(4.2, 4.2, "position", "position", alt=alt, title=title)
    heat(ax, distances, (0, None), SEQUENTIAL, ".4f")
    return picture


def two_routes(matrix, closed_form):
    """Every entry of a distance matrix over its offset, and the closed form.

    ``matrix`` of shape (n, n), ``closed_form`` of shape (n,) for offsets 0 ... n - 1.
    """
    n = len(matrix)
    p, q = np.indices(matrix.shape)
    closed_form = np.asarray(closed_form)
    apart = np.abs(matrix - closed_form[np.abs(q - p)]).max()
    told = "meets every dot" if apart < 1e-6 else f"misses dots by up to {apart:.1g}"
    alt = (
        f"All {n * n} entries of the matrix as pale dots over their offset, and the "
        f"line from the trace: it {told}."
    )
    _, ax = plot(7.5, 2.9, "offset $k = q - p$", "distance", alt=alt)
    look = {"color": BAD, "ms": 7, "alpha": 0.4, "label": "entries of the matrix"}
    ax.plot((q - p).ravel(), matrix.ravel(), ".", **look)
    both = np.r_[closed_form[:0:-1], closed_form]
    ax.plot(range(1 - n, n), both, color=GOOD, lw=1, label="from the trace")
    return legend_beside(ax)


def falls(curves):
    """Distance against offset, a panel for each width; falling steps marked.

    ``curves`` maps a title to distances at the offsets 0, 1, 2, ...
    """
    fallen = {n: np.flatnonzero(np.diff(line) < 0) for n, line in curves.items()}
    alt = (
        "Distance against offset, a panel for each width; triangles mark offsets after "
        f"which the distance falls. {each(fallen, _falling)}."
    )
    picture, axes = panel_row(
        curves, 9.0, 2.9, "offset $k$", "distance $D(k)$", alt=alt
    )
    for ax, line, places in zip(axes, curves.values(), fallen.values(), strict=True):
        ax.plot(line, "o-", color=GOOD, markersize=3, linewidth=1)
        ax.plot(places, np.asarray(line)[places], "v", color=BAD, markersize=6)
        for first in places[:1]:
            far = len(line) * 0.45, max(line) * 0.22
            look = {"arrowprops": {"arrowstyle": "-", "color": MUTED}, "color": INK}
            said, place = f"first fall\nafter {first}", (first, line[first])
            ax.annotate(said, place, far, fontsize=9, **look)
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
    _, ax = _by_offset(7.2, 3.2, "D(k)²", alt)
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


def bases(curves, title):
    """Several distance curves on one logarithmic axis of offsets.

    What was measured is pale; the line on it is the mean of what lies near in offset.
    """
    alt = (
        f"{title}: distance on a logarithmic axis of offsets, pale, and means of "
        "neighbouring offsets, a line for each base. "
        f"{each(curves, lambda both: _course(*both))}."
    )
    _, ax = _by_offset(8.4, 3.2, "D(k) / √d_model", alt, title=title)
    for n, (name, (offsets, measured)) in enumerate(curves.items()):
        look = curve(n) | {"marker": None}
        ratios = offsets / offsets[:, None]
        near = (ratios > 2 / 3) & (ratios < 3 / 2)
        ax.plot(offsets, measured, color=look["color"], lw=0.8, alpha=0.3)
        ax.plot(offsets, near @ measured / near.sum(axis=1), lw=2, label=name, **look)
    ax.set_ylim(0)
    return legend_beside(ax, handlelength=3.5)


def _by_offset(width, height, ylabel, alt, **more):
    """A plot over offsets on a logarithmic axis, from a distance of 0 on."""
    xlabel = "offset $k$ (logarithmic)"
    picture, ax = plot(width, height, xlabel, ylabel, alt=alt, xscale="log", **more)
    ax.xaxis.set_major_formatter(_PLAIN)
    return picture, ax


def _course(offsets, distances):
    """Where a curve starts, and the first offset drawn that is at its level at the end."""
    level = np.mean(distances[-len(distances) // 10 :])
    reached = offsets[np.argmax(np.asarray(distances) >= 0.95 * level)]
    return f"from {distances[0]:.2f} to about {level:.1f}, first drawn there at {reached:,}"
