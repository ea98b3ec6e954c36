"""Pictures of notebook 06: attention, the model, squares, maps, experiments."""

import numpy as np

from helpers.draw.boxes import arrow, box, height_of, sheet, stack, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, PAIR_COLOURS, PAPER
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line
from helpers.draw.style import BLUES, DIVERGING, dark, name_lines
from helpers.draw.words import each

# A condition keeps its colour in every picture, whatever stands behind a comma ("with
# positions, backwards").
_COLOURS = {
    "without positions": BAD,
    "with positions": GOOD,
    "causal mask instead": PAIR_COLOURS[2],
    "learned table": PAIR_COLOURS[3],
}
_SIDES = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])


def attention_steps(scores, weights, value, output):
    """The four matrices of one attention, from left to right, values written in.

    ``scores`` and ``weights`` of shape (queries, keys), ``value`` (keys, d_v),
    ``output`` (queries, d_v).
    """
    matrices = [np.asarray(matrix) for matrix in (scores, weights, value, output)]
    weights = matrices[1]
    query, key = np.unravel_index(weights.argmax(), weights.shape)
    scored, weighted, valued, made = (matrix.shape for matrix in matrices)
    picture, axes = panel_row(
        (
            f"scores  {scored}\nof each key",
            f"weights  {weighted}\n= softmax(scores)",
            f"value  {valued}\nof each key",
            f"output  {made}\n= weights @ value",
        ),
        2.9,
        "key",
        "query",
        alt="Four matrices with their values, and a frame round these rows.",
        title=(
            f"Query {query} gives {weights.max():.0%} of its weight to key {key}, so "
            f"row {query} of the output is most like row {key} of value"
        ),
        like={"width_ratios": [matrix.shape[1] + 0.8 for matrix in matrices]},
    )
    for ax, matrix, row in zip(axes, matrices, (query, query, key, query), strict=True):
        limit = np.abs(matrix).max()
        colours = ((0, 1), BLUES) if matrix is weights else ((-limit, limit), DIVERGING)
        heat(ax, matrix, *colours, ".2f", 8.5, aspect="auto")
        box(
            ax,
            -0.5,
            row - 0.5,
            matrix.shape[1],
            fill=False,
            ec=BAD,
            lw=2.5,
            clip_on=False,
        )
    axes[2].set(xlabel="column", ylabel="key")
    axes[3].set(xlabel="column")
    return picture


def corner_model(d_model):
    """The encoder-decoder for corners, with the shape that leaves every box."""
    picture, ax = sheet(
        4.9,
        (14.2, 8.2),
        alt=(
            "The model as two stacks. Left, the encoder reads points 0 and 1. Its "
            "output, the memory, goes to the decoder's cross-attention. Right, the "
            "decoder reads point 1 and then point 2 (in use, its own guess) and "
            "predicts points 2 and 3. Both stacks embed points of shape (batch, 2, "
            f"2) to (batch, 2, {d_model})."
        ),
        title="Given points 0 and 1, it predicts 2 and 3; each stack adds positions once",
    )
    encoder = (
        "points 0, 1",
        "embed",
        "+ positions",
        "self-attention, add, norm",
        "feed-forward, add, norm",
    )
    decoder = (
        "points 1, 2 (in use: 1 and its guess)",
        "embed",
        "+ positions",
        "masked self-attention, add, norm",
        "cross-attention, add, norm",
        "feed-forward, add, norm",
        "project: points 2, 3",
    )
    stack(ax, 4.15, "Encoder", encoder, width=4.3)
    stack(ax, 10.05, "Decoder", decoder, width=4.3)
    for x, side, names in ((1.85, "right", encoder), (12.35, "left", decoder)):
        for level, name in enumerate(names):
            write(
                ax,
                x,
                height_of(level),
                f"(batch, 2, {2 if 'points' in name else d_model})",
                ha=side,
                color=MUTED,
            )
    arrow(ax, (6.35, 4.65), (7.85, 4.65), linewidth=1.3)
    write(ax, 7.1, 4.8, "memory", va="bottom")
    return picture


def squares(points, directions):
    """Sequences of corners, numbered in order, one panel each.

    ``points`` of shape (n, length, 2); ``directions`` of shape (n,), 1 for clockwise.
    """
    words = ["clockwise" if d else "counter-clockwise" for d in directions]
    points = np.asarray(points)
    off = np.hypot(*(points - np.sign(points)).T).max()
    picture, axes = _on_squares(
        words,
        2.8,
        alt=f"Walks round a square, numbered in order: {', '.join(words)}.",
        title=(
            "Given points 0 and 1, predict 2 and 3 (orange); noise puts a point up to "
            f"{off:.2f} off its corner"
        ),
    )
    for ax, path in zip(axes, points, strict=True):
        _walked(ax, path)
    return picture


