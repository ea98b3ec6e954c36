"""Pictures of notebook 03: hands that turn, block matrices, checks, a built head."""

import numpy as np

from helpers.draw.boxes import arrow, box, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, PAPER, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line, scale
from helpers.draw.style import BLUES, legend_beside
from helpers.draw.words import each

_FLOOR = 1e-17  # where exact zeros stand on a logarithmic axis


def hands(before, after, pos, k):
    """Each pair of two rows as a clock hand: dashed at ``pos``, solid ``k`` further.

    ``before`` and ``after`` have shape (d_model,). The hand points at (sine, cosine),
    clockwise from twelve o'clock; the title tells the angle between the two.
    """
    before, after = (np.reshape(table_row, (-1, 2)) for table_row in (before, after))
    turns = np.subtract(*(np.arctan2(*hand.T) for hand in (after, before)))
    turns = (turns + np.pi) % (2 * np.pi) - np.pi  # the shorter way round
    told = [f"{turn:.3f}".replace("-", "−") for turn in turns]
    alt = (
        f"{len(turns)} dials, one for each pair: the hand at position {pos} dashed, the "
        f"hand at position {pos + k} solid. From pair to pair they turn by "
        f"{', '.join(told)} radians."
    )
    titles = [f"pair {pair}: {turn} rad" for pair, turn in enumerate(told)]
    ends = {"xlim": (-1.1, 1.1), "ylim": (-1.1, 1.1), "aspect": "equal"}
    picture, axes = panel_row(
        titles, min(9, 2.1 * len(turns) + 0.6), 2.5, alt=alt, **ends
    )
    round_ = np.linspace(0, 2 * np.pi, 100)
    for pair, ax in enumerate(axes):
        ax.set_axis_off()
        ax.plot(np.sin(round_), np.cos(round_), color=GRID, linewidth=1.2)
        (x, y), (u, v) = before[pair], after[pair]
        ax.plot([0, x], [0, y], color=MUTED, linestyle=(0, (4, 3)), linewidth=1.6)
        ax.plot([0, u], [0, v], color=pair_colour(pair), linewidth=3)
    which = f"dashed: position {pos} · solid: position {pos + k}"
    picture.supxlabel(which, fontsize=10, color=INK)
    return picture


