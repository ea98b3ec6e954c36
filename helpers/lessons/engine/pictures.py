"""Pictures of notebook 10: rows of a batch, offsets in sight, losses, hands."""

import numpy as np

from helpers.draw.boxes import box, sheet, write
from helpers.draw.look import GOOD, GRID, INK, MUTED, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line, scale
from helpers.draw.style import legend_beside, pale
from helpers.draw.words import each, listed

TRAINED = 64  # characters in a window
_LOSS = "loss (nats per character)"


_CAT, _DOG = [0] * 3, [1] * 3
ROWS = {
    "a cache, then one more": ("a␣cat␣sat", range(9), [0] * 8 + [1]),
    "padded on the left": ("···a␣cat", [0, 0, 0, *range(5)], [None] * 3 + [0] * 5),
    "two documents, packed": ("catdog", [0, 1, 2] * 2, _CAT + _DOG),
}


def batches(rows=ROWS):
    """Rows of tokens as boxes, the position of each token below it.

    ``rows`` maps a name to (tokens, positions, groups): tokens of one group have one
    colour, and a group of None is hidden.
    """
    longest = max(len(tokens) for tokens, _, _ in rows.values())

    def said(parts):
        seen = [
            str(p) for p, group in zip(*parts[1:], strict=True) if group is not None
        ]
        hidden = sum(group is None for group in parts[2])
        return f"{hidden} hidden, then positions {listed(seen)}"

    alt = f"Rows of tokens as boxes, with their positions: {each(rows, said)}."
    size = 0.5 * longest + 2.6, 1.0 * len(rows) + 0.1
    reach = longest + 0.1, 0.7
    picture, ax = sheet(*size, reach, (-4.6, -2.0 * len(rows) + 1.0), alt=alt)
    for line, (name, (tokens, positions, groups)) in enumerate(rows.items()):
        y = -2.0 * line
        write(ax, -0.3, y, name, ha="right", fontsize=11)
        parts = zip(tokens, positions, groups, strict=True)
        for x, (token, position, group) in enumerate(parts):
            colour = GRID if group is None else pair_colour(group)
            look = {"fc": pale(colour, 0.25), "ec": colour, "lw": 1.5}
            box(ax, x + 0.06, y - 0.44, 0.88, 0.88, **look)
            write(ax, x + 0.5, y, token, fontsize=12)
            ink = MUTED if group is None else INK
            write(ax, x + 0.5, y - 0.85, str(position), color=ink, fontsize=10)
    return picture


def offsets(panels):
    """The offset of every key from every query, a panel each; nan is out of sight."""
    largest = max(np.nanmax(np.abs(seen)) for seen in panels.values())

    def said(seen):
        ahead = "some keys seem to lie ahead" if np.nanmax(seen) > 0 else "no key ahead"
        return f"{np.isfinite(seen).sum()} offsets in sight, {ahead}"

    alt = (
        "Maps of the offset, query down and key across, hidden keys grey: "
        f"{each(panels, said)}."
    )
    titles = [
        name + ("\nred: keys ahead" if np.nanmax(seen) > 0 else "\n")
        for name, seen in panels.items()
    ]
    picture, axes = panel_row(titles, 9.0, 2.6, "key (place)", "query (place)", alt=alt)
    for ax, seen in zip(axes, panels.values(), strict=True):
        image = heat(ax, seen, (-largest, largest))
        ax.set_facecolor(GRID)  # what is hidden
    return scale(image, axes, "offset that is seen", shrink=0.8)


def along_the_text(places, block=16):
    """Loss against the place; ``places`` maps a name to a loss for each place.

    Means of ``block`` neighbours; the vertical line ends the trained length.
    """
    length = len(next(iter(places.values())))
    means = {
        name: np.reshape(loss, (-1, block)).mean(axis=1)
        for name, loss in places.items()
    }
    level = min(loss[0] for loss in means.values())

    def said(loss):
        return "stays near its level" if loss[-1] < level + 0.4 else "rises"

    alt = (
        f"Loss against the place in {length} characters, trained to {TRAINED} (vertical "
        f"line): {each(means, said)}."
    )
    middles = (np.arange(length // block) + 0.5) * block
    ticks = range(0, length + 1, 32)
    later = {name: loss[TRAINED // block :].mean() for name, loss in means.items()}
    worst = max(later, key=later.get)
    more = later[worst] - min(later.values())
    title = f"Beyond {TRAINED}, “{worst}” loses {more:.1f} nats more than the best"
    _, ax = plot(
        8.2, 3.2, "place in the text", _LOSS, alt=alt, xticks=ticks, title=title
    )
    lines(ax, middles, means, ms=4)
    for width, line in zip((4, 3.5, 2.5, 1.5), ax.lines, strict=False):
        line.set_linewidth(width)  # a curve that lies on another shows
    reference_line(ax, x=TRAINED - 0.5)
    return legend_beside(ax, handlelength=3.5)


def copies(found):
    """Losses on a passage, a bar each: ``found`` maps a group to {bar: loss}."""
    bars = list(next(iter(found.values())))
    told = "; ".join(
        f"{group}: " + ", ".join(f"{bar} {loss:.1f}" for bar, loss in losses.items())
        for group, losses in found.items()
    )
    alt = f"Bars of the loss (nats per character). {told}."
    worth = max(max(loss.values()) - min(loss.values()) for loss in found.values())
    title = f"The losses of a pair differ by {worth:.2f} nats at most"
    _, ax = plot(8.0, 3.0, None, _LOSS, alt=alt, title=title)
    places, width = np.arange(len(found)), 0.8 / len(bars)
    for number, bar in enumerate(bars):
        heights = [losses[bar] for losses in found.values()]
        at = places + (number - (len(bars) - 1) / 2) * width
        look = {"color": pair_colour(number), "label": bar, "edgecolor": GOOD, "lw": 0}
        ax.bar(at, heights, width * 0.9, **look)
    ax.set_xticks(places, list(found))
    return legend_beside(ax)
