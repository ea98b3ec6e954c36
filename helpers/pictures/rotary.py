"""Pictures of notebook 07: score maps, layouts, the order task, hands, precision."""

import numpy as np
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
    curve,
    legend_beside,
    listed,
    pair_colour,
    pale,
    tidy,
    write_values,
)

GOAL = 0.9  # the share of right answers that counts as "can do it"


def score_maps(maps):
    """Matrices of scores side by side on one scale, zero in the middle.

    ``maps`` is a dict from title to an array of shape (n, n): query, key.
    """
    largest = max(np.abs(scores).max() for scores in maps.values())
    picture = Picture(
        min(9, 3.1 * len(maps) + 0.6),
        2.9 if len(maps) < 3 else 2.6,
        alt=f"{len(maps)} matrices of scores side by side, on one scale up to "
        f"{largest:.0f}: {listed(maps)}. {_striped(maps)}",
    )
    axes = picture.subplots(1, len(maps), squeeze=False)[0]
    for ax, (title, scores) in zip(axes, maps.items(), strict=True):
        tidy(ax, title=title, xlabel="position of the key", grid=False)
        image = ax.imshow(scores, cmap=DIVERGING, vmin=-largest, vmax=largest)
    axes[0].set_ylabel("position of the query", fontsize=10, color=INK)
    bar = picture.colorbar(image, ax=axes, shrink=0.8)
    bar.ax.tick_params(labelsize=8)
    bar.set_label("score", fontsize=9)
    return picture


def by_offset(maps):
    """Every score against its offset ``j - pos``, a panel for each matrix."""
    picture = Picture(
        8.0,
        3.0,
        alt=f"Scores against the offset, for {listed(maps)}. " + _collapsed(maps),
    )
    axes = picture.subplots(1, len(maps), squeeze=False, sharey=True)[0]
    for ax, (title, scores) in zip(axes, maps.items(), strict=True):
        tidy(ax, title=title, xlabel="offset j − pos (key − query)")
        positions = np.arange(len(scores))
        offset = positions - positions[:, None]
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
        alt=f"Two rows of {d_model} columns. "
        + " ".join(_partners(name, pairs) for name, pairs in orders.items()),
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
        alt=f"{count} sequences of {length} tokens as rows of boxes, numbered fillers "
        "among them. Places of A and B, and what stands beside: "
        + " ".join(
            _places(row, first, a, b)
            for row, first in zip(tokens, a_first, strict=True)
        ),
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
    return _share_right(
        picture,
        f"length of the test sequences (trained at {trained}: upright line; guessing: "
        "dashed)",
    )


