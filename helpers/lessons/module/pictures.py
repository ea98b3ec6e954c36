"""Pictures of notebook 05: the slice, dropout, crowding out, three constructions."""

import numpy as np
from matplotlib.ticker import LogLocator, StrMethodFormatter

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, NEUTRAL, PAPER, pair_colour
from helpers.draw.panels import bars, heat, plot, row, rule, scale
from helpers.draw.style import legend_beside, pale
from helpers.draw.words import each, listed

_PLAIN = StrMethodFormatter("{x:g}")


def slice_and_broadcast(batch=2, length=3, max_len=6, d_model=4):
    """How a slice of the table meets every sentence of a batch."""
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
    for sentence in range(batch):
        y = sentence * (length + 1)
        _grid(ax, 0, y, plain, d_model)
        write(ax, -0.3, y + length / 2, f"x[{sentence}]", ha="right", fontsize=10)
        words = [f"token {n} + row {n}" for n in used]
        _grid(ax, 13, y, used, d_model, words)
    words = [
        f"row {n}" + (", not used" if n not in used else "") for n in range(max_len)
    ]
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
            place = x + column, y + down
            box(ax, *place, facecolor=fill, edgecolor=edge, linewidth=0.8)
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
    titles = [f"sentence {sentence}" for sentence in range(batch)]
    labels = {"xlabel": "column", "ylabel": "position"}
    picture, axes = row(titles, 8.6, 2.4, alt=alt, like={"sharey": True}, **labels)
    for ax, rows in zip(axes, output, strict=True):
        image = heat(ax, rows, aspect="auto")
        ax.set_xticks(range(0, width, max(1, width // 8)))
        ax.set_yticks(range(0, length, max(1, length // 5)))
    scale(image, axes, ticks=[-1, 0, 1])
    return picture


def dropped(before, after, token=(0, 1)):
    """One token in three rows of numbers: before dropout, the factors, and after it.

    ``before`` and ``after`` of shape (batch, length, d_model).
    """
    before, after = (np.asarray(values, float)[token] for values in (before, after))
    gone = after == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        grown = np.nanmax(np.where(gone, np.nan, after / before))
    alt = (
        f"Token {token[1]} of sentence {token[0]} as three rows of {len(gone)} numbers: "
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
    turned = {title: _angles(*map(np.asarray, both)) for title, both in moved.items()}
    alt = (
        "The corners of a square on a plane, and an arrow from each to where adding its "
        "position carries it, for "
        + each(moved, lambda both: f"from a distance of {_span(both[0])}")
        + ". Seen from the middle the corners turn, in order of their positions: "
        + each(turned, lambda t: f"by {listed(f'{a:.0f}' for a in t)} degrees")
        + "."
    )
    labels = {"xlabel": "first column", "ylabel": "second column", "aspect": "equal"}
    picture, ax = plot(5.6, 5.2, alt=alt, **labels)
    ax.plot(0, 0, "+", color=MUTED, markersize=10)
    for number, (title, (start, end)) in enumerate(moved.items()):
        fill = {"mfc": PAPER} if number == 0 else {}
        look = {"marker": "os"[number % 2], "linestyle": "none", "ms": 7, **fill}
        ax.plot([], color=INK, label=title, **look)
        for n, (a, b) in enumerate(
            zip(np.asarray(start), np.asarray(end), strict=True)
        ):
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
    ax.margins(0.1)
    ax.legend(fontsize=9, loc="center right")
    return picture


def _angles(start, end):
    """The angle between each point and its new place, seen from the middle, in degrees."""
    cross = start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]
    return np.degrees(np.abs(np.arctan2(cross, (start * end).sum(axis=1))))


def _span(points):
    """How far points lie from the middle: "1.41", or "1.00 to 2.00" where they differ."""
    sizes = np.linalg.norm(np.asarray(points), axis=1)
    ends = [f"{f(sizes):.2f}" for f in (np.min, np.max)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


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
    labels = {"xlabel": "d_model", "ylabel": "position / word"}
    picture, ax = plot(8.4, 3.4, alt=alt, xscale="log", yscale="log", **labels)
    # The first lies under the last, so it is drawn broad and pale; shapes tell the
    # lines apart without their colours.
    colours, markers = ("#E69F00", GOOD, BAD, "#009E73"), ("o", "s", "^", "D")
    for n, (name, values) in enumerate(ratios.items()):
        broad = {"linewidth": 8, "alpha": 0.45, "markersize": 12} if n == 0 else {}
        ax.plot(
            widths, values, color=colours[n], marker=markers[n], label=name, **broad
        )
    rule(ax, y=1)
    ax.set_xticks(widths, [str(width) for width in widths])
    ax.yaxis.set_major_formatter(_PLAIN)
    ax.minorticks_off()
    legend_beside(ax)
    return picture


def constructions(measured):
    """Error, time and memory of several ways to build a table, as bars.

    ``measured`` is a DataFrame: a row for each way, a column for each measure; the
    column's name is the axis label. Axes are logarithmic.
    """

    def told(column):
        return listed(f"{value:.2g} for {way}" for way, value in column.items())

    alt = (
        f"Bars for {len(measured)} ways to build the table, in {len(measured.columns)} "
        f"panels: {each(measured, told)}. The bar of {measured.index[-1]} is hatched."
    )
    titles, like = [None] * len(measured.columns), {"sharey": True}
    picture, axes = row(titles, 9, 2.4, alt=alt, like=like)
    colours = [NEUTRAL] * (len(measured) - 1) + [GOOD]
    for ax, name in zip(axes, measured, strict=True):
        values = measured[name].to_numpy(float)
        labels = [f"{value:.2g}" for value in values]
        found = bars(ax, measured.index, values, labels, colours)
        found[-1].set(hatch="//", edgecolor="white")
        ax.set_xlim(values.min() / 3, values.max() * 20)
        ax.xaxis.set_major_formatter(_PLAIN)
        ax.xaxis.set_major_locator(LogLocator(numticks=4))
        ax.set_xlabel(name)
    return picture
