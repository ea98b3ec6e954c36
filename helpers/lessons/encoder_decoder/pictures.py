"""Pictures of notebook 06: attention, the model, squares, maps, experiments."""

import numpy as np

from helpers.draw.boxes import arrow, box, height_of, sheet, stack, write
from helpers.draw.look import BAD, GOOD, GRID, INK, MUTED, PAIR_COLOURS, PAPER
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line
from helpers.draw.style import BLUES, DIVERGING, WIDE, name_lines
from helpers.draw.words import each, listed

# A condition keeps its colour and its dashes in every picture, whatever stands behind a
# comma ("with positions, backwards").
_LOOKS = {
    "without positions": (BAD, "--"),
    "with positions": (GOOD, "-"),
    "causal mask instead": (PAIR_COLOURS[2], "-."),
    "learned table": (PAIR_COLOURS[3], ":"),
}
_SIDES = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])


def attention_steps(scores, weights, value, output):
    """The four matrices of one attention, from left to right, values written in.

    ``scores`` and ``weights`` of shape (queries, keys), ``value`` (keys, d_v),
    ``output`` (queries, d_v).
    """
    named = {"scores": scores, "weights": weights, "value": value, "output": output}
    named = {name: np.asarray(matrix) for name, matrix in named.items()}
    weights = named["weights"]
    query, key = np.unravel_index(weights.argmax(), weights.shape)
    share = f"{weights.max():.0%}"
    head = (
        f"Query {query} gives {share} of its weight to key {key}, so row {query} of the "
        f"output is most like row {key} of value"
    )
    alt = (
        "Four matrices with their values: scores and weights (query by key), value and "
        f"output. {head}."
    )
    of = {"scores": "of each key", "weights": "= softmax(scores)"}
    of |= {"value": "of each key", "output": "= weights @ value"}
    titles = [f"{name}  {m.shape}\n{of[name]}" for name, m in named.items()]
    like = {"width_ratios": [matrix.shape[1] + 0.8 for matrix in named.values()]}
    picture, axes = panel_row(titles, WIDE, 2.9, alt=alt, title=head, like=like)
    for ax, (name, matrix) in zip(axes, named.items(), strict=True):
        limit = np.abs(matrix).max()
        colours = ((0, 1), BLUES) if name == "weights" else ((-limit, limit), DIVERGING)
        heat(ax, matrix, *colours, ".2f", 8.5, aspect="auto")
        columns = "key" if name in ("scores", "weights") else "column"
        ax.set(xlabel=columns, ylabel="key" if name == "value" else "query")
        row = key if name == "value" else query
        look = {"fill": False, "ec": BAD, "lw": 2.5, "clip_on": False}
        box(ax, -0.5, row - 0.5, matrix.shape[1], **look)
    return picture


def corner_model(d_model):
    """The encoder-decoder for corners, with the shape that leaves every box."""
    alt = (
        "The model as two stacks. Left, the encoder reads points 0 and 1. Its output, "
        "the memory, goes to the decoder's cross-attention. Right, the decoder reads "
        "point 1 and then point 2 (in use, its own guess) and predicts points 2 and 3. "
        f"Both stacks embed points of shape (batch, 2, 2) to (batch, 2, {d_model}) and "
        "then add positions, each for itself."
    )
    head = "Given points 0 and 1, it predicts 2 and 3; positions are added twice"
    picture, ax = sheet(WIDE, 4.9, (14.2, 8.2), alt=alt, title=head)
    start = ["embed", "+ positions"]
    end = ["feed-forward, add, norm"]
    encoder = ["points 0, 1", *start, "self-attention, add, norm", *end]
    decoder = ["points 1, 2 (in use: 1 and its guess)", *start]
    decoder += ["masked self-attention, add, norm", "cross-attention, add, norm", *end]
    decoder.append("project: points 2, 3")
    for side, title, names in ((-1, "Encoder", encoder), (1, "Decoder", decoder)):
        x = 7.1 + 2.95 * side
        stack(ax, x, title, names, width=4.3)
        for level, name in enumerate(names):
            shape = f"(batch, 2, {2 if 'points' in name else d_model})"
            place = x + 2.3 * side, height_of(level)
            write(ax, *place, shape, ha="left" if side > 0 else "right", color=MUTED)
    arrow(ax, (6.35, 4.65), (7.85, 4.65), linewidth=1.3)
    write(ax, 7.1, 4.8, "memory", va="bottom")
    return picture


