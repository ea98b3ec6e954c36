"""Exercises of notebook 08: longer contexts, two axes, real times, space."""

import numpy as np

from helpers.encoding import positional_encoding
from helpers.exercises.core import (
    Choice,
    Mistake,
    Question,
    Slip,
    collect,
    exercise,
)

# 8.1


@exercise(
    stub="""
    def ntk_base(base, factor, d_model):
        # the base that makes the slowest hand `factor` times slower
        ...
    """,
    cases=[
        (10_000, 4, 16),
        (10_000.0, 2, 64),
        (500_000, 8, 128),
        (100, 3.5, 6),
        (10_000, 1, 32),
        (10_000, 3, 4),
        (10_000, 4, 2),
    ],
    hints=[
        "The slowest hand is pair $d/2-1$; its speed is $base^{-(d-2)/d}$. Write down "
        "what the new base must fulfil.",
        "$new^{-(d-2)/d} = base^{-(d-2)/d}\\,/\\,factor$. Raise both sides to the power "
        "$-d/(d-2)$.",
    ],
    mistakes=[
        Slip(
            "slowest speed taken for 1/base",
            "Close, but the slowest speed is not $1/base$: the last pair is $d/2-1$, so "
            "it is $base^{-(d-2)/d}$. The factor needs an exponent that knows $d$.",
            {"factor ** (d_model / (d_model - 2))": "factor"},
        ),
        Slip(
            "// in the exponent",
            "The fraction of the exponent is cut off, by `//` perhaps: it is 1 at every "
            "width above 4. Divide with `/`.",
            {"d_model / (d_model - 2)": "d_model // (d_model - 2)"},
        ),
        Slip(
            "exponent upside down",
            "The exponent is upside down. From $new^{(d-2)/d} = factor\\cdot "
            "base^{(d-2)/d}$, take the root: the factor gets $d/(d-2)$.",
            {"(d_model / (d_model - 2))": "((d_model - 2) / d_model)"},
        ),
        Slip(
            "faster instead of slower",
            "This base is smaller, so the hands turn **faster**. Slower hands need a "
            "larger base.",
            {"base * factor": "base / factor"},
        ),
        Slip(
            "number of pairs as exponent",
            "The factor has got the number of steps between the pairs as its exponent. "
            "From $new^{(d-2)/d} = factor\\cdot base^{(d-2)/d}$, take the root: the "
            "factor gets $d/(d-2)$.",
            {"(d_model / (d_model - 2))": "(d_model / 2 - 1)"},
        ),
        Slip(
            "one column off",
            "The exponent has $d-1$ where $d-2$ belongs: the last pair is $d/2-1$, and "
            "$2(d/2-1)=d-2$.",
            {"(d_model - 2))": "(d_model - 1))"},
        ),
        Slip(
            "one pair too far",
            "The exponent takes the last but one pair for the slowest. The pairs are "
            "numbered $0 \\dots d/2-1$.",
            {"(d_model - 2))": "(d_model - 4))"},
        ),
        Slip(
            "the base raised too",
            "The exponent belongs to the factor alone: at `factor = 1` the base must "
            "stay as it is.",
            {"base * factor ** (": "(base * factor) ** ("},
        ),
        Slip(
            "a speed instead of a base",
            "This is the new **speed** of the slowest hand. Which base gives it?",
            {
                "base * factor ** (d_model / (d_model - 2))": (
                    "base ** (-(d_model - 2) / d_model) / factor"
                )
            },
        ),
        Slip(
            "base fixed at 10000",
            "The argument `base` has no effect. Models start from other bases too.",
            {"return base *": "return 10_000 *"},
        ),
        Slip(
            "one hand not refused",
            "At `d_model = 2` there is one hand, and it turns 1 radian a position "
            "whatever the base is: nothing can slow it. Raise a `ValueError`.",
            {
                "    if d_model == 2:\n": "",
                '        raise ValueError("one hand: its speed is 1 for every base")\n': (
                    ""
                ),
            },
        ),
        Slip(
            "one hand: base as it was",
            "At `d_model = 2` no base slows the one hand, so there is no right answer. "
            "Raise a `ValueError`, do not return a number.",
            {
                'raise ValueError("one hand: its speed is 1 for every base")': "return base"
            },
        ),
    ],
    remark="Every hand between the fastest and the slowest is slowed by less.",
)
def ntk_base(base, factor, d_model):
    """The base at which the slowest of d_model / 2 hands is factor times slower."""
    if d_model == 2:
        raise ValueError("one hand: its speed is 1 for every base")
    return base * factor ** (d_model / (d_model - 2))


# 8.2


