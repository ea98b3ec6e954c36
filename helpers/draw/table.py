"""An encoding table as a picture, for notebooks 00 and 01."""

import numpy as np

from helpers.draw.boxes import write
from helpers.draw.panels import heat, plot, scale
from helpers.draw.turns import turn_lengths


def whole_waves(encoding):
    """The table, divided where its hands stop going round within these positions.

    ``encoding`` has the shape (positions, columns).
    """
    n, width = encoding.shape
    whole = 2 * np.sum(turn_lengths(encoding) <= n)
    picture = table(encoding, f"Only {whole} of {width} columns hold a whole wave")
    ax = picture.axes[0]
    ax.axvline(whole - 0.5, color="black", linewidth=2.5)
    write(
        ax,
        whole - 0.5,
        -0.55,
        f"← a whole wave in {n} positions",
        ha="left",
        va="bottom",
        fontsize=10,
    )
    return picture


def table(encoding, title):
    """An encoding table as a picture, ``encoding`` of shape (positions, columns)."""
    n, width = encoding.shape
    alt = (
        f"Heat map of an encoding table of {n} positions (down) and {width} columns "
        f"(across), from blue for -1 to red for 1. {calm_side(encoding)}"
    )
    picture, ax = plot(4.2, "column", "position", alt=alt, title=title)
    scale(heat(ax, encoding, aspect="auto"), ax, "value", ticks=[-1, 0, 1])
    ax.spines[:].set_visible(False)
    ax.locator_params(integer=True)
    return picture


def calm_side(table):
    """A sentence that says how much the two halves of a table change, row by row."""
    change = np.abs(np.diff(table, axis=0)).mean(axis=0)
    left, right = (half.mean() for half in np.array_split(change, 2))
    return (
        f"From one row to the next a value changes by {left:.2g} on average in the left "
        f"half of the columns, and by {right:.2g} in the right half."
    )
