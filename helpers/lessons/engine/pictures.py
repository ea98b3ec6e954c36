"""Pictures of notebook 10: rows of a batch, offsets in sight, losses, hands."""

import numpy as np

from helpers.draw.boxes import box, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line, scale
from helpers.draw.style import pale
from helpers.draw.words import each, listed

TRAINED = 64  # characters in a window
_LOSS = "loss (nats per character)"


_CAT, _DOG = [0] * 3, [1] * 3
ROWS = {
    "padded": ("···a␣cat", [0, 0, 0, *range(5)], [None] * 3 + [0] * 5),
    "packed": ("catdog", [0, 1, 2] * 2, _CAT + _DOG),
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
    size = 0.34 * longest + 0.9, 0.75 * len(rows) + 0.35
    reach = longest + 0.1, 0.7
    picture, ax = sheet(*size, reach, (-2.1, -2.0 * len(rows) + 1.0), alt=alt)
    moved = [
        column != position
        for _, positions, groups in rows.values()
        for column, (position, group) in enumerate(zip(positions, groups, strict=True))
        if group is not None
    ]
    title = f"For {sum(moved)} of {len(moved)} tokens, the column is wrong"
    ax.set_title(title, loc="left", fontsize=10)
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


def offsets(ways):
    """The offset of every key from every query that sees it, a panel each.

    ``ways`` maps a name to (positions, which keys a query sees), ``(1, length)`` and
    ``(…, length, length)``, as `LanguageModel` takes them.
    """
    panels = {
        name: np.where(seen, positions - positions.mT, np.nan).reshape(seen.shape[-2:])
        for name, (positions, seen) in ways.items()
    }
    largest = max(np.nanmax(np.abs(seen)) for seen in panels.values())

    def said(seen):
        ahead = int((seen > 0).sum())
        return f"{ahead} keys seem ahead" if ahead else "no key ahead"

    def told(seen):
        return f"{np.isfinite(seen).sum()} offsets in sight, {said(seen)}"

    alt = (
        "Maps of the offset, query down and key across, hidden keys grey: "
        f"{each(panels, told)}."
    )
    titles = [f"{name}: {said(seen)}" for name, seen in panels.items()]
    picture, axes = panel_row(
        titles, 6.0, 5.2, "key (place)", "query (place)", alt=alt, columns=2
    )
    for ax, seen in zip(axes, panels.values(), strict=True):
        image = heat(ax, seen, (-largest, largest))
        ax.set_facecolor(GRID)  # what is hidden
    return scale(image, axes, "offset that is seen", shrink=0.6)


def hands(turns, saved):
    """What it saves to slow one hand at a time: a bar for each, over its turns."""
    heights = 100 * np.asarray(saved)
    most = int(heights.argmax())
    made = [f"{turn:.2g}" for turn in turns]
    title = (
        f"Hand {most}, of {made[most]} turns, slowed alone saves {heights[most]:.0f} %"
    )
    named = {f"hand {n}": height for n, height in enumerate(heights)}
    alt = (
        "Bars of how much of the rise it saves, in percent, to slow one hand alone: "
        f"{each(named, '{:.0f}'.format)}."
    )
    labels = [f"{n}\n{turn}" for n, turn in enumerate(made)]
    _, ax = plot(5.6, 3.0, "hand, and its turns", "saved (%)", alt=alt, title=title)
    ax.bar(
        labels, heights, color=[BAD if n == most else GOOD for n in range(len(made))]
    )
    for n, height in enumerate(heights):
        place = {"va": "bottom" if height >= 0 else "top"}
        write(ax, n, height, f"{height:.0f}".replace("-", "−"), **place)
    ax.margins(y=0.12)
    ax.axhline(0, color=MUTED, lw=1)
    return ax.figure


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
    size = 5.8, 3.9
    _, ax = plot(*size, "place in the text", _LOSS, alt=alt, xticks=ticks, title=title)
    lines(ax, middles, means, ms=4)
    for width, line in zip((4, 3.5, 2.5, 1.5), ax.lines, strict=False):
        line.set_linewidth(width)  # a curve that lies on another shows
    reference_line(ax, x=TRAINED - 0.5)
    return _legend_below(ax, -0.16, handlelength=3.5)


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
    _, ax = plot(5.6, 3.2, None, _LOSS, alt=alt, title=title)
    places, width = np.arange(len(found)), 0.8 / len(bars)
    for number, bar in enumerate(bars):
        heights = [losses[bar] for losses in found.values()]
        at = places + (number - (len(bars) - 1) / 2) * width
        look = {"color": pair_colour(number), "label": bar, "edgecolor": GOOD, "lw": 0}
        ax.bar(at, heights, width * 0.9, **look)
        for x, height in zip(at, heights, strict=True):
            write(ax, x, height, f"{height:.2f}", va="bottom")
    ax.set_xticks(places, list(found))
    return _legend_below(ax, -0.1)


def _legend_below(ax, y, **more):
    """A legend under the axes, so that the picture stays narrow. Returns the picture."""
    look = {"frameon": False, "fontsize": 9, "labelcolor": INK, "ncols": 2, **more}
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, y), **look)
    return ax.figure
