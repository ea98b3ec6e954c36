"""Pictures of notebook 05: the slice, dropout, crowding out."""

import numpy as np
from matplotlib.ticker import StrMethodFormatter

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, PAPER, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line, scale
from helpers.draw.style import legend_beside, pale
from helpers.draw.words import each, listed

_PLAIN = StrMethodFormatter("{x:g}")


def slice_and_broadcast():
    """How a slice of the table meets every sentence of a batch."""
    batch, length, max_len, d_model = 2, 3, 6, 4
    alt = (
        f"Left, {batch} sentences x of shape ({batch}, {length}, {d_model}). Middle, "
        f"the table of {max_len} rows; its first {length} rows are coloured, the others "
        f"are blank and not used. Right, the sum, of the shape of x: in every sentence "
        f"the rows 0 to {length - 1} were added, which is written in the cells."
    )
    tall = batch * (length + 1) - 1
    reach, start = (13.3 + d_model, -1.5), (-1.6, tall + 0.4)
    picture, ax = sheet(8.6, 3.4, reach, start, alt=alt)
    ax.set_aspect("equal")
    plain = dict.fromkeys(range(length), "#EEF1F4")
    used = {n: pale(pair_colour(n), 0.35) for n in range(length)}
    tokens = [f"token {n}" for n in used]
    for sentence in range(batch):
        y = sentence * (length + 1)
        _grid(ax, 0, y, plain, d_model, tokens)
        write(ax, -0.3, y + length / 2, f"x[{sentence}]", ha="right", fontsize=10)
        words = [f"token {n} + row {n}" for n in used]
        _grid(ax, 13, y, used, d_model, words)
    words = [f"row {n}" + ", not used" * (n not in used) for n in range(max_len)]
    rest = dict.fromkeys(range(length, max_len), PAPER)
    _grid(ax, 6.5, (tall - max_len) / 2, used | rest, d_model, words)
    for x, sign in ((5.2, "+"), (11.8, "=")):
        write(ax, x, tall / 2, sign, fontsize=20)
    shape, half = f"({batch}, {length}, {d_model})", d_model / 2
    of = f"{length} of the table's {max_len} rows  ({length}, {d_model})"
    for x, label in ((0, f"x  {shape}"), (6.5, of), (13, f"sum  {shape}")):
        write(ax, x + half, -0.6, label, va="bottom", fontsize=11)
    return picture


def _grid(ax, x, y, fills, columns, words=()):
    """Rows of cells; ``fills`` has the colour of each row, ``words`` what it says."""
    for down, fill in enumerate(fills.values()):
        edge = GRID if fill == PAPER else "#9AA0A6"
        for column in range(columns):
            box(ax, x + column, y + down, facecolor=fill, edgecolor=edge, linewidth=0.8)
    for down, said in enumerate(words):
        write(ax, x + columns / 2, y + down + 0.5, said)


