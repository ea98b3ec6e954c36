"""Pictures of notebook 07: score maps, layouts, the order task, hands, precision."""

import numpy as np

from helpers.draw.boxes import box, frame, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, PAPER, pair_colour
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line, scale
from helpers.draw.style import BLUES, SEQUENTIAL, legend_beside, pale
from helpers.draw.words import each, listed

GOAL = 0.9  # the share of right answers that counts as "can do it"
_PLACES, _RIGHT = 64, "right nearly everywhere"
_SHARED = {"sharex": True, "sharey": True}


def score_maps(maps):
    """Matrices of scores side by side on one scale, zero in the middle.

    ``maps`` is a dict from title to an array of shape (n, n): query, key.
    """
    largest = np.abs(list(maps.values())).max()
    striped = [name for name, scores in maps.items() if _is_offset_only(scores)]
    alt = (
        f"{len(maps)} matrices of scores side by side, on one scale up to {largest:.0f}: "
        f"{listed(maps)}. Constant along every diagonal: {listed(striped)}."
    )
    size = min(9, 3.1 * len(maps) + 0.6), 2.9 if len(maps) < 3 else 2.6
    _, axes = panel_row(
        maps, *size, "position of the key", "position of the query", alt=alt
    )
    for ax, scores in zip(axes, maps.values(), strict=True):
        image = heat(ax, scores, (-largest, largest))
    return scale(image, axes, "score", shrink=0.8)


def _is_offset_only(scores):
    n = len(scores)
    return all(np.ptp(np.diagonal(scores, k)) < 1e-9 for k in range(1 - n, n))


def by_offset(maps):
    """Every score against its offset ``j - pos``, a panel for each matrix."""

    def told(scores):
        alike = "coincide, one curve" if _is_offset_only(scores) else "spread, a cloud"
        return f"the dots of one offset {alike}"

    alt = f"Scores against the offset: {each(maps, told)}."
    labels, like = ("offset j − pos (key − query)", "score"), {"sharey": True}
    picture, axes = panel_row(maps, 8.0, 3.0, *labels, alt=alt, like=like)
    for ax, scores in zip(axes, maps.values(), strict=True):
        positions = np.arange(len(scores))
        offset = positions - positions[:, None]
        ax.plot(offset.ravel(), scores.ravel(), ".", ms=3, color=GOOD, alpha=0.5)
    return picture


def layouts(d_model=8):
    """Which columns make a pair, in the two layouts; each box names its pair."""
    half, columns = d_model // 2, np.arange(d_model)
    partners = {
        "adjacent columns": columns.reshape(half, 2),
        "split halves": columns.reshape(2, half).T,
    }

    def told(pairs):
        named = (f"columns {a} and {b} are pair {n}" for n, (a, b) in enumerate(pairs))
        return ", ".join(named)

    alt = f"Two rows of {d_model} columns: {each(partners, told)}."
    picture, ax = sheet(7.0, 2.6, (d_model - 0.3, 1.0), (-3.1, -3.5), alt=alt)
    ax.set_aspect("equal")
    for y, (name, pairs) in zip((0, -2.1), partners.items(), strict=True):
        write(ax, -0.6, y, name, ha="right", fontsize=11)
        for pair, (a, b) in enumerate(pairs):
            colour = pair_colour(pair)
            for column in (a, b):
                _box(ax, column, y, colour, f"pair {pair}")
                write(ax, column, y + 0.7, str(column), color=MUTED)
            # A flat bow below the two that belong together; wide ones hang lower.
            low = y - 0.65 - 0.2 * (a if b - a > 1 else 0)
            ax.plot([a, a, b, b], [y - 0.45, low, low, y - 0.45], color=colour, lw=1.8)
    return picture


def _box(ax, x, y, colour, text, *, size=0.86, framed=True):
    """A box with dark text: pale with a frame in the colour, or plain in the colour."""
    look = {"boxstyle": "round,pad=0,rounding_size=0.1", "lw": 2 if framed else 0}
    fill = pale(colour, 0.25) if framed else colour
    frame(ax, x, y, size, size, fc=fill, ec=colour, **look)
    write(ax, x, y, text, weight="bold" if framed else "normal")


