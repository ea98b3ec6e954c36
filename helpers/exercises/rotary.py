"""Exercises of notebook 07: rotated queries and keys, their layouts and limits."""

import numpy as np
import torch

from helpers.encoding import positional_encoding
from helpers.exercises.core import (
    Choice,
    Demand,
    Mistake,
    Question,
    Slip,
    collect,
    exercise,
)
from helpers.exercises.demands import most_numbers_at_once

_SPEEDS = "np.arange(0, x.shape[1], 2) / x.shape[1]"
_ANGLES = "positions[:, None] * theta"
_WAVES = "np.sin(angles), np.cos(angles)"
_READ = "x[:, 0::2], x[:, 1::2]"
_FIRST, _SECOND = "a * cosine + b * sine", "b * cosine - a * sine"
_HALVES = {
    _READ: "np.split(x, 2, axis=1)",
    "out[:, 0::2]": "out[:, : x.shape[1] // 2]",
    "out[:, 1::2]": "out[:, x.shape[1] // 2 :]",
}
_OTHER_SIGN = {_WAVES: "-np.sin(angles), np.cos(angles)"}

# Slips in turning the rows of x, for `rotate` and for `scores`, which turns as well.
_TURNS = [
    Slip(
        "other sign",
        "A rotation, but the other way round. The rotary papers and their code turn "
        "like this, $(x\\cos - y\\sin,\\ x\\sin + y\\cos)$, and their scores depend on "
        "the offset alone too. Here the matrix is $M_{pos}$ of notebook 03, which acts "
        "on (sine, cosine): does `positions` keep its sign, and which of the two sines "
        "has the minus sign?",
        _OTHER_SIGN,
    ),
    Slip(
        "halves layout",
        "You pair column $c$ with column $c + d/2$: the split-halves layout. Many "
        "models use it, and it works as well. Here a pair is two **adjacent** columns, "
        "$2i$ and $2i+1$.",
        _HALVES,
    ),
    Slip(
        "halves layout and other sign",
        "This is the form of much published code: column $c$ is paired with "
        "$c + d/2$ and turned counter-clockwise. It works there. Here a pair is two "
        "**adjacent** columns, and $M_{pos}$ turns the other way.",
        _HALVES | _OTHER_SIGN,
    ),
    Slip(
        "overwritten",
        "The second column of a pair was computed from the **new** first column. Both "
        "need the old values: keep them until both are computed.",
        {"out[:, 0::2] = a * cosine": "out[:, 0::2] = a = a * cosine"},
    ),
    Slip(
        "2 missing in the exponent",
        "The speeds fall too slowly: the exponent is $-i/d$ here. Pair $i$ has "
        "$\\theta_i = 10000^{-2i/d}$, with $2i$, the index of its first column.",
        {_SPEEDS: "np.arange(x.shape[1] // 2) / x.shape[1]"},
    ),
    Slip(
        "degrees",
        "The angle was converted from degrees to radians, but $pos\\cdot\\theta_i$ is "
        "in radians already.",
        {_ANGLES: f"np.deg2rad({_ANGLES})"},
    ),
    Slip(
        "converted to degrees",
        "The angle was converted to degrees. `np.sin` and `np.cos` expect radians, and "
        "$pos\\cdot\\theta_i$ is in radians.",
        {_ANGLES: f"np.rad2deg({_ANGLES})"},
    ),
    Slip(
        "ignores positions",
        "The rows are counted 0, 1, 2, …, whatever `positions` holds. Row $r$ is turned "
        "by **its** position, `positions[r]`; these may start anywhere and have gaps.",
        {"positions[:, None]": "np.arange(len(x))[:, None]"},
    ),
    Slip(
        "one speed for all pairs",
        "All pairs turn at the same speed, one radian per position. Pair $i$ has a "
        "speed of its own, $\\theta_i = 10000^{-2i/d}$.",
        {_ANGLES: "positions[:, None] * np.ones(len(theta))"},
    ),
    Slip(
        "no negative positions",
        "The sign of the position is lost: $-2$ is treated like $2$. A negative "
        "position turns the other way.",
        {_ANGLES: "np.abs(positions)[:, None] * theta"},
    ),
    Slip(
        "two plus signs",
        "A minus sign is missing: the second column is $b\\cos\\varphi - "
        "a\\sin\\varphi$. With two plus signs the lengths change; that is no rotation.",
        {_SECOND: "b * cosine + a * sine"},
    ),
    Slip(
        "two minus signs",
        "There is one minus sign too many: the first column is $a\\cos\\varphi + "
        "b\\sin\\varphi$. With two minus signs the lengths change; that is no rotation.",
        {_FIRST: "a * cosine - b * sine"},
    ),
    Slip(
        "a speed for every column",
        "Each **column** has a speed of its own here. The two columns of a pair turn "
        "together: there are only $d/2$ speeds.",
        {
            _SPEEDS: "np.arange(x.shape[1]) / x.shape[1]",
            _FIRST: "a * cosine[:, 0::2] + b * sine[:, 0::2]",
            _SECOND: "b * cosine[:, 1::2] - a * sine[:, 1::2]",
        },
    ),
    Slip(
        "half width in the exponent",
        "The speeds fall twice as fast as they should. In $\\theta_i = "
        "10000^{-2i/d}$, $d$ is the full width, not the number of pairs.",
        {_SPEEDS: "np.arange(0, x.shape[1], 2) / (x.shape[1] // 2)"},
    ),
    Slip(
        "slowest speed is 1/10000",
        "The slowest speed comes out as exactly 1/10000. In $10000^{-2i/d}$ the "
        "exponent stops just short of 1: $d$ is the width, not the width less 2.",
        {_SPEEDS: "np.arange(0, x.shape[1], 2) / (x.shape[1] - 2)"},
    ),
    Slip(
        "speeds grow",
        "The speeds grow from pair to pair. They should fall: is there a minus sign in "
        "the exponent $-2i/d$?",
        {"(-np.arange(0": "(np.arange(0"},
    ),
    Slip(
        "multiplied by the encoding",
        "The rows are multiplied by sines and cosines, column by column. In a "
        "rotation each new column is made of **both** old columns of its pair.",
        {_FIRST: "a * sine", _SECOND: "b * cosine"},
    ),
    Slip(
        "added",
        "This **adds** the encoding, as the paper of 2017 does. Here nothing is added: "
        "each pair of columns is turned by $pos\\cdot\\theta_i$.",
        {_FIRST: "a + sine", _SECOND: "b + cosine"},
    ),
    Slip(
        "positions times speeds",
        "`positions` and the speeds are multiplied entry by entry, but **every** row "
        "needs an angle for **every** pair, shape `(n, d/2)`. Make `positions` a "
        "column: `positions[:, None]`.",
        {_ANGLES: "positions * theta"},
    ),
    Slip(
        "speeds times positions",
        "The speeds and `positions` are multiplied entry by entry, but **every** row "
        "needs an angle for **every** pair, shape `(n, d/2)`. Make `positions` a "
        "column: `positions[:, None]`.",
        {_ANGLES: "theta * positions"},
    ),
    Slip(
        "whole numbers",
        "The result is an array of whole numbers where `x` is one, so the fractions "
        "are cut off: `np.empty_like(x)` has the type of `x`, `np.empty(x.shape)` is "
        "an array of floats.",
        {"np.empty(x.shape)": "np.empty_like(x)"},
    ),
]

