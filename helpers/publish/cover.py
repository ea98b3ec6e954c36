"""README's moving picture: eight hands write the table.

``python -m helpers.publish.cover`` writes ``notebooks/cover.webp``, which moves, and
``notebooks/cover.png``, its last frame, for readers who want no motion and for the pages
that show a picture of a link.
"""

import io

import numpy as np
from matplotlib.patches import Circle
from PIL import Image

from helpers import encoding
from helpers.draw.boxes import box, sheet, write
from helpers.draw.look import INK, MUTED, as_png, pair_colour
from helpers.draw.style import DIVERGING
from helpers.publish.lesson import NOTEBOOKS

WIDTH = 16
ROWS = 64
_STEP, _FRAME_MS, _REST_MS = 2, 90, 1600  # positions a frame; how long frames stand
_DIALS, _NEW, _TABLE = 12.1, 10.1, 9.2  # heights: the dials, the new row, the table


def frame(pos):
    """The hands at a position, and the rows of the table that they have written."""
    table = encoding.positional_encoding(ROWS, WIDTH)
    # README and the site say in words what is seen.
    picture, ax = sheet(6.3, (WIDTH + 0.2, 13.9), (-0.2, 0.4), width=7.6, alt="")
    for pair in range(WIDTH // 2):
        _hand(ax, pair, *table[pos, 2 * pair : 2 * pair + 2])
    for column, value in enumerate(table[pos]):
        box(
            ax,
            column + 0.03,
            _NEW - 0.35,
            0.94,
            0.7,
            linewidth=0.8,
            facecolor=DIVERGING((value + 1) / 2),
            edgecolor=INK,
        )
    high = 8.6 / ROWS
    shown = np.full((ROWS, WIDTH), np.nan)
    shown[: pos + 1] = table[: pos + 1]
    ax.imshow(
        shown,
        DIVERGING,
        aspect="auto",
        vmin=-1,
        vmax=1,
        extent=(0, WIDTH, _TABLE - high * ROWS, _TABLE),
    )
    box(
        ax,
        -0.08,
        _TABLE - high * (pos + 1) - 0.03,
        WIDTH + 0.16,
        high + 0.06,
        fill=False,
        edgecolor=INK,
        linewidth=1.4,
    )
    write(
        ax,
        0,
        13.6,
        "positional encoding: the hands write the table",
        ha="left",
        fontsize=11,
        weight="bold",
    )
    ax.set(xlim=(-0.2, WIDTH + 0.2), ylim=(0.4, 13.9))
    return picture


def _hand(ax, pair, sine, cosine):
    x = 2 * pair + 1
    radius = 0.78
    colour = pair_colour(pair)
    ax.add_patch(
        Circle((x, _DIALS), radius, fill=False, edgecolor=MUTED, linewidth=0.8)
    )
    tip = x + radius * sine, _DIALS + radius * cosine
    for column in (x - 0.5, x + 0.5):
        ax.plot(
            [tip[0], column],
            [tip[1], _NEW + 0.38],
            linestyle=(0, (2, 2)),
            linewidth=0.9,
            color=colour,
        )
    ax.plot([x, tip[0]], [_DIALS, tip[1]], color=colour, linewidth=2.4)
    ax.plot(*tip, "o", color=colour, markersize=5)


def images():
    """The frames as images of the same size."""
    for pos in range(0, ROWS, _STEP):
        picture = frame(pos)
        buffer = io.BytesIO()
        picture.savefig(buffer, dpi=96)
        yield Image.open(buffer).convert("RGB")


def write_cover(folder=NOTEBOOKS):
    """Write both files into a folder; returns their paths."""
    first, *others = images()
    times = [_FRAME_MS] * len(others) + [_REST_MS]
    paths = folder / "cover.webp", folder / "cover.png"
    first.save(
        paths[0],
        save_all=True,
        append_images=others,
        duration=times,
        loop=0,
        quality=60,
        method=6,
    )
    paths[1].write_bytes(as_png(others[-1]))
    return paths


if __name__ == "__main__":
    print(*write_cover(), sep="\n")
