"""Pictures of notebook 06: attention step by step, the model, squares, maps."""

import numpy as np

from helpers.draw.boxes import arrow, height_of, sheet, stack, write
from helpers.draw.look import BAD, GOOD, INK, MUTED, PAPER
from helpers.draw.panels import heat, row
from helpers.draw.style import BLUES, DIVERGING
from helpers.draw.words import each
from helpers.lessons.encoder_decoder.experiments import (
    ablation_dots,
    accuracy_curves,
    losses,
    share_dots,
)

__all__ = [
    "ablation_dots",
    "accuracy_curves",
    "attention_maps",
    "attention_steps",
    "corner_model",
    "losses",
    "masks",
    "next_corner",
    "predicted_squares",
    "share_dots",
    "squares",
]

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
    titles = [f"{name}  {matrix.shape}" for name, matrix in named.items()]
    like = {"width_ratios": [matrix.shape[1] + 0.8 for matrix in named.values()]}
    picture, axes = row(titles, 9, 2.6, alt=alt, like=like)
    for ax, (name, matrix) in zip(axes, named.items(), strict=True):
        limit = np.abs(matrix).max()
        colours = ((-limit, limit), DIVERGING)
        if name == "weights":
            colours = ((0, 1), BLUES)
        heat(ax, matrix, *colours, ".2f", 8.5, aspect="auto")
        columns = "key" if name in ("scores", "weights") else "column"
        ax.set(xlabel=columns, ylabel="key" if name == "value" else "query")
    return picture


def masks(named):
    """Masks side by side; ``named`` maps a title to a Boolean (queries, keys)."""
    named = {title: np.asarray(mask) for title, mask in named.items()}
    alt = f"Masks: {each(named, lambda mask: f'every query sees {_ranges(mask)}')}."
    labels = {"xlabel": "key", "ylabel": "query"}
    picture, axes = row(named, 3.1 * len(named) + 0.6, 3.0, alt=alt, **labels)
    for ax, mask in zip(axes, named.values(), strict=True):
        heat(ax, mask, (0, 1.2), BLUES)
        ax.set(xticks=range(mask.shape[1]), yticks=range(mask.shape[0]))
        for (query, key), allowed in np.ndenumerate(mask):
            ink = INK if allowed else MUTED
            write(ax, key, query, "look" if allowed else "–", color=ink)
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
    stacks = (
        (-1, "Encoder", encoder),
        (1, "Decoder", [*decoder, "project: points 2, 3"]),
    )
    for side, title, names in stacks:
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
    points = np.asarray(points)
    words = ["clockwise" if d else "counter-clockwise" for d in np.asarray(directions)]
    alt = (
        f"{len(points)} sequences of corners of a square, the points numbered in order "
        f"and joined by arrows, slightly off the corners: {', '.join(words)}."
    )
    picture, axes = _on_squares(words, 2.2 * len(points), 2.5, alt=alt)
    for ax, path in zip(axes, points, strict=True):
        _path(ax, path, INK)
        _numbered(ax, path)
    return picture