# The same turn for query and key: it cancels in the dot product of `scores`.
_CANCELLING = [
    Slip(
        "columns not put back",
        "The turned columns stand in the wrong places: the first ones of all pairs, "
        "then the second ones. Put columns $2i$ and $2i+1$ side by side again.",
        {k: v for k, v in _HALVES.items() if k != _READ},
    ),
    Slip(
        "a reflection",
        "Each pair is mirrored, not turned: the determinant of your block is −1. In a "
        "rotation the two entries on the diagonal are equal.",
        {_SECOND: "a * sine - b * cosine"},
    ),
    Slip(
        "sine and cosine exchanged",
        "Sine and cosine are exchanged. At position 0 nothing may move: which of the "
        "two is 1 at angle 0?",
        {_WAVES: "np.cos(angles), np.sin(angles)"},
    ),
    Slip(
        "positions from 1",
        "Every row is turned by one position too many, as if positions began at 1. At "
        "position 0 nothing turns.",
        {"positions[:, None]": "(positions + 1)[:, None]"},
    ),
    Slip(
        "counts from the first position",
        "Only the distance from the first row counts here. Turn every row by its own "
        "position, the first row too.",
        {"positions[:, None]": "(positions - positions[0])[:, None]"},
    ),
    Slip(
        "position forgotten",
        "The position does not enter: every row is turned by $\\theta_i$. The angle "
        "is $pos\\cdot\\theta_i$.",
        {_ANGLES: "np.ones((len(x), 1)) * theta"},
    ),
    Slip(
        "not turned",
        "Nothing is turned: every row comes back as it was. Turn row $r$ by its "
        "position.",
        {_FIRST: "a", _SECOND: "b"},
    ),
    Slip(
        "all by the first position",
        "Every row is turned by the position of the **first** row. Row $r$ stands at "
        "`positions[r]`: one angle per row and pair.",
        {"positions[:, None]": "np.full((len(x), 1), positions[0])"},
    ),
    Slip(
        "counts on from the first position",
        "The rows are counted on from the first position: 3, 4, 5, … But positions "
        "need not follow one another; row $r$ stands at `positions[r]`.",
        {"positions[:, None]": "(positions[0] + np.arange(len(x)))[:, None]"},
    ),
    Slip(
        "two arrays returned",
        "The turned columns come back as two arrays. Put them into one array of the "
        "shape of `x`: first ones in columns $2i$, second ones in columns $2i+1$.",
        {"return out": "return out[:, 0::2], out[:, 1::2]"},
    ),
]


def _rows(n, d, seed):
    return np.random.default_rng(seed).normal(size=(n, d)).round(3)


# Rows, width and pairs differ in every case; positions jump, repeat and go below 0.
# Neither a width nor a number of rows goes with one kind of positions only.
_SIZES = ((5, 8), (6, 4), (4, 6), (6, 64), (7, 8), (3, 16), (3, 4))
_POSITIONS = (
    np.arange(5),
    np.arange(3, 9),
    np.array([7, -2, 40, 40]),
    np.array([1, 2, 3, 5, 8, 1000]),
    np.array([-6, 11, 0, 250, -31, 4, 4]),
    np.array([2, 9, 17]),
    np.arange(3),
)


def _x(number, seed=0):
    """The rows of a case: the fifth not contiguous, the sixth whole numbers."""
    n, d = _SIZES[number]
    if number == 4:
        return _rows(n, 2 * d, d + seed)[:, ::2]
    if number == 5:
        return np.random.default_rng(d + seed).integers(-9, 10, (n, d))
    return _rows(n, d, d + seed)


def _builds_a_matrix(answer, d=512):
    """Whether turning two rows of width 512 holds as many numbers as one matrix."""
    return most_numbers_at_once(answer, _rows(2, d, d), np.array([1, 2])) >= d * d


_TURNED = [(_x(number), _POSITIONS[number]) for number in range(len(_SIZES))]


@exercise(
    stub="""
    def rotate(x, positions):
        # row r of x, shape (n, d), stands at positions[r]
        ...
    """,
    cases=_TURNED,
    hints=[
        "One angle per row and pair: `positions[:, None] * theta` has the shape "
        "`(n, d/2)`. The two columns of all pairs are `x[:, 0::2]` and `x[:, 1::2]`.",
        "$M_{pos}$ turns a pair $(a, b)$ into "
        "$(a\\cos + b\\sin,\\ b\\cos - a\\sin)$. Write both into "
        "`out = np.empty(x.shape)`, at `out[:, 0::2]` and `out[:, 1::2]`.",
    ],
    mistakes=[
        *_TURNS,
        *_CANCELLING,
        Mistake(
            "table added",
            "This **adds** rows of the table, as the paper of 2017 does. Here nothing is "
            "added: each pair of columns is turned by $pos\\cdot\\theta_i$.",
            lambda x, positions: _with_table(x, positions),
        ),
        Mistake(
            "multiplied by the table",
            "The rows are multiplied by rows of the table, column by column. In a "
            "rotation each new column is made of **both** old columns of its pair.",
            lambda x, positions: x * _with_table(0 * x, positions),
        ),
    ],
    demands=[
        Demand(
            "a matrix",
            "Every number is right, but whole matrices were built for it, and they are "
            "nearly all zeros. Two products per column do the same: combine "
            "`x[:, 0::2]` and `x[:, 1::2]`.",
            _builds_a_matrix,
        )
    ],
    remark="Two products per column do what the matrix $M_{pos}$ does.",
)
def rotate(x, positions):
    """Turn row r of x (n, d) by M_pos with pos = positions[r]."""
    theta = 10_000.0 ** (-np.arange(0, x.shape[1], 2) / x.shape[1])
    angles = positions[:, None] * theta
    sine, cosine = np.sin(angles), np.cos(angles)
    a, b = x[:, 0::2], x[:, 1::2]
    out = np.empty(x.shape)
    out[:, 0::2] = a * cosine + b * sine
    out[:, 1::2] = b * cosine - a * sine
    return out


