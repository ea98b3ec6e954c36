"""Exercises of notebook 03: moving by k is a rotation."""

import numpy as np

from helpers.encoding import positional_encoding
from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.core import Choice, Mistake, Question, collect, exercise

STARTS = (0, 1, 3, 10, 200)


def _speeds(d_model):
    return 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)


def _diagonal(a, b, c, d):
    """Blocks [[a, b], [c, d]] down the diagonal; each is an array over the pairs."""
    pairs = len(a)
    matrix = np.zeros((2 * pairs, 2 * pairs))
    sine, cosine = np.arange(0, 2 * pairs, 2), np.arange(1, 2 * pairs, 2)
    matrix[sine, sine], matrix[sine, cosine] = a, b
    matrix[cosine, sine], matrix[cosine, cosine] = c, d
    return matrix


def _turn(angles):
    """The right matrix for one angle a pair."""
    angles = np.atleast_1d(angles)
    sine, cosine = np.sin(angles), np.cos(angles)
    return _diagonal(cosine, sine, -sine, cosine)


def _rows(positions, speeds):
    angles = np.asarray(positions)[:, None] * speeds
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(angles), -1)


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
    angles = k * speeds
    mirror = _diagonal(-np.cos(angles), np.sin(angles), np.sin(angles), np.cos(angles))
    kind = "mirrors" if np.allclose(matrix, mirror, atol=1e-4) else "others"
    return {label: found, "its kind": kind}


def _walk_block(answer, k, theta):
    return _walk(answer(k, theta), k, np.array([theta]))


def _walk_matrix(answer, k, d_model):
    return _walk(answer(k, d_model), k, _speeds(d_model))


def _from_zero_only(angles):
    angles = np.atleast_1d(angles)
    sine, cosine = np.sin(angles), np.cos(angles)
    return _diagonal(sine, sine, cosine, cosine)


def _mirror_from_zero(angles):
    angles = np.atleast_1d(angles)
    sine, cosine = np.sin(angles), np.cos(angles)
    return _diagonal(-cosine, sine, sine, cosine)


def _exchange(angles):
    """Exchanges the two entries of every pair."""
    one = np.ones(len(np.atleast_1d(angles)))
    return _diagonal(0 * one, one, one, 0 * one)


def _mirror(angles):
    angles = np.atleast_1d(angles)
    sine, cosine = np.sin(angles), np.cos(angles)
    return _diagonal(cosine, sine, sine, -cosine)


