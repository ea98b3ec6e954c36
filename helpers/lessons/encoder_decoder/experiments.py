"""Pictures of experiments: losses, and what several seeds reach under conditions."""

import numpy as np

from helpers.draw.look import BAD, GOOD, INK, MUTED, NEUTRAL, PAIR_COLOURS
from helpers.draw.panels import plot, rule
from helpers.draw.words import each

# A condition keeps its colour and its dashes in every picture; what stands behind a
# comma ("with positions, shuffled") is the same models on other data: hollow dots.
_LOOKS = {
    "without positions": (BAD, "--"),
    "with positions": (GOOD, "-"),
    "causal mask instead": (PAIR_COLOURS[2], "-."),
    "learned table": (PAIR_COLOURS[3], ":"),
}


def losses(history, floor):
    """Training and held-out loss against epochs, log scale, with the noise floor."""
    named = {"training": history["train"], "held out": history["valid"]}
    told = each(
        named, lambda values: f"{_fall(values)} and ends {_beside(values, floor)}"
    )
    alt = (
        f"Two losses over {len(history['train'])} epochs, on a logarithmic axis, and a "
        f"dashed line at {floor:.2g}, the variance of the noise: {told}."
    )
    epochs = range(1, len(history["train"]) + 1)
    labels = {"xlabel": "epoch", "ylabel": "mean squared error", "xticks": epochs}
    picture, ax = plot(6.2, 3.1, alt=alt, yscale="log", **labels)
    for (name, values), look in zip(
        named.items(),
        ({"color": INK, "marker": "o"}, {"color": GOOD, "marker": "s"}),
        strict=True,
    ):
        ax.plot(epochs, values, ms=4, label=name, **look)
    ax.axhline(floor, color=MUTED, linestyle="--", linewidth=1, label="noise")
    ax.legend(fontsize=9, frameon=False)
    return picture


def _fall(values):
    """What becomes of a loss, in words that small differences do not change."""
    factor = values[0] / values[-1]
    for least, word in ((10, "ten"), (2, "two")):
        if factor > least:
            return f"falls by more than a factor of {word}"
    return "hardly falls" if factor > 1 else "does not fall"


def _beside(values, floor):
    if values[-1] < floor:
        return "below the line"
    return "just above the line" if values[-1] < 2 * floor else "far above the line"


def ablation_dots(errors, floor):
    """One dot a seed: ``errors`` maps a condition to its numbers, same seeds in order.

    Thin lines join the same seed; ``floor`` is the error that the noise sets.
    """
    values = np.array(list(errors.values()))
    inside = values.min(axis=1).max() <= values.max(axis=1).min()
    below = (values <= floor).sum()
    alt = (
        f"Held-out error of {values.shape[1]} seeds, one dot each, in {len(values)} "
        f"columns: {_ranges_of(errors, 0.05)}. The columns "
        f"{'overlap' if inside else 'do not overlap'}; {below or 'no'} "
        f"{'dot lies' if below == 1 else 'dots lie'} at or below the dashed line, the "
        f"noise, {floor:g}."
    )
    ends = {"ylim": (0, max(1.25 * values.max(), 1.5 * floor))}
    label = "root mean squared error"
    picture, ax = plot(2.6 * len(values), 3.4, alt=alt, ylabel=label, **ends)
    places = np.arange(len(values))[:, None] + _aside(values.shape[1])
    ax.plot(places, values, color=MUTED, linewidth=0.7, alpha=0.6)
    _columns(ax, errors)
    rule(ax, y=floor, label="noise ")
    return picture


def share_dots(shares, *, ylabel, chance=None):
    """One dot a seed in each column; ``shares`` condition -> (seeds,), from 0 to 1.

    ``chance`` draws a line at the share that guessing reaches.
    """
    alt = (
        f"The {ylabel} of every seed, one dot each, in {len(shares)} columns: "
        f"{_ranges_of(shares, 0.1, most=1)}."
        + (f" A dashed line at {chance:g}, which is chance." if chance else "")
    )
    width = max(5.2, 1.75 * len(shares))
    picture, ax = plot(width, 3.1, alt=alt, ylabel=ylabel, ylim=(-0.05, 1.05))
    _columns(ax, shares)
    if chance:
        rule(ax, y=chance)
    return picture


def _columns(ax, named):
    """The dots of every condition in a column of its own, hollow behind a comma."""
    for place, (name, row) in enumerate(named.items()):
        look = {"color": _look(name)[0], "mfc": "none" if "," in name else None}
        ax.plot(place + _aside(len(row)), row, "o", mew=1.6, ms=8, alpha=0.85, **look)
    ax.set_xticks(range(len(named)), [name.replace(", ", ",\n") for name in named])
    ax.set_xlim(-0.5, len(named) - 0.5)


def accuracy_curves(curves):
    """Held-out accuracy against epochs; ``curves`` condition -> (seeds, epochs)."""
    ends = {name: [line[-1] for line in lines] for name, lines in curves.items()}
    alt = (
        "Held-out accuracy against epochs, one line a seed, and a dashed line at 0.5, "
        f"which is chance. At the last epoch: {_ranges_of(ends, 0.1, most=1)}."
    )
    labels = {"xlabel": "epoch", "ylabel": "accuracy", "ylim": (0.35, 1.03)}
    picture, ax = plot(6.6, 3.3, alt=alt, **labels)
    for name, lines in curves.items():
        colour, dash = _look(name)
        epochs = range(1, len(lines[0]) + 1)
        drawn = ax.plot(epochs, np.transpose(lines), dash, color=colour, linewidth=1.4)
        drawn[0].set_label(name)
    rule(ax, y=0.5)
    ax.set_xticks(epochs)
    ax.legend(fontsize=9, frameon=False, loc="center right")
    return picture


def _look(name):
    """Colour and dashes of a condition."""
    return _LOOKS.get(name.partition(",")[0], (NEUTRAL, "-"))


def _ranges_of(columns, step, most=np.inf):
    """ "a, between 0.4 and 0.6; b, …": the ends of each column, rounded outwards.

    With some room, so that another processor's last digits give the same words.
    """

    def ends(values):
        low = np.floor((np.min(values) - step / 20) / step) * step
        high = np.ceil((np.max(values) + step / 20) / step) * step
        return f"between {max(low, 0):.3g} and {min(high, most):.3g}"

    return each(columns, ends)


def _aside(seeds):
    """Small steps to the side, so that equal numbers do not hide each other."""
    return np.linspace(-0.16, 0.16, seeds)
