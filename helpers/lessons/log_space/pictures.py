"""Pictures of notebook 02: the broadcast, log space, and where rounding shows."""

import numpy as np
from matplotlib.colors import LogNorm

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, NEUTRAL, pair_colour
from helpers.draw.panels import dots, heat, panel_row, plot, reference_line, scale
from helpers.draw.style import SEQUENTIAL, legend_beside, pale
from helpers.draw.words import each, listed, order

_ROUTE_STYLES = ((BAD, "o"), (GOOD, "s"), ("#009E73", "^"), (NEUTRAL, "D"))


def broadcast(positions, angular_speeds):
    """A column times a row: both are stretched, then multiplied cell by cell."""
    column, speeds = np.ravel(positions), np.ravel(angular_speeds)
    n, pairs = len(column), len(speeds)
    alt = (
        f"Three grids. Left: the column of {n} positions, shape ({n}, 1), repeated "
        f"palely {pairs} times. Middle: the row of {pairs} speeds, shape ({pairs},), "
        f"repeated palely downwards. Right: their product, shape ({n}, {pairs}). One "
        f"cell is marked in all three: position {column[3]:g} times the speed of pair "
        f"2, {speeds[2]:.2g}, is {column[3] * speeds[2]:.2g}."
    )
    titles = f"positions ({n}, 1)", f"× speeds ({pairs},)", f"= angles ({n}, {pairs})"
    like = {"width_ratios": [0.6, 1, 1]}
    picture, axes = panel_row(titles, 9, 3.1, ylabel="position pos", alt=alt, like=like)
    down, across = [0, 1, 2, 3, None, n - 1], [0, 1, 2, 3, None, pairs - 1]
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


def filling(tables):
    """A table in the stages of its making; ``tables`` maps a title to each stage.

    Columns without any entry are hatched: nothing has been written there.
    """
    rows, columns = np.shape(next(iter(tables.values())))
    unwritten = {t: np.flatnonzero(~table.any(axis=0)) for t, table in tables.items()}

    def said(empty):
        which = {0: "no column", columns: "all columns"}
        return which.get(len(empty), f"{len(empty)} of {columns} columns")

    alt = (
        f"The {rows} by {columns} table in {len(tables)} stages, as colours from -1 to "
        f"1: {each(unwritten, lambda e: f'{said(e)} unwritten and hatched')}."
    )
    _, axes = _maps(tables, 3.4, alt)
    for ax, (title, table) in zip(axes, tables.items(), strict=True):
        image = heat(ax, table, aspect="auto")
        for column in unwritten[title]:
            look = {"facecolor": "#F4F5F6", "edgecolor": "#B4B9BE", "linewidth": 0}
            box(ax, column - 0.5, -0.5, 1, rows, hatch="///", **look)
        ax.set(xticks=range(0, columns, 2), yticks=range(0, rows, 4))
    return scale(image, axes, "value", shrink=0.9, pad=0.02)


def speeds(angular_speeds):
    """The speeds as they are, and their logarithms: a curve and a straight line."""
    speeds = np.asarray(angular_speeds)
    pair, logs = np.arange(len(speeds)), np.log(speeds)
    steps = np.diff(logs)
    course = f"in steps from {steps.min():.3g} to {steps.max():.3g}."
    if np.ptp(steps) < 1e-4:
        course = f"on a straight line: each step is {steps.mean():.3g}."
    alt = (
        f"Two plots over the pair i, {len(speeds)} pairs. Left: the speeds, from "
        f"{speeds[0]:.3g} to {speeds[-1]:.2g}. Right: their natural logarithms, from "
        f"{logs[0]:.3g} to {logs[-1]:.3g}, {course}"
    )
    picture, axes = panel_row(
        ("the speeds", "their logarithms"), 8.4, 3.0, "pair i", alt=alt
    )
    colours = [pair_colour(i) for i in pair]
    names = ("speed, radians per position", "ln of the speed")
    for ax, values, name in zip(axes, (speeds, logs), names, strict=True):
        ax.plot(pair, values, color=GRID, linewidth=1.5)
        ax.scatter(pair, values, c=colours, s=40, zorder=3)
        ax.set_xticks(pair)
        ax.set_ylabel(name, fontsize=10)
    return picture


