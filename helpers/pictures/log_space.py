"""Pictures of notebook 02: the broadcast, log space, and where rounding shows."""

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.patches import Rectangle

from helpers.pictures.style import (
    BAD,
    DIVERGING,
    GOOD,
    GRID,
    INK,
    MUTED,
    NEUTRAL,
    SEQUENTIAL,
    Picture,
    legend_beside,
    pair_colour,
    pale,
    tidy,
)

_ROUTE_STYLES = ((BAD, "o"), (GOOD, "s"), ("#009E73", "^"), (NEUTRAL, "D"))


def broadcast(positions, angular_speeds):
    """A column times a row: both are stretched, then multiplied cell by cell."""
    column, row = np.ravel(positions), np.ravel(angular_speeds)
    n, pairs = len(column), len(row)
    alt = (
        f"Three grids. Left: the column of {n} positions, shape ({n}, 1), repeated "
        f"palely {pairs} times. Middle: the row of {pairs} speeds, shape ({pairs},), "
        f"repeated palely downwards. Right: their product, shape ({n}, {pairs}). One "
        f"cell is marked in all three: position {column[3]:g} times the speed of pair "
        f"2, {row[2]:.2g}, is {column[3] * row[2]:.2g}."
    )
    picture = Picture(9, 3.1, alt=alt)
    axes = picture.subplots(1, 3, gridspec_kw={"width_ratios": [0.6, 1, 1]})
    down, across = [0, 1, 2, 3, None, n - 1], [0, 1, 2, 3, None, pairs - 1]
    grids = [
        (f"positions ({n}, 1)", lambda p, i: f"{column[p]:g}", lambda p, i: i == 0),
        (f"× speeds ({pairs},)", lambda p, i: f"{row[i]:.2g}", lambda p, i: p == 0),
        (
            f"= angles ({n}, {pairs})",
            lambda p, i: f"{column[p] * row[i]:.2g}",
            lambda p, i: True,
        ),
    ]
    for ax, (title, text, own) in zip(axes, grids, strict=True):
        _grid(ax, down, across, text, own)
        ax.set_title(title, fontsize=11, color=INK)
        ax.add_patch(
            Rectangle((1.5, 2.5), 1, 1, fill=False, edgecolor=INK, linewidth=2)
        )
    axes[0].set_ylabel("position pos", fontsize=10, color=INK)
    picture.supxlabel("pair i", fontsize=10, color=INK)
    return picture


def _grid(ax, down, across, text, own):
    """Cells with their text; None stands for rows or columns left out."""
    for y, p in enumerate(down):
        for x, i in enumerate(across):
            if p is None or i is None:
                dots = "⋱" if p is i else "⋮" if p is None else "⋯"
                ax.text(x, y, dots, ha="center", va="center", color=MUTED, fontsize=9)
                continue
            strong = own(p, i)
            ax.add_patch(
                Rectangle(
                    (x - 0.5, y - 0.5),
                    1,
                    1,
                    facecolor=pale(pair_colour(i), 0.3) if strong else "white",
                    edgecolor=GRID,
                    linewidth=0.8,
                )
            )
            colour = INK if strong else "#6F757B"
            label = text(p, i)
            size = 9 if len(label) < 7 else 8
            ax.text(x, y, label, ha="center", va="center", color=colour, fontsize=size)
    ax.set(xlim=(-0.6, len(across) - 0.4), ylim=(len(down) - 0.4, -0.6))
    ax.set_xticks(range(len(across)), ["⋯" if i is None else i for i in across])
    ax.set_yticks(range(len(down)), ["⋮" if p is None else p for p in down])
    ax.tick_params(labelsize=9, length=0, labelcolor=INK)
    ax.spines[:].set_visible(False)