def order_task(tokens, a_first, *, a, b):
    """A few sequences of the task as rows of boxes; A and B are bold and framed."""
    tokens = np.asarray(tokens)
    count, length = tokens.shape
    answers = ["A first" if first else "B first" for first in a_first]
    told = " ".join(
        f"A {list(line).index(a)}, B {list(line).index(b)}: {answer}."
        for line, answer in zip(tokens, answers, strict=True)
    )
    alt = (
        f"{count} sequences of {length} tokens as rows of boxes, numbered fillers "
        f"among them. Places of A and B, and what stands beside: {told}"
    )
    size = 0.42 * length + 2.0, 0.42 * count + 0.4
    picture, ax = sheet(*size, (length + 1.8, 0.6), (-0.6, 0.4 - count), alt=alt)
    ax.set_aspect("equal")
    marks = {a: ("A", GOOD), b: ("B", BAD)}
    for (line, place), token in np.ndenumerate(tokens):
        text, colour = marks.get(int(token), (str(int(token) - 2), GRID))
        _box(ax, place, -line, colour, text, size=0.8, framed=int(token) in marks)
    for line, answer in enumerate(answers):
        write(ax, length - 0.2, -line, answer, ha="left", fontsize=10)
    return picture


def extrapolation(results, trained=16):
    """Accuracy against length for every code: a dot a seed, a line for the mean.

    ``results`` maps a code's name to {length: array over seeds}.
    """
    lengths = list(next(iter(results.values())))

    able = {n: [c for c, r in results.items() if np.mean(r[n]) > GOAL] for n in lengths}
    told = (f"At {n} the mean is above {GOAL} for: {listed(able[n])}." for n in lengths)
    alt = (
        f"Accuracy against length for {listed(results)}, a dot for each seed; trained "
        f"at length {trained}. {' '.join(told)}"
    )
    size = 8.6, 2.3 * -(-len(results) // 3) + 0.2
    picture, axes = panel_row(results, *size, alt=alt, columns=3, like=_SHARED)
    x = np.array(lengths, dtype=float)
    for number, (ax, found) in enumerate(zip(axes, results.values(), strict=True)):
        seeds, colour = np.array([found[n] for n in lengths]), pair_colour(number)
        reference_line(ax, y=0.5)
        reference_line(ax, x=trained, linestyle="-")
        ax.plot(x, seeds.mean(axis=1), ".-", color=colour, linewidth=1.7, ms=4)
        aside = x[:, None] * 2 ** np.linspace(-0.045, 0.045, seeds.shape[1])
        ax.plot(aside, seeds, "o", color=colour, ms=3.6, mec="white", mew=0.4)
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, lengths)
        ax.minorticks_off()
        ax.set_ylim(0.3, 1.04)
    marks = f"trained at {trained}: vertical line; guessing: dashed"
    return _share_right(picture, f"length of the test sequences ({marks})")


def _share_right(picture, against):
    """One name for all panels along each side. Returns the picture."""
    picture.supxlabel(against, fontsize=10, color=INK)
    picture.supylabel("share right", fontsize=10, color=INK)
    return picture


def where_right(maps, trained=16):
    """Share of right answers for every pair of places of A (down) and B (across).

    ``maps`` maps a code's name to an array over (place of A, place of B); the places
    are evenly spaced, the last one is ``places - 1``. The frame is what was trained.
    """
    alt = (
        f"Maps over the places of A and B, with a frame round the first {trained} "
        "positions, which were trained. Right nearly everywhere: "
        f"{each(maps, lambda share: _reach(share, trained))}."
    )
    _, axes = panel_row(maps, 9.0, 2.6, "place of B", "place of A", alt=alt)
    extent = (0, _PLACES, _PLACES, 0)
    for ax, share in zip(axes, maps.values(), strict=True):
        image = heat(ax, share, (0, 1), SEQUENTIAL, extent=extent)
        for colour, width in ((PAPER, 4), (INK, 2)):  # seen on every colour
            box(ax, 0.6, 0.6, trained, trained, fill=False, ec=colour, lw=width)
        ax.set(xticks=range(0, 65, 16), yticks=range(0, 65, 16))
    return scale(image, axes, "share of readers right", shrink=0.8, aspect=18)


def _reach(share, trained):
    """In words: in which parts nearly all are right, in the trained square and around."""
    place = np.arange(len(share)) * _PLACES / len(share)
    later = 1 * (place[:, None] >= trained) + (place >= trained)
    near = np.abs(place[:, None] - place) < 0.75 * trained
    parts = {
        "inside": later == 0,
        "where one is later": later == 1,
        "where both are later and near each other": (later == 2) & near,
        "where both are later and far apart": (later == 2) & ~near,
    }
    return listed(word for word, part in parts.items() if _often(share[part]) == _RIGHT)


def _often(shares):
    """A verdict that small differences between processors do not change."""
    return _RIGHT if np.mean(shares) > 0.85 else "often wrong"