def encode_2d(height, width, d_model):
    """One row per patch in reading order: half of the columns for each axis."""
    row, column = np.divmod(np.arange(height * width), width)
    table = positional_encoding(max(height, width), d_model // 2)
    return np.concatenate([table[row], table[column]], axis=1)


def _patches(height, width):
    return np.divmod(np.arange(height * width), width)


def _interleaved_2d(height, width, d_model):
    row, column = _patches(height, width)
    table = positional_encoding(max(height, width), d_model // 2)
    pairs = [table[axis].reshape(len(axis), -1, 2) for axis in (row, column)]
    return np.stack(pairs, axis=2).reshape(height * width, d_model)


def _columns_interleaved_2d(height, width, d_model):
    row, column = _patches(height, width)
    table = positional_encoding(max(height, width), d_model // 2)
    return np.stack([table[row], table[column]], axis=2).reshape(len(row), d_model)


encode_patches = exercise(
    name="encode_patches",
    stub="""
    def encode_2d(height, width, d_model):
        \"\"\"One row per patch in reading order: half of the columns for each axis.\"\"\"
        row, column = np.divmod(np.arange(height * width), width)
        table = positional_encoding(max(height, width), d_model)
        return table[row] + table[column]
    """,
    cases=[
        *((2, 3, 8), (3, 2, 12), (1, 4, 4), (4, 4, 16), (5, 1, 8)),
        *((11, 14, 8), (13, 9, 4)),
    ],
    hints=[
        "Take the patch in row 2, column 5 and the one in row 5, column 2. What does "
        "the last line give for each?",
        "Two tables of half the width: `positional_encoding(…, d_model // 2)`. Put the "
        "two parts side by side with `np.concatenate([…, …], axis=1)`.",
    ],
    mistakes=[
        Slip(
            "still shared",
            "Both axes still write into the same columns. Their sum does not tell row 2, "
            "column 5 from row 5, column 2.",
            {
                "d_model // 2)": "d_model)",
                "np.concatenate([table[row], table[column]], axis=1)": (
                    "table[column] + table[row]"
                ),
            },
        ),
        *(
            Slip(
                "another base, still shared",
                "The two axes have different speeds now, and their rows are still added: "
                "both write into the same columns. Give each axis columns of its own.",
                {
                    "d_model // 2)": "d_model)",
                    "np.concatenate([table[row], table[column]], axis=1)": (
                        "table[row] + positional_encoding(width, d_model, "
                        f"base={base})[column]"
                    ),
                },
            )
            for base in (100.0, 1000.0, 100_000.0)
        ),
        Slip(
            "averaged",
            "A mean mixes the axes as a sum does: both write into the same columns.",
            {
                "d_model // 2)": "d_model)",
                "np.concatenate([table[row], table[column]], axis=1)": (
                    "(table[row] + table[column]) / 2"
                ),
            },
        ),
        Slip(
            "twice the width",
            "The table is `d_model` wide, and each axis gets all of it. Both together are "
            "to fit into `d_model` columns: make the table half as wide.",
            {"d_model // 2)": "d_model)"},
        ),
        *(
            Slip(
                f"half the width, still {mixed}",
                f"The axes are still {mixed}, so both write into the same columns, half "
                "as many as asked. Put them side by side.",
                {"np.concatenate([table[row], table[column]], axis=1)": how},
            )
            for mixed, how in (
                ("added", "table[row] + table[column]"),
                ("averaged", "(table[row] + table[column]) / 2"),
                ("multiplied", "table[row] * table[column]"),
            )
        ),
        *(
            Slip(
                f"a table as long as the {axis}",
                f"The table has `{axis}` rows; along the other axis there may be more "
                "places. Take the larger number of the two.",
                {"max(height, width)": axis},
            )
            for axis in ("height", "width")
        ),
        Slip(
            "an axis for the two parts",
            "The two parts lie along an axis of their own. A patch is one row: join them "
            "along the columns.",
            {"np.concatenate": "np.stack"},
        ),
        Slip(
            "multiplied",
            "A product mixes the axes as a sum does, and it is zero wherever one of the "
            "factors is. Put them side by side.",
            {
                "d_model // 2)": "d_model)",
                "np.concatenate([table[row], table[column]], axis=1)": (
                    "table[row] * table[column]"
                ),
            },
        ),
        Slip(
            "axes exchanged",
            "The column comes first here. The left half belongs to the **row**, the "
            "right half to the column.",
            {"[table[row], table[column]]": "[table[column], table[row]]"},
        ),
        Slip(
            "row in both halves",
            "Both halves are the code of the row. The right half belongs to the column.",
            {"table[column]]": "table[row]]"},
        ),
        Slip(
            "column in both halves",
            "Both halves are the code of the column. The left half belongs to the row.",
            {"[table[row]": "[table[column]"},
        ),
        Slip(
            "column by column",
            "The patches come column by column. In reading order they come line by line: "
            "first all patches of row 0, from left to right.",
            {
                "np.arange(height * width), width)": "np.arange(height * width), height)",
                "[table[row], table[column]]": "[table[column], table[row]]",
            },
        ),
        Slip(
            "counted along the height",
            "In reading order a line holds `width` patches, not `height`. Look at a "
            "picture that is not square.",
            {"np.arange(height * width), width)": "np.arange(height * width), height)"},
        ),
        Slip(
            "below one another",
            "The parts stand below one another. A patch is one row: join along `axis=1`.",
            {"axis=1": "axis=0"},
        ),
        Slip(
            "one range of speeds cut in two",
            "Each axis has its own columns, but one range of speeds was cut in two: rows "
            "get the fast hands, columns the slow ones. Give both a whole table of half "
            "the width. (Section 3.3 shows a model that cuts.)",
            {
                "d_model // 2)": "d_model)",
                "np.concatenate([table[row], table[column]], axis=1)": (
                    "np.concatenate([table[row][:, : d_model // 2], "
                    "table[column][:, d_model // 2 :]], axis=1)"
                ),
            },
        ),
        Slip(
            "reading order",
            "This numbers the patches in reading order: one axis again, and the patch "
            "below is as far as the length of a line.",
            {
                "positional_encoding(max(height, width), d_model // 2)": (
                    "positional_encoding(height * width, d_model)"
                ),
                "np.concatenate([table[row], table[column]], axis=1)": "table",
            },
        ),
        Mistake(
            "pairs in turn",
            "Sound: each axis has pairs of its own, and distances come out the same. "
            "Asked is another order of columns: the left half for the row, the right "
            "half for the column.",
            _interleaved_2d,
        ),
        Mistake(
            "columns in turn",
            "Rows and columns alternate column by column, so a pair is torn apart. The "
            "left half is for the row, the right half for the column.",
            _columns_interleaved_2d,
        ),
    ],
    remark="Now the distance of two patches is $\\sqrt{D(\\Delta row)^2+D(\\Delta "
    "column)^2}$.",
)(encode_2d)


# 8.3


def _rows(n, d, seed):
    return np.random.default_rng(seed).normal(size=(n, d)).round(3)


def _speeds(d_model):
    return 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)


def _turned(x, angles):
    """Turn adjacent columns of x by one angle for each row and pair."""
    a, b = x[:, 0::2], x[:, 1::2]
    first = a * np.cos(angles) + b * np.sin(angles)
    second = b * np.cos(angles) - a * np.sin(angles)
    return np.stack([first, second], axis=2).reshape(x.shape)


def _of_halves(x, rows, columns, change):
    """`rotate_2d` with a change to each half: from (half, positions) to turned rows."""
    half = x.shape[1] // 2
    parts = change(x[:, :half], rows), change(x[:, half:], columns)
    return np.concatenate(parts, axis=1)


def _angles(positions, d_model):
    return np.asarray(positions)[:, None] * _speeds(d_model)


def _shared(x, rows, columns):
    return _turned(x, _angles(rows, x.shape[1]) + _angles(columns, x.shape[1]))


def _even_and_odd(x, rows, columns):
    out = np.empty(x.shape)
    for first, positions in enumerate((rows, columns)):
        part = x[:, first::2]
        out[:, first::2] = _turned(part, _angles(positions, part.shape[1]))
    return out


def _one_after_the_other(x, rows, columns):
    return _turned(x, _angles(rows, x.shape[1]) - _angles(columns, x.shape[1]))


def _ladder_cut(x, rows, columns):
    theta, pairs = _speeds(x.shape[1]), x.shape[1] // 4
    positions = np.repeat(np.stack([rows, columns], axis=1), pairs, axis=1)
    return _turned(x, positions * theta)


def _pairs_in_turn(x, rows, columns):
    theta = np.repeat(_speeds(x.shape[1] // 2), 2)
    positions = np.tile(np.stack([rows, columns], axis=1), x.shape[1] // 4)
    return _turned(x, positions * theta)


def _split_halves(part, positions):
    a, b = np.split(part, 2, axis=1)
    angles = _angles(positions, part.shape[1])
    first = a * np.cos(angles) + b * np.sin(angles)
    return np.concatenate([first, b * np.cos(angles) - a * np.sin(angles)], axis=1)


def _published(part, positions):
    a, b = np.split(part, 2, axis=1)
    angles = _angles(positions, part.shape[1])
    first = a * np.cos(angles) - b * np.sin(angles)
    return np.concatenate([first, b * np.cos(angles) + a * np.sin(angles)], axis=1)


def _across_the_middle(x, rows, columns):
    half = x.shape[1] // 2
    a, b = x[:, :half], x[:, half:]
    angles = np.concatenate([_angles(rows, half), _angles(columns, half)], axis=1)
    first = a * np.cos(angles) + b * np.sin(angles)
    return np.concatenate([first, b * np.cos(angles) - a * np.sin(angles)], axis=1)


def _with_formula(part, positions):
    angles = _angles(positions, part.shape[1])
    waves = np.stack([np.sin(angles), np.cos(angles)], axis=2)
    return part + waves.reshape(part.shape)


def _with_table(part, positions):
    """The row of each position added; a negative one counts from the table's end."""
    return part + positional_encoding(max(positions) + 1, part.shape[1])[positions]


def _counted(x, rows, columns):
    return _of_halves(
        x, np.arange(len(x)), np.arange(len(x)), lambda part, pos: _plain(part, pos)
    )


def _plain(part, positions):
    return _turned(part, _angles(positions, part.shape[1]))


@exercise(
    stub="""
    def rotate_2d(x, rows, columns):
        # line r of x, shape (n, d), is the patch at rows[r], columns[r]
        ...
    """,
    cases=[
        (_rows(4, 8, 1), np.array([0, 0, 1, 3]), np.array([0, 1, 0, 2])),
        (_rows(3, 4, 2), np.array([2, 13, 7]), np.array([5, 0, 7])),
        (_rows(5, 16, 3), np.array([1, -2, 40, 0, 9]), np.array([3, 4, -1, 8, 9])),
        (_rows(2, 64, 4), np.array([11, 12]), np.array([100, 3])),
    ],
    hints=[
        "Cut `x` in two: `x[:, :half]` belongs to the rows, `x[:, half:]` to the "
        "columns. Each half is turned as in one dimension, with the speeds of a width "
        "of `half`.",
        "With `turn_rows` of section 2 it is one line: "
        "`np.concatenate([turn_rows(x[:, :half], rows), turn_rows(x[:, half:], "
        "columns)], axis=1)`.",
    ],
    mistakes=[
        Mistake(
            "axes share the pairs",
            "Both axes turn the same pairs, so their angles add up: one down and one to "
            "the right look the same, and a step down can be undone by a step to the "
            "left. Give each axis half of the pairs.",
            _shared,
        ),
        Mistake(
            "axes share the pairs, subtracted",
            "Both axes turn the same pairs, so only the difference of row and column is "
            "left. Give each axis half of the pairs.",
            _one_after_the_other,
        ),
        Slip(
            "axes exchanged",
            "Each axis has its own pairs. But the **left** half belongs to the rows.",
            {
                "[rows[:, None] * theta, columns[:, None] * theta]": (
                    "[columns[:, None] * theta, rows[:, None] * theta]"
                )
            },
        ),
        Slip(
            "axes exchanged, and other sign",
            "Two things at once: rows and columns are exchanged (the **left** half "
            "belongs to the rows), and it turns the other way. Here it is $M_{pos}$: "
            "$(a\\cos + b\\sin,\\ b\\cos - a\\sin)$.",
            {
                "[rows[:, None] * theta, columns[:, None] * theta]": (
                    "[-columns[:, None] * theta, -rows[:, None] * theta]"
                )
            },
        ),
        Mistake(
            "even columns by the row, odd ones by the column",
            "The even columns are turned by the rows, and the odd ones by the columns. A "
            "pair is two **adjacent** columns, which turn together, and the left half "
            "of the pairs belongs to the rows.",
            _even_and_odd,
        ),
        Slip(
            "rows only",
            "Both halves are turned by the rows; the argument `columns` has no effect.",
            {"columns[:, None] * theta": "rows[:, None] * theta"},
        ),
        Slip(
            "columns only",
            "Both halves are turned by the columns; the argument `rows` has no effect.",
            {"[rows[:, None] * theta": "[columns[:, None] * theta"},
        ),
        Slip(
            "right half not turned",
            "The right half comes back as it was. Turn it by the columns.",
            {"columns[:, None] * theta": "0 * columns[:, None] * theta"},
        ),
        Slip(
            "speeds of the whole width",
            "The speeds were computed for the whole width, so each axis has only the "
            "faster half of them. Each half of the columns is a table of its own, "
            "$\\theta_i = 10000^{-2i/(d/2)}$; the 2 in front of $i$ belongs there.",
            {"np.arange(0, half, 2) / half": "np.arange(0, half, 2) / x.shape[1]"},
        ),
        Mistake(
            "one range of speeds cut in two",
            "One range of speeds was cut in two: rows get the fast hands, columns the "
            "slow ones. (Section 3.3 shows a model that does this.) Here each half has "
            "its own range, $\\theta_i = 10000^{-2i/(d/2)}$.",
            _ladder_cut,
        ),
        Mistake(
            "pairs in turn",
            "Sound: each axis has half of the pairs, and the scores come out right. But "
            "rows and columns take turns, pair by pair; asked are the left half and the "
            "right half.",
            _pairs_in_turn,
        ),
        Slip(
            "other sign",
            "It turns the other way, as the rotary papers do, whose scores depend on the "
            "offsets alone too. Here it is $M_{pos}$: "
            "$(a\\cos + b\\sin,\\ b\\cos - a\\sin)$.",
            {
                "a * np.cos(angles) + b": "a * np.cos(angles) - b",
                "b * np.cos(angles) - a": "b * np.cos(angles) + a",
            },
        ),
        Slip(
            "two plus signs",
            "One minus sign is missing: the second column is $b\\cos\\varphi - "
            "a\\sin\\varphi$. With two plus signs the lengths change; that is no rotation.",
            {"b * np.cos(angles) - a": "b * np.cos(angles) + a"},
        ),
        Slip(
            "sine and cosine exchanged",
            "Sine and cosine are exchanged. The patch in row 0 and column 0 must stay as "
            "it is: which of the two is 1 at angle 0?",
            {
                "a * np.cos(angles) + b * np.sin(angles)": (
                    "a * np.sin(angles) + b * np.cos(angles)"
                ),
                "b * np.cos(angles) - a * np.sin(angles)": (
                    "b * np.sin(angles) - a * np.cos(angles)"
                ),
            },
        ),
        Slip(
            "overwritten",
            "The second column of a pair was computed from the **new** first column. "
            "Both need the old values.",
            {"b * np.cos(angles) - a": "b * np.cos(angles) - out[:, 0::2]"},
        ),
        Slip(
            "degrees",
            "The angles were turned from degrees into radians, but they are in radians "
            "already.",
            {
                "a, b = x[:, 0::2]": "angles = np.deg2rad(angles)\n    a, b = x[:, 0::2]",
            },
        ),
        Mistake(
            "split halves inside each half",
            "Each axis has its own half, but inside it column $c$ is paired with the one "
            "a quarter of the width further on. A pair is two **adjacent** columns.",
            lambda x, r, c: _of_halves(x, r, c, _split_halves),
        ),
        Mistake(
            "published form",
            "This is the form of published code: split halves, turned the other way. It "
            "works there. Here a pair is two **adjacent** columns, turned by $M_{pos}$.",
            lambda x, r, c: _of_halves(x, r, c, _published),
        ),
        Mistake(
            "paired across the middle",
            "Column $c$ is paired with column $c+d/2$, across the border of the two "
            "axes. A pair is two **adjacent** columns.",
            _across_the_middle,
        ),
        Mistake(
            "patches counted",
            "The lines of `x` were counted 0, 1, 2, …; neither `rows` nor `columns` has "
            "an effect.",
            _counted,
        ),
        *(
            Mistake(
                "one number for each patch",
                "Row and column became one number, as in reading order: a step down is "
                "taken for so many steps to the right. Each axis turns its own half.",
                answer,
            )
            for answer in (
                lambda x, r, c: _plain(x, 14 * r + c),
                lambda x, r, c: _plain(x, (max(c) + 1) * r + c),
            )
        ),
        *(
            Mistake(
                "added",
                "This **adds** rows of a table. Here nothing is added: the left half of "
                "`x` is turned by the rows, the right half by the columns.",
                answer,
            )
            for answer in (
                lambda x, r, c: _of_halves(x, r, c, _with_formula),
                lambda x, r, c: _of_halves(x, r, c, _with_table),
            )
        ),
        Mistake(
            "not turned",
            "Nothing is turned: every line comes back as it was.",
            lambda x, rows, columns: x,
        ),
    ],
    remark="Two axes, each with its own pairs: that is the axial rotation of vision "
    "models.",
)
def rotate_2d(x, rows, columns):
    """Turn the left half of x (n, d) by the rows, the right half by the columns."""
    half = x.shape[1] // 2
    theta = 10_000.0 ** (-np.arange(0, half, 2) / half)
    angles = np.concatenate([rows[:, None] * theta, columns[:, None] * theta], axis=1)
    a, b = x[:, 0::2], x[:, 1::2]
    out = np.empty(x.shape)
    out[:, 0::2] = a * np.cos(angles) + b * np.sin(angles)
    out[:, 1::2] = b * np.cos(angles) - a * np.sin(angles)
    return out


# 8.4


def _interpolated(times, d_model):
    if d_model % 2:
        raise ValueError("columns come in pairs")
    times = np.asarray(times, dtype=float)
    theta = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    before, part = np.floor(times)[:, None], (times % 1)[:, None]
    rows = []
    for whole in (before, before + 1):
        waves = np.stack([np.sin(whole * theta), np.cos(whole * theta)], axis=2)
        rows.append(waves.reshape(len(times), d_model))
    return (1 - part) * rows[0] + part * rows[1]


def _looked_up(times, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    rows = np.asarray(times).astype(int)
    return positional_encoding(rows.max() + 1, d_model)[rows]


@exercise(
    stub="""
    def timestep_table(times, d_model):
        # one row for each time: any real numbers, in a list or an array
        ...
    """,
    cases=[
        ([0, 1, 2, 3], 8),
        (np.array([0.5, 250.25, 999.0]), 4),
        ([-1.5, 1000], 6),
        (np.array([17, 3, 3]), 12),
        ([0.125], 64),
        ([1.0, 2.0], 5),
    ],
    hints=[
        "It is the table of notebook 01 with `times` where the positions were. "
        "`np.asarray(times)[:, None]` makes a column of them.",
        "`angles = np.asarray(times)[:, None] * theta` with $\\theta_i = "
        "10000^{-2i/d_{model}}$; sines into `[:, 0::2]`, cosines into `[:, 1::2]`. "
        "First the `ValueError` for an odd width.",
    ],
    mistakes=[
        Slip(
            "times cut to whole numbers",
            "The times were cut to whole numbers: 250.25 got the row of 250. Real times "
            "are the point here.",
            {"np.asarray(times, dtype=float)": "np.asarray(times).astype(int)"},
        ),
        Mistake(
            "interpolated",
            "Between two whole times the rows lie on a straight line: they were "
            "interpolated. The waves are curved. Put the times themselves into the "
            "formula.",
            _interpolated,
        ),
        Mistake(
            "looked up in a table",
            "The rows were taken from a table of whole positions: the fractions of the "
            "times are cut off, and a negative one counts from the table's end. Put the "
            "times themselves into the formula.",
            _looked_up,
        ),
        Slip(
            "times rounded",
            "The times were rounded: 250.25 got the row of 250. Real times are the point "
            "here.",
            {"np.asarray(times, dtype=float)": "np.round(times)"},
        ),
        Slip(
            "without their sign",
            "The times have lost their sign: -1.5 got the row of 1.5. A hand that turns "
            "back has the other sine.",
            {"np.asarray(times, dtype=float)": "np.abs(times)"},
        ),
        Slip(
            "times sorted",
            "The times were sorted first. Row $r$ belongs to `times[r]`: leave them in "
            "their order.",
            {
                "np.asarray(times, dtype=float)": "np.sort(np.asarray(times, dtype=float))"
            },
        ),
        Slip(
            "times counted",
            "The rows were counted 0, 1, 2, …; the values in `times` have no effect.",
            {"np.asarray(times, dtype=float)": "np.arange(len(times))"},
        ),
        Slip(
            "times divided by 1000",
            "The times were divided by 1000 first. Then even the fastest hand turns by "
            "57 degrees at most. Take them as they are.",
            {"np.asarray(times, dtype=float)": "(np.asarray(times) / 1000)"},
        ),
        Slip(
            "sines first",
            "The columns stand in another order: all sines, then all cosines. It is the "
            "order of much diffusion code; asked is ours, sine and cosine in turn.",
            {
                "table[:, 0::2]": "table[:, : d_model // 2]",
                "table[:, 1::2]": "table[:, d_model // 2 :]",
            },
        ),
        Slip(
            "cosines first",
            "The columns stand in another order: all cosines, then all sines, the "
            "flipped order of much diffusion code. Asked is ours, sine and cosine in "
            "turn.",
            {
                "table[:, 0::2]": "table[:, d_model // 2 :]",
                "table[:, 1::2]": "table[:, : d_model // 2]",
            },
        ),
        Slip(
            "sines first, exponent shifted",
            "This is the form of much diffusion code: sines first, and an exponent that "
            "ends at exactly 1. Asked is ours, $10000^{-2i/d_{model}}$, sine and "
            "cosine in turn.",
            {
                "-np.arange(0, d_model, 2) / d_model": (
                    "-np.arange(d_model // 2) / (d_model // 2 - 1)"
                ),
                "table[:, 0::2]": "table[:, : d_model // 2]",
                "table[:, 1::2]": "table[:, d_model // 2 :]",
            },
        ),
        Slip(
            "exponent shifted",
            "The exponent is divided by $d/2-1$, so that it ends at exactly 1. Some "
            "diffusion code does that; ours ends before: $2i/d_{model}$.",
            {
                "-np.arange(0, d_model, 2) / d_model": (
                    "-np.arange(d_model // 2) / (d_model // 2 - 1)"
                )
            },
        ),
        Slip(
            "column index",
            "The exponent lost its 2: $i/d$ where $2i/d$ belongs. $i$ is the index of the "
            "pair.",
            {
                "-np.arange(0, d_model, 2) / d_model": (
                    "-np.arange(d_model // 2) / d_model"
                )
            },
        ),
        Slip(
            "half width in the exponent",
            "The speeds fall twice as fast as they should: in $2i/d_{model}$, $d_{model}$ "
            "is the full width, not the number of pairs.",
            {
                "-np.arange(0, d_model, 2) / d_model": (
                    "-np.arange(0, d_model, 2) / (d_model // 2)"
                )
            },
        ),
        Slip(
            "speeds grow",
            "The speeds grow from pair to pair; the minus sign in the exponent is missing.",
            {"(-np.arange": "(np.arange"},
        ),
        Slip(
            "sine and cosine exchanged",
            "Sine and cosine are exchanged. Time 0 has the row 0, 1, 0, 1, …",
            {"table[:, 0::2]": "table[:, 1::2]", "table[:, 1::2]": "table[:, 0::2]"},
        ),
        Slip(
            "degrees",
            "The angle was turned from degrees into radians, but it is in radians "
            "already.",
            {
                "= np.sin(angles)": "= np.sin(np.deg2rad(angles))",
                "= np.cos(angles)": "= np.cos(np.deg2rad(angles))",
            },
        ),
        Slip(
            "odd width not refused",
            "An odd width leaves a sine without its cosine. Raise a `ValueError` for it.",
            {
                "    if d_model % 2:\n": "",
                '        raise ValueError("columns come in pairs")\n': (""),
                "np.arange(0, d_model, 2) / d_model": (
                    "np.arange(0, d_model // 2 * 2, 2) / d_model"
                ),
                "np.empty((len(angles), d_model))": (
                    "np.empty((len(angles), d_model // 2 * 2))"
                ),
            },
        ),
    ],
    remark="At whole times it is the table of notebook 01, row for row.",
)
def timestep_table(times, d_model):
    """The sinusoidal table at any real times, shape (len(times), d_model)."""
    if d_model % 2:
        raise ValueError("columns come in pairs")
    theta = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.asarray(times, dtype=float)[:, None] * theta
    table = np.empty((len(angles), d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


# 8.5


@exercise(
    stub="""
    def fourier_features(x, d_model, fastest, slowest):
        # speeds fall from fastest to slowest by one factor, both ends included
        ...
    """,
    cases=[
        (np.linspace(0, 1, 5), 8, 200.0, 2.0),
        (np.array([0.25, 0.5]), 4, 10.0, 0.1),
        (np.array([0.1, 0.7, 0.9]), 32, 300, 3),
        (np.array([0.0, 1.0, 2.5]), 6, 5.0, 5.0),
        (np.array([-0.5, 0.3]), 10, 64.0, 1.0),
    ],
    hints=[
        "`np.geomspace(first, last, count)` gives numbers that fall by one factor, both "
        "ends included. How many hands fit into `d_model` columns?",
        "`angles = x[:, None] * np.geomspace(fastest, slowest, d_model // 2)`, then "
        "sines into `[:, 0::2]` and cosines into `[:, 1::2]` of one table.",
    ],
    mistakes=[
        Slip(
            "a linear ladder",
            "The speeds fall by equal **steps**. Asked are equal **factors**: "
            "`np.geomspace`, not `np.linspace`.",
            {"np.geomspace": "np.linspace"},
        ),
        Slip(
            "exponents for speeds",
            "`np.logspace` takes **exponents** of ten as its ends; `np.geomspace` takes "
            "the numbers themselves.",
            {"np.geomspace": "np.logspace"},
        ),
        Slip(
            "slowest left out",
            "The ladder ends one rung before `slowest`, as the paper's does before "
            "$1/10000$. Here both ends are included.",
            {"d_model // 2)": "d_model // 2, endpoint=False)"},
        ),
        Slip(
            "slowest first",
            "The slow hands stand first. As everywhere in the series, the fastest pair "
            "comes first.",
            {"(fastest, slowest,": "(slowest, fastest,"},
        ),
        Slip(
            "rounds for radians",
            "The angles were multiplied by $2\\pi$: as if the speeds were rounds per "
            "unit. They are radians per unit, as in the whole series.",
            {"np.asarray(x)[:, None] *": "2 * np.pi * np.asarray(x)[:, None] *"},
        ),
        Slip(
            "sines first",
            "All sines, then all cosines: the same numbers in another order. Asked are "
            "sine and cosine in turn.",
            {
                "features[:, 0::2]": "features[:, : d_model // 2]",
                "features[:, 1::2]": "features[:, d_model // 2 :]",
            },
        ),
        Slip(
            "cosines first",
            "All cosines, then all sines: the same numbers in another order. Asked are "
            "sine and cosine in turn.",
            {
                "features[:, 0::2]": "features[:, d_model // 2 :]",
                "features[:, 1::2]": "features[:, : d_model // 2]",
            },
        ),
        Slip(
            "sine and cosine exchanged",
            "Sine and cosine are exchanged: a pair is sine, cosine.",
            {
                "features[:, 0::2]": "features[:, 1::2]",
                "features[:, 1::2]": "features[:, 0::2]",
            },
        ),
        Slip(
            "too many hands",
            "There are twice as many hands as asked. Each takes **two** columns.",
            {
                "d_model // 2)": "d_model)",
                "np.empty((len(angles), d_model))": "np.empty((len(angles), 2 * d_model))",
            },
        ),
        Slip(
            "a hand for every column",
            "Every column has a speed of its own. A hand has **two** columns, sine and "
            "cosine of one angle, so there are `d_model // 2` speeds.",
            {
                "d_model // 2)": "d_model)",
                "np.sin(angles)": "np.sin(angles[:, 0::2])",
                "np.cos(angles)": "np.cos(angles[:, 1::2])",
            },
        ),
        Slip(
            "points counted",
            "The rows were counted 0, 1, 2, …; the values in `x` have no effect.",
            {"np.asarray(x)[:, None]": "np.arange(len(x))[:, None]"},
        ),
        Slip(
            "divided by the speeds",
            "The coordinate is divided by the speeds. The angle is $x$ **times** the "
            "speed.",
            {"[:, None] * np.geomspace": "[:, None] / np.geomspace"},
        ),
        Slip(
            "slowest fixed at 1",
            "The argument `slowest` has no effect.",
            {"fastest, slowest, d_model": "fastest, 1.0, d_model"},
        ),
        Slip(
            "degrees",
            "The angles were turned from degrees into radians; the speeds are radians "
            "per unit already.",
            {"np.asarray(x)[:, None] *": "np.deg2rad(x)[:, None] *"},
        ),
    ],
    remark="With `fastest=1` and `slowest` $=10000^{-(d-2)/d}$ it is the paper's table.",
)
def fourier_features(x, d_model, fastest, slowest):
    """Sine and cosine of x times speeds from fastest to slowest, (len(x), d_model)."""
    angles = np.asarray(x)[:, None] * np.geomspace(fastest, slowest, d_model // 2)
    features = np.empty((len(angles), d_model))
    features[:, 0::2] = np.sin(angles)
    features[:, 1::2] = np.cos(angles)
    return features


which_hands = Question(
    "which_hands",
    "Slow down some of the eight hands by 4 and leave the others. In 16 positions the "
    "fastest hand makes two and a half turns; the other seven do not complete one. "
    "Which must be slowed for *before?* at length 64?",
    [
        Choice(
            "The seven that did not complete a turn.",
            "Beyond position 16 they reach angles that no training has shown. The "
            "fastest hand has shown all of its angles already.",
            right=True,
        ),
        Choice(
            "The fastest: it makes ten turns in 64 positions.",
            "It went all the way round in training: whatever its angle is at position "
            "60, it was there before.",
        ),
        Choice(
            "Only the slowest: it reaches furthest.",
            "It is one of them, but at 64 positions the second hand meets new angles "
            "too: in training it came only to four fifths of a turn.",
        ),
        Choice(
            "None: each hand alone is enough.",
            "Then rotary readers would work at 64 as they are. Notebook 07 has measured "
            "that they do not.",
        ),
    ],
    hints=[
        "For each hand: which angles between query and key were met in training?",
        "A hand that has gone round once has shown every angle.",
    ],
)

which_suffers = Question(
    "which_suffers",
    "All positions are divided by 4, so that 64 tokens span what 16 spanned in "
    "training. Nothing is trained again. Which of the two questions suffers?",
    [
        Choice(
            "Neither: all angles lie in the range that was trained.",
            "The range is the trained one, the **steps** are not: neighbours are a "
            "quarter of a position apart now. Which question looks at neighbours?",
        ),
        Choice(
            "*Before?*: it has to look over the whole length.",
            "Far offsets are brought back to trained ones: 60 apart looks like 15 apart. "
            "That helps this question.",
        ),
        Choice(
            "*Directly after?*: one step looks like a quarter of a step.",
            "In training, one position on meant 1 radian of the fastest hand; now it is "
            "a quarter of that, and nothing the reader knows stands there.",
            right=True,
        ),
        Choice(
            "Both alike.",
            "The two ask for different things: one for the sign of an offset, however "
            "large; the other for one exact offset. Take one step and sixty steps, and "
            "divide both by 4.",
        ),
    ],
    hints=[
        "What does an offset of 1 look like to the reader after the division? And an "
        "offset of 60?",
        "One of the two offsets was met in training under its new look, the other was "
        "not.",
    ],
)

decay = Question(
    "decay",
    "*The rotation makes scores decay with distance.* For which query and key is that "
    "so?",
    [
        Choice(
            "For all: the further apart, the smaller the score.",
            "The turn of a key can bring it closer to a query just as well as away from "
            "it: it depends on where it pointed before.",
        ),
        Choice(
            "For random ones: on average their score shrinks.",
            "A random key, turned, is a random key again: what could shrink?",
        ),
        Choice(
            "For none: a rotation keeps all lengths.",
            "Lengths stay, but the angle between the two changes. Think of a query and "
            "a key that point the same way at offset 0.",
        ),
        Choice(
            "For a query and a key that point the same way.",
            "All hands together at offset 0: that is the largest score there is, and the "
            "turns can only spoil it. For other pairs nothing decays.",
            right=True,
        ),
    ],
    hints=[
        "At which offset does a score reach its largest possible value? Does it have to "
        "be offset 0?",
        "Turn the key by 200 positions beforehand. Where is the best offset now?",
    ],
)

same_score_again = Question(
    "same_score_again",
    "Four words are repeated to the end of the text; queries and keys are turned, and "
    "every word sees the earlier ones only. Look at one word and the word before it, "
    "wherever the two occur. Is their score the same everywhere?",
    [
        Choice(
            "Yes, in every layer: the same words at the same offset.",
            "In the first layer, yes. But what the second layer compares is no longer "
            "the word alone: each row has mixed in all that it could see.",
        ),
        Choice(
            "In the first layer only.",
            "From the second layer on, rows are mixtures: row 5 has seen 6 words, row 50 "
            "has seen 51. The rotation is as relative as before; the rows are not the "
            "same any more.",
            right=True,
        ),
        Choice(
            "From the second layer on only.",
            "It is the other way round. In the first layer, query and key are the words "
            "themselves.",
        ),
        Choice(
            "No, in no layer: the mask changes the scores.",
            "The mask removes scores and changes none of those that stay. In the first "
            "layer they are exactly equal.",
        ),
    ],
    hints=[
        "The rotation depends on the offset alone, in every layer. Which vectors are "
        "turned in layer 1, and which in layer 2?",
        "How many words has row 5 seen after the first layer, and how many has row 50?",
    ],
)

patch_below = Question(
    "patch_below",
    "The patches of an image, 14 in a line, are numbered in reading order and get the "
    "codes of positions 0, 1, 2, … What does the code say about the patch directly "
    "below?",
    [
        Choice(
            "It is as far as the patch 14 places further on.",
            "It **is** that patch: one line down is 14 positions on. And the first patch "
            "of the next line is taken for the neighbour of the last one of this line.",
            right=True,
        ),
        Choice(
            "It is as near as the patch to the right.",
            "To the right is 1 position on, below is 14. The code knows no lines.",
        ),
        Choice(
            "It has the same code: it stands in the same column.",
            "Every position has a code of its own, and columns do not enter.",
        ),
        Choice(
            "Nothing: codes work for one axis only.",
            "There is a code and a distance; it is only the wrong one for an image.",
        ),
    ],
    hints=[
        "Number three lines of 14 patches on paper. What is the difference of a patch "
        "and the one below?",
        "And what is the difference of the last patch of a line and the first of the "
        "next?",
    ],
)

between_the_steps = Question(
    "between_the_steps",
    "A network learns a smooth function of the time 0 … 1000 from every 20th step. "
    "The time comes in as a one-hot row of 1001 columns, as our table of 64 columns, "
    "or as one number, $t/1000$. Which is worst at the steps between?",
    [
        Choice(
            "The number: one column cannot hold much.",
            "One column is enough for a *smooth* function: nearby numbers give nearby "
            "outputs.",
        ),
        Choice(
            "The table: its fast hands spin between the steps.",
            "They do, and you will see that it costs something. But another code shares "
            "nothing at all between two steps.",
        ),
        Choice(
            "None: what fits the steps fits between them.",
            "All three fit the steps. What a network says in between depends on which "
            "times look alike to it.",
        ),
        Choice(
            "The one-hot row: step 510 uses a column that was never trained.",
            "All steps are equally far from each other in it, so nothing learned at 500 "
            "or 520 says anything about 510.",
            right=True,
        ),
    ],
    hints=[
        "Which input columns of the network are ever different from 0 in training?",
        "What is the distance of steps 500 and 501 in each of the three codes, and of "
        "500 and 900?",
    ],
)

too_fast = Question(
    "too_fast",
    "A network learns a signal from 256 points. One of its codes has only hands so "
    "fast that they turn by more than half a round from one point to the next. What "
    "happens?",
    [
        Choice(
            "It learns nothing: the inputs look random.",
            "They look random, but they are different at every point, and a network can "
            "learn any value for each.",
        ),
        Choice(
            "It learns best: more detail is always good.",
            "Detail **on** the points, yes. Ask what it says between them.",
        ),
        Choice(
            "It is right on the points, and wrong between them.",
            "Neighbouring points share nothing in such a code, so each value is "
            "memorised, and nothing ties down what lies between.",
            right=True,
        ),
        Choice(
            "It is wrong on the points, and right between them.",
            "The points are what it is trained on; they are what it knows best.",
        ),
    ],
    hints=[
        "Think of the one-hot rows of section 4: what do two neighbours share?",
        "Training looks only at the points. Does anything ask for a smooth line between "
        "them?",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