def two_versions(right, other):
    """The speeds by the formula, and by another version of it, as bars."""
    versions = {"the formula": right, "another version": other}
    read = {title: [f"{v:.3g}" for v in values] for title, values in versions.items()}
    alt = f"Bars over the pair i, in two panels. {each(read, ', '.join)}."
    labels, like = ("pair i", "radians per position"), {"sharey": True}
    picture, axes = panel_row(versions, 8, 2.8, *labels, alt=alt, like=like, grid=False)
    for ax, (title, values) in zip(axes, versions.items(), strict=True):
        pair = range(len(values))
        colours = [pair_colour(i) for i in pair]
        ax.bar(pair, np.asarray(values), color=colours, width=0.6)
        for i, value in enumerate(values):
            write(ax, i, value, read[title][i], va="bottom")
        ax.set_xticks(pair)
        ax.margins(y=0.15)
    return picture


def stack_and_flatten():
    """Sines and cosines stacked along a new last axis, then flattened."""
    alt = (
        "Left, two grids of 2 rows and 3 columns: sines s and cosines c, shape "
        "(n, pairs) each. Middle, after stack: every sine stands beside its cosine, shape "
        "(n, pairs, 2). Right, after flatten: 6 columns "
        "s, c, s, c, s, c, shape (n, 2 pairs)."
    )
    picture, ax = sheet(9, 2.5, (22.2, -1.5), (-0.1, 5.6), alt=alt)
    for pos, i, half in np.ndindex(2, 3, 2):
        fill = pale(pair_colour(i), 0.15 if half else 0.4)
        look = {"facecolor": fill, "edgecolor": "white", "linewidth": 1.2}
        places = ((i, pos + 2.6 * half), (6.2 + 2.35 * i + half, 1.3 + pos))
        for x, y in (*places, (16 + 2 * i + half, 1.3 + pos)):
            box(ax, x, y, **look)
            write(ax, x + 0.5, y + 0.52, f"${'sc'[half]}_{{{pos}{i}}}$", fontsize=10)
    write(ax, 1.5, -0.45, "sines (n, pairs)", fontsize=10)
    write(ax, 1.5, 5.1, "cosines (n, pairs)", fontsize=10)
    write(ax, 9.55, 0.6, "(n, pairs, 2)", fontsize=10)
    write(ax, 19, 0.6, "(n, 2 · pairs)", fontsize=10)
    for x, label in ((3.35, "stack"), (13.35, "flatten")):
        arrow(ax, (x, 2.3), (x + 2.4, 2.3), linewidth=1.4)
        write(ax, x + 1.2, 1.95, label, va="bottom", fontsize=10)
    return picture


def timings(seconds):
    """Running times on a logarithmic axis; ``seconds`` maps a name to a time."""
    times = np.array(list(seconds.values()))
    ratios = {n: _digits(time / times.min(), ".1f") for n, time in seconds.items()}
    alt = (
        "Running times as dots on a logarithmic axis. In units of the fastest: "
        f"{each(ratios, str)}."
    )
    label = "milliseconds, logarithmic axis"
    picture, ax = plot(8, 0.7 + 0.5 * len(times), label, alt=alt)
    colours = [BAD if t == times.max() else GOOD for t in times]
    shown = [_digits(t, ".2g") for t in times * 1e3]
    both = zip(shown, ratios.values(), strict=True)
    dots(ax, seconds, times * 1e3, [f"{ms} ms ({by} ×)" for ms, by in both], colours)
    return picture


def _digits(number, small):
    return format(number, small if number < 10 else ".0f")


