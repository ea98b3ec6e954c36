"""What every picture of the series shares: axes, sizes, the text alternative."""

import base64
from html import escape

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from helpers.look import (
    BAD,
    GOOD,
    GRID,
    INK,
    MUTED,
    NEUTRAL,
    PAIR_COLOURS,
    ink_on,
    pair_colour,
    small,
)

__all__ = [
    "BAD",
    "DIVERGING",
    "GOOD",
    "GRID",
    "INK",
    "MUTED",
    "NEUTRAL",
    "PAIR_COLOURS",
    "SEQUENTIAL",
    "Picture",
    "curve",
    "ink_on",
    "legend_beside",
    "listed",
    "pair_colour",
    "pale",
    "tidy",
    "write_values",
]

DIVERGING = "RdBu_r"  # signed values, symmetric about zero
SEQUENTIAL = "viridis"  # distances and other sizes

_CURVES = (("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"))

# Dots an inch; a page at its usual size shows 96. In the browser as sharp as the
# charts; the PNG, for what is no browser, with half of the bytes.
DPI, PNG_DPI = 192, 144


class Picture(Figure):
    """A figure that shows itself as a small image, with a text alternative.

    It needs no pyplot, so nothing is drawn twice and nothing is left open. ``alt``
    says in a sentence or two what is seen. JupyterLab reads it out: there the picture
    is an ``<img>`` in Markdown, for which a PNG's metadata have no place. The PNG
    beside it is for what shows notebooks without a browser.
    """

    def __init__(self, width=7.5, height=3.0, *, alt):
        super().__init__(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(self)
        self.alt = alt

    def __repr__(self):
        return self.alt

    def png(self):
        """The picture as PNG bytes."""
        return _smaller(self._drawn())

    def _drawn(self):
        # `savefig` draws twice, first for the layout alone; the pixels are the same.
        usual, self.dpi = self.dpi, DPI
        try:
            self.canvas.draw()
            drawn = Image.fromarray(np.array(self.canvas.buffer_rgba()))
        finally:
            self.dpi = usual
        # IPython's history keeps the picture, its texts and what was left of parsing
        # formulas keep the renderer, and that keeps 4 to 9 MiB of pixels. Shrink it,
        # and begin with an empty canvas again.
        renderer = self.canvas.renderer
        renderer.__init__(1, 1, renderer.dpi)
        FigureCanvasAgg(self)
        return drawn.convert("RGB")

    def _repr_mimebundle_(self, include=None, exclude=None):
        width, height = (round(inches * 96) for inches in self.get_size_inches())
        drawn = self._drawn()
        png, sharp = _smaller(drawn), base64.b64encode(small(drawn, "webp")).decode()
        data = {
            # No height: where the page is narrow, it follows the width.
            "text/markdown": f'<img alt="{_attribute(self.alt)}" width="{width}" '
            f'src="data:image/webp;base64,{sharp}">',
            "image/png": png,
            "text/plain": self.alt,
        }
        size = {"width": width, "height": height}
        return data, {"image/png": {"alt": self.alt, **size}}


def _smaller(drawn):
    size = [round(side * PNG_DPI / DPI) for side in drawn.size]
    return small(drawn.resize(size, Image.Resampling.LANCZOS), "png")


def _attribute(text):
    """Text as it stands in quotes in HTML, with no sign that starts a formula."""
    return escape(text).replace("$", "&#36;").replace("\\", "&#92;")


def tidy(ax, *, title=None, xlabel=None, ylabel=None, grid=True):
    """Quiet axes: no box, pale grid, labels where given. Returns the axes."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(MUTED)
    ax.tick_params(colors=INK, labelsize=9, color=MUTED)
    ax.set_axisbelow(True)
    if grid:
        ax.grid(color=GRID, linewidth=0.6)
    if title:
        ax.set_title(title, fontsize=11, color=INK, loc="left")
    if xlabel:
        ax.set_xlabel(xlabel, fontsize=10, color=INK)
    if ylabel:
        ax.set_ylabel(ylabel, fontsize=10, color=INK)
    return ax


def curve(number):
    """Colour, marker and line of a curve, so that none is told by its colour alone."""
    marker, line = _CURVES[number % len(_CURVES)]
    return {"color": pair_colour(number), "marker": marker, "linestyle": line}


def pale(colour, share):
    """The colour mixed with white; ``share`` of it is left."""
    return tuple(1 - share * (1 - c) for c in to_rgb(colour))


def legend_beside(ax, **more):
    """A legend at the right of the axes; ``more`` goes to Matplotlib's."""
    ax.legend(
        loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=9, **more
    )


def listed(items):
    """Items as English lists them: "a, b and c"; "none" where there are none."""
    *most, last = [str(item) for item in items] or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def write_values(ax, image, form, fontsize):
    """Write into each cell of an image its value, in the ink that is readable there."""
    for (row, column), value in np.ndenumerate(image.get_array()):
        ax.text(
            column,
            row,
            format(value, form),
            ha="center",
            va="center",
            fontsize=fontsize,
            color=ink_on(image.to_rgba(value)),
        )