_QUERY, _KEY = "turned(query)", "turned(key).T"
_PRODUCT = f"{_QUERY} @ {_KEY}"


def _opposite(query, key):
    """Edits that turn the query and the key with these signs."""
    return {
        "def turned(x):": "def turned(x, sign):",
        "positions[:, None]": "sign * positions[:, None]",
        _QUERY: f"turned(query, {query})",
        _KEY: f"turned(key, {key}).T",
    }


def _turned_as(x, positions, order):
    """Turn by M_pos where ``order`` lists the columns pair by pair."""
    out = np.empty(x.shape)
    out[:, order] = rotate.reference(x[:, order], positions)
    return out


def _with_table(x, positions):
    """The row of each position added; a negative one counts from the table's end."""
    return x + positional_encoding(max(positions) + 1, x.shape[1])[positions]


def _mixed(query, key, positions):
    halves = np.arange(query.shape[1]).reshape(2, -1).T.ravel()
    return rotate.reference(query, positions) @ _turned_as(key, positions, halves).T


@exercise(
    stub="""
    def scores(query, key, positions):
        # query and key have the shape (n, d), the result (n, n)
        ...
    """,
    cases=[
        (_x(number), _x(number, seed=1), _POSITIONS[number])
        for number in range(len(_SIZES))
    ],
    hints=[
        "Turn **both**: the queries by their positions, and the keys by theirs. The "
        "lines of `rotate` are what you need, twice.",
        "Row $r$, column $c$ of the result is the dot product of turned query $r$ and "
        "turned key $c$: `turned_query @ turned_key.T`.",
    ],
    mistakes=[
        Slip(
            "only the query is rotated",
            "Only the queries are turned. The score then depends on the position of "
            "the query alone; the position of the key must enter too.",
            {_KEY: "key.T"},
        ),
        Slip(
            "only the key is rotated",
            "Only the keys are turned. The score then depends on the position of the "
            "key alone; the position of the query must enter too.",
            {_QUERY: "query"},
        ),
        Slip(
            "keys by their row number",
            "The keys are turned by their row number 0, 1, 2, … Key $r$ stands at "
            "`positions[r]`, as query $r$ does.",
            {
                "def turned(x):": "def turned(x, positions):",
                _QUERY: "turned(query, positions)",
                _KEY: "turned(key, np.arange(len(key))).T",
            },
        ),
        Slip(
            "queries by their row number",
            "The queries are turned by their row number 0, 1, 2, … Query $r$ stands at "
            "`positions[r]`, as key $r$ does.",
            {
                "def turned(x):": "def turned(x, positions):",
                _QUERY: "turned(query, np.arange(len(query)))",
                _KEY: "turned(key, positions).T",
            },
        ),
        Slip(
            "turned in opposite directions",
            "Query and key are turned in opposite directions. The score then depends "
            "on the **sum** of the positions. Turn both the same way: the dot product "
            "takes the difference by itself.",
            _opposite(1, -1),
        ),
        Slip(
            "opposite directions, query back",
            "Query and key are turned in opposite directions: the query by $M_{-pos}$. "
            "The score then depends on the **sum** of the positions.",
            _opposite(-1, 1),
        ),
        Mistake(
            "mixed layouts",
            "Query and key are turned in two different layouts, adjacent columns and "
            "split halves. Their pairs no longer meet in the dot product: use adjacent "
            "columns for both.",
            _mixed,
        ),
        Mistake(
            "table added",
            "This **adds** rows of the table, as the paper of 2017 does. Here nothing "
            "is added: queries and keys are turned.",
            lambda q, k, pos: _with_table(q, pos) @ _with_table(k, pos).T,
        ),
        Slip(
            "not rotated",
            "Nothing is turned: these are the plain dot products. Turn queries and "
            "keys by their positions first.",
            {_QUERY: "query", _KEY: "key.T"},
        ),
        Slip(
            "turned twice",
            "Queries and keys are turned twice, so that every offset counts double. "
            "Turn each of them once.",
            {_QUERY: "turned(turned(query))", _KEY: "turned(turned(key)).T"},
        ),
        Slip(
            "transposed",
            "Rows and columns are exchanged: a row belongs to a **query**, a column to "
            "a key.",
            {_PRODUCT: "turned(key) @ turned(query).T"},
        ),
        Slip(
            "divided by the root",
            "Right up to a factor: you divided by $\\sqrt{d}$, as attention does "
            "afterwards. Here the plain dot products are asked for.",
            {_PRODUCT: f"{_PRODUCT} / np.sqrt(query.shape[1])"},
        ),
        Slip(
            "divided by the width",
            "Right up to a factor: you divided by $d$. Here the plain dot products are "
            "asked for (and attention divides by $\\sqrt{d}$).",
            {_PRODUCT: f"{_PRODUCT} / query.shape[1]"},
        ),
        Slip(
            "query with query",
            "Both factors are made of `query`. The columns belong to the **keys**.",
            {_KEY: "turned(query).T"},
        ),
        Slip(
            "key with key",
            "Both factors are made of `key`. The rows belong to the **queries**.",
            {_QUERY: "turned(key)"},
        ),
        Slip(
            "keys not transposed",
            "Both are turned. But `@` multiplies rows by **columns**, and the keys "
            "stand in rows: transpose that matrix, `.T`.",
            {_KEY: "turned(key)"},
        ),
        Slip(
            "entry by entry",
            "The turned queries and keys are multiplied entry by entry. A score is a dot "
            "product, a sum over all columns, and every query meets every key.",
            {_PRODUCT: "turned(query) * turned(key)"},
        ),
        Slip(
            "queries transposed",
            "This compares columns with columns, shape `(d, d)`. Every **row** of "
            "queries meets every **row** of keys: which of the two needs `.T`?",
            {_PRODUCT: "turned(query).T @ turned(key)"},
        ),
        Slip(
            "own key only",
            "Each query meets only the key of its own row. Every query meets **every** "
            "key: the result has the shape `(n, n)`.",
            {_PRODUCT: "(turned(query) * turned(key)).sum(axis=1)"},
        ),
        *(
            Slip(
                "later keys hidden",
                "The scores of later keys are hidden. That is a causal mask, and none is "
                "asked for: every query meets every key.",
                {
                    f"return {_PRODUCT}": f"raw = {_PRODUCT}\n"
                    f"    return np.where({seen}, raw, -np.inf)"
                },
            )
            for seen in ("positions[:, None] >= positions", "np.tri(len(raw)) > 0")
        ),
        Slip(
            "softmax",
            "These are attention weights: the softmax was taken already. Here the "
            "plain dot products are asked for.",
            {
                f"return {_PRODUCT}": f"raw = np.exp({_PRODUCT})\n"
                "    return raw / raw.sum(axis=1, keepdims=True)"
            },
        ),
        Slip(
            "softmax of the divided scores",
            "These are attention weights: divided by $\\sqrt{d}$, and the softmax was "
            "taken already. Here the plain dot products are asked for.",
            {
                f"return {_PRODUCT}": f"raw = {_PRODUCT} / np.sqrt(query.shape[1])\n"
                "    raw = np.exp(raw)\n"
                "    return raw / raw.sum(axis=1, keepdims=True)"
            },
        ),
        Slip(
            "causal mask",
            "Above the diagonal every score is 0, as if a causal mask hid the keys that "
            "come later. Here every query meets every key.",
            {_PRODUCT: f"np.tril({_PRODUCT})"},
        ),
        Slip(
            "other sign",
            "The offsets count with the other sign: turned by $n - m$ or by $m - n$, "
            "the scores are not the same. If you turn by one difference of positions, "
            "it is the wrong way round. If you turn queries and keys one by one, both "
            "turn backwards: do the positions keep their sign? And in $M_{pos}$ of "
            "notebook 03, which of the two sines has the minus sign?",
            _OTHER_SIGN,
        ),
        *(slip for slip in _TURNS if slip.name not in ("whole numbers", "other sign")),
        Slip(
            "whole numbers",
            "Where `query` and `key` hold whole numbers, the turned ones were cut to "
            "whole numbers too: `np.empty_like(x)` has the type of `x`, "
            "`np.empty(x.shape)` is an array of floats.",
            {"np.empty(x.shape)": "np.empty_like(x)"},
        ),
    ],
    remark="Where both positions move together, the score stays: you prove it next.",
)
def scores(query, key, positions):
    """Dot products of turned queries and keys, (n, n); no division."""

    def turned(x):
        theta = 10_000.0 ** (-np.arange(0, x.shape[1], 2) / x.shape[1])
        angles = positions[:, None] * theta
        sine, cosine = np.sin(angles), np.cos(angles)
        a, b = x[:, 0::2], x[:, 1::2]
        out = np.empty(x.shape)
        out[:, 0::2] = a * cosine + b * sine
        out[:, 1::2] = b * cosine - a * sine
        return out

    return turned(query) @ turned(key).T


