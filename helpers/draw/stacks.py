"""Stacks of boxes, for the models of the series: one box for each layer."""

from matplotlib.patches import FancyBboxPatch

from helpers.draw.panels import arrow, sheet, write
from helpers.draw.style import BAD, MUTED

__all__ = ["ROUND", "arrow", "frame", "height_of", "sheet", "stack"]

ROUND = "round,pad=0.02,rounding_size=0.12"


def stack(ax, x, title, names, width):
    """Boxes one above the other, joined by arrows; box n has its middle at height_of(n).

    A name that begins with "+" is marked: there the positions are added.
    """
    for level, name in enumerate(names):
        marked = name.startswith("+")
        look = {"facecolor": "#EEF1F4", "edgecolor": MUTED, "linewidth": 0.8}
        if marked:
            look = {"facecolor": "#FCE5D4", "edgecolor": BAD, "linewidth": 2}
        frame(ax, x, height_of(level), width, 0.6, **look)
        weight = "bold" if marked else "normal"
        write(ax, x, height_of(level), name, fontsize=10, weight=weight)
        if level:
            arrow(ax, (x, level - 0.03), (x, level + 0.33), color=MUTED)
    write(ax, x, len(names) + 0.55, title, weight="bold", fontsize=12)


def frame(ax, x, y, width, height, **look):
    """A box with round corners and its middle at a place; ``look`` is Matplotlib's."""
    corner = x - width / 2, y - height / 2
    look = {"boxstyle": ROUND, **look}
    return ax.add_patch(FancyBboxPatch(corner, width, height, **look))


def height_of(level):
    """The height of the middle of a box."""
    return level + 0.65
