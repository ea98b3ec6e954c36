"""The loss along a text as a picture, for notebooks 08 and 10."""

import numpy as np

from helpers.draw.panels import lines, plot, reference_line
from helpers.draw.style import name_lines
from helpers.draw.words import each, listed

LOSS = "loss (nats per character)"
_TRAINED = 64  # characters in a window
_AT_ONCE = "rises at once"


def along_the_text(places):
    """Loss against the place in the window; ``places`` maps a name to one for each.

    Means of 16 neighbouring places; the vertical line ends the trained length.
    """
    middles, means = means_of_neighbours(places, 16)
    told = {name: _rise(curve) for name, curve in means.items()}
    first = [name for name, rise in told.items() if rise == _AT_ONCE]
    title = f"Beyond {_TRAINED} places, the loss rises at once for {listed(first)}"
    _, ax = plot(
        3.6,
        "place in the window",
        LOSS,
        alt=f"Loss against the place in a window: {each(told, str)}.",
        title=title,
    )
    lines(ax, middles, means, ms=4)
    ax.set_xticks(range(0, int(middles[-1]) + 32, 32))
    reference_line(ax, x=_TRAINED - 0.5)
    return name_lines(ax)


def means_of_neighbours(curves, block):
    """(the middles of ``block`` neighbours each, the means of every curve over them)."""
    count = min(map(len, curves.values())) // block  # an interrupted training has less
    means = {
        name: np.reshape(values[: count * block], (count, block)).mean(axis=1)
        for name, values in curves.items()
    }
    return (np.arange(count) + 0.5) * block, means


def _rise(means):
    """In words that small differences do not change: where a curve leaves its level."""
    trained = _TRAINED // 16
    high = means[trained:] > means[:trained].mean() + 0.4
    if high[0]:
        return _AT_ONCE
    return (
        "level for a while, then rises" if high.any() else "never far above its start"
    )