def matrix(entries, title):
    """A square matrix with signed entries; each pair's block has its pair's frame."""
    size = len(entries)
    inside = np.kron(np.eye(size // 2), np.ones((2, 2))).astype(bool)
    elsewhere = "zeros" if not np.any(entries[~inside]) else "other entries, too,"
    alt = (
        f"{title}: {size} by {size} entries, coloured by sign and size; {size // 2} "
        f"framed blocks of 2 by 2 on the diagonal, {elsewhere} elsewhere."
    )
    _, ax = plot(5.2, 4.4, alt=alt, title=title)
    image = heat(ax, entries, written=".3f", size=8)
    for text, entry in zip(list(ax.texts), np.ravel(entries), strict=True):
        text.set_visible(entry != 0)  # nothing is written where there is nothing
    for start in range(0, size, 2):
        look = {"fill": False, "ec": pair_colour(start // 2), "lw": 2.5}
        box(ax, start - 0.5, start - 0.5, 2, 2, **look)
    return scale(image, ax, shrink=0.8)


def misses(worst):
    """The largest error from every starting position, one line for each matrix.

    ``worst`` maps a name to an array over positions; zeros stand on the bottom edge.
    """
    told = " ".join(f"{name} {_missed(np.asarray(e))}." for name, e in worst.items())
    alt = f"The largest error against the starting position, on a logarithmic axis. {told}"
    labels, ends = ("starting position", "largest difference"), (_FLOOR / 3, 1e2)
    _, ax = plot(7.5, 2.9, *labels, alt=alt, yscale="log", ylim=ends)
    looks = zip(worst.items(), "xsv", (GOOD, BAD, INK), strict=False)
    for (name, errors), marker, colour in looks:
        lifted = np.maximum(errors, _FLOOR)
        ax.plot(lifted, marker, color=colour, mfc="none", ms=6, label=name)
    return legend_beside(ax)


def _missed(errors):
    """From where a matrix arrives, to rounding, and from where it does not."""
    arrives = errors <= 1e-12
    if arrives.all():
        return "stays at the level of rounding everywhere"
    if arrives[0] and not arrives[1:].any():
        return "is exact from position 0 and misses from every other position"
    return f"misses from {np.sum(~arrives)} of {len(errors)} positions"


def drift(steps, walked, jumped, line):
    """Errors of walking in steps of 1 and of one jump, against the number of steps.

    All arrays over ``steps``; ``line`` is the fit to ``walked``, in proportion to them.
    """
    far = np.abs(np.log(walked / line)).max()
    fits = "meets the dots" if far < np.log(1.5) else "misses the dots"
    alt = (
        "The largest error against the number of steps, both on logarithmic axes. "
        f"Walking {_growth(steps, walked)}; a line in proportion to the steps {fits}. "
        f"One jump {_growth(steps, jumped)}."
    )
    labels = "number of steps, $k$", "largest difference"
    _, ax = plot(7.0, 2.9, *labels, alt=alt, xscale="log", yscale="log")
    ax.plot(steps, line, color=MUTED, linewidth=1, label="fit: the same for every step")
    ax.plot(steps, walked, "o", color=BAD, ms=6, label="walking, step by step")
    ax.plot(steps, jumped, "s", color=GOOD, mfc="none", ms=8, label="one jump")
    return legend_beside(ax)


def _growth(steps, errors):
    """How errors grow with the number of steps: the slope on logarithmic axes."""
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    if abs(slope) < 0.15:
        return "stays level"
    if abs(slope - 1) < 0.15:
        return "grows in proportion to them"
    return "grows with them, not in proportion" if slope > 0 else "falls"


def recovered(pairs, name):
    """Matrices from least squares beside the true one, called ``name``.

    ``pairs`` maps a title to (true, found); colours end at −1 and 1.
    """
    alt = (
        "For each width the true matrix, the one that least squares finds, and their "
        f"difference. The difference: {each(pairs, lambda both: _apart(*both))}."
    )
    headings = ("least squares", "difference")
    titles = [t for title in pairs for t in (f"{title}: {name}", *headings)]
    _, axes = panel_row(titles, 8.0, 2.2 * len(pairs) + 0.4, alt=alt, columns=3)
    shown = [m for true, found in pairs.values() for m in (true, found, found - true)]
    for ax, entries in zip(axes, shown, strict=True):
        image = heat(ax, entries)
        ax.set(xticks=[], yticks=[])
    return scale(image, axes, shrink=0.6)


def _apart(true, found):
    """In which blocks on the diagonal two matrices differ visibly."""
    rows = np.abs(true - found).max(axis=1).reshape(-1, 2).max(axis=1)
    wrong = np.flatnonzero(rows > 0.05)
    if not len(wrong):
        return "blank"
    if wrong[0] and len(wrong) == len(rows) - wrong[0]:
        return "blank in the first pairs' rows, visible in those of the later ones"
    return f"visible in the rows of {len(wrong)} of {len(rows)} pairs"


def attention(weights, k):
    """Attention weights of a head as a map, and the same head at work on one row."""
    n = len(weights)
    pos = n // 2
    hit = np.sum(weights[k:].argmax(axis=1) == np.arange(n - k))
    top = int(weights[pos].argmax())
    alt = (
        f"Left, the attention map over {n} positions: for {hit} of {n - k} queries the "
        f"largest weight is on the position {k} back. Right, the weights of the query at "
        f"position {pos}: the tallest bar is at {top}, with the weight "
        f"{weights[pos, top]:.2f}."
    )
    titles, like = (None, f"the query at position {pos}"), {"width_ratios": (1, 1.3)}
    labels = "key position", "query position"
    picture, (left, right) = panel_row(titles, 8.0, 3.4, *labels, alt=alt, like=like)
    scale(heat(left, weights, (0, 1), BLUES), left, shrink=0.8)
    colours = np.where(np.arange(n) == pos - k, BAD, GOOD)
    right.bar(range(n), weights[pos], color=colours)
    reference_line(right, x=pos)
    write(right, pos + 0.4, 0.97, "itself", ha="left", va="top")
    right.set(ylim=(0, 1), ylabel="weight")
    return picture


def sharpness(betas, weights, read=()):
    """The weight that lands exactly ``k`` back, against beta; values read off."""
    found = {beta: np.interp(beta, betas, weights) for beta in read}
    read_off = "; ".join(f"β = {b}: {_weight(weight)}" for b, weight in found.items())
    course = "rises all the way" if np.all(np.diff(weights) >= 0) else "rises and falls"
    alt = (
        "The smallest weight on the position k back, against beta. The curve "
        f"{course}. Read off: {read_off}."
    )
    labels = r"$\beta$", "weight on $pos - k$"
    picture, ax = plot(6.5, 2.8, *labels, alt=alt, ylim=(0, 1.05))
    ax.plot(betas, weights, color=GOOD, linewidth=2)
    for beta, weight in found.items():
        ax.plot(beta, weight, "o", color=BAD)
        write(ax, beta, weight - 0.07, f" {_weight(weight)}", ha="left")
    ax.margins(x=0.08)
    return picture


def _weight(weight):
    return f"{weight:.5f}" if weight > 0.995 else f"{weight:.3f}"


def with_words(sizes, means):
    """Mean weight on the target against the size of the words, a line for each head.

    ``means`` maps a head's name to an array over ``sizes``; the sizes are drawn at
    equal distances.
    """
    told = each(means, lambda weights: f"from {weights[0]:.2f} to {weights[-1]:.2f}")
    alt = (
        "The mean weight on the target against the size of the words, from "
        f"{sizes[0]:g} to {sizes[-1]:g}, one line for each head. {told}."
    )
    labels = "standard deviation of the words' entries", "mean weight on $pos - 3$"
    _, ax = plot(7.5, 2.9, *labels, alt=alt, ylim=(-0.03, 1.05))
    lines(ax, range(len(sizes)), means)
    ax.set_xticks(range(len(sizes)), [f"{size:g}" for size in sizes])
    return legend_beside(ax)


def same_sine(angles, k, theta, marked):
    """Now against later, for the sine alone; two positions with the same sine marked.

    ``marked`` holds two angles with one sine and different cosines.
    """
    now, later = np.sin(marked), np.sin(np.add(marked, k * theta))
    same = "of one height" if np.isclose(*now) else "of different heights"
    alt = (
        f"Left, a sine wave with two marked positions {same}, one rising and one "
        f"falling. Right, the sine {k} positions later against the sine now; the marked "
        f"ones lead from {now[0]:.2f} to {later[0]:.2f} and from {now[1]:.2f} to "
        f"{later[1]:.2f}."
    ).replace("-", "−")
    like = {"width_ratios": (1.4, 1)}
    picture, (wave, plane) = panel_row((None, None), 7.5, 3.1, alt=alt, like=like)
    wave.set(xlabel="$pos$", ylabel=r"$\sin(pos\,\theta)$")
    plane.set(xlabel=r"$\sin(pos\,\theta)$", ylabel=rf"$\sin((pos + {k})\,\theta)$")
    wave.plot(angles / theta, np.sin(angles), color=GOOD)
    plane.plot(np.sin(angles), np.sin(angles + k * theta), ".", color=GOOD, ms=4)
    for n, (name, marker) in enumerate((("rising", "^"), ("falling", "v"))):
        look = {"marker": marker, "color": BAD, "markersize": 9}
        wave.plot(marked[n] / theta, now[n], **look)
        write(wave, marked[n] / theta, now[n], f"   {name}", ha="left")
        plane.plot(now[n], later[n], **look)
        write(plane, 0.6 * now[n], 0.7 * later[n], name)
    plane.set(aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
    return picture


def turned_blocks(table, size):
    """A table, cut into blocks of ``size`` rows: the first computed, the rest rotated.

    ``table`` of shape (positions, columns); positions run down, as in every table.
    """
    length, columns = table.shape
    starts = range(0, length, size)
    alt = (
        f"The table of {length} positions and {columns} columns, cut into {len(starts)} "
        f"blocks of {size} positions. The first is computed with sine and cosine; arrows "
        "lead from it to every other block, marked with the matrix that rotates it."
    )
    picture, ax = plot(6.4, 4.0, "column", "position", alt=alt)
    heat(ax, table, aspect="auto")
    trunk, text = 1.05 * columns, 1.09 * columns - 0.5
    for k in starts:
        middle = k + size / 2
        if k:
            reference_line(ax, y=k - 0.5, color=PAPER, linewidth=5, linestyle="-")
            arrow(ax, (trunk, middle), (columns, middle), color=MUTED)
        name = f"rotated by $M_{{{k}}}$" if k else "sine and cosine"
        write(ax, text, middle, name, ha="left", fontsize=10)
    down = [columns, trunk, trunk], [size / 2, size / 2, middle]
    ax.plot(*down, color=MUTED, linewidth=1, clip_on=False)
    ax.set(xlim=(-0.5, columns - 0.5), xticks=range(0, columns, 8), yticks=starts)
    ax.spines[:].set_visible(False)
    return picture
