"""Pictures of notebook 04: distances as a mesh, as a curve, and near misses."""

import numpy as np
from matplotlib.ticker import StrMethodFormatter

from helpers.draw.boxes import write
from helpers.draw.look import BAD, GOOD, INK, MUTED, PAPER
from helpers.draw.panels import heat, lines, plot, row, rule, scale
from helpers.draw.style import SEQUENTIAL
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
    labels = {"title": title, "xlabel": "position", "ylabel": "position"}
    picture, ax = plot(4.9, 3.9, alt=alt, **labels)
    image = heat(ax, distances, (0, None), SEQUENTIAL, ".4f")
    scale(image, ax, "distance", shrink=0.85)
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
        f"closed form as a line: it {told}."
    )
    labels = {"xlabel": "offset $k = q - p$", "ylabel": "distance"}
    picture, ax = plot(7.5, 2.9, alt=alt, **labels)
    look = {"color": BAD, "ms": 7, "alpha": 0.4, "label": "entries of the matrix"}
    ax.plot((q - p).ravel(), matrix.ravel(), ".", **look)
    offsets = np.arange(-n + 1, n)
    curve = closed_form[np.abs(offsets)]
    ax.plot(offsets, curve, color=GOOD, lw=1, label="closed form")
    ax.legend(fontsize=9, loc="lower right")
    return picture


def one_step(position, steps):
    """D(1) at every position, minus its true value, for several tables.

    ``steps`` maps the name of a table to an array over ``position``.
    """
    alt = (
        "The error of the distance between neighbours against the position, one panel "
        f"for each table: {each(steps, _scatter)}."
    )
    labels = {"xlabel": "position", "ylabel": "error of D(1)"}
    picture, axes = row(steps, 8.0, 2.7, alt=alt, **labels)
    for ax, error, colour in zip(axes, steps.values(), (BAD, GOOD), strict=True):
        ax.plot(position, error, ".", color=colour, markersize=1.5)
        ax.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
    return picture


def _scatter(error):
    """The size of an error and its course, in words that rounding cannot change."""
    near, far = (np.abs(part).mean() for part in np.array_split(error, 2))
    course = (
        "growing with the position" if far > 1.5 * near else "much the same all along"
    )
    size = np.ceil(np.log10(np.abs(error).max()))
    return f"below {10.0**size:g} and {course}"


def falls(curves):
    """Distance against offset, a panel for each width; falling steps marked.

    ``curves`` maps a title to distances at the offsets 0, 1, 2, ...
    """
    fallen = {n: np.flatnonzero(np.diff(curve) < 0) for n, curve in curves.items()}
    alt = (
        "Distance against offset, a panel for each width; triangles mark offsets after "
        f"which the distance falls. {each(fallen, _falling)}."
    )
    labels = {"xlabel": "offset $k$", "ylabel": "distance $D(k)$"}
    picture, axes = row(curves, 9.0, 2.9, alt=alt, **labels)
    for ax, (name, curve) in zip(axes, curves.items(), strict=True):
        places = fallen[name]
        ax.plot(curve, "o-", color=GOOD, markersize=3, linewidth=1)
        ax.plot(places, np.asarray(curve)[places], "v", color=BAD, markersize=6)
        if len(places):
            first = places[0]
            near = {"xy": (first, curve[first]), "fontsize": 9, "color": INK}
            place = (len(curve) * 0.45, np.max(curve) * 0.22)
            line = {"arrowstyle": "-", "color": MUTED}
            told = f"first fall\nafter {first}"
            ax.annotate(told, xytext=place, arrowprops=line, **near)
        ax.set_ylim(0)
    return picture


def _falling(places):
    if not len(places):
        return "it never falls"
    times = "once" if len(places) == 1 else f"{len(places)} times"
    return f"it falls {times}, first after {places[0]}"


def growth(offsets, squared, law, line):
    """Squared distance, the law and its straight part, on a logarithmic axis."""
    follows = "runs along" if np.median(np.abs(squared / law - 1)) < 0.05 else "leaves"
    end = np.mean(squared[-len(squared) // 20 :])
    alt = (
        "Squared distance against the offset, the offset on a logarithmic axis. It "
        f"{follows} the law, with ripples, from {squared[0]:.0f} to about {end:.0f} at "
        f"the right end. The straight line ends at {line[-1]:.0f}, the law at "
        f"{law[-1]:.0f}."
    )
    picture, ax = _by_offset(7.2, 3.2, alt, ylabel="D(k)²")
    ax.plot(offsets, squared, color=GOOD, linewidth=1, label="measured")
    ax.plot(offsets, law, color=BAD, lw=2, ls=(0, (5, 2)), label="law")
    ax.plot(offsets, line, color=INK, lw=1.2, ls=(0, (1, 2)), label="straight line")
    ax.set_ylim(0)
    ax.legend(fontsize=9, loc="lower right")
    return picture


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
    labels = {"title": title, "xlabel": "offset", "ylabel": "distance"}
    ends = {"ylim": (0, distance.max() * 1.05)}
    picture, ax = plot(7.8, 2.8, alt=alt, **labels, **ends)
    offsets = np.arange(1, len(distance) + 1)
    if len(offsets) <= 200:
        ax.vlines(offsets, 0, distance, color=GOOD, linewidth=1.2)
    else:
        ax.plot(offsets, distance, ".", color=GOOD, markersize=3)
    behind = {"boxstyle": "round,pad=0.15", "fc": PAPER, "ec": "none"}
    for k in marked:
        here = distance[k - 1]
        ax.plot(k, here, "o", color=BAD, markersize=5, clip_on=False)
        above = here + 0.09 * distance.max()
        write(ax, k, above, str(k), fontweight="bold", bbox=behind)
    if near is not None:
        rule(ax, y=near)
        write(ax, len(distance), near, " D(1)", ha="left")
    ax.margins(x=0.01)
    return picture


def bases(curves, title):
    """Several distance curves on one logarithmic axis of offsets."""
    told = each(curves, lambda both: _course(*both))
    alt = (
        f"{title}: distance on a logarithmic axis of offsets, one curve for each base. "
        f"{told}."
    )
    picture, ax = _by_offset(7.5, 3.0, alt, ylabel="D(k) / √d_model", title=title)
    for n, (offsets, curve) in enumerate(curves.values()):
        sparse = (4 * n, 24)  # a marker now and then, each curve at its own places
        look = {"linestyle": "-", "linewidth": 1.3, "ms": 5, "markevery": sparse}
        lines(ax, offsets, {list(curves)[n]: curve}, start=n, **look)
    ax.set_ylim(0)
    ax.legend(fontsize=9, loc="lower right")
    return picture


def _by_offset(width, height, alt, **labels):
    """A plot over offsets on a logarithmic axis, from a distance of 0 on."""
    name = "offset $k$ (logarithmic)"
    picture, ax = plot(width, height, alt=alt, xlabel=name, xscale="log", **labels)
    ax.xaxis.set_major_formatter(_PLAIN)
    return picture, ax


def _course(offsets, curve):
    """Where a curve starts, and at which offset it first reaches its level at the end."""
    level = np.mean(curve[-len(curve) // 10 :])
    reached = offsets[np.argmax(np.asarray(curve) >= 0.95 * level)]
    return f"from {curve[0]:.2f} to about {level:.1f}, first reached at {reached:,}"
