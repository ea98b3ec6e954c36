"""Pictures of notebook 06: attention, masks, the model, squares, maps, experiments."""

import numpy as np

from helpers.draw.boxes import arrow, height_of, sheet, stack, write
from helpers.draw.look import BAD, GOOD, INK, MUTED, PAIR_COLOURS, PAPER
from helpers.draw.panels import heat, lines, panel_row, plot, reference_line
from helpers.draw.style import BLUES, DIVERGING, legend_beside
from helpers.draw.words import each, listed

# A condition keeps its colour and its dashes in every picture; what stands behind a
# comma ("with positions, shuffled") is the same models on other data: hollow dots.
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
    alt = (
        "Four matrices with their values: scores, one row a query and one column a "
        "key, of both signs; weights, the same shape, every row positive and summing "
        "to 1; the values, one row a key; the output, one row a query, each a mean of "
        "the rows of the values with those weights."
    )
    named = {"scores": scores, "weights": weights, "value": value, "output": output}
    named = {name: np.asarray(matrix) for name, matrix in named.items()}
    of = {"weights": "= softmax(scores)", "output": "= weights @ value"}
    titles = [f"{name}  {m.shape}\n{of.get(name, '')}" for name, m in named.items()]
    like = {"width_ratios": [matrix.shape[1] + 0.8 for matrix in named.values()]}
    picture, axes = panel_row(titles, 9, 2.6, alt=alt, like=like)
    for ax, (name, matrix) in zip(axes, named.items(), strict=True):
        limit = np.abs(matrix).max()
        colours = ((0, 1), BLUES) if name == "weights" else ((-limit, limit), DIVERGING)
        heat(ax, matrix, *colours, ".2f", 8.5, aspect="auto")
        columns = "key" if name in ("scores", "weights") else "column"
        ax.set(xlabel=columns, ylabel="key" if name == "value" else "query")
    return picture


def masks(named):
    """Masks side by side; ``named`` maps a title to a Boolean (queries, keys)."""
    named = {title: np.asarray(mask) for title, mask in named.items()}
    alt = f"Masks: {each(named, lambda mask: f'every query sees {_ranges(mask)}')}."
    picture, axes = panel_row(
        named, 3.1 * len(named) + 0.6, 3.0, "key", "query", alt=alt
    )
    for ax, mask in zip(axes, named.values(), strict=True):
        heat(ax, mask, (0, 1.2), BLUES)
        ax.set(xticks=range(mask.shape[1]), yticks=range(mask.shape[0]))
        for (query, key), allowed in np.ndenumerate(mask):
            said, ink = ("look", INK) if allowed else ("–", MUTED)
            write(ax, key, query, said, color=ink)
    return picture


def _ranges(mask):
    if (mask == mask[0]).all():
        return "keys " + ", ".join(map(str, np.flatnonzero(mask[0])))
    if (mask == np.tri(len(mask), dtype=bool)).all():
        return "itself and what is before it"
    return "the keys marked 'look' in its row"


def corner_model(d_model):
    """The encoder-decoder for corners, with the shape that leaves every box."""
    alt = (
        "The model as two stacks. Left, the encoder: points 0 and 1 of shape "
        f"(batch, 2, 2), projected to (batch, 2, {d_model}), plus positions, "
        "self-attention, feed-forward. Its output, the memory, goes to the decoder's "
        "cross-attention. Right, the decoder: points 1 and 2, projected, plus "
        "positions, masked self-attention, cross-attention, feed-forward, and a "
        "projection to predictions of points 2 and 3, of shape (batch, 2, 2)."
    )
    picture, ax = sheet(8.6, 4.6, (13, 8.2), alt=alt)
    start, end = ["embed", "+ positions"], ["feed-forward"]
    encoder = ["points 0, 1", *start, "self-attention", *end]
    decoder = ["points 1, 2", *start, "masked self-attention", "cross-attention", *end]
    decoder.append("project: points 2, 3")
    for side, title, names in ((-1, "Encoder", encoder), (1, "Decoder", decoder)):
        x = 6.5 + 2.6 * side
        stack(ax, x, title, names, width=3.4)
        for level, name in enumerate(names):
            shape = f"(batch, 2, {2 if 'points' in name else d_model})"
            place = x + 1.85 * side, height_of(level)
            write(ax, *place, shape, ha="left" if side > 0 else "right", color=MUTED)
    arrow(ax, (5.7, 4.65), (7.3, 4.65), linewidth=1.3)
    write(ax, 6.5, 4.8, "memory", va="bottom")
    return picture