def squares(points, directions):
    """Sequences of corners, numbered in order, one panel each.

    ``points`` of shape (n, length, 2); ``directions`` of shape (n,), 1 for clockwise.
    """
    words = ["clockwise" if d else "counter-clockwise" for d in directions]
    alt = (
        f"{len(points)} walks round a square, their points numbered in order and "
        f"slightly off the corners: {', '.join(words)}."
    )
    points = np.asarray(points)
    off = np.abs(points - np.sign(points)).max()
    head = "Given points 0 and 1, which are 2 and 3? "
    head += f"Each lies up to {off:.2f} off its corner"
    picture, axes = _on_squares(words, WIDE, 2.8, alt=alt, title=head)
    for ax, path in zip(axes, points, strict=True):
        _walked(ax, path)
    return picture


def predicted_squares(given, truth, predicted):
    """Given points, the true rest and the predicted rest, a panel for each sequence.

    Shapes (n, 2, 2) each: sequence, point, coordinate.
    """
    given, truth, predicted = map(np.asarray, (given, truth, predicted))
    right = (np.sign(truth) == np.sign(predicted)).all(axis=(1, 2)).sum()
    alt = (
        f"{len(given)} held-out squares. In each, points 0 and 1 are given; rings mark "
        "the true points 2 and 3, crosses the predicted ones. Squares with both crosses "
        f"at the right corners: {right}."
    )
    corner, ring = (
        np.linalg.norm(predicted - to, axis=-1) for to in (np.sign(truth), truth)
    )
    head = (
        f"{(corner < ring).sum()} of {corner.size} predictions are nearer to the corner"
    )
    head += " than to the true point, which has noise"
    size = WIDE, 1.8 * -(-len(given) // 5) + 0.8
    more = {"columns": 5, "title": head}
    picture, axes = _on_squares([None] * len(given), *size, alt=alt, **more)
    for ax, seen, real, guess in zip(axes, given, truth, predicted, strict=True):
        _path(ax, np.concatenate([seen[-1:], guess]), BAD)
        _walked(ax, seen)
        look = {"color": MUTED, "ms": 16, "mew": 1, "label": "corner, without noise"}
        ax.plot(*np.sign(real).T, "+", **look)
        ax.plot(*real.T, "o", mfc="none", mec=GOOD, mew=1.6, ms=11, label="true")
        ax.plot(*guess.T, "x", color=BAD, mew=1.8, ms=7, label="predicted")
    names = axes[0].get_legend_handles_labels()
    picture.legend(*names, loc="outside lower center", ncols=3, fontsize=10)
    return picture


def _on_squares(heads, *size, **more):
    """Panels with a dotted square, without axes."""
    picture, axes = panel_row(heads, *size, aspect="equal", **more)
    for ax in axes:
        ax.plot(*_SIDES.T, color=MUTED, linewidth=0.6, linestyle=":", zorder=0)
        ax.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5))
        ax.axis("off")
    return picture, axes


def _path(ax, path, colour):
    for start, end in zip(path[:-1], path[1:], strict=True):
        arrow(ax, start, end, color=colour, shrinkA=9, shrinkB=9)


def _walked(ax, path):
    """Points, numbered in their order; those that are given, 0 and 1, are dark."""
    _path(ax, path, INK)
    for number, point in enumerate(path):
        fill, ink = (INK, PAPER) if number < 2 else (PAPER, INK)
        look = {"boxstyle": "circle,pad=0.2", "fc": fill, "ec": INK}
        write(ax, *point, str(number), color=ink, bbox=look, fontsize=10)


def attention_maps(name, weights, queries, keys):
    """Maps of all heads: ``weights`` has the shape (heads, queries, keys)."""
    weights = np.asarray(weights)
    most = each(dict(enumerate(weights[:, 0])), lambda row: keys[row.argmax()])
    alt = (
        f"{name}, a map of weights for each head, query by key. The key that the first "
        f"query, {queries[0]}, gives most weight, by head: {most}."
    )
    titles = [f"head {head}" for head in range(len(weights))]
    told = listed(
        f"{row.max():.0%} to {keys[row.argmax()]} in {head}"
        for row, head in zip(weights[:, 0], titles, strict=True)
    )
    found = f"{name.capitalize()}: query {queries[0]} gives {told}"
    size = WIDE, 1.6 + 0.6 * len(queries)
    picture, axes = panel_row(titles, *size, "key", "query", alt=alt, title=found)
    for ax, head in zip(axes, weights, strict=True):
        heat(ax, head, (0, 1), BLUES, ".0%", 12, aspect="auto")
        ax.set_xticks(range(len(keys)), keys)
        ax.set_yticks(range(len(queries)), queries)
    return picture