def _by_offset(n, values):
    """A matrix that is constant along its diagonals."""
    pos = np.arange(n)
    return np.asarray(values)[pos - pos[:, None] + n - 1]


def _by_distance(matrix):
    pos = np.arange(len(matrix))
    far = np.abs(pos[:, None] - pos)
    return max(np.ptp(matrix[far == k]) for k in pos)


_RANGE, _EVERY = "d.max() - d.min()", "range(-(n - 1), n)"
_DIAGONAL = "np.diagonal(scores, k)"
_LARGEST = f"max({_RANGE} for d in diagonals)"


@exercise(
    stub="""
    def offset_spread(scores):
        # scores has the shape (n, n): query, key; the result is one number
        ...
    """,
    cases=[
        (np.triu(_rows(4, 4, 0)) + 3 * np.tril(_rows(4, 4, 1), -1),),
        (3 * np.triu(_rows(7, 7, 2)) + np.tril(_rows(7, 7, 3), -1),),
        (_by_offset(5, [3.0, -1, 4, 1, -5, 9, 2, 6, -5]),),
        (_by_offset(6, np.arange(11.0)) + 1e-3 * np.diag(np.arange(6)),),
        (np.diag([0.0, 0, 2, 0, -3], 2) + np.diag([0.0, 0, 0, 1, 0], -2),),
        (np.diag([0.0, 0, 1], 5) + np.diag([4.0, 0], -6),),
        (np.random.default_rng(4).integers(-9, 10, (9, 9)),),
        (_rows(10, 10, 5)[::2, ::2],),
    ],
    hints=[
        "Equal offsets stand on one diagonal. `np.diagonal(scores, k)` gives the one "
        "with offset `k`.",
        "Go through every `k` from `-(n - 1)` to `n - 1`, take the largest minus the "
        "smallest value of each diagonal, and return the largest of these.",
    ],
    mistakes=[
        Slip(
            "main diagonal only",
            "Only offset 0, the main diagonal, is looked at. Every offset must be.",
            {_EVERY: "[0]"},
        ),
        Slip(
            "no negative offsets",
            "The offsets below zero are missing: keys **before** the query stand below "
            "the main diagonal.",
            {_EVERY: "range(n)"},
        ),
        Slip(
            "no positive offsets",
            "The offsets above zero are missing: keys **after** the query stand above "
            "the main diagonal.",
            {_EVERY: "range(-(n - 1), 1)"},
        ),
        Slip(
            "main diagonal left out",
            "Offset 0, the main diagonal, is left out: it is an offset like any other.",
            {_EVERY: f"{_EVERY} if k"},
        ),
        Mistake(
            "distance instead of offset",
            "Offsets $k$ and $-k$ are put together. They are different: a key 3 "
            "behind may score differently from a key 3 ahead.",
            _by_distance,
        ),
        Slip(
            "whole matrix",
            "This is the range of the whole matrix. Scores with **different** offsets "
            "may differ; compare within each diagonal.",
            {_LARGEST: "scores.max() - scores.min()"},
        ),
        Slip(
            "rows",
            "This compares within rows: there the query stays and the offset changes. "
            "Equal offsets stand on a diagonal.",
            {_LARGEST: _LARGEST.replace("diagonals", "scores")},
        ),
        Slip(
            "columns",
            "This compares within columns: there the key stays and the offset changes. "
            "Equal offsets stand on a diagonal.",
            {_LARGEST: _LARGEST.replace("diagonals", "scores.T")},
        ),
        Slip(
            "the other diagonals",
            "These are the diagonals from top right to bottom left: there the **sum** "
            "of the positions is the same, not the difference.",
            {_DIAGONAL: "np.diagonal(scores[::-1], k)"},
        ),
        Slip(
            "standard deviation",
            "This is a standard deviation, a mean over a diagonal. One score that is "
            "off should show in full: take largest minus smallest.",
            {_RANGE: "d.std()"},
        ),
        Slip(
            "variance",
            "This is a variance, a mean over a diagonal. One score that is off should "
            "show in full: take largest minus smallest.",
            {_RANGE: "d.var()"},
        ),
        Slip(
            "mean over the offsets",
            "The spreads of the diagonals are averaged. One offset that fails should "
            "show in full: take the largest.",
            {_LARGEST: f"np.mean([{_RANGE} for d in diagonals])"},
        ),
        Slip(
            "sum over the offsets",
            "The spreads of the diagonals are added up. Take the largest of them.",
            {_LARGEST: f"sum({_RANGE} for d in diagonals)"},
        ),
        Slip(
            "one for every offset",
            "These are the spreads of all offsets. One number is asked for: the "
            "largest of them.",
            {_LARGEST: f"[{_RANGE} for d in diagonals]"},
        ),
        Slip(
            "smallest spread",
            "It is 0 for every matrix. A corner is a diagonal with a single score: its "
            "spread is 0, and no spread is smaller. Take the **largest** one of all "
            "diagonals, each its largest score minus its smallest.",
            {_LARGEST: f"min({_RANGE} for d in diagonals)"},
        ),
        Slip(
            "largest score",
            "This is the largest score of all. Within each diagonal, the smallest one "
            "is to be subtracted from the largest.",
            {_RANGE: "d.max()"},
        ),
        Slip(
            "absolute values",
            "The signs of the scores are lost: between −3 and 3 lie 6, not 0. Take "
            "largest minus smallest of the scores as they are.",
            {_DIAGONAL: f"np.abs({_DIAGONAL})"},
        ),
        Slip(
            "first against last",
            "Only the two ends of each diagonal are compared. The largest and the "
            "smallest score may stand between them.",
            {_RANGE: "abs(d[0] - d[-1])"},
        ),
        Slip(
            "all against the first",
            "Each score is compared with the first one of its diagonal. The largest "
            "and the smallest may both be further along: subtract one from the other.",
            {_RANGE: "np.abs(d - d[0]).max()"},
        ),
        Slip(
            "rounded",
            "The result was rounded. Return the number as it is; round when you print.",
            {_LARGEST: f"np.round({_LARGEST}, 1)"},
        ),
        Slip(
            "a verdict",
            "This is True or False. The number itself is asked for; you can compare "
            "it with a bound afterwards.",
            {_LARGEST: f"{_LARGEST} < 1e-12"},
        ),
        Slip(
            "one offset too many",
            "`np.diagonal` is empty at offset $n$ or $-n$, and nothing has no largest "
            "value. Offsets go from $-(n-1)$ to $n-1$; `range` leaves out its end.",
            {_EVERY: "range(-n, n)"},
        ),
        Mistake(
            "neighbours only",
            "Each score is compared with the next one on its diagonal. Small steps can "
            "add up: compare the largest with the smallest.",
            lambda s: np.max(np.abs(s[1:, 1:] - s[:-1, :-1])),
        ),
    ],
    remark="Zero, up to rounding, means: the score depends on the offset alone.",
)
def offset_spread(scores):
    """The largest difference between two scores with the same offset."""
    n = len(scores)
    diagonals = [np.diagonal(scores, k) for k in range(-(n - 1), n)]
    return max(d.max() - d.min() for d in diagonals)


