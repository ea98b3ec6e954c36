"""Pictures of notebook 07: score maps, layouts, readers and their hands."""

import numpy as np

from helpers.draw.boxes import box, frame, sheet, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, pair_colour
from helpers.draw.panels import heat, panel_row, plot, reference_line, scale
from helpers.draw.style import BLUES, DIVERGING, pale
from helpers.draw.words import each, listed

GOAL = 0.9  # the share of right answers that counts as "can do it"
_TRAINED = 16  # the length of the sequences that every reader was trained on
_SHARED = {"sharex": True, "sharey": True}


def score_maps(maps):
    """Matrices of scores in the same colours, and on what they depend.

    ``maps`` is a dict from title to an array of shape (n, n): query, key.
    """
    found = {name: _depends(scores) for name, scores in maps.items()}
    _, axes = panel_row(
        [f"{name}:\n{what}" for name, what in found.items()],
        2.1 + 4 / len(maps),
        "position of the key",
        "position of the query",
        alt=f"Matrices of scores, query by key: {each(found, str)}.",
        title=_one_curve(found),
    )
    largest = np.abs(list(maps.values())).max()
    for ax, scores in zip(axes, maps.values(), strict=True):
        image = heat(ax, scores, (-largest, largest))
    return scale(image, axes, "score", shrink=0.8)


_OFFSET = "one score for each offset"
_SUM = "one score for each sum pos + j"


def _depends(scores):
    """On what scores depend, in words: they are constant along which diagonals?"""
    n = len(scores)
    for name, table in ((_OFFSET, scores), (_SUM, np.flip(scores, axis=1))):
        if all(np.ptp(np.diagonal(table, k)) < 1e-9 for k in range(1 - n, n)):
            return name
    return "every place has its own"


def _one_curve(found):
    alike = listed(name for name, what in found.items() if what == _OFFSET)
    other = listed(name for name, what in found.items() if what != _OFFSET)
    return f"One score for each offset: {alike}; not so: {other}"


def by_offset(maps):
    """Every score against its offset ``j - pos``, a panel for each matrix."""
    found = {name: _depends(scores) for name, scores in maps.items()}
    picture, axes = panel_row(
        maps,
        3.4,
        "offset j − pos (key − query)",
        "score",
        alt=f"Scores against the offset: {each(found, str)}.",
        title=_one_curve(found),
        like={"sharey": True},
    )
    for ax, scores in zip(axes, maps.values(), strict=True):
        query, key = np.indices(scores.shape)
        ax.plot((key - query).ravel(), scores.ravel(), ".", ms=3, color=GOOD, alpha=0.5)
    return picture


def layouts(d_model):
    """Which columns make a pair, in the two layouts; each box names its pair."""
    columns = np.arange(d_model)
    layouts = {
        "adjacent columns": columns.reshape(-1, 2),
        "split halves": columns.reshape(2, -1).T,
    }
    told = each(layouts, lambda pairs: listed(f"{a} with {b}" for a, b in pairs))
    picture, ax = sheet(
        3.6,
        (d_model - 0.3, 1.0),
        (-3.1, -3.5),
        alt=f"Two rows of {d_model} columns: {told}.",
        title="The same pairs in two layouts: adjacent columns, or split halves",
    )
    ax.set_aspect("equal")
    write(ax, -0.6, 0.7, "column", ha="right", color=MUTED)
    for y, (name, pairs) in zip((0, -2.1), layouts.items(), strict=True):
        write(ax, -0.6, y, name, ha="right", fontsize=11)
        for pair, (a, b) in enumerate(pairs):
            colour = pair_colour(pair)
            for column in (a, b):
                frame(ax, column, y, 0.86, 0.86, fc=pale(colour, 0.25), ec=colour, lw=2)
                write(ax, column, y, f"pair {pair}", weight="bold")
                write(ax, column, y + 0.7, column, color=MUTED)
            # A flat bow below the two that belong together; wide ones hang lower.
            high = y - 0.45
            low = high - 0.2 * (1 + pair * (b - a > 1))
            ax.plot([a, a, b, b], [high, low, low, high], color=colour, lw=1.8)
    return picture


