"""Pictures of notebook 10: rows of a batch, offsets in sight, losses, hands."""

import numpy as np

from helpers.draw.boxes import box, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line, scale
from helpers.draw.style import legend_beside, pale
from helpers.draw.text_loss import LOSS
from helpers.draw.text_loss import along_the_text as along_the_text
from helpers.draw.words import each, listed

_HIDDEN = "···"
_ROWS = {"padded": (_HIDDEN, "a␣cat"), "packed": ("cat", "dog")}


def batches():
    """Rows of tokens as boxes, the position of each token below it, hidden ones grey."""
    shown = "".join(text for row in _ROWS.values() for text in row if text != _HIDDEN)
    moved = "".join(second for _, second in _ROWS.values())
    title = f"For {len(moved)} of {len(shown)} tokens, the column is wrong"
    alt = (
        f"Two rows of tokens with their positions: {each(_ROWS, listed)}, "
        "positions counted anew in each text."
    )
    picture, ax = sheet(1.95, (8.1, 0.7), (-2.1, -3.0), width=4.4, alt=alt, title=title)
    for y, (name, (first, second)) in zip((0, -2), _ROWS.items(), strict=True):
        write(ax, -0.3, y, name, ha="right", fontsize=11)
        for number, text in enumerate((first, second)):
            hidden = text == _HIDDEN
            colour = GRID if hidden else pair_colour(number)
            for position, token in enumerate(text):
                x = position + number * len(first) + 0.5
                box(
                    ax,
                    x - 0.44,
                    y - 0.44,
                    0.88,
                    0.88,
                    fc=pale(colour, 0.25),
                    ec=colour,
                    lw=1.5,
                )
                write(ax, x, y, token, fontsize=12)
                said, ink = ("0", MUTED) if hidden else (str(position), INK)
                write(ax, x, y - 0.85, said, color=ink, fontsize=10)
    return picture


def offsets(ways):
    """The offset of every key from every query that sees it, a panel each.

    ``ways`` maps a name to (positions, which keys a query sees), ``(1, length)`` and
    ``(…, length, length)``, as `LanguageModel` takes them.
    """
    panels = {
        name: np.where(seen, positions - positions.mT, np.nan).reshape(seen.shape[-2:])
        for name, (positions, seen) in ways.items()
    }
    told = {
        name: f"{(seen > 0).sum()} keys seem ahead" for name, seen in panels.items()
    }
    picture, axes = panel_row(
        [f"{name}: {said}" for name, said in told.items()],
        5.2,
        "key (place)",
        "query (place)",
        width=6.0,
        alt=f"Maps of the offset, query down and key across: {each(told, str)}.",
        columns=2,
    )
    largest = np.nanmax(np.abs(list(panels.values())))
    for ax, seen in zip(axes, panels.values(), strict=True):
        image = heat(ax, seen, (-largest, largest))
        ax.set_facecolor(GRID)  # what is hidden
    return scale(image, axes, "offset that is seen", shrink=0.6)


def hands(turns, saved):
    """What it saves to slow one hand at a time: a bar for each, over its turns."""
    heights = 100 * np.asarray(saved)
    most = heights.argmax()
    labels = [f"{n}\n{turn:.2g}" for n, turn in enumerate(turns)]
    title = (
        f"Hand {most}, of {turns[most]:.2g} turns, slowed alone saves "
        f"{heights[most]:.0f} %"
    )
    alt = f"By hand, in percent: {listed(f'{height:.0f}' for height in heights)}."
    _, ax = plot(
        3.0, "hand, and its turns", "saved (%)", width=5.6, alt=alt, title=title
    )
    bars = ax.bar(labels, heights, color=GOOD)
    bars[most].set_color(BAD)
    ax.bar_label(bars, fmt=lambda height: f"{height:.0f}".replace("-", "−"), color=INK)
    ax.margins(y=0.12)
    reference_line(ax, y=0, linestyle="-")
    return ax.figure


def copies(found):
    """Losses on a passage, a bar each: ``found`` maps a group to {bar: loss}."""
    apart = max(np.ptp(list(losses.values())) for losses in found.values())
    title = f"The losses of a pair differ by {apart:.2f} nats at most"
    told = each(
        found,
        lambda losses: listed(f"{bar} {loss:.1f}" for bar, loss in losses.items()),
    )
    _, ax = plot(
        3.2,
        None,
        LOSS,
        width=5.6,
        alt=f"Bars of the loss: {told}.",
        title=title,
    )
    places = np.arange(len(found))
    for number, name in enumerate(next(iter(found.values()))):
        bars = ax.bar(
            places + 0.4 * number,
            [losses[name] for losses in found.values()],
            0.36,
            color=pair_colour(number),
            label=name,
        )
        ax.bar_label(bars, fmt="%.2f", color=INK)
    ax.set_xticks(places + 0.2, list(found))
    return legend_beside(ax)
