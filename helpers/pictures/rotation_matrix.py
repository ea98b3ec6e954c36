"""Pictures of notebook 03: hands that turn, block matrices, checks, a built head."""

import numpy as np
from matplotlib.patches import Rectangle

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

_FLOOR = 1e-17  # where exact zeros stand on a logarithmic axis


def hands(before, after, pos, k):
    """Each pair of two rows as a clock hand: dashed at ``pos``, solid ``k`` further.

    ``before`` and ``after`` have shape (d_model,). The hand points at (sine, cosine),
    clockwise from twelve o'clock; the title tells the angle between the two.
    """
    pairs = len(before) // 2
    turns = [
        _turn(before[2 * i : 2 * i + 2], after[2 * i : 2 * i + 2]) for i in range(pairs)
    ]
    told = ", ".join(f"{turn:.3f}" for turn in turns)
    picture = Picture(
        min(9, 2.1 * pairs + 0.6),
        2.5,
        alt=f"{pairs} dials, one for each pair: the hand at position {pos} dashed, the "
        f"hand at position {pos + k} solid. From pair to pair they turn by {told} "
        "radians.".replace("-", "−"),
    )
    for pair, ax in enumerate(picture.subplots(1, pairs, squeeze=False)[0]):
        columns = slice(2 * pair, 2 * pair + 2)
        title = f"pair {pair}: {turns[pair]:.3f} rad".replace("-", "−")
        tidy(ax, title=title, grid=False).set_axis_off()
        turn = np.linspace(0, 2 * np.pi, 100)
        ax.plot(np.sin(turn), np.cos(turn), color=GRID, linewidth=1.2)
        for row, dashes, colour, width in (
            (before, (0, (4, 3)), MUTED, 1.6),
            (after, "solid", pair_colour(pair), 3),
        ):
            x, y = row[columns]
            ax.plot([0, x], [0, y], linestyle=dashes, color=colour, linewidth=width)
        ax.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    picture.supxlabel(
        f"dashed: position {pos} · solid: position {pos + k}", fontsize=10, color=INK
    )
    return picture


def _turn(before, after):
    """The angle from one hand to the other, the shorter way round, in radians."""
    turn = np.arctan2(*after) - np.arctan2(*before)
    return (turn + np.pi) % (2 * np.pi) - np.pi