def extrapolation(results):
    """Accuracy against length for every code: a dot a seed, a line for the mean.

    ``results`` maps a code's name to {length: array over seeds}.
    """
    # Of each code, shape (lengths, seeds).
    shares = {code: np.array(list(found.values())) for code, found in results.items()}
    lengths = list(next(iter(results.values())))
    able = [code for code, seeds in shares.items() if seeds[-1].mean() > GOAL]
    means = each(
        shares, lambda seeds: listed(f"{mean:.1f}" for mean in seeds.mean(axis=1))
    )
    picture, axes = panel_row(
        results,
        2.3 * -(-len(results) // 3) + 0.5,
        alt=f"Mean shares right at lengths {listed(lengths)}: {means}.",
        title=(
            f"Trained at length {_TRAINED}, only {listed(able)} can do length "
            f"{lengths[-1]} (over {GOAL:.0%} right)"
        ),
        columns=3,
        like=_SHARED,
    )
    for ax, (code, seeds) in zip(axes, shares.items(), strict=True):
        colour = GOOD if code in able else MUTED
        means = seeds.mean(axis=1)
        reference_line(ax, y=0.5)
        reference_line(ax, x=_TRAINED, linestyle="-")
        ax.plot(lengths, means, ".-", color=colour, linewidth=1.7, ms=4)
        # Small steps aside, so that equal numbers do not hide each other.
        aside = np.outer(lengths, np.geomspace(0.97, 1.03, seeds.shape[1]))
        ax.plot(aside, seeds, "o", color=colour, ms=3.6, mec="white", mew=0.4)
        ax.set_xscale("log", base=2)
        ax.set_xticks(lengths, lengths)
        ax.minorticks_off()
        ax.set_ylim(0.25, 1.12)
        write(
            ax,
            lengths[-1],
            means[-1] + 0.085,
            f"{means[-1]:.0%}",
            weight="bold",
            fontsize=10,
        )
    for y, said in ((0.32, "trained up to here"), (0.6, "guessing")):
        write(axes[0], 1.03 * _TRAINED, y, said, ha="left", color=MUTED, fontsize=10)
    picture.supxlabel(
        "length of the test sequences (logarithmic; small dots: single models)",
        fontsize=10,
        color=INK,
    )
    picture.supylabel("share right", fontsize=10, color=INK)
    return picture


def where_right(maps):
    """Share of right answers for every pair of places of A (down) and B (across).

    ``maps`` maps a code's name to an array over (place of A, place of B), which are
    evenly spaced from 0 to 63. The frame is what was trained.
    """
    found = {code: _in_and_outside(shares) for code, shares in maps.items()}
    able = listed(code for code, (_, outside) in found.items() if outside > GOAL)
    _, axes = panel_row(
        [f"{n}\n{a:.0%} in it, {b:.0%} outside" for n, (a, b) in found.items()],
        3.7,
        "place of B",
        "place of A",
        alt="Maps over the places of A and B, with a frame round that square.",
        title=f"Over {GOAL:.0%} right outside the square that was trained: only {able}",
        like=_SHARED,
        xticks=range(0, 65, 16),
        yticks=range(0, 65, 16),
    )
    for ax, shares in zip(axes, maps.values(), strict=True):
        image = heat(ax, shares, (0, 1), DIVERGING.reversed(), extent=(0, 64, 64, 0))
        box(ax, 0.6, 0.6, _TRAINED, _TRAINED, fill=False, ec=INK, lw=2)
    return scale(
        image,
        axes,
        "share of readers right: 0 (red) is wrong, 0.5 (white) is guessed",
        ticks=[0, 0.5, 1],
        location="bottom",
        aspect=60,
        shrink=0.7,
    )


def _in_and_outside(shares):
    """The mean shares in the square that was trained, and outside of it."""
    edge = _TRAINED * len(shares) // 64
    outside = np.ones(shares.shape, dtype=bool)
    outside[:edge, :edge] = False
    return shares[:edge, :edge].mean(), shares[outside].mean()


def reach(measured, carriers, marked):
    """Share right against the offset, a panel for each base, and the turn of one hand.

    ``measured`` maps a base to an array (seeds, offsets 1, 2, …); ``carriers`` maps it
    to (pair, half turn in positions): in the grey bands the sine of that pair has the
    other sign. Right of the vertical line are offsets that were not trained. The last
    panel has the shares at the offsets that are ``marked`` written into it.
    """
    means = {base: np.mean(measured[base], axis=0) for base in carriers}
    main, (_, half) = list(carriers.items())[-1]
    found = listed(
        f"{means[main][k - 1]:.0%} at offset {k} "
        f"({('right', 'wrong')[int(k // half) % 2]} sign)"
        for k in marked
    )
    picture, axes = panel_row(
        [
            f"base {base:,}: half a turn of pair {pair} is {turn:.1f} positions "
            "(grey: its sine has the wrong sign)"
            for base, (pair, turn) in carriers.items()
        ],
        6.2,
        ylabel="share right",
        alt=f"Share right against the offset of B from A, for {len(means)} bases.",
        title=f"Base {main:,}, right answers: {found}",
        columns=1,
        like={"sharex": True},
        ylim=(-0.06, 1.1),
    )
    for ax, (base, (_, turn)) in zip(axes, carriers.items(), strict=True):
        offset = np.arange(1, len(means[base]) + 1)
        end = offset[-1] + 0.5
        for begin in np.arange(turn, end, 2 * turn):
            ax.axvspan(begin, min(begin + turn, end), color=GRID, lw=0)
        reference_line(ax, x=_TRAINED - 0.5, linestyle="-")
        reference_line(ax, y=0.5, label="guess")
        ax.plot(offset, np.transpose(measured[base]), color=GOOD, lw=0.7, alpha=0.5)
        ax.plot(offset, means[base], color=GOOD, linewidth=2)
        ax.set_xlim(0.5, end)
    for there in marked:
        share = means[main][there - 1]
        ax.plot(there, share, "o", color=BAD, ms=7, clip_on=False)
        write(
            ax,
            there + 0.6,
            share + (0.12 if share < 0.5 else -0.12),
            f"{share:.0%} at {there}",
            ha="left",
            weight="bold",
            fontsize=11,
        )
    last = _TRAINED - 1
    write(ax, last, 0.1, f"trained up to {last}", ha="right", fontsize=10)
    ax.set_xlabel("offset between A and B, either side", fontsize=10, color=INK)
    return picture


def one_pair_alone(shares):
    """Share right when a single hand moves, a strip per reader and a column per pair.

    ``shares`` maps a label to an array over the pairs. Those that are right more than
    two times in three are framed.
    """
    able = {name: np.flatnonzero(row > 2 / 3) for name, row in shares.items()}
    most = max(map(len, able.values()))
    title = f"Alone, at most {most} pairs of a reader are right two times in three"
    picture, ax = plot(
        0.55 * len(shares) + 1.2,
        "the only pair that turns",
        alt=f"They are: {each(able, listed)}. Share right with one hand alone.",
        title=title,
    )
    heat(ax, list(shares.values()), (0.5, 1), BLUES, ".2f", aspect="auto")
    for row, pairs in enumerate(able.values()):
        for pair in pairs:
            box(ax, pair - 0.46, row - 0.42, 0.92, 0.84, fill=False, ec=BAD, lw=2)
    ax.set_yticks(range(len(shares)), list(shares))
    return picture


def share_of_yes(offsets, shares):
    """Share of answers "B is directly after A" against the signed offset of B from A.

    ``offsets`` and ``shares`` are arrays.
    """
    found = offsets[shares > 0.5]
    picture, ax = plot(
        3.2,
        "offset of B from A (trained: between the lines)",
        "share of yes answers",
        alt=f"Above one half: {listed(found)}.",
        title=f"Most readers say yes at {len(found)} offsets, but only offset 1 is right",
        ylim=(-0.04, 1.16),
    )
    for end in (0.5 - _TRAINED, _TRAINED - 0.5):
        reference_line(ax, x=end, linestyle="-")
    ax.vlines(offsets, 0, shares, color=BAD, linewidth=1)
    ax.plot(offsets, shares, "o", color=BAD, ms=3)
    ax.margins(x=0.01)
    left, right = np.pad(shares, 1)[:-2], np.pad(shares, 1)[2:]
    # Of equally high neighbours, the first has it.
    for n in np.flatnonzero((shares > 0.5) & (shares > left) & (shares >= right)):
        write(ax, offsets[n], shares[n] + 0.08, f"{offsets[n]}".replace("-", "−"))
    return picture
