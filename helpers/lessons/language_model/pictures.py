"""Pictures of notebook 08: windows, losses, heads, longer texts, scores."""

import numpy as np

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED
from helpers.draw.panels import lines, plot, row, rule
from helpers.draw.style import curve, legend_beside, pale
from helpers.draw.words import listed

TRAINED = 64  # characters in a window


def shifted(text):
    """Inputs above targets, one place for each character that a window predicts."""
    shown = ["␣" if c == " " else c for c in text]
    last = len(text) - 1
    picture, ax = sheet(
        0.55 * last + 1.4,
        1.5,
        (last, 2.45),
        (-1.6, -0.15),
        alt=f"Two rows of boxes. Inputs: {listed(shown[:-1])}. Targets below them: "
        f"{listed(shown[1:])}. Each target is the next input, one place to the right.",
    )
    for name, y, first, colour in (("inputs", 1.4, 0, GOOD), ("targets", 0, 1, BAD)):
        write(ax, -0.2, y + 0.4, name, ha="right", fontsize=11)
        for x, character in enumerate(shown[first : first + last]):
            look = {"fc": pale(colour, 0.2), "ec": colour}
            box(ax, x + 0.08, y, 0.84, 0.84, **look)
            write(ax, x + 0.5, y + 0.4, character, fontsize=12)
    for x in range(last):
        arrow(ax, (x + 0.5, 1.36), (x + 0.5, 0.9), color=MUTED)
    return picture