def speed_errors(errors):
    """Largest relative error of the speeds at every width, one line per route.

    ``errors`` is a DataFrame: a row for each width, a column for each route, in units
    of 2^-24.
    """
    highest = errors.idxmax(axis=1)
    others = np.flatnonzero(highest != highest.iloc[-1])
    start = errors.index[others[-1] + 1 if len(others) else 0]
    below = listed(route for route in errors if errors[route].max() < 1)
    alt = (
        f"Largest relative error of the speeds at {len(errors)} widths, in units of one "
        f"rounding. From width {start} on the highest line is that of {highest.iloc[-1]}. "
        f"Below one unit all along: {below}."
    )
    labels, title = (
        ("d_model", "units of $2^{-24}$"),
        "largest relative error of a speed",
    )
    _, ax = plot(8.4, 3.3, *labels, alt=alt, title=title)
    x = np.arange(len(errors))
    reference_line(ax, y=1, label="one rounding")
    for (colour, marker), route in zip(_ROUTE_STYLES, errors.columns, strict=False):
        ax.plot(x, errors[route], color=colour, marker=marker, linewidth=1, label=route)
    ax.set_xticks(x, errors.index)
    ax.set_ylim(0, 11.5)
    return legend_beside(ax)


def error_maps(errors):
    """Absolute errors over (position, column), on one logarithmic colour scale.

    ``errors`` maps a title to a table of absolute errors; each cell drawn is the
    largest of its block, 100 blocks high and 128 wide.
    """
    errors = {title: np.asarray(table) for title, table in errors.items()}
    rows, columns = next(iter(errors.values())).shape
    alt = (
        f"Errors of the table over {rows} positions and {columns} columns as colours, "
        f"in {len(errors)} maps. {each(errors, _where)}."
    )
    _, axes = _maps(errors, 3.7, alt)
    look = {"extent": (0, columns, rows, 0), "interpolation": "nearest"}
    look |= {"aspect": "auto", "norm": LogNorm(1e-9, 1e-3)}
    blocks = (rows, 100), (columns, 128)
    down, across = (np.arange(0, n, max(1, n // count)) for n, count in blocks)
    for ax, table in zip(axes, errors.values(), strict=True):
        worst = np.maximum.reduceat(np.maximum.reduceat(table, down), across, axis=1)
        image = heat(ax, worst.clip(1e-9), (None, None), SEQUENTIAL, **look)
        ax.set_xticks(np.linspace(0, columns, 5))
    return scale(image, axes, "absolute error", shrink=0.9, pad=0.02)


def _where(table):
    """In which quarter of a table the largest values are, as words."""
    high, wide = (max(1, n // 2) for n in table.shape)
    quarters = {
        "top left": table[:high, :wide].max(),
        "top right": table[:high, wide:].max(),
        "bottom left": table[high:, :wide].max(),
        "bottom right": table[high:, wide:].max(),
    }
    if max(quarters.values()) < 1.5 * min(quarters.values()):
        return f"of the order of {order(table.max())} everywhere"
    name = max(quarters, key=quarters.get)
    return f"largest at the {name}, of the order of {order(table.max())}"


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
    alt = (
        f"Rows {first} to {first + count - 1} of {len(tables)} tables, as colours from "
        "-1 to 1. Rows that repeat the row above are marked at the right: "
        f"{each(repeated, lambda rows: len(rows) or 'none')}."
    )
    _, axes = _maps(tables, 3.9, alt)
    extent = (-0.5, columns - 0.5, first + count - 0.5, first - 0.5)
    for ax, (title, rows) in zip(axes, tables.items(), strict=True):
        image = heat(ax, rows, aspect="auto", extent=extent)
        for number in repeated[title]:
            write(ax, columns - 0.4, first + number - 0.5, "=", ha="left", fontsize=12)
        ax.set(xticks=range(0, columns, 4), yticks=range(first, first + count, 2))
    return scale(image, axes, "value", shrink=0.9, pad=0.02)


def _maps(titles, height, alt):
    """Panels side by side for tables of one shape: positions down, columns across."""
    labels, like = ("column", "position pos"), {"sharey": True}
    return panel_row(titles, 9, height, *labels, alt=alt, like=like)
