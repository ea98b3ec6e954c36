"""Pictures of notebook 08: windows, losses, heads, longer texts."""

import numpy as np

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import BAD, GOOD, INK, MUTED
from helpers.draw.panels import lines, panel_row, plot, reference_line
from helpers.draw.style import WIDE, curve, legend_beside, name_lines, pale
from helpers.draw.words import each, listed

TRAINED = 64  # characters in a window
_LOSS = "loss (nats per character)"


def shifted(text):
    """Inputs above targets, one place for each character that a window predicts."""
    shown = ["␣" if c == " " else c for c in text]
    last = len(text) - 1
    alt = (
        f"Two rows of boxes. Inputs: {listed(shown[:-1])}. Targets below them: "
        f"{listed(shown[1:])}. Each target is the next input, one place to the right."
    )
    head = f"{last} characters, {last} problems: each target is the next input"
    reach = (last, 2.5), (-1.6, -0.15)
    picture, ax = sheet(WIDE, 2.3, *reach, alt=alt, title=head)
    # One problem in frames: its target, and the inputs that it may use.
    for y, first, wide in ((1.32, 0, last // 2 + 1), (-0.08, last // 2, 1)):
        box(ax, first, y, wide, 1, fill=False, ec=INK, lw=2.5)
    for name, y, first, colour in (("inputs", 1.4, 0, GOOD), ("targets", 0, 1, BAD)):
        write(ax, -0.2, y + 0.4, name, ha="right", fontsize=11)
        for x, character in enumerate(shown[first : first + last]):
            look = {"fc": pale(colour, 0.2), "ec": colour}
            box(ax, x + 0.08, y, 0.84, 0.84, **look)
            write(ax, x + 0.5, y + 0.4, character, fontsize=15)
    for x in range(last):
        arrow(ax, (x + 0.5, 1.36), (x + 0.5, 0.9), color=MUTED)
    return picture


def losses(histories):
    """Training losses against steps; ``histories`` maps a code to a loss for each."""
    middles, means = _means(histories, 10)
    order = sorted(means, key=lambda name: means[name][-1])
    title = f"{order[0].capitalize()} ends lowest, {order[-1]} highest"
    alt = f"{title}. Loss on training batches against the step."
    _, ax = plot(WIDE, 3.6, "step", _LOSS, alt=alt, title=title)
    lines(ax, middles, means, marker=None)
    return name_lines(ax)


def heads(weights):
    """Mean weight against the offset, a panel for each head.

    ``weights`` maps a head's name to its mean weight on keys 0, 1, 2, … places back;
    the bar one place back has a colour of its own.
    """
    reach = 8
    one_back = {n: m[1] for n, m in weights.items() if np.argmax(m) == 1}
    title = f"{len(one_back)} of {len(weights)} heads look one character back most"
    if one_back:
        most = max(one_back, key=one_back.get)
        title += f"; {most} gives it {one_back[most]:.0%} of its attention"
    alt = (
        f"Bars of the mean weight against the offset, up to {reach} places back. {title}. "
        f"The largest weight is one place back for: {listed(one_back)}."
    )
    more = {"columns": 4, "like": {"sharex": True, "sharey": True}, "title": title}
    _, axes = panel_row(
        weights, WIDE, 4.2, "places back", "share of attention", alt=alt, **more
    )
    for ax, means in zip(axes, weights.values(), strict=True):
        colours = [BAD if k == 1 else pale(GOOD, 0.75) for k in range(reach + 1)]
        ax.bar(range(reach + 1), means[: reach + 1], color=colours)
        write(ax, 1, means[1] + 0.05, f"{means[1]:.0%}", fontsize=11, weight="bold")
        ax.set(xticks=range(0, reach + 1, 2), ylim=(0, 1))
        ax.label_outer()
    return axes[0].figure


def removed(one_back, costs):
    """What it costs to remove a head, against its weight one place back.

    Both map a head's name to a number; the colour is that of the name's first word.
    """
    title = f"The loss rises most without {max(costs, key=costs.get)}"
    alt = (
        f"{title}. A dot for each of {len(costs)} heads: the rise of the loss without it, "
        "against its mean weight one place back."
    )
    labels = (
        "mean weight one place back (2.3 is layer 2, head 3)",
        "loss without the head: rise (nats)",
    )
    _, ax = plot(WIDE, 4.2, *labels, alt=alt, title=title)
    layers = list(dict.fromkeys(name.rpartition(",")[0] for name in costs))
    for number, layer in enumerate(layers):
        of_layer = [name for name in costs if name.startswith(layer)]
        at = [one_back[name] for name in of_layer], [costs[name] for name in of_layer]
        ax.plot(*at, label=layer, ms=8, **curve(number) | {"linestyle": ""})
    for number, (name, cost) in enumerate(costs.items()):  # left and right in turn
        side = "left" if number % 2 else "right"
        said = ".".join(filter(str.isdigit, name))  # layer.head
        write(ax, one_back[name], cost, f"   {said}   ", ha=side, fontsize=10)
    reference_line(ax, y=0)
    ax.margins(x=0.1)
    return ax.figure


def one_head(curves):
    """Where one head looks, for several speeds of its hands: weight against offset."""
    shown = {name: means[:10] for name, means in curves.items()}
    tops = {name: max(means) for name, means in shown.items()}
    most = next(iter(tops.values()))
    lost = [name for name, top in tops.items() if top < most / 2]
    title = f"With {listed(lost)}, the head is blurred" if lost else "It stays sharp"
    labels = ("places back", "mean weight")
    look = {"ylim": (0, 1), "xticks": range(10)}
    alt = f"{title}. Its mean weight against the offset, for {listed(curves)}."
    _, ax = plot(WIDE, 3.4, *labels, alt=alt, title=title, **look)
    lines(ax, range(10), shown, ms=5)
    return legend_beside(ax)


def along_the_text(places):
    """Loss against the place in the window; ``places`` maps a name to one for each.

    Means of 16 neighbouring places; the vertical line ends the trained length.
    """
    middles, means = _means(places, 16)
    length = len(next(iter(places.values())))
    first = [name for name in means if _rise(means[name]) == "rises at once"]
    title = f"Beyond {TRAINED} places, the loss rises at once for {listed(first)}"
    alt = (
        f"{title}. Loss against the place in a window of {length} characters, trained to "
        f"{TRAINED} (vertical line): {each(means, _rise)}."
    )
    more = {"xticks": range(0, length + 1, 32), "title": title}
    _, ax = plot(WIDE, 3.6, "place in the window", _LOSS, alt=alt, **more)
    lines(ax, middles, means, ms=4)
    reference_line(ax, x=TRAINED - 0.5)
    return name_lines(ax)


def _means(curves, block):
    """(the middles of ``block`` neighbours each, the means of every curve over them)."""
    count = len(next(iter(curves.values()))) // block
    means = {
        name: np.reshape(values[: count * block], (count, block)).mean(axis=1)
        for name, values in curves.items()
    }
    return (np.arange(count) + 0.5) * block, means


def _rise(means):
    """In words that small differences do not change: where a curve leaves its level."""
    trained = TRAINED // 16
    level = means[:trained].mean()
    high = np.flatnonzero(means[trained:] > level + 0.4)
    if not high.size:
        return "about level all the way"
    return "rises at once" if high[0] == 0 else "level for a while, then rises"
