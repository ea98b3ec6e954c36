"""What stands on an empty sheet: text, boxes, arrows, and a model as a stack of boxes."""

from matplotlib.patches import FancyBboxPatch, Rectangle

from helpers.draw.look import BAD, INK, MUTED
from helpers.draw.style import WIDE, Picture

_ROUND = "round,pad=0.02,rounding_size=0.12"


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
        write(
            ax,
            x,
            height_of(level),
            name,
            fontsize=10,
            weight="bold" if marked else "normal",
        )
        if level:
            arrow(ax, (x, level - 0.03), (x, level + 0.33), color=MUTED)
    write(ax, x, len(names) + 0.55, title, weight="bold", fontsize=12)


def frame(ax, x, y, width, height, **look):
    """A box with round corners and its middle at a place; ``look`` is Matplotlib's."""
    corner = x - width / 2, y - height / 2
    look = {"boxstyle": _ROUND, **look}
    return ax.add_patch(FancyBboxPatch(corner, width, height, **look))


def height_of(level):
    """The height of the middle of a box."""
    return level + 0.65


def sheet(height, reach, start=(0, 0), *, alt, title=None, width=WIDE):
    """An empty picture without axes, from ``start`` to ``reach``. Returns both."""
    picture = Picture(width, height, alt=alt, title=title)
    ax = picture.subplots()
    ax.set(xlim=(start[0], reach[0]), ylim=(start[1], reach[1]))
    ax.axis("off")
    return picture, ax


def write(ax, x, y, text, **look):
    """Text at a place, centred unless told."""
    look = {"ha": "center", "va": "center", "fontsize": 9, "color": INK, **look}
    return ax.text(x, y, text, **look)


def box(ax, x, y, width=1, height=1, **look):
    """A rectangle with a corner at a place."""
    return ax.add_patch(Rectangle((x, y), width, height, **look))


def arrow(ax, start, end, *, color=INK, **more):
    """An arrow between two points; ``more`` goes to Matplotlib's."""
    ax.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={"arrowstyle": "-|>", "color": color, **more},
        annotation_clip=False,
    )
