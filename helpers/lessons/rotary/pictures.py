"""Pictures of notebook 07: score maps, layouts, readers and their hands."""

import numpy as np

from helpers.draw.boxes import box, frame, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, PAPER, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line, scale
from helpers.draw.style import BLUES, SEQUENTIAL, pale
from helpers.draw.words import each, listed

GOAL = 0.9  # the share of right answers that counts as "can do it"
_TRAINED = 16  # the length of the sequences that every reader was trained on
_SHARED = {"sharex": True, "sharey": True}


def score_maps(maps):
    """Matrices of scores side by side on one scale, zero in the middle.

    ``maps`` is a dict from title to an array of shape (n, n): query, key.
    """
    largest = np.abs(list(maps.values())).max()
    alt = (
        f"Matrices of scores, query by key, on one scale up to {largest:.0f}: "
        f"{listed(maps)}. Constant along every diagonal: {_striped(maps)}."
    )
    size = min(9, 3.1 * len(maps) + 0.6), 2.9 if len(maps) < 3 else 2.6
    _, axes = panel_row(
        maps, *size, "position of the key", "position of the query", alt=alt
    )
    for ax, scores in zip(axes, maps.values(), strict=True):
        image = heat(ax, scores, (-largest, largest))
    return scale(image, axes, "score", shrink=0.8)


def _striped(maps):
    """The names of the matrices that are constant along every diagonal."""
    return listed(
        name
        for name, scores in maps.items()
        if all(
            np.ptp(np.diagonal(scores, k)) < 1e-9
            for k in range(1 - len(scores), len(scores))
        )
    )


def by_offset(maps):
    """Every score against its offset ``j - pos``, a panel for each matrix."""
    alt = (
        f"Scores against the offset: {listed(maps)}. All scores of an offset are equal, "
        f"so that they lie on one curve: {_striped(maps)}."
    )
    labels = ("offset j − pos (key − query)", "score")
    like = {"sharey": True}
    picture, axes = panel_row(maps, 8.0, 3.0, *labels, alt=alt, like=like)
    for ax, scores in zip(axes, maps.values(), strict=True):
        positions = np.arange(len(scores))
        offset = positions - positions[:, None]
        ax.plot(offset.ravel(), scores.ravel(), ".", ms=3, color=GOOD, alpha=0.5)
    return picture


def layouts(d_model):
    """Which columns make a pair, in the two layouts; each box names its pair."""
    half = d_model // 2
    columns = np.arange(d_model)
    partners = {
        "adjacent columns": columns.reshape(half, 2),
        "split halves": columns.reshape(2, half).T,
    }

    def in_words(pairs):
        named = (f"columns {a} and {b} are pair {n}" for n, (a, b) in enumerate(pairs))
        return ", ".join(named)

    alt = f"Two rows of {d_model} columns: {each(partners, in_words)}."
    picture, ax = sheet(7.0, 2.6, (d_model - 0.3, 1.0), (-3.1, -3.5), alt=alt)
    ax.set_aspect("equal")
    for y, (name, pairs) in zip((0, -2.1), partners.items(), strict=True):
        write(ax, -0.6, y, name, ha="right", fontsize=11)
        for pair, (a, b) in enumerate(pairs):
            colour = pair_colour(pair)
            look = {"fc": pale(colour, 0.25), "ec": colour, "lw": 2}
            for column in (a, b):
                frame(ax, column, y, 0.86, 0.86, **look)
                write(ax, column, y, f"pair {pair}", weight="bold")
                write(ax, column, y + 0.7, str(column), color=MUTED)
            # A flat bow below the two that belong together; wide ones hang lower.
            low = y - 0.65 - 0.2 * (a if b - a > 1 else 0)
            ax.plot([a, a, b, b], [y - 0.45, low, low, y - 0.45], color=colour, lw=1.8)
    return picture


