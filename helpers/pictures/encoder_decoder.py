"""Pictures of notebook 06: attention step by step, the model, squares, maps."""

import numpy as np

from helpers.pictures.experiments import (
    ablation_dots,
    accuracy_curves,
    losses,
    share_dots,
)
from helpers.pictures.stacks import arrow, height_of, sheet, stack
from helpers.pictures.style import (
    BAD,
    DIVERGING,
    GOOD,
    INK,
    MUTED,
    Picture,
    tidy,
    write_values,
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

_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])


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
    picture = Picture(9, 2.6, alt=alt)
    panels = picture.subplots(
        1, 4, width_ratios=[m.shape[1] + 0.8 for m in named.values()]
    )
    for ax, (name, matrix) in zip(panels, named.items(), strict=True):
        signed = name != "weights"
        limit = np.abs(matrix).max() if signed else 1
        image = ax.imshow(
            matrix,
            cmap=DIVERGING if signed else "Blues",
            vmin=-limit if signed else 0,
            vmax=limit,
            aspect="auto",
        )
        write_values(ax, image, ".2f", fontsize=8.5)
        rows = "key" if name == "value" else "query"
        columns = "key" if name in ("scores", "weights") else "column"
        ax.set_xticks(range(matrix.shape[1]))
        ax.set_yticks(range(matrix.shape[0]))
        title = f"{name}  {matrix.shape}"
        tidy(ax, title=title, xlabel=columns, ylabel=rows, grid=False)
    return picture


def masks(named):
    """Masks side by side; ``named`` maps a title to a Boolean (queries, keys)."""
    alt = "; ".join(
        f"{title}: {'every query sees ' + _ranges(mask)}"
        for title, mask in ((t, np.asarray(m)) for t, m in named.items())
    )
    picture = Picture(3.1 * len(named) + 0.6, 3.0, alt=f"Masks. {alt}.")
    panels = np.atleast_1d(picture.subplots(1, len(named)))
    for ax, (title, mask) in zip(panels, named.items(), strict=True):
        mask = np.asarray(mask)
        ax.imshow(mask, cmap="Blues", vmin=0, vmax=2)
        for (row, column), allowed in np.ndenumerate(mask):
            ax.text(
                column,
                row,
                "look" if allowed else "–",
                ha="center",
                va="center",
                fontsize=9,
                color=INK if allowed else MUTED,
            )
        ax.set_xticks(range(mask.shape[1]))
        ax.set_yticks(range(mask.shape[0]))
        tidy(ax, title=title, xlabel="key", ylabel="query", grid=False)
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
    wide = f"(batch, 2, {d_model})"
    encoder = [
        ("points 0, 1", "(batch, 2, 2)"),
        ("embed", wide),
        ("+ positions", wide),
        ("self-attention", wide),
        ("feed-forward", wide),
    ]
    decoder = [
        ("points 1, 2", "(batch, 2, 2)"),
        ("embed", wide),
        ("+ positions", wide),
        ("masked self-attention", wide),
        ("cross-attention", wide),
        ("feed-forward", wide),
        ("project: points 2, 3", "(batch, 2, 2)"),
    ]
    for x, side, title, boxes in (
        (3.9, -1, "Encoder", encoder),
        (9.1, 1, "Decoder", decoder),
    ):
        stack(ax, x, title, [name for name, _ in boxes], width=3.4)
        for level, (_, shape) in enumerate(boxes):
            ax.text(
                x + 1.85 * side,
                height_of(level),
                shape,
                ha="left" if side > 0 else "right",
                va="center",
                color=MUTED,
                fontsize=9,
            )
    arrow(ax, (5.7, 4.65), (7.3, 4.65), linewidth=1.3)
    ax.text(6.5, 4.8, "memory", ha="center", va="bottom", fontsize=9, color=INK)
    return picture


def squares(points, directions):
    """Sequences of corners, numbered in order, one panel each.

    ``points`` of shape (n, length, 2); ``directions`` of shape (n,), 1 for clockwise.
    """
    points, directions = np.asarray(points), np.asarray(directions)
    words = ["clockwise" if d else "counter-clockwise" for d in directions]
    alt = (
        f"{len(points)} sequences of corners of a square, the points numbered in order "
        f"and joined by arrows, slightly off the corners: {', '.join(words)}."
    )
    picture = Picture(2.2 * len(points), 2.5, alt=alt)
    panels = np.atleast_1d(picture.subplots(1, len(points)))
    for ax, path, word in zip(panels, points, words, strict=True):
        _square(ax)
        _path(ax, path, INK)
        _numbered(ax, path, range(len(path)), INK)
        ax.set_title(word, fontsize=10, color=INK)
    return picture


