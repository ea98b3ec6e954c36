"""Pictures of notebook 10: rows of a batch, offsets in sight, losses, hands."""

import numpy as np

from helpers.draw.boxes import box, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line, scale
from helpers.draw.style import legend_beside, pale
from helpers.draw.text_loss import LOSS
from helpers.draw.text_loss import along_the_text as along_the_text
from helpers.draw.words import each, listed

_PADDING = "·"
# Tokens column by column, each with its position.
_ROWS = {
    "padded": [(0, _PADDING)] * 3 + [*enumerate("a␣cat")],
    "packed": [*enumerate("cat"), *enumerate("dog")],
}


def batches():
    """Rows of tokens as boxes, the column of each above it, its position below it."""
    moved = [
        position != column
        for row in _ROWS.values()
        for column, (position, token) in enumerate(row)
        if token != _PADDING
    ]
    told = each(_ROWS, lambda row: listed(f"{token} at {n}" for n, token in row))
    picture, ax = sheet(
        2.7,
        (8.1, 1.1),
        (-2.1, -3.9),
        width=6.3,
        alt=f"Two rows of tokens with columns and positions: {told}.",
        title=(
            f"For {sum(moved)} of {len(moved)} tokens (orange), position and column "
            "differ"
        ),
    )
    for y, (name, row) in zip((0, -2.8), _ROWS.items(), strict=True):
        for up, said in (0.78, "column"), (0, name), (-0.8, "position"):
            write(ax, -0.3, y + up, said, ha="right", fontsize=11)
        for column, (position, token) in enumerate(row):
            colour = (GOOD, BAD)[position != column]
            if token == _PADDING:
                colour = GRID
            x = column + 0.5
            box(
                ax,
                x - 0.44,
                y - 0.44,
                0.88,
                0.88,
                lw=1.5,
                fc=pale(colour, 0.25),
                ec=colour,
            )
            write(ax, x, y, token, fontsize=12)
            write(ax, x, y + 0.78, column, color=MUTED, fontsize=10)
            write(ax, x, y - 0.8, position, fontsize=10)
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
        name: f"a key seems ahead {(seen > 0).sum()} times"
        for name, seen in panels.items()
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
    _, ax = plot(
        3.0,
        "hand, and its turns in training",
        "saved, % of the added loss",
        alt=f"By hand, in percent: {listed(f'{height:.0f}' for height in heights)}.",
        title=(
            f"Slowing hand {most} alone, which made {turns[most]:.2g} turns, saves "
            f"{heights[most]:.0f}% of the added loss"
        ),
    )
    labels = [f"{n}\n{turn:.2g}" for n, turn in enumerate(turns)]
    bars = ax.bar(labels, heights, color=GOOD)
    bars[most].set_color(BAD)
    ax.bar_label(
        bars,
        fmt=lambda high: f"{high:.0f}".replace("-", "−"),
        color=INK,
        padding=3,
    )
    ax.margins(y=0.15)
    reference_line(ax, y=0, linestyle="-")
    return ax.figure


def copies(found):
    """Losses on a passage, a bar each: ``found`` maps a group to {bar: loss}."""
    apart = max(np.ptp(list(losses.values())) for losses in found.values())
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
        title=f"The losses of a pair differ by {apart:.2f} nats at most",
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