def extrapolation(results):
    """Accuracy against length for every code: a dot a seed, a line for the mean.

    ``results`` maps a code's name to {length: array over seeds}.
    """
    lengths = list(next(iter(results.values())))

    able = {n: [c for c, r in results.items() if np.mean(r[n]) > GOAL] for n in lengths}
    told = (f"At {n} the mean is above {GOAL} for: {listed(able[n])}." for n in lengths)
    alt = (
        f"Accuracy against length for {listed(results)}, a dot for each seed; trained "
        f"at length {_TRAINED}. {' '.join(told)}"
    )
    size = 8.6, 2.3 * -(-len(results) // 3) + 0.2
    picture, axes = panel_row(results, *size, alt=alt, columns=3, like=_SHARED)
    x = np.array(lengths, dtype=float)
    for number, (ax, found) in enumerate(zip(axes, results.values(), strict=True)):
        seeds = np.array([found[n] for n in lengths])
        colour = pair_colour(number)
        reference_line(ax, y=0.5)
        reference_line(ax, x=_TRAINED, linestyle="-")
        ax.plot(x, seeds.mean(axis=1), ".-", color=colour, linewidth=1.7, ms=4)
        aside = x[:, None] * 2 ** np.linspace(-0.045, 0.045, seeds.shape[1])
        ax.plot(aside, seeds, "o", color=colour, ms=3.6, mec="white", mew=0.4)
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, lengths)
        ax.minorticks_off()
        ax.set_ylim(0.3, 1.04)
    marks = f"trained at {_TRAINED}: vertical line; guessing: dashed"
    return _share_right(picture, f"length of the test sequences ({marks})")


def _share_right(picture, against):
    """One name for all panels along each side. Returns the picture."""
    picture.supxlabel(against, fontsize=10, color=INK)
    picture.supylabel("share right", fontsize=10, color=INK)
    return picture


