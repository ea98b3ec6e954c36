"""Pictures of notebook 05: slice and sum, what zeros become, word beside position."""

import numpy as np

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import PAPER, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line, scale
from helpers.draw.style import legend_beside, pale
from helpers.draw.words import each, listed


def slice_and_broadcast():
    """How a slice of the table meets every sentence of a batch."""
    alt = (
        "Two sentences of three tokens, plus the first three of six rows, make two sums: "
        "in both sentences token n meets row n, and rows 3 to 5 are not used."
    )
    picture, ax = sheet(8.6, 3.4, (17.3, -1.5), (-1.6, 7.4), alt=alt)
    ax.set_aspect("equal")
    used = {n: pale(pair_colour(n), 0.35) for n in range(3)}
    for y in (0, 4):
        write(ax, -0.3, y + 1.5, f"x[{y // 4}]", ha="right", fontsize=10)
        for n, fill in used.items():
            _row(ax, 0, y + n, "#EEF1F4", f"token {n}")
            _row(ax, 13, y + n, fill, f"token {n} + row {n}")
    for n in range(6):
        unused = "" if n in used else ", not used"
        _row(ax, 6.5, n + 0.5, used.get(n, PAPER), f"row {n}{unused}")
    heads = "x  (2, 3, 4)", "3 of the table's 6 rows  (3, 4)", "sum  (2, 3, 4)"
    for x, head in zip((2, 8.5, 15), heads, strict=True):
        write(ax, x, -0.6, head, va="bottom", fontsize=11)
    for x, sign in ((5.2, "+"), (11.8, "=")):
        write(ax, x, 3.5, sign, fontsize=20)
    return picture


def _row(ax, x, y, fill, said):
    box(ax, x, y, 4, facecolor=fill, edgecolor="#9AA0A6", linewidth=0.8)
    write(ax, x + 2, y + 0.5, said)


def for_zeros(output):
    """What a module gives for zeros, ``output`` (batch, length, d_model): its table."""
    output = np.asarray(output)
    batch, length, width = output.shape
    same = (output == output[:, :1]).all()
    found = "equal rows" if same else "each row its own"
    others = (
        "all sentences equal" if (output == output[:1]).all() else "sentences differ"
    )
    alt = f"{batch} sentences of {length} positions: {found}, {others}."
    titles = [f"sentence {n}: {found}" for n in range(batch)]
    like = {"sharey": True}
    _, axes = panel_row(titles, 8.6, 2.4, "column", "position", alt=alt, like=like)
    for ax, table in zip(axes, output, strict=True):
        image = heat(ax, table, aspect="auto")
        ax.set(xticks=range(width), yticks=range(0, length, 2))
    return scale(image, axes, ticks=[-1, 0, 1])


def corners_moved(moved):
    """Words of a plane, where their positions carry them, and by which angles.

    ``moved`` maps a title to (start, end), each of shape (n, 2): a panel.
    """
    moved = {title: np.asarray(both) for title, both in moved.items()}
    turned = {title: _angles(*both) for title, both in moved.items()}
    told = each(turned, lambda t: f"by {listed(f'{a:.0f}' for a in t)} degrees")
    alt = f"The corners of a square, and how far their positions turn them: {told}."
    heads = [
        f"{title}\nturns words by up to {max(t):.0f}°" for title, t in turned.items()
    ]
    labels = ("first column", "second column")
    like = {"sharex": True, "sharey": True}
    shape = {"like": like, "aspect": "equal"}
    picture, axes = panel_row(heads, 8.6, 5, *labels, alt=alt, **shape)
    for ax, title in zip(axes, moved, strict=True):
        for n, (a, b) in enumerate(zip(*moved[title], strict=True)):
            colour = pair_colour(n)
            for end, style in ((a, "-"), (b, ":")):
                ax.plot(*zip((0, 0), end, strict=True), style, color=colour, lw=0.8)
            ax.plot(*a, "o", color=colour)
            arrow(ax, a, b, color=colour, lw=1.8, shrinkA=3, shrinkB=0)
            write(ax, *(1.15 * b), f"{turned[title][n]:.0f}°")
            write(ax, *(1.45 * a - 0.45 * b), f"pos {n}")
        ax.margins(0.25)
    return picture


def _angles(start, end):
    """The angle between each point and its new place, seen from the middle, in degrees."""
    cross = start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]
    return np.degrees(np.abs(np.arctan2(cross, (start * end).sum(axis=1))))


def norm_ratios(widths, ratios):
    """Norm of a position over norm of a word, by width; ``ratios`` maps name to values."""
    ends = [f"{end(r[-1] for r in ratios.values()):.2g}" for end in (min, max)]
    found = " to ".join(ends)
    head = f"at width {widths[-1]}, a position is {found} times as long as a word"
    alt = f"{head}: {each(ratios, lambda r: f'{r[-1]:.2g}')}."
    look = {"alt": alt, "title": head, "xscale": "log", "yscale": "log"}
    _, ax = plot(8.4, 3.2, "d_model", "position / word", **look)
    lines(ax, widths, ratios)
    reference_line(ax, y=1)
    ax.set_xticks(widths, map(str, widths))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
    return legend_beside(ax)