def matrix(entries, title):
    """A square matrix with signed entries; each pair's block has its pair's frame."""
    size = len(entries)
    inside = np.kron(np.eye(size // 2), np.ones((2, 2))).astype(bool)
    elsewhere = "zeros" if not np.any(entries[~inside]) else "other entries, too,"
    picture = Picture(
        5.2 if size <= 10 else 4.0,
        4.4 if size <= 10 else 3.6,
        alt=f"{title}: {size} by {size} entries, coloured by sign and size; "
        f"{size // 2} framed blocks of 2 by 2 on the diagonal, {elsewhere} elsewhere.",
    )
    ax = tidy(picture.subplots(), title=title, grid=False)
    image = _signed(ax, entries)
    if size <= 10:
        _write(ax, entries, 8)
    for start in range(0, size, 2):
        colour = pair_colour(start // 2)
        ax.add_patch(
            Rectangle((start - 0.5, start - 0.5), 2, 2, fill=False, ec=colour, lw=2.5)
        )
    picture.colorbar(image, ax=ax, shrink=0.8)
    return picture


def misses(worst):
    """The largest error from every starting position, one line for each matrix.

    ``worst`` maps a name to an array over positions; zeros stand on the bottom edge.
    """
    names = list(worst)
    told = [f"{name} {_missed(np.asarray(worst[name]))}." for name in names]
    picture = Picture(
        7.5,
        2.9,
        alt="The largest error against the starting position, on a logarithmic axis. "
        + " ".join(told),
    )
    ax = tidy(
        picture.subplots(), xlabel="starting position", ylabel="largest difference"
    )
    for name, marker, colour in zip(names, "xsv", (GOOD, BAD, INK), strict=False):
        errors = np.maximum(worst[name], _FLOOR)
        ax.semilogy(errors, marker, color=colour, mfc="none", ms=6, label=name)
    ax.set_ylim(_FLOOR / 3, 1e2)
    ax.legend(fontsize=9, loc="center right")
    return picture


def _missed(errors):
    """From where a matrix arrives, to rounding, and from where it does not."""
    arrives = errors <= 1e-12
    if arrives.all():
        return "stays at the level of rounding everywhere"
    if not arrives.any():
        return "misses from every position"
    if arrives[0] and not arrives[1:].any():
        return "is exact from position 0 and misses from every other position"
    return f"misses from {np.sum(~arrives)} of {len(errors)} positions"


def drift(steps, walked, jumped, line):
    """Errors of walking in steps of 1 and of one jump, against the number of steps.

    All arrays over ``steps``; ``line`` is the fit to ``walked``, in proportion to them.
    """
    picture = Picture(
        7.0,
        2.9,
        alt="The largest error against the number of steps, both on logarithmic axes. "
        f"Walking {_growth(steps, walked)}; a line in proportion to the steps "
        f"{_fits(walked, line)}. One jump {_growth(steps, jumped)}.",
    )
    ax = tidy(
        picture.subplots(),
        xlabel="number of steps, $k$",
        ylabel="largest difference",
    )
    ax.loglog(
        steps, line, color=MUTED, linewidth=1, label="fit: the same for every step"
    )
    ax.loglog(
        steps, walked, "o", color=BAD, markersize=6, label="walking, step by step"
    )
    ax.loglog(steps, jumped, "s", color=GOOD, mfc="none", ms=8, label="one jump")
    ax.legend(fontsize=9, loc="upper left")
    return picture


def _growth(steps, errors):
    """How errors grow with the number of steps: the slope on logarithmic axes."""
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    if abs(slope) < 0.15:
        return "stays level"
    if abs(slope - 1) < 0.15:
        return "grows in proportion to them"
    return "grows with them, not in proportion" if slope > 0 else "falls"


def _fits(values, line):
    far = np.abs(np.log(values / line)).max()
    return "meets the dots" if far < np.log(1.5) else "misses the dots"


def recovered(pairs, name):
    """Matrices from least squares beside the true one, called ``name``.

    ``pairs`` maps a title to (true, found); colours end at −1 and 1.
    """
    told = "; ".join(f"{title}, {_apart(*both)}" for title, both in pairs.items())
    picture = Picture(
        8.0,
        2.2 * len(pairs) + 0.4,
        alt="For each width the true matrix, the one that least squares finds, and their "
        f"difference. The difference: {told}.",
    )
    axes = picture.subplots(len(pairs), 3, squeeze=False)
    for line, (title, (true, found)) in zip(axes, pairs.items(), strict=True):
        parts = {
            f"{title}: {name}": true,
            "least squares": found,
            "difference": found - true,
        }
        for ax, (heading, entries) in zip(line, parts.items(), strict=True):
            image = _signed(tidy(ax, title=heading, grid=False), entries)
            ax.set_xticks([])
            ax.set_yticks([])
    picture.colorbar(image, ax=axes, shrink=0.6)
    return picture


def _apart(true, found):
    """In which blocks on the diagonal two matrices differ visibly."""
    wrong = [
        pair
        for pair in range(len(true) // 2)
        if np.abs((true - found)[2 * pair : 2 * pair + 2]).max() > 0.05
    ]
    if not wrong:
        return "blank"
    if wrong == list(range(wrong[0], len(true) // 2)):
        return (
            "blank in the rows of the first pairs, visible in those of the later ones"
        )
    return f"visible in the rows of {len(wrong)} of {len(true) // 2} pairs"


def singular_values(values, positions):
    """How much each direction of the rows varies; ``values`` maps a width to them."""
    rounding = 1e-13  # times the largest, about: what float64 cannot tell from zero
    lost = {
        name: int(np.sum(np.asarray(sizes) < rounding))
        for name, sizes in values.items()
    }
    told = "; ".join(
        f"width {name}: {len(values[name])} directions, {count or 'none'} of them at the "
        "level of rounding"
        for name, count in lost.items()
    )
    picture = Picture(
        7.0,
        3.0,
        alt=f"Singular values of {positions} rows, largest first, on a logarithmic axis. "
        f"{told}.",
    )
    ax = tidy(
        picture.subplots(),
        xlabel="direction, largest first",
        ylabel="singular value",
    )
    for (name, sizes), marker, pair in zip(
        values.items(), "os^", range(3), strict=False
    ):
        ax.semilogy(
            np.arange(1, len(sizes) + 1),
            np.maximum(sizes, 1e-18),
            marker + "-",
            color=pair_colour(pair),
            markersize=4,
            linewidth=1,
            label=f"width {name}",
        )
    ax.axhspan(1e-19, rounding, color=GRID, alpha=0.6)
    ax.text(41, 6e-15, "level of rounding", fontsize=9, color=INK, ha="center")
    ax.set_ylim(1e-19, 1e2)
    ax.legend(fontsize=9)
    return picture


def attention(weights, k):
    """Attention weights of a head as a map, and the same head at work on one row."""
    n = len(weights)
    pos = n // 2
    aims = np.arange(k, n) if k >= 0 else np.arange(n + k)
    hit = np.sum(weights.argmax(axis=1)[aims] == aims - k)
    side = f"{abs(k)} {'back' if k > 0 else 'ahead'}" if k else "itself"
    top = int(weights[pos].argmax())
    picture = Picture(
        8.0,
        3.4,
        alt=f"Left, the attention map over {n} positions: for {hit} of {len(aims)} queries "
        f"the largest weight is on the position {side}. Right, the weights of "
        f"the query at position {pos}: the tallest bar is at {top}, with the weight "
        f"{weights[pos, top]:.2f}.",
    )
    left, right = picture.subplots(1, 2, width_ratios=(1, 1.3))
    tidy(left, xlabel="key position", ylabel="query position", grid=False)
    image = left.imshow(weights, cmap=SEQUENTIAL, vmin=0, vmax=1)
    picture.colorbar(image, ax=left, shrink=0.8)
    tidy(
        right,
        title=f"the query at position {pos}",
        xlabel="key position",
        ylabel="weight",
    )
    colours = np.where(np.arange(n) == pos - k, BAD, GOOD)
    right.bar(np.arange(n), weights[pos], color=colours)
    right.axvline(pos, color=MUTED, linestyle=(0, (4, 3)), linewidth=1)
    right.text(pos + 0.4, 0.97, "itself", fontsize=9, color=INK, va="top")
    right.set_ylim(0, 1)
    return picture


def sharpness(betas, weights, read=()):
    """The weight that lands exactly ``k`` back, against beta; values read off."""
    read_off = "; ".join(
        f"β = {b}: {_weight(np.interp(b, betas, weights))}" for b in read
    )
    course = "rises all the way" if np.all(np.diff(weights) >= 0) else "rises and falls"
    picture = Picture(
        6.5,
        2.8,
        alt="The smallest weight on the position k back, against beta. The curve "
        f"{course}. Read off: {read_off}.",
    )
    ax = tidy(picture.subplots(), xlabel=r"$\beta$", ylabel="weight on $pos - k$")
    ax.plot(betas, weights, color=GOOD, linewidth=2)
    for beta in read:
        weight = np.interp(beta, betas, weights)
        ax.plot(beta, weight, "o", color=BAD)
        ax.annotate(
            _weight(weight),
            (beta, weight),
            xytext=(4, -14),
            textcoords="offset points",
            fontsize=9,
        )
    ax.set_ylim(0, 1.05)
    return picture


def _weight(weight):
    return f"{weight:.5f}" if weight > 0.995 else f"{weight:.3f}"


def with_words(sizes, means):
    """Mean weight on the target against the size of the words, a line for each head.

    ``means`` maps a head's name to an array over ``sizes``; the sizes are drawn at
    equal distances.
    """
    told = "; ".join(
        f"{name}: from {weights[0]:.2f} to {weights[-1]:.2f}"
        for name, weights in means.items()
    )
    picture = Picture(
        7.5,
        2.9,
        alt="The mean weight on the target against the size of the words, from "
        f"{sizes[0]:g} to {sizes[-1]:g}, one line for each head. {told}.",
    )
    ax = tidy(
        picture.subplots(),
        xlabel="standard deviation of the words' entries",
        ylabel="mean weight on $pos - 3$",
    )
    for n, (name, weights) in enumerate(means.items()):
        look = {"color": pair_colour(n), "marker": "os^D"[n % 4], "markersize": 6}
        ax.plot(range(len(sizes)), weights, linewidth=1.5, label=name, **look)
    ax.set_xticks(range(len(sizes)), [f"{size:g}" for size in sizes])
    ax.set_ylim(-0.03, 1.05)
    ax.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    return picture


def same_sine(angles, k, theta, marked):
    """Now against later, for the sine alone; two positions with the same sine marked.

    ``marked`` holds two angles with one sine and different cosines.
    """
    now, later = np.sin(marked), np.sin(np.add(marked, k * theta))
    same = "of one height" if np.isclose(*now) else "of different heights"
    picture = Picture(
        7.5,
        3.1,
        alt=f"Left, a sine wave with two marked positions {same}, one rising and one "
        f"falling. Right, the sine {k} positions later against the sine now; the marked "
        f"ones lead from {now[0]:.2f} to {later[0]:.2f} and from {now[1]:.2f} to "
        f"{later[1]:.2f}.".replace("-", "−"),
    )
    wave, plane = picture.subplots(1, 2, width_ratios=(1.4, 1))
    tidy(wave, xlabel="$pos$", ylabel=r"$\sin(pos\,\theta)$")
    wave.plot(angles / theta, np.sin(angles), color=GOOD)
    tidy(
        plane,
        xlabel=r"$\sin(pos\,\theta)$",
        ylabel=rf"$\sin((pos + {k})\,\theta)$",
    )
    plane.plot(np.sin(angles), np.sin(angles + k * theta), ".", color=GOOD, ms=4)
    for angle, name, marker in zip(marked, ("rising", "falling"), "^v", strict=True):
        wave.plot(angle / theta, np.sin(angle), marker, color=BAD, markersize=9)
        wave.annotate(
            name,
            (angle / theta, np.sin(angle)),
            xytext=(9, -3),
            textcoords="offset points",
            fontsize=9,
        )
        later = np.sin(angle + k * theta)
        plane.plot(np.sin(angle), later, marker, color=BAD, markersize=9)
        plane.annotate(
            name,
            (np.sin(angle), later),
            xytext=(0, -17 if later > 0 else 10),
            textcoords="offset points",
            ha="right" if later > 0 else "center",
            fontsize=9,
        )
    plane.set_aspect("equal")
    return picture


def turned_blocks(table, size):
    """A table, cut into blocks of ``size`` rows: the first computed, the rest turned.

    ``table`` of shape (positions, columns); positions run down, as in every table.
    """
    length, columns = table.shape
    starts = range(0, length, size)
    picture = Picture(
        6.0,
        4.4,
        alt=f"The table of {length} positions and {columns} columns, cut into "
        f"{len(starts)} blocks of {size} positions. The first is marked as computed with "
        "sine and cosine; arrows lead from it to every other block, marked with the "
        "matrix that turns it.",
    )
    ax = tidy(picture.subplots(), xlabel="column", ylabel="position", grid=False)
    image = _signed(ax, table)
    ax.set_aspect("auto")
    picture.colorbar(image, ax=ax, shrink=0.8, location="left", pad=0.02)
    edge = columns - 0.5
    for k in starts:
        middle = k + size / 2
        ax.add_patch(
            Rectangle(
                (-0.5, k), columns, size - 1, fill=False, ec=BAD if k else GOOD, lw=2.5
            )
        )
        name = f"$M_{{{k}}}$" if k else "sine and cosine"
        ax.text(1.22 * edge, middle, name, va="center", fontsize=10, color=INK)
        if k:
            ax.annotate(
                "",
                xy=(1.02 * edge, middle),
                xytext=(1.02 * edge, size / 2),
                annotation_clip=False,
                arrowprops={
                    "arrowstyle": "-|>",
                    "color": MUTED,
                    "connectionstyle": f"arc3,rad={-0.35 * (size / k) ** 0.5}",
                },
            )
    ax.set_xticks(range(0, columns, 8))
    return picture


def _signed(ax, entries):
    return ax.imshow(entries, cmap=DIVERGING, vmin=-1, vmax=1)


def _write(ax, entries, size):
    for (row, column), value in np.ndenumerate(entries):
        if value:
            ink = "white" if abs(value) > 0.6 else INK
            ax.text(
                column,
                row,
                f"{value:.3f}".replace("-", "−"),
                ha="center",
                va="center",
                fontsize=size,
                color=ink,
            )
