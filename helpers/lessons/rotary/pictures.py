"""Pictures of notebook 07: score maps, layouts, readers and their hands."""

import numpy as np

from helpers.draw.boxes import box, frame, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, PAPER, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line, scale
from helpers.draw.style import BLUES, DIVERGING, WIDE, Picture, pale, style_axes
from helpers.draw.words import each, listed

GOAL = 0.9  # the share of right answers that counts as "can do it"
_TRAINED = 16  # the length of the sequences that every reader was trained on
_SHARED = {"sharex": True, "sharey": True}


def score_maps(maps):
    """Matrices of scores side by side, zero in the middle, and on what they depend.

    ``maps`` is a dict from title to an array of shape (n, n): query, key.
    """
    found = {name: _depends(scores) for name, scores in maps.items()}
    head = _one_curve(found)
    alt = f"Matrices of scores, query by key: {each(found, str)}. {head}."
    labels = "position of the key", "position of the query"
    told = [f"{name}:\n{what}" for name, what in found.items()]
    size = WIDE, 1.5 + 5.6 / len(maps)
    picture, axes = panel_row(told, *size, *labels, alt=alt, title=head)
    for ax, scores in zip(axes, maps.values(), strict=True):
        largest = np.abs(scores).max()
        image = heat(ax, scores, (-largest, largest))
        ends = {"location": "bottom", "shrink": 0.8, "aspect": 30}
        scale(image, ax, "score", **ends)
    return picture


_OFFSET, _SUM = "one score for each offset", "one score for each sum pos + j"


def _depends(scores):
    """On what scores depend, in words: they are constant along which diagonals?"""
    n = len(scores)
    for name, table in ((_OFFSET, scores), (_SUM, np.flip(scores, axis=1))):
        if all(np.ptp(np.diagonal(table, k)) < 1e-9 for k in range(1 - n, n)):
            return name
    return "every place has its own"


def _one_curve(found):
    other = [name for name, what in found.items() if what != _OFFSET]
    alike = listed(name for name in found if name not in other)
    return f"The offset alone sets the score for {alike}, not for {listed(other)}"


def by_offset(maps):
    """Every score against its offset ``j - pos``, a panel for each matrix."""
    found = {name: _depends(scores) for name, scores in maps.items()}
    head = _one_curve(found)
    alt = f"Scores against the offset: {each(found, str)}. {head}."
    labels, like = ("offset j − pos (key − query)", "score"), {"sharey": True}
    look = {"alt": alt, "title": head, "like": like}
    picture, axes = panel_row(maps, WIDE, 3.4, *labels, **look)
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
    head = "The same pairs in two layouts: adjacent columns, or split halves"
    reach = (d_model - 0.3, 1.0), (-3.1, -3.5)
    picture, ax = sheet(WIDE, 3.6, *reach, alt=alt, title=head)
    write(ax, -0.6, 0.7, "column", ha="right", color=MUTED)
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

    furthest = lengths[-1]
    able = [code for code, found in results.items() if np.mean(found[furthest]) > GOAL]
    head = f"Trained at length {_TRAINED}, only {listed(able)} can do length "
    head += f"{furthest} (over {GOAL:.0%} right)"
    told = each(
        results, lambda found: listed(f"{np.mean(found[n]):.1f}" for n in lengths)
    )
    alt = f"Share right at lengths {listed(lengths)}, a dot for each seed: {told}. {head}."
    size = WIDE, 2.3 * -(-len(results) // 3) + 0.5
    more = {"title": head, "columns": 3, "like": _SHARED}
    picture, axes = panel_row(results, *size, alt=alt, **more)
    x = np.array(lengths, dtype=float)
    for ax, (name, found) in zip(axes, results.items(), strict=True):
        seeds = np.array([found[n] for n in lengths])
        colour = GOOD if name in able else MUTED
        reference_line(ax, y=0.5)
        reference_line(ax, x=_TRAINED, linestyle="-")
        ax.plot(x, seeds.mean(axis=1), ".-", color=colour, linewidth=1.7, ms=4)
        aside = x[:, None] * 2 ** np.linspace(-0.045, 0.045, seeds.shape[1])
        ax.plot(aside, seeds, "o", color=colour, ms=3.6, mec="white", mew=0.4)
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, lengths)
        ax.minorticks_off()
        ax.set_ylim(0.25, 1.12)
        end = seeds[-1].mean()
        write(ax, x[-1], end + 0.085, f"{end:.0%}", weight="bold", fontsize=10)
    look = {"ha": "left", "color": MUTED, "fontsize": 10}
    write(axes[0], 1.03 * _TRAINED, 0.32, "trained up to here", **look)
    write(axes[0], 1.03 * _TRAINED, 0.6, "guessing", **look)
    along = "length of the test sequences (logarithmic; small dots: single models)"
    picture.supxlabel(along, fontsize=10, color=INK)
    picture.supylabel("share right", fontsize=10, color=INK)
    return picture