def losses(histories, unseen, yardsticks, mean_of=10):
    """Training losses against steps, their ends on unseen text, and two yardsticks.

    ``histories`` maps a code to its loss at each step, ``unseen`` to one number, and
    ``yardsticks`` maps a name to the loss that it reaches without a model.
    """
    order = sorted(unseen, key=unseen.get, reverse=True)
    picture, ax = plot(
        8.2,
        3.6,
        alt=f"Loss against the training step for {len(order)} models, with a dashed line "
        f"each for {listed(yardsticks)}. On unseen text, from the highest loss to the "
        f"lowest: {listed(order)}. Below both lines: "
        f"{listed(n for n in order if unseen[n] < min(yardsticks.values()))}.",
        xlabel="step",
        ylabel="loss (nats a character)",
    )
    for number, (name, history) in enumerate(histories.items()):
        smooth = np.reshape(history[: len(history) // mean_of * mean_of], (-1, mean_of))
        steps = (np.arange(len(smooth)) + 0.5) * mean_of
        look = curve(number) | {"marker": None}
        label = f"{name}: {unseen[name]:.2f}"
        ax.plot(steps, smooth.mean(axis=1), label=label, **look)
    for name, loss in yardsticks.items():
        rule(ax, y=loss, label=f"{name}: {loss:.2f}")
    legend_beside(ax, title="code: on unseen text", handlelength=3.5)
    return picture


def heads(weights, reach=8):
    """Mean weight against the offset, a panel for each head.

    ``weights`` maps a head's name to its mean weight on keys 0, 1, 2, … places back;
    the bar one place back has a colour of its own.
    """
    one_back = [name for name, means in weights.items() if np.argmax(means) == 1]
    picture, axes = row(
        weights,
        8.6,
        3.8,
        columns=4,
        like={"sharex": True, "sharey": True},
        ylabel="mean weight",
        alt=f"Bars of the mean weight against the offset, up to {reach} places back, for "
        f"{len(weights)} heads. The largest weight is one place back for: "
        f"{listed(one_back)}.",
    )
    for ax, means in zip(axes, weights.values(), strict=True):
        colours = [BAD if k == 1 else pale(GOOD, 0.75) for k in range(reach + 1)]
        ax.bar(range(reach + 1), means[: reach + 1], color=colours)
        ax.set(xticks=range(0, reach + 1, 2), ylim=(0, 1))
    picture.supxlabel("places back", fontsize=10, color=INK)
    return picture


def removed(one_back, costs):
    """What it costs to remove a head, against its weight one place back.

    Both map a head's name to a number; the colour is that of the name's first word.
    """
    dearest = max(costs, key=costs.get)
    most = max(one_back, key=one_back.get)
    same = "It is" if dearest == most else "It is not"
    picture, ax = plot(
        6.4,
        3.4,
        alt=f"A dot for each of {len(costs)} heads: the rise of the loss without it, "
        f"against its mean weight one place back. The loss rises most without "
        f"{dearest}. {same} the head with the largest weight one place back.",
        xlabel="mean weight one place back",
        ylabel="loss without it − loss (nats)",
    )
    layers = list(dict.fromkeys(name.rpartition(",")[0] for name in costs))
    for number, layer in enumerate(layers):
        of_layer = [name for name in costs if name.startswith(layer)]
        at = [one_back[name] for name in of_layer], [costs[name] for name in of_layer]
        ax.plot(*at, label=layer, ms=8, **curve(number) | {"linestyle": ""})
    for number, (name, cost) in enumerate(costs.items()):  # left and right in turn
        side = "left" if number % 2 else "right"
        write(ax, one_back[name], cost, f"   {name.split()[-1]}   ", ha=side)
    rule(ax, y=0)
    ax.margins(x=0.1)
    legend_beside(ax)
    return picture


def one_head(curves, reach=9):
    """Where one head looks, for several speeds of its hands: weight against offset."""
    tops = {name: int(np.argmax(means[: reach + 1])) for name, means in curves.items()}
    told = "; ".join(f"{name}, {top} back" for name, top in tops.items())
    picture, ax = plot(
        7.6,
        3.0,
        alt=f"Mean weight of one head against the offset. It looks most: {told}.",
        xlabel="places back",
        ylabel="mean weight",
        ylim=(0, 1),
        xticks=range(reach + 1),
    )
    shown = {name: means[: reach + 1] for name, means in curves.items()}
    lines(ax, range(reach + 1), shown, ms=5)
    legend_beside(ax, handlelength=3.5)
    return picture


def along_the_text(places, trained=TRAINED, block=16):
    """Loss against the place in the window; ``places`` maps a name to one for each.

    Means of ``block`` neighbouring places; the upright line ends the trained length.
    """
    means = {
        n: np.reshape(loss, (-1, block)).mean(axis=1) for n, loss in places.items()
    }
    told = "; ".join(f"{n}: {_rise(m, trained // block)}" for n, m in means.items())
    length = len(next(iter(places.values())))
    picture, ax = plot(
        8.2,
        3.4,
        alt=f"Loss against the place in a window of {length} characters, trained to "
        f"{trained} (upright line). {told}.",
        xlabel="place in the window",
        ylabel="loss (nats a character)",
        xticks=range(0, length + 1, 32),
    )
    middle = (np.arange(length // block) + 0.5) * block
    lines(ax, middle, means, ms=4)
    rule(ax, x=trained - 0.5)
    legend_beside(ax, handlelength=3.5)
    return picture


def _rise(means, trained):
    """In words that small differences do not change: where a curve leaves its level."""
    level = means[:trained].mean()
    high = np.flatnonzero(means[trained:] > level + 0.4)
    if not high.size:
        return "about level all the way"
    return "rises at once" if high[0] == 0 else "level for a while, then rises"


def decays(offsets, curves):
    """Scores against the offset: a curve each, or a band of curves with its spread.

    A value of ``curves`` has shape (offsets,), or (many, offsets): then one standard
    deviation each way is shaded and a few of the curves are drawn thinly.
    """
    picture, ax = plot(
        8.2, 3.3, alt=_decays_said(offsets, curves), xlabel="offset", ylabel="score"
    )
    rule(ax, y=0, linestyle="-", linewidth=0.8)
    for number, (name, scores) in enumerate(curves.items()):
        look = curve(number) | {"marker": None}
        scores = np.asarray(scores)
        if scores.ndim == 1:
            ax.plot(offsets, scores, linewidth=1.8, label=name, **look)
            continue
        spread = scores.std(axis=0)
        label = f"{name}: three, and one\nstandard deviation"
        band = {"color": GRID, "lw": 0, "label": label}
        ax.fill_between(offsets, -spread, spread, **band)
        ax.plot(offsets, scores[:3].T, color=MUTED, linewidth=0.6, alpha=0.7)
    ax.set_xlim(offsets[0], offsets[-1])
    legend_beside(ax, handlelength=3)
    return picture


def _decays_said(offsets, curves):
    told = []
    for name, scores in curves.items():
        scores = np.asarray(scores)
        if scores.ndim == 1:
            told.append(f"{name}: highest at offset {offsets[np.argmax(scores)]}")
            continue
        near, far = (scores[:, part].std() for part in (slice(100), slice(-100, None)))
        same = 0.8 < far / near < 1.25
        told.append(f"{name}: a band that {'keeps' if same else 'changes'} its width")
    return f"Scores against the offset. {'; '.join(told)}."