def where_right(maps):
    """Share of right answers for every pair of places of A (down) and B (across).

    ``maps`` maps a code's name to an array over (place of A, place of B); the places
    are evenly spaced, the last one is ``places - 1``. The frame is what was trained.
    """
    frame_of = np.ix_(*2 * [range(_TRAINED * len(next(iter(maps.values()))) // 64)])
    inside = [name for name, share in maps.items() if share[frame_of].mean() > 0.85]
    everywhere = [name for name, share in maps.items() if share.mean() > 0.85]
    alt = (
        "Maps over the places of A and B, with a frame round the first "
        f"{_TRAINED} positions, which were trained. Nearly always right inside it: "
        f"{listed(inside)}. Outside it too: {listed(everywhere)}."
    )
    _, axes = panel_row(maps, 9.0, 2.6, "place of B", "place of A", alt=alt)
    extent = (0, 64, 64, 0)
    for ax, share in zip(axes, maps.values(), strict=True):
        image = heat(ax, share, (0, 1), SEQUENTIAL, extent=extent)
        for colour, width in ((PAPER, 4), (INK, 2)):  # seen on every colour
            box(ax, 0.6, 0.6, _TRAINED, _TRAINED, fill=False, ec=colour, lw=width)
        ax.set(xticks=range(0, 65, 16), yticks=range(0, 65, 16))
    return scale(image, axes, "share of readers right", shrink=0.8, aspect=18)


def reach(measured, carriers, marked=()):
    """Share right against the offset, a panel per base, and the turn of one hand.

    ``measured`` maps a base to an array (seeds, offsets 1, 2, …); ``carriers`` maps it
    to (pair, half turn in positions): in the grey bands the sine of that pair has the
    other sign. Right of the vertical line are offsets that were not trained. The last
    panel has the shares at the offsets that are ``marked`` written into it.
    """
    panels = {
        f"base {base:,.0f}, pair {pair},\nhalf turn {half:.1f}": (measured[base], half)
        for base, (pair, half) in carriers.items()
    }
    fewer = sum(_fewer_inside(*panel) for panel in panels.values())
    found = f"fewer right in the grey bands: {fewer} of {len(panels)} bases"
    alt = (
        f"Share right against the offset of B from A, trained up to {_TRAINED - 1}, for "
        f"{listed(panels)}, with grey bands where the sine of this pair has the wrong "
        f"sign; {found}."
    ).replace("\n", " ")
    picture, axes = panel_row(panels, 8.6, 2.7, alt=alt, like=_SHARED)
    for ax, (share, half) in zip(axes, panels.values(), strict=True):
        offset = np.arange(1, np.shape(share)[1] + 1)
        end = offset[-1] + 0.5
        for begin in np.arange(half, end, 2 * half):
            ax.axvspan(begin, min(begin + half, end), color=GRID, lw=0)
        reference_line(ax, x=_TRAINED - 0.5, linestyle="-")
        reference_line(ax, y=0.5)
        ax.plot(offset, np.transpose(share), color=GOOD, linewidth=0.7, alpha=0.5)
        ax.plot(offset, np.mean(share, axis=0), color=GOOD, linewidth=2)
        ax.set(xlim=(0.5, end), ylim=(-0.04, 1.04))
    for there in marked:
        share = np.mean(measured[list(measured)[-1]], axis=0)[there - 1]
        axes[-1].plot(there, share, "o", color=BAD, ms=6, clip_on=False)
        aside = 0.17 if share < 0.5 else -0.17
        said = f"{share:.0%}\nat {there}"
        write(axes[-1], there, share + aside, said, weight="bold")
    picture.suptitle(found, x=0.01, ha="left", fontsize=12, color=INK)
    marks = "trained: left of the line; grey: the sine has the wrong sign"
    return _share_right(picture, f"offset between A and B, either side ({marks})")


def _fewer_inside(share, half):
    mean = np.mean(share, axis=0)
    wrong = np.arange(1, len(mean) + 1) // half % 2 == 1
    return mean[wrong].mean() < mean[~wrong].mean()


def one_pair_alone(shares):
    """Share right when a single hand moves, a strip per reader and a column per pair.

    ``shares`` maps a label to an array over the pairs. Those that are right more than
    two times in three are framed.
    """
    able = {
        name: np.flatnonzero(np.greater(line, 2 / 3)) for name, line in shares.items()
    }
    most = max(map(len, able.values()))
    title = f"at most {most} pairs are right two times in three, alone"
    alt = f"Share right with one hand alone: {title}, namely {each(able, listed)}."
    label = "the only pair that turns"
    size = (7.4, 0.5 * len(shares) + 1.1)
    picture, ax = plot(*size, label, alt=alt, title=title)
    heat(ax, list(shares.values()), (0.5, 1), BLUES, ".2f", aspect="auto")
    for row, pairs in enumerate(able.values()):
        ax.axhline(row + 0.5, color=PAPER, linewidth=10)  # apart from the next strip
        for pair in pairs:
            box(ax, pair - 0.46, row - 0.36, 0.92, 0.72, fill=False, ec=BAD, lw=2)
    ax.set_yticks(range(len(shares)), list(shares))
    return picture


def share_of_yes(offsets, shares):
    """Share of answers "B is directly after A" against the signed offset of B from A."""
    offsets = np.asarray(offsets)
    shares = np.asarray(shares)
    found = offsets[shares > 0.5]
    title = f"most say yes at {len(found)} offsets, and only 1 is right"
    alt = (
        "Share of answers that B stands directly after A, against the offset of B from "
        f"A. Above one half: {listed(found)}."
    )
    labels = "offset of B from A (trained: between the lines)", "share of yes answers"
    ends = {"xlim": (offsets[0] - 1, offsets[-1] + 1), "ylim": (-0.04, 1.16)}
    picture, ax = plot(8.6, 2.8, *labels, alt=alt, title=title, **ends)
    for end in (0.5 - _TRAINED, _TRAINED - 0.5):
        reference_line(ax, x=end, linestyle="-")
    ax.vlines(offsets, 0, shares, color=BAD, linewidth=1)
    ax.plot(offsets, shares, "o", color=BAD, ms=3)
    beside = np.pad(shares, 1)
    for n, share in enumerate(shares):  # of equally high neighbours, the first has it
        if share > max(0.5, beside[n]) and share >= beside[n + 2]:
            write(ax, offsets[n], share + 0.08, f"{offsets[n]}".replace("-", "−"))
    return picture
