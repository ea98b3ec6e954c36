"""Exercises and questions of notebook 01: the formula."""

import numpy as np

from helpers.exercises.core import Choice, Mistake, Question, collect, exercise


def _turned(positions, speeds):
    """The right table, as (positions, pairs, 2), for mistakes to rearrange."""
    angles = np.asarray(positions)[:, None] * np.asarray(speeds)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2)


def _flat(pairs):
    return pairs.reshape(len(pairs), -1)


def _clocks(max_len, bases):
    return _turned(np.arange(max_len), 2 * np.pi / np.asarray(bases))


def _speeds(d_model):
    return 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)


def _row(pos, d_model):
    """One right row as (pairs, 2), for mistakes to rearrange."""
    return _turned([pos], _speeds(d_model))[0]


def _columns(pos, exponents):
    """A row from one exponent a column: sine in even columns, cosine in odd ones."""
    angles = pos * 10_000.0 ** -np.asarray(exponents, dtype=float)
    odd = np.arange(len(angles)) % 2 == 1
    return np.where(odd, np.cos(angles), np.sin(angles))


def _ceil_row(pos, d_model):
    """What a loop over range(0, d_model, 2) fills: a pair too many for an odd width."""
    angles = pos * 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()


shuffled_sentence = Question(
    "shuffled_sentence",
    "You exchange *cat* and *dog* in the input of self-attention (no positions, no "
    "mask). What happens to the output rows?",
    [
        Choice(
            "Every row changes: each word now has other neighbours.",
            "A word's output is a weighted sum over *all* words. The sum runs over the "
            "same words in another order, and a sum does not care about order.",
        ),
        Choice(
            "The same rows come out, exchanged like the words.",
            "Scores, weights and sums only ask *which* words are there, never *where*. "
            "Exchange two inputs, and the same two outputs exchange places.",
            right=True,
        ),
        Choice(
            "Nothing changes at all: row 1 stays row 1.",
            "Nearly: the *set* of rows is the same, but row 1 now belongs to *dog*, so "
            "the rows change places with their words.",
        ),
    ],
    hints=[
        "Write down the output of one word: which words does its sum run over?",
        "Does a sum change when you add the same terms in another order?",
    ],
)