def where_right(maps):
    """Share of right answers for every pair of places of A (down) and B (across).

    ``maps`` maps a code's name to an array over (place of A, place of B); the places
    are evenly spaced, the last one is ``places - 1``. The frame is what was trained.
    """
    edge = _TRAINED * len(next(iter(maps.values()))) // 64
    found = {n: (m[:edge, :edge].mean(), _outside(m, edge)) for n, m in maps.items()}
    able = listed(name for name, shares in found.items() if min(shares) > 0.85)
    head = f"Outside the square that was trained, only {able} can answer"
    alt = (
        "Maps over the places of A and B, with a frame round the first "
        f"{_TRAINED} positions, which were trained. {head}."
    )
    told = [f"{n}\n{a:.0%} in it, {b:.0%} outside" for n, (a, b) in found.items()]
    more = {"title": head, "like": _SHARED}
    _, axes = panel_row(told, WIDE, 4.2, "place of B", "place of A", alt=alt, **more)
    extent = (0, 64, 64, 0)
    for ax, share in zip(axes, maps.values(), strict=True):
        image = heat(ax, share, (0, 1), DIVERGING.reversed(), extent=extent)
        box(ax, 0.6, 0.6, _TRAINED, _TRAINED, fill=False, ec=INK, lw=2)
        ax.set(xticks=range(0, 65, 16), yticks=range(0, 65, 16))
    label = "share of readers right: 0 (red) is wrong, 0.5 (white) is guessed"
    place = {"location": "bottom", "aspect": 60, "shrink": 0.7}
    return scale(image, axes, label, ticks=[0, 0.5, 1], **place)


def _outside(share, edge):
    """The mean of a map without its first square."""
    return (share.sum() - share[:edge, :edge].sum()) / (share.size - edge**2)


def reach(measured, carriers, marked):
    """Share right against the offset, the last base large, and the turn of one hand.

    ``measured`` maps a base to an array (seeds, offsets 1, 2, …); ``carriers`` maps it
    to (pair, half turn in positions): in the grey bands the sine of that pair has the
    other sign. Right of the vertical line are offsets that were not trained. The large
    panel has the shares at the offsets that are ``marked`` written into it.
    """
    *others, main = carriers
    means = {base: np.mean(measured[base], axis=0) for base in carriers}
    pair, half = carriers[main]
    signs = [("right", "wrong")[int(k // half) % 2] for k in marked]
    found = "; ".join(
        f"at offset {k}, with the {sign} sign of pair {pair}, "
        f"{means[main][k - 1]:.0%} are right"
        for k, sign in zip(marked, signs, strict=True)
    )
    head = f"Base {main:,}: {found}"
    alt = (
        f"Share right against the offset of B from A, trained up to {_TRAINED - 1}, with "
        "grey bands where the sine of one pair has the wrong sign. "
        f"{head}."
    )
    picture = Picture(WIDE, 5.4, alt=alt, title=head)
    rows = [[main] * len(others), others]
    axes = picture.subplot_mosaic(rows, height_ratios=(1.8, 1))
    for base, (which, turn) in carriers.items():
        name = f"base {base:,}: half a turn of pair {which} is {turn:.1f} positions"
        ax = style_axes(axes[base], title=name, ylabel="share right")
        offset = np.arange(1, len(means[base]) + 1)
        end = offset[-1] + 0.5
        for begin in np.arange(turn, end, 2 * turn):
            ax.axvspan(begin, min(begin + turn, end), color=GRID, lw=0)
        reference_line(ax, x=_TRAINED - 0.5, linestyle="-")
        reference_line(ax, y=0.5, label="guess")
        ax.plot(offset, np.transpose(measured[base]), color=GOOD, lw=0.7, alpha=0.5)
        ax.plot(offset, means[base], color=GOOD, linewidth=2)
        ax.set(xlim=(0.5, end), ylim=(-0.06, 1.1))
        ax.set_xlabel("offset between A and B, either side", fontsize=10, color=INK)
    ax = axes[main]
    for there in marked:
        share = means[main][there - 1]
        ax.plot(there, share, "o", color=BAD, ms=7, clip_on=False)
        place = there + 0.6, share + (0.09 if share < 0.5 else -0.09)
        said = f"{share:.0%} at {there}"
        write(ax, *place, said, ha="left", weight="bold", fontsize=11)
    look = {"fontsize": 10, "va": "top"}
    said = f"grey: the sine of pair {pair}\nhas the wrong sign"
    write(ax, 1.5 * half, 1.04, said, **look)
    write(ax, _TRAINED - 1, 0.1, f"trained up to {_TRAINED - 1}", ha="right", **look)
    return picture


def one_pair_alone(shares):
    """Share right when a single hand moves, a strip per reader and a column per pair.

    ``shares`` maps a label to an array over the pairs. Those that are right more than
    two times in three are framed.
    """
    able = {
        name: np.flatnonzero(np.greater(line, 2 / 3)) for name, line in shares.items()
    }
    most = max(map(len, able.values()))
    title = f"At most {most} pairs are right two times in three, alone"
    alt = f"Share right with one hand alone: {title}, namely {each(able, listed)}."
    label = "the only pair that turns"
    size = (WIDE, 0.55 * len(shares) + 1.2)
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
    title = f"Most say yes at {len(found)} offsets, and only 1 is right"
    alt = (
        "Share of answers that B stands directly after A, against the offset of B from "
        f"A. Above one half: {listed(found)}."
    )
    labels = "offset of B from A (trained: between the lines)", "share of yes answers"
    ends = {"xlim": (offsets[0] - 1, offsets[-1] + 1), "ylim": (-0.04, 1.16)}
    picture, ax = plot(WIDE, 3.2, *labels, alt=alt, title=title, **ends)
    for end in (0.5 - _TRAINED, _TRAINED - 0.5):
        reference_line(ax, x=end, linestyle="-")
    ax.vlines(offsets, 0, shares, color=BAD, linewidth=1)
    ax.plot(offsets, shares, "o", color=BAD, ms=3)
    beside = np.pad(shares, 1)
    for n, share in enumerate(shares):  # of equally high neighbours, the first has it
        if share > max(0.5, beside[n]) and share >= beside[n + 2]:
            write(ax, offsets[n], share + 0.08, f"{offsets[n]}".replace("-", "−"))
    return picture
