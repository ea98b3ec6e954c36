"""Exercises of notebook 07: rotated queries and keys, their layouts and limits."""

import numpy as np

from helpers.exercises.core import Choice, Mistake, Question, collect, exercise


def _speeds(d_model):
    return 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)


def _columns(x, halves):
    """The first and the second column of every pair, in one of the two layouts."""
    half = x.shape[1] // 2
    return (x[:, :half], x[:, half:]) if halves else (x[:, 0::2], x[:, 1::2])


def _together(first, second, halves):
    if halves:
        return np.concatenate([first, second], axis=1)
    return np.stack([first, second], axis=2).reshape(len(first), -1)


def _turned(x, angles, *, sign=1, halves=False, back=None):
    """Turn the pairs of ``x`` by ``angles``; ``sign=-1`` is the published sign."""
    sine, cosine = sign * np.sin(angles), np.cos(angles)
    a, b = _columns(x, halves)
    back = halves if back is None else back
    return _together(a * cosine + b * sine, b * cosine - a * sine, back)


def _angles(x, positions, speeds=_speeds):
    return np.asarray(positions)[:, None] * speeds(x.shape[1])


def _counted(x):
    return np.arange(len(x))


def _encoded(x, positions):
    angles = _angles(x, positions)
    return x + _together(np.sin(angles), np.cos(angles), False)


def _overwritten(x, positions):
    angles = _angles(x, positions)
    a, b = _columns(x, False)
    a = a * np.cos(angles) + b * np.sin(angles)
    return _together(a, b * np.cos(angles) - a * np.sin(angles), False)


def _reflected(x, positions):
    angles = _angles(x, positions)
    a, b = _columns(x, False)
    sine, cosine = np.sin(angles), np.cos(angles)
    return _together(a * cosine + b * sine, a * sine - b * cosine, False)


def _exchanged(x, positions):
    angles = _angles(x, positions)
    a, b = _columns(x, False)
    sine, cosine = np.sin(angles), np.cos(angles)
    return _together(a * sine + b * cosine, b * sine - a * cosine, False)


def _both_plus(x, positions):
    angles = _angles(x, positions)
    a, b = _columns(x, False)
    sine, cosine = np.sin(angles), np.cos(angles)
    return _together(a * cosine + b * sine, b * cosine + a * sine, False)


def _angle_a_column(x, positions):
    angles = _angles(x, positions, _speed_a_column)
    a, b = _columns(x, False)
    sine, cosine = np.sin(angles), np.cos(angles)
    first = a * cosine[:, 0::2] + b * sine[:, 0::2]
    return _together(first, b * cosine[:, 1::2] - a * sine[:, 1::2], False)


def _multiplied(x, positions):
    angles = _angles(x, positions)
    return x * _together(np.sin(angles), np.cos(angles), False)


def _left_as_two(x, positions):
    turned = _turned(x, _angles(x, positions))
    return turned[:, 0::2], turned[:, 1::2]


def _by_first_position(x, positions):
    return _turned(x, _angles(x, np.full(len(x), positions[0])))


def _counted_on(x, positions):
    return _turned(x, _angles(x, positions[0] + _counted(x)))