def squares(points, directions):
    """Sequences of corners, numbered in order, one panel each.

    ``points`` of shape (n, length, 2); ``directions`` of shape (n,), 1 for clockwise.
    """
    words = ["clockwise" if d else "counter-clockwise" for d in directions]
    alt = (
        f"{len(points)} sequences of corners of a square, the points numbered in order "
        f"and joined by arrows, slightly off the corners: {', '.join(words)}."
    )
    picture, axes = _on_squares(words, 2.2 * len(points), 2.5, alt=alt)
    for ax, path in zip(axes, np.asarray(points), strict=True):
        _walked(ax, path)
    return picture


def predicted_squares(given, truth, predicted):
    """Given points, the true rest and the predicted rest, a panel for each sequence.

    Shapes (n, 2, 2) each: sequence, point, coordinate.
    """
    given, truth, predicted = map(np.asarray, (given, truth, predicted))
    right = (np.sign(truth) == np.sign(predicted)).all(axis=(1, 2)).sum()
    share = f"all {len(given)}" if right == len(given) else f"{right} of {len(given)}"
    off = np.linalg.norm(predicted - np.sign(predicted), axis=-1).max()
    near = np.ceil(4 * off) / 4
    alt = (
        f"{len(given)} held-out squares. In each, points 0 and 1 are given; rings mark "
        "the true points 2 and 3, crosses the predicted ones, joined to the path. In "
        f"{share} both crosses are at the corners where the rings are; no cross is "
        f"further than {near:g} from a corner."
    )
    size = 9, 1.8 * -(-len(given) // 5) + 0.4
    picture, axes = _on_squares([None] * len(given), *size, alt=alt, columns=5)
    for ax, seen, real, guess in zip(axes, given, truth, predicted, strict=True):
        _path(ax, np.concatenate([seen[-1:], guess]), BAD)
        _walked(ax, seen)
        ax.plot(*real.T, "o", mfc="none", mec=GOOD, mew=1.6, ms=11, label="true")
        ax.plot(*guess.T, "x", color=BAD, mew=1.8, ms=7, label="predicted")
    names = axes[0].get_legend_handles_labels()
    picture.legend(*names, loc="outside lower center", ncols=2, fontsize=9)
    return picture


def next_corner(panels):
    """Where the decoder goes from its first input, a panel for each experiment.

    ``panels`` maps a title to (given, start, predicted): the two points that the
    encoder was given, of shape (2, 2), in its order; the decoder's first input and
    its prediction, of shape (2,) each. The right corner, across from point 0, is ringed.
    """
    panels = {title: list(map(np.asarray, parts)) for title, parts in panels.items()}

    def told(parts):
        (first, second), start, guess = parts
        right = "is" if (np.sign(guess) == -np.sign(first)).all() else "is not"
        return (
            f"the path goes from point 0 at {_corner(first)} to point 1 at "
            f"{_corner(second)}; from {_corner(start)} the arrow leads to "
            f"{_corner(guess)}, which {right} the ringed corner"
        )

    alt = (
        "Squares side by side, in each the path that the encoder was given, a ring "
        f"round the corner that comes next, and an arrow: {each(panels, told)}."
    )
    picture, axes = _on_squares(panels, 2.7 * len(panels), 3.2, alt=alt)
    for ax, (given, start, guess) in zip(axes, panels.values(), strict=True):
        ax.plot(*-np.sign(given[0]), "o", mfc="none", mec=GOOD, mew=2.2, ms=26)
        _walked(ax, given)
        _path(ax, [start, guess], BAD)
        ax.plot(*guess, "x", color=BAD, mew=2.2, ms=9)
    return picture


def _corner(point):
    """The corner that a point belongs to, in words; or that it belongs to none."""
    x, y = point
    if np.hypot(abs(x) - 1, abs(y) - 1) > 0.6:
        return f"no corner ({x:.1f}, {y:.1f})"
    return f"the {'upper' if y > 0 else 'lower'} {'right' if x > 0 else 'left'} corner"


def _on_squares(titles, width, height, *, alt, columns=0):
    """Panels with a dotted square, without axes."""
    picture, axes = panel_row(
        titles, width, height, alt=alt, columns=columns, aspect="equal"
    )
    for ax in axes:
        ax.plot(*_SIDES.T, color=MUTED, linewidth=0.6, linestyle=":", zorder=0)
        ax.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6))
        ax.axis("off")
    return picture, axes