def turn_halves(x, positions):
    """Turn x by M_pos; column c and column c + d/2 are a pair."""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-np.arange(half) / half)
    angles = np.tile(positions[:, None] * theta, 2)
    partner = np.concatenate([x[:, half:], -x[:, :half]], axis=1)
    return x * np.cos(angles) + partner * np.sin(angles)


def _read_adjacent(x, positions):
    angles = np.outer(
        positions, 10_000.0 ** (-np.arange(0, x.shape[1], 2) / x.shape[1])
    )
    a, b = x[:, 0::2], x[:, 1::2]
    first = a * np.cos(angles) + b * np.sin(angles)
    return np.concatenate([first, b * np.cos(angles) - a * np.sin(angles)], axis=1)


_TILED = "np.tile(positions[:, None] * theta, 2)"
_PARTNER = "np.concatenate([x[:, half:], -x[:, :half]], axis=1)"
_ADJACENT_ANGLES = {_TILED: "(positions[:, None] * theta).repeat(2, axis=1)"}
_ADJACENT_PARTNER = {
    _PARTNER: "np.stack([x[:, 1::2], -x[:, 0::2]], axis=2).reshape(x.shape)"
}
_OTHER_WAY = {"+ partner": "- partner"}
_FASTER = {"np.arange(half) / half": "2 * np.arange(half) / half"}

