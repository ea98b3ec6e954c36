"""Exercises of notebook 02: the table by one broadcast, in log space."""

import contextlib
import io
import math
import re

import numpy as np
import torch

from helpers.encoding import angular_speeds as true_speeds
from helpers.exercises.core import (
    Choice,
    Mistake,
    Question,
    Slip,
    collect,
    exercise,
    no_loop,
)

# ------------------------------------------- wrong speeds, alone or in a table

_SAID = {
    "product outside": "The product $2i$ is outside the exponential, so the speeds grow "
    "in a straight line: $0, 0.63, 1.26, \\dots$ at $d_{model}=8$. A power inside the "
    "exponential is a **product inside its brackets**: look at where the closing "
    "bracket of `exp` is.",
    "column index": "The exponent is twice $2i/d_{model}$, so the speeds fall twice as "
    "fast as they should. The formula's $i$ counts **pairs**: an $i$ that counts columns "
    "is doubled once too often, and dividing by the number of pairs does the same.",
    "one speed per column": "There are `d_model` speeds, one for each column. The sine "
    "and the cosine of a pair share **one** speed, that of the even column.",
    "i/d for 2i/d": "The speeds are those of $i/d_{model}$ where the formula has "
    "$2i/d_{model}$: every pair but the first turns too fast. (A base of 100 in place "
    "of 10000 does the same.)",
    "// for /": "Every speed is 1, as it is where `//` or `int` drops the fractions of the "
    "exponents: use `/`. Or are the speeds not used?",
    "reciprocal": "These are the denominators $10000^{2i/d_{model}}$. The speeds are "
    "their reciprocals: look at the **sign** of the exponent.",
    "linear ladder": "Your speeds fall in equal **steps**. The formula's fall by equal "
    "**ratios**: it is their logarithms that are evenly spaced.",
    "2 left outside": "The factor 2 is still outside the exponential: pair 0 has the "
    "speed 2, and it should be 1. The **whole** of $2i$ belongs to the exponent.",
    "exponential missing": "These are the logarithms of the speeds. One step is missing "
    "to come back from log space.",
    "d/2 - 1 in the exponent": "Your slowest speed is exactly 1/10000, as if $i$ were "
    "divided by `d_model/2 - 1`: the ladder reaches its last rung. The paper's formula "
    "divides by $d_{model}/2$ and stops one rung earlier.",
    "log10 for log": "The logarithm and the exponential must have the same base: `exp` "
    "undoes the **natural** logarithm, not that of base ten.",
    "slowest first": "The order is reversed: pair 0 is the fastest, with one radian per "
    "position.",
    "pairs from 1": "Your pairs count from 1. Pair 0 has the exponent 0, hence the "
    "speed 1.",
}

_SPEEDS = "torch.exp(2 * pair * (-math.log(10_000.0) / d_model))"
_IN_TABLE = "1 / 10_000 ** (torch.arange(0, d_model, 2) / d_model)"
_RATIO = "torch.arange(0, d_model, 2) / d_model"


def _slip(name, edits):
    return Slip(name, _SAID[name], edits)


# ---------------------------------------------------------------- the table