def reach(measured, carriers, trained=16):
    """Share right against the offset, a panel per base, and the turn of one hand.

    ``measured`` maps a base to an array (seeds, offsets 1, 2, …); ``carriers`` maps it
    to (pair, half turn in positions): in the grey bands the sine of that pair has the
    other sign. Right of the vertical line are offsets that were not trained.
    """
    panels = {
        f"base {base:,.0f}\npair {pair}, half turn {half:.1f}": (measured[base], half)
        for base, (pair, half) in carriers.items()
    }
    alt = (
        f"Share right against the offset of B from A, trained up to {trained - 1}, "
        "with grey bands where the sine of one pair has the wrong sign: "
        f"{each(panels, lambda both: _banded(*both))}."
    ).replace("\n", ": ")
    picture, axes = panel_row(panels, 8.6, 2.7, alt=alt, like=_SHARED)
    for ax, (share, half) in zip(axes, panels.values(), strict=True):
        offset = np.arange(1, np.shape(share)[1] + 1)
        end = offset[-1] + 0.5
        for begin in np.arange(half, end, 2 * half):
            ax.axvspan(begin, min(begin + half, end), color=GRID, lw=0)
        reference_line(ax, x=trained - 0.5, linestyle="-")
        reference_line(ax, y=0.5)
        ax.plot(offset, np.transpose(share), color=GOOD, linewidth=0.7, alpha=0.5)
        ax.plot(offset, np.mean(share, axis=0), color=GOOD, linewidth=2)
        ax.set(xlim=(0.5, end), ylim=(-0.04, 1.04))
    marks = "trained: left of the line; grey: the sine has the wrong sign"
    return _share_right(picture, f"offset between A and B, either side ({marks})")


def _banded(share, half):
    mean = np.asarray(share).mean(axis=0)
    wrong = (np.arange(1, len(mean) + 1) // half) % 2 == 1
    return f"outside the bands {_often(mean[~wrong])}, inside {_often(mean[wrong])}"


def kept_alone(shares):
    """Share right when a single hand moves, a row per reader and a column per pair.

    ``shares`` maps a label to an array over the pairs.
    """
    able = each(shares, lambda line: listed(np.flatnonzero(np.asarray(line) > 2 / 3)))
    alt = (
        "Share right at the trained length with one hand alone. Pairs that are right more "
        f"than two times in three: {able}."
    )
    label, title = "the only pair that turns", "share right"
    picture, ax = plot(8.0, 0.42 * len(shares) + 1.1, label, alt=alt, title=title)
    heat(ax, list(shares.values()), (0.5, 1), BLUES, ".2f", aspect="auto")
    ax.set_yticks(range(len(shares)), list(shares))
    return picture


def said_yes(offsets, shares, trained=16):
    """Share of answers "B is directly after A" against the signed offset of B from A."""
    offsets, shares = np.asarray(offsets), np.asarray(shares)
    found = offsets[shares > 0.5]
    alt = (
        "Share of answers that B stands directly after A, against the offset of B from "
        f"A. Above one half at {listed(found)}; of these, beyond the trained offsets: "
        f"{listed(found[abs(found) >= trained])}."
    )
    labels = "offset of B from A (trained: between the lines)", "share of yes answers"
    ends = {"xlim": (offsets[0] - 1, offsets[-1] + 1), "ylim": (-0.04, 1.16)}
    picture, ax = plot(8.6, 2.6, *labels, alt=alt, **ends)
    for end in (0.5 - trained, trained - 0.5):
        reference_line(ax, x=end, linestyle="-")
    ax.vlines(offsets, 0, shares, color=BAD, linewidth=1)
    ax.plot(offsets, shares, "o", color=BAD, ms=3)
    left, right = np.pad(shares, 1)[:-2], np.pad(shares, 1)[2:]
    # Of neighbours that are equally high, the first has the number.
    for n in np.flatnonzero((shares > 0.5) & (shares > left) & (shares >= right)):
        said = f"{offsets[n]}".replace("-", "−")
        write(ax, offsets[n], shares[n] + 0.08, said, fontsize=8)
    return picture


def drift(starts, errors, typical):
    """Largest error of a score against the first position, a line a number format."""
    lost = [name for name, error in errors.items() if np.nanmax(error) > typical]
    alt = (
        "Largest error of the scores against the first position, on logarithmic axes, "
        f"for {listed(errors)}. The error outgrows a typical score for: {listed(lost)}."
    )
    labels = "first position", "largest error of a score"
    _, ax = plot(8.0, 3.5, *labels, alt=alt, yscale="log")
    reference_line(ax, y=typical)
    look = {"ha": "left", "va": "bottom", "color": MUTED}
    write(ax, starts[0], typical * 1.3, "a typical score", **look)
    lines(ax, starts, errors, ms=4.5)
    ax.set_ylim(top=30 * typical)
    ax.set_xscale("log", base=2)
    ax.set_xticks(starts[::3], [f"{start:,}" for start in starts[::3]])
    ax.minorticks_off()
    return legend_beside(ax, handlelength=3.5)
