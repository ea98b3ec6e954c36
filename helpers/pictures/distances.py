"""Pictures of notebook 04: distances as a mesh, as a curve, and near misses."""

import numpy as np
from matplotlib.ticker import StrMethodFormatter

from helpers.pictures.style import (
    BAD,
    GOOD,
    INK,
    MUTED,
    SEQUENTIAL,
    Picture,
    pair_colour,
    tidy,
    write_values,
)

_PLAIN = StrMethodFormatter("{x:,.0f}")  # 1,000: larger digits than 10 to a power


def mesh(distances, title):
    """A small distance matrix with its values written in the cells."""
    n = len(distances)
    along = [np.ptp(np.diagonal(distances, k)) for k in range(-n + 1, n)]
    told = "one value repeats" if max(along) < 5e-5 else "the values differ"
    zero = "Zero" if not np.diagonal(distances).any() else "Not zero"
    picture = Picture(
        4.9,
        3.9,
        alt=f"{title}: a mesh of {n} by {n} cells with the distances written in. {zero} "
        f"on the main diagonal; along the other diagonals {told}. From 0, the furthest "
        f"position is {int(distances[0].argmax())}.",
    )
    ax = tidy(
        picture.subplots(),
        title=title,
        xlabel="position",
        ylabel="position",
        grid=False,
    )
    image = ax.imshow(distances, cmap=SEQUENTIAL, vmin=0)
    write_values(ax, image, ".4f", fontsize=9)
    ax.set_xticks(range(n))
    ax.set_yticks(range(n))
    picture.colorbar(image, ax=ax, shrink=0.85, label="distance")
    return picture


def two_routes(matrix, closed_form):
    """Every entry of a distance matrix over its offset, and the closed form.

    ``matrix`` of shape (n, n), ``closed_form`` of shape (n,) for offsets 0 ... n - 1.
    """
    n = len(matrix)
    p, q = np.indices(matrix.shape)
    apart = np.abs(matrix - np.asarray(closed_form)[np.abs(q - p)]).max()
    told = "meets every dot" if apart < 1e-6 else f"misses dots by up to {apart:.1g}"
    picture = Picture(
        7.5,
        2.9,
        alt=f"All {n * n} entries of the matrix as pale dots over their offset, and the "
        f"closed form as a line: it {told}.",
    )
    ax = tidy(picture.subplots(), xlabel="offset $k = q - p$", ylabel="distance")
    ax.plot(
        (q - p).ravel(),
        matrix.ravel(),
        ".",
        color=BAD,
        markersize=7,
        alpha=0.4,
        label="entries of the matrix",
    )
    offsets = np.arange(-n + 1, n)
    ax.plot(
        offsets, closed_form[np.abs(offsets)], color=GOOD, lw=1, label="closed form"
    )
    ax.legend(fontsize=9, loc="lower right")
    return picture


def one_step(position, steps):
    """D(1) at every position, minus its true value, for several tables.

    ``steps`` maps the name of a table to an array over ``position``.
    """
    told = "; ".join(f"{name}, {_scatter(error)}" for name, error in steps.items())
    picture = Picture(
        8.0,
        2.7,
        alt="The error of the distance between neighbours against the position, one "
        f"panel for each table: {told}.",
    )
    axes = picture.subplots(1, len(steps))
    for ax, (name, error), colour in zip(axes, steps.items(), (BAD, GOOD), strict=True):
        tidy(ax, title=name, xlabel="position", ylabel="error of D(1)")
        ax.plot(position, error, ".", color=colour, markersize=1.5)
        ax.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
    return picture


def _scatter(error):
    """The size of an error and its course, in words that rounding cannot change."""
    half = len(error) // 2
    near, far = (np.abs(part).mean() for part in (error[:half], error[half:]))
    course = (
        "growing with the position" if far > 1.5 * near else "much the same all along"
    )
    size = np.ceil(np.log10(np.abs(error).max()))
    return f"below {10.0**size:g} and {course}"


def falls(curves):
    """Distance against offset, a panel for each width; falling steps marked.

    ``curves`` maps a title to distances at the offsets 0, 1, 2, ...
    """
    falling = {title: np.flatnonzero(np.diff(c) < 0) for title, c in curves.items()}
    told = "; ".join(f"{title}, {_falling(falling[title])}" for title in curves)
    picture = Picture(
        8.6,
        2.9,
        alt="Distance against offset, a panel for each width; triangles mark offsets "
        f"after which the distance falls. {told}.",
    )
    axes = picture.subplots(1, len(curves))
    for ax, (title, curve) in zip(axes, curves.items(), strict=True):
        tidy(ax, title=title, xlabel="offset $k$")
        offsets = np.arange(len(curve))
        ax.plot(offsets, curve, "o-", color=GOOD, markersize=3, linewidth=1)
        marked = falling[title]
        ax.plot(marked, curve[marked], "v", color=BAD, markersize=6)
        if len(marked):
            first = marked[0]
            ax.annotate(
                f"first fall\nafter {first}",
                (first, curve[first]),
                xytext=(len(curve) * 0.45, curve.max() * 0.22),
                fontsize=9,
                arrowprops={"arrowstyle": "-", "color": MUTED},
            )
        ax.set_ylim(0)
    axes[0].set_ylabel("distance $D(k)$", fontsize=10)
    return picture