@exercise(
    stub="""
    def encode_with_bases(max_len, bases):
        # one hand per base: it goes round once in `base` steps
        ...
    """,
    cases=[(8, [4, 5, 7]), (12, [6]), (5, [3, 10]), (30, [2.5, 8, 9, 11])],
    hints=[
        "In one step, the hand of base $b$ turns by $2\\pi/b$ radians. At `pos` it "
        "stands at `pos` times that.",
        "`np.arange(max_len)[:, None] * (2 * np.pi / np.asarray(bases))` holds every "
        "angle. Put its sines into the columns `0::2`, its cosines into `1::2`.",
    ],
    mistakes=[
        Mistake(
            "sine and cosine exchanged",
            "Sine and cosine are exchanged: in each pair the sine comes first.",
            lambda n, bases: _flat(_clocks(n, bases)[:, :, ::-1]),
        ),
        Mistake(
            "all sines then all cosines",
            "All sines stand first, then all cosines. Keep each hand's two columns side "
            "by side: sine, cosine, sine, cosine, …",
            lambda n, bases: _flat(_clocks(n, bases).transpose(0, 2, 1)),
        ),
        Mistake(
            "full turn missing",
            "Your hand of base $b$ turns $1/b$ radians a step. It should go *round* in "
            "$b$ steps; how many radians are once round?",
            lambda n, bases: _flat(_turned(np.arange(n), 1 / np.asarray(bases))),
        ),
        Mistake(
            "half turn",
            "Your hands turn half as far as they should: once round is $2\\pi$, not "
            "$\\pi$.",
            lambda n, bases: _flat(_turned(np.arange(n), np.pi / np.asarray(bases))),
        ),
        Mistake(
            "degrees",
            "These are sines of degrees. NumPy's `sin` and `cos` take radians: once "
            "round is $2\\pi$, not 360.",
            lambda n, bases: _flat(_turned(np.arange(n), 360 / np.asarray(bases))),
        ),
        Mistake(
            "multiplied by the base",
            "You multiply by the base. A larger base is a *slower* hand: divide.",
            lambda n, bases: _flat(
                _turned(np.arange(n), 2 * np.pi * np.asarray(bases))
            ),
        ),
        Mistake(
            "positions from 1",
            "Your first row belongs to position 1. Positions start at 0, where every "
            "hand points straight up: (0, 1).",
            lambda n, bases: _flat(_clocks(n + 1, bases)[1:]),
        ),
        Mistake(
            "one row short",
            "One row is missing: `max_len` rows are the positions 0 to `max_len - 1`.",
            lambda n, bases: _flat(_clocks(n - 1, bases)),
        ),
        Mistake(
            "one row too many",
            "There is one row too many: `max_len` rows are the positions 0 to "
            "`max_len - 1`.",
            lambda n, bases: _flat(_clocks(n + 1, bases)),
        ),
        Mistake(
            "axes exchanged",
            "Positions run along the columns here. Each *row* is one position.",
            lambda n, bases: _flat(_clocks(n, bases)).T,
        ),
        Mistake(
            "integer table",
            "The table holds whole numbers: the waves were cut off. Make the empty table "
            "a float one.",
            lambda n, bases: _flat(_clocks(n, bases)).astype(int),
        ),
        Mistake(
            "ignores the bases",
            "It ignores `bases`: every table is made of 4, 5 and 7.",
            lambda n, bases: _flat(_clocks(n, [4, 5, 7])),
        ),
        Mistake(
            "only row 0",
            "Only the row of position 0 is filled; all others are zero. Is there a "
            "`return` inside your loop?",
            lambda n, bases: _flat(_clocks(n, bases)) * (np.arange(n) == 0)[:, None],
        ),
        Mistake(
            "pairs on an axis of their own",
            "The numbers are right, but each pair has an axis of its own, "
            "`(max_len, hands, 2)`. Put the pairs side by side: two dimensions.",
            _clocks,
        ),
        Mistake(
            "ignores max_len",
            "It ignores `max_len`: every table has 8 rows.",
            lambda n, bases: _flat(_clocks(8, bases)),
        ),
    ],
    remark="Every hand keeps its own pace, and each row is one moment of all of them.",
)
def encode_with_bases(max_len, bases):
    angles = np.arange(max_len)[:, None] * (2 * np.pi / np.asarray(bases))
    table = np.zeros((max_len, 2 * len(bases)))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


what_repeats = Question(
    "what_repeats",
    "Add a fourth hand, of base 6, to the hands of bases 4, 5 and 7. At which position "
    "do *all* hands stand as at position 0 again, for the first time?",
    [
        Choice(
            "at 140, as before",
            "At 140 the hand of base 6 has gone round 23⅓ times: it points elsewhere, so "
            "the row is a new one.",
        ),
        Choice(
            "at 420",
            "420 is the first number that 4, 5, 6 and 7 all divide: their least common "
            "multiple. The new hand made the code three times longer.",
            right=True,
        ),
        Choice(
            "at 840 = 4 · 5 · 6 · 7",
            "There it repeats too, but not for the first time: 4 and 6 share the factor "
            "2, so half of it is enough.",
        ),
        Choice(
            "at 22 = 4 + 5 + 6 + 7",
            "The hands do not take turns; they all move at every step. Each base must "
            "divide the position.",
        ),
    ],
    hints=[
        "A hand of base $b$ stands as at the start when $b$ divides the position.",
        "You look for the smallest number that 4, 5, 6 and 7 all divide: `np.lcm.reduce`.",
    ],
)

frozen_hands = Question(
    "frozen_hands",
    "The slowest of these four hands turns 0.001 radians per step. How far has it turned "
    "when you reach position 9?",
    [
        Choice(
            "about half a degree: you will not see it move",
            "9 · 0.001 radians are 0.5 degrees. In a drawing it looks frozen, and yet it "
            "moves at every step.",
            right=True,
        ),
        Choice(
            "about 9 degrees",
            "That takes 0.001 for degrees times a thousand. One radian is 57.3 degrees; "
            "multiply 9 · 0.001 by that.",
        ),
        Choice(
            "once round",
            "Once round takes $2\\pi/0.001 \\approx 6283$ steps.",
        ),
    ],
    hints=[
        "Multiply the speed by the position: that is the angle in radians.",
        "One radian is about 57.3 degrees.",
    ],
)