def _shared_mistakes(angles, width):
    """Mistakes of the block and of the whole matrix; ``angles(k, x)`` in radians."""
    return [
        Mistake(
            "transposed",
            "It is transposed: it moves every row `k` positions **back**. The textbook "
            "rotation acts on (cosine, sine); our pair is (sine, cosine). In which "
            "corner does the minus sign belong then?",
            lambda k, x: _turn(angles(k, x)).T,
        ),
        Mistake(
            "a reflection, right only from position 0",
            "It is right only from position 0. The determinant of a block is −1: a "
            "reflection, a hand seen in a mirror. From $(0, 1)$ only the second column "
            "shows. Compute the first column from the sine formula again.",
            lambda k, x: _mirror_from_zero(angles(k, x)),
        ),
        Mistake(
            "right only from position 0",
            "It is right only from position 0. There every pair is $(0, 1)$, so the "
            "first column of a block is multiplied by zero and nothing checks it. "
            "Start from another position and look at the first column.",
            lambda k, x: _from_zero_only(angles(k, x)),
        ),
        Mistake(
            "right only from position 0 for negative k",
            "With a negative `k` it is right only from position 0. The first column of "
            "a block lost the sign of `k`: what is $\\sin(-k\\theta_i)$?",
            lambda k, x: (
                _turn(angles(k, x)) if k > 0 else _from_zero_only(angles(k, x))
            ),
        ),
        Mistake(
            "a reflection",
            "The determinant of a block is −1: it mirrors the hand and does not turn "
            "it. Both entries on the diagonal of a rotation are equal.",
            lambda k, x: _mirror(angles(k, x)),
        ),
        Mistake(
            "degrees",
            "The angle was turned from degrees into radians, but $k\\theta_i$ is in "
            "radians already. Use it as it is.",
            lambda k, x: _turn(np.deg2rad(angles(k, x))),
        ),
        Mistake(
            "converted to degrees",
            "The angle was turned into degrees. `np.sin` and `np.cos` expect radians, "
            "and $k\\theta_i$ is in radians.",
            lambda k, x: _turn(np.rad2deg(angles(k, x))),
        ),
        Mistake(
            "k forgotten",
            "`k` has no effect: this is the matrix for one step. A hand with speed "
            "$\\theta_i$ turns how far in `k` steps?",
            lambda k, x: _turn(angles(1, x)),
        ),
        Mistake(
            "sign of k lost",
            "It always moves forward. A negative `k` must turn the hands back; is "
            "there an `abs` or a square on the way?",
            lambda k, x: _turn(angles(abs(k), x)),
        ),
        Mistake(
            "sine and cosine exchanged",
            "Sine and cosine have changed places. With `k = 0` the result must be the "
            "identity: which of the two is 1 there?",
            lambda k, x: _turn(np.pi / 2 - np.atleast_1d(angles(k, x))),
        ),
        Mistake(
            "columns exchanged",
            "The two columns of a block have changed places. The first column is "
            "multiplied by the sine of the pair, the second by its cosine.",
            lambda k, x: _turn(angles(k, x)) @ _exchange(angles(k, x)),
        ),
        Mistake(
            "rows exchanged",
            "The two rows of a block have changed places: the new cosine comes out "
            "first. The pair is (sine, cosine).",
            lambda k, x: _exchange(angles(k, x)) @ _turn(angles(k, x)),
        ),
        Mistake(
            "only the angles",
            f"A matrix of shape `({width}, {width})` was asked for; this is the list "
            "of angles. Put their sines and cosines in their places.",
            lambda k, x: np.atleast_1d(angles(k, x)),
        ),
    ]


def _overlapping(k, d_model):
    matrix = np.zeros((d_model, d_model))
    for pair, angle in enumerate(k * _speeds(d_model)):
        matrix[pair : pair + 2, pair : pair + 2] = _turn(angle)
    return matrix


def _halves(k, d_model):
    cosine, sine = np.diag(np.cos(k * _speeds(d_model))), _speeds(d_model) * k
    sine = np.diag(np.sin(sine))
    return np.block([[cosine, sine], [-sine, cosine]])


@exercise(
    stub="""
    def rotation_block(k, theta):
        # the 2 by 2 block that moves a (sine, cosine) pair on by k positions
        ...
    """,
    cases=[(1, 1.0), (3, 0.1), (-4, 1.0), (7, 0.5), (-150, 0.01)],
    run=_walk_block,
    hints=[
        "The new sine is the first row times (sine, cosine). Which two factors stand "
        "before $\\sin(pos\\,\\theta)$ and $\\cos(pos\\,\\theta)$ in the addition "
        "formula?",
        "The first row is `[np.cos(k * theta), np.sin(k * theta)]`. Read the second "
        "row from the formula for the cosine: one of its entries is negative.",
    ],
    mistakes=[
        *_shared_mistakes(lambda k, theta: k * theta, 2),
        Mistake(
            "theta forgotten",
            "`theta` has no effect: this hand turns one radian a step. The angle "
            "after `k` steps is `k * theta`.",
            lambda k, theta: _turn(float(k)),
        ),
    ],
    remark="It is right from every start and for both signs of `k`.",
)
def rotation_block(k, theta):
    cosine, sine = np.cos(k * theta), np.sin(k * theta)
    return np.array([[cosine, sine], [-sine, cosine]])