def _falling(places):
    if not len(places):
        return "it never falls"
    times = "once" if len(places) == 1 else f"{len(places)} times"
    return f"it falls {times}, first after {places[0]}"


def growth(offsets, squared, law, line):
    """Squared distance, the law and its straight part, on a logarithmic axis."""
    beside = np.median(np.abs(squared / law - 1))
    follows = "runs along" if beside < 0.05 else "stays away from"
    picture = Picture(
        7.2,
        3.2,
        alt="Squared distance against the offset, the offset on a logarithmic axis. It "
        f"{follows} the law, with ripples, from {squared[0]:.0f} to about "
        f"{np.mean(squared[-len(squared) // 20 :]):.0f} at the right end. The straight "
        f"line ends at {line[-1]:.0f}, the law at {law[-1]:.0f}.",
    )
    ax = tidy(picture.subplots(), xlabel="offset $k$ (logarithmic)", ylabel="D(k)²")
    ax.semilogx(offsets, squared, color=GOOD, linewidth=1, label="measured")
    ax.semilogx(offsets, law, color=BAD, lw=2, ls=(0, (5, 2)), label="law")
    ax.semilogx(offsets, line, color=INK, lw=1.2, ls=(0, (1, 2)), label="straight line")
    ax.xaxis.set_major_formatter(_PLAIN)
    ax.set_ylim(0)
    ax.legend(fontsize=9, loc="lower right")
    return picture


def misses(distance, marked, title, near=None):
    """Distance from row 0 at every offset; offsets worth a look are marked.

    ``distance`` over the offsets 1, 2, ...; ``marked`` lists offsets; ``near`` draws
    the distance of neighbours, for comparison.
    """
    told = ", ".join(f"{distance[k - 1]:.3f} at {k}" for k in marked)
    lowest = int(np.argmin(distance)) + 1
    below = ""
    if near is not None:
        closer = int(np.sum(np.asarray(distance) < near - 1e-9))
        below = f" {closer or 'None'} of them below the dashed line, D(1) = {near:.3f}."
    picture = Picture(
        7.8,
        2.8,
        alt=f"{title}: the distance from row 0 against the offset, for {len(distance)} "
        f"offsets.{below} Marked: {told}. The smallest is at {lowest}.",
    )
    ax = tidy(picture.subplots(), title=title, xlabel="offset", ylabel="distance")
    offsets = np.arange(1, len(distance) + 1)
    if len(offsets) <= 200:
        ax.vlines(offsets, 0, distance, color=GOOD, linewidth=1.2)
    else:
        ax.plot(offsets, distance, ".", color=GOOD, markersize=3)
    for k in marked:
        ax.plot(k, distance[k - 1], "o", color=BAD, markersize=5, clip_on=False)
        ax.annotate(
            str(k),
            (k, distance[k - 1]),
            xytext=(0, 7),
            textcoords="offset points",
            ha="center",
            fontsize=9,
            fontweight="bold",
            color=INK,
            bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"},
        )
    if near is not None:
        ax.axhline(near, color=MUTED, linestyle=(0, (4, 3)), linewidth=1)
        ax.text(
            len(distance),
            near,
            " D(1)",
            fontsize=9,
            color=INK,
            va="center",
        )
    ax.set_ylim(0, distance.max() * 1.05)
    ax.margins(x=0.01)
    return picture


def bases(curves, title):
    """Several distance curves on one logarithmic axis of offsets."""
    told = "; ".join(f"{name}, {_course(*both)}" for name, both in curves.items())
    picture = Picture(
        7.5,
        3.0,
        alt=f"{title}: distance on a logarithmic axis of offsets, one curve for each "
        f"base. {told}.",
    )
    ax = tidy(
        picture.subplots(),
        title=title,
        xlabel="offset $k$ (logarithmic)",
        ylabel="D(k) / √d_model",
    )
    for n, (name, (offsets, curve)) in enumerate(curves.items()):
        look = {"color": pair_colour(n), "marker": "os^D"[n % 4], "markersize": 5}
        sparse = (4 * n, 24)  # a marker now and then, each curve at its own places
        ax.semilogx(offsets, curve, lw=1.3, label=str(name), markevery=sparse, **look)
    ax.xaxis.set_major_formatter(_PLAIN)
    ax.set_ylim(0)
    ax.legend(fontsize=9, loc="lower right")
    return picture


def _course(offsets, curve):
    """Where a curve starts, and from where on it stays near its level at the end."""
    level = np.mean(curve[-len(curve) // 10 :])
    low = np.flatnonzero(curve < 0.85 * level)
    settled = offsets[min(low[-1] + 1, len(offsets) - 1)] if len(low) else offsets[0]
    return f"from {curve[0]:.2f} to about {level:.1f}, near that from {settled:,} on"
