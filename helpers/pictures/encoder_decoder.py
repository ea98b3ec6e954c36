"""Pictures of notebook 06: attention step by step, squares, losses, two ablations."""

import numpy as np
from matplotlib.patches import FancyBboxPatch

from helpers.pictures.style import (
    BAD,
    DIVERGING,
    GOOD,
    INK,
    MUTED,
    NEUTRAL,
    Picture,
    tidy,
)

WITHOUT, WITH, SHUFFLED = BAD, GOOD, NEUTRAL
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
_BOX, _MARKED = "#EEF1F4", "#FCE5D4"


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
        for (row, column), number in np.ndenumerate(matrix):
            ax.text(
                column,
                row,
                f"{number:.2f}",
                ha="center",
                va="center",
                fontsize=8.5,
                color=_readable_on(image, number),
            )
        rows = "key" if name == "value" else "query"
        columns = "key" if name in ("scores", "weights") else "column"
        ax.set_xticks(range(matrix.shape[1]))
        ax.set_yticks(range(matrix.shape[0]))
        title = f"{name}  {matrix.shape}"
        tidy(ax, title=title, xlabel=columns, ylabel=rows, grid=False)
    return picture


def _readable_on(image, number):
    """Black or white, whichever has more contrast on the number's colour."""
    shares = np.array(image.cmap(image.norm(number))[:3])
    linear = np.where(
        shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4
    )
    luminance = linear @ (0.2126, 0.7152, 0.0722)  # as WCAG defines it
    return "black" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "white"


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
    picture = Picture(8.6, 4.6, alt=alt)
    ax = picture.subplots()
    ax.set(xlim=(0, 13), ylim=(0, 8.2))
    ax.axis("off")
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
        ("head: points 2, 3", "(batch, 2, 2)"),
    ]
    _stack(ax, 3.9, "Encoder", encoder, side=-1)
    _stack(ax, 9.1, "Decoder", decoder, side=1)
    ax.annotate(
        "",
        xy=(7.3, 4.65),
        xytext=(5.7, 4.65),
        arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.3},
    )
    ax.text(6.5, 4.8, "memory", ha="center", va="bottom", fontsize=9, color=INK)
    return picture