shape_of_product = Question(
    "shape_of_product",
    "`torch.arange(20)` has shape `(20,)` and `angular_speeds` has shape `(8,)`. What "
    "is `torch.arange(20) * angular_speeds`?",
    [
        Choice(
            "a table of shape `(20, 8)`: every position times every speed",
            "That is what we want, but not what this line says. Broadcasting lines "
            "shapes up from the **right**: 20 is above 8.",
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
        Choice(
            "an error",
            "Shapes are lined up from the right, and 20 does not fit 8. One of the two "
            "needs an axis of length 1.",
            right=True,
        ),
    ],
    hints=[
        "Write the two shapes one below the other, right-aligned.",
        "In each place the two lengths must be equal, or one of them must be 1.",
    ],
)


def _sine_rows_and_cosine_rows(max_len, d_model):
    column = torch.arange(d_model) // 2 * 2
    angles = torch.arange(max_len).unsqueeze(1) / 10_000 ** (column / d_model)
    even = (torch.arange(max_len) % 2 == 0).unsqueeze(1)
    return torch.where(even, torch.sin(angles), torch.cos(angles))


@exercise(
    stub="""
        def broadcast_table(max_len, d_model):
            # a column of positions, a row of speeds, and no loop
            ...
        """,
    cases=((20, 16), (7, 8), (50, 6), (12, 12), (1, 4), (100, 64), (300, 4)),
    hints=[
        "Three steps: positions as a column of shape `(max_len, 1)`; one speed for "
        "each pair, shape `(d_model // 2,)`; their product. The product is the only "
        "place where the two meet.",
        "`torch.arange(max_len).unsqueeze(1)` is the column. Make an empty table of "
        "shape `(max_len, d_model)`, then write the sines of the angles into "
        "`table[:, 0::2]` and the cosines into `table[:, 1::2]`.",
        "The speeds: `1 / 10_000 ** (torch.arange(0, d_model, 2) / d_model)`.",
    ],
    mistakes=[
        Slip(
            "odd columns empty",
            "The odd columns are still zero: the sines are in place, the cosines are "
            "not.",
            {"    table[:, 1::2] = torch.cos(angles)\n": ""},
        ),
        Slip(
            "sine and cosine swapped",
            "Sine and cosine are swapped: at position 0 your row begins 1, 0. The "
            "**sine** belongs in the even column $2i$.",
            {"torch.sin": "torch.cos", "torch.cos": "torch.sin"},
        ),
        Slip(
            "sine twice",
            "The odd columns hold the sine once more; the formula has the **cosine** "
            "there.",
            {"torch.cos": "torch.sin"},
        ),
        Mistake(
            "sine rows and cosine rows",
            "Sine and cosine take turns from row to row. They should from **column** to "
            "column: every row has both.",
            lambda max_len, d_model: _sine_rows_and_cosine_rows(max_len, d_model),
        ),
        Slip(
            "all sines then all cosines",
            "All sines are on the left and all cosines on the right. In the paper's "
            "table the two columns of a pair are **neighbours**: write into every "
            "second column.",
            {"0::2": ": d_model // 2", "1::2": "d_model // 2 :"},
        ),
        Slip(
            "taken for degrees",
            "The angles were taken for degrees and turned into radians, but "
            "$pos\\cdot\\theta_i$ is in radians already.",
            {"positions * angular_speeds": "torch.deg2rad(positions * angular_speeds)"},
        ),
        Slip(
            "turned into degrees",
            "The angles were turned into degrees; `sin` and `cos` take radians, which "
            "they were before.",
            {"positions * angular_speeds": "torch.rad2deg(positions * angular_speeds)"},
        ),
        Slip(
            "no column",
            "Positions and speeds are both rows, and the two lengths do not fit. Every "
            "position has to meet every speed: give the positions an axis of length 1, "
            "so that they form a **column**.",
            {".unsqueeze(1)": ""},
        ),
        Slip(
            "the column is a row",
            "Speeds run down and positions run across: the angles have the shape "
            "`(d_model // 2, max_len)`. Positions belong in the **column**, "
            "`(max_len, 1)`.",
            {".unsqueeze(1)": "", "2) / d_model)": "2) / d_model).unsqueeze(1)"},
        ),
        Slip(
            "an exponent for each column",
            "There are `d_model` angles for each position, and they do not fit into half "
            "of the columns. A pair of columns shares **one** angle: take only the even "
            "numbers below `d_model` as exponents.",
            {"torch.arange(0, d_model, 2)": "torch.arange(d_model)"},
        ),
        Slip(
            "positions and speeds of the notebook",
            "Its angles are always those of 20 positions and a width of 16, as in the "
            "cells above. Make positions and speeds from `max_len` and `d_model`.",
            {"arange(max_len)": "arange(20)", _RATIO: "torch.arange(0, 16, 2) / 16"},
        ),
        Slip(
            "speeds of the notebook",
            "Its speeds are always the eight for a width of 16, those of the cells "
            "above. Make them from `d_model`.",
            {_RATIO: "torch.arange(0, 16, 2) / 16"},
        ),
        Slip(
            "positions of the notebook",
            "Its positions are always the 20 of the cells above. Make them from "
            "`max_len`.",
            {"arange(max_len)": "arange(20)"},
        ),
        Slip(
            "** before /",
            "Pair 0 turns by $1/d_{model}$ at each position, and should turn by 1: `**` "
            "is done before `/`. Put brackets around the exponent $2i/d_{model}$.",
            {f"({_RATIO})": _RATIO},
        ),
        Slip(
            "angles only",
            "These are the angles: half as many columns as the table. Make an empty "
            "table and write their sines and their cosines into it.",
            {"return table": "return angles"},
        ),
        Slip(
            "positions from 1",
            "Your first row belongs to position 1. Positions count from 0, where every "
            "angle is zero.",
            {"arange(max_len)": "arange(1, max_len + 1)"},
        ),
        Slip(
            "one row short",
            "The last position is missing: `max_len` positions run from 0 to "
            "`max_len - 1`, and `arange` stops before its end by itself.",
            {
                "arange(max_len)": "arange(max_len - 1)",
                "zeros(max_len": "zeros(max_len - 1",
            },
        ),
        Slip(
            "one row too many",
            "There is one row too many: `max_len` positions run from 0 to "
            "`max_len - 1`.",
            {
                "arange(max_len)": "arange(max_len + 1)",
                "zeros(max_len": "zeros(max_len + 1",
            },
        ),
        Slip(
            "ignores max_len",
            "It makes 20 rows whatever `max_len` is; take the number from the argument.",
            {"arange(max_len)": "arange(20)", "zeros(max_len": "zeros(20"},
        ),
        Slip(
            "ignores d_model",
            "It makes 16 columns whatever `d_model` is; take the number from the "
            "argument.",
            {
                _RATIO: "torch.arange(0, 16, 2) / 16",
                "max_len, d_model)\n    table[:, 0": "max_len, 16)\n    table[:, 0",
            },
        ),
        Slip(
            "integer table",
            "The table holds whole numbers: every sine has lost its fraction, as it does "
            "when it is written into a table of an integer dtype. Start from a table of "
            "floats.",
            {
                "torch.zeros(max_len, d_model)": "torch.zeros(max_len, d_model, dtype=int)"
            },
        ),
        Slip(
            "rows and columns swapped",
            "Positions run along the wrong axis: a **row** should be a position, a "
            "**column** a waveform.",
            {"return table": "return table.T"},
        ),
        Slip(
            "own speed for the cosine",
            "Your cosine columns have speeds of their own, from the odd column's number. "
            "Both columns of a pair share the speed $\\theta_i=10000^{-2i/d_{model}}$.",
            {
                "torch.cos(angles)": "torch.cos(positions / 10_000 ** "
                "(torch.arange(1, d_model, 2) / d_model))"
            },
        ),
        _slip("column index", {_RATIO: f"2 * {_RATIO}"}),
        _slip("i/d for 2i/d", {_RATIO: "torch.arange(d_model // 2) / d_model"}),
        _slip("// for /", {"2) / d_model": "2) // d_model"}),
        _slip("reciprocal", {"1 / 10_000": "10_000"}),
        _slip(
            "product outside",
            {
                _IN_TABLE: "torch.arange(0, d_model, 2) * "
                "math.exp(-math.log(10_000.0) / d_model)"
            },
        ),
        _slip(
            "exponential missing",
            {
                _IN_TABLE: "torch.arange(0, d_model, 2) * "
                "(-math.log(10_000.0) / d_model)"
            },
        ),
        _slip(
            "2 left outside",
            {
                _IN_TABLE: "2 * torch.exp(torch.arange(d_model // 2) * "
                "(-math.log(10_000.0) / d_model))"
            },
        ),
        _slip(
            "linear ladder", {_IN_TABLE: "torch.linspace(1, 1 / 10_000, d_model // 2)"}
        ),
        _slip(
            "d/2 - 1 in the exponent",
            {_RATIO: "torch.arange(d_model // 2) / (d_model // 2 - 1)"},
        ),
        _slip(
            "log10 for log",
            {
                _IN_TABLE: "torch.exp(torch.arange(0, d_model, 2) * "
                "(-math.log10(10_000.0) / d_model))"
            },
        ),
        _slip("slowest first", {"* angular_speeds": "* angular_speeds.flip(0)"}),
        _slip("pairs from 1", {"arange(0, d_model, 2)": "arange(2, d_model + 1, 2)"}),
    ],
    demands=[
        no_loop(
            "Every number is right, but there is a Python loop: `{}`. One product of a "
            "column `(max_len, 1)` and a row `(d_model // 2,)` makes all the angles at "
            "once."
        )
    ],
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


# ---------------------------------------------------------------- the speeds


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
        "The last line of the derivation has one pair of brackets that the code does "
        "not have. What do they hold together?",
        "`2 * pair` belongs **inside** the exponential. It is a tensor then, so the "
        "exponential has to be `torch.exp`.",
    ],
    mistakes=[
        _slip(
            "product outside",
            {
                _SPEEDS: "torch.arange(0, d_model, 2) * "
                "math.exp(-math.log(10_000.0) / d_model)"
            },
        ),
        _slip(
            "column index",
            {"torch.arange(d_model // 2)": "torch.arange(0, d_model, 2)"},
        ),
        _slip(
            "one speed per column",
            {"torch.arange(d_model // 2)": "torch.arange(d_model)", "2 * pair": "pair"},
        ),
        Slip(
            "twice the column index",
            "There are `d_model` speeds, one for each column. A pair of columns shares "
            "**one** speed, so half as many are asked for.",
            {"torch.arange(d_model // 2)": "torch.arange(d_model)"},
        ),
        _slip("i/d for 2i/d", {"2 * pair": "pair"}),
        _slip("// for /", {_SPEEDS: "10_000.0 ** -(2 * pair // d_model)"}),
        Slip(
            "// after the minus",
            "The logarithm was divided with `//`, which rounds it down to a whole "
            "number. Use `/`.",
            {"/ d_model": "// d_model"},
        ),
        _slip("reciprocal", {"(-math": "(math"}),
        _slip(
            "linear ladder", {_SPEEDS: "torch.linspace(1, 1 / 10_000, d_model // 2)"}
        ),
        _slip("2 left outside", {"torch.exp(2 * pair": "2 * torch.exp(pair"}),
        Slip(
            "bracket closed early",
            "The bracket of `exp` closes too early: only $2i$ is inside it. The factor "
            "$-\\ln 10000/d_{model}$ belongs to the exponent too.",
            {"exp(2 * pair": "exp(2 * pair)", "d_model))": "d_model)"},
        ),
        Slip(
            "math.exp of a tensor",
            "A tensor with one number for each pair stands where one single number is "
            "asked for. The functions of `math` take one number, `math.exp` for "
            "example: which `exp` takes tensors?",
            {"torch.exp": "math.exp"},
        ),
        _slip("exponential missing", {"torch.exp(2": "(2"}),
        _slip(
            "d/2 - 1 in the exponent",
            {"2 * pair": "pair", "/ d_model": "/ (d_model // 2 - 1)"},
        ),
        _slip("log10 for log", {"math.log(": "math.log10("}),
        _slip("slowest first", {"d_model))": "d_model)).flip(0)"}),
        _slip(
            "pairs from 1",
            {"torch.arange(d_model // 2)": "torch.arange(1, d_model // 2 + 1)"},
        ),
        Slip(
            "ignores d_model",
            "It gives the speeds of `d_model=8` whatever it is asked; take the width "
            "from the argument.",
            {"d_model // 2": "4", "/ d_model": "/ 8"},
        ),
    ],
    remark="One logarithm, one product, one exponential.",
    atol=1e-7,
)
def log_space_speeds(d_model):
    pair = torch.arange(d_model // 2)
    return torch.exp(2 * pair * (-math.log(10_000.0) / d_model))


# ---------------------------------------------------------------- interleave


def _sines_and_cosines(n, pairs):
    angles = torch.arange(n).unsqueeze(1) + torch.arange(pairs) / 10
    return torch.sin(angles), torch.cos(angles)


_STACKED = "torch.stack([sines, cosines], dim=2).flatten(1)"


@exercise(
    stub="""
        def interleave(sines, cosines):
            # (n, pairs) and (n, pairs) become (n, 2 * pairs)
            ...
        """,
    cases=[
        _sines_and_cosines(*size) for size in ((3, 4), (5, 2), (1, 3), (4, 1), (2, 9))
    ],
    hints=[
        "First put every sine beside its cosine, along a **new** axis: from two arrays "
        "of shape `(n, pairs)` to one of shape `(n, pairs, 2)`.",
        "`torch.stack([sines, cosines], dim=2)` makes the new axis. Which call joins "
        "the last two axes into one and leaves the first alone?",
        "`.flatten(1)` joins all axes from the second on; `.reshape(n, -1)` would do "
        "the same.",
    ],
    mistakes=[
        Slip(
            "all sines then all cosines",
            "All sines are on the left, all cosines on the right. They should take turns: "
            "each sine, then the cosine of the same pair. Along a new **last** axis the "
            "two are neighbours; then flatten.",
            {
                "stack([sines, cosines], dim=2).flatten(1)": "cat([sines, cosines], dim=1)"
            },
        ),
        Slip(
            "sine and cosine swapped",
            "The cosine comes before its sine: in each pair of columns the sine is the "
            "first.",
            {"[sines, cosines]": "[cosines, sines]"},
        ),
        Slip(
            "not flattened",
            "Every sine has met its cosine, but on an axis of their own: the shape is "
            "`(n, pairs, 2)`. Join the last two axes.",
            {".flatten(1)": ""},
        ),
        Slip(
            "flattened too far",
            "Everything is in one long row: the axis of positions was flattened too. "
            "Keep axis 0.",
            {".flatten(1)": ".flatten()"},
        ),
        Slip(
            "a row per pair",
            "Each row holds one pair now. A row should be a **position**, with all its "
            "pairs: keep axis 0 and join the other two.",
            {".flatten(1)": ".reshape(-1, 2)"},
        ),
        Slip(
            "rows interleaved",
            "Rows of sines and rows of cosines take turns. It is the **columns** that "
            "should.",
            {"dim=2).flatten(1)": "dim=1).flatten(0, 1)"},
        ),
        Slip(
            "one below the other",
            "The cosines are below the sines. They belong in the same **row**, that of "
            "their position.",
            {"stack([sines, cosines], dim=2).flatten(1)": "cat([sines, cosines])"},
        ),
        Slip(
            "stacked along the first axis",
            "All sines of **all positions** come before the first cosine. With `stack`, "
            "the new axis has to be the last one: then each sine has its cosine beside "
            "it.",
            {"dim=2).flatten(1)": "dim=0).reshape(len(sines), -1)"},
        ),
        Slip(
            "stacked along the first axis, then flattened",
            "The table has 2 rows, one with all sines and one with all cosines. With "
            "`stack`, the new axis has to be the last one before you flatten.",
            {"dim=2": "dim=0"},
        ),
        Slip(
            "odd columns empty",
            "The odd columns are still zero: the cosines are missing.",
            {"[sines, cosines]": "[sines, torch.zeros_like(sines)]"},
        ),
        Slip(
            "sine twice",
            "The odd columns hold the sines once more.",
            {"[sines, cosines]": "[sines, sines]"},
        ),
        Slip(
            "added up",
            "Sines and cosines are added up. Keep both: they take turns as columns.",
            {_STACKED: "sines + cosines"},
        ),
        Slip(
            "rows and columns swapped",
            "It is the right table turned on its side: rows are positions.",
            {"flatten(1)": "flatten(1).T"},
        ),
    ],
    remark="No table of zeros was needed, and nothing was overwritten.",
)
def interleave(sines, cosines):
    return torch.stack([sines, cosines], dim=2).flatten(1)


cost_of_the_loop = Question(
    "cost_of_the_loop",
    "`loop_table` fills a torch tensor cell by cell, and is hundreds of times slower than "
    "one broadcast. Where does most of its time go?",
    [
        Choice(
            "into writing each number into the tensor",
            "`table[pos, 2 * i] = …` goes through the whole machinery of a tensor "
            "operation, for a single number. The same loop over plain Python lists is "
            "many times faster, and still much slower than the broadcast.",
            right=True,
        ),
        Choice(
            "into Python itself, which interprets every step of the loop",
            "A common guess. But a loop with the very same steps that fills Python lists "
            "needs a small fraction of the time: see the bars.",
        ),
        Choice(
            "into the powers, the sines and the cosines",
            "The loop over Python lists computes exactly the same powers, sines and "
            "cosines, in a small fraction of the time.",
        ),
    ],
    hints=[
        "Imagine the same two loops, filling Python lists in place of a tensor. Which of "
        "the three costs would be gone?",
        "How long may one assignment into a tensor take: as long as one `math.sin`, or "
        "much longer?",
    ],
)


# ---------------------------------------------------------------- equal rows


rows_in_bfloat16 = Question(
    "rows_in_bfloat16",
    "A model is cast to bfloat16, and the positions 0 to 4999 with it, before the table "
    "is computed. How many **different** rows does the table have?",
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
        "From 256 to 512 the numbers are 2 apart, from 512 to 1024 they are 4 apart, "
        "and so on: how many in each stretch?",
    ],
)


