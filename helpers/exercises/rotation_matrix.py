"""Exercises of notebook 03: moving by k is a rotation."""

import numpy as np

from helpers.encoding import positional_encoding
from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.core import Choice, Mistake, Question, Slip, collect, exercise
from helpers.exercises.demands import Demand

STARTS = (0, 1, 3, 10, 200)


def _speeds(d_model):
    return 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)


def _rows(positions, speeds):
    angles = np.asarray(positions)[:, None] * speeds
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(angles), -1)


def _is_mirror(matrix, angles):
    """Whether the blocks are the mirrors that are right from position 0."""
    sine, cosine = np.diag(np.sin(angles)), np.diag(np.cos(angles))
    blocks = matrix[0::2, 0::2], matrix[0::2, 1::2], matrix[1::2, 0::2]
    wanted = -cosine, sine, sine
    same = all(
        np.allclose(a, b, atol=1e-4) for a, b in zip(blocks, wanted, strict=True)
    )
    return same and np.allclose(matrix[1::2, 1::2], cosine, atol=1e-4)


def _walk(made, k, speeds):
    """What is compared: where the matrix leads from several positions, and itself.

    A matrix that is right from position 0 and nowhere else is told as that, however
    it came about: of each block only the second column meets PE[0] = (0, 1).
    """
    if made is None or made is ...:
        return made
    everywhere = ", ".join(map(str, STARTS))
    label = "starting positions from which it reaches row `pos + k`"
    whole = {label: everywhere, "the matrix": made}
    try:
        matrix = as_array(made).astype(float)
    except Unreadable:
        return whole
    if matrix.shape != (2 * len(speeds),) * 2 or not np.isfinite(matrix).all():
        return whole
    here, there = _rows(STARTS, speeds), _rows(np.add(STARTS, k), speeds)
    arrives = np.isclose(here @ matrix.T, there, rtol=0, atol=1e-4).all(axis=1)
    if not arrives[0] or arrives.all():
        return whole
    found = ", ".join(str(pos) for pos, yes in zip(STARTS, arrives, strict=True) if yes)
    kind = "mirrors" if _is_mirror(matrix, k * speeds) else "others"
    return {label: found, "its kind": kind}


def _walk_block(answer, k, theta):
    return _walk(answer(k, theta), k, np.array([theta]))


def _walk_matrix(answer, k, d_model):
    return _walk(answer(k, d_model), k, _speeds(d_model))


