"""Stacks of boxes, for the models of notebooks 01 and 06: one box for each layer."""

from matplotlib.patches import FancyBboxPatch

from helpers.pictures.style import BAD, INK, MUTED, Picture

ROUND = "round,pad=0.02,rounding_size=0.12"
_PLAIN, _MARKED = "#EEF1F4", "#FCE5D4"


def sheet(width, height, reach, *, alt):
    """An empty picture without axes; ``reach`` is where x and y end."""
    picture = Picture(width, height, alt=alt)
    ax = picture.subplots()
    ax.set(xlim=(0, reach[0]), ylim=(0, reach[1]))
    ax.axis("off")
    return picture, ax


def stack(ax, x, title, names, width):
    """Boxes one above the other, joined by arrows; box n has its middle at height_of(n).

    A name that begins with "+" is marked: there the positions are added.
    """
    for level, name in enumerate(names):
        marked = name.startswith("+")
        box = FancyBboxPatch(
            (x - width / 2, height_of(level) - 0.3),
            width,
            0.6,
            boxstyle=ROUND,
            facecolor=_MARKED if marked else _PLAIN,
            edgecolor=BAD if marked else MUTED,
            linewidth=2 if marked else 0.8,
        )
        ax.add_patch(box)
        weight = "bold" if marked else "normal"
        ax.text(x, height_of(level), name, ha="center", va="center", weight=weight)
        if level:
            arrow(ax, (x, level - 0.03), (x, level + 0.33), color=MUTED)
    ax.text(x, len(names) + 0.45, title, ha="center", weight="bold", fontsize=12)


def height_of(level):
    """The height of the middle of a box."""
    return level + 0.65


def arrow(ax, start, end, *, color=INK, **more):
    """An arrow between two points; ``more`` goes to Matplotlib's."""
    look = {"arrowstyle": "-|>", "color": color, **more}
    ax.annotate("", xy=end, xytext=start, arrowprops=look)