def predicted_squares(given, truth, predicted):
    """Given points, the true rest and the predicted rest, ten (or n) panels.

    Shapes (n, 2, 2) each: sequence, point, coordinate.
    """
    given, truth, predicted = map(np.asarray, (given, truth, predicted))
    right = (np.sign(truth) == np.sign(predicted)).all(axis=(1, 2)).sum()
    off = np.linalg.norm(predicted - np.sign(predicted), axis=-1).max()
    near = next((f"{r:g}" for r in (0.25, 0.5, 1) if off <= r), None)
    alt = (
        f"{len(given)} held-out squares. In each, points 0 and 1 are given; rings mark "
        "the true points 2 and 3, crosses the predicted ones, joined to the path. In "
        f"{_share(right, len(given))} both crosses are at the corners where the rings "
        + (f"are; no cross is further than {near} from a corner." if near else "are.")
    )
    columns = min(5, len(given))
    rows = -(-len(given) // columns)
    picture = Picture(1.8 * columns, 1.8 * rows + 0.4, alt=alt)
    panels = np.ravel(picture.subplots(rows, columns))
    for ax in panels[len(given) :]:
        ax.axis("off")
    for ax, seen, real, guess in zip(panels, given, truth, predicted, strict=False):
        _square(ax)
        _path(ax, np.concatenate([seen[-1:], guess]), BAD)
        _path(ax, seen, INK)
        _numbered(ax, seen, (0, 1), INK)
        ax.plot(*real.T, "o", mfc="none", mec=GOOD, mew=1.6, ms=11, label="true")
        ax.plot(*guess.T, "x", color=BAD, mew=1.8, ms=7, label="predicted")
    handles, labels = panels[0].get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=9)
    return picture


def next_corner(panels):
    """Where the decoder goes from its first input, a panel for each experiment.

    ``panels`` maps a title to (given, start, predicted): the two points that the
    encoder was given, of shape (2, 2), in its order; the decoder's first input and
    its prediction, of shape (2,) each.
    """
    told = []
    for title, (given, start, guess) in panels.items():
        corners = [_corner(point) for point in (*given, start, guess)]
        told.append(
            "{}: the encoder is given point 0 at {} and point 1 at {}; from {} the "
            "arrow leads to {}".format(title, *corners)
        )
    told = "; ".join(told)
    picture = Picture(2.7 * len(panels), 2.9, alt=f"Squares side by side. {told}.")
    axes = np.atleast_1d(picture.subplots(1, len(panels)))
    for ax, (title, parts) in zip(axes, panels.items(), strict=True):
        given, start, guess = map(np.asarray, parts)
        _square(ax)
        _numbered(ax, given, (0, 1), INK)
        ax.plot(*start, "o", mfc="none", mec=BAD, mew=2, ms=19)
        _path(ax, np.stack([start, guess]), BAD)
        ax.plot(*guess, "x", color=BAD, mew=2, ms=8)
        ax.set_title(title, fontsize=10, color=INK)
    return picture


def _corner(point):
    """The corner that a point belongs to, in words; or that it belongs to none."""
    x, y = np.asarray(point, dtype=float)
    if np.hypot(abs(x) - 1, abs(y) - 1) > 0.6:
        return f"no corner ({x:.1f}, {y:.1f})"
    return f"the {'upper' if y > 0 else 'lower'} {'right' if x > 0 else 'left'} corner"


def _share(part, whole):
    return f"all {whole}" if part == whole else f"{part} of {whole}"


def _square(ax):
    ax.plot(*_CORNERS.T, color=MUTED, linewidth=0.6, linestyle=":", zorder=0)
    ax.set(xlim=(-1.55, 1.55), ylim=(-1.55, 1.55), xticks=[], yticks=[], aspect="equal")
    for side in ax.spines.values():
        side.set_visible(False)


def _path(ax, path, colour):
    for start, end in zip(path[:-1], path[1:], strict=True):
        ax.annotate(
            "",
            xy=end,
            xytext=start,
            arrowprops={
                "arrowstyle": "-|>",
                "color": colour,
                "shrinkA": 9,
                "shrinkB": 9,
            },
        )


def _numbered(ax, path, numbers, colour):
    for point, number in zip(path, numbers, strict=True):
        ax.text(
            *point,
            str(number),
            ha="center",
            va="center",
            fontsize=9,
            color="white",
            bbox={"boxstyle": "circle,pad=0.2", "facecolor": colour, "linewidth": 0},
        )


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
        "map are queries, columns are keys, darker is more weight. "
        + (f"Nothing but 0 right of the diagonal: {', '.join(masked)}." * bool(masked))
    ).strip()
    heads = len(next(iter(maps.values()))[0])
    picture = Picture(8.6, 2.6 * heads, alt=alt)
    grid = picture.subplots(heads, len(maps), squeeze=False)
    for column, (name, (weights, queries, keys)) in enumerate(maps.items()):
        for head, matrix in enumerate(np.asarray(weights)):
            ax = grid[head, column]
            image = ax.imshow(matrix, cmap="Blues", vmin=0, vmax=1)
            write_values(ax, image, ".2f", fontsize=10)
            ax.set_xticks(range(len(keys)), keys)
            ax.set_yticks(range(len(queries)), queries)
            title = f"{name}\nhead {head}"
            tidy(ax, title=title, xlabel="key", ylabel="query", grid=False)
    return picture
