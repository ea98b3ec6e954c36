"""Pictures of notebook 08: remedies, decay, repeated words, patches, time and space."""

import numpy as np

from helpers.pictures.style import (
    BAD,
    GOOD,
    INK,
    MUTED,
    SEQUENTIAL,
    Picture,
    curve,
    legend_beside,
    listed,
    tidy,
)


def remedies(results):
    """Share of right answers of each remedy, a panel for each question.

    ``results[question][length][remedy]`` holds one share for each seed. Filled dots
    are the longest length, rings the others; the upright strokes are means.
    """
    names = list(next(iter(next(iter(results.values())).values())))
    picture = Picture(8.6, 0.42 * len(names) + 1.1, alt=_remedies_said(results))
    axes = picture.subplots(1, len(results), sharey=True, squeeze=False)[0]
    for ax, (question, lengths) in zip(axes, results.items(), strict=True):
        tidy(ax, title=question, xlabel="share right")
        ax.axvline(0.5, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        for number, (length, found) in enumerate(sorted(lengths.items())):
            last = length == max(lengths)
            lift = 0.17 * (2 * number - len(lengths) + 1)
            for row, name in enumerate(names):
                seeds = np.asarray(found[name])
                ax.plot(
                    seeds,
                    np.full(len(seeds), row + lift),
                    "o",
                    ms=5,
                    color=GOOD if last else BAD,
                    mfc=GOOD if last else "none",
                    label=f"length {length}" if row == 0 else None,
                )
                ax.plot(
                    [seeds.mean()] * 2,
                    [row + lift - 0.13, row + lift + 0.13],
                    color=INK,
                    linewidth=1.6,
                )
        ax.set(ylim=(len(names) - 0.5, -0.5), xlim=(0.36, 1.03))
    axes[0].set_yticks(range(len(names)), names)
    legend_beside(axes[-1])
    return picture


def decays(offsets, curves):
    """Scores against the offset: a curve each, or a band of curves with its spread.

    A value of ``curves`` has shape (offsets,), or (many, offsets): then one standard
    deviation each way is shaded and a few of the curves are drawn thinly.
    """
    picture = Picture(8.0, 3.3, alt=_decays_said(offsets, curves))
    ax = tidy(picture.subplots(), xlabel="offset", ylabel="score")
    ax.axhline(0, color=MUTED, linewidth=0.8)
    for number, (name, scores) in enumerate(curves.items()):
        scores, look = np.asarray(scores), curve(number) | {"marker": None}
        if scores.ndim == 1:
            ax.plot(offsets, scores, linewidth=1.8, label=name, **look)
            continue
        colour = look["color"]
        spread = scores.std(axis=0)
        label = f"{name}: three of them, and one standard deviation"
        ax.fill_between(
            offsets, -spread, spread, color=colour, alpha=0.25, lw=0, label=label
        )
        ax.plot(offsets, scores[:3].T, color=colour, linewidth=0.7, alpha=0.8)
    ax.legend(loc="upper right", frameon=False, fontsize=9)
    ax.set_xlim(offsets[0], offsets[-1])
    return picture


def along(places, panels):
    """The score of one word and the word before it, against its place in the text.

    ``panels`` maps a title to a dict from a name to one score for each place.
    """
    picture = Picture(8.6, 2.9, alt=_along_said(panels))
    # One scale for all panels, so that a change in one can be compared with the next.
    reach = 0.8 * max(np.ptp(list(lines.values())) for lines in panels.values())
    axes = picture.subplots(1, len(panels), squeeze=False)[0]
    for ax, (title, lines) in zip(axes, panels.items(), strict=True):
        tidy(ax, title=title, xlabel="position of the word")
        for number, (name, scores) in enumerate(lines.items()):
            ax.plot(places, scores, ms=9 - 2.5 * number, label=name, **curve(number))
        middle = np.mean([np.mean(scores) for scores in lines.values()])
        ax.set_ylim(middle - reach, middle + reach)
    axes[0].set_ylabel("score with the word before", fontsize=10, color=INK)
    legend_beside(axes[-1])
    return picture


def around(maps, middle):
    """Distances of all patches from the one at ``middle``, a map for each code."""
    picture = Picture(8.6, 3.0, alt=_around_said(maps, middle))
    axes = picture.subplots(1, len(maps), squeeze=False)[0]
    for ax, (title, distance) in zip(axes, maps.items(), strict=True):
        tidy(ax, title=title, xlabel="column", grid=False)
        image = ax.imshow(distance, cmap=SEQUENTIAL, vmin=0)
        ax.plot(middle[1], middle[0], "x", color="white", ms=8, mew=2)
        bar = picture.colorbar(image, ax=ax, shrink=0.75)
        bar.ax.tick_params(labelsize=8)
    axes[0].set_ylabel("row", fontsize=10, color=INK)
    return picture


def between(times, target, lines, seen):
    """A target over time and what networks make of it, a panel for each code."""
    picture = Picture(8.8, 2.8, alt=_between_said(times, target, lines, seen))
    axes = picture.subplots(1, len(lines), sharey=True, squeeze=False)[0]
    for ax, (title, line) in zip(axes, lines.items(), strict=True):
        tidy(ax, title=title, xlabel="time")
        ax.plot(times, line, color=BAD, linewidth=1, label="network")
        ax.plot(times, target, "--", color=INK, linewidth=1.2, label="target")
        ax.plot(seen, target[seen], "o", color=GOOD, ms=3, label="steps it has seen")
    axes[0].set_ylabel("value", fontsize=10, color=INK)
    legend_beside(axes[-1])
    return picture


def fields(points, gaps, signal, made, window=(0.1, 0.35)):
    """A signal and what networks make of it, a panel for each code, a part of the axis.

    ``made`` maps a name to the values on the points and on the places between them.
    """
    picture = Picture(8.8, 4.4, alt=_fields_said(points, gaps, signal, made))
    axes = picture.subplots(-(-len(made) // 2), 2, sharex=True, sharey=True).ravel()
    fine = np.linspace(*window, 600)
    order = np.argsort(np.r_[points, gaps])
    for ax, (title, (on, off)) in zip(axes, made.items(), strict=False):
        tidy(ax, title=title)
        ax.plot(fine, signal(fine), "--", color=INK, linewidth=1, label="signal")
        ax.plot(
            np.r_[points, gaps][order],
            np.r_[on, off][order],
            color=BAD,
            linewidth=1,
            label="network",
        )
        ax.plot(points, on, "o", color=GOOD, ms=2.6, label="network, on the points")
        ax.set(xlim=window, ylim=(-2.4, 2.4))
    for ax in axes[-2:]:
        ax.set_xlabel("x", fontsize=10, color=INK)
    for ax in axes[::2]:
        ax.set_ylabel("value", fontsize=10, color=INK)
    legend_beside(axes[1])
    return picture


def _remedies_said(results):
    parts = []
    for question, lengths in results.items():
        said = []
        for length, found in sorted(lengths.items()):
            means = {name: np.mean(seeds) for name, seeds in found.items()}
            best, worst = max(means, key=means.get), min(means, key=means.get)
            said.append(f"at length {length} best {best}, worst {worst}")
        parts.append(f"{question} {'; '.join(said)}.")
    return (
        "Share of right answers, a dot or ring for each seed and a stroke for their "
        "mean, for each remedy. " + " ".join(parts)
    )


def _decays_said(offsets, curves):
    parts = []
    for name, scores in curves.items():
        scores = np.asarray(scores)
        if scores.ndim == 1:
            top = int(offsets[scores.argmax()])
            parts.append(
                f"{name}: highest at offset {top}, {scores[0]:.0f} at the first and "
                f"{scores[-1]:.0f} at the last."
            )
        else:
            spread = scores.std(axis=0)
            parts.append(
                f"{name}: a band about 0, standard deviation {spread.min():.0f} to "
                f"{spread.max():.0f} at all offsets."
            )
    return "Scores against the offset. " + " ".join(parts)


def _along_said(panels):
    parts = []
    for title, lines in panels.items():
        still = [n for n, scores in lines.items() if np.ptp(scores) < 1e-9]
        settled = [
            name
            for name, scores in lines.items()
            if name not in still and np.ptp(scores[len(scores) // 2 :]) < 1e-9
        ]
        rest = [name for name in lines if name not in still + settled]
        said = [
            f"{listed(names)} {how}"
            for names, how in (
                (still, "the same everywhere"),
                (settled, "the same after the first few"),
                (rest, "changing along the text"),
            )
            if names
        ]
        parts.append(f"{title}: {', '.join(said)}.")
    return "Score of a word with the word before it, along a text. " + " ".join(parts)


def _around_said(maps, middle):
    parts = []
    r, c = middle
    for name, distance in maps.items():
        right, below = distance[r, c + 1], distance[r + 1, c]
        how = "as near as" if np.isclose(right, below) else "farther than"
        twins = [tuple(map(int, p)) for p in np.argwhere(np.isclose(distance, 0))]
        more = "".join(
            f" The patch in row {a}, column {b} is at distance 0."
            for a, b in twins
            if (a, b) != (r, c)
        )
        parts.append(f"{name}: the patch below is {how} the one to the right.{more}")
    return f"Maps of the distance from the patch in row {r}, column {c}. " + " ".join(
        parts
    )


def _between_said(times, target, lines, seen):
    unseen = np.setdiff1d(np.arange(len(times)), seen)
    error = {n: np.abs(line - target)[unseen].mean() for n, line in lines.items()}
    order = sorted(error, key=error.get)
    near = [n for n, line in lines.items() if np.abs(line - target)[seen].max() < 0.05]
    steps = np.diff(target)
    falls, rises = (steps <= 0).all(), (steps >= 0).all()
    course = "A falling curve" if falls else "A rising curve" if rises else "A curve"
    return (
        f"{course} over time and {len(lines)} networks that saw {len(seen)} of "
        f"its {len(times)} steps. Within 0.05 of it at all of these: "
        f"{'all' if len(near) == len(lines) else listed(near)}. Between them, from best "
        f"to worst: {', '.join(order)}."
    )


def _fields_said(points, gaps, signal, made):
    parts = []
    for name, (on, off) in made.items():
        wrong = [
            ((np.asarray(line) - signal(x)) ** 2).mean() > 0.01
            for line, x in ((on, points), (off, gaps))
        ]
        parts.append(f"{name}: {_VERDICTS[tuple(map(bool, wrong))]}.")
    return "A signal with fast parts and what networks make of it. " + " ".join(parts)


_VERDICTS = {
    (False, False): "right on the points and between them",
    (False, True): "right on the points, wrong between them",
    (True, True): "wrong on the points and between them",
    (True, False): "wrong on the points, right between them",
}
