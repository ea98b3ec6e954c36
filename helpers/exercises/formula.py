"""Exercises and questions of notebook 01: the formula."""

import numpy as np

from helpers.exercises.core import Choice, Mistake, Question, Slip, collect, exercise


def _row_by_columns(pos, exponents):
    """A row from one exponent per column: sine in even columns, cosine in odd ones."""
    angles = pos * 10_000.0 ** -np.asarray(exponents, dtype=float)
    odd = np.arange(len(angles)) % 2 == 1
    return np.where(odd, np.cos(angles), np.sin(angles))


def _row_rounded_up(pos, d_model):
    """What a loop over range(0, d_model, 2) fills: a pair too many for an odd width."""
    angles = pos * 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()


shuffled_sentence = Question(
    "shuffled_sentence",
    "You swap *cat* and *dog* in the input of self-attention (no positions, no mask). "
    "What happens to the output rows?",
    [
        Choice(
            "The same rows come out, swapped like the words.",
            "Scores, weights and sums depend on *which* words are there, never on "
            "*where* they are. Swap two inputs, and the same two outputs swap places.",
            right=True,
        ),
        Choice(
            "Every row changes: each word now has other neighbours.",
            "A word's output is a weighted sum over *all* words. The sum runs over the "
            "same words in another order, and a sum does not depend on the order.",
        ),
        Choice(
            "Nothing changes at all: row 1 stays row 1.",
            "Nearly: the *set* of rows is the same, but row 1 now belongs to *dog*, so "
            "the rows move with their words.",
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
        # one hand per period in `bases`: it goes round once in so many steps
        ...
    """,
    cases=[
        (8, [4, 5, 7]),
        (12, [6]),
        (5, [3, 10]),
        (30, [2.5, 8, 9, 11]),
        (1, (4, 9)),
        (6, np.array([3, 5, 4])),
    ],
    hints=[
        "In one step, a hand of period $b$ turns by $2\\pi/b$ radians. At `pos` it has "
        "turned by `pos` times that.",
        "`np.arange(max_len)[:, None] * (2 * np.pi / np.asarray(bases))` holds every "
        "angle. Put its sines into the columns `0::2`, its cosines into `1::2`.",
    ],
    mistakes=[
        Slip(
            "sine and cosine swapped",
            "Sine and cosine are swapped: in each pair the sine comes first.",
            {"np.sin": "np.cos", "np.cos": "np.sin"},
        ),
        Slip(
            "all sines then all cosines",
            "All sines come first, then all cosines. Keep each hand's two columns side "
            "by side: sine, cosine, sine, cosine, …",
            {"0::2": ":len(bases)", "1::2": "len(bases):"},
        ),
        Slip(
            "full turn missing",
            "Your hand of period $b$ turns $1/b$ radians per step. It should go *round* "
            "in $b$ steps; how many radians are once round?",
            {"2 * np.pi /": "1 /"},
        ),
        Slip(
            "half turn",
            "Your hands turn half as far as they should: once round is $2\\pi$, not "
            "$\\pi$.",
            {"2 * np.pi": "np.pi"},
        ),
        Slip(
            "degrees",
            "These are sines of degrees. NumPy's `sin` and `cos` take radians: once "
            "round is $2\\pi$, not 360.",
            {"2 * np.pi": "360"},
        ),
        Slip(
            "multiplied by the period",
            "You multiply by the period. A longer period is a *slower* hand: divide.",
            {"np.pi / np.asarray": "np.pi * np.asarray"},
        ),
        Slip(
            "the paper's speeds",
            "These are the speeds of the paper (section 4). Here every hand has the "
            "speed $2\\pi/b$ of its own period in `bases`.",
            {
                "(2 * np.pi / np.asarray(bases))": "10_000.0 ** (-np.arange(len(bases))"
                " / len(bases))"
            },
        ),
        Slip(
            "positions from 1",
            "Your first row belongs to position 1. Positions start at 0, where every "
            "hand points straight up: (0, 1).",
            {"np.arange(max_len)": "np.arange(1, max_len + 1)"},
        ),
        Slip(
            "positions reach max_len",
            "Your positions go up by a little more than 1 and end with `max_len`, as "
            "those of `np.linspace(0, max_len, max_len)` do. Positions are the whole "
            "numbers 0 to `max_len - 1`.",
            {"np.arange(max_len)": "np.linspace(0, max_len, max_len)"},
        ),
        Slip(
            "one row short",
            "One row is missing: `max_len` rows are the positions 0 to `max_len - 1`.",
            {
                "np.arange(max_len)": "np.arange(max_len - 1)",
                "np.zeros((max_len,": "np.zeros((max_len - 1,",
            },
        ),
        Slip(
            "one row too many",
            "There is one row too many: `max_len` rows are the positions 0 to "
            "`max_len - 1`.",
            {
                "np.arange(max_len)": "np.arange(max_len + 1)",
                "np.zeros((max_len,": "np.zeros((max_len + 1,",
            },
        ),
        Slip(
            "last row empty",
            "The last row is still zero. `range(max_len)` stops before `max_len` by "
            "itself.",
            {
                "table[:, 0::2] = np.sin(angles)": "table[:-1, 0::2] = "
                "np.sin(angles[:-1])",
                "table[:, 1::2] = np.cos(angles)": "table[:-1, 1::2] = "
                "np.cos(angles[:-1])",
            },
        ),
        Slip(
            "rows and columns swapped",
            "Positions run along the columns here. Each *row* is one position.",
            {"return table": "return table.T"},
        ),
        Slip(
            "integer table",
            "The table holds whole numbers: the waves were cut off. Make the empty table "
            "a float one.",
            {"2 * len(bases)))": "2 * len(bases)), dtype=int)"},
        ),
        Slip(
            "ignores the periods",
            "It ignores `bases`: every table is made of 4, 5 and 7.",
            {"np.asarray(bases)": "np.asarray([4, 5, 7])", "2 * len(bases)": "6"},
        ),
        Slip(
            "only row 0",
            "Only the row of position 0 is filled; all others are zero. Is there a "
            "`return` inside your loop?",
            {
                "table[:, 0::2] = np.sin(angles)": "table[0, 0::2] = np.sin(angles[0])",
                "table[:, 1::2] = np.cos(angles)": "table[0, 1::2] = np.cos(angles[0])",
            },
        ),
        Slip(
            "sine twice",
            "Both columns of every pair hold the sine. The second one is the cosine.",
            {"np.cos": "np.sin"},
        ),
        Slip(
            "odd columns empty",
            "The odd columns are still zero: the cosines are missing.",
            {"    table[:, 1::2] = np.cos(angles)\n": ""},
        ),
        Slip(
            "pairs on an axis of their own",
            "The numbers are right, but each pair has an axis of its own, "
            "`(max_len, hands, 2)`. Put the pairs side by side: two dimensions.",
            {"return table": "return table.reshape(max_len, -1, 2)"},
        ),
        Slip(
            "one long row",
            "The numbers are right, but in one long row. Return a table of shape "
            "`(max_len, 2 * len(bases))`: one row per position.",
            {"return table": "return table.ravel()"},
        ),
        Slip(
            "ignores max_len",
            "It ignores `max_len`: every table has 8 rows.",
            {
                "np.arange(max_len)": "np.arange(8)",
                "np.zeros((max_len,": "np.zeros((8,",
            },
        ),
    ],
    remark="Every hand keeps its own speed, and each row is one moment of all of them.",
)
def encode_with_bases(max_len, bases):
    angles = np.arange(max_len)[:, None] * (2 * np.pi / np.asarray(bases))
    table = np.zeros((max_len, 2 * len(bases)))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


what_repeats = Question(
    "what_repeats",
    "Add a fourth hand, of period 6, to the hands of periods 4, 5 and 7. At which "
    "position do *all* hands point as at position 0 again, for the first time?",
    [
        Choice(
            "at 22 = 4 + 5 + 6 + 7",
            "The hands do not take turns; they all move at every step. Each period must "
            "divide the position.",
        ),
        Choice(
            "at 140, as before",
            "At 140 the hand of period 6 has gone round 23⅓ times: it points elsewhere, "
            "so the row is a new one.",
        ),
        Choice(
            "at 420",
            "420 is the first number that 4, 5, 6 and 7 all divide. The new hand made "
            "the code three times longer.",
            right=True,
        ),
        Choice(
            "at 840 = 4 · 5 · 6 · 7",
            "There it repeats too, but not for the first time: 4 and 6 share the factor "
            "2, so half of it is enough.",
        ),
    ],
    hints=[
        "A hand of period $b$ points as at the start when $b$ divides the position.",
        "140 is a number that 4, 5 and 7 divide. Does 6 divide it too? If not, try its "
        "multiples.",
    ],
)

frozen_hands = Question(
    "frozen_hands",
    "The slowest of these four hands turns 0.001 radians per step. How far has it turned "
    "when you reach position 9?",
    [
        Choice(
            "about 9 degrees",
            "That takes 0.001 for degrees times a thousand. One radian is 57.3 degrees; "
            "multiply 9 · 0.001 by that.",
        ),
        Choice(
            "about half a degree: you will not see it move",
            "9 · 0.001 radians are 0.5 degrees. In a drawing it looks frozen, and yet it "
            "moves at every step.",
            right=True,
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
        Slip(
            "column index",
            "The exponent is twice $-2i/d_{model}$, so the speeds fall twice as fast as "
            "they should. $i$ counts *pairs*: an $i$ that counts columns is doubled once "
            "too often, and dividing by the number of pairs does the same.",
            {"np.arange(d_model // 2)": "np.arange(0, d_model, 2)"},
        ),
        Slip(
            "one speed per column",
            "You return one speed for each column. Two columns, a sine and a cosine, "
            "share one speed, so there are `d_model // 2` of them.",
            {"np.arange(d_model // 2)": "np.arange(d_model)", "-2 * pair": "-pair"},
        ),
        Slip(
            "column index, one speed per column",
            "You return `d_model` speeds, and count columns where the formula counts "
            "pairs. There is one speed for each of the `d_model // 2` pairs.",
            {"np.arange(d_model // 2)": "np.arange(d_model)"},
        ),
        Slip(
            "every speed twice",
            "Every speed is right, and there twice, once per column. One speed for each "
            "*pair* is asked for: `d_model // 2` of them.",
            {"np.arange(d_model // 2)": "np.arange(d_model) // 2"},
        ),
        Slip(
            "i/d for 2i/d",
            "The speeds are those of $i/d_{model}$; the exponent is $2i/d_{model}$. The "
            "slowest hand would turn far too fast (32 times at $d_{model}=8$). (A base "
            "of 100 in place of 10000 does the same.)",
            {"-2 * pair": "-pair"},
        ),
        Slip(
            "2i without d",
            "The exponent is $2i/d_{model}$; yours is $2i$. The slowest speed should "
            "never fall below 1/10000.",
            {"-2 * pair / d_model": "-2.0 * pair"},
        ),
        Slip(
            "// for /",
            "Every speed is 1, as it is where `//` or `int` cuts off the fractions of the "
            "exponents: use `/`.",
            {"(-2 * pair / d_model)": "-(2 * pair // d_model)"},
        ),
        Slip(
            "// after the minus",
            "The exponent was divided with `//`, which rounds `-0.25` down to `-1`. "
            "Use `/`.",
            {"pair / d": "pair // d"},
        ),
        Slip(
            "// with a whole base",
            "`//` makes the exponent a whole number, and NumPy takes no negative power of "
            "whole numbers. Divide with `/`.",
            {"10_000.0": "10_000", "pair / d": "pair // d"},
        ),
        Slip(
            "reciprocal",
            "These are the *denominators* of the formula (1, 10, 100, …). The speed is "
            "one divided by them.",
            {"-2 * pair": "2 * pair"},
        ),
        Slip(
            "linear ladder",
            "Your speeds fall by equal *steps*. They should fall by equal *factors*: at "
            "$d_{model}=8$ each is a tenth of the one before.",
            {"10_000.0 ** (-2 * pair / d_model)": "1 - 2 * pair / d_model"},
        ),
        Slip(
            "times for power",
            "Your denominators grow by equal steps: 10000 was multiplied by "
            "$2i/d_{model}$. It is raised to that *power*.",
            {
                "return 10_000.0 ** (-2 * pair / d_model)": "with np.errstate("
                "divide='ignore'):\n        return 1 / (10_000.0 * 2 * pair / d_model)"
            },
        ),
        Slip(
            "log outside the exponent",
            "This is $2i\\cdot\\exp(-\\ln 10000/d_{model})$. The $2i$ belongs inside the "
            "exponential.",
            {
                "10_000.0 ** (-2 * pair / d_model)": "2 * pair * "
                "np.exp(-np.log(10_000.0) / d_model)"
            },
        ),
        Slip(
            "logarithms",
            "These are the logarithms of the speeds: the exponential is missing.",
            {
                "10_000.0 ** (-2 * pair / d_model)": "-2 * pair / d_model * "
                "np.log(10_000.0)"
            },
        ),
        Slip(
            "log10 with exp",
            "`exp` undoes the *natural* logarithm, `np.log`. What undoes `np.log10` is "
            "`10 ** …`.",
            {
                "10_000.0 ** (-2 * pair / d_model)": "np.exp(-2 * pair / d_model * "
                "np.log10(10_000.0))"
            },
        ),
        Slip(
            "equal steps",
            "The speeds fall by equal **steps**, from 1 to 1/10000. Every speed is the "
            "same **fraction** of the one before: look at the exponent in the formula.",
            {"10_000.0 ** (-2 * pair / d_model)": "np.linspace(1, 1e-4, d_model // 2)"},
        ),
        Slip(
            "d/2 - 1 in the exponent",
            "Your slowest hand has the speed 1/10000 exactly, as if $2i$ were divided by "
            "$d_{model}-2$. The paper divides it by $d_{model}$ and never quite "
            "reaches 1/10000.",
            {"-2 * pair / d_model": "-pair / np.maximum(d_model / 2 - 1, 1)"},
        ),
        Slip(
            "degrees",
            "These are degrees per step. NumPy's sine takes radians: leave them as they "
            "are.",
            {
                "return 10_000.0 ** (-2 * pair / d_model)": "return np.degrees("
                "10_000.0 ** (-2 * pair / d_model))"
            },
        ),
        Slip(
            "slowest first",
            "The order is reversed: pair 0 is the fastest, with one radian per step.",
            {"/ d_model)": "/ d_model)[::-1]"},
        ),
        Slip(
            "ignores its argument",
            "It ignores `d_model`: these are the four speeds of width 8.",
            {"d_model // 2": "4", "/ d_model": "/ 8"},
        ),
        Slip(
            "one round per step",
            "$2\\pi$ does not belong here: pair 0 turns 1 *radian* per step, not once "
            "round.",
            {"return 10": "return 2 * np.pi * 10"},
        ),
        Slip(
            "factor 10 at every width",
            "The factor 10 is right at width 8 only. In general it is "
            "$10000^{2/d_{model}}$.",
            {"10_000.0 ** (-2 * pair / d_model)": "0.1**pair"},
        ),
        Slip(
            "no brackets round the exponent",
            "`10_000.0 ** -2 * pair / d_model` squares first: put the whole exponent in "
            "brackets.",
            {"(-2 * pair / d_model)": "-2 * pair / d_model"},
        ),
        Slip(
            "pairs from 1",
            "Your first pair has the number 1. Pairs start at 0, with the speed 1.",
            {"np.arange(d_model // 2)": "np.arange(1, d_model // 2 + 1)"},
        ),
    ],
    remark="One speed per pair, each the same fraction of the one before.",
    atol=1e-8,
)
def angular_speeds(d_model):
    pair = np.arange(d_model // 2)
    return 10_000.0 ** (-2 * pair / d_model)


shared_denominator = Question(
    "shared_denominator",
    "The paper writes $2i$ in both lines. Which denominator divides $pos$ in column 3, "
    "the cosine of pair 1?",
    [
        Choice(
            "$10000^{3/d_{model}}$: column 3",
            "A frequent slip. The exponent holds $2i$, and $i=1$ in both columns of the "
            "pair: the column's own number never enters.",
        ),
        Choice(
            "$10000^{6/d_{model}}$: twice 3",
            "That takes 3 for $i$. But $i$ numbers pairs: column 3 is $2i+1$ with $i=1$.",
        ),
        Choice(
            "$10000^{2/d_{model}}$: the same as in column 2",
            "Both columns of a pair belong to one hand: the sine and the cosine of the "
            "*same* angle.",
            right=True,
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
    cases=[(1, 4), (0, 6), (3, 8), (7, 6), (100, 16), (5000, 4)]
    + [(2, 5), (0, 1), (3, 7)],
    hints=[
        "First the speeds of the `d_model // 2` pairs, then the angles: `pos` times "
        "each speed.",
        "Make `row = np.zeros(d_model)`, write the sines into `row[0::2]` and the "
        "cosines into `row[1::2]`. Before that, raise a `ValueError` if `d_model % 2`.",
    ],
    mistakes=[
        Slip(
            "sine and cosine swapped",
            "Sine and cosine are swapped: even columns hold the sine.",
            {"np.sin": "np.cos", "np.cos": "np.sin"},
        ),
        Slip(
            "all sines then all cosines",
            "All sines come first, then all cosines. The paper interleaves them: sine, "
            "cosine, sine, cosine, …",
            {"row[0::2]": "row[: d_model // 2]", "row[1::2]": "row[d_model // 2 :]"},
        ),
        Slip(
            "taken for degrees",
            "The angles were taken for degrees. `pos` times the speed is in radians, and "
            "so is what `np.sin` takes.",
            {"angles = pos": "angles = np.radians(pos)"},
        ),
        Slip(
            "turned into degrees",
            "The angles were turned into degrees; `np.sin` takes radians.",
            {"angles = pos": "angles = np.degrees(pos)"},
        ),
        Slip(
            "position from 1",
            "This is the row of the next position: positions start at 0.",
            {"angles = pos": "angles = (pos + 1)"},
        ),
        Slip(
            "ignores the position",
            "It ignores `pos`: this is the row of position 1, always.",
            {"angles = pos * ": "angles = "},
        ),
        Mistake(
            "column index",
            "The exponent grows with every column; it should grow with every *pair*. "
            "Both columns of a pair share the speed $10000^{-2i/d_{model}}$.",
            lambda pos, d: _row_by_columns(pos, np.arange(d) / d),
        ),
        Mistake(
            "twice the column index",
            "The exponent is twice the *column* over $d_{model}$. $i$ numbers pairs: "
            "$2i$ already is the even column's number.",
            lambda pos, d: _row_by_columns(pos, 2 * np.arange(d) / d),
        ),
        Slip(
            "twice the even column",
            "The exponent is twice as large as it should be. A loop variable that runs "
            "0, 2, 4, … *is* $2i$ already; dividing by the number of pairs doubles it "
            "too.",
            {"np.arange(d_model // 2)": "np.arange(0, d_model, 2)"},
        ),
        Slip(
            "i/d for 2i/d",
            "The angles are those of $i/d_{model}$; the exponent is $2i/d_{model}$. (A "
            "base of 100 in place of 10000 does the same.)",
            {"-2 * np.arange": "-np.arange"},
        ),
        Slip(
            "2i without d",
            "The exponent is $2i/d_{model}$; yours is $2i$.",
            {
                "-2 * np.arange(d_model // 2) / d_model": "-2.0 * np.arange(d_model // 2)"
            },
        ),
        Slip(
            "// for /",
            "Every speed is 1, as it is where `//` or `int` cuts off the fractions of the "
            "exponents: use `/`.",
            {
                "(-2 * np.arange(d_model // 2) / d_model)": "-(2 * "
                "np.arange(d_model // 2) // d_model)"
            },
        ),
        Slip(
            "position divided with //",
            "The angles have lost their fractions. `//` cuts them off, and so does "
            "`int`: use `/`.",
            {"pos * 10_000.0 ** (-2": "pos // 10_000.0 ** (2"},
        ),
        Slip(
            "d/2 - 1 in the exponent",
            "Your exponent reaches exactly 1 in the last pair, as if $i$ were divided by "
            "$d_{model}/2-1$. The paper divides $2i$ by $d_{model}$.",
            {
                "-2 * np.arange(d_model // 2) / d_model": "-np.arange(d_model // 2)"
                " / (d_model / 2 - 1)"
            },
        ),
        Slip(
            "reciprocal",
            "`pos` was multiplied by the denominators. Divide: later pairs turn more "
            "slowly.",
            {"-2 * np.arange": "2 * np.arange"},
        ),
        Slip(
            "divided outside the sine",
            "You divide the sine by the denominator. Divide the *position*, inside the "
            "sine.",
            {
                "angles = pos * 10": "angles, speeds = pos, 10",
                "np.sin(angles)": "np.sin(angles) * speeds",
                "np.cos(angles)": "np.cos(angles) * speeds",
            },
        ),
        Slip(
            "sine everywhere",
            "Every column is a sine. Odd columns hold the cosine.",
            {"np.cos": "np.sin"},
        ),
        Slip(
            "odd columns empty",
            "The odd columns are still zero: the cosines are missing.",
            {"    row[1::2] = np.cos(angles)\n": ""},
        ),
        Slip(
            "first pair only",
            "Only the first pair is filled; all other columns are zero. Is there a "
            "`return` inside your loop?",
            {
                "row[0::2] = np.sin(angles)": "row[0] = np.sin(angles[0])",
                "row[1::2] = np.cos(angles)": "row[1] = np.cos(angles[0])",
            },
        ),
        Slip(
            "whole numbers",
            "The row holds whole numbers: the fractions were cut off. Make the empty row "
            "a float one.",
            {"np.zeros(d_model)": "np.zeros(d_model, dtype=int)"},
        ),
        Slip(
            "a table of one row",
            "The numbers are right, but in a table of one row. One position has the "
            "shape `(d_model,)`.",
            {"return row": "return row[None]"},
        ),
        Slip(
            "the whole table",
            "This is a whole table. Return the row of `pos` alone, of shape "
            "`(d_model,)`.",
            {
                "angles = pos": "angles = np.arange(pos + 1)[:, None]",
                "np.zeros(d_model)": "np.zeros((pos + 1, d_model))",
                "row[0::2]": "row[:, 0::2]",
                "row[1::2]": "row[:, 1::2]",
            },
        ),
        Slip(
            "refuses even widths",
            "It raises the error for *even* widths. `d_model % 2` is 1 for an odd "
            "`d_model`, and 0 for an even one.",
            {"if d_model % 2:": "if d_model % 2 == 0:"},
        ),
        Slip(
            "another error",
            "Right for even widths. For an odd one it raises a `TypeError`, which is for "
            "arguments of the wrong *type*; the wrong *value* is a `ValueError`.",
            {"raise ValueError": "raise TypeError"},
        ),
        Mistake(
            "d + 1 columns when d is odd",
            "Right for even widths. For an odd one it returns a column more than was "
            "asked for: raise a `ValueError` instead.",
            _row_rounded_up,
        ),
        Mistake(
            "odd width accepted",
            "Right for even widths. An odd one leaves a sine without its cosine: raise a "
            "`ValueError` for it.",
            lambda pos, d: _row_rounded_up(pos, d)[:d],
        ),
        Mistake(
            "d - 1 columns when d is odd",
            "Right for even widths. For an odd one it silently returns a column fewer: "
            "raise a `ValueError` instead.",
            lambda pos, d: _row_by_columns(
                pos, 2 * (np.arange(d - d % 2) // 2) / max(d, 1)
            ),
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
    "A table has 100 positions and `d_model = 128`. Which of its columns go through at "
    "least one full wave?",
    [
        Choice(
            "all of them: every column is a wave",
            "Every column is *part* of a wave. The longest one takes more than 50 000 "
            "positions, and there are only 100.",
        ),
        Choice(
            "the last 40, columns 88 to 127",
            "The right number, at the wrong end. Pair 0 turns fastest, and pair 0 is "
            "columns 0 and 1. (Some drawings of the encoding show it the other way "
            "round.)",
        ),
        Choice(
            "the first 20, columns 0 to 19",
            "Twenty is the number of *pairs* that go round once. Each pair has two "
            "columns.",
        ),
        Choice(
            "the first 40, columns 0 to 39",
            "Pairs 0 to 19 go round within 100 positions: the wavelength of pair 19 is "
            "97, that of pair 20 is 112. Nearly 90 columns see only a part of a wave.",
            right=True,
        ),
    ],
    hints=[
        "A column goes through a full wave if its wavelength, $2\\pi/\\theta_i$, is at "
        "most 100.",
        "`2 * np.pi / encoding.angular_speeds(128)` lists the wavelengths, one per pair. "
        "How many are at most 100, and at which end?",
    ],
)

other_base = Question(
    "other_base",
    "Take $1\\,000\\,000$ in place of $10000$, at the same width. What happens to the "
    "rows?",
    [
        Choice(
            "Neighbouring rows move apart, since the numbers in the formula are larger.",
            "The base is in the *denominator*: a larger base makes slower hands, and "
            "slower hands change less from one row to the next.",
        ),
        Choice(
            "Rows repeat sooner.",
            "Slower hands come round later. And pair 0 turns 1 radian per step whatever "
            "the base: it never comes back exactly.",
        ),
        Choice(
            "The distance now depends on where the two rows are.",
            "That wish holds for hands of any speeds, as for the clocks 4, 5, 7: notebook "
            "04 shows why.",
        ),
        Choice(
            "Neighbouring rows move closer, and the distance goes on growing for longer.",
            "All hands but the first are slower: they tell neighbours apart less well, "
            "and very distant rows better.",
            right=True,
        ),
    ],
    hints=[
        "What is $\\theta_i = \\mathit{base}^{-2i/d_{model}}$ for a larger base: larger "
        "or smaller?",
        "Which rows does a slow hand tell apart: neighbours, or rows far from each other?",
    ],
)

add_or_concatenate = Question(
    "add_or_concatenate",
    "At `d_model = 512` you get the *sum* of a word's row and a position's row: one of "
    "1000 words (random rows), one of 100 positions. Can you tell which?",
    [
        Choice(
            "neither: two numbers cannot be recovered from their sum",
            "For *one* number that is so. But these are 512 numbers, and only "
            "1000 · 100 of all possible rows occur.",
        ),
        Choice(
            "both: the word always, the position nearly always",
            "Random rows of 512 numbers are almost at right angles to each other and to "
            "the rows of the table, so each part can be read off the sum.",
            right=True,
        ),
        Choice(
            "the word, but the position is lost in it",
            "A single column would be lost. But the position is written into 512 columns "
            "at once, and the word's numbers cancel out over them.",
        ),
    ],
    hints=[
        "Compare the sum with each row of the table, by a dot product. What does the "
        "word contribute to it, on average?",
        "How does the dot product of two random rows grow with `d_model`, and how does "
        "that of a row with itself?",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