# The solutions of 3.1 and 3.2 share these pieces, and so the slips in them.
_BLOCK = "[[cosine, sine], [-sine, cosine]]"
_WAVES = "np.cos(angle), np.sin(angle)"
_BLOCK_SLIPS = (
    Slip(
        "transposed",
        "It is transposed: it moves every row `k` positions **back**. The textbook "
        "rotation acts on (cosine, sine); our pair is (sine, cosine). In which "
        "corner does the minus sign belong then?",
        {_BLOCK: "[[cosine, -sine], [sine, cosine]]"},
    ),
    Slip(
        "a reflection, right only from position 0",
        "It is right only from position 0. The determinant of a block is −1: a "
        "reflection, a hand seen in a mirror. From $(0, 1)$ only the second column "
        "shows. Compute the first column from the sine formula again.",
        {_BLOCK: "[[-cosine, sine], [sine, cosine]]"},
    ),
    *(
        Slip(
            "right only from position 0",
            "It is right only from position 0. There every pair is $(0, 1)$, so the "
            "first column of a block is multiplied by zero and nothing checks it. "
            "Start from another position and look at the first column.",
            {_BLOCK: block},
        )
        for block in ("[[cosine, sine], [sine, cosine]]", "[[2, sine], [2, cosine]]")
    ),
    Slip(
        "right only from position 0 for negative k",
        "With a negative `k` it is right only from position 0. The first column of "
        "a block lost the sign of `k`: what is $\\sin(-k\\theta_i)$?",
        {_BLOCK: "[[cosine, sine], [-abs(sine) if k < 0 else -sine, cosine]]"},
    ),
    Slip(
        "a reflection",
        "The determinant of a block is −1: it mirrors the hand and does not turn "
        "it. Both entries on the diagonal of a rotation are equal.",
        {_BLOCK: "[[cosine, sine], [sine, -cosine]]"},
    ),
    Slip(
        "degrees",
        "The angle was converted from degrees to radians, but $k\\theta_i$ is in "
        "radians already. Use it as it is.",
        {_WAVES: "np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))"},
    ),
    Slip(
        "converted to degrees",
        "The angle was converted to degrees. `np.sin` and `np.cos` expect radians, "
        "and $k\\theta_i$ is in radians.",
        {_WAVES: "np.cos(np.rad2deg(angle)), np.sin(np.rad2deg(angle))"},
    ),
    Slip(
        "whole turns",
        "The angle was multiplied by $2\\pi$. $\\theta_i$ is already in radians per "
        "position, so `k` positions turn the hand by $k\\theta_i$ radians.",
        {"angle = k": "angle = 2 * np.pi * k"},
    ),
    Slip(
        "k forgotten",
        "`k` has no effect: this is the matrix for one step. A hand with speed "
        "$\\theta_i$ turns how far in `k` steps?",
        {"angle = k * ": "angle = "},
    ),
    Slip(
        "sign of k lost",
        "It always moves forward. A negative `k` must turn the hands back; is "
        "there an `abs` or a square on the way?",
        {"angle = k": "angle = abs(k)"},
    ),
    Slip(
        "no step for negative k",
        "For a negative `k` nothing is turned: this is the identity. A loop over "
        "`range(k)` does not run then. One angle, $k\\theta_i$, serves both signs.",
        {"angle = k": "angle = max(k, 0)"},
    ),
    Slip(
        "sine and cosine exchanged",
        "Sine and cosine have changed places. With `k = 0` the result must be the "
        "identity: which of the two is 1 there?",
        {_WAVES: "np.sin(angle), np.cos(angle)"},
    ),
    Slip(
        "columns exchanged",
        "The two columns of a block have changed places. The first column is "
        "multiplied by the sine of the pair, the second by its cosine.",
        {_BLOCK: "[[sine, cosine], [cosine, -sine]]"},
    ),
    Slip(
        "rows exchanged",
        "The two rows of a block have changed places: the new cosine comes out "
        "first. The pair is (sine, cosine).",
        {_BLOCK: "[[-sine, cosine], [cosine, sine]]"},
    ),
    Slip(
        "sign of the sine lost",
        "The sine is always positive: right only where $\\sin k\\theta_i$ is. A root, "
        "as in $\\sqrt{1-\\cos^2}$, and `abs` forget the sign.",
        {_BLOCK: "[[cosine, abs(sine)], [-abs(sine), cosine]]"},
    ),
    Slip(
        "cosines only",
        "The blocks have their cosines and no sines: such a hand gets shorter and "
        "does not turn. Where does the cosine of the pair enter the new sine?",
        {_BLOCK: "[[cosine, 0], [0, cosine]]"},
    ),
)


def _halves(k, d_model):
    angles = k * _speeds(d_model)
    cosine, sine = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[cosine, sine], [-sine, cosine]])


def _angles_only(k, d_model):
    return k * _speeds(d_model)


def _one_step(theta):
    cosine, sine = np.cos(theta), np.sin(theta)
    return np.array([[cosine, sine], [-sine, cosine]])


def _stack_of_blocks(k, d_model):
    angles = k * _speeds(d_model)
    cosine, sine = np.cos(angles), np.sin(angles)
    return np.stack([cosine, sine, -sine, cosine], axis=1).reshape(-1, 2, 2)


@exercise(
    stub="""
    def rotation_block(k, theta):
        # the 2 by 2 block that moves a (sine, cosine) pair on by k positions
        ...
    """,
    cases=[(1, 1.0), (3, 0.1), (-4, 1.0), (7, 0.5), (0, 2.5), (-150, 0.01)],
    run=_walk_block,
    hints=[
        "The new sine is the first row times (sine, cosine). Which two factors stand "
        "beside $\\sin(pos\\,\\theta)$ and $\\cos(pos\\,\\theta)$ in the addition "
        "formula?",
        "The first row is `[np.cos(k * theta), np.sin(k * theta)]`. Read the second "
        "row from the formula for the cosine: one of its entries is negative.",
    ],
    mistakes=[
        *_BLOCK_SLIPS,
        Slip(
            "only the angles",
            "A matrix of shape `(2, 2)` was asked for; this is the angle. Put its sine "
            "and its cosine in their places.",
            {f"np.array({_BLOCK})": "angle"},
        ),
        Slip(
            "not a matrix yet",
            "The four numbers are right, but they lie in one row. The block has two "
            "rows of two: shape `(2, 2)`.",
            {_BLOCK: "[cosine, sine, -sine, cosine]"},
        ),
        Slip(
            "theta forgotten",
            "The argument `theta` has no effect: this hand turns one radian per step. "
            "The angle after `k` steps is `k * theta`.",
            {"k * theta": "k"},
        ),
        Mistake(
            "power of every entry",
            "`**` takes each entry to the power `k`. Applying a matrix `k` times is "
            "another thing, and one turn by `k * theta` does it at once.",
            lambda k, theta: _one_step(theta) ** k,
        ),
        Mistake(
            "k times the block",
            "It is `k` times the block of one step: such a hand gets longer. It is the "
            "*angle* that is `k` times as large.",
            lambda k, theta: k * _one_step(theta),
        ),
        Slip(
            "theta outside",
            "The sine and the cosine of `k` were multiplied by `theta`. The angle is "
            "`k * theta`: multiply first, and take sine and cosine of the product.",
            {_WAVES: "np.cos(k) * theta, np.sin(k) * theta"},
        ),
        Slip(
            "divided by theta",
            "`k` was divided by `theta`. The speed is in radians per position: after "
            "`k` positions the hand has turned by `k * theta`.",
            {"k * theta": "k / theta"},
        ),
    ],
    remark="It is right from every start and for both signs of `k`.",
)
def rotation_block(k, theta):
    angle = k * theta
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, sine], [-sine, cosine]])


