"""Pictures of notebook 05: slice and sum, what zeros become, word beside position."""

import numpy as np

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import MUTED, PAPER, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line, scale
from helpers.draw.style import name_lines, pale
from helpers.draw.words import each, listed


def slice_and_broadcast():
    """How a slice of the table meets every sentence of a batch."""
    picture, ax = sheet(
        3.8,
        (17.2, -1.4),
        (-0.1, 7.4),
        alt=(
            "A table of six rows, with a bracket round rows 0 to 2. An arrow leads "
            "from it to the plus of each of two sums: three rows plus a sentence of "
            "three tokens. Rows 3 to 5 are not used."
        ),
        title="Every sentence gets the same rows, from the top of the table",
    )
    used = [pale(pair_colour(n), 0.35) for n in range(3)]
    for y, words in (0, ("the", "cat", "sat")), (4, ("a", "dog", "ran")):
        for n, word in enumerate(words):
            _row(ax, 7.1, y + n, "#EEF1F4", word)
            _row(ax, 13, y + n, used[n], f"{word} + row {n}")
        arrow(ax, (4.45, 2), (6.2, y + 1.5), color=MUTED)
        write(ax, 6.6, y + 1.5, "+", fontsize=16)
        write(ax, 12.05, y + 1.5, "=", fontsize=16)
    for n in range(3):
        _row(ax, 0, n + 0.5, used[n], f"row {n}")
        _row(ax, 0, n + 3.5, PAPER, f"row {n + 3}: not used")
    ax.plot([4.2, 4.4, 4.4, 4.2], [0.5, 0.5, 3.5, 3.5], color=MUTED)
    for x, head in (
        (2, "3 of the table's 6 rows  (3, 4)"),
        (9.1, "x  (2, 3, 4)"),
        (15, "sum  (2, 3, 4)"),
    ):
        write(ax, x, -0.4, head, va="bottom", fontsize=11)
    return picture


def _row(ax, x, y, fill, said):
    box(ax, x, y, 4, facecolor=fill, edgecolor="#9AA0A6", linewidth=0.8)
    write(ax, x + 2, y + 0.5, said, fontsize=10)


def for_zeros(output):
    """What a module gives for zeros, ``output`` (batch, length, d_model): its table."""
    output = np.asarray(output)
    batch, length, width = output.shape
    alike = (output[1:] == output[:-1]).all(axis=(1, 2))  # as the sentence before
    head = f"Feed zeros: the same rows come out for all {batch} sentences"
    if not alike.all():
        head = f"Feed zeros: the {batch} sentences do not get the same rows"
    if (output == output[:, :1]).all():
        head += ", and within each all rows are equal"
    signs = [*np.where(alike, " = ", " ≠ "), ""]
    heads = [f"sentence {n}" for n in range(batch)]
    _, axes = panel_row(
        heads,
        3.0,
        "column",
        "position",
        alt="".join(np.char.add(heads, signs)) + f", over {length} positions.",
        title=head,
        like={"sharey": True},
    )
    for ax, table, sign in zip(axes, output, signs, strict=True):
        image = heat(ax, table, aspect="auto")
        write(ax, 1.08, 0.5, sign, transform=ax.transAxes, fontsize=18)
        ax.set(xticks=range(width), yticks=range(0, length, 2))
    return scale(image, axes, ticks=[-1, 0, 1])


def corners_moved(moved):
    """Words of a plane, where their positions carry them, and by which angles.

    ``moved`` maps a title to (start, end), each of shape (n, 2): a panel.
    """
    turned = {title: _angles(*both) for title, both in moved.items()}
    most = listed(f"{max(angles):.0f}° ({name})" for name, angles in turned.items())
    told = each(turned, lambda t: f"by {listed(f'{a:.0f}' for a in t)} degrees")
    picture, axes = panel_row(
        moved,
        4.6,
        "first column",
        "second column",
        alt=f"The corners of a square, and how far their positions turn them: {told}.",
        title=f"A position turns a word by up to {most}",
        like={"sharex": True, "sharey": True},
        aspect="equal",
        grid=False,
    )
    for ax, title in zip(axes, moved, strict=True):
        for n, (a, b) in enumerate(zip(*map(np.asarray, moved[title]), strict=True)):
            colour = pair_colour(n)
            ax.plot([a[0], 0, b[0]], [a[1], 0, b[1]], color=colour, linewidth=0.8)
            ax.plot(*a, "o", color=colour)
            arrow(ax, a, b, color=colour, linewidth=2, shrinkA=3, shrinkB=0)
            write(
                ax,
                *(0.3 * (a + b)),
                f"{turned[title][n]:.0f}°",
                bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.5},
                fontsize=10,
            )
            write(
                ax,
                *(a - 0.3 * (b - a) + 0.12 * np.sign(a)),
                f"word {n}",
                ha="left" if a[0] > 0 else "right",  # clear of the arrow
                fontsize=10,
            )
        ax.margins(0.4, 0.15)
    return picture


def _angles(start, end):
    """The angle between each point and its new place, seen from the middle, in degrees."""
    start, end = (np.asarray(points) @ [1, 1j] for points in (start, end))
    return np.degrees(np.abs(np.angle(end / start)))


def norm_ratios(widths, ratios):
    """Norm of a position over norm of a word, by width; ``ratios`` maps name to values."""
    last = [values[-1] for values in ratios.values()]
    found = f"{min(last):.2g} to {max(last):.2g}"
    _, ax = plot(
        3.6,
        "d_model",
        "position / word",
        alt=f"By the entries of the embedding: {each(ratios, lambda r: f'{r[-1]:.2g}')}.",
        title=f"At width {widths[-1]}, a position is {found} times as long as a word",
        xscale="log",
        yscale="log",
    )
    lines(ax, widths, ratios)
    reference_line(ax, y=1)
    ax.set_xticks(widths, map(str, widths))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
    return name_lines(ax)
