"""Pictures of notebook 09: patches, time, and places between the known ones."""

import numpy as np

from helpers.draw.boxes import arrow, box, sheet, write
from helpers.draw.look import BAD, GOOD, INK, MUTED, PAPER
from helpers.draw.panels import heat, panel_row, scale
from helpers.draw.style import SEQUENTIAL, WIDE, legend_beside, pale
from helpers.draw.words import each, listed


def reading_order(side, middle):
    """The patches of a square image, one's neighbours, and both in reading order."""
    near = [middle - side, middle - 1, middle + 1, middle + side]
    title = f"{middle} touches {listed(near)}"
    head = f"Patch {title}; two of them are {side} tokens away in the sequence"
    alt = (
        f"{side * side} patches of an image, numbered line by line from 0, and at its "
        f"right the same as a sequence. {title}."
    )
    start = side + 1.5  # of the sequence, whose cells are narrower
    reach, narrow = (start + 0.8 * side * side, side + 0.7), 0.8
    picture, ax = sheet(WIDE, 2.6, reach, (-0.1, -0.1), alt=alt, title=head)
    ax.set_aspect("equal")
    colours = {middle: pale(BAD, 0.4)} | dict.fromkeys(near, pale(GOOD, 0.35))
    level = side / 2 - 0.4
    for number in range(side * side):
        row, column = divmod(number, side)
        look = {"fc": colours.get(number, "white"), "ec": MUTED, "linewidth": 0.8}
        for x, y, wide in (
            (column, side - 1 - row, 1),
            (start + narrow * number, level, narrow),
        ):
            box(ax, x, y, wide, **look)
            write(ax, x + wide / 2, y + 0.5, f"{number}", fontsize=10)
    for other in near:
        ends = [(start + narrow * (n + 0.5), level + 1) for n in (middle, other)]
        bow = 0.6 if other < middle else -0.6
        arrow(ax, *ends, color=GOOD, connectionstyle=f"arc3,rad={bow}")
    for x, said in ((side / 2, "the image"), (start + 0.4 * side**2, "the sequence")):
        write(ax, x, side + 0.35, said, fontsize=11)
    return picture


def around(maps, middle):
    """Distances of all patches from the one at ``middle``, a map for each code."""
    touching = [
        name for name, distance in maps.items() if _nearest_touch(distance, middle)
    ]
    head = f"The four patches that touch × are the nearest only for {listed(touching)}"
    alt = (
        f"Maps of the distance from the patch in row {middle[0]}, column {middle[1]}. "
        f"{head}. At distance 0: {each(maps, _at_distance_0)}."
    )
    _, axes = panel_row(maps, WIDE, 3.5, "column", "row", alt=alt, title=head)
    most = np.max(list(maps.values()))
    for ax, distance in zip(axes, maps.values(), strict=True):
        image = heat(ax, distance, (0, most), SEQUENTIAL)
        ax.plot(middle[1], middle[0], "x", color="white", ms=8, mew=2)
        for row, column in np.argwhere(np.isclose(distance, 0)):
            if (row, column) != tuple(middle):
                ax.plot(column, row, "o", mfc="none", mec="white", ms=13, mew=2)
                paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}
                write(ax, column, row + 1.8, "distance 0 too", bbox=paper)
        ax.set_xticks(range(0, distance.shape[1], 3))
    return scale(image, axes, "distance between rows", shrink=0.75, pad=0.02)


def _nearest_touch(distance, middle):
    """Whether the four nearest patches are those beside, above and below."""
    steps = np.abs(np.indices(distance.shape) - np.reshape(middle, (2, 1, 1))).sum(
        axis=0
    )
    return distance[steps == 1].max() < distance[steps > 1].min()


def _at_distance_0(distance):
    at = np.argwhere(np.isclose(distance, 0))
    return listed(f"row {row}, column {column}" for row, column in at)


