"""What every picture of the series shares: axes, sizes, the text alternative."""

import base64
import textwrap
from html import escape

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.figure import Figure
from PIL import Image

from helpers.draw.frontend import JUPYTER, frontend
from helpers.draw.look import (
    DIVERGING_COLOURS,
    GRID,
    INK,
    MUTED,
    as_png,
    follows_theme,
    pair_colour,
)

# Signed values, symmetric about zero; the ends stay blue and red on dark paper. Cells
# with numbers in them keep to the pale half: there black can be read on white paper and
# its light ink on dark, and so it can on every share from 0 to 1 in BLUES.
_PALE = DIVERGING_COLOURS[1:-1]
DIVERGING = LinearSegmentedColormap.from_list("signed", DIVERGING_COLOURS)
PALE_DIVERGING = LinearSegmentedColormap.from_list("pale signed", _PALE)
BLUES = LinearSegmentedColormap.from_list("blues", ["#F7FBFF", _PALE[0]])
SEQUENTIAL = "viridis"  # distances and other sizes; as it is on either paper

_CURVES = (("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"))

# Pixels of a page for an inch, and of the picture for a pixel of the page.
_PAGE_DPI = 96
_SHARPNESS = 2
WIDE = 9  # inches: the line of a page


class Picture(Figure):
    """A figure that shows itself as a small image, with a text alternative.

    It needs no pyplot, so nothing is drawn twice and nothing is left open. ``title``
    is one sentence that says what is found, above all panels; the text alternative
    begins with it, and ``alt`` goes on with what is seen. The picture is a PNG, which
    every viewer of stored notebooks shows; in a live JupyterLab it is also an ``<img>``
    in Markdown, which follows the theme and has the words in it.
    """

    def __init__(self, width=WIDE, height=3.0, *, alt, title=None):
        super().__init__(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(self)
        self.alt = alt
        if title:
            self.alt = f"{title}. {alt}"
            self.suptitle(
                textwrap.fill(title, round(10.5 * width)),
                x=0.006,
                ha="left",
                fontsize=11.25,
                fontweight="bold",
                color=INK,
            )

    def __repr__(self):
        return self.alt

    def png(self):
        """The picture as PNG bytes."""
        return as_png(self.pixels()[0])

    def pixels(self):
        """An image, and what keeps its colours in the dark: (left, top, width, height)."""
        usual = self.dpi
        self.dpi = _SHARPNESS * _PAGE_DPI
        try:
            self.canvas.draw()  # `savefig` draws twice, first for the layout alone
            image = Image.fromarray(np.array(self.canvas.buffer_rgba())).convert("RGB")
            ends = [a.axes.bbox for a in self.findobj(_keeps_its_colours)]
            kept = [(b.x0, image.height - b.y1, b.width, b.height) for b in ends]
        finally:
            self.dpi = usual
        # IPython's history keeps the picture, its texts and what was left of parsing
        # formulas keep the renderer, and that keeps 4 to 9 MiB of pixels: 30 in 01.
        # Shrink it, and begin with an empty canvas again.
        renderer = self.canvas.renderer
        renderer.__init__(1, 1, renderer.dpi)
        FigureCanvasAgg(self)
        return image, kept

    def _repr_mimebundle_(self, include=None, exclude=None):
        width, height = (round(side * _PAGE_DPI) for side in self.get_size_inches())
        image, kept = self.pixels()
        png = as_png(image)
        about = {"alt": self.alt, "width": width, "height": height}
        if kept:
            about["keeps_colours"] = [
                [round(float(length)) / _SHARPNESS for length in box] for box in kept
            ]
        data = {"image/png": png, "text/plain": self.alt}
        if frontend() == JUPYTER:
            # In quotes in HTML, with no sign that starts a formula.
            alt = escape(self.alt).replace("$", "&#36;").replace("\\", "&#92;")
            source = follows_theme(base64.b64encode(png).decode(), about)
            # No height: where the page is narrow, it follows the width.
            data["text/markdown"] = f'<img alt="{alt}" width="{width}" src="{source}">'
        return data, {"image/png": about}


def _keeps_its_colours(artist):
    """Whether this is a map in the sequential colours, its colour bar or an image."""
    array = getattr(artist, "get_array", lambda: None)()
    return array is not None and artist.get_cmap().name in (SEQUENTIAL, "gray")


def style_axes(ax, *, title=None, xlabel=None, ylabel=None, grid=True, **more):
    """Quiet axes: no box, pale grid, labels where given. Returns the axes.

    ``more`` goes to ``ax.set``.
    """
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.tick_params(colors=INK, labelsize=9, color=MUTED)
    ax.set_axisbelow(True)
    ax.grid(visible=grid, **({"color": GRID, "linewidth": 0.6} if grid else {}))
    if title:
        ax.set_title(title, fontsize=10, color=INK, loc="left")
    for name, text in (("xlabel", xlabel), ("ylabel", ylabel)):
        if text:
            getattr(ax, f"set_{name}")(text, fontsize=10, color=INK)
    ax.set(**more)
    return ax


def curve(number):
    """Colour, marker and line of a curve, so that none is told by its colour alone."""
    marker, line = _CURVES[number % len(_CURVES)]
    return {"color": pair_colour(number), "marker": marker, "linestyle": line}


def pale(colour, share):
    """The colour mixed with white; ``share`` of it is left."""
    return tuple(1 - share * (1 - c) for c in to_rgba(colour)[:3])


def dark(colour):
    """The colour, mixed with black until text in it can be read on white."""
    return tuple(0.75 * c for c in to_rgba(colour)[:3])


def legend_beside(ax, **more):
    """A legend at the right of the axes; ``more`` goes to it. Returns the picture."""
    return ax.legend(
        frameon=False, loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9, **more
    ).figure


def name_lines(ax):
    """Each line's label at its right end, in its colour. Returns the picture."""
    ax.autoscale_view()  # which Matplotlib else does when it draws
    named = [line for line in ax.lines if not line.get_label().startswith("_")]
    shares = ax.transScale + ax.transLimits
    ends = [shares.transform(line.get_xydata()[-1])[1] for line in named]
    least = -np.inf
    for line, end in sorted(zip(named, ends, strict=True), key=lambda both: both[1]):
        least = max(end, least)
        ax.text(
            1.015,
            least,
            line.get_label(),
            fontsize=10,
            color=dark(line.get_color()),
            ha="left",
            va="center",
            transform=ax.transAxes,
        )
        least += 0.07  # of the height of the axes, from label to label
    return ax.figure