def _path(ax, path, colour):
    for start, end in zip(path[:-1], path[1:], strict=True):
        arrow(ax, start, end, color=colour, shrinkA=9, shrinkB=9)


def _walked(ax, path):
    """The corners that are given, numbered in their order."""
    _path(ax, path, INK)
    look = {"boxstyle": "circle,pad=0.2", "facecolor": INK, "linewidth": 0}
    for number, point in enumerate(path):
        write(ax, *point, str(number), color=PAPER, bbox=look)


def attention_maps(maps):
    """Maps of all heads: ``maps`` name -> (weights, names of queries, names of keys).

    Weights have shape (heads, queries, keys).
    """
    masked = [name for name, (w, _, _) in maps.items() if not np.triu(w, 1).any()]
    alt = (
        f"{len(maps)} attention maps, a row for each head: {', '.join(maps)}. Rows of a "
        "map are queries, columns are keys, a stronger blue is more weight. Nothing but 0 "
        f"right of the diagonal: {listed(masked)}."
    )
    heads = len(next(iter(maps.values()))[0])
    titles = [f"{name}\nhead {head}" for head in range(heads) for name in maps]
    size = 8.6, 2.6 * heads
    picture, axes = panel_row(titles, *size, "key", "query", alt=alt, columns=len(maps))
    shown = ((head, *parts) for head in range(heads) for parts in maps.values())
    for ax, (head, weights, queries, keys) in zip(axes, shown, strict=True):
        heat(ax, weights[head], (0, 1), BLUES, ".2f", 10)
        ax.set_xticks(range(len(keys)), keys)
        ax.set_yticks(range(len(queries)), queries)
    return picture


def losses(history, floor):
    """Training and held-out loss against epochs, log scale, with the noise floor."""
    named = {"training": history["train"], "held out": history["valid"]}
    told = each(named, lambda line: f"{_fall(line)} and ends {_beside(line, floor)}")
    alt = (
        f"Two losses over {len(history['train'])} epochs, on a logarithmic axis, and a "
        f"dashed line at {floor:.2g}, the variance of the noise: {told}."
    )
    epochs, name = range(1, len(history["train"]) + 1), "mean squared error"
    _, ax = plot(6.2, 3.1, "epoch", name, alt=alt, yscale="log", xticks=epochs)
    lines(ax, epochs, named, ms=4)
    reference_line(ax, y=floor)
    write(ax, 1, 0.95 * floor, "noise", va="top", color=MUTED)
    ax.set_ylim(bottom=floor / 1.8)
    return legend_beside(ax)


def _fall(values):
    """What becomes of a loss, in words that small differences do not change."""
    for least, word in ((10, "ten"), (2, "two")):
        if values[0] > least * values[-1]:
            return f"falls by more than a factor of {word}"
    return "hardly falls or rises"


def _beside(values, floor):
    if values[-1] < floor:
        return "below the line"
    return "just above the line" if values[-1] < 2 * floor else "far above the line"


