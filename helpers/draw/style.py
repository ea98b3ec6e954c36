"""What every picture of the series shares: axes, sizes, the text alternative."""

import base64
from html import escape

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.figure import Figure
from PIL import Image

from helpers.draw.look import DARK, GRID, INK, MUTED, pair_colour, small

# Signed values, symmetric about zero; the ends stay blue and red on dark paper. Cells
# with numbers in them keep to the pale half: there black can be read on white paper and
# its light ink on dark, and so it can on every share from 0 to 1 in BLUES.
_PALE = ["#6AA5CF", "#F7F7F7", "#EBA184"]
DIVERGING = LinearSegmentedColormap.from_list("signed", ["#1F65AD", *_PALE, "#C0391F"])
PALE_DIVERGING = LinearSegmentedColormap.from_list("pale signed", _PALE)
BLUES = LinearSegmentedColormap.from_list("blues", ["#F7FBFF", _PALE[0]])
SEQUENTIAL = "viridis"  # distances and other sizes; as it is on either paper

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
        return _smaller(self.pixels()[0])

    def pixels(self):
        """An image, and what keeps its colours in the dark: (left, top, width, height)."""
        usual, self.dpi = self.dpi, DPI
        try:
            self.canvas.draw()  # `savefig` draws twice, first for the layout alone
            image = Image.fromarray(np.array(self.canvas.buffer_rgba())).convert("RGB")
            ends = [a.axes.bbox for a in self.findobj(_keeps_its_colours)]
            kept = [(b.x0, image.height - b.y1, b.width, b.height) for b in ends]
        finally:
            self.dpi = usual
        # IPython's history keeps the picture, its texts and what was left of parsing
        # formulas keep the renderer, and that keeps 4 to 9 MiB of pixels. Shrink it,
        # and begin with an empty canvas again.
        renderer = self.canvas.renderer
        renderer.__init__(1, 1, renderer.dpi)
        FigureCanvasAgg(self)
        return image, kept

    def _repr_mimebundle_(self, include=None, exclude=None):
        width, height = (round(inches * 96) for inches in self.get_size_inches())
        image, kept = self.pixels()
        # In quotes in HTML, with no sign that starts a formula.
        alt = escape(self.alt).replace("$", "&#36;").replace("\\", "&#92;")
        data = {
            # No height: where the page is narrow, it follows the width.
            "text/markdown": f'<img alt="{alt}" width="{width}" '
            f'src="data:image/svg+xml,{_on_both_papers(image, kept)}">',
            "image/png": _smaller(image),
            "text/plain": self.alt,
        }
        size = {"width": width, "height": height}
        return data, {"image/png": {"alt": self.alt, **size}}


def _keeps_its_colours(artist):
    """Whether this is a map in the sequential colours, its colour bar or an image."""
    array = getattr(artist, "get_array", lambda: None)()
    return array is not None and artist.get_cmap().name in (SEQUENTIAL, "gray")


def _on_both_papers(image, kept):
    """An SVG with the pixels in it, which are recoloured where the page is dark.

    A picture in an <img> cannot see the page, and JupyterLab takes inline SVG and
    styles out. But browsers answer the `prefers-color-scheme` of an SVG in an <img>
    with the `color-scheme` of that <img>, which JupyterLab, Notebook and our site set
    with their theme. One that asks the system instead shows a slab at worst: the paper
    is not transparent, so that no ink is ever unreadable.
    """
    size = "width='{}' height='{}'".format(*image.size)
    matrix = " ".join(f"{v:.4g}" for r in DARK for v in (*r[:3], 0, r[3]))
    places = "".join(
        "<rect x='{:.0f}' y='{:.0f}' width='{:.0f}' height='{:.0f}'/>".format(*place)
        for place in kept
    )
    pixels = base64.b64encode(small(image, "webp")).decode()
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' {size}><style>"
        "@media(prefers-color-scheme:dark){g{filter:url(#d)}}</style>"
        f"<filter id='d' x='0' y='0' {size} filterUnits='userSpaceOnUse' "
        f"color-interpolation-filters='sRGB'><feColorMatrix values='{matrix} 0 0 0 1 0'/>"
        f"</filter><clipPath id='k'>{places}</clipPath><defs><image id='p' {size} "
        f"href='data:image/webp;base64,{pixels}'/></defs><g><use href='#p'/></g>"
        "<use href='#p' clip-path='url(#k)'/></svg>"
    ).translate({ord(sign): f"%{ord(sign):X}" for sign in "<>#"})


def _smaller(image):
    size = [round(side * PNG_DPI / DPI) for side in image.size]
    return small(image.resize(size, Image.Resampling.LANCZOS), "png")


def tidy(ax, *, title=None, xlabel=None, ylabel=None, grid=True, **more):
    """Quiet axes: no box, pale grid, labels where given. Returns the axes.

    ``more`` goes to ``ax.set``.
    """
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.tick_params(colors=INK, labelsize=9, color=MUTED)
    ax.set_axisbelow(True)
    ax.grid(visible=grid, **({"color": GRID, "linewidth": 0.6} if grid else {}))
    if title:
        ax.set_title(title, fontsize=11, color=INK, loc="left")
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


def legend_beside(ax, **more):
    """A legend at the right of the axes; ``more`` goes to it. Returns the picture."""
    look = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "fontsize": 9}
    return ax.legend(frameon=False, **look, **more).figure
