"""What pictures and explorables share: colours, contrast, small files.

Imports nothing that draws, so that either can be had without the other.
"""

import io

# Okabe and Ito's palette, safe for colour-blind readers; pair i of a table has the
# same colour in every picture and chart. (Their yellow is too pale for thin lines.)
PAIR_COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7"),
    *("#56B4E9", "#E69F00", "#7F7F7F", "#8C6D31"),
)
INK, MUTED, GRID, PAPER = "#1B1B1B", "#5F6368", "#D9DCE0", "#FFFFFF"
GOOD, BAD, NEUTRAL = "#0072B2", "#D55E00", "#5F6368"
# What a chart's darker colours become on a dark page; the others have 4.5 to 1 on both.
LIFTED = {"#0072B2": "#2F93D6", "#8C6D31": "#B08D4C", "#5F6368": "#8A9096"}
VEGA_LITE = "5.21"  # draws the still pictures and the site; JupyterLab has its own 5.x
VEGA_MIME = "application/vnd.vegalite.v5+json"

# What a dark page makes of a colour: the grey in it goes from white = 0.07 to black =
# 0.94, and what it has beside the grey stays. Rows: red, green, blue; columns: 1 too.
_LUMA = (0.2126, 0.7152, 0.0722)
DARK = [
    [(row == n) - 1.87 * w for n, w in enumerate(_LUMA)] + [0.94] for row in (0, 1, 2)
]


def pair_colour(pair):
    """The colour of a pair of columns, the same all through the series."""
    return PAIR_COLOURS[pair % len(PAIR_COLOURS)]


def luminance(colour):
    """Relative luminance by WCAG 2, from 0 for black to 1 for white.

    ``colour`` is ``"#rrggbb"`` or at least three numbers from 0 to 1; of four, the
    last is not looked at.
    """
    if isinstance(colour, str):
        colour = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = (
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour
    )
    return sum(share * v for share, v in zip(_LUMA, linear, strict=False))


def contrast(one, other):
    """Contrast of two colours by WCAG 2, from 1 to 21; text needs 4.5."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(colour):
    """Black or white, whichever has the better contrast on this colour."""
    inks = {"black": "#000000", "white": "#ffffff"}
    return max(inks, key=lambda ink: contrast(inks[ink], colour))


def small(image, kind):
    """A Pillow image (RGB) as the bytes of a PNG or WebP of at most 256 colours.

    The palette spans all colours, however rare; none is off by more than a few of 255
    levels.
    """
    from PIL import Image

    few = image.quantize(
        256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
    )
    stream = io.BytesIO()
    if kind == "webp":
        # More effort saves a tenth of the bytes and takes 12 MiB more, which then stay
        # with the student's kernel.
        few.convert("RGB").save(stream, kind, lossless=True, quality=20, method=3)
    else:
        few.save(stream, kind, optimize=True)
    return stream.getvalue()
