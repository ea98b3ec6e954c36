"""What pictures and explorables share: colours, contrast, small files.

Imports nothing that draws, so that either can be had without the other.
"""

import io

# Okabe and Ito's palette, safe for colour-blind readers; pair i of a table has the
# same colour in every picture and chart. Their yellow is too pale for thin lines, and
# so are their sky blue and orange: here these have 3 to 1 on white, as WCAG asks, in
# hues that colour-blind readers still tell from the others.
PAIR_COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7"),
    *("#3193F5", "#A39041", "#7F7F7F", "#8C6D31"),
)
INK, MUTED, GRID, PAPER = "#1B1B1B", "#5F6368", "#D9DCE0", "#FFFFFF"
GOOD, BAD, NEUTRAL = "#0072B2", "#D55E00", "#5F6368"
# What a chart's darker colours become on a dark page; the others have 4.5 to 1 on both.
ON_DARK = {
    "#0072B2": "#2F93D6",
    "#8C6D31": "#B08D4C",
    "#5F6368": "#8A9096",
    "#3193F5": "#56B4E9",
    "#A39041": "#E69F00",  # these as Okabe and Ito have them
}
# Signed values from blue through white to red; `style` has Matplotlib's map of them.
DIVERGING_COLOURS = ("#1F65AD", "#6AA5CF", "#F7F7F7", "#EBA184", "#C0391F")
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


def as_png(image):
    """A Pillow image (RGB) as the bytes of a PNG of at most 256 colours.

    The palette spans all colours, however rare; none is off by more than a few of 255
    levels.
    """
    from PIL import Image

    few = image.quantize(
        256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
    )
    stream = io.BytesIO()
    few.save(stream, "png", optimize=True)
    return stream.getvalue()


def follows_theme(png, about):
    """The address of an SVG with a picture in it, which is recoloured in the dark.

    ``png`` is the picture in base64; ``about``, the metadata of `Picture` beside it, has
    ``width``, ``height`` and what ``keeps_colours``.

    A picture in an <img> cannot see the page, and JupyterLab takes inline SVG and
    styles out. But browsers answer the `prefers-color-scheme` of an SVG in an <img>
    with the `color-scheme` of that <img>, which JupyterLab, Notebook and our site set
    with their theme. One that asks the system instead shows a slab at worst: the paper
    is not transparent, so that no ink is ever unreadable.
    """
    size = f"width='{about['width']}' height='{about['height']}'"
    matrix = " ".join(f"{v:.4g}" for r in DARK for v in (*r[:3], 0, r[3]))
    places = "".join(
        f"<rect x='{left}' y='{top}' width='{width}' height='{height}'/>"
        for left, top, width, height in about.get("keeps_colours", [])
    )
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' {size}><style>"
        "@media(prefers-color-scheme:dark){g{filter:url(#d)}}</style>"
        f"<filter id='d' x='0' y='0' {size} filterUnits='userSpaceOnUse' "
        f"color-interpolation-filters='sRGB'><feColorMatrix values='{matrix} 0 0 0 1 0'/>"
        f"</filter><clipPath id='k'>{places}</clipPath><defs><image id='p' {size} "
        f"href='data:image/png;base64,{png}'/></defs><g><use href='#p'/></g>"
        "<use href='#p' clip-path='url(#k)'/></svg>"
    )
    escaped = svg.translate({ord(sign): f"%{ord(sign):X}" for sign in "<>#"})
    return f"data:image/svg+xml,{escaped}"