spot_the_layout_bug = exercise(
    name="spot_the_layout_bug",
    stub="""
    def turn_halves(x, positions):
        \"\"\"Turn x by M_pos; column c and column c + d/2 are a pair.\"\"\"
        half = x.shape[1] // 2
        theta = 10_000.0 ** (-np.arange(half) / half)
        angles = np.repeat(positions[:, None] * theta, 2, axis=1)
        partner = np.concatenate([x[:, half:], -x[:, :half]], axis=1)
        return x * np.cos(angles) + partner * np.sin(angles)
    """,
    cases=_TURNED,
    hints=[
        "Take `d = 4`. Which two columns does `partner` put together? Which columns "
        "of `angles` hold the same angle? Those must be the same two columns.",
        "`np.repeat([a, b], 2)` is `a, a, b, b`; `np.tile([a, b], 2)` is `a, b, a, b`. "
        "Which of them gives column $c$ and column $c + d/2$ the same angle?",
    ],
    mistakes=[
        Slip(
            "still mixed",
            "The fault is still there: angles laid out for adjacent columns meet "
            "partners from the other half. Compare the columns of `angles` with those "
            "of `partner`, at `d = 4`.",
            _ADJACENT_ANGLES,
        ),
        Slip(
            "mixed the other way",
            "Both lines were changed, so they disagree again: now the angles are laid "
            "out in halves and the partners are neighbours. One change is enough.",
            _ADJACENT_PARTNER,
        ),
        Slip(
            "interleaved layout",
            "Now it is consistent, but in the other layout: adjacent columns. A model "
            "trained with halves would break. Keep `partner`, change `angles`.",
            _ADJACENT_ANGLES | _ADJACENT_PARTNER,
        ),
        Slip(
            "other sign",
            "The layout is right now, but it turns the other way, as published code "
            "does. `partner` and the last line were right: leave both as they were.",
            _OTHER_WAY,
        ),
        Mistake(
            "read in one layout, written in the other",
            "The layouts are still mixed: adjacent columns are read as pairs, and the "
            "results stand half a width apart. Here column $c$ and column $c + d/2$ are "
            "a pair, before and after.",
            _read_adjacent,
        ),
        Slip(
            "interleaved layout and other sign",
            "Now it is consistent, but with adjacent columns and turning the other "
            "way. Keep `partner` as it was, change `angles`.",
            _ADJACENT_ANGLES | _ADJACENT_PARTNER | _OTHER_WAY,
        ),
        Slip(
            "still mixed, and other sign",
            "It turns the other way now, and the first way was right. The fault is still "
            "there: compare the columns of `angles` with those of `partner`, at `d = 4`.",
            _ADJACENT_ANGLES | _OTHER_WAY,
        ),
        Slip(
            "speeds changed, still mixed",
            "`theta` was changed, and it was right: with `half` $= d/2$, $-c/(d/2)$ is "
            "$-2c/d$. Compare the columns of `angles` with those of `partner`.",
            _FASTER | _ADJACENT_ANGLES,
        ),
        Slip(
            "speeds half as spread, still mixed",
            "`theta` was changed, and it was right: dividing by the full width forgets "
            "the 2 in $-2c/d$. Compare the columns of `angles` with those of `partner`.",
            {"np.arange(half) / half": "np.arange(half) / x.shape[1]"}
            | _ADJACENT_ANGLES,
        ),
        Slip(
            "no minus sign, still mixed",
            "`partner` has lost its minus sign, so that nothing is turned, and the fault "
            "is still there: compare the columns of `angles` with those of `partner`.",
            {"-x[:, :half]": "x[:, :half]"} | _ADJACENT_ANGLES,
        ),
        Slip(
            "speeds changed",
            "The layout is right now, but `theta` was changed too, and it was right: "
            "with `half` $= d/2$, $-c/(d/2)$ is $-2c/d$.",
            _FASTER,
        ),
        Slip(
            "speeds half as spread",
            "The layout is right now, but `theta` was changed too, and it was right: "
            "dividing by the full width forgets the 2 in $-2c/d$.",
            {"np.arange(half) / half": "np.arange(half) / x.shape[1]"},
        ),
        Slip(
            "no minus sign",
            "The layout is right now, but the two columns of a pair are not turned: the "
            "second half needs the minus sign of `partner`, and the same angle as the "
            "first.",
            {"-x[:, :half]": "x[:, :half]"},
        ),
        Slip(
            "a column is its own partner",
            "The layout is right now, but `partner` was changed, and it was right: it "
            "puts the **other** half in each place, the second half first.",
            {"[x[:, half:], -x[:, :half]]": "[-x[:, :half], x[:, half:]]"},
        ),
        Slip(
            "partner takes its own half",
            "The layout is right now, but `partner` was changed, and it was right: it "
            "puts the **other** half in each place, the second half first.",
            {"[x[:, half:], -x[:, :half]]": "[x[:, :half], -x[:, half:]]"},
        ),
        Slip(
            "still mixed, partner changed",
            "`partner` was changed, and it was right: it puts the **other** half in "
            "each place. The fault is in the line before it.",
            {"[x[:, half:], -x[:, :half]]": "[-x[:, :half], x[:, half:]]"}
            | _ADJACENT_ANGLES,
        ),
        Slip(
            "sine and cosine exchanged",
            "The last line was changed, and it was right: at position 0 nothing may "
            "turn, so `x` itself is multiplied by the cosine.",
            {"x * np.cos(": "x * np.sin(", "partner * np.sin(": "partner * np.cos("},
        ),
        Slip(
            "one angle for each pair",
            "`angles` has one column for each pair, half as many as `x`. Each angle must "
            "stand in both columns of its pair.",
            {_TILED: "positions[:, None] * theta"},
        ),
        Slip(
            "half of the rows",
            "`half` is half of the number of rows here. It is the columns that are cut "
            "in two: which axis counts them?",
            {"half = x.shape[1]": "half = x.shape[0]"},
        ),
        Slip(
            "tiled downwards",
            "The angles stand **below** one another: whole rows are repeated, as "
            "`np.tile(…, (2, 1))` or `np.concatenate` without `axis=1` does it. They "
            "belong side by side, in each row.",
            {"theta, 2)": "theta, (2, 1))"},
        ),
        Slip(
            "a speed for every column",
            "Every column has a speed of its own here. The two columns of a pair share "
            "one speed: there are only $d/2$ of them.",
            {
                "np.arange(half) / half": "np.arange(2 * half) / (2 * half)",
                _TILED: "positions[:, None] * theta",
            },
        ),
    ],
    remark="Angles and partners agree about what a pair is. That is all that matters.",
)(turn_halves)


_SLOPED, _HIDDEN = "-slope * offset.abs()", "offset > 0"


@exercise(
    stub="""
    def one_sided(offset, slope):
        # offset: a tensor of whole numbers, key less query; the result has its shape
        ...
    """,
    cases=[
        (torch.arange(-4, 5), 0.25),
        (torch.arange(-2, 3), 0.0),
        (torch.arange(6) - torch.tensor([[0], [3], [5]]), 1 / 16),
        ((torch.arange(7) - torch.tensor([[2], [6]]))[:, None, ::2], 2.0),
        (torch.arange(-3, 1), 0.5),
    ],
    hints=[
        "`offset.abs()` is the distance; `offset > 0` is true for the keys ahead.",
        "Make the slope first, `-slope * offset.abs()`, then write `-torch.inf` over "
        "the places ahead: `.masked_fill(mask, value)`.",
    ],
    mistakes=[
        Slip(
            "sides exchanged",
            "The wrong side is hidden. The offset is key less query, so keys **ahead** "
            "have a positive one.",
            {_HIDDEN: "offset < 0"},
        ),
        Slip(
            "hides itself",
            "At offset 0 the token sees itself: the bias there is 0, not $-\\infty$.",
            {_HIDDEN: "offset >= 0"},
        ),
        Slip(
            "nothing hidden",
            "This is the linear bias on both sides. Keys ahead are to be hidden, with "
            "$-\\infty$.",
            {".masked_fill(ahead, -torch.inf)": ""},
        ),
        Slip(
            "far ones get more",
            "The farther a key, the higher its score: the slope goes the wrong way. "
            "The bias is $-m$ times the distance.",
            {_SLOPED: "slope * offset.abs()"},
        ),
        Slip(
            "no slope",
            "The keys ahead are hidden, but all others get the same. Subtract the "
            "slope times the distance.",
            {_SLOPED: "0.0 * offset"},
        ),
        Slip(
            "slope forgotten",
            "The distance is subtracted, but not multiplied by `slope`.",
            {_SLOPED: "-1.0 * offset.abs()"},
        ),
        Slip(
            "divided by the slope",
            "The distance is divided by `slope`. The bias is $-m$ *times* the distance.",
            {_SLOPED: "-offset.abs() / slope"},
        ),
        Slip(
            "divided by the slope, nothing hidden",
            "The distance is divided by `slope`: multiply. And keys ahead are to be "
            "hidden, with $-\\infty$; here they get 0.",
            {
                _SLOPED: "offset.clamp(max=0) / slope",
                ".masked_fill(ahead, -torch.inf)": "",
            },
        ),
        Slip(
            "squared",
            "The distance is squared. The bias falls in a straight line: slope times "
            "distance.",
            {_SLOPED: "-slope * offset**2"},
        ),
        Slip(
            "hidden with zero",
            "Keys ahead got the bias 0, the largest of all: they would be seen best. "
            "The softmax gives the weight 0 where the score is $-\\infty$.",
            {"-torch.inf": "0.0"},
        ),
        Slip(
            "hidden with plus infinity",
            "Keys ahead got $+\\infty$: the softmax would look at nothing else. Hidden "
            "is $-\\infty$.",
            {"-torch.inf": "torch.inf"},
        ),
        Slip(
            "infinity times zero",
            "Adding $-\\infty$ times the mask gives `nan` wherever the mask is 0: "
            "$0\\cdot\\infty$ is not 0. Choose instead: `.masked_fill(mask, value)` "
            "or `torch.where`.",
            {".masked_fill(ahead, -torch.inf)": " - torch.inf * ahead"},
        ),
        *(
            Slip(
                f"hidden with {large:.0e}",
                "Keys ahead got a large negative number. In practice that often does "
                "the same, but $-\\infty$ is asked for, `-torch.inf`: it gives a "
                "weight of exactly 0 whatever the other scores are.",
                {"-torch.inf": repr(large)},
            )
            for large in (-1e9, -1e4, -1e5, -1e6, -1e8, -1e10, -1e12, -1e20, -1e30)
        ),
        Slip(
            "a mask",
            "This is a mask of True and False. The bias is asked for: a number per "
            "key, $-\\infty$ where it is hidden.",
            {"(-slope * offset.abs()).masked_fill(ahead, -torch.inf)": "ahead"},
        ),
    ],
    remark="It is the causal mask of notebook 06 with a slope: ALiBi, as published.",
)
def one_sided(offset, slope):
    """-slope times the distance behind, minus infinity ahead."""
    ahead = offset > 0
    return (-slope * offset.abs()).masked_fill(ahead, -torch.inf)


