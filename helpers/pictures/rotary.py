"""Pictures of notebook 07: score maps, layouts, the order task, long positions."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.patches import FancyBboxPatch, Rectangle

from helpers.pictures.style import (
    BAD,
    DIVERGING,
    GOOD,
    GRID,
    INK,
    MUTED,
    SEQUENTIAL,
    Picture,
    pair_colour,
    tidy,
)

GOAL = 0.9  # the share of right answers that counts as "can do it"


def score_maps(maps):
    """Matrices of scores side by side, each on its own scale, zero in the middle.

    ``maps`` is a dict from title to an array of shape (n, n): query, key.
    """
    picture = Picture(
        min(9, 3.1 * len(maps)),
        2.9 if len(maps) < 3 else 2.6,
        alt=f"{len(maps)} matrices of scores side by side: {_listed(maps)}. "
        + _striped(maps),
    )
    axes = picture.subplots(1, len(maps), squeeze=False)[0]
    for ax, (title, scores) in zip(axes, maps.items(), strict=True):
        tidy(ax, title=title, xlabel="position of the key", grid=False)
        largest = np.abs(scores).max()
        image = ax.imshow(scores, cmap=DIVERGING, vmin=-largest, vmax=largest)
        picture.colorbar(image, ax=ax, shrink=0.8).ax.tick_params(labelsize=8)
    axes[0].set_ylabel("position of the query", fontsize=10, color=INK)
    return picture


def by_offset(maps):
    """Every score against its offset ``j - p``, a panel for each matrix."""
    picture = Picture(
        8.0,
        3.0,
        alt=f"Scores against the offset, for {_listed(maps)}. " + _collapsed(maps),
    )
    axes = picture.subplots(1, len(maps), squeeze=False)[0]
    for ax, (title, scores) in zip(axes, maps.items(), strict=True):
        tidy(ax, title=title, xlabel="offset j − p (key − query)")
        pos = np.arange(len(scores))
        offset = pos - pos[:, None]
        ax.plot(offset.ravel(), scores.ravel(), ".", ms=3, color=GOOD, alpha=0.5)
    axes[0].set_ylabel("score", fontsize=10, color=INK)
    return picture


def layouts(d_model=8):
    """Which columns make a pair, in the two layouts; each box names its pair."""
    half = d_model // 2
    orders = {
        "adjacent columns": np.arange(d_model) // 2,
        "split halves": np.arange(d_model) % half,
    }
    picture = Picture(
        7.0,
        2.6,
        alt=f"Two rows of {d_model} columns. Adjacent columns: columns 0 and 1 are "
        f"pair 0, columns 2 and 3 pair 1. Split halves: columns 0 and {half} are "
        f"pair 0, columns 1 and {half + 1} pair 1.",
    )
    ax = tidy(picture.subplots(), grid=False)
    ax.set_axis_off()
    for row, (name, pairs) in enumerate(orders.items()):
        y = -2.1 * row
        ax.text(-0.6, y, name, ha="right", va="center", fontsize=11, color=INK)
        for column, pair in enumerate(pairs):
            _box(ax, column, y, pair_colour(pair), f"pair {pair}")
            ax.text(column, y + 0.62, str(column), ha="center", fontsize=9, color=MUTED)
        for pair in range(half):
            first, second = np.flatnonzero(pairs == pair)
            _bow(ax, first, second, y - 0.45, pair_colour(pair))
    ax.set(xlim=(-3.1, d_model - 0.3), ylim=(-3.4, 1.0), aspect="equal")
    return picture


def order_task(tokens, a_first, *, a, b):
    """A few sequences of the task as rows of boxes; A and B are bold and framed."""
    count, length = tokens.shape
    picture = Picture(
        0.42 * length + 2.0,
        0.42 * count + 0.4,
        alt=f"{count} sequences of {length} tokens as rows of boxes. Each holds one A, "
        "one B and numbered fillers; beside it stands which of the two comes first.",
    )
    ax = tidy(picture.subplots(), grid=False)
    ax.set_axis_off()
    marks = {a: ("A", GOOD), b: ("B", BAD)}
    for row, sequence in enumerate(tokens):
        for place, token in enumerate(sequence):
            filler = str(int(token) - 2), GRID
            text, colour = marks.get(int(token), filler)
            _box(ax, place, -row, colour, text, size=0.8, framed=int(token) in marks)
        said = "A first" if a_first[row] else "B first"
        ax.text(length - 0.2, -row, said, va="center", fontsize=10, color=INK)
    ax.set(xlim=(-0.6, length + 1.8), ylim=(0.45 - count, 0.6), aspect="equal")
    return picture


def extrapolation(results, trained=16):
    """Accuracy against length for every code: a dot a seed, a line for the mean.

    ``results`` maps a code's name to {length: array over seeds}.
    """
    picture = Picture(
        8.6, 2.3 * -(-len(results) // 3) + 0.2, alt=_fading(results, trained)
    )
    grid = picture.subplots(-(-len(results) // 3), 3, sharex=True, sharey=True)
    axes = grid.ravel()
    for ax in axes[len(results) :]:
        ax.set_axis_off()
    for number, (ax, (name, lengths)) in enumerate(
        zip(axes, results.items(), strict=False)
    ):
        tidy(ax, title=name)
        x = np.array(list(lengths), dtype=float)
        seeds = np.array([np.asarray(lengths[length]) for length in lengths])
        colour = pair_colour(number)
        ax.axhline(0.5, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        ax.axvline(trained, color=MUTED, linewidth=1)
        ax.fill_between(
            x, seeds.min(axis=1), seeds.max(axis=1), color=colour, alpha=0.2, lw=0
        )
        ax.plot(x, seeds.mean(axis=1), color=colour, linewidth=2)
        spread = np.linspace(-0.045, 0.045, seeds.shape[1])
        ax.plot(
            x[:, None] * 2**spread,
            seeds,
            "o",
            color=colour,
            ms=3.6,
            mec="white",
            mew=0.4,
        )
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, [f"{length:.0f}" for length in x])
        ax.minorticks_off()
        ax.set_ylim(0.3, 1.04)
    picture.supxlabel(
        f"length of the test sequences (trained at {trained}: upright line; guessing: "
        "dashed)",
        fontsize=10,
        color=INK,
    )
    picture.supylabel("share right", fontsize=10, color=INK)
    return picture


def where_right(maps, trained=16):
    """Share of right answers for every pair of places of A (down) and B (across).

    ``maps`` maps a code's name to an array over (place of A, place of B); the places
    are evenly spaced, the last one is ``places - 1``. The frame is what was trained.
    """
    picture = Picture(
        9.0,
        2.6,
        alt=f"Maps over the places of A and B, for {_listed(maps)}. All are right in "
        f"the square of the first {trained} positions. "
        + " ".join(_reach(name, share, trained) for name, share in maps.items()),
    )
    axes = picture.subplots(1, len(maps), squeeze=False)[0]
    for ax, (title, share) in zip(axes, maps.items(), strict=True):
        tidy(ax, title=title, xlabel="place of B", grid=False)
        image = ax.imshow(
            share, cmap=SEQUENTIAL, vmin=0, vmax=1, extent=(0, _PLACES, _PLACES, 0)
        )
        ax.add_patch(Rectangle((0.4, 0.4), trained, trained, fill=False, ec=INK, lw=2))
        ax.set_xticks([0, 16, 32, 48, 64])
        ax.set_yticks([0, 16, 32, 48, 64])
    axes[0].set_ylabel("place of A", fontsize=10, color=INK)
    bar = picture.colorbar(image, ax=axes, shrink=0.8, aspect=18)
    bar.set_label("share of seeds right", fontsize=9)
    return picture


def remedies(results, *, length):
    """Accuracy of each remedy at one length: a dot a seed, a bar for the mean."""
    worst = min(results, key=lambda name: np.mean(results[name]))
    picture = Picture(
        7.6,
        0.5 * len(results) + 0.9,
        alt=f"Share of right answers at length {length}, a dot for each seed and a bar "
        f"for their mean, for {_listed(results)}. Lowest on average: {worst}.",
    )
    ax = tidy(picture.subplots(), xlabel=f"share right at length {length}")
    for row, seeds in enumerate(results.values()):
        ax.plot(seeds, np.full(len(seeds), row), "o", color=GOOD, ms=6, alpha=0.7)
        ax.plot([np.mean(seeds)] * 2, [row - 0.3, row + 0.3], color=INK, linewidth=2)
    ax.set_yticks(range(len(results)), list(results))
    ax.set(ylim=(len(results) - 0.5, -0.5), xlim=(0.48, 1.02))
    ax.axvline(0.5, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    return picture


def drift(starts, errors, typical):
    """Largest error of a score against the first position, a line a number format."""
    lost = [name for name, error in errors.items() if np.nanmax(error) > typical]
    picture = Picture(
        8.0,
        3.5,
        alt="Largest error of the scores against the first position, on logarithmic "
        f"axes, for {_listed(errors)}. The error outgrows a typical score for: "
        f"{_listed(lost)}.",
    )
    ax = tidy(
        picture.subplots(), xlabel="first position", ylabel="largest error of a score"
    )
    ax.axhline(typical, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    ax.text(starts[0], typical * 1.5, "a typical score", fontsize=9, color=MUTED)
    for number, (name, error) in enumerate(errors.items()):
        marker, dash = _STYLES[number % len(_STYLES)]
        ax.plot(
            starts,
            error,
            dash,
            marker=marker,
            ms=4.5,
            color=pair_colour(number),
            label=name,
        )
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xticks(starts[::3], [f"{start:,}" for start in starts[::3]])
    ax.minorticks_off()
    ax.legend(
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        frameon=False,
        fontsize=9,
        handlelength=3.5,
    )
    return picture


_PLACES = 64
# Marker and line of each number format, so that no line is told by its colour alone.
_STYLES = (("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"))


def _box(ax, x, y, colour, text, *, size=0.86, framed=True):
    """A box with dark text: pale with a frame in the colour, or plain in the colour."""
    corner = (x - size / 2, y - size / 2)
    ax.add_patch(
        FancyBboxPatch(
            corner,
            size,
            size,
            boxstyle="round,pad=0,rounding_size=0.1",
            fc=_pale(colour) if framed else colour,
            ec=colour,
            lw=2 if framed else 0,
        )
    )
    weight = "bold" if framed else "normal"
    ax.text(x, y, text, ha="center", va="center", fontsize=9, color=INK, weight=weight)


def _pale(colour):
    """A quarter of the colour, the rest white: dark text stays readable on it."""
    return tuple(0.75 + 0.25 * share for share in to_rgb(colour))


def _bow(ax, first, second, y, colour):
    """A flat bow below two columns that belong together; wide ones hang lower."""
    low = (
        y
        - 0.12 * (second - first)
        - 0.08
        - (0.09 * (first % 4) if second - first > 1 else 0)
    )
    ax.plot([first, first, second, second], [y, low, low, y], color=colour, lw=1.8)


def _listed(names):
    names = list(names)
    if not names:
        return "none"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _is_offset_only(scores):
    n = len(scores)
    return all(np.ptp(np.diagonal(scores, k)) < 1e-9 for k in range(1 - n, n))


def _striped(maps):
    same = [name for name, scores in maps.items() if _is_offset_only(scores)]
    if not same:
        return "None is constant along its diagonals."
    return f"Constant along every diagonal: {_listed(same)}."


def _collapsed(maps):
    return " ".join(
        f"{name}: the dots of one offset "
        + ("coincide, one curve." if _is_offset_only(scores) else "spread, a cloud.")
        for name, scores in maps.items()
    )


def _fading(results, trained):
    parts = [
        f"Accuracy against length for {_listed(results)}, a dot for each seed; trained "
        f"at length {trained}."
    ]
    for length in next(iter(results.values())):
        able = [n for n, lengths in results.items() if np.min(lengths[length]) >= GOAL]
        parts.append(f"At {length} every seed is above {GOAL} for: {_listed(able)}.")
    return " ".join(parts)


def _reach(name, share, trained):
    """In words: right everywhere, near the diagonal, or in the trained square only."""
    size = len(share)
    step = _PLACES / size
    place = np.arange(size) * step
    far = place >= 2 * trained
    near = np.abs(place[:, None] - place) < 0.75 * trained
    beyond = far[:, None] & far
    if share.mean() > 0.95:
        return f"{name}: right wherever they stand."
    if share[beyond & near].mean() > 0.9:
        return f"{name}: right anywhere as long as A and B are near each other."
    return f"{name}: unreliable outside that square."