@exercise(
    stub="""
    def full_rotation(k, d_model):
        # the (d_model, d_model) matrix that moves every row on by k positions
        ...
    """,
    cases=[(3, 8), (1, 2), (-4, 6), (7, 4), (-150, 16), (40, 64)],
    run=_walk_matrix,
    hints=[
        "Start from `np.zeros((d_model, d_model))`. The block of pair $i$ fills rows "
        "and columns $2i$ and $2i+1$; everything else stays zero.",
        "For every pair: `angle = k * theta[pair]`, then "
        "`matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = ...` with the "
        "block of exercise 3.1.",
    ],
    mistakes=[
        *_shared_mistakes(lambda k, d_model: k * _speeds(d_model), "d_model"),
        Mistake(
            "halves layout",
            "The sines stand in the first half and the cosines in the second. In this "
            "table they alternate: the pair $i$ has the columns $2i$ and $2i+1$.",
            _halves,
        ),
        Mistake(
            "blocks overlap",
            "The blocks overlap: each one starts only one row below the one before. "
            "A block is two rows high. Where does the block of pair $i$ start?",
            _overlapping,
        ),
        Mistake(
            "one speed for all pairs",
            "Every block turns at one speed. Pair $i$ has its own speed $\\theta_i$.",
            lambda k, d_model: _turn(np.full(d_model // 2, float(k))),
        ),
        Mistake(
            "i/d for 2i/d",
            "The exponent is half of what it should be: it is $-2i/d_{model}$ for the "
            "pair $i$.",
            lambda k, d_model: _turn(k * np.sqrt(_speeds(d_model))),
        ),
        Mistake(
            "exponent without its minus",
            "The speeds grow from pair to pair. The exponent is negative: "
            "$-2i/d_{model}$.",
            lambda k, d_model: _turn(k / _speeds(d_model)),
        ),
        Mistake(
            "column index",
            "The speeds are computed from the column $2i$ where the pair $i$ belongs: "
            "the exponent has become $-4i/d_{model}$.",
            lambda k, d_model: _turn(k * _speeds(d_model) ** 2),
        ),
        Mistake(
            "slowest pair first",
            "The blocks stand in the reverse order. The first pair, $i=0$, has the "
            "speed 1.",
            lambda k, d_model: _turn(k * _speeds(d_model)[::-1]),
        ),
    ],
    remark="It is right from every start, for both signs of `k` and six widths.",
)
def full_rotation(k, d_model):
    matrix = np.zeros((d_model, d_model))
    for pair in range(d_model // 2):
        angle = k * 10_000.0 ** (-2 * pair / d_model)
        cosine, sine = np.cos(angle), np.sin(angle)
        columns = slice(2 * pair, 2 * pair + 2)
        matrix[columns, columns] = [[cosine, sine], [-sine, cosine]]
    return matrix


def _moved(row, angles):
    return _turn(angles) @ row


def _overwritten(row, k):
    angles = k * _speeds(len(row))
    row = row.copy()
    row[0::2] = np.cos(angles) * row[0::2] - np.sin(angles) * row[1::2]
    row[1::2] = np.sin(angles) * row[0::2] + np.cos(angles) * row[1::2]
    return row


def _row(pos, d_model):
    return positional_encoding(pos + 1, d_model)[pos]


@exercise(
    stub="""
    def step_back(row, k):
        # from the row at any position, the row k positions earlier
        ...
    """,
    cases=[
        (_row(10, 8), 3),
        (_row(5, 8), 5),
        (_row(40, 6), 12),
        (_row(0, 4), 1),
        (_row(3, 16), -2),
        (_row(7, 2), 0),
    ],
    hints=[
        "No position is given, and none is needed: going back undoes going forward. "
        "Which matrix undoes $M_k$?",
        "Use `encoding.rotation_matrix(-k, len(row))`, or turn each pair by hand: "
        "`row[0::2]` are the sines and `row[1::2]` the cosines.",
    ],
    mistakes=[
        Mistake(
            "forward",
            "It goes `k` positions **forward**. Going back needs the inverse, which "
            "for a rotation costs nothing.",
            lambda row, k: _moved(row, k * _speeds(len(row))),
        ),
        Mistake(
            "k forgotten",
            "It goes back by one position whatever `k` is.",
            lambda row, k: _moved(row, -_speeds(len(row))),
        ),
        Mistake(
            "degrees",
            "The angle was treated as degrees; $k\\theta_i$ is in radians.",
            lambda row, k: _moved(row, -np.deg2rad(k * _speeds(len(row)))),
        ),
        Mistake(
            "sign of k lost",
            "With a negative `k`, a step back is a step forward: keep the sign of `k`.",
            lambda row, k: _moved(row, -abs(k) * _speeds(len(row))),
        ),
        Mistake(
            "starts at position 0",
            "It gives the row at position $-k$, whatever `row` is. Start from `row`.",
            lambda row, k: _rows([-k], _speeds(len(row)))[0],
        ),
        Mistake(
            "halves layout",
            "The row was read as first all sines, then all cosines. They alternate: "
            "`row[0::2]` and `row[1::2]`.",
            lambda row, k: _halves(-k, len(row)) @ row,
        ),
        Mistake(
            "sines, then cosines",
            "The numbers are right and their places are not: sines and cosines must "
            "alternate, as in `row`.",
            lambda row, k: (
                _moved(row, -k * _speeds(len(row))).reshape(-1, 2).T.reshape(-1)
            ),
        ),
        Mistake(
            "sines overwritten too early",
            "The sines are right, the cosines are not: they were computed from sines "
            "that were already overwritten. Keep the old ones until both are done.",
            _overwritten,
        ),
        Mistake(
            "one speed for all pairs",
            "Every pair was turned by the same angle. Pair $i$ turns by $k\\theta_i$.",
            lambda row, k: _moved(row, np.full(len(row) // 2, -float(k))),
        ),
        Mistake(
            "the matrix only",
            "It returns the matrix. Multiply the row by it.",
            lambda row, k: _turn(-k * _speeds(len(row))),
        ),
        Mistake(
            "nothing done",
            "It returns the row that it was given.",
            lambda row, k: row.copy(),
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


def _softmax(scores, axis=1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _shared_out(scores, axis):
    """Exponentials over sums that do not stay beside their own rows."""
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(axis=axis)


def _scores(table, k, beta):
    turn = _turn(-k * _speeds(table.shape[1]))
    return beta * table @ turn.T @ table.T


def _masked(table, k, beta):
    scores = _scores(table, k, beta)
    scores[np.triu_indices(len(scores), 1)] = -np.inf
    return _softmax(scores)


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
    ],
    hints=[
        "Three steps: a query for every position, the score of every query with every "
        "key, and a softmax over the keys. Every row of the result sums to 1.",
        "`queries = beta * table @ encoding.rotation_matrix(-k, d_model).T`, "
        "`scores = queries @ table.T`; subtract each row's maximum before `np.exp`.",
    ],
    mistakes=[
        Mistake(
            "looks forward",
            "It looks `k` positions **forward**: the query was turned the wrong way. "
            "(A row of the table is a row vector: `table @ M.T` turns every row by "
            "`M`, and `table @ M` turns it back.)",
            lambda table, k, beta: _softmax(_scores(table, -k, beta)),
        ),
        Mistake(
            "wrong softmax axis",
            "The softmax runs over the queries: columns sum to 1. It belongs over the "
            "keys, so that every row sums to 1.",
            lambda table, k, beta: _softmax(_scores(table, k, beta), axis=0),
        ),
        Mistake(
            "no softmax",
            "These are the scores. A softmax over the keys turns them into weights.",
            _scores,
        ),
        Mistake(
            "not normalised",
            "The exponentials are there, but each row has to be divided by its sum.",
            lambda table, k, beta: np.exp(_scores(table, k, beta)),
        ),
        Mistake(
            "divided by the sums of other rows",
            "The exponentials are right, but each *column* was divided by a row's sum. "
            "`keepdims=True` in the sum keeps it beside its own row.",
            lambda table, k, beta: _shared_out(_scores(table, k, beta), axis=1),
        ),
        Mistake(
            "one softmax for all rows",
            "All weights together sum to 1. Every query has a softmax of its own, so "
            "that each row sums to 1.",
            lambda table, k, beta: _shared_out(_scores(table, k, beta), axis=None),
        ),
        Mistake(
            "beta twice",
            "`beta` was used twice, for the query and once more. Multiply the scores "
            "by it once.",
            lambda table, k, beta: _softmax(_scores(table, k, beta**2)),
        ),
        Mistake(
            "divided by beta",
            "The scores were divided by `beta`. A larger `beta` must make the softmax "
            "sharper: multiply by it.",
            lambda table, k, beta: _softmax(_scores(table, k, 1 / beta)),
        ),
        Mistake(
            "beta forgotten",
            "`beta` has no effect: multiply the query by it before the softmax.",
            lambda table, k, beta: _softmax(_scores(table, k, 1.0)),
        ),
        Mistake(
            "beta after the softmax",
            "`beta` multiplies the weights, so that rows no longer sum to 1. It "
            "belongs before the softmax.",
            lambda table, k, beta: beta * _softmax(_scores(table, k, 1.0)),
        ),
        Mistake(
            "divided by the root",
            "The scores were divided by $\\sqrt{d_{model}}$. Here `beta` alone sets "
            "the scale: leave the division out.",
            lambda table, k, beta: _softmax(
                _scores(table, k, beta / np.sqrt(table.shape[1]))
            ),
        ),
        Mistake(
            "k forgotten",
            "`k` has no effect: each position looks at itself. Turn the query by "
            "$M_{-k}$.",
            lambda table, k, beta: _softmax(_scores(table, 0, beta)),
        ),
        Mistake(
            "query and key turned",
            "Query and key were turned in opposite directions, so that it looks "
            "`2 * k` back. Turn the query only.",
            lambda table, k, beta: _softmax(_scores(table, 2 * k, beta)),
        ),
        Mistake(
            "masked",
            "Later positions were masked. This exercise asks for no mask: the softmax "
            "runs over all positions.",
            _masked,
        ),
        Mistake(
            "weighted rows",
            "It returns weights times the table. The weights alone were asked for.",
            lambda table, k, beta: _softmax(_scores(table, k, beta)) @ table,
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
            "It fails from both: half of its entries are random.",
            "Half of the entries are random, but are they used? Write down the row at "
            "position 0 and see what each column of the matrix is multiplied by.",
        ),
        Choice(
            "It succeeds from 0 and fails from 3.",
            "Yes. The row at position 0 is $(0, 1, 0, 1, \\dots)$: its zeros hide the "
            "sine columns. From position 3 nothing is hidden.",
            right=True,
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
            "On those it can not fail: $M_3$ is an exact solution. The question is "
            "whether it is the only one.",
        ),
        Choice(
            "It fits the rows that it has seen and fails on later ones.",
            "Yes. $M_3$ exists, but 50 positions do not single it out: many matrices "
            "fit them, since the slow columns have hardly moved.",
            right=True,
        ),
    ],
    hints=[
        "An exact solution exists: $M_3$. Is it the only matrix that fits 50 rows?",
        "At width 64 the slowest hand turns by less than half a degree in 50 steps.",
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
            "are two columns a speed.",
        ),
        Choice(
            "The cosine makes every row unique.",
            "A sine alone never repeats exactly at whole positions when its speed is "
            "1. Two columns do more than that.",
        ),
        Choice(
            "$\\sin((pos+k)\\,\\theta)$ is no linear function of $\\sin(pos\\,\\theta)$ "
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