_PAIRS = "np.arange(0, d_head, 2) / d_head"


@exercise(
    stub="""
    def half_turns(d_head, base):
        # one number per pair, shape (d_head // 2,); not rounded
        ...
    """,
    cases=[(16, 10_000), (8, 500.0), (6, 1_000_000), (64, 2.5), (4, 10_000)],
    hints=[
        "A hand turns $\\theta_i$ radians per position. Half a turn is $\\pi$ radians.",
        "Distance, speed, time: $\\theta_i \\cdot \\text{offset} = \\pi$. The speeds "
        "are `base ** (-2 * i / d_head)` for `i` from 0 to `d_head // 2 - 1`.",
    ],
    mistakes=[
        Slip(
            "a whole turn",
            "These are whole turns, the wavelengths. Half a turn is $\\pi$, not $2\\pi$.",
            {"np.pi /": "2 * np.pi /"},
        ),
        Slip(
            "a quarter turn",
            "These are quarter turns, where the sine is largest. It is 0 again after "
            "half a turn, $\\pi$.",
            {"np.pi /": "np.pi / 2 /"},
        ),
        Slip(
            "degrees",
            "You took 180 degrees; the speeds are in **radians** per position.",
            {"np.pi /": "180 /"},
        ),
        Slip(
            "multiplied",
            "Your numbers fall from pair to pair, but slow hands need **longer**: divide "
            "by the speed, and mind the minus sign in its exponent.",
            {"np.pi / theta": "np.pi * theta"},
        ),
        Slip(
            "upside down",
            "This is the share of half a turn made in one position. Asked for is the "
            "number of positions for half a turn: turn the fraction over.",
            {"np.pi / theta": "theta / np.pi"},
        ),
        Slip(
            "one radian",
            "After so many positions a hand has turned one radian. Half a turn is "
            "$\\pi$ radians.",
            {"np.pi / theta": "1 / theta"},
        ),
        Slip(
            "the speeds",
            "These are the speeds $\\theta_i$ themselves. How many positions does half "
            "a turn take at that speed?",
            {"np.pi / theta": "theta"},
        ),
        Slip(
            "pair index",
            "The exponent is $-2i/d$ with $i$ the index of the **pair**; the 2 is "
            "missing.",
            {_PAIRS: "np.arange(d_head // 2) / d_head"},
        ),
        Slip(
            "half width in the exponent",
            "The speeds fall twice as fast as they should: in $-2i/d$, $d$ is the "
            "full width of the head, and the 2 stands there once.",
            {_PAIRS: "np.arange(0, d_head, 2) / (d_head // 2)"},
        ),
        Slip(
            "slowest speed is 1/base",
            "The slowest speed comes out as exactly 1/base. In $-2i/d$ the exponent "
            "stops just short of 1: $d$ is the width, not the width less 2.",
            {_PAIRS: "np.arange(0, d_head, 2) / (d_head - 2)"},
        ),
        Slip(
            "one per column",
            "There is one number per **column** here. The two columns of a pair turn "
            "together: `d_head // 2` numbers.",
            {_PAIRS: "np.arange(d_head) / d_head"},
        ),
        Slip(
            "one per column, twice",
            "Every number stands there twice, once per column of its pair. One per "
            "**pair** is asked for.",
            {"return np.pi / theta": "return np.repeat(np.pi / theta, 2)"},
        ),
        Slip(
            "base ignored",
            "`base` has no effect: these are the half turns at base 10 000.",
            {"base **": "10_000 **"},
        ),
        Slip(
            "rounded down",
            "The offsets were rounded down to whole numbers. Return them as they are.",
            {"np.pi / theta": "np.pi // theta"},
        ),
        Slip(
            "rounded up",
            "The offsets were rounded up to whole numbers. Return them as they are.",
            {"return np.pi / theta": "return np.ceil(np.pi / theta)"},
        ),
        Slip(
            "slowest first",
            "The order is reversed: pair 0, the fastest, comes first.",
            {"return np.pi / theta": "return np.pi / theta[::-1]"},
        ),
    ],
    remark="At base 10 000 and width 16, pair 2 needs 31.4 positions. Remember it.",
)
def half_turns(d_head, base):
    """The offset after which the hand of each pair has made half a turn."""
    theta = base ** (-np.arange(0, d_head, 2) / d_head)
    return np.pi / theta


moved_together = Question(
    "moved_together",
    "A query stands at position 3 and a key at position 7. Both are turned by their "
    "position. Now both move on by 100. What happens to their score?",
    [
        Choice(
            "It changes: both vectors point elsewhere now.",
            "Both vectors point elsewhere, yes. But they turned **together**, and a "
            "dot product sees only the angles between them.",
        ),
        Choice(
            "It shrinks: far tokens get lower scores.",
            "They are not farther from each other: the offset is still 4. How far they "
            "are from the start does not enter.",
        ),
        Choice(
            "It stays exactly as it was.",
            "Every pair of columns of both vectors turned by the same angle, so the "
            "angle between them is as before, pair for pair.",
            right=True,
        ),
        Choice(
            "It stays only if 100 is a multiple of a wavelength.",
            "That would be needed to bring each vector back to where it was. The dot "
            "product only needs both to turn by the same angle.",
        ),
    ],
    hints=[
        "Two hands of one clock: when both go on by 20 minutes, what happens to the "
        "angle between them?",
        "The score is $(M_{pos}\\,q)\\cdot(M_j\\,k) = q^T M_{pos}^T M_j\\,k$. What is "
        "$M_{pos}^T M_j$?",
    ],
)

