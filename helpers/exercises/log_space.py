"""Exercises of notebook 02: the table by one broadcast, in log space."""

import contextlib
import dis
import io
import math
import re

import numpy as np
import torch

from helpers.encoding import angular_speeds, positional_encoding
from helpers.exercises.comparing import agrees
from helpers.exercises.core import Choice, Mistake, Question, collect, exercise

# ---------------------------------------------------------------- wrong speeds


def _pairs(d_model):
    return np.arange(d_model // 2)


_SPEED_MISTAKES = (
    Mistake(
        "product outside",
        "The product $2i$ stands outside the exponential, so the speeds grow in a "
        "straight line: $0, 0.63, 1.26, \\dots$ at $d_{model}=8$. A power inside the "
        "exponential is a **product inside its bracket**: look at where the closing "
        "bracket of `exp` stands.",
        lambda d: 2 * _pairs(d) * np.exp(-np.log(10_000) / d),
    ),
    Mistake(
        "column index",
        "Your $i$ is a column index. The formula's $i$ counts **pairs**, and $2i$ is "
        "the pair's first column: yours doubles it once more, and the speeds fall "
        "twice as fast as they should.",
        lambda d: 10_000.0 ** (-2 * np.arange(0, d, 2) / d),
    ),
    Mistake(
        "twice the column index",
        "There are `d_model` speeds, one for each column. A pair of columns shares "
        "**one** speed, so half as many are asked for.",
        lambda d: 10_000.0 ** (-2 * np.arange(d) / d),
    ),
    Mistake(
        "one speed a column",
        "There are `d_model` speeds, one for each column. The sine and the cosine of "
        "a pair share **one** speed, that of the even column.",
        lambda d: 10_000.0 ** (-np.arange(d) / d),
    ),
    Mistake(
        "i/d for 2i/d",
        "The exponent is $i/d_{model}$ where the formula has $2i/d_{model}$: your "
        "slowest pair turns a hundred times too fast or so.",
        lambda d: 10_000.0 ** (-_pairs(d) / d),
    ),
    Mistake(
        "// for /",
        "Every speed is 1: the exponent was divided with `//`, which drops the "
        "fraction, and nothing but fractions is there.",
        lambda d: np.ones(d // 2),
    ),
    Mistake(
        "// after the minus",
        "The logarithm was divided with `//`, which rounds it down to a whole number. "
        "Use `/`.",
        lambda d: np.exp(2 * _pairs(d) * (-np.log(10_000) // d)),
    ),
    Mistake(
        "reciprocal",
        "These are the denominators $10000^{2i/d_{model}}$. The speeds are their "
        "reciprocals: look at the **sign** of the exponent.",
        lambda d: 10_000.0 ** (2 * _pairs(d) / d),
    ),
    Mistake(
        "linear ladder",
        "Your speeds fall in equal **steps**. The formula's fall by equal **ratios**: "
        "it is their logarithms that are evenly spaced.",
        lambda d: np.linspace(1, 1 / 10_000, d // 2),
    ),
    Mistake(
        "2 left outside",
        "The factor 2 still stands outside the exponential: pair 0 has the speed 2, "
        "and it should be 1. The **whole** of $2i$ belongs to the exponent.",
        lambda d: 2 * np.exp(_pairs(d) * (-np.log(10_000) / d)),
    ),
    Mistake(
        "bracket closed early",
        "The bracket of `exp` closes too early: only $2i$ is inside it. The factor "
        "$-\\ln 10000/d_{model}$ belongs to the exponent too.",
        lambda d: torch.exp(2 * torch.arange(d // 2)) * (-math.log(10_000) / d),
    ),
    Mistake(
        "math.exp of a tensor",
        "The product is inside the exponential now. But `math.exp` takes one number, "
        "and this product is a tensor with one number for each pair: which `exp` takes "
        "tensors?",
        lambda d: math.exp(2 * torch.arange(d // 2) * (-math.log(10_000) / d)),
    ),
    Mistake(
        "exponential missing",
        "These are the logarithms of the speeds. One step is missing to come back "
        "from log space.",
        lambda d: 2 * _pairs(d) * (-np.log(10_000) / d),
    ),
    Mistake(
        "d/2 - 1 in the exponent",
        "Your slowest speed is exactly 1/10000: the exponent was divided by "
        "`d_model/2 - 1`, so that the ladder reaches its last rung. The paper divides "
        "by $d_{model}/2$ and stops one rung earlier.",
        lambda d: 10_000.0 ** (-_pairs(d) / (d // 2 - 1)),
    ),
    Mistake(
        "log10 for log",
        "The logarithm and the exponential must have the same base: `exp` undoes the "
        "**natural** logarithm, not that of base ten.",
        lambda d: np.exp(-2 * _pairs(d) / d * np.log10(10_000)),
    ),
    Mistake(
        "slowest first",
        "The order is reversed: pair 0 is the fastest, with one radian a step.",
        lambda d: angular_speeds(d)[::-1],
    ),
    Mistake(
        "pairs from 1",
        "Your pairs count from 1. Pair 0 has the exponent 0, hence the speed 1.",
        lambda d: 10_000.0 ** (-2 * (_pairs(d) + 1) / d),
    ),
    Mistake(
        "ignores d_model",
        "It gives the speeds of `d_model=8` whatever it is asked; take the width from "
        "the argument.",
        lambda d: angular_speeds(8),
    ),
)


# ---------------------------------------------------------------- wrong tables


def _pairs_of_columns(angles):
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(angles), -1)


def _with_speeds(speeds):
    """The table of a wrong set of speeds."""

    def table(max_len, d_model):
        return _pairs_of_columns(np.arange(max_len)[:, None] * speeds(d_model))

    return table


def _exchanged(max_len, d_model):
    pairs = positional_encoding(max_len, d_model).reshape(max_len, -1, 2)
    return pairs[:, :, ::-1].reshape(max_len, -1)


def _halves(max_len, d_model):
    table = positional_encoding(max_len, d_model)
    return np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)


def _sines_only(max_len, d_model):
    table = positional_encoding(max_len, d_model)
    table[:, 1::2] = 0
    return table


def _sines_twice(max_len, d_model):
    table = positional_encoding(max_len, d_model)
    table[:, 1::2] = table[:, 0::2]
    return table


def _degrees(max_len, d_model):
    angles = np.arange(max_len)[:, None] * angular_speeds(d_model)
    return _pairs_of_columns(np.deg2rad(angles))


def _into_degrees(max_len, d_model):
    angles = np.arange(max_len)[:, None] * angular_speeds(d_model)
    return _pairs_of_columns(np.rad2deg(angles))


def _own_speed_for_the_cosine(max_len, d_model):
    column = np.arange(d_model)
    angles = np.arange(max_len)[:, None] * 10_000.0 ** (-column / d_model)
    return np.where(column % 2, np.cos(angles), np.sin(angles))


def _looping(max_len, d_model):
    rows = []
    for row in positional_encoding(max_len, d_model):
        rows.append(row)
    return np.array(rows)


_TABLE_CASES = ((20, 16), (7, 8), (50, 6), (12, 12), (1, 4), (100, 64))
_RIGHT_BUT_LOOPING = "the right table, out of a Python loop"

_NO_TABLE = {
    *("twice the column index", "one speed a column", "ignores d_model"),
    *("bracket closed early", "math.exp of a tensor"),
}


def _columns(max_len):
    return torch.arange(max_len).unsqueeze(1)


def _filled(angles):
    """A table function out of one for the angles, as the notebook writes it.

    Large angles in float32 differ from those in float64, and a missing axis raises
    an error; both look as they do in a student's cell.
    """

    def table(max_len, d_model):
        table = torch.zeros(max_len, d_model)
        table[:, 0::2] = torch.sin(angles(max_len, d_model))
        table[:, 1::2] = torch.cos(angles(max_len, d_model))
        return table

    return table


def _speeds(d_model):
    return 1 / 10_000 ** (torch.arange(0, d_model, 2) / d_model)


def _sentence(name):
    return next(m.sentence for m in _SPEED_MISTAKES if m.name == name)


_TABLE_MISTAKES = (
    Mistake(
        "a loop",
        "Every number is right, but a Python loop still walks through the table. Let "
        "one product of a column `(max_len, 1)` and a row `(d_model // 2,)` make all "
        "the angles at once.",
        _looping,
    ),
    Mistake(
        "half empty",
        "The odd columns are still zero: the sines are in place, the cosines are not.",
        _sines_only,
    ),
    Mistake(
        "sine and cosine exchanged",
        "Sine and cosine have changed places: at position 0 your row begins 1, 0. The "
        "**sine** belongs in the even column $2i$.",
        _exchanged,
    ),
    Mistake(
        "sine twice",
        "The odd columns hold the sine once more; the formula has the **cosine** there.",
        _sines_twice,
    ),
    Mistake(
        "all sines then all cosines",
        "All sines stand on the left and all cosines on the right. In the paper's "
        "table the two columns of a pair are **neighbours**: write into every second "
        "column.",
        _halves,
    ),
    Mistake(
        "taken for degrees",
        "The angles were taken for degrees and turned into radians, but "
        "$pos\\cdot\\theta_i$ is in radians already.",
        _degrees,
    ),
    Mistake(
        "turned into degrees",
        "The angles were turned into degrees; `sin` and `cos` take radians, which they "
        "were before.",
        _into_degrees,
    ),
    Mistake(
        "turned into degrees, in float32",
        "The angles were turned into degrees; `sin` and `cos` take radians, which they "
        "were before.",
        _filled(lambda n, d: torch.rad2deg(_columns(n) * _speeds(d))),
    ),
    Mistake(
        "no column",
        "Positions and speeds both lie in a row, and the two lengths do not fit. Every "
        "position has to meet every speed: give the positions an axis of length 1, so "
        "that they stand in a **column**.",
        _filled(lambda n, d: torch.arange(n) * _speeds(d)),
    ),
    Mistake(
        "the column is a row",
        "Speeds run down and positions run across: the angles have the shape "
        "`(d_model // 2, max_len)`. Positions belong in the **column**, "
        "`(max_len, 1)`.",
        _filled(lambda n, d: torch.arange(n) * _speeds(d).unsqueeze(1)),
    ),
    Mistake(
        "an exponent for each column",
        "There are `d_model` angles for each position, and they do not fit into half "
        "of the columns. A pair of columns shares **one** angle: take only the even "
        "numbers below `d_model` as exponents.",
        _filled(lambda n, d: _columns(n) / 10_000 ** (torch.arange(d) / d)),
    ),
    Mistake(
        "positions and speeds of the notebook",
        "It works for 20 positions and a width of 16, and for nothing else: its angles "
        "come from the cells above. Make positions and speeds from `max_len` and "
        "`d_model`.",
        _filled(lambda n, d: _columns(20) * _speeds(16)),
    ),
    Mistake(
        "speeds of the notebook",
        "Its speeds are always the eight for a width of 16, those of the cells above. "
        "Make them from `d_model`.",
        _filled(lambda n, d: _columns(n) * _speeds(16)),
    ),
    Mistake(
        "positions of the notebook",
        "Its positions are always the 20 of the cells above. Make them from `max_len`.",
        _filled(lambda n, d: _columns(20) * _speeds(d)),
    ),
    Mistake(
        "** before /",
        "Pair 0 turns by $1/d_{model}$ at each position, and should turn by 1: `**` "
        "is done before `/`. Put brackets around the exponent $2i/d_{model}$.",
        _filled(lambda n, d: _columns(n) * (1 / 10_000 ** torch.arange(0, d, 2) / d)),
    ),
    Mistake(
        "angles only",
        "These are the angles: half as many columns as the table. Make an empty table "
        "and write their sines and their cosines into it.",
        lambda n, d: np.arange(n)[:, None] * angular_speeds(d),
    ),
    Mistake(
        "positions from 1",
        "Your first row belongs to position 1. Positions count from 0, where every "
        "angle is zero.",
        lambda n, d: positional_encoding(n + 1, d)[1:],
    ),
    Mistake(
        "one row short",
        "The last position is missing: `max_len` positions run from 0 to "
        "`max_len - 1`, and `arange` stops before its end by itself.",
        lambda n, d: positional_encoding(n + 1, d)[: n - 1],
    ),
    Mistake(
        "one row too many",
        "There is one row too many: `max_len` positions run from 0 to `max_len - 1`.",
        lambda n, d: positional_encoding(n + 1, d),
    ),
    Mistake(
        "ignores max_len",
        "It makes 20 rows whatever `max_len` is; take the number from the argument.",
        lambda n, d: positional_encoding(20, d),
    ),
    Mistake(
        "ignores d_model",
        "It makes 16 columns whatever `d_model` is; take the number from the argument.",
        lambda n, d: positional_encoding(n, 16),
    ),
    Mistake(
        "integer table",
        "The table holds whole numbers: it was made with an integer dtype, and every "
        "sine written into it lost its fraction. Start from a table of floats.",
        lambda n, d: positional_encoding(n, d).astype(int),
    ),
    Mistake(
        "axes exchanged",
        "Positions run along the wrong axis: a **row** should be a position, a "
        "**column** a waveform.",
        lambda n, d: positional_encoding(n, d).T,
    ),
    Mistake(
        "own speed for the cosine",
        "Your cosine columns have speeds of their own, from the odd column's number. "
        "Both columns of a pair share the speed $\\theta_i=10000^{-2i/d_{model}}$.",
        _own_speed_for_the_cosine,
    ),
    *(
        Mistake(m.name, m.sentence, _with_speeds(m.answer))
        for m in _SPEED_MISTAKES
        if m.name not in _NO_TABLE
    ),
    *(
        Mistake(f"{name}, in float32", _sentence(name), _filled(angles))
        for name, angles in (
            (
                "reciprocal",
                lambda n, d: _columns(n) * 10_000 ** (torch.arange(0, d, 2) / d),
            ),
            (
                "product outside",
                lambda n, d: (
                    _columns(n) * (torch.arange(0, d, 2) * math.exp(-math.log(1e4) / d))
                ),
            ),
            (
                "exponential missing",
                lambda n, d: (
                    _columns(n) * (torch.arange(0, d, 2) * (-math.log(1e4) / d))
                ),
            ),
        )
    ),
)


def _has_loop(answer):
    """Whether a Python loop or comprehension is written in the function."""
    codes = [getattr(answer, "__code__", None)]
    while codes:
        code = codes.pop()
        if hasattr(code, "co_code"):
            names = {step.opname for step in dis.get_instructions(code)}
            if any("FOR_ITER" in n or "JUMP_BACKWARD" in n for n in names):
                return True
            codes.extend(code.co_consts)
    return False


def _table_without_loops(answer, max_len, d_model):
    """The answer's table; in the last case a right one must need no loop."""
    table = answer(max_len, d_model)
    if (max_len, d_model) == _TABLE_CASES[-1] and _has_loop(answer):
        right = positional_encoding(max_len, d_model)
        if table is not None and agrees(right, table, 1e-4, 2e-5):
            return _RIGHT_BUT_LOOPING
    return table


@exercise(
    stub="""
        def broadcast_table(max_len, d_model):
            # a column of positions, a row of speeds, and no loop
            ...
        """,
    cases=_TABLE_CASES,
    run=_table_without_loops,
    hints=[
        "Three steps: positions as a column of shape `(max_len, 1)`; one speed for "
        "each pair, shape `(d_model // 2,)`; their product. The product is the only "
        "place where the two meet.",
        "`torch.arange(max_len).unsqueeze(1)` is the column. Make an empty table of "
        "shape `(max_len, d_model)`, then write the sines of the angles into "
        "`table[:, 0::2]` and the cosines into `table[:, 1::2]`.",
        "The speeds: `1 / 10_000 ** (torch.arange(0, d_model, 2) / d_model)`.",
    ],
    mistakes=_TABLE_MISTAKES,
    remark="Any length, any even width, and no loop.",
)
def broadcast_table(max_len, d_model):
    positions = torch.arange(max_len).unsqueeze(1)
    angular_speeds = 1 / 10_000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = positions * angular_speeds
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise(
    stub="""
        def log_space_speeds(d_model):
            pair = torch.arange(d_model // 2)
            return 2 * pair * math.exp(-math.log(10_000.0) / d_model)
        """,
    cases=((8,), (4,), (6,), (16,), (64,), (512,)),
    hints=[
        "Compute by hand for $i=0$. What must the fastest speed be? What does the code "
        "give?",
        "The last line of the derivation has one pair of brackets that the code has "
        "not. What do they hold together?",
        "`2 * pair` belongs **inside** the exponential. It is a tensor then, so the "
        "exponential has to be `torch.exp`.",
    ],
    mistakes=_SPEED_MISTAKES,
    remark="One logarithm, one product, one exponential.",
    atol=1e-7,
)
def log_space_speeds(d_model):
    pair = torch.arange(d_model // 2)
    return torch.exp(2 * pair * (-math.log(10_000.0) / d_model))


def _halves_to_interleave(n, pairs):
    angles = torch.arange(n).unsqueeze(1) + torch.arange(pairs) / 10
    return torch.sin(angles), torch.cos(angles)


def _rows_of_both(sines, cosines):
    return np.stack([sines, cosines], axis=1).reshape(-1, sines.shape[1])


@exercise(
    stub="""
        def interleave(sines, cosines):
            # (n, pairs) and (n, pairs) become (n, 2 * pairs)
            ...
        """,
    cases=[_halves_to_interleave(*size) for size in ((3, 4), (5, 2), (1, 3), (4, 1))],
    hints=[
        "First put every sine beside its cosine, along a **new** axis: from two arrays "
        "of shape `(n, pairs)` to one of shape `(n, pairs, 2)`.",
        "`torch.stack([sines, cosines], dim=2)` makes the new axis. Which call joins "
        "the last two axes into one and leaves the first alone?",
        "`.flatten(1)` joins all axes from the second on; `.reshape(n, -1)` would do "
        "the same.",
    ],
    mistakes=[
        Mistake(
            "all sines then all cosines",
            "All sines stand on the left, all cosines on the right. That is what `cat` "
            "does, and `stack` along axis 1: the new axis has to be the **last** one "
            "before you flatten.",
            lambda s, c: np.concatenate([s, c], axis=1),
        ),
        Mistake(
            "sine and cosine exchanged",
            "The cosine stands before its sine. The first of the list that you stack "
            "comes first.",
            lambda s, c: np.stack([c, s], axis=2).reshape(len(s), -1),
        ),
        Mistake(
            "not flattened",
            "Every sine has met its cosine, but on an axis of their own: the shape is "
            "`(n, pairs, 2)`. Join the last two axes.",
            lambda s, c: np.stack([s, c], axis=2),
        ),
        Mistake(
            "flattened too far",
            "Everything lies in one long line: the axis of positions was flattened "
            "too. Keep axis 0.",
            lambda s, c: np.stack([s, c], axis=2).ravel(),
        ),
        Mistake(
            "rows interleaved",
            "Rows of sines and rows of cosines take turns. It is the **columns** that "
            "should.",
            _rows_of_both,
        ),
        Mistake(
            "one below the other",
            "The cosines stand below the sines. They belong in the same **row**, that "
            "of their position.",
            lambda s, c: np.concatenate([s, c], axis=0),
        ),
        Mistake(
            "stacked along the first axis",
            "The new axis came first, so flattening put all sines of **all positions** "
            "before the cosines. The new axis has to be the last one.",
            lambda s, c: np.stack([s, c]).reshape(len(s), -1),
        ),
        Mistake(
            "stacked along the first axis, then flattened",
            "The new axis came first, and the table has 2 rows. The new axis has to be "
            "the last one before you flatten.",
            lambda s, c: np.stack([s, c]).reshape(2, -1),
        ),
        Mistake(
            "half empty",
            "The odd columns are still zero: the cosines are missing.",
            lambda s, c: np.stack([s, np.zeros_like(s)], axis=2).reshape(len(s), -1),
        ),
        Mistake(
            "sine twice",
            "The odd columns hold the sines once more.",
            lambda s, c: np.stack([s, s], axis=2).reshape(len(s), -1),
        ),
        Mistake(
            "axes exchanged",
            "It is the right table lying on its side: rows are positions.",
            lambda s, c: np.stack([s, c], axis=2).reshape(len(s), -1).T,
        ),
    ],
    remark="No table of zeros was needed, and nothing was overwritten.",
)
def interleave(sines, cosines):
    return torch.stack([sines, cosines], dim=2).flatten(1)


# ---------------------------------------------------------------- equal rows


def _bfloat16_rows(max_len, d_model):
    positions = torch.arange(max_len).to(torch.bfloat16).double().unsqueeze(1)
    angles = positions * torch.from_numpy(angular_speeds(d_model))
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=2).flatten(1)


def _found(answer, table):
    """The pair that the answer finds, as text, whatever holds it."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        pair = answer(table)
    print(said.getvalue(), end="")
    if pair is None:
        found = _all_pairs(table)[:1]
        first = re.findall(r"\d+", said.getvalue())[:2]
        printed = found and first == [str(n) for n in found[0]]
        return f"None, but it prints {found[0]}" if printed else "None"
    if pair is ...:
        return pair
    try:
        numbers = tuple(float(n) for n in pair)
    except (TypeError, ValueError):
        return f"{pair!r}"[:60]
    return f"({', '.join(f'{n:g}' for n in numbers)})"


def _pairs_where(table, same):
    """All pairs p < q of rows that ``same`` takes for equal, the smallest q first."""
    rows = np.asarray(table)
    alike = np.array([same(rows, row) for row in rows])
    return [(int(p), int(q)) for q, p in np.argwhere(np.tril(alike, -1))]


def _all_pairs(table):
    return _pairs_where(table, lambda rows, row: (rows == row).all(axis=1))


def _neighbours(table):
    return next((pair for pair in _all_pairs(table) if pair[1] == pair[0] + 1), None)


def _nearly(table):
    pairs = _pairs_where(table, lambda rows, row: abs(rows - row).max(axis=1) < 1e-4)
    return next(iter(pairs), None)


def _one_number(table):
    pairs = _pairs_where(table, lambda rows, row: (rows == row).any(axis=1))
    return next(iter(pairs), None)


def _first_column(table):
    pairs = _pairs_where(table, lambda rows, row: rows[:, 0] == row[0])
    return next(iter(pairs), None)


def _gives_up(table):
    return next((pair for pair in _all_pairs(table) if pair == (0, 1)), None)


def _objects(table):
    """Tensors as keys: the same numbers, yet never the same key."""
    seen = {}
    for q, row in enumerate(table):
        if tuple(row) in seen:
            return seen[tuple(row)], q
        seen[tuple(row)] = q
    return None


def _printing(table):
    for pair in _all_pairs(table):
        print(*pair)


def _lists(table):
    """Lists as keys, which Python refuses."""
    seen = {}
    for q, row in enumerate(table.tolist()):
        if row in seen:
            return seen[row], q
        seen[row] = q
    return None


def _one_question(table):
    """Rows compared with ``==``, which answers number by number."""
    for q in range(len(table)):
        for p in range(q):
            if table[p] == table[q]:
                return p, q
    return None


@exercise(
    stub="""
        def first_equal_rows(table):
            # (p, q): row q is the first that equals an earlier row, p
            ...
        """,
    cases=[
        (torch.tensor([[0.0, 1.0], [0.8, 0.5], [0.9, -0.4], [0.8, 0.5]]),),
        (torch.tensor([[0.0, 1.0], [0.8, 0.5], [0.8, 0.5], [0.0, 1.0]]),),
        (torch.tensor([[0.0, 1.0, 0.0], [0.0, 1.0, 0.01], [0.0, 1.0, 0.02]]),),
        (torch.tensor([[1.0, 2.0], [1.0, 2.0 + 2**-20], [1.0, 3.0], [2.0, 1.0]]),),
        (torch.tensor([[2.0, 2.0, 5.0], [1.0, 1.0, 5.0], [0.0, 0.0, 5.0]]),),
        (torch.tensor([[3.0, 3.0], [3.0, 3.0], [3.0, 3.0], [3.0, 3.0]]),),
        (_bfloat16_rows(300, 8),),
    ],
    run=_found,
    hints=[
        "Walk down the rows with `q`, and remember every row that you have passed. The "
        "first row that you have **seen before** ends the search.",
        "A dictionary remembers well: the row is its key, the number of the row its "
        "value. A key must compare by its numbers: `tuple(row.tolist())` does, a "
        "tensor does not.",
        "Return `(seen[key], q)` at once when `key in seen`; otherwise `seen[key] = q`. "
        "`None` comes after the loop.",
    ],
    mistakes=[
        Mistake(
            "printed",
            "It prints the pair and returns nothing. Write `return` where `print` "
            "stands; it ends the search, too.",
            _printing,
        ),
        Mistake(
            "a list as key",
            "A list cannot be a key of a dictionary, since a list can change. A tuple "
            "cannot change, and so it can be a key.",
            _lists,
        ),
        Mistake(
            "== of two rows",
            "`==` compares two rows number by number and gives a whole tensor of "
            "answers, but `if` and `in` need one. Ask whether **all** of them are "
            "true.",
            _one_question,
        ),
        Mistake(
            "neighbours only",
            "It compares each row with the one just above it. An equal row can be "
            "further away.",
            _neighbours,
        ),
        Mistake(
            "smallest p",
            "It takes the first row that has an equal row **anywhere below**. The "
            "first repetition was asked for: the pair with the smallest $q$.",
            lambda table: min(_all_pairs(table), default=None),
        ),
        Mistake(
            "last pair",
            "It finds the last pair of equal rows: the search does not stop at the "
            "first.",
            lambda table: next(reversed(_all_pairs(table)), None),
        ),
        Mistake(
            "order of p and q",
            "The pair is the right one, in the wrong order: $p<q$, the earlier row "
            "first.",
            lambda table: next((pair[::-1] for pair in _all_pairs(table)), None),
        ),
        Mistake(
            "rows from 1",
            "Both numbers are one too large: rows count from 0.",
            lambda table: next(((p + 1, q + 1) for p, q in _all_pairs(table)), None),
        ),
        Mistake(
            "a row with itself",
            "It finds a row equal to itself. Compare row $q$ with **earlier** rows "
            "only.",
            lambda table: (0, 0),
        ),
        Mistake(
            "gives up early",
            "It compares the first two rows and gives up. `return None` may stand only "
            "**after** the loop.",
            _gives_up,
        ),
        Mistake(
            "never equal",
            "It never finds equal rows. Two tensors with the same numbers are still "
            "two objects: as keys, or inside a tuple, they do not count as equal. Turn "
            "the row into plain numbers first.",
            _objects,
        ),
        Mistake(
            "nearly equal",
            "It takes rows that are only nearly equal. Ask for equality, number by "
            "number.",
            _nearly,
        ),
        Mistake(
            "one number is enough",
            "It is content when **one** number of the two rows agrees; **all** have "
            "to.",
            _one_number,
        ),
        Mistake(
            "first column only",
            "It compares the first column only. Two rows can agree there and differ "
            "later.",
            _first_column,
        ),
        Mistake(
            "columns",
            "It compares columns. Positions are **rows**.",
            lambda table: next(iter(_all_pairs(np.asarray(table).T)), None),
        ),
    ],
    remark="In the table with bfloat16 positions it stops at rows 256 and 257.",
)
def first_equal_rows(table):
    seen = {}
    for q, row in enumerate(table.tolist()):
        if tuple(row) in seen:
            return seen[tuple(row)], q
        seen[tuple(row)] = q
    return None


# ---------------------------------------------------------------- questions

shape_of_product = Question(
    "shape_of_product",
    "`torch.arange(20)` has shape `(20,)` and `angular_speeds` has shape `(8,)`. What "
    "is `torch.arange(20) * angular_speeds`?",
    [
        Choice(
            "a table of shape `(20, 8)`: every position times every speed",
            "That is what we want, but not what this line says. Broadcasting lines "
            "shapes up from the **right**: 20 stands above 8.",
        ),
        Choice(
            "an error",
            "Shapes are lined up from the right, and 20 does not fit 8. One of the two "
            "needs an axis of length 1.",
            right=True,
        ),
        Choice(
            "a vector of shape `(8,)`: the first eight positions are used",
            "Nothing is ever cut off in silence: two lengths must be equal, or one of "
            "them must be 1.",
        ),
        Choice(
            "a single number, the dot product",
            "`*` multiplies element by element and adds nothing up. (A dot product "
            "would need equal lengths, too.)",
        ),
    ],
    hints=[
        "Write the two shapes one below the other, right-aligned.",
        "In each place the two lengths must be equal, or one of them must be 1.",
    ],
)

most_accurate_route = Question(
    "most_accurate_route",
    "All in float32, at $d_{model}=512$: which route gives the speeds $\\theta_i$ with "
    "the smaller relative error?",
    [
        Choice(
            "`exp` of the logarithm: it avoids large powers, so it must be more exact",
            "A common belief. Large powers do no harm here: a float is as exact at "
            "10000 as at 1. But what is rounded **before** `exp` is magnified by it. "
            "See the next cells.",
        ),
        Choice(
            "neither: it is the same formula, so the rounding is the same",
            "Equal on paper. In floating point each step rounds, and the two routes "
            "round different things.",
        ),
        Choice(
            "`pow`, then divide",
            "It is several times more exact. Both routes round an exponent before they "
            "raise it; `pow` gets a small one, $2i/d_{model}$ below 1, and `exp` one of "
            "up to 9.2, rounded more coarsely.",
            right=True,
        ),
    ],
    hints=[
        "A float32 keeps 24 binary digits. Which numbers does each route round before "
        "its last step?",
        "An error $\\varepsilon$ in $x$ becomes a **relative** error $\\varepsilon$ in "
        "$e^x$. How large is $x$, so how large is its rounding error?",
    ],
)

largest_error = Question(
    "largest_error",
    "The finished table, 5000 positions, float32 throughout. Where are its errors "
    "largest?",
    [
        Choice(
            "far down in the fast columns on the left: large positions, large angles",
            "The angle grows to thousands of radians, and a float32 of that size has "
            "only three or four digits left after the point.",
            right=True,
        ),
        Choice(
            "in the slow columns on the right: their speeds have the largest relative "
            "error",
            "They have, but their angles are small: an error of one part in a million "
            "in an angle of 0.5 is nothing.",
        ),
        Choice(
            "near position 0, where the sines are small",
            "At position 0 every angle is exactly 0, and nothing is rounded at all.",
        ),
        Choice(
            "everywhere alike: the values all lie between -1 and 1",
            "The **values** do. Their angles do not: they run from 0 to 4999, and they "
            "are rounded before the sine is taken.",
        ),
    ],
    hints=[
        "What is rounded: the sine, or the angle that goes into it?",
        "Neighbouring float32 numbers near 4000 are 0.00024 apart, near 0.5 they are "
        "0.00000006 apart.",
    ],
)

rows_in_bfloat16 = Question(
    "rows_in_bfloat16",
    "A model is turned to bfloat16, and the positions 0 to 4999 with it, before the "
    "table is computed. How many **different** rows has the table?",
    [
        Choice(
            "256: there are 8 digits, so 256 numbers",
            "There are 8 *significant* digits; the exponent moves the point. Each "
            "doubling beyond 256 adds 128 numbers more.",
        ),
        Choice(
            "about 800",
            "257 whole numbers up to 256, and then only 128 for each doubling.",
            right=True,
        ),
        Choice(
            "about 2500: from some point on every second position is lost",
            "It begins like that, at 256. But the gaps double again at 512, 1024, 2048 "
            "and 4096.",
        ),
        Choice(
            "5000: a small error in each, but all different",
            "bfloat16 has 8 significant binary digits. Above 256 it cannot even hold "
            "every whole number, so some positions become the same number.",
        ),
    ],
    hints=[
        "8 significant binary digits: every whole number up to 256 fits. What is the "
        "next one that does?",
        "From 256 to 512 the numbers lie 2 apart, from 512 to 1024 they lie 4 apart, "
        "and so on: how many in each stretch?",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
