"""What every picture of the series shares: colours, sizes, the text alternative."""

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

# Okabe and Ito's palette, safe for colour-blind readers; pair i of a table has the
# same colour in every picture and chart. (Their yellow is too pale for thin lines.)
PAIR_COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#000000",
    "#8C6D31",
)
INK, MUTED, GRID = "#1B1B1B", "#5F6368", "#D9DCE0"
GOOD, BAD, NEUTRAL = "#0072B2", "#D55E00", "#5F6368"
DIVERGING = "RdBu_r"  # signed values, symmetric about zero
SEQUENTIAL = "viridis"  # distances and other sizes

DPI = 144  # half as many again as a page shows (96), for sharp text on a projector


def pair_colour(pair):
    """The colour of a pair of columns, the same all through the series."""
    return PAIR_COLOURS[pair % len(PAIR_COLOURS)]


class Picture(Figure):
    """A figure that shows itself as a small PNG, with a text alternative.

    It needs no pyplot, so nothing is drawn twice and nothing is left open. ``alt``
    says in a sentence or two what is seen; the notebook stores it beside the image.
    """

    def __init__(self, width=7.5, height=3.0, *, alt):
        super().__init__(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(self)
        self.alt = alt

    def __repr__(self):
        return self.alt

    def png(self):
        """The picture as PNG bytes of at most 128 colours."""
        full = io.BytesIO()
        self.savefig(full, format="png", dpi=DPI, facecolor="white")
        small = io.BytesIO()
        Image.open(full).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(
            small, format="png", optimize=True
        )
        return small.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        width, height = self.get_size_inches() * 96
        size = {"width": round(width), "height": round(height)}
        data = {"image/png": self.png(), "text/plain": self.alt}
        return data, {"image/png": {"alt": self.alt, **size}}


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
