"""What pictures are made of: plots, heat maps, lines."""

import numpy as np

from helpers.draw.boxes import write
from helpers.draw.look import INK, MUTED, ink_on
from helpers.draw.style import (
    DIVERGING,
    PALE_DIVERGING,
    WIDE,
    Picture,
    curve,
    style_axes,
)


def plot(height, xlabel=None, ylabel=None, *, alt, title=None, width=WIDE, **more):
    """A picture with one pair of axes; ``more`` goes to `style_axes`. Returns both."""
    picture = Picture(width, height, alt=alt, title=title)
    return picture, style_axes(picture.subplots(), xlabel=xlabel, ylabel=ylabel, **more)


def panel_row(
    heads,
    height,
    xlabel=None,
    ylabel=None,
    *,
    alt,
    title=None,
    width=WIDE,
    columns=0,
    like=(),
    **more,
):
    """A picture with a panel for each head, ``columns`` in a row. Returns it and them.

    ``like`` goes to Matplotlib's ``subplots``, ``more`` to `style_axes`; the ``ylabel``
    stands at the left alone, the ``title`` above all.
    """
    heads = list(heads)
    columns = columns or len(heads)
    shape = -(-len(heads) // columns), columns
    picture = Picture(width, height, alt=alt, title=title)
    grid = picture.subplots(*shape, squeeze=False, **dict(like)).flat
    for ax in grid[len(heads) :]:
        ax.set_axis_off()
    for place, head in enumerate(heads):
        style_axes(
            grid[place],
            title=head,
            xlabel=xlabel,
            ylabel=None if place % columns else ylabel,
            **more,
        )
    return picture, list(grid[: len(heads)])


def heat(ax, values, limits=(-1, 1), cmap=DIVERGING, written=None, size=9, **more):
    """A heat map; ``written`` is the format of the values in its cells. Returns it.

    ``more`` goes to ``imshow``.
    """
    values = np.asarray(values)
    if written and cmap is DIVERGING:
        cmap = PALE_DIVERGING
    image = ax.imshow(values, cmap=cmap, vmin=limits[0], vmax=limits[1], **more)
    style_axes(ax, grid=False)
    if written:
        for (y, x), value in np.ndenumerate(image.get_array()):
            write(
                ax,
                x,
                y,
                format(value, written).replace("-", "−"),
                color=ink_on(image.to_rgba(value)),
                fontsize=size,
            )
        ax.set(xticks=range(values.shape[1]), yticks=range(values.shape[0]))
    return image


def scale(image, axes, label="", **more):
    """The colours of a heat map, and what they mean, beside axes. Returns the picture."""
    bar = image.figure.colorbar(image, ax=axes, **more)
    bar.set_label(label, fontsize=10, color=INK)
    bar.ax.tick_params(labelsize=9, color=MUTED, labelcolor=INK)
    bar.outline.set_visible(False)
    return image.figure


def lines(ax, x, curves, **look):
    """A line for each name, told apart not by colour alone."""
    for number, (name, values) in enumerate(curves.items()):
        ax.plot(x, values, label=name, **{**curve(number), **look})


def reference_line(ax, x=None, y=None, label="", **look):
    """A quiet line upright at ``x``, or at a height ``y``, its label at its right end."""
    look = {"color": MUTED, "linewidth": 1, "linestyle": (0, (4, 3)), **look}
    if y is None:
        ax.axvline(x, **look)
    else:
        ax.axhline(y, **look)
        if label:
            write(
                ax,
                1.01,
                y,
                label,
                color=look["color"],
                ha="left",
                transform=ax.get_yaxis_transform(),
            )