def for_zeros(output):
    """What a module gives for zeros, ``output`` (batch, length, d_model): its table."""
    output = np.asarray(output)
    batch, length, width = output.shape
    same_rows = (output == output[:, :1]).all()
    same_sentences = (output == output[:1]).all()
    alt = (
        f"{batch} heat maps side by side, one a sentence, of {length} positions and "
        f"{width} columns. "
        + ("All rows of a sentence are equal" if same_rows else "Row differs from row")
        + ("; all sentences are equal." if same_sentences else "; sentences differ.")
    )
    found = "equal rows" if same_rows else "each row its own"
    titles, like = [f"sentence {n}: {found}" for n in range(batch)], {"sharey": True}
    _, axes = panel_row(titles, 8.6, 2.4, "column", "position", alt=alt, like=like)
    for ax, table in zip(axes, output, strict=True):
        image = heat(ax, table, aspect="auto")
        ax.set_xticks(range(0, width, max(1, width // 8)))
        ax.set_yticks(range(0, length, max(1, length // 5)))
    return scale(image, axes, ticks=[-1, 0, 1])


def dropped(before, after):
    """Token 1 of sentence 0 in three rows: before dropout, the factors, and after it.

    ``before`` and ``after`` of shape (batch, length, d_model).
    """
    before, after = (np.asarray(values, float)[0, 1] for values in (before, after))
    gone = after == 0
    grown = (after[~gone] / before[~gone]).max()
    alt = (
        f"Token 1 of sentence 0 as three rows of {len(gone)} numbers: "
        f"before dropout, times, and after. {gone.sum()} were set to 0, in the columns "
        f"{listed(np.flatnonzero(gone))}; the others were multiplied by {grown:.2f}."
    )
    picture, ax = sheet(9, 1.9, (len(gone), -0.75), (-2.1, 3.15), alt=alt)
    rows = {
        "x + PE": [f"{v:.2f}" for v in before],
        "times": ["0" if cut else f"{grown:.2f}" for cut in gone],
        "output": [f"{v:.2f}" for v in after],
    }
    fills = PAPER, pale(GOOD, 0.15), pale(GOOD, 0.3)
    for y, ((name, numbers), fill) in enumerate(zip(rows.items(), fills, strict=True)):
        write(ax, -0.25, y + 0.5, name, ha="right", fontsize=10)
        for column, number in enumerate(numbers):
            cut = gone[column] and y > 0
            look = {"facecolor": pale(BAD, 0.25) if cut else fill, "edgecolor": MUTED}
            box(ax, column, y, linewidth=0.6, **look)
            write(ax, column + 0.5, y + 0.5, number, weight="bold" if cut else "normal")
    for column in range(len(gone)):
        write(ax, column + 0.5, -0.35, str(column), color=MUTED)
    write(ax, -0.25, -0.35, "column", ha="right", color=MUTED)
    return picture


def corners_moved(moved):
    """Points of a plane and where the encoding carries them, and by which angle.

    ``moved`` maps a title to (start, end), each of shape (n, 2): one plane for all.
    """
    moved = {title: np.asarray(both) for title, both in moved.items()}
    turned = {title: _angles(*both) for title, both in moved.items()}
    far = each(moved, lambda b: f"from a distance of {np.linalg.norm(b[0][0]):.2f}")
    told = each(turned, lambda t: f"by {listed(f'{a:.0f}' for a in t)} degrees")
    alt = (
        "The corners of a square on a plane, and an arrow from each to where adding its "
        f"position carries it, for {far}. Seen from the middle the corners turn, in "
        f"order of their positions: {told}."
    )
    most = (f"{max(t):.0f}° ({title})" for title, t in turned.items())
    labels = "first column", "second column"
    head = f"a position turns a word by up to {', '.join(most)}"
    _, ax = plot(7.4, 5.2, *labels, alt=alt, title=head, aspect="equal")
    ax.plot(0, 0, "+", color=MUTED, markersize=10)
    for number, (title, (start, end)) in enumerate(moved.items()):
        fill = {"mfc": PAPER} if number == 0 else {}
        look = {"marker": "os"[number % 2], "linestyle": "none", "ms": 7, **fill}
        ax.plot([], color=INK, label=title, **look)
        for n, (a, b) in enumerate(zip(start, end, strict=True)):
            colour = pair_colour(n)
            ax.plot([0, a[0]], [0, a[1]], color=GRID, linewidth=1, zorder=1)
            ax.plot([0, b[0]], [0, b[1]], color=colour, lw=0.8, ls=":", zorder=1)
            arrow(ax, a, b, color=colour, lw=1.8, shrinkA=3, shrinkB=0)
            ax.plot(*a, color=colour, **look)
            ax.plot(*b, ".", color=colour, markersize=1)  # widens the axes
            place = b + 0.22 * b / np.linalg.norm(b)
            write(ax, *place, f"{turned[title][n]:.0f}°")
            if number == len(moved) - 1:
                away = a - 0.42 * (b - a) / np.linalg.norm(b - a)
                write(ax, *away, f"pos {n}", fontsize=10)
    ax.margins(0.2, 0.1)
    return legend_beside(ax)


def _angles(start, end):
    """The angle between each point and its new place, seen from the middle, in degrees."""
    cross = start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]
    return np.degrees(np.abs(np.arctan2(cross, (start * end).sum(axis=1))))


def norm_ratios(widths, ratios):
    """Norm of a position over norm of a word, by width; ``ratios`` maps name to values."""
    first, last = (f"at width {widths[end]}" for end in (0, -1))

    def told(values):
        return f"{values[0]:.2g} {first}, {values[-1]:.2g} {last}"

    alt = (
        "The norm of a position divided by the norm of a word, against d_model, on "
        "logarithmic axes, with a dashed line at 1, where they are equal: "
        f"{each(ratios, told)}."
    )
    labels, logs = ("d_model", "position / word"), {"xscale": "log", "yscale": "log"}
    ends = [f"{end([r[-1] for r in ratios.values()]):.2g}" for end in (min, max)]
    head = f"{last}, a position is {' to '.join(ends)} times as long as a word"
    _, ax = plot(8.4, 3.4, *labels, alt=alt, title=head, **logs)
    # The first lies under the last, so it is drawn broad and pale; shapes tell the
    # lines apart without their colours.
    colours = pair_colour(5), GOOD, BAD, pair_colour(2)
    markers = "o", "s", "^", "D"
    for n, (name, values) in enumerate(ratios.items()):
        look = {"lw": 8, "alpha": 0.45, "ms": 12} if n == 0 else {}
        look |= {"color": colours[n], "marker": markers[n], "label": name}
        ax.plot(widths, values, **look)
    reference_line(ax, y=1)
    ax.set_xticks(widths, [str(width) for width in widths])
    ax.yaxis.set_major_formatter(_PLAIN)
    ax.minorticks_off()
    return legend_beside(ax)
