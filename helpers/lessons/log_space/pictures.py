"""Pictures of notebook 02: the broadcast, log space, and where rounding shows."""

import numpy as np

from helpers.draw.boxes import box, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, NEUTRAL, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line, scale
from helpers.draw.style import legend_beside, pale
from helpers.draw.table import table
from helpers.draw.words import listed

__all__ = ["broadcast", "table", "speeds", "speed_errors", "neighbouring_rows"]

_ROUTE_STYLES = (
    (BAD, "o"),
    (GOOD, "s"),
    ("#009E73", "^"),
    (NEUTRAL, "D"),
)


def broadcast(positions, angular_speeds):
    """A column times a row: both are stretched, then multiplied cell by cell."""
    column = np.ravel(positions)
    speeds = np.ravel(angular_speeds)
    n = len(column)
    pairs = len(speeds)
    titles = f"positions ({n}, 1)", f"× speeds ({pairs},)", f"= angles ({n}, {pairs})"
    alt = (
        f"Three grids: {' '.join(titles)}. The column and the row are repeated palely. "
        f"One cell is marked in all three: position {column[3]:g} times the speed of "
        f"pair 2, {speeds[2]:.2g}, is {column[3] * speeds[2]:.2g}."
    )
    like = {"width_ratios": [0.6, 1, 1]}
    picture, axes = panel_row(titles, 9, 3.1, ylabel="position pos", alt=alt, like=like)
    down = [0, 1, 2, 3, None, n - 1]
    across = [0, 1, 2, 3, None, pairs - 1]
    texts = (
        lambda p, i: (f"{column[p]:g}", i == 0),
        lambda p, i: (f"{speeds[i]:.2g}", p == 0),
        lambda p, i: (f"{column[p] * speeds[i]:.2g}", True),
    )
    for ax, text in zip(axes, texts, strict=True):
        _grid(ax, down, across, text)
        box(ax, 1.5, 2.5, fill=False, edgecolor=INK, linewidth=2)
    picture.supxlabel("pair i", fontsize=10, color=INK)
    return picture


def _grid(ax, down, across, text):
    """Cells with their text, strong or pale; None is for rows or columns left out."""
    for y, p in enumerate(down):
        for x, i in enumerate(across):
            if p is None or i is None:
                dots = "⋱" if p is i else "⋮" if p is None else "⋯"
                write(ax, x, y, dots, color=MUTED)
                continue
            label, strong = text(p, i)
            fill = pale(pair_colour(i), 0.3) if strong else "white"
            box(ax, x - 0.5, y - 0.5, facecolor=fill, edgecolor=GRID, linewidth=0.8)
            size = 9 if len(label) < 7 else 8
            write(ax, x, y, label, color=INK if strong else "#6F757B", fontsize=size)
    ax.set(xlim=(-0.6, len(across) - 0.4), ylim=(len(down) - 0.4, -0.6))
    ax.set_xticks(range(len(across)), ["⋯" if i is None else i for i in across])
    ax.set_yticks(range(len(down)), ["⋮" if p is None else p for p in down])
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)


def speeds(angular_speeds):
    """The speeds as they are, and their logarithms: a curve and a straight line."""
    speeds = np.asarray(angular_speeds)
    pair = np.arange(len(speeds))
    logs = np.log(speeds)
    steps = np.diff(logs)
    line = f"a line, {steps.mean():.3g} a pair" if np.ptp(steps) < 1e-4 else "no line"
    below = f"the speeds: {np.sum(speeds < 0.1)} of {len(speeds)} below 0.1"
    titles = below, f"their logarithms: {line}".replace("-", "−")
    alt = (
        f"Two plots over the pair. Left, {below}, from {speeds[0]:.3g} to "
        f"{speeds[-1]:.2g}. Right, {titles[1]}."
    )
    picture, axes = panel_row(titles, 8.4, 3.0, "pair i", alt=alt)
    colours = [pair_colour(i) for i in pair]
    names = ("speed, radians per position", "ln of the speed")
    for ax, values, name in zip(axes, (speeds, logs), names, strict=True):
        ax.plot(pair, values, color=GRID, linewidth=1.5)
        ax.scatter(pair, values, c=colours, s=40, zorder=3)
        ax.set_xticks(pair[:: 1 + len(pair) // 9])
        ax.set_ylabel(name, fontsize=10)
    return picture


def speed_errors(errors):
    """Largest relative error of the speeds at every width, one line per route.

    ``errors`` is a DataFrame: a row for each width, a column for each route, in units
    of 2^-24. The title compares the first two routes.
    """
    one, other = errors.columns[:2]
    more = f"{(errors[one] > errors[other]).sum()} of {len(errors)} widths"
    title = f"the error of {one} exceeds that of {other} at {more}"
    below = listed(route for route in errors if errors[route].max() < 1)
    alt = (
        f"Largest relative error of the speeds, in units of one rounding: {title}. "
        f"Below one unit at every width: {below}."
    )
    labels = "d_model", "largest error, units of $2^{-24}$"
    _, ax = plot(8.4, 3.3, *labels, alt=alt, title=title)
    x = np.arange(len(errors))
    reference_line(ax, y=1, label="one rounding")
    for (colour, marker), route in zip(_ROUTE_STYLES, errors.columns, strict=False):
        ax.plot(x, errors[route], color=colour, marker=marker, linewidth=1, label=route)
    ax.set_xticks(x, errors.index)
    ax.set_ylim(0, 11.5)
    return legend_beside(ax)


def neighbouring_rows(tables, first):
    """A few rows of several tables; ``tables`` maps a title to rows from ``first``.

    Rows that repeat the row above are marked.
    """
    tables = {title: np.asarray(rows) for title, rows in tables.items()}
    count, columns = next(iter(tables.values())).shape
    repeated = {
        title: 1 + np.flatnonzero((rows[1:] == rows[:-1]).all(axis=1))
        for title, rows in tables.items()
    }
    titles = [f"{title}: {len(rows)} repeated" for title, rows in repeated.items()]
    alt = (
        f"Rows {first} to {first + count - 1} of {len(tables)} tables, as colours from "
        "-1 to 1. Rows that repeat the row above are marked at the right. "
        f"{'; '.join(titles)}."
    )
    labels = ("column", "position pos")
    like = {"sharey": True}
    _, axes = panel_row(titles, 9, 3.9, *labels, alt=alt, like=like)
    extent = (-0.5, columns - 0.5, first + count - 0.5, first - 0.5)
    for ax, (title, rows) in zip(axes, tables.items(), strict=True):
        image = heat(ax, rows, aspect="auto", extent=extent)
        for number in repeated[title]:
            write(ax, columns - 0.4, first + number - 0.5, "=", ha="left", fontsize=12)
        ax.set(xticks=range(0, columns, 4), yticks=range(first, first + count, 2))
    return scale(image, axes, "value", shrink=0.9, pad=0.02)