def between(times, target, lines, seen):
    """What networks make of a curve between the steps that they saw, and their errors.

    A panel for each code: ticks at the steps seen, the network's curve, and below it a
    strip with its error at every step, and the mean of those at steps not seen.
    """
    errors = {name: np.abs(line - target) for name, line in lines.items()}
    unseen = np.setdiff1d(np.arange(len(times)), seen)
    means = {name: error[unseen].mean() for name, error in errors.items()}
    ranked = sorted(means, key=means.get)
    order = ", ".join(ranked)
    head = f"Between the steps seen, {ranked[0]} errs least, {ranked[-1]} most"
    alt = (
        f"A curve, what {len(lines)} networks make of it, and their errors. Between the "
        f"steps that they saw, from best to worst: {order}."
    )
    like = {"sharex": True, "sharey": "row", "height_ratios": (3, 1)}
    told = (f"mean at unseen steps: {mean:.1g}" for mean in means.values())
    _, axes = panel_row(
        [*lines, *told], WIDE, 4, alt=alt, title=head, columns=len(lines), like=like
    )
    above = axes[: len(lines)]
    below = axes[len(lines) :]
    for top, strip, (name, line) in zip(above, below, lines.items(), strict=True):
        top.plot(times, line, color=BAD, linewidth=1.2, label="network")
        top.plot(times, target, "--", color=INK, linewidth=1, label="true curve")
        low = top.get_xaxis_transform()
        top.vlines(times[seen], 0, 0.05, color=GOOD, label="steps seen", transform=low)
        strip.fill_between(times, errors[name], color=BAD, alpha=0.5, lw=0)
        strip.set_xlabel("time", fontsize=10, color=INK)
    above[0].set_ylabel("value")
    below[0].set(ylabel="error", ylim=(0, None))
    return legend_beside(above[-1])


def fields(points, gaps, signal, made):
    """A signal and what networks make of it, a panel for each code, a part of the axis.

    ``made`` maps a name to the values on the points and on the places between them.
    """

    def right(part, x):
        squares = {
            n: ((values[part] - signal(x)) ** 2).mean() for n, values in made.items()
        }
        return listed(name for name, square in squares.items() if square < 0.01)

    on, off = right(0, points), right(1, gaps)
    alt = (
        "A signal with fast parts and what networks make of it. Right on the points: "
        f"{on}. Right between them: {off}."
    )
    head = f"Right on the points: {on}; between them: {off}"
    window = (0.1, 0.35)
    like = {"sharex": True, "sharey": True}
    more = {"columns": 2, "like": like, "xlim": window, "ylim": (-2.4, 2.4)}
    _, axes = panel_row(made, WIDE, 4.7, ylabel="value", alt=alt, title=head, **more)
    fine = np.linspace(*window, 600)
    places = np.c_[points, gaps].ravel()
    for ax, (on, off) in zip(axes, made.values(), strict=True):
        ax.plot(fine, signal(fine), "--", color=INK, linewidth=1, label="signal")
        both = {"label": "network", "color": BAD, "linewidth": 1}
        ax.plot(places, np.c_[on, off].ravel(), **both)
        ax.plot(points, on, "o", color=GOOD, ms=2.6, label="network, on the points")
    for ax in axes[-2:]:
        ax.set_xlabel("x", fontsize=10, color=INK)
    return legend_beside(axes[1])


def image_fits(image, made, known):
    """A square image and what networks make of it, a panel each.

    ``image`` and the values of ``made`` hold one number for each pixel, ``known`` tells
    which pixels the networks were trained on.
    """
    errors = {n: ((values - image)[~known] ** 2).mean() for n, values in made.items()}
    alt = (
        "A grey image and what networks make of it that saw some of its pixels. On the "
        "other pixels, from best to worst: "
        f"{', '.join(sorted(errors, key=errors.get))}."
    )
    side = round(len(image) ** 0.5)
    panels = {"the image": image} | made
    head = f"On pixels that it did not see, {min(errors, key=errors.get)} errs least"
    told = [f"{name}\nerror {error:.1g}" for name, error in errors.items()]
    picture, axes = panel_row(["the image\n", *told], WIDE, 2.7, alt=alt, title=head)
    for ax, values in zip(axes, panels.values(), strict=True):
        heat(ax, np.reshape(values, (side, side)), (0, 1), "gray")
        ax.set(xticks=[], yticks=[])
    return picture
