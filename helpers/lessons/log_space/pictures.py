"""Pictures of notebook 02: the broadcast, log space, and where rounding shows."""

import numpy as np

from helpers.draw.boxes import box, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, NEUTRAL, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line
from helpers.draw.style import WIDE, name_lines, pale
from helpers.draw.table import whole_waves
from helpers.draw.words import listed

__all__ = ["broadcast", "whole_waves", "speeds", "speed_errors", "neighbouring_rows"]

_ROUTE_STYLES = ((BAD, "o"), (GOOD, "s"), ("#009E73", "^"), (NEUTRAL, "D"))


def broadcast(positions, angular_speeds):
    """A column times a row: both are stretched, then multiplied cell by cell."""
    column, speeds = np.ravel(positions), np.ravel(angular_speeds)
    n, pairs = len(column), len(speeds)
    short = [i for i, speed in enumerate(speeds) if _is_short(speed)]
    across = short if len(short) > 2 else range(pairs)
    if len(across) < pairs:
        across = [*across[:3], None, *across[3:]][:5]
    row, pair = 3, across[1]
    product = f"{column[row]:g} × {speeds[pair]:.2g} = {column[row] * speeds[pair]:.2g}"
    titles = f"positions ({n}, 1)", f"× speeds ({pairs},)", f"= angles ({n}, {pairs})"
    head = (
        "A column times a row: each is repeated (pale) until every cell has both, "
        f"as in {product}"
    )
    alt = (
        f"Three grids: {' '.join(titles)}. The column and the row are repeated palely. "
        f"One cell is marked in all three: position {column[row]:g} times the speed of "
        f"pair {pair}, {speeds[pair]:.2g}, is {column[row] * speeds[pair]:.2g}."
    )
    size = WIDE, 3.6, None, "position pos"
    picture, axes = panel_row(titles, *size, alt=alt, title=head)
    down = [0, 1, 2, 3, None, n - 1]
    texts = (
        lambda p, i: (f"{column[p]:g}", i == 0),
        lambda p, i: (f"{speeds[i]:.2g}", p == 0),
        lambda p, i: (f"{column[p] * speeds[i]:.2g}", True),
    )
    for ax, text in zip(axes, texts, strict=True):
        _grid(ax, down, across, text)
        box(ax, 0.5, 2.5, fill=False, edgecolor=INK, linewidth=2)
    shown = listed(i for i in across if i is not None)
    told = (
        f"pair i (of {pairs}, shown are {shown})" if len(across) < pairs else "pair i"
    )
    picture.supxlabel(told, fontsize=10, color=INK)
    return picture


def _is_short(number):
    """Whether two digits write it exactly, so that products agree with what is written."""
    return abs(number - float(f"{number:.2g}")) < 1e-9 * number


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
            write(ax, x, y, label, color=INK if strong else "#6F757B", fontsize=10)
    ax.set(xlim=(-0.6, len(across) - 0.4), ylim=(len(down) - 0.4, -0.6))
    ax.set_xticks(range(len(across)), ["⋯" if i is None else i for i in across])
    ax.set_yticks(range(len(down)), ["⋮" if p is None else p for p in down])
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)


def speeds(angular_speeds):
    """The speeds on a logarithmic axis, where those of the formula lie on a line."""
    speeds = np.asarray(angular_speeds)
    pair = np.arange(len(speeds))
    factors = speeds[1:] / speeds[:-1]
    below = np.sum(speeds < 0.1 * (1 - 1e-6))  # float32 has 0.1 as 0.0999999
    line = "they are not on a line"
    if np.ptp(np.log(factors)) < 1e-4:
        line = f"each is {factors.mean():.3g} of the one before, so they lie on a line"
    head = f"{below} of {len(speeds)} speeds are below 0.1, and {line}"
    alt = (
        f"The speed of each pair, on a logarithmic axis, from {speeds[0]:.3g} down to "
        f"{speeds[-1]:.2g}. {head}."
    )
    labels = "pair i", "speed, radians per position (log scale)"
    picture, ax = plot(WIDE, 3.6, *labels, alt=alt, title=head, yscale="log")
    ax.plot(pair, speeds, "o-", color=GOOD, linewidth=1.2, markersize=7)
    reference_line(ax, y=0.1, label="0.1")
    ax.set_xticks(pair[:: 1 + len(pair) // 20])
    ax.yaxis.set_major_formatter("{x:g}")
    return picture


def speed_errors(errors):
    """Largest relative error of the speeds at every width, one line per route.

    ``errors`` is a DataFrame: a row for each width, a column for each route, in units
    of 2^-24. The title compares the first two routes.
    """
    one, other = errors.columns[:2]
    more = f"{(errors[one] > errors[other]).sum()} of {len(errors)} widths"
    title = f"The error of {one} exceeds that of {other} at {more}"
    below = listed(route for route in errors if errors[route].max() < 1)
    alt = (
        f"Largest relative error of the speeds, in units of one rounding: {title}. "
        f"Below one unit at every width: {below}."
    )
    labels = "d_model", "largest error, units of $2^{-24}$"
    _, ax = plot(WIDE, 3.6, *labels, alt=alt, title=title)
    x = np.arange(len(errors))
    look = {"color": MUTED, "linestyle": "--", "linewidth": 1}
    ax.axhline(1, label="one rounding", **look)
    for (colour, marker), route in zip(_ROUTE_STYLES, errors.columns, strict=False):
        ax.plot(x, errors[route], color=colour, marker=marker, linewidth=1, label=route)
    ax.set_xticks(x, errors.index)
    ax.set_ylim(0, 11.5)
    return name_lines(ax)


def neighbouring_rows(tables, first):
    """A few rows of several tables; ``tables`` maps a title to rows from ``first``.

    Rows that repeat the row above are marked.
    """
    tables = {name: np.asarray(rows) for name, rows in tables.items()}
    count, columns = next(iter(tables.values())).shape
    repeated = {
        name: 1 + np.flatnonzero((rows[1:] == rows[:-1]).all(axis=1))
        for name, rows in tables.items()
    }
    found = listed(f"{len(rows)} in {name}" for name, rows in repeated.items())
    head = f"Rows that equal the row above them: {found}"
    alt = (
        f"Rows {first} to {first + count - 1} of {len(tables)} tables, as colours from "
        "-1 to 1. Rows that equal the row above are marked at the right, at the border "
        f"between the two. {head}."
    )
    labels, like = ("column", "position pos"), {"sharey": True}
    size = WIDE, 4.4, *labels
    picture, axes = panel_row(tables, *size, alt=alt, title=head, like=like)
    extent = (-0.5, columns - 0.5, first + count - 0.5, first - 0.5)
    for ax, (name, rows) in zip(axes, tables.items(), strict=True):
        heat(ax, rows, aspect="auto", extent=extent)
        for number in repeated[name]:
            y, look = first + number - 0.5, {"ha": "left", "fontweight": "bold"}
            box(ax, -0.5, y - 1, columns, 2, fill=False, edgecolor=INK, linewidth=2)
            write(ax, columns - 0.3, y, "=", fontsize=14, **look)
        ax.set(xticks=range(0, columns, 4), yticks=range(first, first + count, 2))
    return picture
