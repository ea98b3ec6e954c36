"""Pictures of notebook 03: hands that turn, block matrices, checks, a built head."""

import numpy as np
from matplotlib.patches import Rectangle

from helpers.pictures.style import (
    BAD,
    DIVERGING,
    GOOD,
    GRID,
    INK,
    MUTED,
    SEQUENTIAL,
    Picture,
    pair_colour,
    tidy,
)

_FLOOR = 1e-17  # where exact zeros stand on a logarithmic axis


def hands(before, after, pos, k):
    """Each pair of two rows as a clock hand: dashed at ``pos``, solid ``k`` further.

    ``before`` and ``after`` have shape (d_model,). The hand points at (sine, cosine),
    clockwise from twelve o'clock; the title tells the angle between the two.
    """
    pairs = len(before) // 2
    picture = Picture(
        min(9, 2.1 * pairs + 0.6),
        2.5,
        alt=f"{pairs} dials, one for each pair: the hand at position {pos} dashed, the "
        f"hand at position {pos + k} solid. The first hand turns furthest, the last "
        "hardly at all.",
    )
    for pair, ax in enumerate(picture.subplots(1, pairs, squeeze=False)[0]):
        columns = slice(2 * pair, 2 * pair + 2)
        turned = np.arctan2(*after[columns]) - np.arctan2(*before[columns])
        turned = (turned + np.pi) % (2 * np.pi) - np.pi  # the shorter way round
        title = f"pair {pair}: {turned:.3f} rad".replace("-", "−")
        tidy(ax, title=title, grid=False).set_axis_off()
        turn = np.linspace(0, 2 * np.pi, 100)
        ax.plot(np.sin(turn), np.cos(turn), color=GRID, linewidth=1.2)
        for row, dashes, colour, width in (
            (before, (0, (4, 3)), MUTED, 1.6),
            (after, "solid", pair_colour(pair), 3),
        ):
            x, y = row[columns]
            ax.plot([0, x], [0, y], linestyle=dashes, color=colour, linewidth=width)
        ax.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    picture.supxlabel(
        f"dashed: position {pos} · solid: position {pos + k}", fontsize=10, color=INK
    )
    return picture