@exercise(
    stub="""
    def full_rotation(k, d_model):
        # the (d_model, d_model) matrix that moves every row on by k positions
        ...
    """,
    cases=[(3, 8), (1, 2), (-4, 6), (7, 4), (0, 12), (-150, 16), (40, 64), (40, 256)],
    run=_walk_matrix,
    hints=[
        "Start from `np.zeros((d_model, d_model))`. The block of pair $i$ fills rows "
        "and columns $2i$ and $2i+1$; everything else stays zero.",
        "For every pair: `angle = k * theta[pair]`, then "
        "`matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = ...` with the "
        "block of exercise 3.1.",
    ],
    mistakes=[
        *_BLOCK_SLIPS,
        Mistake(
            "only the angles",
            "A matrix of shape `(d_model, d_model)` was asked for; these are the "
            "angles. Put their sines and cosines in their places.",
            _angles_only,
        ),
        Mistake(
            "a stack of blocks",
            "The blocks are right, but they lie in a stack of shape "
            "`(d_model // 2, 2, 2)`. Place them along the diagonal of one matrix.",
            _stack_of_blocks,
        ),
        Slip(
            "halves layout",
            "It moves rows that hold all sines first and all cosines after them. In "
            "this table they alternate: the pair $i$ has the columns $2i$ and $2i+1$.",
            {
                "slice(2 * pair, 2 * pair + 2)": "np.array([pair, pair + d_model // 2])",
                "matrix[columns, columns]": "matrix[columns[:, None], columns]",
            },
        ),
        Slip(
            "blocks overlap",
            "The blocks overlap: each one starts only one row below the one before. "
            "A block is two rows high. Where does the block of pair $i$ start?",
            {"slice(2 * pair, 2 * pair + 2)": "slice(pair, pair + 2)"},
        ),
        Slip(
            "added to the identity",
            "The blocks were added to the identity. Start from zeros, or overwrite "
            "what is there.",
            {"np.zeros((d_model, d_model))": "np.eye(d_model)", "] = [": "] += ["},
        ),
        Slip(
            "last block missing",
            "The last block is missing. There are `d_model // 2` pairs, and `range` "
            "stops before its end by itself.",
            {"d_model // 2)": "d_model // 2 - 1)"},
        ),
        Slip(
            "returned too early",
            "Only the first block is there; all others are zero. Is there a `return` "
            "inside your loop?",
            {"\n    return": "\n        return"},
        ),
        Slip(
            "one speed for all pairs",
            "Every block turns at one speed. Pair $i$ has its own speed $\\theta_i$.",
            {" * 10_000.0 ** (-2 * pair / d_model)": ""},
        ),
        Slip(
            "speeds of width 8",
            "The speeds 1, 0.1, 0.01, … belong to width 8. Compute them from "
            "`d_model`: $10000^{-2i/d_{model}}$.",
            {"10_000.0 ** (-2 * pair / d_model)": "10.0 ** -pair"},
        ),
        Slip(
            "i/d for 2i/d",
            "The exponent is half of what it should be: it is $-2i/d_{model}$ for the "
            "pair $i$. (A base of 100 in place of 10000 does the same.)",
            {"-2 * pair /": "-pair /"},
        ),
        Slip(
            "exponent without its minus",
            "The speeds grow from pair to pair. The exponent is negative: "
            "$-2i/d_{model}$.",
            {"(-2": "(2"},
        ),
        Slip(
            "column index",
            "The exponent has become $-4i/d_{model}$: it is doubled once too often. A "
            "loop variable that runs over the columns 0, 2, 4, … *is* $2i$ already; "
            "dividing by the number of pairs does the same.",
            {"-2 * pair /": "-2 * (2 * pair) /"},
        ),
        Slip(
            "slowest pair first",
            "The blocks are in reverse order. The first pair, $i=0$, has the speed 1.",
            {"-2 * pair /": "-2 * (d_model // 2 - 1 - pair) /"},
        ),
    ],
    remark="It is right from every start, for both signs of `k` and seven widths.",
)
def full_rotation(k, d_model):
    matrix = np.zeros((d_model, d_model))
    for pair in range(d_model // 2):
        angle = k * 10_000.0 ** (-2 * pair / d_model)
        cosine, sine = np.cos(angle), np.sin(angle)
        columns = slice(2 * pair, 2 * pair + 2)
        matrix[columns, columns] = [[cosine, sine], [-sine, cosine]]
    return matrix


def _row(pos, d_model):
    return _rows([pos], _speeds(d_model))[0]


# (position, width, k): two of the rows asked for lie before position 0 or far out.
_STARTING_ROWS = (
    *((10, 8, 3), (5, 8, 5), (40, 6, 12), (0, 4, 1)),
    *((3, 16, -2), (7, 2, 0), (20_000, 12, 7)),
)


def _of_which_row(row, k):
    """A case in words: the row by its position, which its numbers do not show."""
    pos = next(
        pos
        for pos, width, _ in _STARTING_ROWS
        if width == len(row) and np.allclose(row, _row(pos, width))
    )
    return f"the row at position {pos} (width {len(row)}), `k={k}`"


def _turned_back(phases, k):
    angles = phases - k * _speeds(2 * len(phases))
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()


_NEW_SINES = "cosine * row[0::2] - sine * row[1::2]"
_NEW_COSINES = "sine * row[0::2] + cosine * row[1::2]"


@exercise(
    stub="""
    def step_back(row, k):
        # from the row at any position, the row k positions earlier
        ...
    """,
    cases=[
        *((_row(pos, width), k) for pos, width, k in _STARTING_ROWS),
    ],
    words=_of_which_row,
    hints=[
        "No position is given, and none is needed: going back undoes going forward. "
        "Which matrix undoes $M_k$?",
        "Use `encoding.rotation_matrix(-k, len(row))`, or turn each pair by hand: "
        "`row[0::2]` are the sines and `row[1::2]` the cosines.",
    ],
    mistakes=[
        Slip(
            "forward",
            "It goes `k` positions **forward**. Going back needs the inverse, which "
            "for a rotation costs nothing.",
            {
                _NEW_SINES: "cosine * row[0::2] + sine * row[1::2]",
                _NEW_COSINES: "-sine * row[0::2] + cosine * row[1::2]",
            },
        ),
        Slip(
            "k forgotten",
            "It goes back by one position whatever `k` is.",
            {"np.sin(k * theta), np.cos(k * theta)": "np.sin(theta), np.cos(theta)"},
        ),
        Slip(
            "degrees",
            "The angle was treated as degrees; $k\\theta_i$ is in radians.",
            {
                "np.sin(k * theta)": "np.sin(np.deg2rad(k * theta))",
                "np.cos(k * theta)": "np.cos(np.deg2rad(k * theta))",
            },
        ),
        Slip(
            "sign of k lost",
            "With a negative `k`, a step back is a step forward: keep the sign of `k`.",
            {"np.sin(k * theta)": "np.sin(abs(k) * theta)"},
        ),
        Slip(
            "no step for negative k",
            "For a negative `k` it returns the row unchanged: a loop over `range(k)` "
            "does not run then. Turn once, by $k\\theta_i$, for both signs.",
            {
                "np.sin(k * theta)": "np.sin(max(k, 0) * theta)",
                "np.cos(k * theta)": "np.cos(max(k, 0) * theta)",
            },
        ),
        Mistake(
            "starts at position 0",
            "It gives the row at position $-k$, whatever `row` is. Start from `row`.",
            lambda row, k: _row(-k, len(row)),
        ),
        *(
            Mistake(
                "half of the circle lost",
                "The angle of a pair is taken from its sine alone, or from its cosine "
                "alone. Two angles have that sine: whether the hand is on the left or "
                "on the right of its circle is lost. Turn the pair itself.",
                answer,
            )
            for answer in (
                lambda row, k: _turned_back(np.arcsin(row[0::2]), k),
                lambda row, k: _turned_back(np.arccos(row[1::2]), k),
            )
        ),
        *(
            Mistake(
                "a row subtracted",
                "It subtracts the row of position `k`. Rows are no positions: their "
                "difference is no row of the table. Turn every pair back.",
                answer,
            )
            for answer in (
                lambda row, k: row - _row(k, len(row)),
                lambda row, k: row - np.sign(k) * _row(abs(k), len(row)),
            )
        ),
        *(
            Mistake(
                "position read off the first pair",
                "The position is read off the angle of the first pair, and that hand is "
                "round once in 6.3 positions: the angle tells it up to whole rounds "
                "only. No position is needed: turn every pair from where it stands.",
                answer,
            )
            for answer in (
                lambda row, k: _row(np.arctan2(row[0], row[1]) - k, len(row)),
                lambda row, k: _row(
                    np.arctan2(row[0], row[1]) % (2 * np.pi) - k, len(row)
                ),
            )
        ),
        Mistake(
            "shifts the columns",
            "It moves the entries of the row to other columns. The positions are what "
            "moves: every pair is turned, and each stays in its own columns.",
            lambda row, k: np.roll(row, -k),
        ),
        Mistake(
            "halves layout",
            "The row was read as first all sines, then all cosines. They alternate: "
            "`row[0::2]` and `row[1::2]`.",
            lambda row, k: _halves(-k, len(row)) @ row,
        ),
        Slip(
            "sines, then cosines",
            "The numbers are right and their places are not: sines and cosines must "
            "alternate, as in `row`.",
            {"earlier[0::2]": "earlier[: len(row) // 2]"}
            | {"earlier[1::2]": "earlier[len(row) // 2 :]"},
        ),
        Slip(
            "sine and cosine exchanged",
            "The new sines are in the cosine columns and the cosines in the sine "
            "columns. Sines belong in `[0::2]`.",
            {"earlier[0::2]": "earlier[1::2]", "earlier[1::2]": "earlier[0::2]"},
        ),
        Slip(
            "sines overwritten too early",
            "The sines are right, the cosines are not: they were computed from sines "
            "that were already overwritten. Keep the old ones until both are done.",
            {"np.empty(len(row))": "row.copy()"}
            | {_NEW_COSINES: "sine * earlier[0::2] + cosine * row[1::2]"},
        ),
        Slip(
            "one speed for all pairs",
            "Every pair was turned by the same angle. Pair $i$ turns by $k\\theta_i$.",
            {"10_000.0 ** (-2": "1.0 ** (-2"},
        ),
        *(
            Mistake(
                "the matrix only",
                "It returns a matrix. Multiply it by the row.",
                matrix,
            )
            for matrix in (
                lambda row, k: full_rotation.reference(-k, len(row)),
                lambda row, k: full_rotation.reference(k, len(row)),
            )
        ),
        Slip(
            "nothing done",
            "It returns the row that it was given.",
            {"return earlier": "return row"},
        ),
    ],
    remark="It needed no position: the row and the offset are enough.",
)
def step_back(row, k):
    theta = 10_000.0 ** (-2 * np.arange(len(row) // 2) / len(row))
    sine, cosine = np.sin(k * theta), np.cos(k * theta)
    earlier = np.empty(len(row))
    earlier[0::2] = cosine * row[0::2] - sine * row[1::2]
    earlier[1::2] = sine * row[0::2] + cosine * row[1::2]
    return earlier


def _with_words(table):
    """The table with a small random vector added to each row."""
    return table + np.random.default_rng(3).normal(scale=0.1, size=table.shape)


def _softmax(scores, axis=1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _scores(table, k, beta):
    # M_{-k} transposed is M_k: the row form of turning each row back.
    return beta * table @ full_rotation.reference(k, table.shape[1]) @ table.T


def _far(table, k):
    """The distance of every row, turned back, to every row."""
    turned = table @ full_rotation.reference(k, table.shape[1])
    return np.linalg.norm(turned[:, None] - table, axis=-1)


_SUM = "weights / weights.sum(axis=1, keepdims=True)"


# Twelve rows of which some are much shorter than others.
_SHORT_AND_LONG = np.linspace(0.05, 1, 12)[:, None] * positional_encoding(12, 64)


def _stays_finite(answer, table):
    """Whether all weights are numbers at a `beta` of 50."""
    try:
        with np.errstate(all="ignore"):
            return np.isfinite(as_array(answer(table, 3, 50.0))).all()
    except ArithmeticError:  # Python's own numbers raise where NumPy gives inf or nan
        return False


@exercise(
    stub="""
    def look_back_weights(table, k, beta):
        # attention weights (n, n); row pos looks at position pos - k
        ...
    """,
    cases=[
        (positional_encoding(12, 16), 1, 1.0),
        (positional_encoding(20, 64), 3, 5.0),
        (positional_encoding(9, 8), 0, 2.0),
        (positional_encoding(15, 32), -2, 0.5),
        (_with_words(positional_encoding(14, 12)), 2, 3.0),
    ],
    demands=[
        Demand(
            "maximum not subtracted",
            "Right for a small `beta`. At a `beta` of 50 some weights are not finite "
            "numbers: `np.exp` of a score above 709 is infinite. Subtract each row's "
            "maximum before: it leaves the weights as they are.",
            lambda answer: not _stays_finite(answer, positional_encoding(100, 64)),
        ),
        Demand(
            "one maximum for all rows",
            "Right where all rows of the table are about equally long. Where some are "
            "much shorter, one number subtracted from the scores of *all* rows is too "
            "much for theirs: `np.exp` gives 0 everywhere, and 0 / 0 is no number. "
            "Subtract from each row its own maximum.",
            lambda answer: not _stays_finite(answer, _SHORT_AND_LONG),
        ),
    ],
    hints=[
        "Three steps: a query for every position, the score of every query with every "
        "key, and a softmax over the keys. Every row of the result sums to 1.",
        "`queries = beta * table @ encoding.rotation_matrix(-k, d_model).T`, "
        "`scores = queries @ table.T`; subtract each row's maximum before `np.exp`.",
    ],
    mistakes=[
        Slip(
            "looks forward",
            "It looks `k` positions **forward**: the query is to be turned by $M_{-k}$, "
            "and the keys stay as they are. (A row of the table is a row vector: "
            "`table @ M.T` turns every row by `M`, and `table @ M` turns it back.)",
            {"np.sin(k * theta)": "np.sin(-k * theta)"},
        ),
        Slip(
            "wrong softmax axis",
            "The softmax runs over the queries: columns sum to 1. It belongs over the "
            "keys, so that every row sums to 1.",
            {"max(axis=1": "max(axis=0", "weights.sum(axis=1": "weights.sum(axis=0"},
        ),
        Slip(
            "no softmax",
            "These are the scores. A softmax over the keys turns them into weights.",
            {_SUM: "scores"},
        ),
        Mistake(
            "not normalised",
            "The exponentials are there, but each row has to be divided by its sum.",
            lambda table, k, beta: np.exp(_scores(table, k, beta)),
        ),
        Slip(
            "divided by the sums of other rows",
            "The exponentials are right, but each *column* was divided by a row's sum. "
            "`keepdims=True` in the sum keeps it beside its own row.",
            {
                "scores.max(axis=1, keepdims=True)": "scores.max()",
                _SUM: "weights / weights.sum(axis=1)",
            },
        ),
        Mistake(
            "sigmoid for softmax",
            "Each score went through a sigmoid, by itself. In a softmax the keys of a "
            "row share the weight: each exponential is divided by the sum of its row.",
            lambda table, k, beta: 1 / (1 + np.exp(-_scores(table, k, beta))),
        ),
        Slip(
            "one softmax for all rows",
            "All weights together sum to 1. Every query has a softmax of its own, so "
            "that each row sums to 1.",
            {
                "scores.max(axis=1, keepdims=True)": "scores.max()",
                _SUM: "weights / weights.sum()",
            },
        ),
        Slip(
            "no exponential",
            "The scores were divided by their sums without an exponential. A softmax "
            "takes `np.exp` of the scores first.",
            {"np.exp(scores - scores.max(axis=1, keepdims=True))": "scores"},
        ),
        Slip(
            "beta twice",
            "The scores are multiplied by the square of `beta`. Multiply by it once: the "
            "query, or the scores.",
            {"beta * queries": "beta * beta * queries"},
        ),
        Slip(
            "divided by beta",
            "The scores were divided by `beta`. A larger `beta` must make the softmax "
            "sharper: multiply by it.",
            {"beta * queries @ table.T": "queries @ table.T / beta"},
        ),
        Slip(
            "beta forgotten",
            "`beta` has no effect: multiply the query by it before the softmax.",
            {"beta * queries": "queries"},
        ),
        Slip(
            "beta after the softmax",
            "`beta` multiplies the weights, so that rows no longer sum to 1. It "
            "belongs before the softmax.",
            {"beta * queries": "queries", "return weights": "return beta * weights"},
        ),
        Slip(
            "divided by the root",
            "The scores were divided by $\\sqrt{d_{model}}$. Here `beta` alone sets "
            "the scale: leave the division out.",
            {"beta * queries @ table.T": "beta * queries @ table.T / np.sqrt(d_model)"},
        ),
        Slip(
            "k forgotten",
            "Each position looks at itself, whatever `k` is. Turn the query by "
            "$M_{-k}$, and the query alone: turned alike, query and key meet again.",
            {"np.sin(k * theta), np.cos(k * theta)": "0 * theta, 1 + 0 * theta"},
        ),
        *(
            Mistake(
                "scores moved",
                "The scores of the rows as they are were moved to other columns. Turn "
                "the query by $M_{-k}$ before it meets the keys: what moves round the "
                "end of the table belongs to no position.",
                answer,
            )
            for answer in (
                lambda table, k, beta: _softmax(
                    np.roll(beta * table @ table.T, k, axis=1)
                ),
                lambda table, k, beta: _softmax(
                    np.roll(beta * table @ table.T, -k, axis=1)
                ),
            )
        ),
        *(
            Mistake(
                "rows moved, not turned",
                "The queries are the rows themselves, moved to other places of the "
                "table. Turn each row by $M_{-k}$ where it is: a row that is moved "
                "takes its word along, and the first ones have none to take.",
                answer,
            )
            for answer in (
                lambda table, k, beta: _softmax(
                    beta * np.roll(table, k, axis=0) @ table.T
                ),
                lambda table, k, beta: _softmax(
                    beta * np.roll(table, -k, axis=0) @ table.T
                ),
            )
        ),
        Slip(
            "query and key turned",
            "It looks `2 * k` back, as it does where the query is turned twice, or the "
            "keys too, in the opposite direction. Turn the query only, and once.",
            {"np.sin(k * theta)": "np.sin(2 * k * theta)"}
            | {"np.cos(k * theta)": "np.cos(2 * k * theta)"},
        ),
        Slip(
            "sign of k lost",
            "It always looks back. With a negative `k` it must look forward: keep the "
            "sign of `k`.",
            {"np.sin(k * theta)": "np.sin(abs(k) * theta)"},
        ),
        Slip(
            "masked",
            "Later positions were masked. This exercise asks for no mask: the softmax "
            "runs over all positions.",
            {
                "beta * queries @ table.T": (
                    "np.where(np.tri(len(table)) > 0, beta * queries @ table.T, -np.inf)"
                )
            },
        ),
        *(
            Mistake(
                "distances for scores",
                "The scores come from the distances of query and key. Take the dot "
                "products, as the text says: $\\beta\\,(M_{-k}\\,x_{pos})\\cdot x_j$.",
                answer,
            )
            for answer in (
                lambda table, k, beta: _softmax(-beta * _far(table, k)),
                lambda table, k, beta: _softmax(-beta * _far(table, k) ** 2),
            )
        ),
        Mistake(
            "all weight on one key",
            "The best key has all the weight. A softmax gives each key a share, the "
            "larger `beta` is, the more to the best one.",
            lambda table, k, beta: np.eye(len(table))[
                _scores(table, k, beta).argmax(axis=1)
            ],
        ),
        Mistake(
            "table not used",
            "It builds the table of encodings itself. Use the rows that are handed over: "
            "they may be others, with words added for instance.",
            lambda table, k, beta: _softmax(
                _scores(positional_encoding(*table.shape), k, beta)
            ),
        ),
        Slip(
            "weighted rows",
            "It returns weights times the table. The weights alone were asked for.",
            {_SUM: f"{_SUM} @ table"},
        ),
    ],
    remark="One head, one turn of the query: it looks exactly `k` back, everywhere.",
)
def look_back_weights(table, k, beta):
    d_model = table.shape[1]
    theta = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    sine, cosine = np.sin(k * theta), np.cos(k * theta)
    queries = np.empty(table.shape)
    queries[:, 0::2] = cosine * table[:, 0::2] - sine * table[:, 1::2]
    queries[:, 1::2] = sine * table[:, 0::2] + cosine * table[:, 1::2]
    scores = beta * queries @ table.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


what_one_start_proves = Question(
    "what_one_start_proves",
    "The sine columns of $M_3$ (columns 0, 2, 4, 6) are overwritten with random "
    "numbers. From position 0, does the matrix still reach row 3? And from position 3, "
    "does it reach row 6?",
    [
        Choice(
            "It succeeds from 0 and fails from 3.",
            "Yes. The row at position 0 is $(0, 1, 0, 1, \\dots)$: its zeros hide the "
            "sine columns. From position 3 nothing is hidden.",
            right=True,
        ),
        Choice(
            "It fails from both: half of its entries are random.",
            "Half of the entries are random, but are they used? Write down the row at "
            "position 0 and see what each column of the matrix is multiplied by.",
        ),
        Choice(
            "It succeeds from both: the cosine columns are enough.",
            "They are enough only where the sines of the row are zero. At which "
            "positions is $\\sin(pos)$ zero?",
        ),
        Choice(
            "It fails from 0 and succeeds from 3.",
            "It is the other way round. At which of the two positions are the sines "
            "zero?",
        ),
    ],
    hints=[
        "$\\sin 0 = 0$ and $\\cos 0 = 1$. Write down the whole row at position 0.",
        "A column of a matrix is multiplied by one entry of the vector. Where that "
        "entry is zero, the column may hold anything.",
    ],
)

when_the_transpose_arrives = Question(
    "when_the_transpose_arrives",
    "In the laboratory the transpose takes the place of $M_k$. For which $k$ does it, too, "
    "lead from every $pos$ to the row at $pos+k$?",
    [
        Choice(
            "For $k=0$ only.",
            "Yes. The transpose is $M_{-k}$ and leads to $pos-k$: the same row only for "
            "$k=0$. So a check with $k=0$ alone cannot find this mistake.",
            right=True,
        ),
        Choice(
            "For no $k$ at all.",
            "Nearly. There is one $k$ for which the transpose and $M_k$ are the same "
            "matrix: which one has no minus sign to misplace?",
        ),
        Choice(
            "For every negative $k$.",
            "For a negative $k$ the transpose turns the hands forward, and $pos+k$ is "
            "further back. Type $k=-4$ and look where the rings are.",
        ),
        Choice(
            "For every $k$, from position 0.",
            "From position 0 the transpose leads to the row at $-k$. Type $pos=0$ and "
            "$k=3$: do the solid hands meet the rings?",
        ),
    ],
    hints=[
        "To which row does the transpose lead from $pos$? Try $pos=10$ and $k=3$.",
        "It leads to $pos-k$. When is that the same as $pos+k$?",
    ],
)

what_fifty_rows_determine = Question(
    "what_fifty_rows_determine",
    "Least squares looks for the matrix that maps each of the first rows to the row "
    "three positions later; it sees 50 positions of a 64-wide table. What will it do?",
    [
        Choice(
            "It finds $M_3$, and works at every other position too.",
            "That happens at width 8. At width 64 count: each row of the matrix has 64 "
            "unknown entries, and there are fewer than 50 equations for them.",
        ),
        Choice(
            "It fails on the very rows that it has seen.",
            "On those it cannot fail: $M_3$ is an exact solution. The question is "
            "whether it is the only one.",
        ),
        Choice(
            "It fits the rows that it has seen and fails on later ones.",
            "Yes. $M_3$ exists, but 50 positions do not single it out: 47 pairs of rows "
            "give 47 equations for the 64 unknowns of each row of the matrix, so that "
            "many matrices fit them.",
            right=True,
        ),
    ],
    hints=[
        "An exact solution exists: $M_3$. Is it the only matrix that fits 50 rows?",
        "Each row of the matrix has `d_model` unknown entries; each pair of rows gives "
        "one equation for them.",
    ],
)

what_words_do = Question(
    "what_words_do",
    "In a model a word vector is added to each row: $x_{pos}=PE_{pos}+w_{pos}$. The head "
    "stays as it is (width 64, $\\beta=5$), and the entries of the words are random, of "
    "root mean square 0.1; those of the table have 0.71. What happens to the weight on "
    "$pos-3$?",
    [
        Choice(
            "Almost nothing: the words are small beside the encodings.",
            "They are small beside a whole row. But the head relies on a difference: the "
            "score at the target is 32.0, that of the next key 30.9. Compare the words' "
            "part of a score with that gap.",
        ),
        Choice(
            "It stays large at most positions, and is almost 0 at some.",
            "Yes. The words change a score by about 0.8, and the target leads by 1.1. "
            "Usually that is enough; at some positions another key gets ahead.",
            right=True,
        ),
        Choice(
            "It is almost 0 everywhere: random words drown out the positions.",
            "That happens with words ten times as large. Here a word changes a score by "
            "about 0.8, and the target leads by 1.1.",
        ),
        Choice(
            "It grows: words make the positions easier to tell apart.",
            "Word vectors know nothing of positions. To a head that looks for $pos-3$ "
            "they are noise in the scores.",
        ),
    ],
    hints=[
        "Multiply out the score of $x_{pos}$ with $x_j$: four terms, and only one of them "
        "is free of words.",
        "A row has the norm $\\sqrt{32}=5.7$. Its dot product with a random vector whose "
        "entries have the standard deviation 0.1 is about 0.57 in size; there are two "
        "such terms.",
    ],
)

why_two_columns = Question(
    "why_two_columns",
    "Why does each speed need two columns, a sine **and** a cosine?",
    [
        Choice(
            "The values stay between −1 and 1 only together.",
            "A sine alone stays between −1 and 1 as well.",
        ),
        Choice(
            "A table must have an even width.",
            "That is a consequence and not a reason: the width is even because there "
            "are two columns for each speed.",
        ),
        Choice(
            "The cosine makes every row unique.",
            "A sine alone never repeats exactly at whole positions when its speed is "
            "1. Two columns do more than that.",
        ),
        Choice(
            "$\\sin((pos+k)\\,\\theta)$ is not a linear function of $\\sin(pos\\,\\theta)$ "
            "alone; with the cosine it is.",
            "Yes. A sine alone does not say whether the wave rises or falls. The "
            "cosine does, and the shift becomes a matrix that does not depend on $pos$.",
            right=True,
        ),
    ],
    hints=[
        "Look at the addition formula: which two numbers does "
        "$\\sin((pos+k)\\,\\theta)$ need?",
        "Take two positions with the same sine, one where the wave rises and one where "
        "it falls. What comes next?",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