@exercise(
    stub="""
    def angular_speeds(d_model):
        # one speed for each pair of columns
        ...
    """,
    cases=[(8,), (4,), (6,), (2,), (64,), (512,)],
    hints=[
        "There is one speed for each *pair* of columns. How many pairs are there, and "
        "how do you number them?",
        "With `pair = np.arange(d_model // 2)`, the speed is 10000 to the power of "
        "`-2 * pair / d_model`.",
    ],
    mistakes=[
        Mistake(
            "column index",
            "You put the column index where the pair index belongs, so the exponent "
            "falls twice as fast. $i$ counts *pairs*: the columns are $2i$ and $2i+1$.",
            lambda d: 10_000.0 ** (-2 * np.arange(0, d, 2) / d),
        ),
        Mistake(
            "one speed a column",
            "You return one speed for each column. Two columns, a sine and a cosine, "
            "share one speed, so there are `d_model // 2` of them.",
            lambda d: 10_000.0 ** (-np.arange(d) / d),
        ),
        Mistake(
            "column index, one speed a column",
            "You return `d_model` speeds, and count columns where the formula counts "
            "pairs. There is one speed for each of the `d_model // 2` pairs.",
            lambda d: 10_000.0 ** (-2 * np.arange(d) / d),
        ),
        Mistake(
            "i/d for 2i/d",
            "The exponent is $2i/d_{model}$; yours is $i/d_{model}$. The slowest hand "
            "would turn far too fast (32 times at $d_{model}=8$).",
            lambda d: 10_000.0 ** (-np.arange(d // 2) / d),
        ),
        Mistake(
            "// for /",
            "The exponent was divided with `//`, which cuts off the fraction. Use `/`.",
            lambda d: 10_000.0 ** -(2 * np.arange(d // 2) // d),
        ),
        Mistake(
            "// after the minus",
            "The exponent was divided with `//`, which rounds `-0.25` down to `-1`. "
            "Use `/`.",
            lambda d: 10_000.0 ** (-2 * np.arange(d // 2) // d),
        ),
        Mistake(
            "reciprocal",
            "These are the *denominators* of the formula (1, 10, 100, …). The speed is "
            "one divided by them.",
            lambda d: 10_000.0 ** (2 * np.arange(d // 2) / d),
        ),
        Mistake(
            "linear ladder",
            "Your speeds fall by equal *steps*. They should fall by equal *factors*: at "
            "$d_{model}=8$ each is a tenth of the one before.",
            lambda d: 1 - 2 * np.arange(d // 2) / d,
        ),
        Mistake(
            "times for power",
            "Your denominators grow by equal steps: 10000 was multiplied by "
            "$2i/d_{model}$. It stands to the *power* of it.",
            lambda d: 1 / np.maximum(10_000.0 * 2 * np.arange(d // 2) / d, 1),
        ),
        Mistake(
            "log outside the exponent",
            "This is $2i\\cdot\\exp(-\\ln 10000/d_{model})$. The $2i$ belongs inside the "
            "exponential.",
            lambda d: 2 * np.arange(d // 2) * np.exp(-np.log(10_000.0) / d),
        ),
        Mistake(
            "d/2 - 1 in the exponent",
            "Your slowest hand has the speed 1/10000 exactly: the exponent was divided by "
            "$d_{model}/2-1$. The paper divides $2i$ by $d_{model}$ and never quite "
            "reaches 1/10000.",
            lambda d: 10_000.0 ** (-np.arange(d // 2) / max(d / 2 - 1, 1)),
        ),
        Mistake(
            "degrees",
            "These are degrees a step. NumPy's sine takes radians: leave them as they "
            "are.",
            lambda d: np.degrees(10_000.0 ** (-2 * np.arange(d // 2) / d)),
        ),
        Mistake(
            "slowest first",
            "The order is reversed: pair 0 is the fastest, with one radian per step.",
            lambda d: 10_000.0 ** (-2 * np.arange(d // 2) / d)[::-1],
        ),
        Mistake(
            "ignores its argument",
            "It ignores `d_model`: these are the four speeds of width 8.",
            lambda d: 10_000.0 ** (-np.arange(4) / 4),
        ),
        Mistake(
            "one round per step",
            "$2\\pi$ does not belong here: pair 0 turns 1 *radian* per step, not once "
            "round.",
            lambda d: 2 * np.pi * 10_000.0 ** (-2 * np.arange(d // 2) / d),
        ),
        Mistake(
            "factor 10 at every width",
            "The factor 10 is right at width 8 only. In general it is "
            "$10000^{2/d_{model}}$.",
            lambda d: 0.1 ** np.arange(d // 2),
        ),
        Mistake(
            "no brackets round the exponent",
            "`10_000.0 ** -2 * pair / d_model` squares first: put the whole exponent in "
            "brackets.",
            lambda d: 10_000.0**-2 * np.arange(d // 2) / d,
        ),
        Mistake(
            "pairs from 1",
            "Your first pair has the number 1. Pairs start at 0, with the speed 1.",
            lambda d: 10_000.0 ** (-2 * np.arange(1, d // 2 + 1) / d),
        ),
    ],
    remark="One speed a pair, each the same fraction of the one before.",
    atol=1e-8,
)
def angular_speeds(d_model):
    pair = np.arange(d_model // 2)
    return 10_000.0 ** (-2 * pair / d_model)


shared_denominator = Question(
    "shared_denominator",
    "The paper writes $2i$ in both lines. Which denominator stands under $pos$ in "
    "column 3, the cosine of pair 1?",
    [
        Choice(
            "$10000^{3/d_{model}}$: column 3",
            "A frequent slip. The exponent holds $2i$, and $i=1$ in both columns of the "
            "pair: the column's own number never enters.",
        ),
        Choice(
            "$10000^{2/d_{model}}$: the same as in column 2",
            "Both columns of a pair belong to one hand: the sine and the cosine of the "
            "*same* angle.",
            right=True,
        ),
        Choice(
            "$10000^{6/d_{model}}$: twice 3",
            "That takes 3 for $i$. But $i$ numbers pairs: column 3 is $2i+1$ with $i=1$.",
        ),
    ],
    hints=[
        "Column 3 is $2i+1$. Which $i$ is that?",
        "Put that $i$ into $10000^{2i/d_{model}}$.",
    ],
)


@exercise(
    stub="""
    def encode_position(pos, d_model):
        # an odd d_model raises a ValueError
        ...
    """,
    cases=[(1, 4), (0, 6), (3, 8), (7, 6), (5, 2), (100, 16), (2, 5)],
    hints=[
        "First the speeds of the `d_model // 2` pairs, then the angles: `pos` times "
        "each speed.",
        "Make `row = np.zeros(d_model)`, write the sines into `row[0::2]` and the "
        "cosines into `row[1::2]`. Before that, raise a `ValueError` if `d_model % 2`.",
    ],
    mistakes=[
        Mistake(
            "sine and cosine exchanged",
            "Sine and cosine are exchanged: even columns hold the sine.",
            lambda pos, d: _row(pos, d)[:, ::-1].ravel(),
        ),
        Mistake(
            "all sines then all cosines",
            "All sines stand first, then all cosines. The paper interleaves them: sine, "
            "cosine, sine, cosine, …",
            lambda pos, d: _row(pos, d).T.ravel(),
        ),
        Mistake(
            "taken for degrees",
            "The angles were taken for degrees. `pos` times the speed is in radians, and "
            "so is what `np.sin` takes.",
            lambda pos, d: _row(np.radians(pos), d).ravel(),
        ),
        Mistake(
            "turned into degrees",
            "The angles were turned into degrees; `np.sin` takes radians.",
            lambda pos, d: _row(np.degrees(pos), d).ravel(),
        ),
        Mistake(
            "position from 1",
            "This is the row of the next position: positions start at 0.",
            lambda pos, d: _row(pos + 1, d).ravel(),
        ),
        Mistake(
            "ignores the position",
            "It ignores `pos`: this is the row of position 1, always.",
            lambda pos, d: _row(1, d).ravel(),
        ),
        Mistake(
            "column index",
            "The exponent grows with every column; it should grow with every *pair*. "
            "Both columns of a pair share the speed $10000^{-2i/d_{model}}$.",
            lambda pos, d: _columns(pos, np.arange(d) / d),
        ),
        Mistake(
            "twice the column index",
            "The exponent is twice the *column* over $d_{model}$. $i$ numbers pairs: "
            "$2i$ already is the even column's number.",
            lambda pos, d: _columns(pos, 2 * np.arange(d) / d),
        ),
        Mistake(
            "twice the even column",
            "The exponent is twice too large. A loop variable that runs 0, 2, 4, … *is* "
            "$2i$ already.",
            lambda pos, d: _columns(pos, 4 * (np.arange(d) // 2) / d),
        ),
        Mistake(
            "i/d for 2i/d",
            "The exponent is $2i/d_{model}$; yours is $i/d_{model}$.",
            lambda pos, d: _columns(pos, (np.arange(d) // 2) / d),
        ),
        Mistake(
            "// for /",
            "The exponent was divided with `//`, which cuts off the fraction. Use `/`.",
            lambda pos, d: _columns(pos, np.zeros(d)),
        ),
        Mistake(
            "d/2 - 1 in the exponent",
            "Your exponent reaches exactly 1 in the last pair: it was divided by "
            "$d_{model}/2-1$. The paper divides $2i$ by $d_{model}$.",
            lambda pos, d: _columns(pos, (np.arange(d) // 2) / max(d / 2 - 1, 1)),
        ),
        Mistake(
            "reciprocal",
            "`pos` was multiplied by the denominators. Divide: later pairs turn more "
            "slowly.",
            lambda pos, d: _columns(pos, -2 * (np.arange(d) // 2) / d),
        ),
        Mistake(
            "divided outside the sine",
            "You divide the sine by the denominator. Divide the *position*, inside the "
            "sine.",
            lambda pos, d: (
                _turned([pos], np.ones(d // 2))[0] * _speeds(d)[:, None]
            ).ravel(),
        ),
        Mistake(
            "sine everywhere",
            "Every column is a sine. Odd columns hold the cosine.",
            lambda pos, d: np.repeat(_row(pos, d)[:, 0], 2),
        ),
        Mistake(
            "whole numbers",
            "The row holds whole numbers: the fractions were cut off. Make the empty row "
            "a float one.",
            lambda pos, d: _row(pos, d).ravel().astype(int),
        ),
        Mistake(
            "a table of one row",
            "The numbers are right, but in a table of one row. One position has the "
            "shape `(d_model,)`.",
            lambda pos, d: _row(pos, d).ravel()[None],
        ),
        Mistake(
            "the whole table",
            "This is a whole table. Return the row of `pos` alone, of shape "
            "`(d_model,)`.",
            lambda pos, d: _flat(_turned(np.arange(pos + 1), _speeds(d))),
        ),
        Mistake(
            "d + 1 columns when d is odd",
            "Right for even widths. For an odd one it returns a column more than was "
            "asked for: raise a `ValueError` instead.",
            _ceil_row,
        ),
        Mistake(
            "odd width accepted",
            "Right for even widths. An odd one leaves a sine without its cosine: raise a "
            "`ValueError` for it.",
            lambda pos, d: _ceil_row(pos, d)[:d],
        ),
        Mistake(
            "d - 1 columns when d is odd",
            "Right for even widths. For an odd one it silently returns a column fewer: "
            "raise a `ValueError` instead.",
            lambda pos, d: _row(pos, d).ravel(),
        ),
    ],
    remark="That is the whole formula, for one position.",
)
def encode_position(pos, d_model):
    if d_model % 2:
        raise ValueError(f"d_model must be even; got {d_model}")
    angles = pos * 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    row = np.zeros(d_model)
    row[0::2] = np.sin(angles)
    row[1::2] = np.cos(angles)
    return row


slowest_columns = Question(
    "slowest_columns",
    "In a table with `d_model = 8`, which columns change *slowest* from row to row?",
    [
        Choice(
            "columns 0 and 1",
            "Those belong to pair 0, whose speed is one radian per step: nothing is "
            "faster. (Some public demos draw it the other way round.)",
        ),
        Choice(
            "columns 6 and 7",
            "The last pair turns 0.001 radians per step. In a heat map, the quick stripes "
            "stand on the left and the calm columns on the right.",
            right=True,
        ),
        Choice(
            "column 7 alone",
            "Columns 6 and 7 are sine and cosine of one hand: same speed. Column 7 only "
            "*looks* calmer at first, since the cosine starts on its flat top.",
        ),
        Choice(
            "all columns change equally fast",
            "They would if every pair had the same speed. Look at `angular_speeds(8)`.",
        ),
    ],
    hints=[
        "Which pair has the smallest angular speed?",
        "Pair $i$ fills the columns $2i$ and $2i+1$; $d_{model}=8$ has pairs 0 to 3.",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
