"""Pictures of notebook 05: slice and sum, what zeros become, word beside position."""

import numpy as np

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import MUTED, PAPER, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line, scale
from helpers.draw.style import name_lines, pale
from helpers.draw.words import each, listed


def slice_and_broadcast():
    """How a slice of the table meets every sentence of a batch."""
    alt = (
        "Two sentences of three tokens, plus the first three of six rows, make two sums. "
        "Rows 3 to 5 are not used."
    )
    head = "Every sentence gets the same rows, from the top of the table"
    picture, ax = sheet(3.8, reach=(17.2, -1.4), start=(0, 7.4), alt=alt, title=head)
    used = [pale(pair_colour(n), 0.35) for n in range(3)]
    for y, words in (0, ("the", "cat", "sat")), (4, ("a", "dog", "ran")):
        for n, word in enumerate(words):
            _row(ax, 0, y + n, "#EEF1F4", word)
            _row(ax, 13, y + n, used[n], f"{word} + row {n}")
        arrow(ax, (10.7, 2.1), (12.8, y + 1.5), color=MUTED)
        arrow(ax, (4.2, y + 1.5), (12.8, y + 1.5), color=MUTED)
    for n in range(3):
        _row(ax, 6.5, n + 0.5, used[n], f"row {n}")
        _row(ax, 6.5, n + 3.5, PAPER, f"row {n + 3}: not used")
    heads = {
        2: "x  (2, 3, 4)",
        8.5: "3 of the table's 6 rows  (3, 4)",
        15: "sum  (2, 3, 4)",
    }
    for x, head in heads.items():
        write(ax, x, -0.4, head, va="bottom", fontsize=11)
    return picture


def _row(ax, x, y, fill, said):
    box(ax, x, y, 4, facecolor=fill, edgecolor="#9AA0A6", linewidth=0.8, zorder=3)
    write(ax, x + 2, y + 0.5, said, fontsize=10, zorder=4)


def for_zeros(output):
    """What a module gives for zeros, ``output`` (batch, length, d_model): its table."""
    output = np.asarray(output)
    batch, length, width = output.shape
    same = (output == output[:, :1]).all()
    found = "all rows are equal" if same else "each position has its own row"
    others = "and the sentences differ"
    if (output == output[:1]).all():
        others = "the same in all sentences"
    head = f"For zeros, {found}, {others}"
    alt = f"{batch} sentences of {length} positions, the first as it is."
    heads = ["sentence 0"]
    heads += [f"sentence {n} minus sentence 0" for n in range(1, batch)]
    _, axes = panel_row(
        heads,
        3.0,
        "column",
        "position",
        alt=alt,
        title=head,
        like={"sharey": True},
    )
    shown = [output[0], *(output[1:] - output[0])]
    for ax, table in zip(axes, shown, strict=True):
        image = heat(ax, table, aspect="auto")
        ax.set(xticks=range(width), yticks=range(0, length, 2))
    return scale(image, axes, ticks=[-1, 0, 1])


def corners_moved(moved):
    """Words of a plane, where their positions carry them, and by which angles.

    ``moved`` maps a title to (start, end), each of shape (n, 2): a panel.
    """
    turned = {title: _angles(*both) for title, both in moved.items()}
    most = each(turned, lambda angles: f"{max(angles):.0f}°")
    head = f"A position turns a word by up to: {most}"
    told = each(turned, lambda t: f"by {listed(f'{a:.0f}' for a in t)} degrees")
    alt = f"The corners of a square, and how far their positions turn them: {told}."
    picture, axes = panel_row(
        moved,
        4.6,
        "first column",
        "second column",
        alt=alt,
        title=head,
        like={"sharex": True, "sharey": True},
        aspect="equal",
        grid=False,
    )
    for ax, title in zip(axes, moved, strict=True):
        for n, (a, b) in enumerate(zip(*moved[title], strict=True)):
            a = np.asarray(a)
            b = np.asarray(b)
            colour = pair_colour(n)
            ax.plot([a[0], 0, b[0]], [a[1], 0, b[1]], color=colour, linewidth=0.8)
            ax.plot(*a, "o", color=colour)
            arrow(ax, a, b, color=colour, linewidth=2, shrinkA=3, shrinkB=0)
            said = f"{turned[title][n]:.0f}°"
            white = {
                "facecolor": PAPER,
                "edgecolor": "none",
                "pad": 0.5,
            }
            write(ax, *(0.3 * (a + b)), said, bbox=white, fontsize=10)
            side = "left" if a[0] > 0 else "right"  # clear of the arrow
            place = a - 0.3 * (b - a) + 0.12 * np.sign(a)
            write(ax, *place, f"word {n}", ha=side, fontsize=10)
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
    head = f"At width {widths[-1]}, a position is {found} times as long as a word"
    alt = f"By the entries of the embedding: {each(ratios, lambda r: f'{r[-1]:.2g}')}."
    _, ax = plot(
        3.6,
        "d_model",
        "position / word",
        alt=alt,
        title=head,
        xscale="log",
        yscale="log",
    )
    lines(ax, widths, ratios)
    reference_line(ax, y=1)
    ax.set_xticks(widths, map(str, widths))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
    return name_lines(ax)
