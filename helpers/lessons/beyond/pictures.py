"""Pictures of notebook 09: distances of patches, time, places between known ones."""

import numpy as np

from helpers.draw.boxes import write
from helpers.draw.look import BAD, GOOD, INK, PAPER
from helpers.draw.panels import heat, panel_row, scale
from helpers.draw.style import SEQUENTIAL, legend_beside
from helpers.draw.words import each, listed


def around(maps, middle):
    """Distances of all patches from the one at ``middle``, a map for each code."""
    touching = [
        name for name, distance in maps.items() if _nearest_touch(distance, middle)
    ]
    twins = {name: np.argwhere(np.isclose(d, 0)) for name, d in maps.items()}
    told = each(
        twins, lambda at: listed(f"row {row}, column {column}" for row, column in at)
    )
    _, axes = panel_row(
        maps,
        3.5,
        "column",
        "row",
        alt=f"Maps of the distance from the patch at ×. At distance 0: {told}.",
        title=(
            f"The four patches that touch × are the nearest in {len(touching)} of "
            f"{len(maps)} maps: {listed(touching)}"
        ),
    )
    most = np.max(list(maps.values()))
    for ax, (name, distance) in zip(axes, maps.items(), strict=True):
        image = heat(ax, distance, (0, most), SEQUENTIAL)
        ax.plot(*middle[::-1], "x", color="white", ms=8, mew=2)
        for row, column in twins[name]:
            if (row, column) != tuple(middle):
                ax.plot(column, row, "o", mfc="none", mec="white", ms=13, mew=2)
                write(
                    ax,
                    column,
                    row + 1.8,
                    "distance 0 too",
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5},
                )
        ax.set_xticks(range(0, distance.shape[1], 3))
    return scale(image, axes, "distance between codes", shrink=0.75, pad=0.02)


def _nearest_touch(distance, middle):
    """Whether the four nearest patches are those beside, above and below."""
    rows, columns = np.indices(distance.shape)
    steps = abs(rows - middle[0]) + abs(columns - middle[1])
    return distance[steps == 1].max() < distance[steps > 1].min()


def between(times, target, lines, seen):
    """What networks make of a curve between the steps that they saw, and their errors.

    A panel for each code: ticks at the steps seen, the network's curve, and below it a
    strip with its error at every step, and the mean of those at steps not seen.
    """
    errors = {name: abs(line - target) for name, line in lines.items()}
    unseen = np.setdiff1d(np.arange(len(times)), seen)
    means = {name: error[unseen].mean() for name, error in errors.items()}
    count = len(lines)
    _, axes = panel_row(
        [*lines, *(f"mean at unseen steps: {mean:.1g}" for mean in means.values())],
        4,
        alt=f"A curve, what {count} networks make of it, and their errors.",
        title=f"Error between the steps seen, from best to worst: {_ranked(means)}",
        columns=count,
        like={"sharex": True, "sharey": "row", "height_ratios": (3, 1)},
    )
    for top, strip, name in zip(axes[:count], axes[count:], lines, strict=True):
        top.plot(times, lines[name], color=BAD, linewidth=1.2, label="network")
        top.plot(times, target, "--", color=INK, linewidth=1, label="true curve")
        top.vlines(
            times[seen],
            0,
            0.05,
            color=GOOD,
            label="steps seen",
            transform=top.get_xaxis_transform(),
        )
        strip.fill_between(times, errors[name], color=BAD, alpha=0.5, lw=0)
        strip.set_xlabel("time", fontsize=10, color=INK)
    axes[0].set_ylabel("value")
    axes[count].set(ylabel="error", ylim=(0, None))
    return legend_beside(axes[count - 1])


def _ranked(errors):
    return ", ".join(sorted(errors, key=errors.get))


def fields(points, gaps, signal, made):
    """A signal and what networks make of it, a panel for each code, a part of the axis.

    ``made`` maps a name to the values on the points and on the places between them.
    """
    on, off = (
        listed(
            name
            for name, values in made.items()
            if ((values[part] - signal(x)) ** 2).mean() < 0.01
        )
        for part, x in enumerate((points, gaps))
    )
    window = 0.1, 0.35
    _, axes = panel_row(
        made,
        4.7,
        ylabel="value",
        alt="A signal with fast parts and what networks make of it.",
        title=f"Right on the points: {on}; between them: {off}",
        columns=2,
        like={"sharex": True, "sharey": True},
        xlim=window,
        ylim=(-2.4, 2.4),
    )
    fine = np.linspace(*window, 600)
    places = np.c_[points, gaps].ravel()
    for ax, (on, off) in zip(axes, made.values(), strict=True):
        line = np.c_[on, off].ravel()
        ax.plot(fine, signal(fine), "--", color=INK, linewidth=1, label="signal")
        ax.plot(places, line, color=BAD, linewidth=1, label="network")
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
    picture, axes = panel_row(
        ["the image\n", *(f"{name}\nerror {e:.1g}" for name, e in errors.items())],
        2.7,
        alt="A grey image and what networks make of it that saw some of it.",
        title=f"Error on pixels that it did not see, from best to worst: {_ranked(errors)}",
        xticks=[],
        yticks=[],
    )
    side = round(len(image) ** 0.5)
    for ax, values in zip(axes, (image, *made.values()), strict=True):
        heat(ax, np.reshape(values, (side, side)), (0, 1), "gray")
    return picture
