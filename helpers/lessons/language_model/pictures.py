"""Pictures of notebook 08: windows, losses, heads, longer texts."""

import numpy as np

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import BAD, GOOD, INK, MUTED, pair_colour
from helpers.draw.panels import lines, panel_row, plot, reference_line
from helpers.draw.style import dark, legend_beside, name_lines, pale
from helpers.draw.text_loss import LOSS, means_of_neighbours
from helpers.draw.text_loss import along_the_text as along_the_text
from helpers.draw.words import listed


def shifted(text):
    """Inputs above targets, one place for each character that a window predicts."""
    shown = text.replace(" ", "␣")
    inputs = shown[:-1]
    targets = shown[1:]
    last = len(inputs)
    picture, ax = sheet(
        2.3,
        (last, 2.5),
        (-1.6, -0.15),
        alt=(
            f"Two rows of boxes. Inputs: {listed(inputs)}. Targets below them: "
            f"{listed(targets)}."
        ),
        title=f"{last} characters, {last} problems: each target is the next input",
    )
    for name, characters, y, colour in (
        ("inputs", inputs, 1.4, GOOD),
        ("targets", targets, 0, BAD),
    ):
        write(ax, -0.2, y + 0.4, name, ha="right", fontsize=11)
        for x, character in enumerate(characters):
            box(ax, x + 0.08, y, 0.84, 0.84, fc=pale(colour, 0.2), ec=colour)
            write(ax, x + 0.5, y + 0.4, character, fontsize=15)
    for x in range(last):
        arrow(ax, (x + 0.5, 1.36), (x + 0.5, 0.9), color=MUTED)
    # One problem in frames: its target, and the inputs that it may use.
    one = last // 2
    box(ax, 0, 1.32, one + 1, fill=False, ec=INK, lw=2.5)
    box(ax, one, -0.08, fill=False, ec=INK, lw=2.5)
    return picture


def losses(histories):
    """Training losses against steps; ``histories`` maps a code to a loss for each."""
    middles, means = means_of_neighbours(histories, 10)
    best, *_, worst = sorted(means, key=lambda name: means[name][-1])
    _, ax = plot(
        3.6,
        "step",
        LOSS,
        alt="Loss on training batches against the step.",
        title=f"{best.capitalize()} ends lowest, {worst} highest",
    )
    lines(ax, middles, means, marker=None)
    return name_lines(ax)


def heads(weights):
    """Mean weight against the offset, a panel for each head.

    ``weights`` maps a head's name to its mean weight on keys 0, 1, 2, … places back;
    the bar one place back has a colour of its own.
    """
    count = sum(np.argmax(means) == 1 for means in weights.values())
    most = max(weights, key=lambda head: weights[head][1])
    picture, axes = panel_row(
        weights,
        4.2,
        "places back",
        "share of attention",
        alt="Bars of the mean weight against the offset.",
        title=(
            f"{count} of {len(weights)} heads look one character back most; {most} "
            f"gives it {weights[most][1]:.0%} of its attention"
        ),
        columns=4,
        like={"sharex": True, "sharey": True},
        xticks=range(0, 9, 2),
        ylim=(0, 1),
    )
    for ax, means in zip(axes, weights.values(), strict=True):
        bars = ax.bar(range(9), means[:9], color=pale(GOOD, 0.75))
        bars[1].set_color(BAD)
        write(ax, 1, means[1] + 0.05, f"{means[1]:.0%}", fontsize=11, weight="bold")
        ax.label_outer()
    return picture


def removed(one_back, costs):
    """What it costs to remove a head, against its weight one place back.

    Both map a head's name to a number; the colour is that of the layer.
    """
    picture, ax = plot(
        4.2,
        "mean weight one place back (2.3 is layer 2, head 3)",
        "loss without the head: rise (nats)",
        alt=f"A dot for each of {len(costs)} heads.",
        title=f"The loss rises most without {max(costs, key=costs.get)}",
    )
    for number, name in enumerate(sorted(costs, key=one_back.get)):
        layer, head = filter(str.isdigit, name)
        place, colour = (one_back[name], costs[name]), pair_colour(int(layer))
        ax.plot(*place, "o", color=colour, ms=9, mec="white")
        # In turn from the left, so that two that touch have theirs on either side.
        look = {"ha": ("right", "left")[number % 2], "color": dark(colour)}
        write(ax, *place, f"   {layer}.{head}   ", fontsize=10, **look)
    reference_line(ax, y=0)
    ax.margins(x=0.1)
    return picture


def one_head(curves):
    """Where one head looks, for several speeds of its hands: weight against offset."""
    shown = {name: means[:10] for name, means in curves.items()}
    most, *_ = tops = [max(means) for means in shown.values()]
    lost = [n for n, top in zip(shown, tops, strict=True) if top < most / 2]
    _, ax = plot(
        3.4,
        "places back",
        "mean weight",
        alt=f"Its mean weight against the offset, for {listed(curves)}.",
        title=f"The head is blurred with {listed(lost)}",
    )
    lines(ax, range(10), shown, ms=5)
    ax.set(ylim=(0, 1), xticks=range(10))
    return legend_beside(ax)