def _stack(ax, x, title, boxes, side):
    for level, (name, shape) in enumerate(boxes):
        marked = name.startswith("+")
        ax.add_patch(
            FancyBboxPatch(
                (x - 1.7, 0.35 + level),
                3.4,
                0.6,
                boxstyle="round,pad=0.02,rounding_size=0.12",
                facecolor=_MARKED if marked else _BOX,
                edgecolor=BAD if marked else MUTED,
                linewidth=2 if marked else 0.8,
            )
        )
        weight = "bold" if marked else "normal"
        ax.text(x, 0.64 + level, name, ha="center", va="center", weight=weight)
        ax.text(
            x + 1.85 * side,
            0.64 + level,
            shape,
            ha="left" if side > 0 else "right",
            va="center",
            color=MUTED,
            fontsize=9,
        )
        if level:
            ax.annotate(
                "",
                xy=(x, 0.33 + level),
                xytext=(x, -0.03 + level),
                arrowprops={"arrowstyle": "-|>", "color": MUTED},
            )
    ax.text(x, 0.45 + len(boxes), title, ha="center", weight="bold", fontsize=12)


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
    alt = (
        f"{len(given)} held-out squares. In each, points 0 and 1 are given; rings mark "
        "the true points 2 and 3, crosses the predicted ones, joined to the path. The "
        "crosses lie at the corners, close to the rings, in the right direction."
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


def two_queries(given, queries, predicted):
    """What the decoder predicts from one memory, for each of two first queries.

    ``given`` of shape (2, 2); ``queries`` and ``predicted`` of shape (2, 2): the query
    and the prediction of panel 0 and of panel 1.
    """
    given, queries, predicted = map(np.asarray, (given, queries, predicted))
    alt = (
        "Two panels with the same two given points. Left, the decoder starts from the "
        "last given point and predicts the next corner in that direction. Right, it "
        "starts from the first given point and predicts the corner on the other side."
    )
    picture = Picture(5.4, 2.9, alt=alt)
    starts = "starts from the last", "starts from the first"
    for ax, title, query, guess in zip(
        picture.subplots(1, 2), starts, queries, predicted, strict=True
    ):
        _square(ax)
        _numbered(ax, given, (0, 1), INK)
        ax.plot(*query, "o", mfc="none", mec=BAD, mew=2, ms=19)
        _path(ax, np.stack([query, guess]), BAD)
        ax.plot(*guess, "x", color=BAD, mew=2, ms=8)
        ax.set_title(title, fontsize=10, color=INK)
    return picture


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


def losses(history, floor):
    """Training and held-out loss against epochs, log scale, with the noise floor."""
    alt = (
        "Training loss and held-out loss against epochs, on a logarithmic axis. Both "
        "fall together by more than a factor of ten and level off just above the dashed "
        "line, the variance of the noise."
    )
    picture = Picture(6.2, 3.1, alt=alt)
    ax = picture.subplots()
    epochs = np.arange(1, len(history["train"]) + 1)
    names = {"train": ("training", INK, "o"), "valid": ("held out", GOOD, "s")}
    for key, (label, colour, marker) in names.items():
        ax.plot(epochs, history[key], color=colour, marker=marker, ms=4, label=label)
    ax.axhline(floor, color=MUTED, linestyle="--", linewidth=1, label="noise")
    ax.set_yscale("log")
    ax.set_xticks(epochs)
    ax.legend(fontsize=9, frameon=False)
    return _done(picture, ax, xlabel="epoch", ylabel="mean squared error")


def attention_maps(maps):
    """Maps of all heads: ``maps`` name -> weights (heads, queries, keys).

    The names of the rows and columns come with each map: name -> (weights, queries,
    keys).
    """
    alt = (
        f"{len(maps)} attention maps, a row for each head: {', '.join(maps)}. Rows of a "
        "map are queries, columns are keys, darker is more weight; every row sums to 1, "
        "and in masked self-attention the upper right is empty."
    )
    heads = len(next(iter(maps.values()))[0])
    picture = Picture(8.6, 2.6 * heads, alt=alt)
    grid = picture.subplots(heads, len(maps), squeeze=False)
    for column, (name, (weights, queries, keys)) in enumerate(maps.items()):
        for head, matrix in enumerate(np.asarray(weights)):
            ax = grid[head, column]
            image = ax.imshow(matrix, cmap="Blues", vmin=0, vmax=1)
            for (row, key), weight in np.ndenumerate(matrix):
                ax.text(
                    key,
                    row,
                    f"{weight:.2f}",
                    ha="center",
                    va="center",
                    color=_readable_on(image, weight),
                )
            ax.set_xticks(range(len(keys)), keys)
            ax.set_yticks(range(len(queries)), queries)
            title = f"{name}\nhead {head}"
            tidy(ax, title=title, xlabel="key", ylabel="query", grid=False)
    return picture


def ablation_dots(errors, floor):
    """One dot a seed: ``errors`` maps a condition to its numbers, same seeds in order.

    Thin lines join the same seed; ``floor`` is the error that the noise sets.
    """
    names = list(errors)
    alt = (
        f"Held-out error of {len(errors[names[0]])} seeds, one dot each, in two columns: "
        f"{' and '.join(names)}. The two groups overlap; all dots lie just above the "
        "dashed line of the noise."
    )
    picture = Picture(5.2, 3.4, alt=alt)
    ax = picture.subplots()
    values = np.array([errors[name] for name in names])
    places = np.arange(len(names))[:, None] + _aside(values.shape[1])
    ax.plot(places, values, color=MUTED, linewidth=0.7, alpha=0.6)
    for where, row, colour in zip(places, values, (WITHOUT, WITH), strict=True):
        ax.plot(where, row, "o", color=colour, ms=8, alpha=0.85)
    ax.axhline(floor, color=MUTED, linestyle="--", linewidth=1)
    ax.text(1.45, floor, "noise ", ha="right", va="bottom", fontsize=9, color=MUTED)
    ax.set_xticks(range(len(names)), names)
    ax.set(xlim=(-0.5, 1.5), ylim=(0, max(1.25 * values.max(), 1.5 * floor)))
    return _done(picture, ax, ylabel="root mean squared error")


def accuracy_curves(curves):
    """Held-out accuracy against epochs; ``curves`` condition -> (seeds, epochs)."""
    alt = (
        "Held-out accuracy against epochs, one line a seed. Without positions all lines "
        "stay at 0.5, which is chance; with positions they all rise to 1.0."
    )
    picture = Picture(6.6, 3.3, alt=alt)
    ax = picture.subplots()
    styles = zip(curves.items(), ((WITHOUT, "--"), (WITH, "-")), strict=True)
    for (name, lines), (colour, dash) in styles:
        for number, line in enumerate(np.asarray(lines)):
            epochs = np.arange(1, len(line) + 1)
            label = name if number == 0 else None
            ax.plot(epochs, line, dash, color=colour, linewidth=1.4, label=label)
    ax.axhline(0.5, color=MUTED, linestyle=":", linewidth=1)
    ax.set(ylim=(0.35, 1.03), xticks=epochs)
    ax.legend(fontsize=9, frameon=False, loc="center right")
    return _done(picture, ax, xlabel="epoch", ylabel="accuracy")


def accuracy_dots(accuracies):
    """One dot a seed in each column; ``accuracies`` condition -> (seeds,)."""
    names = list(accuracies)
    alt = (
        "Held-out accuracy of every seed, one dot each, in three columns: "
        f"{', '.join(names)}. The first and the last lie at 0.5, the middle one at 1.0."
    )
    picture = Picture(6.2, 3.1, alt=alt)
    ax = picture.subplots()
    colours = (WITHOUT, WITH, SHUFFLED)
    for place, (name, colour) in enumerate(zip(names, colours, strict=True)):
        row = np.asarray(accuracies[name])
        ax.plot(place + _aside(len(row)), row, "o", color=colour, ms=8, alpha=0.85)
    ax.axhline(0.5, color=MUTED, linestyle=":", linewidth=1)
    ax.set_xticks(range(len(names)), names)
    ax.set(xlim=(-0.5, len(names) - 0.5), ylim=(0.35, 1.05))
    return _done(picture, ax, ylabel="accuracy")


def _aside(seeds):
    """Small steps to the side, so that equal numbers do not hide each other."""
    return np.linspace(-0.16, 0.16, seeds)


def _done(picture, ax, **labels):
    tidy(ax, **labels)
    return picture