def _bfloat16_rows(max_len, d_model):
    positions = torch.arange(max_len).to(torch.bfloat16).double().unsqueeze(1)
    angles = positions * torch.from_numpy(true_speeds(d_model))
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=2).flatten(1)


def _rows(*rows):
    return torch.tensor(rows, dtype=torch.float64)


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


def _nearly(table):
    pairs = _pairs_where(table, lambda rows, row: abs(rows - row).max(axis=1) < 1e-4)
    return next(iter(pairs), None)


def _alike_in_print(table):
    seen = {}
    for q, row in enumerate(torch.as_tensor(table)):
        if str(row) in seen:
            return seen[str(row)], q
        seen[str(row)] = q
    return None


def _one_number(table):
    pairs = _pairs_where(table, lambda rows, row: (rows == row).any(axis=1))
    return next(iter(pairs), None)


def _gives_up(table):
    return next((pair for pair in _all_pairs(table) if pair == (0, 1)), None)


def _one_question(table):
    """Rows compared with ``==``, which answers number by number."""
    for q in range(len(table)):
        for p in range(q):
            if table[p] == table[q]:
                return p, q
    return None


def _keys(key):
    """The edits that make the key of a row in the solution another one."""
    return {
        "if tuple(row) in": f"if {key} in",
        "seen[tuple(row)], q": f"seen[{key}], q",
        "seen[tuple(row)] = q": f"seen[{key}] = q",
    }


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
        (_rows([0.5, 1.0], [0.5, 1 - 2**-40], [0.5, 1.0]),),
        (torch.tensor([[4, 1, 7], [5, 5, 2], [7, 4, 1]]),),
        (torch.tensor([[4, 1]]),),
        (_rows([0.5, 1.25], [0.5, 1.25 + 2**-20]),),
        (_rows([0.0, 1.0], [0.8, 0.5], [0.0, 1.0], [0.9, -0.4]),),
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
        Slip(
            "printed",
            "It prints the pair and returns nothing. Write `return` in place of "
            "`print`; it ends the search, too.",
            {"return seen[tuple(row)], q": "print(seen[tuple(row)], q)"},
        ),
        Slip(
            "a list as key",
            "A list cannot be a key of a dictionary, since a list can change. A tuple "
            "cannot change, and so it can be a key.",
            _keys("row"),
        ),
        Mistake(
            "== of two rows",
            "`==` compares two rows number by number and gives a whole tensor of "
            "answers, but `if` and `in` need one. Ask whether **all** of them are "
            "true.",
            _one_question,
        ),
        Slip(
            "neighbours only",
            "It compares each row with the one just above it. An equal row can be "
            "further away.",
            {"seen[tuple(row)] = q": "seen = {tuple(row): q}"},
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
            "last repetition",
            "It finds the last row that equals an earlier one: the search does not stop "
            "at the first. (`break` leaves one loop, the inner one.)",
            lambda table: min(
                (
                    pair
                    for pair in _all_pairs(table)
                    if pair[1] == _all_pairs(table)[-1][1]
                ),
                default=None,
            ),
        ),
        Slip(
            "order of p and q",
            "The pair is the right one, in the wrong order: $p<q$, the earlier row "
            "first.",
            {"return seen[tuple(row)], q": "return q, seen[tuple(row)]"},
        ),
        Slip(
            "only q",
            "That is the repeated row, $q$, alone. Return the pair `(p, q)`: the earlier "
            "row, which it equals, comes first.",
            {"return seen[tuple(row)], q": "return q"},
        ),
        Mistake(
            "a list of pairs",
            "It returns a list of all pairs of equal rows. Only the first is asked for: "
            "`(p, q)` itself, or `None`.",
            _all_pairs,
        ),
        Slip(
            "a pair of None",
            "Where all rows differ, return `None`, not a pair of them.",
            {"return None": "return None, None"},
        ),
        Slip(
            "rows from 1",
            "Both numbers are one too large: rows count from 0.",
            {"table.tolist()": "table.tolist(), 1"},
        ),
        Slip(
            "skips row 0",
            "Row 0 is left out of the search: a row equal to it is not found.",
            {"table.tolist()": "table.tolist()[1:], 1"},
        ),
        Slip(
            "skips the last row",
            "The last row is left out of the search. `range` stops before its end by "
            "itself.",
            {"table.tolist()": "table.tolist()[:-1]"},
        ),
        Slip(
            "a row with itself",
            "It finds a row equal to itself. Compare row $q$ with **earlier** rows "
            "only.",
            {"        if tuple": "        seen[tuple(row)] = q\n        if tuple"},
        ),
        Mistake(
            "gives up early",
            "It compares the first two rows and gives up. `return None` may stand only "
            "**after** the loop.",
            _gives_up,
        ),
        Slip(
            "never equal",
            "It finds no equal rows in any table. If your rows are tensors: two tensors "
            "with the same numbers are still two objects, and as keys, or inside a tuple, "
            "they do not count as equal. Turn the row into plain numbers first.",
            {"table.tolist()": "table"},
        ),
        Mistake(
            "nearly equal",
            "It takes rows that are only nearly equal. Ask for equality, number by "
            "number.",
            _nearly,
        ),
        Mistake(
            "printed rows",
            "It takes rows for equal that look the same when they are *printed*: text "
            "shows a few digits of each number. Compare the numbers themselves.",
            _alike_in_print,
        ),
        Mistake(
            "one number is enough",
            "It is content when **one** number of the two rows agrees; **all** have "
            "to.",
            _one_number,
        ),
        Slip(
            "first column only",
            "It compares the first column only. Two rows can agree there and differ "
            "later.",
            _keys("row[0]"),
        ),
        Slip(
            "sums of rows",
            "It compares the sums of the rows. Two rows can have the same sum and yet "
            "differ.",
            _keys("sum(row)"),
        ),
        Slip(
            "lengths of rows",
            "It compares the lengths of the rows. Two rows can be equally long and yet "
            "differ.",
            _keys("sum(x * x for x in row)"),
        ),
        Slip(
            "fewer digits first",
            "Rows that differ in a late digit count as equal: by $2^{-40}$ they do not "
            "in float32, for example. Compare the numbers as they are.",
            {"table.tolist()": "table.float().tolist()"},
        ),
        Slip(
            "the row above",
            "$p$ is the earlier row that row $q$ *equals*, and not always the one just "
            "above it.",
            {"return seen[tuple(row)], q": "return q - 1, q"},
        ),
        Slip(
            "rows as sets",
            "It compares rows as sets, and a set forgets the order: (1, 2) and (2, 1) "
            "are two rows.",
            _keys("frozenset(row)"),
        ),
        Slip(
            "columns",
            "It compares columns. Positions are **rows**.",
            {"table.tolist()": "table.T.tolist()"},
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
            "only three or four decimal digits left after the point.",
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


EXERCISES = collect(globals())
progress = EXERCISES.progress