# Wrong ways to turn the rows of x; each is a mistake in `rotate` and in `scores`.
_WRONG_TURNS = [
    (
        "other sign",
        "Sound, but not what is asked: you turn the other way. The rotary papers and "
        "their code do so, $(x\\cos - y\\sin,\\ x\\sin + y\\cos)$, and their scores "
        "depend on the offset alone too. Here it is $M_{pos}$ of notebook 03, which "
        "acts on (sine, cosine): which sine changes its sign?",
        lambda x, pos: _turned(x, _angles(x, pos), sign=-1),
    ),
    (
        "halves layout",
        "You pair column $c$ with column $c + d/2$: the split-halves layout. Many "
        "models use it, and it works as well. Here a pair is two **adjacent** columns, "
        "$2i$ and $2i+1$.",
        lambda x, pos: _turned(x, _angles(x, pos), halves=True),
    ),
    (
        "halves layout and other sign",
        "This is the form of much published code: column $c$ paired with $c + d/2$, "
        "turned counter-clockwise. It works there. Here a pair is two **adjacent** "
        "columns, and $M_{pos}$ turns the other way.",
        lambda x, pos: _turned(x, _angles(x, pos), halves=True, sign=-1),
    ),
    (
        "columns not put back",
        "The pairs are turned rightly, but the results stand in the wrong columns: "
        "first all first members, then all second ones. Put column $2i$ and $2i+1$ "
        "side by side again.",
        lambda x, pos: _turned(x, _angles(x, pos), back=True),
    ),
    (
        "overwritten",
        "The second column of a pair was computed from the **new** first column. Both "
        "need the old values: keep them until both are computed.",
        _overwritten,
    ),
    (
        "a reflection",
        "Each pair is mirrored, not turned: the determinant of your block is −1. In a "
        "rotation the two entries on the diagonal are equal.",
        _reflected,
    ),
    (
        "sine and cosine exchanged",
        "Sine and cosine are exchanged. At position 0 nothing may move: which of the "
        "two is 1 at angle 0?",
        _exchanged,
    ),
    (
        "column index",
        "The speeds were computed with the column index. The two columns of a pair "
        "turn together: $\\theta_i = 10000^{-2i/d}$ with $i$ the index of the "
        "**pair**; the exponents go up to almost 1.",
        lambda x, pos: _turned(
            x, _angles(x, pos, lambda d: 10_000.0 ** (-np.arange(d // 2) / d))
        ),
    ),
    (
        "degrees",
        "The angle was turned from degrees into radians, but $pos\\cdot\\theta_i$ is "
        "in radians already.",
        lambda x, pos: _turned(x, np.deg2rad(_angles(x, pos))),
    ),
    (
        "converted to degrees",
        "The angle was turned into degrees. `np.sin` and `np.cos` expect radians, and "
        "$pos\\cdot\\theta_i$ is in radians.",
        lambda x, pos: _turned(x, np.rad2deg(_angles(x, pos))),
    ),
    (
        "ignores positions",
        "The rows were counted 0, 1, 2, …; the argument `positions` has no effect. A "
        "row is turned by **its** position, which may start anywhere.",
        lambda x, pos: _turned(x, _angles(x, _counted(x))),
    ),
    (
        "counts from the first position",
        "Only the distance from the first row counts in yours. Turn every row by its "
        "own position, the first row too.",
        lambda x, pos: _turned(x, _angles(x, np.asarray(pos) - pos[0])),
    ),
    (
        "position forgotten",
        "The position does not enter: every row is turned by $\\theta_i$. The angle "
        "is $pos\\cdot\\theta_i$.",
        lambda x, pos: _turned(x, _angles(x, np.ones(len(x)))),
    ),
    (
        "position in the exponent only",
        "All pairs turn at the same speed, one radian a position. Pair $i$ has a speed "
        "of its own, $\\theta_i = 10000^{-2i/d}$.",
        lambda x, pos: _turned(x, _angles(x, pos, lambda d: np.ones(d // 2))),
    ),
    (
        "not turned",
        "Nothing is turned: every row comes back as it was. Turn row $r$ by its "
        "position.",
        lambda x, pos: x,
    ),
    (
        "all by the first position",
        "Every row is turned by the position of the **first** row. Row $r$ stands at "
        "`positions[r]`: one angle for each row and pair.",
        _by_first_position,
    ),
    (
        "counts on from the first position",
        "The rows are counted on from the first position: 3, 4, 5, … But positions "
        "need not follow one another; row $r$ stands at `positions[r]`.",
        _counted_on,
    ),
    (
        "no negative positions",
        "The sign of the position is lost: $-2$ is treated like $2$. A negative "
        "position turns the other way.",
        lambda x, pos: _turned(x, _angles(x, np.abs(pos))),
    ),
    (
        "two plus signs",
        "One minus sign is missing: the second column is $b\\cos\\varphi - "
        "a\\sin\\varphi$. With two plus signs the lengths change; that is no rotation.",
        _both_plus,
    ),
    (
        "a speed for every column",
        "Each **column** got a speed of its own. The two columns of a pair turn "
        "together: there are only $d/2$ speeds.",
        _angle_a_column,
    ),
    (
        "half width in the exponent",
        "The speeds fall twice as fast as they should. In $\\theta_i = "
        "10000^{-2i/d}$, $d$ is the full width, not the number of pairs.",
        lambda x, pos: _turned(x, _angles(x, pos, lambda d: _speeds(d) ** 2)),
    ),
    (
        "speeds grow",
        "The speeds grow from pair to pair. They should fall: is there a minus sign in "
        "the exponent $-2i/d$?",
        lambda x, pos: _turned(x, _angles(x, pos, lambda d: 1 / _speeds(d))),
    ),
    (
        "multiplied with the encoding",
        "The rows are multiplied with sines and cosines, column by column. In a "
        "rotation each new column is made of **both** old columns of its pair.",
        _multiplied,
    ),
    (
        "two arrays returned",
        "The turned columns come back as two arrays. Put them into one array of the "
        "shape of `x`: first ones in columns $2i$, second ones in columns $2i+1$.",
        _left_as_two,
    ),
    (
        "positions times speeds",
        "`positions` and the speeds are multiplied entry by entry, but one angle is "
        "needed for **every** row and **every** pair, shape `(n, d/2)`. Make "
        "`positions` a column: `positions[:, None]`.",
        lambda x, pos: _turned(x, pos * _speeds(x.shape[1])),
    ),
    (
        "speeds times positions",
        "The speeds and `positions` are multiplied entry by entry, but one angle is "
        "needed for **every** row and **every** pair, shape `(n, d/2)`. Make "
        "`positions` a column: `positions[:, None]`.",
        lambda x, pos: _turned(x, _speeds(x.shape[1]) * pos),
    ),
    (
        "added",
        "This **adds** the encoding, as the paper of 2017 does. Here nothing is added: "
        "each pair of columns is turned by $pos\\cdot\\theta_i$.",
        _encoded,
    ),
]


def _rows(n, d, seed):
    return np.random.default_rng(seed).normal(size=(n, d)).round(3)


_POSITIONS = (
    np.arange(5),
    np.arange(3, 9),
    np.array([7, -2, 40, 40]),
    np.array([1, 2, 3, 5, 8, 1000]),
)


@exercise(
    stub="""
    def rotate(x, positions):
        # row r of x, shape (n, d), stands at positions[r]
        ...
    """,
    cases=[
        (_rows(len(positions), d, d), positions)
        for d, positions in zip((8, 4, 6, 64), _POSITIONS, strict=True)
    ],
    hints=[
        "One angle for every row and pair: `positions[:, None] * theta` has the shape "
        "`(n, d/2)`. The two columns of all pairs are `x[:, 0::2]` and `x[:, 1::2]`.",
        "$M_{pos}$ turns a pair $(a, b)$ into "
        "$(a\\cos + b\\sin,\\ b\\cos - a\\sin)$. Write both into "
        "`out = np.empty(x.shape)`, at `out[:, 0::2]` and `out[:, 1::2]`.",
    ],
    mistakes=[Mistake(*wrong) for wrong in _WRONG_TURNS],
    remark="No matrix was built: two products a column do what $M_{pos}$ does.",
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


def _right(x, positions):
    return _turned(x, _angles(x, positions))


def _both(turn):
    return lambda query, key, pos: turn(query, pos) @ turn(key, pos).T


def _softmax(query, key, positions):
    raw = _both(_right)(query, key, positions) / np.sqrt(query.shape[1])
    raw = np.exp(raw - raw.max(axis=1, keepdims=True))
    return raw / raw.sum(axis=1, keepdims=True)


# Turns that cancel between query and key: the scores are right, or not rotated.
_HARMLESS = {"columns not put back", "a reflection", "sine and cosine exchanged"}
_HARMLESS |= {"counts from the first position", "position forgotten"}
_HARMLESS |= {"not turned", "all by the first position"}
# Turns that make no scores, or the same ones as another wrong turn.
_ELSEWHERE = {"two arrays returned", "counts on from the first position"}


@exercise(
    stub="""
    def scores(query, key, positions):
        # query and key have the shape (n, d), the result (n, n)
        ...
    """,
    cases=[
        (_rows(len(positions), d, d), _rows(len(positions), d, d + 1), positions)
        for d, positions in zip((8, 4, 6, 64), _POSITIONS, strict=True)
    ],
    hints=[
        "Turn **both**: the queries by their positions, and the keys by theirs. The "
        "lines of `rotate` are what you need, twice.",
        "Row $p$, column $j$ of the result is the dot product of turned query $p$ and "
        "turned key $j$: `turned_query @ turned_key.T`.",
    ],
    mistakes=[
        Mistake(
            "only the query is rotated",
            "Only the queries are turned. The score then depends on the position of "
            "the query alone; the position of the key must enter too.",
            lambda q, k, pos: _right(q, pos) @ k.T,
        ),
        Mistake(
            "only the key is rotated",
            "Only the keys are turned. The score then depends on the position of the "
            "key alone; the position of the query must enter too.",
            lambda q, k, pos: q @ _right(k, pos).T,
        ),
        Mistake(
            "turned in opposite directions",
            "Query and key are turned in opposite directions. The score then depends "
            "on the **sum** of the positions. Turn both the same way: the dot product "
            "takes the difference by itself.",
            lambda q, k, pos: _right(q, pos) @ _right(k, -np.asarray(pos)).T,
        ),
        Mistake(
            "opposite directions, query back",
            "Query and key are turned in opposite directions: the query by $M_{-pos}$. "
            "The score then depends on the **sum** of the positions.",
            lambda q, k, pos: _right(q, -np.asarray(pos)) @ _right(k, pos).T,
        ),
        Mistake(
            "mixed layouts",
            "Query and key are turned in two different layouts, adjacent columns and "
            "split halves. Their pairs no longer meet in the dot product: use adjacent "
            "columns for both.",
            lambda q, k, pos: (
                _right(q, pos) @ _turned(k, _angles(k, pos), halves=True).T
            ),
        ),
        Mistake(
            "not rotated",
            "Nothing is turned: these are the plain dot products. Turn queries and "
            "keys by their positions first.",
            lambda q, k, pos: q @ k.T,
        ),
        Mistake(
            "transposed",
            "Rows and columns are exchanged: a row belongs to a **query**, a column to "
            "a key.",
            lambda q, k, pos: _right(k, pos) @ _right(q, pos).T,
        ),
        Mistake(
            "divided by the root",
            "Right up to a factor: you divided by $\\sqrt{d}$, as attention does "
            "afterwards. Here the plain dot products are asked.",
            lambda q, k, pos: _both(_right)(q, k, pos) / np.sqrt(q.shape[1]),
        ),
        Mistake(
            "divided by the width",
            "Right up to a factor: you divided by $d$. Here the plain dot products are "
            "asked (and attention divides by $\\sqrt{d}$).",
            lambda q, k, pos: _both(_right)(q, k, pos) / q.shape[1],
        ),
        Mistake(
            "query with query",
            "Both factors are made of `query`. The columns belong to the **keys**.",
            lambda q, k, pos: _both(_right)(q, q, pos),
        ),
        Mistake(
            "key with key",
            "Both factors are made of `key`. The rows belong to the **queries**.",
            lambda q, k, pos: _both(_right)(k, k, pos),
        ),
        Mistake(
            "keys not transposed",
            "Both are turned. But `@` multiplies rows with **columns**, and the keys "
            "stand in rows: turn that matrix over, `.T`.",
            lambda q, k, pos: _right(q, pos) @ _right(k, pos),
        ),
        Mistake(
            "queries transposed",
            "This compares columns with columns, shape `(d, d)`. Every **row** of "
            "queries meets every **row** of keys: which of the two needs `.T`?",
            lambda q, k, pos: _right(q, pos).T @ _right(k, pos),
        ),
        Mistake(
            "own key only",
            "Each query meets only the key of its own row. Every query meets **every** "
            "key: the result has the shape `(n, n)`.",
            lambda q, k, pos: (_right(q, pos) * _right(k, pos)).sum(axis=1),
        ),
        Mistake(
            "softmax",
            "These are attention weights: the softmax was taken already. Here the "
            "plain dot products are asked.",
            _softmax,
        ),
        *[
            Mistake(name, sentence, _both(turn))
            for name, sentence, turn in _WRONG_TURNS
            if name not in _HARMLESS | _ELSEWHERE
        ],
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
        pairs = [a * cosine + b * sine, b * cosine - a * sine]
        return np.stack(pairs, axis=2).reshape(x.shape)

    return turned(query) @ turned(key).T


def _ranges(lines):
    return [np.max(line) - np.min(line) for line in lines]


def _diagonals(matrix, first):
    return [np.diagonal(matrix, k) for k in range(first, len(matrix))]


def _by_distance(matrix):
    pos = np.arange(len(matrix))
    far = np.abs(pos[:, None] - pos)
    return max(_ranges([matrix[far == k] for k in pos]))


def _by_offset(n, values):
    """A matrix that is constant along its diagonals."""
    pos = np.arange(n)
    return np.asarray(values)[pos - pos[:, None] + n - 1]


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
    ],
    hints=[
        "Equal offsets stand on one diagonal. `np.diagonal(scores, k)` gives the one "
        "with offset `k`.",
        "Go through every `k` from `-(n - 1)` to `n - 1`, take the largest minus the "
        "smallest value of each diagonal, and return the largest of these.",
    ],
    mistakes=[
        Mistake(
            "main diagonal only",
            "Only offset 0, the main diagonal, is looked at. Every offset must be.",
            lambda s: np.ptp(np.diagonal(s)),
        ),
        Mistake(
            "no negative offsets",
            "The offsets below zero are missing: keys **before** the query stand below "
            "the main diagonal.",
            lambda s: max(_ranges(_diagonals(s, 0))),
        ),
        Mistake(
            "no positive offsets",
            "The offsets above zero are missing: keys **after** the query stand above "
            "the main diagonal.",
            lambda s: max(_ranges(_diagonals(s.T, 0))),
        ),
        Mistake(
            "main diagonal left out",
            "Offset 0, the main diagonal, is left out: it is an offset like any other.",
            lambda s: max(
                _ranges(
                    d for k, d in enumerate(_diagonals(s, 1 - len(s)), 1 - len(s)) if k
                )
            ),
        ),
        Mistake(
            "distance instead of offset",
            "Offsets $k$ and $-k$ were put together. They are different: a key 3 "
            "behind may score otherwise than a key 3 ahead.",
            _by_distance,
        ),
        Mistake(
            "whole matrix",
            "This is the range of the whole matrix. Scores with **different** offsets "
            "may differ; compare within each diagonal.",
            np.ptp,
        ),
        Mistake(
            "rows",
            "This compares within rows: there the query stays and the offset changes. "
            "Equal offsets stand on a diagonal.",
            lambda s: max(_ranges(s)),
        ),
        Mistake(
            "columns",
            "This compares within columns: there the key stays and the offset changes. "
            "Equal offsets stand on a diagonal.",
            lambda s: max(_ranges(s.T)),
        ),
        Mistake(
            "the other diagonals",
            "These are the diagonals from top right to bottom left: there the **sum** "
            "of the positions is the same, not the difference.",
            lambda s: max(_ranges(_diagonals(s[::-1], 1 - len(s)))),
        ),
        Mistake(
            "standard deviation",
            "This is a standard deviation, a mean over a diagonal. One score that is "
            "off should show in full: take largest minus smallest.",
            lambda s: max(np.std(d) for d in _diagonals(s, 1 - len(s))),
        ),
        Mistake(
            "mean over the offsets",
            "The spreads of the diagonals are averaged or added. One offset that "
            "fails should show in full: take the largest.",
            lambda s: np.mean(_ranges(_diagonals(s, 1 - len(s)))),
        ),
        Mistake(
            "sum over the offsets",
            "The spreads of the diagonals are added up. Take the largest of them.",
            lambda s: np.sum(_ranges(_diagonals(s, 1 - len(s)))),
        ),
        Mistake(
            "one for every offset",
            "These are the spreads of all offsets. One number is asked: the largest of "
            "them.",
            lambda s: _ranges(_diagonals(s, 1 - len(s))),
        ),
        Mistake(
            "smallest spread",
            "This is the **smallest** spread. It is always 0: the corner is a diagonal "
            "with a single score. Take the largest.",
            lambda s: min(_ranges(_diagonals(s, 1 - len(s)))),
        ),
        Mistake(
            "largest score",
            "This is the largest score of all. Within each diagonal, the smallest one "
            "is to be subtracted from the largest.",
            np.max,
        ),
        Mistake(
            "first against last",
            "Only the two ends of each diagonal are compared. The largest and the "
            "smallest score may stand between them.",
            lambda s: max(abs(d[0] - d[-1]) for d in _diagonals(s, 1 - len(s))),
        ),
        Mistake(
            "a verdict",
            "This is True or False. Here the number itself is asked; you can compare "
            "it with a bound afterwards.",
            lambda s: max(_ranges(_diagonals(s, 1 - len(s)))) < 1e-12,
        ),
        Mistake(
            "one offset too many",
            "`np.diagonal` is empty at offset $n$ or $-n$, and nothing has no largest "
            "value. Offsets go from $-(n-1)$ to $n-1$; `range` leaves out its end.",
            lambda s: max(_ranges(_diagonals(s, -len(s)))),
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


def _speeds_squared(d_model):
    return _speeds(d_model) ** 2


def _with_tables(x, positions, *, table, partner, speeds=_speeds):
    """Turn x with full-width tables of angles; each part in one of two layouts."""
    angles = _angles(x, positions, speeds)
    angles = np.repeat(angles, 2, axis=1) if table == "pairs" else np.tile(angles, 2)
    a, b = _columns(x, partner != "pairs")
    other = _together(b, -a, partner != "pairs")
    return x * np.cos(angles) + other * np.sin(angles)


def turn_halves(x, positions):
    """Turn x by M_pos; column c and column c + d/2 are a pair."""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-np.arange(half) / half)
    angles = np.tile(positions[:, None] * theta, 2)
    partner = np.concatenate([x[:, half:], -x[:, :half]], axis=1)
    return x * np.cos(angles) + partner * np.sin(angles)


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
    cases=[
        (_rows(len(positions), d, d), positions)
        for d, positions in zip((8, 4, 6, 64), _POSITIONS, strict=True)
    ],
    hints=[
        "Take `d = 4`. Which two columns does `partner` put together? Which columns "
        "of `angles` hold the same angle? Those must be the same two columns.",
        "`np.repeat([a, b], 2)` is `a, a, b, b`; `np.tile([a, b], 2)` is `a, b, a, b`. "
        "Which of them gives column $c$ and column $c + d/2$ the same angle?",
    ],
    mistakes=[
        Mistake(
            "still mixed",
            "The fault is still there: angles laid out for adjacent columns meet "
            "partners from the other half. Compare the columns of `angles` with those "
            "of `partner`, at `d = 4`.",
            lambda x, pos: _with_tables(x, pos, table="pairs", partner="halves"),
        ),
        Mistake(
            "mixed the other way",
            "Both lines were changed, so they disagree again: now the angles are laid "
            "out in halves and the partners are neighbours. One change is enough.",
            lambda x, pos: _with_tables(x, pos, table="halves", partner="pairs"),
        ),
        Mistake(
            "interleaved layout",
            "Now it is consistent, but in the other layout: adjacent columns. A model "
            "trained with halves would break. Keep `partner`, change `angles`.",
            lambda x, pos: _with_tables(x, pos, table="pairs", partner="pairs"),
        ),
        Mistake(
            "other sign",
            "The layout is right now, but it turns the other way, as published code "
            "does. `partner` was right; leave it as it was.",
            lambda x, pos: _turned(x, _angles(x, pos), halves=True, sign=-1),
        ),
        Mistake(
            "interleaved layout and other sign",
            "Now it is consistent, but with adjacent columns and turning the other "
            "way. Keep `partner` as it was, change `angles`.",
            lambda x, pos: _turned(x, _angles(x, pos), sign=-1),
        ),
        Mistake(
            "still mixed, and other sign",
            "The sign of `partner` was changed, and it was right. The fault is still "
            "there: compare the columns of `angles` with those of `partner`, at `d = 4`.",
            lambda x, pos: _with_tables(x, -pos, table="pairs", partner="halves"),
        ),
        Mistake(
            "speeds changed, still mixed",
            "`theta` was changed, and it was right: with `half` $= d/2$, $-c/(d/2)$ is "
            "$-2c/d$. Compare the columns of `angles` with those of `partner`.",
            lambda x, pos: _with_tables(
                x, pos, table="pairs", partner="halves", speeds=_speeds_squared
            ),
        ),
        Mistake(
            "speeds changed",
            "The layout is right now, but `theta` was changed too, and it was right: "
            "with `half` $= d/2$, $-c/(d/2)$ is $-2c/d$.",
            lambda x, pos: _with_tables(
                x, pos, table="halves", partner="halves", speeds=_speeds_squared
            ),
        ),
        Mistake(
            "a speed for every column",
            "Every column got a speed of its own. The two columns of a pair share one "
            "speed: there are only $d/2$ of them.",
            lambda x, pos: (
                x * np.cos(_angles(x, pos, _speed_a_column))
                + _partner(x) * np.sin(_angles(x, pos, _speed_a_column))
            ),
        ),
    ],
    remark="Angles and partners agree about what a pair is. That is all that matters.",
)(turn_halves)


def _speed_a_column(d_model):
    return 10_000.0 ** (-np.arange(d_model) / d_model)


def _partner(x):
    a, b = _columns(x, True)
    return _together(b, -a, True)


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
            "product only needs that both turn by the same angle.",
        ),
    ],
    hints=[
        "Two hands of one clock: when both go on by 20 minutes, what happens to the "
        "angle between them?",
        "$(M_p q)\\cdot(M_j k) = q\\cdot M_p^T M_j\\,k$. What is $M_p^T M_j$?",
    ],
)

values_too = Question(
    "values_too",
    "The output of attention is a weighted sum of values. What would happen if the "
    "values were turned by $M_{pos}$ as well?",
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
        "Write the output for a query: a sum over $j$ of weight times what? Then move "
        "every position on by 5.",
        "In the scores, $M_p^T M_j$ leaves only $j - p$. Which matrix would undo "
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
            "Yes: the bias tells it how far away B is.",
            "It tells **how far**, not on which side. Three to the left and three to "
            "the right look the same.",
        ),
        Choice(
            "No: a sentence and its mirror image look the same.",
            "Mirror the sentence: every distance from A stays, so A's output stays, "
            "but the right answer is the opposite one. Half of the answers are wrong.",
            right=True,
        ),
        Choice(
            "Yes, with enough training.",
            "No weights can help: for **any** weights, a sentence and its mirror image "
            "give the same output.",
        ),
        Choice(
            "No: the bias is not learned.",
            "Learning its slope would change nothing. What counts is that "
            "$|j - pos|$ is the same on both sides.",
        ),
    ],
    hints=[
        "Write the sentence backwards. Which of the numbers $|j - pos|$, seen from A, "
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
            "A new position with an offset they know looks like an old one. Most "
            "offsets within 32 tokens were seen within 16. At 64 many are new: look at "
            "what happens there.",
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

longer_context = Question(
    "longer_context",
    "The rotary readers know length 16; you need 64, and may not train again. What "
    "do you try on the positions that enter the rotation?",
    [
        Choice(
            "Nothing helps: what was not trained cannot work.",
            "The weights stay, but you choose the angles. Can you bring the new angles "
            "back into the range that the weights know?",
        ),
        Choice(
            "Divide all positions by 4.",
            "Position 63 becomes 15.75: all angles stay in the range that was "
            "trained. The steps between are finer than any seen in training; you are "
            "about to measure how much that costs.",
            right=True,
        ),
        Choice(
            "Multiply all positions by 4.",
            "Then the angles grow four times faster, further away from those that were "
            "trained.",
        ),
        Choice(
            "Make the base smaller, so that the hands turn faster.",
            "Faster hands reach angles that were never seen even sooner. The other "
            "direction is worth a try.",
        ),
    ],
    hints=[
        "In training, the largest angle of pair $i$ was $15\\,\\theta_i$. How large "
        "is it at position 63?",
        "You want $63\\cdot(\\ldots)\\le 15$ for every pair.",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