def predicted_squares(given, truth, predicted):
    """Given points, the true rest and the predicted rest, a panel for each sequence.

    Shapes (n, 2, 2) each: sequence, point, coordinate.
    """
    given, truth, predicted = map(np.asarray, (given, truth, predicted))
    right = (np.sign(truth) == np.sign(predicted)).all(axis=(1, 2)).sum()
    picture, axes = _on_squares(
        [None] * len(given),
        1.8 * -(-len(given) // 5) + 0.8,
        alt=(
            "Held-out squares. In each, points 0 and 1 are given; rings mark the "
            "true points 2 and 3, crosses the predicted ones."
        ),
        title=f"In {right} of {len(given)} squares, both predictions are at their corners",
        columns=5,
    )
    for ax, seen, real, guess in zip(axes, given, truth, predicted, strict=True):
        _path(ax, [seen[-1], *guess], BAD)
        _walked(ax, seen)
        ax.plot(
            *np.sign(real).T,
            "+",
            color=MUTED,
            ms=16,
            mew=1,
            label="corner, without noise",
        )
        ax.plot(*real.T, "o", mfc="none", mec=GOOD, mew=1.6, ms=11, label="true")
        ax.plot(*guess.T, "x", color=BAD, mew=1.8, ms=7, label="predicted")
    picture.legend(
        *axes[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=3,
        fontsize=10,
    )
    return picture


def _on_squares(heads, *size, **more):
    """Panels with a dotted square, without axes."""
    picture, axes = panel_row(heads, *size, aspect="equal", **more)
    for ax in axes:
        ax.plot(*_SIDES.T, color=MUTED, linewidth=0.6, linestyle=":", zorder=0)
        ax.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5))
        ax.axis("off")
    return picture, axes


def _path(ax, path, colour, **look):
    for start, end in zip(path[:-1], path[1:], strict=True):
        arrow(ax, start, end, color=colour, shrinkA=9, shrinkB=9, **look)


def _walked(ax, path):
    """Points, numbered in their order; 0 and 1 are given, so they are dark."""
    _path(ax, path[:2], INK)
    _path(ax, path[1:], BAD, linestyle="--")
    for number, point in enumerate(path):
        fill, ink, edge = (INK, PAPER, INK) if number < 2 else (PAPER, INK, BAD)
        write(
            ax,
            *point,
            number,
            color=ink,
            bbox={"boxstyle": "circle,pad=0.2", "fc": fill, "ec": edge},
            fontsize=10,
        )


def attention_arrows(name, weights, queries, keys):
    """An arrow from each query to each key, as wide as the weight, a panel for each head.

    ``weights`` has the shape (heads, queries, keys).
    """
    weights = np.asarray(weights)
    most = np.array(keys)[weights.argmax(axis=2)].T  # (queries, heads)
    told = "; ".join(
        f"{query} looks most at {' or '.join(dict.fromkeys(seen))}"
        for query, seen in zip(queries, most, strict=True)
    )
    picture, axes = panel_row(
        [f"head {head}: from queries up to keys" for head in range(len(weights))],
        2.5,
        alt="Arrows from queries up to keys, as wide as their weights.",
        title=f"{name.capitalize()}, {len(weights)} heads: {told}",
    )
    for ax, head in zip(axes, weights, strict=True):
        ax.set(ylim=(-0.1, 1.1))
        ax.axis("off")
        for y, names in (1, keys), (0, queries):
            for number, name in enumerate(names):
                write(
                    ax,
                    _place(number, names),
                    y,
                    name,
                    bbox={"fc": PAPER, "ec": INK, "boxstyle": "round,pad=0.3"},
                    fontsize=10,
                )
        for (query, key), weight in np.ndenumerate(head):
            start, end = _place(query, queries), _place(key, keys)
            arrow(
                ax,
                (start, 0.1),
                (end, 0.9),
                color=GOOD,
                lw=0.6 + 7 * weight,
                mutation_scale=8 + 16 * weight,
            )
            write(
                ax,
                0.7 * start + 0.3 * end,
                0.34,
                f"{weight:.0%}",
                bbox={"fc": PAPER, "ec": "none", "pad": 1},
                fontsize=10,
            )
    return picture


def _place(number, names):
    return (number + 0.5) / len(names)