def predicted_squares(given, truth, predicted):
    """Given points, the true rest and the predicted rest, ten (or n) panels.

    Shapes (n, 2, 2) each: sequence, point, coordinate.
    """
    given, truth, predicted = map(np.asarray, (given, truth, predicted))
    right = (np.sign(truth) == np.sign(predicted)).all(axis=(1, 2)).sum()
    share = f"all {len(given)}" if right == len(given) else f"{right} of {len(given)}"
    off = np.linalg.norm(predicted - np.sign(predicted), axis=-1).max()
    near = next((f"{r:g}" for r in (0.25, 0.5, 1) if off <= r), None)
    alt = (
        f"{len(given)} held-out squares. In each, points 0 and 1 are given; rings mark "
        "the true points 2 and 3, crosses the predicted ones, joined to the path. In "
        f"{share} both crosses are at the corners where the rings "
        + (f"are; no cross is further than {near} from a corner." if near else "are.")
    )
    columns = min(5, len(given))
    size = 1.8 * columns, 1.8 * -(-len(given) // columns) + 0.4
    picture, axes = _on_squares([None] * len(given), *size, alt=alt, columns=columns)
    for ax, seen, real, guess in zip(axes, given, truth, predicted, strict=True):
        _path(ax, np.concatenate([seen[-1:], guess]), BAD)
        _path(ax, seen, INK)
        _numbered(ax, seen)
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

    def told(parts):
        (first, second), start, guess = parts
        right = (
            "is" if (np.sign(guess) == -np.sign(np.asarray(first))).all() else "is not"
        )
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
    for ax, parts in zip(axes, panels.values(), strict=True):
        given, start, guess = map(np.asarray, parts)
        ax.plot(*-np.sign(given[0]), "o", mfc="none", mec=GOOD, mew=2.2, ms=26)
        _path(ax, given, INK)
        _path(ax, np.stack([start, guess]), BAD)
        _numbered(ax, given)
        ax.plot(*guess, "x", color=BAD, mew=2.2, ms=9)
    return picture


def _corner(point):
    """The corner that a point belongs to, in words; or that it belongs to none."""
    x, y = np.asarray(point, dtype=float)
    if np.hypot(abs(x) - 1, abs(y) - 1) > 0.6:
        return f"no corner ({x:.1f}, {y:.1f})"
    return f"the {'upper' if y > 0 else 'lower'} {'right' if x > 0 else 'left'} corner"


def _on_squares(titles, width, height, *, alt, columns=None):
    """Panels with a dotted square, without axes."""
    ends = {"xlim": (-1.6, 1.6), "ylim": (-1.6, 1.6), "xticks": [], "yticks": []}
    more = {"columns": columns, "aspect": "equal", "grid": False}
    picture, axes = row(titles, width, height, alt=alt, **more, **ends)
    for ax in axes:
        ax.plot(*_SIDES.T, color=MUTED, linewidth=0.6, linestyle=":", zorder=0)
        ax.spines[:].set_visible(False)
    return picture, axes


def _path(ax, path, colour):
    for start, end in zip(path[:-1], path[1:], strict=True):
        arrow(ax, start, end, color=colour, shrinkA=9, shrinkB=9)


def _numbered(ax, path):
    look = {"boxstyle": "circle,pad=0.2", "facecolor": INK, "linewidth": 0}
    for number, point in enumerate(path):
        write(ax, *point, str(number), color=PAPER, bbox=look)


def attention_maps(maps):
    """Maps of all heads: ``maps`` name -> weights (heads, queries, keys).

    The names of the rows and columns come with each map: name -> (weights, queries,
    keys).
    """
    masked = [
        name
        for name, (weights, _, _) in maps.items()
        if np.shape(weights)[-1] > 1 and not np.triu(weights, 1).any()
    ]
    alt = (
        f"{len(maps)} attention maps, a row for each head: {', '.join(maps)}. Rows of a "
        "map are queries, columns are keys, a stronger blue is more weight. "
        + (f"Nothing but 0 right of the diagonal: {', '.join(masked)}." * bool(masked))
    ).strip()
    heads = len(next(iter(maps.values()))[0])
    titles = [f"{name}\nhead {head}" for head in range(heads) for name in maps]
    labels = {"columns": len(maps), "xlabel": "key", "ylabel": "query"}
    picture, axes = row(titles, 8.6, 2.6 * heads, alt=alt, **labels)
    for place, ax in enumerate(axes):
        weights, queries, keys = list(maps.values())[place % len(maps)]
        matrix = np.asarray(weights)[place // len(maps)]
        heat(ax, matrix, (0, 1), BLUES, ".2f", 10)
        ax.set_xticks(range(len(keys)), keys)
        ax.set_yticks(range(len(queries)), queries)
    return picture
