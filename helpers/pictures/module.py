"""Pictures of notebook 05: the slice, dropout, crowding out, three constructions."""

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator, StrMethodFormatter

from helpers.pictures.style import (
    BAD,
    DIVERGING,
    GOOD,
    GRID,
    INK,
    NEUTRAL,
    Picture,
    legend_beside,
    pair_colour,
    tidy,
)


def slice_and_broadcast(batch=2, length=3, max_len=6, d_model=4):
    """How a slice of the table meets every sentence of a batch."""
    alt = (
        f"Left, {batch} sentences x of shape ({batch}, {length}, {d_model}). Middle, "
        f"the table of {max_len} rows; its first {length} rows are coloured, the others "
        f"are white and not used. Right, the sum, of the shape of x: in every sentence "
        f"the rows 0 to {length - 1} were added, which is written in the cells."
    )
    picture = Picture(8.6, 3.4, alt=alt)
    ax = picture.subplots()
    for sentence in range(batch):
        y = sentence * (length + 1)
        _grid(ax, 0, y, length, d_model, lambda row: "#EEF1F4")
        _grid(ax, 13, y, length, d_model, pair_colour, alpha=0.35)
        for row in range(length):
            where = (13 + d_model / 2, y + row + 0.5)
            ax.text(*where, f"token {row} + row {row}", **_CENTRED)
        ax.text(-0.3, y + length / 2, f"x[{sentence}]", ha="right", va="center")
    middle = (batch * (length + 1) - 1 - max_len) / 2
    _grid(ax, 6.5, middle, length, d_model, pair_colour, alpha=0.35)
    rest = max_len - length
    _grid(ax, 6.5, middle + length, rest, d_model, lambda row: "white", edge=GRID)
    for row in range(max_len):
        where = (6.5 + d_model / 2, middle + row + 0.5)
        ax.text(
            *where, f"row {row}" + (", not used" if row >= length else ""), **_CENTRED
        )
    tall = batch * (length + 1) - 1
    for x, sign in ((5.2, "+"), (11.8, "=")):
        ax.text(x, tall / 2, sign, fontsize=20, ha="center", va="center", color=INK)
    for x, label in (
        (d_model / 2, f"x  ({batch}, {length}, {d_model})"),
        (
            6.5 + d_model / 2,
            f"{length} of the table's {max_len} rows  ({length}, {d_model})",
        ),
        (13 + d_model / 2, f"sum  ({batch}, {length}, {d_model})"),
    ):
        ax.text(x, -0.6, label, ha="center", va="bottom", fontsize=11, color=INK)
    ax.set(xlim=(-1.6, 13.3 + d_model), ylim=(tall + 0.4, -1.4), aspect="equal")
    ax.axis("off")
    return picture


_ARROW = {"arrowstyle": "-|>", "lw": 1.8, "shrinkA": 0, "shrinkB": 0}
_CENTRED = {"ha": "center", "va": "center", "fontsize": 9, "color": INK}