def where_right(maps, trained=16):
    """Share of right answers for every pair of places of A (down) and B (across).

    ``maps`` maps a code's name to an array over (place of A, place of B); the places
    are evenly spaced, the last one is ``places - 1``. The frame is what was trained.
    """
    picture = Picture(
        9.0,
        2.6,
        alt=f"Maps over the places of A and B, for {listed(maps)}, with a frame round "
        f"the first {trained} positions, which were trained. "
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


def reach(measured, carriers, trained=16):
    """Share right against the offset, a panel per base, and the turn of one hand.

    ``measured`` maps a base to an array (seeds, offsets 1, 2, …); ``carriers`` maps it
    to (pair, half turn in positions): in the grey bands the sine of that pair has the
    other sign. Right of the upright line are offsets that were not trained.
    """
    picture = Picture(
        8.6,
        1.75 * -(-len(measured) // 2) + 0.3,
        alt=f"Share right against the offset of B from A, trained up to {trained - 1}, "
        "with grey bands where the sine of one pair has the wrong sign. "
        + " ".join(
            _banded(base, share, *carriers[base]) for base, share in measured.items()
        ),
    )
    rows = -(-len(measured) // 2)
    axes = picture.subplots(rows, 2, sharex=True, sharey=True, squeeze=False).ravel()
    for ax in axes[len(measured) :]:
        ax.set_axis_off()
    for ax, (base, share) in zip(axes, measured.items(), strict=False):
        pair, half = carriers[base]
        share = np.asarray(share)
        offset = np.arange(1, share.shape[1] + 1)
        tidy(ax, title=f"base {base:,.0f}: pair {pair}, half turn {half:.1f}")
        for begin in np.arange(half, offset[-1] + 0.5, 2 * half):
            ax.axvspan(begin, min(begin + half, offset[-1] + 0.5), color=GRID, lw=0)
        ax.axvline(trained - 0.5, color=MUTED, linewidth=1)
        ax.axhline(0.5, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        ax.fill_between(
            offset, share.min(axis=0), share.max(axis=0), color=GOOD, alpha=0.2, lw=0
        )
        ax.plot(offset, share.mean(axis=0), ".-", color=GOOD, linewidth=1.5, ms=4)
        ax.set(xlim=(0.5, offset[-1] + 0.5), ylim=(-0.04, 1.04))
    return _share_right(
        picture, f"offset between A and B, either side (trained: up to {trained - 1})"
    )


def _share_right(picture, against):
    """One name for all panels along each side. Returns the picture."""
    picture.supxlabel(against, fontsize=10, color=INK)
    picture.supylabel("share right", fontsize=10, color=INK)
    return picture


def stopped_hands(shares, trained=16):
    """Share right when one hand is stopped, a row per reader and a column per pair.

    ``shares`` maps a label to an array over the pairs.
    """
    table = np.array(list(shares.values()))
    picture = Picture(
        8.0,
        0.42 * len(table) + 1.1,
        alt=f"Share right at length {trained} with one hand stopped. Missed most: "
        + "; ".join(
            f"{name}, pair {np.argmin(row)} ({row.min():.2f})"
            for name, row in shares.items()
        )
        + ".",
    )
    ax = tidy(picture.subplots(), xlabel="pair whose hand is stopped", grid=False)
    image = ax.imshow(table, cmap=SEQUENTIAL, vmin=0.5, vmax=1, aspect="auto")
    write_values(ax, image, ".2f", fontsize=9)
    ax.set_yticks(range(len(shares)), list(shares))
    ax.set_xticks(range(table.shape[1]))
    bar = picture.colorbar(image, ax=ax, aspect=12)
    bar.set_label("share right", fontsize=9)
    return picture


def drift(starts, errors, typical):
    """Largest error of a score against the first position, a line a number format."""
    lost = [name for name, error in errors.items() if np.nanmax(error) > typical]
    picture = Picture(
        8.0,
        3.5,
        alt="Largest error of the scores against the first position, on logarithmic "
        f"axes, for {listed(errors)}. The error outgrows a typical score for: "
        f"{listed(lost)}.",
    )
    ax = tidy(
        picture.subplots(), xlabel="first position", ylabel="largest error of a score"
    )
    ax.axhline(typical, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    ax.text(starts[0], typical * 1.5, "a typical score", fontsize=9, color=MUTED)
    for number, (name, error) in enumerate(errors.items()):
        ax.plot(starts, error, ms=4.5, label=name, **curve(number))
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xticks(starts[::3], [f"{start:,}" for start in starts[::3]])
    ax.minorticks_off()
    legend_beside(ax, handlelength=3.5)
    return picture


_PLACES = 64
# Marker and line of each number format, so that no line is told by its colour alone.


def _box(ax, x, y, colour, text, *, size=0.86, framed=True):
    """A box with dark text: pale with a frame in the colour, or plain in the colour."""
    corner = (x - size / 2, y - size / 2)
    ax.add_patch(
        FancyBboxPatch(
            corner,
            size,
            size,
            boxstyle="round,pad=0,rounding_size=0.1",
            fc=pale(colour, 0.25) if framed else colour,
            ec=colour,
            lw=2 if framed else 0,
        )
    )
    weight = "bold" if framed else "normal"
    ax.text(x, y, text, ha="center", va="center", fontsize=9, color=INK, weight=weight)


def _bow(ax, first, second, y, colour):
    """A flat bow below two columns that belong together; wide ones hang lower."""
    low = (
        y
        - 0.12 * (second - first)
        - 0.08
        - (0.09 * (first % 4) if second - first > 1 else 0)
    )
    ax.plot([first, first, second, second], [y, low, low, y], color=colour, lw=1.8)


def _is_offset_only(scores):
    n = len(scores)
    return all(np.ptp(np.diagonal(scores, k)) < 1e-9 for k in range(1 - n, n))


def _striped(maps):
    same = [name for name, scores in maps.items() if _is_offset_only(scores)]
    if not same:
        return "None is constant along its diagonals."
    return f"Constant along every diagonal: {listed(same)}."


def _collapsed(maps):
    return " ".join(
        f"{name}: the dots of one offset "
        + ("coincide, one curve." if _is_offset_only(scores) else "spread, a cloud.")
        for name, scores in maps.items()
    )


def _fading(results, trained):
    parts = [
        f"Accuracy against length for {listed(results)}, a dot for each seed; trained "
        f"at length {trained}."
    ]
    for length in next(iter(results.values())):
        able = [n for n, lengths in results.items() if np.min(lengths[length]) >= GOAL]
        parts.append(f"At {length} every seed is above {GOAL} for: {listed(able)}.")
    return " ".join(parts)


def _reach(name, share, trained):
    """In words: how right inside the trained square, and how right outside of it."""
    size = len(share)
    place = np.arange(size) * _PLACES / size
    inside = (place[:, None] < trained) & (place < trained)
    near = np.abs(place[:, None] - place) < 0.75 * trained
    late = (place[:, None] >= trained) & (place >= trained)
    parts = {
        "inside": inside,
        "both later and near each other": late & near,
        "both later and far apart": late & ~near,
        "one of them later": ~inside & ~late,
    }
    means = ", ".join(
        f"{share[part].mean():.2f} {word}" for word, part in parts.items()
    )
    return f"{name}: share right {means}."


def _partners(name, pairs):
    told = [
        "columns " + " and ".join(map(str, np.flatnonzero(pairs == pair)))
        for pair in range(pairs.max() + 1)
    ]
    return (
        f"{name}: " + ", ".join(f"{c} are pair {i}" for i, c in enumerate(told)) + "."
    )


def _places(tokens, a_first, a, b):
    tokens = np.asarray(tokens)
    first, second = (int(np.flatnonzero(tokens == token)[0]) for token in (a, b))
    return f"A {first}, B {second}: {'A' if a_first else 'B'} first."


def _banded(base, share, pair, half):
    mean = np.asarray(share).mean(axis=0)
    offset = np.arange(1, len(mean) + 1)
    wrong = (offset // half) % 2 == 1
    told = [f"{mean[~wrong].mean():.2f} outside the bands"]
    if wrong.any():
        told.append(f"{mean[wrong].mean():.2f} inside")
    return f"Base {base:,.0f}, pair {pair}, half turn {half:.1f}: {', '.join(told)}."