values_too = Question(
    "values_too",
    "The output of attention is a weighted sum of values. What would happen if the "
    "values were turned by $M_j$ as well, each by its own position $j$?",
    [
        Choice(
            "Nothing: the weights depend on the offset alone already.",
            "The weights do. But the output is made of the values themselves, and no "
            "dot product takes a difference of positions there.",
        ),
        Choice(
            "The output would depend on the absolute positions again.",
            "The sum would be over $M_j v_j$: move the whole sentence and the output "
            "turns with it. Nothing cancels that turn.",
            right=True,
        ),
        Choice(
            "The model would know the offsets better.",
            "An offset appears where two positions meet in a product, in the scores. "
            "The values meet no second position.",
        ),
        Choice(
            "The values would become longer.",
            "A rotation keeps every length. It is the direction that would change with "
            "the position.",
        ),
    ],
    hints=[
        "Write down the output for one query: a sum over $j$ of weight times what? "
        "Then move every position on by 5.",
        "In the scores, $M_{pos}^T M_j$ leaves only $j - pos$. Which matrix would undo "
        "$M_j$ in the sum of values?",
    ],
)

mirror = Question(
    "mirror",
    "A bias of $-m\\,|j - pos|$ is added to every score: far tokens get less. Nothing "
    "else tells the position, and every token sees all others. Can token A learn "
    "whether B stands before or after it?",
    [
        Choice(
            "No: a sequence and its mirror image look the same.",
            "Mirror the sequence: every distance from A stays, so A's output stays, "
            "but the right answer is the opposite one. Half of the answers are wrong.",
            right=True,
        ),
        Choice(
            "Yes: the bias tells it how far away B is.",
            "It tells **how far**, not on which side. Three to the left and three to "
            "the right look the same.",
        ),
        Choice(
            "Yes, with enough training.",
            "No weights can help: for **any** weights, a sequence and its mirror image "
            "give the same output.",
        ),
        Choice(
            "No: the bias is not learned.",
            "Learning its slope would change nothing. What counts is that "
            "$|j - pos|$ is the same on both sides.",
        ),
    ],
    hints=[
        "Write the sequence backwards. Which of the numbers $|j - pos|$, seen from A, "
        "change?",
        "A's output is a sum over the other tokens, and a sum has no order. What does "
        "each term depend on?",
    ],
)

what_extrapolates = Question(
    "what_extrapolates",
    "All readers are trained on sequences of 16 tokens and tested on 32. Which of "
    "these still answer right nine times out of ten?",
    [
        Choice(
            "All that answer right at length 16.",
            "Right at 16 says little about 32: positions 16 to 31 were never seen. "
            "The sinusoidal and the learned readers lose much there.",
        ),
        Choice(
            "The sinusoidal one: its formula gives a row for any position.",
            "A row **exists** for any position, but the weights have never met these "
            "rows. Defined is not the same as learned.",
        ),
        Choice(
            "The learned one: its table has a row for all 64 positions.",
            "Rows 16 to 63 never took part in training. They still hold the random "
            "numbers that they started with.",
        ),
        Choice(
            "The rotary one and the one-sided bias: they see only the offset.",
            "Here, yes. A new position with an offset they know looks like an old one. "
            "But offsets above 15 are new to both. How far each of them really goes, "
            "and why, is the question of section 4.",
            right=True,
        ),
    ],
    hints=[
        "Two tokens at positions 25 and 28. Which of the codes has seen something like "
        "it in a sequence of 16?",
        "Divide the codes into those that tell the position and those that tell the "
        "offset.",
    ],
)

past_half_a_turn = Question(
    "past_half_a_turn",
    "At base 1 000 000 the half turns are 3.1, 17.7, 99.3, … The readers are trained at "
    "length 16 again. What do you expect where B is 24 or 44 positions from A?",
    [
        Choice(
            "Wrong at 24, right at 44.",
            "Pair 1 is the fastest hand that is right at every offset up to 15, so it "
            "carries the answer. At 24 it is past half a turn and its sine has the "
            "wrong sign; at 44 it is past a whole one (35.5), and right again.",
            right=True,
        ),
        Choice(
            "Right at both: a larger base means slower hands, and a longer reach.",
            "Pair 2 would reach up to 99. But training has no reason to wait for it: a "
            "faster hand that is right up to offset 15 gives the larger difference.",
        ),
        Choice(
            "Half right at both: offsets that were not trained are guessed.",
            "A hand gives a clear sign at every offset, trained or not. Whoever reads "
            "it does not guess, and may be wrong every time.",
        ),
        Choice(
            "Right at 24, wrong at 44: the nearer, the better.",
            "Where in its turn the hand is decides, not how far it has gone. Where is "
            "pair 1 at 24, and where at 44?",
        ),
    ],
    hints=[
        "Which is the fastest hand that stays below half a turn at every trained "
        "offset, 1 to 15?",
        "Its sine is positive up to 17.7, then negative up to 35.5, then positive "
        "again. Where are 24 and 44?",
    ],
)

next_door = Question(
    "next_door",
    'Now another question: "Is B **directly** after A?" Rotary readers learn it at '
    "base 10 000, and then you stop one hand at a time. Which of them will be missed "
    "most?",
    [
        Choice(
            "Pair 2 again: it is the one that knows the order.",
            "Between offsets 1 and 2 it turns by 0.1 radian only. It tells the sides "
            "apart, not neighbours.",
        ),
        Choice(
            "Pairs 0 and 1, the fast ones.",
            "From offset 1 to offset 2 they turn by 1 and by 0.32 radian: they tell "
            "neighbours apart. Together they single out one offset among many.",
            right=True,
        ),
        Choice(
            "The slow ones, 5 to 7: they never repeat.",
            "They hardly move at all within 16 positions: offset 1 looks like "
            "offset 0 to them.",
        ),
        Choice(
            "All alike: a score is a sum over all pairs.",
            "It is a sum, but its terms are not equally useful. The question decides "
            "which of them the weights make large.",
        ),
    ],
    hints=[
        "Which hands look clearly different at offset 1 and at offset 2?",
        "At base 10 000 and width 16 the speeds are 1, 0.316, 0.1, 0.032, … radians "
        "per position.",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
