"""Pictures of notebook 09: patches, time, and places between the known ones."""

import numpy as np

from helpers.draw.boxes import box, sheet, write
from helpers.draw.look import BAD, GOOD, INK, MUTED
from helpers.draw.panels import heat, panel_row, scale
from helpers.draw.style import SEQUENTIAL, legend_beside, pale
from helpers.draw.words import each, listed


def reading_order(side, middle):
    """The patches of a square image, numbered in reading order, and one's neighbours."""
    near = [middle - side, middle - 1, middle + 1, middle + side]
    title = f"{middle} touches {listed(near)}"
    alt = f"{side * side} patches of an image, numbered line by line from 0. {title}."
    picture, ax = sheet(3.9, 3.4, (side, side + 0.9), (0, 0), alt=alt)
    ax.set_aspect("equal")
    colours = {middle: pale(BAD, 0.4)} | dict.fromkeys(near, pale(GOOD, 0.35))
    for number in range(side * side):
        row, column = divmod(number, side)
        look = {"fc": colours.get(number, "white"), "ec": MUTED, "linewidth": 0.8}
        box(ax, column, side - 1 - row, **look)
        write(ax, column + 0.5, side - 0.5 - row, f"{number}", fontsize=11)
    write(ax, 0, side + 0.45, title, ha="left", fontsize=11)
    return picture


def around(maps, middle):
    """Distances of all patches from the one at ``middle``, a map for each code."""
    alt = (
        f"Maps of the distance from the patch in row {middle[0]}, column {middle[1]}. "
        f"At distance 0: {each(maps, _at_distance_0)}."
    )
    _, axes = panel_row(maps, 8.6, 3.0, "column", "row", alt=alt)
    most = np.max(list(maps.values()))
    for ax, distance in zip(axes, maps.values(), strict=True):
        image = heat(ax, distance, (0, most), SEQUENTIAL)
        ax.plot(middle[1], middle[0], "x", color="white", ms=8, mew=2)
        ax.set_xticks(range(0, distance.shape[1], 3))
    return scale(image, axes, "distance", shrink=0.75, pad=0.02)


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
    order = ", ".join(sorted(means, key=means.get))
    alt = (
        f"A curve, what {len(lines)} networks make of it, and their errors. Between the "
        f"steps that they saw, from best to worst: {order}."
    )
    like = {"sharex": True, "sharey": "row", "height_ratios": (3, 1)}
    told = (f"mean at unseen steps: {mean:.1g}" for mean in means.values())
    _, axes = panel_row(
        [*lines, *told], 8.8, 3.6, alt=alt, columns=len(lines), like=like
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

    alt = (
        "A signal with fast parts and what networks make of it. Right on the points: "
        f"{right(0, points)}. Right between them: {right(1, gaps)}."
    )
    window = (0.1, 0.35)
    like = {"sharex": True, "sharey": True}
    more = {"columns": 2, "like": like, "xlim": window, "ylim": (-2.4, 2.4)}
    _, axes = panel_row(made, 8.8, 4.4, ylabel="value", alt=alt, **more)
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
    picture, axes = panel_row(panels, 9.0, 2.2, alt=alt)
    for ax, values in zip(axes, panels.values(), strict=True):
        heat(ax, np.reshape(values, (side, side)), (0, 1), "gray")
        ax.set(xticks=[], yticks=[])
    return picture
