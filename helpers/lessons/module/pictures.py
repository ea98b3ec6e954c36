"""Pictures of notebook 05: slice and sum, what zeros become, word beside position."""

import numpy as np

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import MUTED, PAPER, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line, scale
from helpers.draw.style import WIDE, name_lines, pale
from helpers.draw.words import each, listed


def slice_and_broadcast():
    """How a slice of the table meets every sentence of a batch."""
    alt = (
        "Two sentences of three tokens, plus the first three of six rows, make two sums: "
        "in both sentences token n meets row n, and rows 3 to 5 are not used."
    )
    head = "Every sentence gets the same rows, from the top of the table"
    reach = {"reach": (17.2, -1.4), "start": (0, 7.4)}
    picture, ax = sheet(WIDE, 3.8, **reach, alt=alt, title=head)
    used = {n: pale(pair_colour(n), 0.35) for n in range(3)}
    for y, words in (0, ("the", "cat", "sat")), (4, ("a", "dog", "ran")):
        for n, (fill, word) in enumerate(zip(used.values(), words, strict=True)):
            _row(ax, 0, y + n, "#EEF1F4", word)
            _row(ax, 13, y + n, fill, f"{word} + row {n}")
        arrow(ax, (10.7, 2.1), (12.8, y + 1.5), color=MUTED)
        arrow(ax, (4.2, y + 1.5), (12.8, y + 1.5), color=MUTED)
    for n in range(6):
        look = {} if n in used else {"hatch": "///"}
        _row(
            ax,
            6.5,
            n + 0.5,
            used.get(n, PAPER),
            f"row {n}" if n in used else "",
            **look,
        )
    note = {"backgroundcolor": PAPER, "fontsize": 10}
    write(ax, 8.5, 6.0, "rows 3 to 5: not used", **note)
    heads = "x  (2, 3, 4)", "3 of the table's 6 rows  (3, 4)", "sum  (2, 3, 4)"
    for x, head in zip((2, 8.5, 15), heads, strict=True):
        write(ax, x, -0.4, head, va="bottom", fontsize=11)
    return picture


def _row(ax, x, y, fill, said, **more):
    look = {"facecolor": fill, "edgecolor": "#9AA0A6", "linewidth": 0.8, "zorder": 3}
    box(ax, x, y, 4, **look, **more)
    write(ax, x + 2, y + 0.5, said, fontsize=10, zorder=4)


def for_zeros(output):
    """What a module gives for zeros, ``output`` (batch, length, d_model): its table."""
    output = np.asarray(output)
    batch, length, width = output.shape
    same = (output == output[:, :1]).all()
    found = "all rows are equal" if same else "each position has its own row"
    others = "and the sentences differ"
    if (output == output[:1]).all():
        others = f"the same in all {batch} sentences"
    head = f"For zeros, {found}, {others}"
    alt = f"{batch} sentences of {length} positions, the first as it is. {head}."
    heads = ["sentence 0", *(f"sentence {n} minus sentence 0" for n in range(1, batch))]
    size, more = (WIDE, 3.0, "column", "position"), {"like": {"sharey": True}}
    _, axes = panel_row(heads, *size, alt=alt, title=head, **more)
    shown = [output[0], *(output[1:] - output[0])]
    for ax, table in zip(axes, shown, strict=True):
        image = heat(ax, table, aspect="auto")
        if not table.any():
            write(ax, (width - 1) / 2, (length - 1) / 2, "no difference", fontsize=11)
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
    most = {title: f"{max(t):.0f}°" for title, t in turned.items()}
    head = f"A position turns a word by up to: {each(most, str)}"
    labels, like = ("first column", "second column"), {"sharex": True, "sharey": True}
    shape = {"like": like, "aspect": "equal", "grid": False}
    picture, axes = panel_row(moved, WIDE, 4.6, *labels, alt=alt, title=head, **shape)
    for ax, title in zip(axes, moved, strict=True):
        for n, (a, b) in enumerate(zip(*moved[title], strict=True)):
            colour = pair_colour(n)
            for end, style in ((a, "-"), (b, ":")):
                ax.plot(*zip((0, 0), end, strict=True), style, color=colour, lw=0.8)
            ax.plot(*a, "o", color=colour)
            arrow(ax, a, b, color=colour, lw=2, shrinkA=3, shrinkB=0)
            share = np.linspace(0, 1, 30)[:, None]
            arc = (1 - share) * a + share * b
            arc *= 0.6 / np.linalg.norm(arc, axis=1, keepdims=True)
            ax.plot(*arc.T, color=colour, lw=2)
            middle = 1.4 * arc[15]
            white = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.5}
            write(ax, *middle, f"{turned[title][n]:.0f}°", bbox=white, fontsize=10)
            side = "left" if a[0] > 0 else "right"  # clear of the arrow
            place = a - 0.3 * (b - a) + 0.12 * np.sign(a)
            write(ax, *place, f"word {n}", ha=side, fontsize=10)
        ax.margins(0.4, 0.15)
    return picture


def _angles(start, end):
    """The angle between each point and its new place, seen from the middle, in degrees."""
    cross = start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]
    return np.degrees(np.abs(np.arctan2(cross, (start * end).sum(axis=1))))


def norm_ratios(widths, ratios):
    """Norm of a position over norm of a word, by width; ``ratios`` maps name to values."""
    ends = [f"{end(r[-1] for r in ratios.values()):.2g}" for end in (min, max)]
    found = " to ".join(ends)
    head = f"At width {widths[-1]}, a position is {found} times as long as a word"
    alt = f"{head}: {each(ratios, lambda r: f'{r[-1]:.2g}')}."
    look = {"alt": alt, "title": head, "xscale": "log", "yscale": "log"}
    _, ax = plot(WIDE, 3.6, "d_model", "position / word", **look)
    lines(ax, widths, ratios)
    reference_line(ax, y=1)
    ax.set_xticks(widths, map(str, widths))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
    return name_lines(ax)
