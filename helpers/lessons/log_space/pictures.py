"""Pictures of notebook 02: the broadcast, log space, and where rounding shows."""

import numpy as np

from helpers.draw.boxes import box, write
from helpers.draw.look import GOOD, GRID, INK, MUTED, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line
from helpers.draw.style import name_lines, pale
from helpers.draw.table import whole_waves as whole_waves
from helpers.draw.words import listed


def broadcast(positions, angular_speeds):
    """A column times a row: both are stretched, then multiplied cell by cell."""
    column = np.ravel(positions)
    speeds = np.ravel(angular_speeds)
    n = len(column)
    pairs = len(speeds)
    product = f"{column[3]} × {speeds[2]:.2g} = {column[3] * speeds[2]:.2g}"
    titles = f"positions ({n}, 1)", f"× speeds ({pairs},)", f"= angles ({n}, {pairs})"
    picture, axes = panel_row(
        titles,
        3.6,
        "pair i, every second one",
        "position pos",
        alt=(
            f"Three grids: {' '.join(titles)}. The column and the row are repeated "
            "palely. The cell of position 3 and pair 2 is marked in all three."
        ),
        title=(
            "A column times a row: each is repeated (pale) until every cell has both, "
            f"as in {product}"
        ),
    )
    tables = np.broadcast_arrays(
        column[:, None],
        speeds,
        np.outer(column, speeds),
    )
    given = (n, 1), (1, pairs), (n, pairs)
    for ax, table, shape in zip(axes, tables, given, strict=True):
        _grid(ax, table, shape)
        box(ax, 0.5, 2.5, fill=False, edgecolor=INK, linewidth=2)
    return picture


def _grid(ax, table, given):
    """Some cells of a table, strong as far as the ``given`` shape reaches, else pale."""
    down = [0, 1, 2, 3, None, len(table) - 1]
    across = range(0, table.shape[1], 2)
    for y, p in enumerate(down):
        for x, i in enumerate(across):
            if p is None:
                write(ax, x, y, "⋮", color=MUTED)
                continue
            strong = p < given[0] and i < given[1]
            box(
                ax,
                x - 0.5,
                y - 0.5,
                facecolor=pale(pair_colour(i), 0.3) if strong else "white",
                edgecolor=GRID,
                linewidth=0.8,
            )
            write(
                ax,
                x,
                y,
                f"{table[p, i]:.2g}",
                color=INK if strong else "#6F757B",
                fontsize=10,
            )
    ax.set(xlim=(-0.6, len(across) - 0.4), ylim=(len(down) - 0.4, -0.6))
    ax.set_xticks(range(len(across)), across)
    ax.set_yticks(range(len(down)), ["⋮" if p is None else p for p in down])
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)


def speeds(angular_speeds):
    """The speeds on a logarithmic axis, where those of the formula lie on a line."""
    speeds = np.asarray(angular_speeds)
    pair = np.arange(len(speeds))
    factors = speeds[1:] / speeds[:-1]
    between = listed(sorted({f"{end:.3g}" for end in (factors.min(), factors.max())}))
    below = np.sum(speeds < 0.1 * (1 - 1e-6))  # float32 has 0.1 as 0.0999999
    picture, ax = plot(
        3.6,
        "pair i",
        "speed, radians per position (log scale)",
        alt=(
            "The speed of each pair, on a logarithmic axis, from "
            f"{speeds[0]:.3g} down to {speeds[-1]:.2g}."
        ),
        title=(
            f"{below} of {len(speeds)} speeds are below 0.1, and the factor from each "
            f"to the next is {between}"
        ),
        yscale="log",
    )
    ax.plot(pair, speeds, "o-", color=GOOD, linewidth=1.2, markersize=7)
    reference_line(ax, y=0.1, label="0.1")
    ax.set_xticks(pair)
    ax.yaxis.set_major_formatter("{x:g}")
    return picture


def speed_errors(errors):
    """Largest relative error of the speeds at every width, one line per route.

    ``errors`` is a DataFrame: a row for each width, a column for each route, in units
    of 2^-24. The title compares the first two routes.
    """
    one, other = errors.columns[:2]
    more = f"{(errors[one] > errors[other]).sum()} of {len(errors)} widths"
    below = listed(route for route in errors if errors[route].max() < 1)
    _, ax = plot(
        3.6,
        "d_model",
        "largest error, units of $2^{-24}$",
        alt=(
            "Largest relative error of the speeds, in units of one rounding. Below "
            f"one unit at every width: {below}."
        ),
        title=f"The error of {one} exceeds that of {other} at {more}",
        ylim=(0, 11.5),
    )
    x = np.arange(len(errors))
    lines(ax, x, errors)
    reference_line(ax, y=1)
    ax.set_xticks(x, errors.index)
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
    picture, axes = panel_row(
        tables,
        4.4,
        "column",
        "position pos",
        alt=(
            f"Rows {first} to {first + count - 1} of {len(tables)} tables, as colours "
            "from -1 to 1. Where a row equals the one above, a frame holds both."
        ),
        title=f"Rows that equal the row above them: {found}",
        like={"sharey": True},
    )
    extent = (-0.5, columns - 0.5, first + count - 0.5, first - 0.5)
    for ax, (name, rows) in zip(axes, tables.items(), strict=True):
        heat(ax, rows, aspect="auto", extent=extent)
        for number in first + repeated[name]:
            box(
                ax,
                -0.5,
                number - 1.5,
                columns,
                2,
                fill=False,
                edgecolor=INK,
                linewidth=2,
            )
            write(ax, columns - 0.3, number - 0.5, "=", ha="left", fontsize=14)
        ax.set(xticks=range(0, columns, 4), yticks=range(first, first + count, 2))
    return picture
