"""Pictures of experiments: losses, and what several seeds reach under conditions."""

import numpy as np

from helpers.pictures.style import (
    BAD,
    GOOD,
    INK,
    MUTED,
    NEUTRAL,
    PAIR_COLOURS,
    Picture,
    tidy,
)

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
    told = "; ".join(
        f"the {label} loss {_fall(history[key])} and ends {_beside(history[key], floor)}"
        for key, label in (("train", "training"), ("valid", "held-out"))
    )
    alt = (
        f"Two curves over {len(history['train'])} epochs, on a logarithmic axis, and a "
        f"dashed line at {floor:.2g}, the variance of the noise: {told}."
    )
    picture = Picture(6.2, 3.1, alt=alt)
    ax = picture.subplots()
    epochs = np.arange(1, len(history["train"]) + 1)
    names = {"train": ("training", INK, "o"), "valid": ("held out", GOOD, "s")}
    for key, (label, colour, marker) in names.items():
        ax.plot(epochs, history[key], color=colour, marker=marker, ms=4, label=label)
    ax.axhline(floor, color=MUTED, linestyle="--", linewidth=1, label="noise")
    ax.set_yscale("log")
    ax.set_xticks(epochs)
    ax.legend(fontsize=9, frameon=False)
    return _done(picture, ax, xlabel="epoch", ylabel="mean squared error")


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
    names = list(errors)
    values = np.array([errors[name] for name in names])
    inside = values.min(axis=1).max() <= values.max(axis=1).min()
    below = (values <= floor).sum()
    alt = (
        f"Held-out error of {values.shape[1]} seeds, one dot each, in {len(names)} "
        f"columns: {_ranges_of(errors, 0.05)}. The columns "
        f"{'overlap' if inside else 'do not overlap'}; {below or 'no'} "
        f"{'dot lies' if below == 1 else 'dots lie'} at or below the dashed line, the "
        f"noise, {floor:g}."
    )
    picture = Picture(2.6 * len(names), 3.4, alt=alt)
    ax = picture.subplots()
    places = np.arange(len(names))[:, None] + _aside(values.shape[1])
    ax.plot(places, values, color=MUTED, linewidth=0.7, alpha=0.6)
    for where, row, name in zip(places, values, names, strict=True):
        ax.plot(where, row, "o", color=_look(name)[0], ms=8, alpha=0.85)
    ax.axhline(floor, color=MUTED, linestyle="--", linewidth=1)
    right = len(names) - 0.5
    ax.text(right, floor, "noise ", ha="right", va="bottom", fontsize=9, color=MUTED)
    ax.set_xticks(range(len(names)), names)
    ax.set(xlim=(-0.5, right), ylim=(0, max(1.25 * values.max(), 1.5 * floor)))
    return _done(picture, ax, ylabel="root mean squared error")


def accuracy_curves(curves):
    """Held-out accuracy against epochs; ``curves`` condition -> (seeds, epochs)."""
    ends = {name: [line[-1] for line in lines] for name, lines in curves.items()}
    alt = (
        "Held-out accuracy against epochs, one line a seed, and a dotted line at 0.5, "
        f"which is chance. At the last epoch: {_ranges_of(ends, 0.1, most=1)}."
    )
    picture = Picture(6.6, 3.3, alt=alt)
    ax = picture.subplots()
    for name, lines in curves.items():
        colour, dash = _look(name)
        for number, line in enumerate(np.asarray(lines)):
            epochs = np.arange(1, len(line) + 1)
            label = name if number == 0 else None
            ax.plot(epochs, line, dash, color=colour, linewidth=1.4, label=label)
    ax.axhline(0.5, color=MUTED, linestyle=":", linewidth=1)
    ax.set(ylim=(0.35, 1.03), xticks=epochs)
    ax.legend(fontsize=9, frameon=False, loc="center right")
    return _done(picture, ax, xlabel="epoch", ylabel="accuracy")


def share_dots(shares, *, ylabel, chance=None):
    """One dot a seed in each column; ``shares`` condition -> (seeds,), from 0 to 1.

    ``chance`` draws a line at the share that guessing reaches.
    """
    alt = (
        f"The {ylabel} of every seed, one dot each, in {len(shares)} columns: "
        f"{_ranges_of(shares, 0.1, most=1)}."
        + (f" A dotted line at {chance:g}, which is chance." if chance else "")
    )
    picture = Picture(max(5.2, 1.75 * len(shares)), 3.1, alt=alt)
    ax = picture.subplots()
    for place, (name, row) in enumerate(shares.items()):
        colour, fill = _look(name)[0], "none" if "," in name else None
        where = place + _aside(len(row))
        ax.plot(where, row, "o", color=colour, mfc=fill, mew=1.6, ms=8, alpha=0.85)
    if chance:
        ax.axhline(chance, color=MUTED, linestyle=":", linewidth=1)
    labels = [name.replace(", ", ",\n") for name in shares]
    ax.set_xticks(range(len(shares)), labels)
    ax.set(xlim=(-0.5, len(shares) - 0.5), ylim=(-0.05, 1.05))
    return _done(picture, ax, ylabel=ylabel)


def _look(name):
    """Colour and dashes of a condition."""
    return _LOOKS.get(name.partition(",")[0], (NEUTRAL, "-"))


def _ranges_of(columns, step, most=np.inf):
    """ "a: between 0.4 and 0.6; b: …": the ends of each column, rounded outwards.

    With some room, so that another processor's last digits give the same words.
    """
    told = []
    for name, values in columns.items():
        low = np.floor((np.min(values) - step / 20) / step) * step
        high = np.ceil((np.max(values) + step / 20) / step) * step
        told.append(f"{name}: between {max(low, 0):.3g} and {min(high, most):.3g}")
    return "; ".join(told)


def _aside(seeds):
    """Small steps to the side, so that equal numbers do not hide each other."""
    return np.linspace(-0.16, 0.16, seeds)


def _done(picture, ax, **labels):
    tidy(ax, **labels)
    return picture