def _grid(ax, x, y, rows, columns, colour, alpha=1.0, edge="#9AA0A6"):
    for row in range(rows):
        for column in range(columns):
            cell = Rectangle(
                (x + column, y + row),
                1,
                1,
                facecolor=colour(row),
                edgecolor=edge,
                alpha=alpha if colour is pair_colour else 1,
                linewidth=0.8,
            )
            ax.add_patch(cell)


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
    picture = Picture(8.6, 2.4, alt=alt)
    axes = np.atleast_1d(picture.subplots(1, batch, sharey=True))
    for sentence, ax in enumerate(axes):
        image = ax.imshow(
            output[sentence], cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto"
        )
        tidy(ax, title=f"sentence {sentence}", xlabel="column", grid=False)
        ax.set_xticks(range(0, width, max(1, width // 8)))
        ax.set_yticks(range(0, length, max(1, length // 5)))
    axes[0].set_ylabel("position", fontsize=10, color=INK)
    picture.colorbar(image, ax=list(axes), ticks=[-1, 0, 1]).ax.tick_params(labelsize=9)
    return picture


def dropped(factors):
    """What became of every value: ``factors`` (batch, length, d_model), 0 or a scale."""
    factors = np.asarray(factors)
    batch, length, width = factors.shape
    alt = (
        f"{batch} grids of {length} positions and {width} columns, one cell a value. "
        f"Cells with a cross were dropped; the others were all multiplied by "
        f"{factors.max():.2f}."
    )
    picture = Picture(8.6, 2.0, alt=alt)
    axes = np.atleast_1d(picture.subplots(1, batch, sharey=True))
    for sentence, ax in enumerate(axes):
        ax.imshow(factors[sentence], cmap="Blues", vmin=0, vmax=2.5, aspect="auto")
        for row, column in np.argwhere(factors[sentence] == 0):
            ax.plot(column, row, "x", color=INK, markersize=6, markeredgewidth=1.3)
        kept = f"others times {factors.max():.2f}"
        title = f"sentence {sentence}: crosses dropped, {kept}"
        tidy(ax, title=title, xlabel="column", grid=False)
        ax.set_xticks(range(0, width, 2))
        ax.set_yticks(range(length))
    axes[0].set_ylabel("position", fontsize=10, color=INK)
    return picture


def corners_moved(moved):
    """Points of a plane and where the encoding carries them, one panel a way.

    ``moved`` maps a title to (start, end), each of shape (n, 2).
    """
    told = []
    for title, (start, end) in moved.items():
        start, end = np.asarray(start), np.asarray(end)
        lengths, sizes = (np.linalg.norm(v, axis=1) for v in (end - start, start))
        told.append(
            f"{title}: arrows of length {_span(lengths)} from points at a distance of "
            f"{_span(sizes)} from the middle"
        )
    alt = (
        "The corners of a square as dots, and an arrow from each to where adding its "
        f"position carries it, in {len(moved)} panels. {'; '.join(told)}."
    )
    picture = Picture(8.4, 3.9, alt=alt)
    axes = np.atleast_1d(picture.subplots(1, len(moved), sharex=True, sharey=True))
    for ax, (title, (start, end)) in zip(axes, moved.items(), strict=True):
        for n, (a, b) in enumerate(zip(start, end, strict=True)):
            ax.annotate(
                "",
                xy=b,
                xytext=a,
                arrowprops={"color": pair_colour(n), **_ARROW},
            )
            ax.plot(*a, "o", color=pair_colour(n), markersize=7)
            ax.plot(*b, ".", color=pair_colour(n), markersize=1)  # widens the axes
            ax.annotate(
                f"pos {n}",
                a,
                textcoords="offset points",
                xytext=(0, 14 if b[1] < a[1] else -14),  # on the arrow's other side
                ha="center",
                va="center",
                fontsize=9,
            )
        tidy(ax, title=title, xlabel="first column")
        ax.set_aspect("equal")
        ax.margins(0.15)
    axes[0].set_ylabel("second column", fontsize=10, color=INK)
    return picture


def _span(values):
    """ "1.41", or "1.00 to 2.00" where they differ."""
    ends = [f"{f(values):.2f}" for f in (np.min, np.max)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def norm_ratios(widths, ratios):
    """Norm of a position over norm of a word, by width; ``ratios`` maps name to values."""
    told = [
        f"{name}: {values[0]:.2g} at width {widths[0]}, {values[-1]:.2g} at width "
        f"{widths[-1]}"
        for name, values in ratios.items()
    ]
    alt = (
        "The norm of a position divided by the norm of a word, against d_model, on "
        f"logarithmic axes, with a dashed line at 1, where they are equal. "
        f"{'; '.join(told)}."
    )
    picture = Picture(8.4, 3.4, alt=alt)
    ax = picture.subplots()
    # The first lies under the last, so it is drawn broad and pale; shapes tell the
    # lines apart without their colours.
    colours, markers = ("#E69F00", GOOD, BAD, "#009E73"), ("o", "s", "^", "D")
    broad = {"linewidth": 8, "alpha": 0.45, "markersize": 12}
    for n, (name, values) in enumerate(ratios.items()):
        look = {"color": colours[n], "marker": markers[n], **(broad if n == 0 else {})}
        ax.plot(widths, values, label=name, **look)
    ax.axhline(1, color=INK, linewidth=0.8, linestyle="--")
    ax.set(xscale="log", yscale="log")
    ax.set_xticks(widths, [str(width) for width in widths])
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.minorticks_off()
    tidy(ax, xlabel="d_model", ylabel="position / word")
    legend_beside(ax)
    return picture


def constructions(measured):
    """Error, time and memory of several ways to build a table, as bars.

    ``measured`` is a DataFrame: a row for each way, a column for each measure; the
    column's name is the axis label. Axes are logarithmic.
    """
    told = [
        f"{name}: "
        + ", ".join(f"{value:.2g} for {way}" for way, value in measured[name].items())
        for name in measured
    ]
    alt = (
        f"Bars for {len(measured)} ways to build the table, in {len(told)} panels. "
        f"{'; '.join(told)}. The bar of {measured.index[-1]} is hatched."
    )
    picture = Picture(9, 2.4, alt=alt)
    axes = np.atleast_1d(picture.subplots(1, len(measured.columns), sharey=True))
    colours = [NEUTRAL] * (len(measured) - 1) + [GOOD]
    for ax, name in zip(axes, measured, strict=True):
        values = measured[name].to_numpy(float)
        bars = ax.barh(measured.index, values, color=colours, height=0.6)
        bars[-1].set(hatch="//", edgecolor="white")
        for y, value in enumerate(values):
            ax.text(value, y, f" {value:.2g}", va="center", fontsize=9, color=INK)
        ax.set_xscale("log")
        ax.set_xlim(values.min() / 3, values.max() * 20)
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.xaxis.set_major_locator(LogLocator(numticks=4))
        tidy(ax, xlabel=name)
    axes[0].invert_yaxis()
    return picture