def filling(tables):
    """Stages of one table side by side; ``tables`` maps a title to an array."""
    tables = {title: np.asarray(table) for title, table in tables.items()}
    rows, columns = next(iter(tables.values())).shape
    unwritten = {
        title: np.flatnonzero(~table.any(axis=0)) for title, table in tables.items()
    }
    said = "; ".join(
        f"{title}, {_columns(len(empty), columns)} unwritten and hatched"
        for title, empty in unwritten.items()
    )
    alt = (
        f"The {rows} by {columns} table in {len(tables)} stages, as colours from -1 to "
        f"1: {said}."
    )
    picture = Picture(9, 3.4, alt=alt)
    axes = picture.subplots(1, len(tables), sharey=True, squeeze=False)[0]
    for ax, (title, table) in zip(axes, tables.items(), strict=True):
        image = ax.imshow(table, cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto")
        for column in unwritten[title]:
            ax.add_patch(
                Rectangle(
                    (column - 0.5, -0.5),
                    1,
                    rows,
                    facecolor="#F4F5F6",
                    edgecolor="#B4B9BE",
                    hatch="///",
                    linewidth=0,
                )
            )
        tidy(ax, title=title, xlabel="column", grid=False)
        ax.set_xticks(range(0, columns, 2))
    axes[0].set_ylabel("position pos", fontsize=10, color=INK)
    axes[0].set_yticks(range(0, rows, 4))
    _colourbar(picture, image, axes, "value")
    return picture


def _columns(count, of):
    return (
        "no column"
        if not count
        else "all columns"
        if count == of
        else (f"{count} of {of} columns")
    )


def speeds(angular_speeds):
    """The speeds as they are, and their logarithms: a curve and a straight line."""
    speeds = np.asarray(angular_speeds)
    pair = np.arange(len(speeds))
    logs = np.log(speeds)
    steps = np.diff(logs)
    even = np.ptp(steps) < 1e-4
    alt = (
        f"Two plots over the pair i, {len(speeds)} pairs. Left: the speeds, from "
        f"{speeds[0]:.3g} to {speeds[-1]:.2g}. Right: their natural logarithms, from "
        f"{logs[0]:.3g} to {logs[-1]:.3g}, "
        + (
            f"on a straight line: each step is {steps.mean():.3g}."
            if even
            else f"in steps from {steps.min():.3g} to {steps.max():.3g}."
        )
    )
    picture = Picture(8.4, 3.0, alt=alt)
    left, right = picture.subplots(1, 2)
    for ax, values in ((left, speeds), (right, logs)):
        ax.plot(pair, values, color=GRID, linewidth=1.5)
        ax.scatter(pair, values, c=[pair_colour(i) for i in pair], s=40, zorder=3)
    tidy(
        left, title="the speeds", xlabel="pair i", ylabel="speed, radians per position"
    )
    tidy(right, title="their logarithms", xlabel="pair i", ylabel="ln of the speed")
    for ax in (left, right):
        ax.set_xticks(pair[:: max(1, len(pair) // 8)])
    return picture


def two_versions(right, other):
    """The speeds by the formula, and by another version of it, as bars."""
    right, other = np.asarray(right), np.asarray(other)
    titles = ("the formula", "the bracket moved")
    alt = "Bars over the pair i. " + " ".join(
        f"{side}, {title}: {', '.join(f'{value:.3g}' for value in values)}."
        for side, title, values in zip(
            ("Left", "Right"), titles, (right, other), strict=True
        )
    )
    picture = Picture(8, 2.8, alt=alt)
    axes = picture.subplots(1, 2, sharey=True)
    for ax, values, title in zip(axes, (right, other), titles, strict=True):
        pair = range(len(values))
        ax.bar(pair, values, color=[pair_colour(i) for i in pair], width=0.6)
        for i, value in enumerate(values):
            ax.text(i, value, f"{value:.3g}", ha="center", va="bottom", fontsize=9)
        tidy(ax, title=title, xlabel="pair i", grid=False)
        ax.set_xticks(pair)
    axes[0].set_ylabel("radians per position", fontsize=10, color=INK)
    axes[0].set_ylim(0, max(right.max(), other.max()) * 1.15)
    return picture


def stack_and_flatten():
    """Sines and cosines stacked along a new last axis, then flattened."""
    alt = (
        "Left, two grids of 2 rows and 3 columns: sines s and cosines c, shape "
        "(n, pairs) each. Middle, after stack along axis 2: every cell holds a sine "
        "beside its cosine, shape (n, pairs, 2). Right, after flatten: 6 columns "
        "s, c, s, c, s, c, shape (n, 2 pairs)."
    )
    picture = Picture(9, 2.5, alt=alt)
    ax = picture.subplots()
    ax.set(xlim=(-0.1, 22.2), ylim=(5.6, -1.5))
    ax.axis("off")
    for pos in range(2):
        for i in range(3):
            for half, letter in enumerate("sc"):
                name = f"${letter}_{{{pos}{i}}}$"
                _cell(ax, i, pos + 2.6 * half, name, i, half)
                _cell(ax, 6.2 + 2.35 * i + half, 1.3 + pos, name, i, half)
                _cell(ax, 16 + 2 * i + half, 1.3 + pos, name, i, half)
    for x, y, label in (
        (1.5, -0.45, "sines (n, pairs)"),
        (1.5, 5.1, "cosines (n, pairs)"),
        (9.55, 0.6, "(n, pairs, 2)"),
        (19, 0.6, "(n, 2 · pairs)"),
    ):
        ax.text(x, y, label, ha="center", va="center", fontsize=10, color=INK)
    for x, label in ((3.35, "stack\ndim=2"), (13.35, "flatten(1)")):
        ax.annotate(
            "",
            xy=(x + 2.4, 2.3),
            xytext=(x, 2.3),
            arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.4},
        )
        ax.text(x + 1.2, 1.95, label, ha="center", va="bottom", fontsize=10, color=INK)
    return picture


def _cell(ax, x, y, label, pair, half):
    ax.add_patch(
        Rectangle(
            (x, y),
            1,
            1,
            facecolor=pale(pair_colour(pair), 0.4 if half == 0 else 0.15),
            edgecolor="white",
            linewidth=1.2,
        )
    )
    ax.text(x + 0.5, y + 0.52, label, ha="center", va="center", fontsize=10, color=INK)


def timings(seconds):
    """Bars of running times on a log axis; ``seconds`` maps a name to a time."""
    names, times = list(seconds), np.array(list(seconds.values()))
    ratios = times / times.min()
    alt = "Running times as bars on a logarithmic axis. In units of the fastest: " + (
        ", ".join(f"{n} {_ratio(r)}" for n, r in zip(names, ratios, strict=True)) + "."
    )
    picture = Picture(8, 0.7 + 0.45 * len(names), alt=alt)
    ax = picture.subplots()
    colours = [BAD if t == times.max() else GOOD for t in times]
    ax.barh(names, times * 1e3, color=colours, height=0.6)
    for y, time in enumerate(times * 1e3):
        shown = f"{time:.0f}" if time >= 100 else f"{time:.2g}"
        label = f" {shown} ms ({_ratio(ratios[y])} ×)"
        ax.text(time, y, label, va="center", fontsize=9, color=INK)
    ax.set_xscale("log")
    ax.set_xlim(times.min() * 1e3 / 3, times.max() * 1e3 * 12)
    ax.invert_yaxis()
    tidy(ax, xlabel="milliseconds, logarithmic axis")
    return picture


def _ratio(ratio):
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def speed_errors(errors):
    """Largest relative error of the speeds at every width, one line per route.

    ``errors`` is a DataFrame: a row for each width, a column for each route, in units
    of 2^-24.
    """
    alt = (
        f"Largest relative error of the speeds at {len(errors)} widths, in units of one "
        f"rounding. {_highest(errors)} "
        + " ".join(
            f"{route} stays below one unit."
            for route, values in errors.items()
            if values.max() < 1
        )
    ).strip()
    picture = Picture(8.4, 3.3, alt=alt)
    ax = picture.subplots()
    x = np.arange(len(errors))
    ax.axhline(1, color=MUTED, linewidth=1, linestyle="--")
    ax.text(x[-1] + 0.4, 1, "one\nrounding", va="center", fontsize=9, color=MUTED)
    for (colour, marker), route in zip(_ROUTE_STYLES, errors.columns, strict=False):
        ax.plot(x, errors[route], color=colour, marker=marker, linewidth=1, label=route)
    tidy(ax, xlabel="d_model", ylabel="units of $2^{-24}$")
    ax.set_title(
        "largest relative error of a speed", fontsize=11, color=INK, loc="left", pad=22
    )
    ax.set_xticks(x, errors.index)
    ax.set_ylim(0, 11.5)
    ax.legend(
        frameon=False,
        fontsize=9,
        ncols=len(errors.columns),
        loc="lower left",
        bbox_to_anchor=(0, 0.98),
        borderaxespad=0,
    )
    return picture


def _highest(errors):
    """From which width on one route has the largest error, as a sentence."""
    highest = errors.idxmax(axis=1)
    last = highest.iloc[-1]
    others = np.flatnonzero(highest != last)
    start = errors.index[others[-1] + 1 if len(others) else 0]
    return f"From width {start} on the highest line is that of {last}."


def error_maps(errors, cells=(100, 128)):
    """Absolute errors over (position, column), on one logarithmic colour scale.

    ``errors`` maps a title to a table of absolute errors; each cell drawn is the
    largest of its block.
    """
    errors = {title: np.asarray(table) for title, table in errors.items()}
    rows, columns = next(iter(errors.values())).shape
    alt = (
        f"Errors of the table over {rows} positions and {columns} columns as colours, "
        f"in {len(errors)} maps. "
        + "; ".join(f"{title}: {_where(table)}" for title, table in errors.items())
        + "."
    )
    picture = Picture(9, 3.7, alt=alt)
    axes = picture.subplots(1, len(errors), sharey=True, squeeze=False)[0]
    for ax, (title, table) in zip(axes, errors.items(), strict=True):
        image = ax.imshow(
            _largest_of_blocks(table, cells).clip(1e-9),
            cmap=SEQUENTIAL,
            norm=LogNorm(1e-9, 1e-3),
            aspect="auto",
            extent=(0, columns, rows, 0),
            interpolation="nearest",
        )
        tidy(ax, title=title, xlabel="column", grid=False)
        ax.set_xticks(np.linspace(0, columns, 5))
    axes[0].set_ylabel("position pos", fontsize=10, color=INK)
    _colourbar(picture, image, axes, "absolute error")
    return picture


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
        return f"of the order of {_order(table.max())} everywhere"
    name = max(quarters, key=quarters.get)
    return f"largest, of the order of {_order(table.max())}, at the {name}"


def _order(value):
    """A power of ten that is the same for all values near this one."""
    return f"1e{int(np.floor(np.log10(value))):+03d}"


def _largest_of_blocks(table, cells):
    tall, wide = (max(1, n // m) for n, m in zip(table.shape, cells, strict=True))
    rows = np.maximum.reduceat(table, np.arange(0, table.shape[0], tall), axis=0)
    return np.maximum.reduceat(rows, np.arange(0, table.shape[1], wide), axis=1)


def error_by_position(errors):
    """Largest error up to each position, on log axes, with the rounding of an angle.

    ``errors`` maps a route to an array with one error for each position.
    """
    so_far = {
        route: np.maximum.accumulate(np.asarray(values))
        for route, values in errors.items()
    }
    last = len(next(iter(so_far.values()))) - 1
    said = "; ".join(
        f"{route} {_climb(values, last)}" for route, values in so_far.items()
    )
    alt = (
        f"The largest error up to each position, to {last}, on logarithmic axes: {said}. "
        "A dashed line is half the gap between float32 numbers of the size of the "
        "position; a dotted line is what rounding a value to bfloat16 may cost, "
        f"{2.0**-9:.0e}."
    )
    picture = Picture(8.6, 3.9, alt=alt)
    ax = picture.subplots()
    position = np.arange(1, last + 1)
    half_gap = np.spacing(position.astype(np.float32)) / 2
    for (colour, _), (route, values) in zip(
        _ROUTE_STYLES, so_far.items(), strict=False
    ):
        ax.plot(
            position,
            values[1:],
            color=colour,
            linewidth=1.6,
            label=route,
        )
    ax.plot(
        position,
        half_gap,
        color=INK,
        linewidth=1,
        linestyle="--",
        drawstyle="steps-post",
        label="half the gap between float32 angles",
    )
    ax.axhline(
        2.0**-9, color=MUTED, linestyle=":", label="rounding a value to bfloat16"
    )
    ax.set(xscale="log", yscale="log", ylim=(1e-8, 1e-2))
    tidy(ax, xlabel="position pos", ylabel="largest error so far")
    legend_beside(ax)
    return picture


def _climb(values, last):
    """Whether a curve rises from a tenth of the way to its end, as words."""
    rises = values[last] > 2 * values[max(1, last // 10)]
    way = "rises to" if rises else "stays at"
    return f"{way} the order of {_order(values[last])}"


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
    said = "; ".join(
        f"{title}: {_repetitions(len(r))}" for title, r in repeated.items()
    )
    alt = (
        f"Rows {first} to {first + count - 1} of {len(tables)} tables, as colours from "
        f"-1 to 1. Repetitions are marked at the right: {said}."
    )
    picture = Picture(9, 3.9, alt=alt)
    axes = picture.subplots(1, len(tables), sharey=True, squeeze=False)[0]
    for ax, (title, rows) in zip(axes, tables.items(), strict=True):
        image = ax.imshow(
            rows,
            cmap=DIVERGING,
            vmin=-1,
            vmax=1,
            aspect="auto",
            extent=(-0.5, columns - 0.5, first + count - 0.5, first - 0.5),
        )
        for row in repeated[title]:
            ax.annotate(
                "=",
                (columns - 0.4, first + row - 0.5),
                va="center",
                fontsize=12,
                color=INK,
                annotation_clip=False,
            )
        tidy(ax, title=title, xlabel="column", grid=False)
        ax.set_xticks(range(0, columns, 4))
    axes[0].set_ylabel("position pos", fontsize=10, color=INK)
    axes[0].set_yticks(range(first, first + count, 2))
    _colourbar(picture, image, axes, "value")
    return picture


def _repetitions(count):
    if count == 1:
        return "1 row repeats the row above"
    return f"{count} rows repeat the row above" if count else "none"


def _colourbar(picture, image, axes, label):
    bar = picture.colorbar(image, ax=axes, shrink=0.9, pad=0.02)
    bar.set_label(label, fontsize=10, color=INK)
    bar.ax.tick_params(labelsize=9)
    bar.outline.set_visible(False)
    return bar