def ablation_dots(errors, floor):
    """One dot a seed: ``errors`` maps a condition to its numbers, same seeds in order.

    Thin lines join the same seed; ``floor`` is the error that the noise sets.
    """
    values = np.array(list(errors.values()))
    inside = values.min(axis=1).max() <= values.max(axis=1).min()
    below = (values <= floor).sum()
    alt = (
        f"Held-out error of {values.shape[1]} seeds, one dot each, in {len(values)} "
        f"columns: {_ranges_of(errors, 0.05)}. The columns "
        f"{'overlap' if inside else 'do not overlap'}; {below or 'no'} "
        f"{'dot lies' if below == 1 else 'dots lie'} at or below the dashed line, the "
        f"noise, {floor:g}."
    )
    ends = min(0.95 * values.min(), 0.9 * floor), max(1.05 * values.max(), 1.2 * floor)
    label = "root mean squared error"
    picture, ax = plot(2.6 * len(values), 3.4, ylabel=label, alt=alt, ylim=ends)
    places = np.arange(len(values))[:, None] + _aside(values.shape[1])
    ax.plot(places, values, color=MUTED, linewidth=0.7, alpha=0.6)
    _columns(ax, errors)
    reference_line(ax, y=floor, label="noise")
    return picture


def share_dots(shares, *, ylabel, chance=None):
    """One dot a seed in each column; ``shares`` condition -> (seeds,), from 0 to 1.

    ``chance`` draws a line at the share that guessing reaches.
    """
    alt = (
        f"The {ylabel} of every seed, one dot each, in {len(shares)} columns: "
        f"{_ranges_of(shares, 0.1, most=1)}."
        + (f" A dashed line at {chance:g}, which is chance." if chance else "")
    )
    width, ends = 1.75 * len(shares), (-0.05, 1.05)
    picture, ax = plot(width, 3.1, ylabel=ylabel, alt=alt, ylim=ends)
    _columns(ax, shares)
    if chance:
        reference_line(ax, y=chance)
    return picture


def _columns(ax, named):
    """The dots of every condition in a column of its own, hollow behind a comma."""
    for place, (name, seeds) in enumerate(named.items()):
        condition, comma, _ = name.partition(",")
        look = {"color": _LOOKS[condition][0], "mfc": "none" if comma else None}
        look |= {"mew": 1.6, "ms": 8, "alpha": 0.85}
        ax.plot(place + _aside(len(seeds)), seeds, "o", **look)
    ax.set_xticks(range(len(named)), [name.replace(", ", ",\n") for name in named])
    ax.set_xlim(-0.5, len(named) - 0.5)


def accuracy_curves(curves):
    """Held-out accuracy against epochs; ``curves`` condition -> (seeds, epochs)."""
    curves = {name: np.transpose(seeds) for name, seeds in curves.items()}
    ends = {name: seeds[-1] for name, seeds in curves.items()}
    alt = (
        "Held-out accuracy against epochs, one line a seed, and a dashed line at 0.5, "
        f"which is chance. At the last epoch: {_ranges_of(ends, 0.1, most=1)}."
    )
    _, ax = plot(6.6, 3.3, "epoch", "accuracy", alt=alt, ylim=(0.35, 1.03))
    for name, seeds in curves.items():
        colour, dash = _LOOKS[name]
        epochs = range(1, len(seeds) + 1)
        ax.plot(epochs, seeds, dash, color=colour, linewidth=1.4)[0].set_label(name)
    reference_line(ax, y=0.5)
    ax.set_xticks(epochs)
    return legend_beside(ax)


def _ranges_of(columns, step, most=np.inf):
    """ "a, between 0.4 and 0.6; b, …": the ends of each column, rounded outwards.

    With some room, so that another processor's last digits give the same words.
    """

    def ends(values):
        low = np.floor((np.min(values) - step / 20) / step) * step
        high = np.ceil((np.max(values) + step / 20) / step) * step
        return f"between {max(low, 0):.3g} and {min(high, most):.3g}"

    return each(columns, ends)


def _aside(seeds):
    """Small steps to the side, so that equal numbers do not hide each other."""
    return np.linspace(-0.16, 0.16, seeds)