def losses(history, floor):
    """Training and held-out loss against epochs, log scale, with the noise floor."""
    named = {"training": history["train"], "held out": history["valid"]}
    ends = history["train"][-1], history["valid"][-1]
    alt = (
        "Training and held-out loss against epochs, on a logarithmic axis, and a dashed "
        f"line at {floor:.2g}, the variance of the noise. "
        f"{'Both end' if min(ends) > floor else 'Not both end'} above it."
    )
    epochs = range(1, len(history["train"]) + 1)
    told = listed(f"{loss / floor:.2f}" for loss in ends)
    title = f"Training and held-out loss end at {told} times the noise"
    look = {"title": title, "yscale": "log", "xticks": epochs}
    _, ax = plot(WIDE, 3.3, "epoch", "mean squared error", alt=alt, **look)
    lines(ax, epochs, named, ms=4)
    reference_line(ax, y=floor)
    said = f"variance of the noise, {floor:g}: no model gets below"
    write(ax, 1, 0.93 * floor, said, va="top", ha="left", color=MUTED, fontsize=10)
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set_ylim(bottom=floor / 1.8)
    return name_lines(ax)


def ablation_dots(errors, floor):
    """Two columns with a dot a seed: ``errors`` maps a condition to its numbers.

    A line joins the two dots of a seed; ``floor`` is the error that the noise sets.
    """
    (one, first), (other, second) = errors.items()
    overlap = min(first) <= max(second) and min(second) <= max(first)
    alt = (
        f"Held-out error of {len(first)} seeds, one dot each, in two columns, {one} and "
        f"{other}, and a dashed line at {floor:g}, the error that the noise sets. The "
        f"columns {'overlap' if overlap else 'do not overlap'}."
    )
    larger = np.greater(first, second).sum()
    title = f"The error is larger {one} for {larger} of {len(first)} seeds"
    ends = {"xlim": (-0.5, 1.5), "ylim": (0.9 * floor, 1.02 * max(*first, *second))}
    label = "root mean squared error"
    picture, ax = plot(WIDE, 3.4, ylabel=label, alt=alt, title=title, **ends)
    ax.plot([0, 1], [first, second], color=MUTED, linewidth=0.9)
    for place, (name, seeds) in enumerate(errors.items()):
        ax.plot([place] * len(seeds), seeds, "o", color=_LOOKS[name][0], ms=8)
    ax.set_xticks([0, 1], [one, other])
    reference_line(ax, y=floor, label="noise")
    return picture


def share_strips(shares, what, *, chance=None):
    """A strip for each condition with one dot a seed; ``shares`` name -> (seeds,).

    ``what`` says of what these are shares, from 0 to 1; ``chance`` draws a line at the
    share that guessing reaches. The mean stands at the end of each strip.
    """
    alt = f"Shares of {what}, one dot for each seed, in strips: {_ranges(shares)}."
    high = 0.46 * len(shares) + 0.9
    means = {name: np.mean(seeds) for name, seeds in shares.items()}
    low, most = min(means, key=means.get), max(means, key=means.get)
    title = f"{what.capitalize()}: {means[low]:.0%} {low}; {means[most]:.0%} {most}"
    picture, ax = plot(WIDE, high, alt=alt, title=title, xlim=(-0.03, 1.16))
    if chance:
        reference_line(ax, x=chance)
        write(ax, chance, -0.62, "chance", color=MUTED)
    for place, (name, seeds) in enumerate(shares.items()):
        colour, _ = _LOOKS[name.partition(",")[0]]
        ax.plot([0, 1], [place, place], color=GRID, linewidth=7, zorder=0)
        # Small steps aside, so that equal numbers do not hide each other.
        aside = place + np.linspace(-0.16, 0.16, len(seeds))
        ax.plot(seeds, aside, "o", color=colour, ms=7, alpha=0.85)
        write(ax, 1.04, place, f"mean {means[name]:.2f}", ha="left", fontsize=10)
    ax.set_ylim(len(shares) - 0.4, -0.8)
    ax.set_yticks(range(len(shares)), list(shares))
    return picture


def accuracy_curves(curves):
    """Held-out accuracy against epochs; ``curves`` condition -> (seeds, epochs)."""
    ends = {name: np.array(seeds)[:, -1] for name, seeds in curves.items()}
    alt = (
        "Held-out accuracy against epochs, one line a seed, and a dashed line at 0.5, "
        f"which is chance. At the last epoch: {_ranges(ends)}."
    )
    told = listed(f"{shares.mean():.2f} {name}" for name, shares in ends.items())
    look = {"title": f"At the end, the accuracy is {told}", "ylim": (0.35, 1.05)}
    _, ax = plot(WIDE, 3.3, "epoch", "accuracy", alt=alt, **look)
    for name, seeds in curves.items():
        colour, dash = _LOOKS[name]
        epochs = range(1, np.shape(seeds)[1] + 1)
        drawn = ax.plot(epochs, np.transpose(seeds), dash, color=colour, linewidth=1.4)
        drawn[0].set_label(name)
    reference_line(ax, y=0.5)
    ax.set_xticks(epochs)
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
