"""An encoding table as a picture, for notebooks 00 and 01."""

import numpy as np

from helpers.draw.panels import heat, plot, scale


def table(encoding):
    """An encoding table as a picture, ``encoding`` of shape (positions, columns)."""
    n, width = encoding.shape
    alt = (
        f"Heat map of an encoding table of {n} positions (down) and {width} columns "
        f"(across), from blue for -1 to red for 1. {calm_side(encoding)}"
    )
    picture, ax = plot(7.5, 3.6, "column", "position", alt=alt)
    scale(heat(ax, encoding, aspect="auto"), ax, "value")
    ax.spines[:].set_visible(False)
    return picture


def calm_side(table):
    """A sentence that says how much the two halves of a table change, row by row."""
    change = np.abs(np.diff(table, axis=0)).mean(axis=0)
    left, right = (half.mean() for half in np.array_split(change, 2))
    return (
        f"From one row to the next a value changes by {left:.2g} on average in the left "
        f"half of the columns, and by {right:.2g} in the right half."
    )
