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
    ink_on,
    pair_colour,
    tidy,
)

_PLAIN = StrMethodFormatter("{x:,.0f}")  # 1,000: larger digits than 10 to a power


def mesh(distances, title):
    """A small distance matrix with its values written in the cells."""
    n = len(distances)
    picture = Picture(
        4.9,
        3.9,
        alt=f"{title}: a mesh of {n} by {n} cells with the distances written in. Zero "
        "on the main diagonal; along every other diagonal one value repeats.",
    )
    ax = tidy(
        picture.subplots(),
        title=title,
        xlabel="position",
        ylabel="position",
        grid=False,
    )
    image = ax.imshow(distances, cmap=SEQUENTIAL, vmin=0)
    for (row, column), value in np.ndenumerate(distances):
        ax.text(
            column,
            row,
            f"{value:.4f}",
            ha="center",
            va="center",
            fontsize=9,
            color=ink_on(image.to_rgba(value)),
        )
    ax.set_xticks(range(n))
    ax.set_yticks(range(n))
    picture.colorbar(image, ax=ax, shrink=0.85, label="distance")
    return picture


def two_routes(matrix, closed_form):
    """Every entry of a distance matrix over its offset, and the closed form.

    ``matrix`` of shape (n, n), ``closed_form`` of shape (n,) for offsets 0 ... n - 1.
    """
    n = len(matrix)
    picture = Picture(
        7.5,
        2.9,
        alt=f"All {n * n} entries of the matrix as pale dots over their offset, and the "
        "closed form as a line through them: over each offset there is one dot only, "
        "and the line meets it.",
    )
    ax = tidy(picture.subplots(), xlabel="offset $k = q - p$", ylabel="distance")
    p, q = np.indices(matrix.shape)
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
    picture = Picture(
        8.0,
        2.7,
        alt="The error of the distance between neighbours against the position, one "
        "panel for each table. In the float32 table it grows with the position, to "
        "several ten-thousandths; in the table rounded once it stays below 1e-7.",
    )
    axes = picture.subplots(1, len(steps))
    for ax, (name, error), colour in zip(axes, steps.items(), (BAD, GOOD), strict=True):
        tidy(ax, title=name, xlabel="position", ylabel="error of D(1)")
        ax.plot(position, error, ".", color=colour, markersize=1.5)
        ax.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
    return picture


def falls(curves):
    """Distance against offset, a panel for each width; falling steps marked.

    ``curves`` maps a title to distances at the offsets 0, 1, 2, ...
    """
    picture = Picture(
        8.6,
        2.9,
        alt="Distance against offset, a panel for each width. Every curve rises, then "
        "falls again here and there; triangles mark offsets after which the distance "
        "falls. The first of them has its offset written beside it.",
    )
    axes = picture.subplots(1, len(curves))
    for ax, (title, curve) in zip(axes, curves.items(), strict=True):
        tidy(ax, title=title, xlabel="offset $k$")
        offsets = np.arange(len(curve))
        ax.plot(offsets, curve, "o-", color=GOOD, markersize=3, linewidth=1)
        falling = offsets[:-1][np.diff(curve) < 0]
        ax.plot(falling, curve[falling], "v", color=BAD, markersize=6)
        first = falling[0]
        ax.annotate(
            f"first fall\nafter {first}",
            (first, curve[first]),
            xytext=(first + len(curve) * 0.12, curve.max() * 0.28),
            fontsize=9,
            arrowprops={"arrowstyle": "-", "color": MUTED},
        )
        ax.set_ylim(0)
    axes[0].set_ylabel("distance $D(k)$", fontsize=10)
    return picture


def growth(offsets, squared, law):
    """Squared distance on a logarithmic axis of offsets, and the law beside it."""
    picture = Picture(
        7.2,
        3.0,
        alt="Squared distance against the offset, the offset on a logarithmic axis: "
        "the curve follows a straight dashed line, the law, with ripples around it.",
    )
    ax = tidy(picture.subplots(), xlabel="offset $k$ (logarithmic)", ylabel="D(k)²")
    ax.semilogx(offsets, squared, color=GOOD, linewidth=1, label="measured")
    ax.semilogx(offsets, law, color=BAD, lw=1.8, ls=(0, (5, 3)), label="law")
    ax.xaxis.set_major_formatter(_PLAIN)
    ax.set_ylim(0)
    ax.legend(fontsize=9, loc="lower right")
    return picture


def misses(distance, marked, title, near=None):
    """Distance from row 0 at every offset; offsets worth a look are marked.

    ``distance`` over the offsets 1, 2, ...; ``marked`` lists offsets; ``near`` draws
    the distance of neighbours, for comparison.
    """
    names = ", ".join(map(str, marked))
    picture = Picture(
        7.8,
        2.8,
        alt=f"{title}: the distance from row 0 against the offset, as bars or dots. The "
        f"deepest dips stand at the offsets {names}.",
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
    picture = Picture(
        7.5,
        3.0,
        alt=f"{title}: one curve for {'; '.join(map(str, curves))}; each rises "
        "fast at first and slowly later, on a logarithmic axis of offsets.",
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
