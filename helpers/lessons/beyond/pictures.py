"""Pictures of notebook 09: patches, time, and places between the known ones."""

import numpy as np

from helpers.draw.boxes import write
from helpers.draw.look import BAD, GOOD, INK
from helpers.draw.panels import heat, panel_row, scale
from helpers.draw.style import SEQUENTIAL, legend_beside
from helpers.draw.words import each, listed


def around(maps, middle):
    """Distances of all patches from the one at ``middle``, a map for each code."""
    alt = (
        f"Maps of the distance from the patch in row {middle[0]}, column {middle[1]}: "
        f"{each(maps, lambda distance: _neighbours(distance, *middle))}."
    )
    _, axes = panel_row(maps, 8.6, 3.0, "column", "row", alt=alt)
    most = np.max(list(maps.values()))
    for ax, distance in zip(axes, maps.values(), strict=True):
        image = heat(ax, distance, (0, most), SEQUENTIAL)
        ax.plot(middle[1], middle[0], "x", color="white", ms=8, mew=2)
        ax.set_xticks(range(0, distance.shape[1], 3))
    return scale(image, axes, "distance", shrink=0.75, pad=0.02)


def _neighbours(distance, r, c):
    """How near the patches below and at the right are, and which is at distance 0."""
    near = np.isclose(distance[r, c + 1], distance[r + 1, c])
    twins = {(a, b) for a, b in np.argwhere(np.isclose(distance, 0))} - {(r, c)}
    more = "".join(
        f", the patch in row {a}, column {b} is at distance 0" for a, b in sorted(twins)
    )
    how = "as near as" if near else "farther than"
    return f"the patch below is {how} the one to the right{more}"


def between(times, target, lines, seen):
    """What networks make of a curve between the steps that they saw, and their errors.

    A panel for each code: ticks at the steps seen, the network's curve, and below it a
    strip with its error at every step, and the mean of those at steps not seen.
    """
    target = np.asarray(target)
    errors = {name: np.abs(line - target) for name, line in lines.items()}
    unseen = np.setdiff1d(np.arange(len(times)), seen)
    order = sorted(errors, key=lambda name: errors[name][unseen].mean())
    near = listed(name for name, error in errors.items() if error[seen].max() < 0.05)
    alt = (
        f"{len(lines)} networks that saw {len(seen)} of the {len(times)} steps of a "
        f"curve, and strips of their errors. Within 0.05 of it at all of these: {near}. "
        f"Between them, from best to worst: {', '.join(order)}."
    )
    like = {"sharex": True, "sharey": "row", "height_ratios": (3, 1)}
    titles = [*lines, *([None] * len(lines))]
    _, axes = panel_row(titles, 8.8, 3.3, alt=alt, columns=len(lines), like=like)
    above, below = axes[: len(lines)], axes[len(lines) :]
    for top, strip, (name, line) in zip(above, below, lines.items(), strict=True):
        top.plot(times, line, color=BAD, linewidth=1.2, label="network")
        top.plot(times, target, "--", color=INK, linewidth=1, label="true curve")
        ticks = {"transform": top.get_xaxis_transform(), "color": GOOD}
        ticks |= {"linewidth": 1, "label": "steps seen"}
        top.vlines(np.asarray(times)[seen], 0, 0.05, **ticks)
        strip.fill_between(times, errors[name], color=BAD, alpha=0.5, lw=0)
        strip.set_xlabel("time", fontsize=10, color=INK)
        mean = f"mean at unseen steps: {errors[name][unseen].mean():.1g}"
        write(strip, 1, 0.98, mean, ha="right", va="top", transform=strip.transAxes)
    above[0].set_ylabel("value")
    most = max(error.max() for error in errors.values())
    below[0].set(ylabel="error", ylim=(0, 1.5 * most))
    return legend_beside(above[-1])


def fields(points, gaps, signal, made):
    """A signal and what networks make of it, a panel for each code, a part of the axis.

    ``made`` maps a name to the values on the points and on the places between them.
    """

    def verdict(values):
        both = zip(values, (points, gaps), strict=True)
        squares = [((np.asarray(line) - signal(x)) ** 2).mean() for line, x in both]
        on, off = ("wrong" if square > 0.01 else "right" for square in squares)
        return f"{on} on the points, {off} between them"

    alt = (
        f"A signal with fast parts and what networks make of it: {each(made, verdict)}."
    )
    window, like = (0.1, 0.35), {"sharex": True, "sharey": True}
    more = {"columns": 2, "like": like, "xlim": window, "ylim": (-2.4, 2.4)}
    _, axes = panel_row(made, 8.8, 4.4, ylabel="value", alt=alt, **more)
    fine = np.linspace(*window, 600)
    places = np.r_[points, gaps]
    order = np.argsort(places)
    for ax, (on, off) in zip(axes, made.values(), strict=True):
        ax.plot(fine, signal(fine), "--", color=INK, linewidth=1, label="signal")
        both = np.r_[on, off][order]
        ax.plot(places[order], both, color=BAD, linewidth=1, label="network")
        ax.plot(points, on, "o", color=GOOD, ms=2.6, label="network, on the points")
    for ax in axes[-2:]:
        ax.set_xlabel("x", fontsize=10, color=INK)
    return legend_beside(axes[min(1, len(axes) - 1)])


def image_fits(image, made, known):
    """A square image and what networks make of it, a panel each.

    ``image`` and the values of ``made`` hold one number for each pixel, ``known`` tells
    which pixels the networks were trained on.
    """
    known, side = np.asarray(known), round(len(image) ** 0.5)
    squares = {name: (values - image) ** 2 for name, values in made.items()}
    errors = {n: (q[known].mean(), q[~known].mean()) for n, q in squares.items()}
    order = sorted(errors, key=lambda name: errors[name][1])
    torn = [name for name, (on, off) in errors.items() if off > 10 * on]
    alt = (
        f"A grey image and what {len(made)} networks make of it that saw some of its "
        f"pixels. On the other pixels, from best to worst: {', '.join(order)}. More than "
        f"ten times worse there than on the pixels they saw: {listed(torn)}."
    )
    panels = {"the image": image} | made
    picture, axes = panel_row(panels, 9.0, 2.2, alt=alt)
    for ax, values in zip(axes, panels.values(), strict=True):
        heat(ax, np.reshape(values, (side, side)), (0, 1), "gray")
        ax.set(xticks=[], yticks=[])
    return picture