def losses(history, floor):
    """Training and held-out loss against epochs, log scale, with the noise floor."""
    named = {"training": history["train"], "held out": history["valid"]}
    above = all(curve[-1] > floor for curve in named.values())
    _, ax = plot(
        3.3,
        "epoch",
        "mean squared error",
        alt=(
            "Training and held-out loss against epochs, on a logarithmic axis, and "
            f"a dashed line at {floor:g}, the variance of the noise."
        ),
        title=f"{'Both' if above else 'Not both'} losses end above the noise",
    )
    epochs = range(1, len(history["train"]) + 1)
    lines(ax, epochs, named, ms=4)
    # The names stand where the two are farthest apart.
    epoch = np.ptp(np.log(list(named.values())), axis=0).argmax()
    for line, side in zip(ax.lines, ("left", "right"), strict=True):
        write(
            ax,
            *line.get_xydata()[epoch],
            f"   {line.get_label()}   ",
            ha=side,
            color=dark(line.get_color()),
            fontsize=11,
            weight="bold",
        )
    ax.set(yscale="log", xticks=epochs)
    reference_line(ax, y=floor)
    write(
        ax,
        1,
        0.93 * floor,
        f"variance of the noise, {floor:g}: no model gets below",
        va="top",
        ha="left",
        color=MUTED,
        fontsize=10,
    )
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set_ylim(bottom=floor / 1.8)
    return ax.figure


def ablation_dots(errors, floor):
    """Two columns with a dot a seed: ``errors`` maps a condition to its numbers.

    A line joins the two dots of a seed; ``floor`` is the error that the noise sets.
    """
    (one, first), (other, second) = errors.items()
    overlap = min(first) <= max(second) and min(second) <= max(first)
    picture, ax = plot(
        3.4,
        ylabel="root mean squared error",
        alt=(
            f"Held-out error of {len(first)} seeds, a dot each in two columns, the "
            f"two of a seed joined by a line, and a dashed line at {floor:g}, the "
            "error that the noise sets."
        ),
        title=f"The errors {one} and {other} {'' if overlap else 'do not '}overlap",
    )
    ax.plot([0, 1], [first, second], color=MUTED, linewidth=0.9)
    for place, (name, seeds) in enumerate(errors.items()):
        ax.plot([place] * len(seeds), seeds, "o", color=_COLOURS[name], ms=8)
    ax.set(xlim=(-0.5, 1.5), ylim=(0.9 * floor, 1.02 * max(*first, *second)))
    ax.set_xticks([0, 1], [one, other])
    reference_line(ax, y=floor, label="noise")
    return picture


def share_strips(shares, what, *, chance=None):
    """A strip for each condition with one dot a seed; ``shares`` name -> (seeds,).

    ``what`` says of what these are shares, from 0 to 1; ``chance`` draws a line at the
    share that guessing reaches. The mean stands at the end of each strip.
    """
    fewest = min(shares, key=lambda name: np.mean(shares[name]))
    picture, ax = plot(
        0.46 * len(shares) + 0.9,
        alt=f"One dot for each seed, in strips: {_ranges(shares)}.",
        title=f"{what.capitalize()}: fewest “{fewest}”",
    )
    if chance:
        reference_line(ax, x=chance)
        write(ax, chance, -0.62, "chance", color=MUTED)
    for place, (name, seeds) in enumerate(shares.items()):
        ax.plot([0, 1], [place, place], color=GRID, linewidth=7, zorder=0)
        # Small steps aside, so that equal numbers do not hide each other.
        aside = place + np.linspace(-0.16, 0.16, len(seeds))
        ax.plot(
            seeds, aside, "o", color=_COLOURS[name.partition(",")[0]], ms=7, alpha=0.85
        )
        write(ax, 1.04, place, f"mean {np.mean(seeds):.2f}", ha="left", fontsize=10)
    ax.set(xlim=(-0.03, 1.16), ylim=(len(shares) - 0.4, -0.8))
    ax.set_yticks(range(len(shares)), list(shares))
    return picture


def accuracy_curves(curves):
    """Held-out accuracy against epochs; ``curves`` condition -> (seeds, epochs)."""
    curves = {name: np.transpose(seeds) for name, seeds in curves.items()}
    ends = _ranges({name: seeds[-1] for name, seeds in curves.items()})
    _, ax = plot(
        3.3,
        "epoch",
        "accuracy",
        alt="Held-out accuracy against epochs, one line a seed, and one at chance.",
        title=f"Accuracy at the end: {ends}",
    )
    for name, seeds in curves.items():
        epochs = range(1, len(seeds) + 1)
        drawn = ax.plot(
            epochs,
            seeds,
            "--" if name == "without positions" else "-",
            color=_COLOURS[name],
            linewidth=1.4,
        )
        drawn[0].set_label(name)
    reference_line(ax, y=0.5)
    ax.set(xticks=epochs, ylim=(0.35, 1.05))
    return name_lines(ax)


def _ranges(shares):
    """ "a, between 0.4 and 0.6; b, …": the ends, rounded outwards to tenths.

    With some room, so that another processor's last digits give the same words.
    """

    def ends(seeds):
        low = np.floor(10 * np.min(seeds) - 0.05) / 10
        high = np.ceil(10 * np.max(seeds) + 0.05) / 10
        return f"between {max(low, 0):g} and {min(high, 1):g}"

    return each(shares, ends)