def matrix(entries, title):
    """A square matrix with signed entries; each pair's block has its pair's frame."""
    size = len(entries)
    picture = Picture(
        5.2 if size <= 10 else 4.0,
        4.4 if size <= 10 else 3.6,
        alt=f"{title}: {size} by {size} entries, coloured by sign and size, with 2 by 2 "
        "blocks on the diagonal and zeros elsewhere.",
    )
    ax = tidy(picture.subplots(), title=title, grid=False)
    image = _signed(ax, entries)
    if size <= 10:
        _write(ax, entries, 8)
    for start in range(0, size, 2):
        colour = pair_colour(start // 2)
        ax.add_patch(
            Rectangle((start - 0.5, start - 0.5), 2, 2, fill=False, ec=colour, lw=2.5)
        )
    picture.colorbar(image, ax=ax, shrink=0.8)
    return picture


def misses(worst):
    """The largest error from every starting position, one line for each matrix.

    ``worst`` maps a name to an array over positions; zeros stand on the bottom edge.
    """
    names = list(worst)
    picture = Picture(
        7.5,
        2.9,
        alt="The largest error against the starting position, on a logarithmic axis. "
        f"{names[0]}: below 1e-12 everywhere. "
        + " ".join(f"{n}: tiny at position 0, large elsewhere." for n in names[1:]),
    )
    ax = tidy(
        picture.subplots(), xlabel="starting position", ylabel="largest difference"
    )
    for name, marker, colour in zip(names, "xsv", (GOOD, BAD, INK), strict=False):
        errors = np.maximum(worst[name], _FLOOR)
        ax.semilogy(errors, marker, color=colour, mfc="none", ms=6, label=name)
    ax.set_ylim(_FLOOR / 3, 1e2)
    ax.legend(fontsize=9, loc="center right")
    return picture


def drift(steps, errors, ulps, jumps):
    """Error of walking one step at a time, by precision, and where one jump stands.

    ``errors`` and ``jumps`` map a name to an array over ``steps``; ``ulps`` maps it to
    its ulp.
    """
    picture = Picture(
        7.0,
        3.2,
        alt="The error of walking step by step against the number of steps, both on "
        "logarithmic axes: two straight lines, one for float32 and one for float64, "
        "that rise in proportion to the number of steps, along 0.65 ulp a step. The "
        "errors of one jump, hollow: flat at the level of rounding in float32; in "
        "float64 they rise like those of walking.",
    )
    ax = tidy(
        picture.subplots(),
        xlabel="number of steps, $k$",
        ylabel="largest difference from the table",
    )
    for name, marker, colour in zip(errors, "os", (BAD, GOOD), strict=False):
        ax.loglog(steps, errors[name], marker, color=colour, markersize=5)
        ax.loglog(steps, 0.65 * ulps[name] * steps, color=colour, linewidth=1)
        ax.loglog(steps, jumps[name], marker, color=colour, mfc="none", markersize=9)
        ax.plot([], [], marker, color=colour, markersize=5, label=f"{name}, walking")
        ax.plot([], [], marker, color=colour, mfc="none", ms=9, label=f"{name}, a jump")
    ax.plot([], [], color=MUTED, linewidth=1, label="0.65 ulp a step")
    ax.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    return picture


def recovered(pairs):
    """Matrices from least squares beside the true ones.

    ``pairs`` maps a title to (true, found); found ones are drawn with a scale cut at
    −1 and 1.
    """
    picture = Picture(
        8.0,
        2.2 * len(pairs) + 0.4,
        alt="For each width the true matrix, the one that least squares finds, and their "
        "difference. At width 8 the difference is blank; at larger widths the found "
        "matrix is right in the first blocks and wrong in the later ones.",
    )
    axes = picture.subplots(len(pairs), 3, squeeze=False)
    for line, (name, (true, found)) in zip(axes, pairs.items(), strict=True):
        parts = {
            f"{name}: $M_k$": true,
            "least squares": found,
            "difference": found - true,
        }
        for ax, (title, entries) in zip(line, parts.items(), strict=True):
            image = _signed(tidy(ax, title=title, grid=False), entries)
            ax.set_xticks([])
            ax.set_yticks([])
    picture.colorbar(image, ax=axes, shrink=0.6)
    return picture


def singular_values(values, positions):
    """How much each direction of the rows varies; ``values`` maps a width to them."""
    picture = Picture(
        7.0,
        3.0,
        alt=f"Singular values of {positions} rows, largest first, on a logarithmic axis. "
        "At width 8 the smallest is near 1e-5; at 16 and 64 they fall to the level of "
        "rounding, 1e-15.",
    )
    ax = tidy(
        picture.subplots(),
        xlabel="direction, largest first",
        ylabel="singular value",
    )
    for (name, sizes), marker, pair in zip(
        values.items(), "os^", range(3), strict=False
    ):
        ax.semilogy(
            np.arange(1, len(sizes) + 1),
            np.maximum(sizes, 1e-18),
            marker + "-",
            color=pair_colour(pair),
            markersize=4,
            linewidth=1,
            label=f"width {name}",
        )
    ax.axhspan(1e-19, 1e-13, color=GRID, alpha=0.6)
    ax.text(41, 6e-15, "level of rounding", fontsize=9, color=INK, ha="center")
    ax.set_ylim(1e-19, 1e2)
    ax.legend(fontsize=9)
    return picture


def attention(weights, k):
    """Attention weights of a head as a map, and the same head at work on one row."""
    n = len(weights)
    picture = Picture(
        8.0,
        3.4,
        alt=f"Left, the attention map over {n} positions: a bright diagonal shifted {k} "
        "to the left of the main diagonal. Right, the weights of one query in the "
        f"middle: one bar, {k} positions back, stands above all others.",
    )
    left, right = picture.subplots(1, 2, width_ratios=(1, 1.3))
    tidy(left, xlabel="key position", ylabel="query position", grid=False)
    image = left.imshow(weights, cmap=SEQUENTIAL, vmin=0, vmax=1)
    picture.colorbar(image, ax=left, shrink=0.8)
    pos = n // 2
    tidy(
        right,
        title=f"the query at position {pos}",
        xlabel="key position",
        ylabel="weight",
    )
    colours = np.where(np.arange(n) == pos - k, BAD, GOOD)
    right.bar(np.arange(n), weights[pos], color=colours)
    right.axvline(pos, color=MUTED, linestyle=(0, (4, 3)), linewidth=1)
    right.text(pos + 0.4, 0.97, "itself", fontsize=9, color=INK, va="top")
    right.set_ylim(0, 1)
    return picture


def sharpness(betas, weights, read=()):
    """The weight that lands exactly ``k`` back, against beta; values read off."""
    picture = Picture(
        6.5,
        2.8,
        alt="The smallest weight on the position k back, against beta: it rises from "
        "almost zero to almost one and is above 0.99 from beta 5 on.",
    )
    ax = tidy(picture.subplots(), xlabel=r"$\beta$", ylabel="weight on $pos - k$")
    ax.plot(betas, weights, color=GOOD, linewidth=2)
    for beta in read:
        weight = np.interp(beta, betas, weights)
        ax.plot(beta, weight, "o", color=BAD)
        ax.annotate(
            f"{weight:.5f}" if weight > 0.995 else f"{weight:.3f}",
            (beta, weight),
            xytext=(4, -14),
            textcoords="offset points",
            fontsize=9,
        )
    ax.set_ylim(0, 1.05)
    return picture


def same_sine(angles, k, theta, marked):
    """Now against later, for the sine alone; two positions with the same sine marked.

    ``marked`` holds two angles with one sine and different cosines.
    """
    picture = Picture(
        7.5,
        3.1,
        alt="Left, a sine wave with two marked positions of the same height, one rising "
        "and one falling. Right, the sine later against the sine now: an ellipse, with "
        "two different futures above one value. No straight line fits it.",
    )
    wave, plane = picture.subplots(1, 2, width_ratios=(1.4, 1))
    tidy(wave, xlabel="$pos$", ylabel=r"$\sin(pos\,\theta)$")
    wave.plot(angles / theta, np.sin(angles), color=GOOD)
    tidy(
        plane,
        xlabel=r"$\sin(pos\,\theta)$",
        ylabel=rf"$\sin((pos + {k})\,\theta)$",
    )
    plane.plot(np.sin(angles), np.sin(angles + k * theta), ".", color=GOOD, ms=4)
    for angle, name, marker in zip(marked, ("rising", "falling"), "^v", strict=True):
        wave.plot(angle / theta, np.sin(angle), marker, color=BAD, markersize=9)
        wave.annotate(
            name,
            (angle / theta, np.sin(angle)),
            xytext=(9, -3),
            textcoords="offset points",
            fontsize=9,
        )
        later = np.sin(angle + k * theta)
        plane.plot(np.sin(angle), later, marker, color=BAD, markersize=9)
        plane.annotate(
            name,
            (np.sin(angle), later),
            xytext=(0, -17 if later > 0 else 10),
            textcoords="offset points",
            ha="right" if later > 0 else "center",
            fontsize=9,
        )
    plane.set_aspect("equal")
    return picture


def turned_blocks(table, size):
    """A table, cut into blocks of ``size`` rows: the first computed, the rest turned.

    ``table`` of shape (positions, columns); positions run to the right.
    """
    length, columns = table.shape
    picture = Picture(
        8.0,
        3.0,
        alt=f"The table of {length} positions as a map, cut into blocks of {size} "
        "positions. The first block is computed with sine and cosine; arrows from it "
        "lead to every other block, marked with the matrix that turns it.",
    )
    ax = tidy(picture.subplots(), xlabel="position", ylabel="column", grid=False)
    image = _signed(ax, table.T)
    ax.set_aspect("auto")
    picture.colorbar(image, ax=ax, shrink=0.8)
    for k in range(0, length, size):
        middle = k + size / 2
        colour = BAD if k else GOOD
        ax.add_patch(
            Rectangle((k, -0.5), size - 1, columns, fill=False, ec=colour, lw=2.5)
        )
        name = f"$M_{{{k}}}$" if k else "sine and cosine"
        ax.text(middle, -1.8, name, ha="center", fontsize=10, color=INK)
        if k:
            ax.annotate(
                "",
                xy=(middle, -5.5),
                xytext=(size / 2, -5.5),
                arrowprops={
                    "arrowstyle": "-|>",
                    "color": MUTED,
                    "connectionstyle": f"arc3,rad={-0.3 * size / k}",
                },
            )
    ax.set_ylim(columns - 0.5, -15)
    ax.set_yticks(range(0, columns, 8))
    ax.spines["left"].set_visible(False)
    return picture


def _signed(ax, entries):
    return ax.imshow(entries, cmap=DIVERGING, vmin=-1, vmax=1)


def _write(ax, entries, size):
    for (row, column), value in np.ndenumerate(entries):
        if value:
            ink = "white" if abs(value) > 0.6 else INK
            ax.text(
                column,
                row,
                f"{value:.3f}".replace("-", "−"),
                ha="center",
                va="center",
                fontsize=size,
                color=ink,
            )
