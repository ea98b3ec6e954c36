"""Exercises of notebook 04: the geometry of distance."""

import functools
import itertools
import math

import numpy as np

from helpers.encoding import encode_with_bases, positional_encoding
from helpers.exercises import running
from helpers.exercises.core import (
    Choice,
    Demand,
    Mistake,
    Question,
    Slip,
    collect,
    exercise,
    no_loop,
    plain_call,
)
from helpers.exercises.demands import most_numbers_at_once


def _speeds(d_model):
    return 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)


def _forms(name, sentence, *edits):
    """One mistake that students write in several ways."""
    return [Slip(name, sentence, edit) for edit in edits]


def _quiet_root(values):
    """As `np.sqrt`, without its warning: not a number below zero."""
    return np.where(values < 0, np.nan, np.sqrt(np.abs(values)))


def _cosine_similarity(table):
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    return unit @ unit.T


def _squares_by_products(table, squares):
    return squares[:, None] + squares - 2 * table @ table.T


def _near_twins():
    """Forty rows, each two of them so near that rounding decides the sign of
    |a|² + |b|² − 2 a·b, however the squares are computed."""
    table = np.repeat(positional_encoding(20, 64), 2, axis=0)
    return table + 1e-9 * np.random.default_rng(0).normal(size=table.shape)


_DIFFERENCES = "table[:, None, :] - table[None, :, :]"
_LENGTHS = "np.sqrt((differences**2).sum(axis=-1))"


@exercise(
    stub="""
    def distance_matrix(table):
        # Euclidean distance between every two rows, shape (n, n); no loops
        ...
    """,
    cases=[
        (positional_encoding(5, 8),),
        (encode_with_bases(8, [4, 5, 7]),),
        (positional_encoding(12, 64),),
        (np.array([[3.0, 0, 4], [0, 5, 0], [1, 2, 2]]),),
        (_near_twins(),),
    ],
    demands=[
        no_loop(
            "Every distance is right, but a loop in Python walks through the rows: `{}`. "
            "Let broadcasting make all the differences at once, from the shapes "
            "`(n, 1, width)` and `(1, n, width)`.",
        )
    ],
    hints=[
        "Give the table two shapes, `(n, 1, width)` and `(1, n, width)`: their "
        "difference has the shape `(n, n, width)`.",
        "Square the differences, sum over the last axis, take the root.",
    ],
    mistakes=[
        Slip(
            "no root",
            "These are the squared distances: the root is missing.",
            {_LENGTHS: "(differences**2).sum(axis=-1)"},
        ),
        Slip(
            "wrong axis",
            "These are distances between **columns**. Sum over the columns, so that "
            "one number is left for every two rows.",
            {_DIFFERENCES: "table.T[:, None, :] - table.T[None, :, :]"},
        ),
        Slip(
            "summed over rows",
            "The sum runs over an axis of positions. Sum over the last axis, the "
            "columns.",
            {"axis=-1": "axis=0"},
        ),
        Slip(
            "one number for all",
            "This is one number for the whole table: the sum runs over all axes. Sum "
            "over the columns only, `axis=-1`.",
            {"axis=-1": ""},
        ),
        Slip(
            "neighbours only",
            "These are the distances of neighbouring rows. Compare every row with every "
            "other one.",
            {_DIFFERENCES: "np.diff(table, axis=0)"},
        ),
        Slip(
            "half of the matrix",
            "Only the entries above the diagonal are there. From q to p it is as far as "
            "from p to q: fill both halves.",
            {_LENGTHS: f"np.triu({_LENGTHS})"},
        ),
        Slip(
            "absolute differences",
            "The differences enter by their absolute values. The Euclidean distance "
            "squares the differences, sums, and takes the root.",
            {"np.sqrt((differences**2)": "(np.abs(differences)"},
        ),
        Mistake(
            "not squared",
            "The differences were summed without being squared, so that some sums are "
            "negative and have no root. Square first.",
            lambda table: _quiet_root((table[:, None] - table).sum(axis=-1)),
        ),
        Mistake(
            "positions, not rows",
            "This is $|p - q|$, the difference of the positions. Compare the rows of "
            "the table.",
            lambda table: np.abs(np.subtract.outer(*[np.arange(len(table))] * 2)) * 1.0,
        ),
        Slip(
            "mean, not sum",
            "It is an average over the columns. Sum over them.",
            {".sum(": ".mean("},
        ),
        Mistake(
            "dot products",
            "These are dot products: large where rows are alike. A distance is zero "
            "there.",
            lambda table: table @ table.T,
        ),
        *(
            Mistake(
                "root of a negative number",
                "Right but for rounding: where two rows are nearly equal, "
                "$|a|^2+|b|^2-2\\,a\\cdot b$ can come out slightly below zero, and its "
                "root is `nan`. Cut it off at 0 (`np.maximum`), or square differences.",
                answer,
            )
            for answer in (
                lambda t: _quiet_root(_squares_by_products(t, (t**2).sum(axis=1))),
                lambda t: _quiet_root(_squares_by_products(t, np.diag(t @ t.T))),
            )
        ),
        Mistake(
            "cosine similarity",
            "This is the cosine similarity: 1 where rows are alike. A distance is "
            "zero there.",
            _cosine_similarity,
        ),
        Mistake(
            "cosine distance",
            "This is one minus the cosine similarity, not the Euclidean distance.",
            lambda table: 1 - _cosine_similarity(table),
        ),
        Mistake(
            "difference of the lengths",
            "This is the difference of the two rows' lengths. The distance is the "
            "length of their difference: subtract first.",
            lambda table: np.abs(
                np.subtract.outer(*[np.linalg.norm(table, axis=1)] * 2)
            ),
        ),
        Mistake(
            "from row 0 alone",
            "It measures the distances from row 0 and takes them for those of all rows "
            "as far apart. That is so for encodings; here the table may hold any rows.",
            lambda table: np.linalg.norm(table - table[0], axis=1)[
                np.abs(np.subtract.outer(*[np.arange(len(table))] * 2))
            ],
        ),
        *(
            Mistake(
                "rows taken for encodings",
                "Right only for rows with the squared norm $d_{model}/2$, as those of "
                "the encoding have: $d_{model}-2\\,a\\cdot b$. For any table, it is "
                "$|a|^2+|b|^2-2\\,a\\cdot b$.",
                answer,
            )
            for answer in (
                lambda t: np.sqrt(np.maximum(t.shape[1] - 2 * t @ t.T, 0)),
                lambda t: np.sqrt(np.abs(t.shape[1] - 2 * t @ t.T)),
                lambda t: _quiet_root(t.shape[1] - 2 * t @ t.T),
            )
        ),
        Slip(
            "largest difference",
            "This takes the largest difference of a column. Use all columns: square, "
            "sum, root.",
            {_LENGTHS: "np.abs(differences).max(axis=-1)"},
        ),
    ],
    atol=2e-3,  # the route by dot products in float32 is no better on the diagonal
    remark="Zero on the diagonal, and the same from p to q as from q to p.",
)
def distance_matrix(table):
    differences = table[:, None, :] - table[None, :, :]
    return np.sqrt((differences**2).sum(axis=-1))


def _one_minus(k, d_model):
    return 2 * (1 - np.cos(k * _speeds(d_model)).sum())


_ALL = "np.sqrt(2 * np.sum(1 - np.cos(k * theta)))"


@exercise(
    stub="""
    def distance_from_offset(k, d_model):
        # the distance between any two rows that are k positions apart
        ...
    """,
    cases=[
        *((1, 8), (3, 8), (-4, 8), (50, 64), (7, 6), (0, 4), (1, 2), (1000, 512)),
        (-300, 2048),
    ],
    demands=[
        Demand(
            "a table",
            "The number is right, but a whole table was built for it. The sum over the "
            "pairs needs `k` and the speeds only.",
            lambda answer: most_numbers_at_once(answer, 6000, 4) >= 6000,
        )
    ],
    hints=[
        "No table is needed: the squared distance is $2\\sum_i (1-\\cos k\\theta_i)$.",
        "Make `theta` for all pairs; `np.cos(k * theta)` is then an array. Sum over "
        "the pairs, double, take the root.",
    ],
    mistakes=[
        Slip(
            "no root",
            "The root is missing. Squared distances add up, and the distance is the root "
            "of their sum.",
            {"np.sqrt(": "("},
        ),
        Slip(
            "factor 2 missing",
            "The factor 2 is missing: $\\lVert a-b\\rVert^2 = 2 - 2\\cos$ for two unit "
            "hands, so every pair gives $2(1-\\cos k\\theta_i)$.",
            {"2 * np.sum": "np.sum"},
        ),
        Slip(
            "2 outside the root",
            "Every distance is √2 times too large: a factor 2 stands outside of the "
            "root instead of under it, or every pair is counted twice.",
            {"np.sqrt(2 * np": "2 * np.sqrt(np"},
        ),
        Mistake(
            "the offset itself",
            "This is $|k|$, the difference of the positions. Use the angles "
            "$k\\theta_i$.",
            lambda k, d_model: float(abs(k)),
        ),
        Mistake(
            "sines only",
            "Only the sines were compared. A row has a cosine beside each of them, and "
            "its difference counts too: $2(1-\\cos k\\theta_i)$ for both together.",
            lambda k, d_model: float(np.linalg.norm(np.sin(k * _speeds(d_model)))),
        ),
        Mistake(
            "arc for chord",
            "This is right for small angles only: it takes each hand's way along the "
            "circle, $k\\theta_i$, for the straight distance of its two ends.",
            lambda k, d_model: float(np.linalg.norm(k * _speeds(d_model))),
        ),
        Slip(
            "dot product",
            "This is the dot product, $\\sum_i \\cos k\\theta_i$: largest at $k=0$, "
            "where a distance is zero.",
            {_ALL: "np.sum(np.cos(k * theta))"},
        ),
        Slip(
            "cosine similarity",
            "This is the cosine similarity of the two rows: 1 at $k=0$, where a "
            "distance is zero.",
            {_ALL: "np.mean(np.cos(k * theta))"},
        ),
        Slip(
            "signed",
            "For a negative `k` the distance comes out negative. A distance has no "
            "sign: it is the same for $k$ and $-k$.",
            {"np.sqrt": "np.sign(k) * np.sqrt"},
        ),
        Slip(
            "degrees",
            "The angle was treated as degrees; $k\\theta_i$ is in radians.",
            {"k * theta": "np.deg2rad(k * theta)"},
        ),
        Slip(
            "i/d for 2i/d",
            "The exponent of the speeds is half of what it should be: $-2i/d_{model}$ "
            "for the pair $i$. (A base of 100 in place of 10000 does the same.)",
            {"-2 * np": "-np"},
        ),
        Slip(
            "column index",
            "The exponent has become $-4i/d_{model}$: it is doubled once too often. An "
            "$i$ that runs over the columns 0, 2, 4, … *is* $2i$ already; dividing by "
            "the number of pairs does the same.",
            {"np.arange(d_model // 2)": "np.arange(0, d_model, 2)"},
        ),
        Slip(
            "all columns as pairs",
            "The sum has `d_model` speeds. There are `d_model // 2` pairs.",
            {"d_model // 2": "d_model"},
        ),
        Slip(
            "last pair missing",
            "The last pair is missing. There are `d_model // 2` pairs, and `range` or "
            "`arange` stops before its end by itself.",
            {"d_model // 2": "d_model // 2 - 1"},
        ),
        Slip(
            "only the fastest pair",
            "Only one pair was used. Sum over all of them.",
            {"k * theta": "k * theta[0]"},
        ),
        *(
            Mistake(
                "one minus the sum",
                "Here the whole sum of cosines is taken from a single 1: below zero, so "
                "that there is no root. Every pair has its own 1: sum "
                "$1-\\cos k\\theta_i$ over the pairs.",
                answer,
            )
            for answer in (
                lambda k, d_model: _quiet_root(_one_minus(k, d_model)),
                lambda k, d_model: math.sqrt(_one_minus(k, d_model)),
                lambda k, d_model: _one_minus(k, d_model),
            )
        ),
        Slip(
            "sine for cosine",
            "The formula has the cosine. With $1-\\sin$ a row would be away from "
            "itself: at $k=0$ each pair gives 1, and the distance must be 0.",
            {"np.cos": "np.sin"},
        ),
        Slip(
            "2 minus the cosine",
            "The cosines count twice, as the ones do: $2(1-\\cos k\\theta_i)$ for a "
            "pair, which is $d_{model}$ minus *twice* the dot product for all. Yours "
            "takes each cosine away once.",
            {"2 * np.sum(1 -": "np.sum(2 -"},
        ),
        Slip(
            "not summed",
            "This is one distance for every pair. The pairs together make one number: "
            "sum before you take the root.",
            {"np.sum(1 - np.cos(k * theta))": "(1 - np.cos(k * theta))"},
        ),
        Slip(
            "root before sum",
            "These are the lengths of the pairs, added. *Squared* distances add up: sum "
            "first, then take the root.",
            {_ALL: "np.sum(np.sqrt(2 * (1 - np.cos(k * theta))))"},
        ),
        Slip(
            "mean, not sum",
            "The pairs were averaged. Sum them.",
            {"np.sum": "np.mean"},
        ),
        Slip(
            "exponent without its minus",
            "The speeds grow with $i$ here. The exponent is negative: every pair is "
            "slower than the one before.",
            {"(-2": "(2"},
        ),
    ],
    rtol=1e-5,  # four decimals are not enough, float32 is
    remark="The offset alone decides: 3 and 53 are as far apart as 0 and 50.",
)
def distance_from_offset(k, d_model):
    theta = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    return np.sqrt(2 * np.sum(1 - np.cos(k * theta)))


def _when_it_repeats(answer, periods):
    """The answer; not a number where only *this* search came back with nothing."""
    steps = answer(periods)
    return np.nan if steps is None and answer([2]) is not None else steps


def _of_neighbours(periods):
    return [math.lcm(*two) for two in itertools.pairwise(periods)]


def _different_primes(periods):
    def is_prime(n):
        return all(n % d for d in range(2, n))

    dividing = (
        n for n in range(2, max(periods) + 1) if any(p % n == 0 for p in periods)
    )
    return math.prod(filter(is_prime, dividing))


_LARGE = [(65_521, 65_519, 65_497), (107, 109, 113)]  # 48 bits, and more than a million


def _too_large(answer):
    """What it gives for a large result, if it gives one and it is wrong.

    A search may take as long as it likes: it is stopped, and not refused.
    """
    for periods in _LARGE:
        with running.memory_limit(300_000_000):
            outcome = running.call(plain_call, answer, (list(periods),), seconds=0.3)
        gives = outcome.value
        if isinstance(outcome.raised, OverflowError):
            gives = type(outcome.raised).__name__
        elif outcome.raised:
            continue
        try:
            right = int(gives) == math.lcm(*periods)
        except (TypeError, ValueError, OverflowError):
            right = False
        if not right:
            return (
                f"{periods[0]}, {periods[1]} and {periods[2]} all hands are back after "
                f"{math.lcm(*periods)} steps, and yours gives `{gives}`"
            )
    return None


# What a search gives that ends before it has found anything: nothing, an index that
# `argmax` makes of no hit, or an error.
_ENDS = ("None", "0", "1", "-1", "[][0]", "np.zeros(0)[0]", "next(iter(()))")


@exercise(
    stub="""
    def period(periods):
        # after how many positions all hands point as at the start, again
        ...
    """,
    run=_when_it_repeats,
    demands=[
        Demand(
            "wrong where the result is large",
            "Right where the result is small. For the periods {}. Is something counted "
            "with too few bits, or does a search end too soon?",
            _too_large,
        )
    ],
    cases=[
        *(([4, 5, 7],), ([4, 6],), ([10],), ([2, 3, 4, 5, 6],), ([12, 18, 8],)),
        *(([20, 9, 7],), ([200],), ([22, 23, 25],)),
    ],
    hints=[
        "The hand with the period 4 points as at the start after 4, 8, 12, … steps. "
        "When do all hands do so at once?",
        "It is the least common multiple. NumPy has `np.lcm`, and `np.lcm.reduce` "
        "takes a whole list.",
    ],
    mistakes=[
        Slip(
            "product",
            "This is the product of the periods. It is the answer where no two of them "
            "share a factor, as 4, 5 and 7; 4 and 6 meet earlier than after 24 steps.",
            {"np.lcm.reduce(periods)": "np.prod(periods)"},
        ),
        Slip(
            "largest period",
            "After the largest period only that one hand is back. All hands must be.",
            {"np.lcm.reduce(periods)": "max(periods)"},
        ),
        Slip(
            "sum",
            "The sum of the periods has no meaning here: look for a number of steps "
            "that every period divides.",
            {"np.lcm.reduce(periods)": "sum(periods)"},
        ),
        Slip(
            "greatest common divisor",
            "This is the greatest common divisor. You need the smallest number that "
            "all periods **divide**.",
            {"lcm": "gcd"},
        ),
        Slip(
            "one too few",
            "This is one position short: the last row before the repetition. Position "
            "0 is the first row.",
            {"return int": "return -1 + int"},
        ),
        Slip(
            "one too many",
            "This is one position too many. Position 0 is the first row.",
            {"return int": "return 1 + int"},
        ),
        *_forms(
            "two periods only",
            "Only the first two periods count in it. All hands must be back.",
            {"reduce(periods)": "reduce(periods[:2])"},
            {".reduce(periods)": "(periods[0], periods[1])"},
        ),
        Slip(
            "smallest and largest period",
            "Only the smallest and the largest period count in it. Those between them "
            "must be back as well: think of 4, 5 and 7.",
            {".reduce(periods)": "(min(periods), max(periods))"},
        ),
        Slip(
            "first and last period",
            "Only the first and the last period count in it. The hands between them "
            "must be back as well.",
            {".reduce(periods)": "(periods[0], periods[-1])"},
        ),
        *_forms(
            "np.lcm takes two numbers",
            "The idea is right, but `np.lcm` takes exactly two numbers (a third one "
            "would be the place for the result). Combine the periods one after the "
            "other; the second hint names the form for a whole list.",
            {"int(np.lcm.reduce(periods))": "np.lcm(*periods)"},
            {"int(np.lcm.reduce(periods))": "np.lcm(periods)"},
        ),
        Slip(
            "math.lcm takes numbers",
            "The idea is right, but `math.lcm` takes the numbers one by one, not as a "
            "list: unpack the list.",
            {"int(np.lcm.reduce(periods))": "math.lcm(periods)"},
        ),
        Slip(
            "product by common divisor",
            "Product by greatest common divisor is right for two numbers, not for three "
            "or one. Combine two periods, then the result with the next one.",
            {"np.lcm.reduce(periods)": "np.prod(periods) // np.gcd.reduce(periods)"},
        ),
        *(
            Mistake(
                "two hands at a time",
                "It looks at two neighbours of the list at a time and takes the longest. "
                "*All* hands must be back at once: go on with the result of the first "
                "two.",
                answer,
            )
            for answer in (
                lambda periods: max(_of_neighbours(periods), default=1),
                lambda periods: max(_of_neighbours(periods), default=0),
                lambda periods: max(_of_neighbours(periods)),
                lambda periods: max(*periods, *_of_neighbours(periods), 1),
            )
        ),
        Mistake(
            "different primes",
            "Each prime number counts once in it. 4 is 2 · 2: a hand of period 4 is not "
            "back after 2 steps. Every prime counts as often as in the period that has "
            "most of it.",
            _different_primes,
        ),
        Slip(
            "smallest period",
            "After the smallest period only *one* hand is back. If you search with a "
            "loop: go on while *any* hand is not yet back.",
            {"np.lcm.reduce(periods)": "min(periods)"},
        ),
        Slip(
            "first period",
            "After the first period of the list that hand is back, and only that one. "
            "Is there a `return` inside your loop?",
            {"int(np.lcm.reduce(periods))": "periods[0]"},
        ),
        Slip(
            "no step at all",
            "After 0 steps nothing has moved yet. Begin the search at 1.",
            {"int(np.lcm.reduce(periods))": "0"},
        ),
        *_forms(
            "search too short",
            "Right as far as it looks, but the search ends before all hands have met. "
            "Go on until they have, however long it takes.",
            *(
                {"int(": f"{end} if np.lcm.reduce(periods) > {last} else int("}
                for last in (100, 1000, 10_000)
                for end in _ENDS
            ),
        ),
    ],
    remark="The paper's speeds have no period at all: no whole number of steps makes "
    "a whole number of turns.",
)
def period(periods):
    return int(np.lcm.reduce(periods))


def _where_it_falls(answer, d_model):
    """The answer; not a number where only *this* search came back with nothing."""
    k = answer(d_model)
    return np.nan if k is None and answer(8) is not None else k


@functools.cache
def _long_curve(d_model):
    offsets = np.arange(1, 5002)
    return 1 - np.cos(np.multiply.outer(offsets, _speeds(d_model))).mean(axis=1)


def _curve(d_model, furthest):
    return _long_curve(d_model)[:furthest]


def _first_below(shift):
    """The first k with D(k + shift) < D(1), or 200 where there is none below."""

    def answer(d_model):
        curve = _curve(d_model, 200)
        below = np.flatnonzero(curve < curve[0] - 1e-12)
        return int(below[0]) + 1 - shift if len(below) else 200

    return answer


def _largest(furthest):
    return lambda d_model: 1 + int(np.argmax(_curve(d_model, furthest)))


def _last_fall(furthest):
    def answer(d_model):
        falls = np.flatnonzero(np.diff(_curve(d_model, furthest + 1)) < 0)
        return int(falls[-1]) + 1 if len(falls) else None

    return answer


# How far a search may look that does not stop at the first fall.
_FURTHEST = tuple(
    n - less for n in (60, 100, 200, 500, 1000, 2000, 5000) for less in (0, 1, 2)
)


@exercise(
    stub="""
    def first_fall(d_model):
        # the first k with D(k + 1) < D(k): one step further, and yet closer
        ...
    """,
    run=_where_it_falls,
    cases=[(8,), (16,), (32,), (64,), (200,), (2,), (2048,), (4096,)],
    hints=[
        "Compute D(k) for k = 1, 2, 3, … and stop as soon as the next one is smaller. "
        "You do not know beforehand how far you have to look.",
        "`while D(k + 1) >= D(k): k += 1` with your `distance_from_offset` as D; no "
        "table is needed.",
    ],
    mistakes=[
        Slip(
            "one too many",
            "This is k + 1, where the distance has already fallen. Return the last k "
            "before the fall.",
            {"return k": "return k + 1"},
        ),
        Slip(
            "one too few",
            "This is one short of it. Does your list of distances start at k = 0 or "
            "at k = 1?",
            {"return k": "return k - 1"},
        ),
        *(
            Mistake(
                "falls below the neighbour",
                "This is where D first falls below D(1). Compare D(k + 1) with D(k).",
                _first_below(shift),
            )
            for shift in (0, 1)
        ),
        *(
            Mistake(
                "largest distance",
                "This is where D is largest, as far as you looked. The first fall comes "
                "earlier, at the first small dip.",
                _largest(furthest),
            )
            for furthest in _FURTHEST
        ),
        *(
            Mistake(
                "last fall",
                "Here D falls, but not for the first time: of all falls as far as you "
                "looked it is the last. Stop at the first one.",
                _last_fall(furthest),
            )
            for furthest in _FURTHEST
        ),
        Slip(
            "slope",
            "This is where the *slope* of the curve is first below zero. Positions are "
            "whole numbers: compare D(k + 1) with D(k).",
            {
                "np.cos((k + 1) * theta).sum() <= np.cos(k * theta).sum()": (
                    "(theta * np.sin(k * theta)).sum() > 0"
                )
            },
        ),
        Slip(
            "fastest pair only",
            "At every width it falls where the fastest pair alone would. Sum over all "
            "pairs, each with the speed that it has at this width.",
            {"np.arange(d_model // 2)": "np.arange(1)"},
        ),
        Slip(
            "i/d for 2i/d",
            "The exponent of the speeds is half of what it should be: $-2i/d_{model}$ "
            "for the pair $i$. (A base of 100 in place of 10000 does the same.)",
            {"-2 * np": "-np"},
        ),
        *_forms(
            "search too short",
            "Right as far as it looks, but at some width your search ends before it has "
            "met a fall. Do not fix its end beforehand, or put it much further out.",
            *(
                {"return k": f"return k if k <= {last} else {end}"}
                for last in ("10", "50", "135", "d_model // 2")
                for end in _ENDS
            ),
        ),
        Slip(
            "the distance itself",
            "This is the distance D(k) at the right place. Return the offset k.",
            {"return k": "return np.sqrt(d_model - 2 * np.cos(k * theta).sum())"},
        ),
        Slip(
            "rises, not falls",
            "After k = 1 the distance still *rises*. Look for the first k where "
            "D(k + 1) is **smaller** than D(k).",
            {"<=": ">="},
        ),
    ],
    remark="Wider tables keep the order longer, and none keeps it for ever.",
)
def first_fall(d_model):
    theta = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    k = 1
    while np.cos((k + 1) * theta).sum() <= np.cos(k * theta).sum():
        k += 1
    return k


which_is_further = Question(
    "which_is_further",
    "At $d_{model}=8$: from the row at position 0, which is further away, the row at "
    "position 3 or the row at position 4?",
    [
        Choice(
            "Position 4, of course: it is one step further.",
            "One step further along the sentence. But the fastest hand has turned by "
            "4 radians then: more than half a circle, so that it is on its way back.",
        ),
        Choice(
            "Position 3.",
            "Yes. The fastest hand passes half a circle between 3 and 4 steps "
            "($\\pi = 3.14\\dots$) and comes back; the slow hands cannot make up for it.",
            right=True,
        ),
        Choice(
            "They are equally far: distances saturate.",
            "They are not equal. Compute how far the fastest hand has turned after 3 "
            "and after 4 steps, in radians.",
        ),
    ],
    hints=[
        "The fastest hand turns one radian a step; half a circle is 3.14 radians.",
        "Two unit hands are furthest apart when they point in opposite directions.",
    ],
)

how_often_it_falls = Question(
    "how_often_it_falls",
    "Take the steps from offset 1000 on: from $k$ to $k+1$, up to 5000. At how many of "
    "them does the distance **fall**?",
    [
        Choice(
            "About half, at every width.",
            "Yes, 48 to 51 % at the widths shown. Out there most hands have gone round "
            "many times, and a step moves as many of them back as away.",
            right=True,
        ),
        Choice(
            "About 5 %: on the whole the distance rises.",
            "It does rise on the whole, but very slowly. The ripples go up and down at "
            "nearly every step, and are far larger than the rise of one step.",
        ),
        Choice(
            "At hardly any, once the table is wide enough.",
            "A wide table has its first fall later. Look at the ripples of the first "
            "picture with width 128, and how they go on.",
        ),
        Choice(
            "Nearly all: the hands are on their way back.",
            "Then the distance would soon be small again. Some hands are on their way "
            "back at any time, and others on their way out.",
        ),
    ],
    hints=[
        "Far out the fast hands point anywhere. Is one of them more likely to move "
        "away from its start or back to it?",
        "If nearly all steps rose, or fell, what would the curve look like?",
    ],
)

which_row_is_nearest = Question(
    "which_row_is_nearest",
    "At $d_{model}=8$, among the positions 1 to 4999: which row is nearest to the row "
    "at position 0?",
    [
        Choice(
            "Position 1, the neighbour.",
            "It is near, but look for a position where the fastest hand is back at its "
            "start while the slow ones have hardly moved.",
        ),
        Choice(
            "Position 6: the fastest hand has gone round almost once.",
            "A good idea, and nearer than the neighbour. The second hand has moved by "
            "0.6 radians there; can both hands be back at once?",
        ),
        Choice(
            "Position 63: two hands are almost back where they began.",
            "Yes. 63 is close to $20\\pi$: the first hand has made ten turns, the "
            "second one, and the third has moved by 0.63 radians.",
            right=True,
        ),
        Choice(
            "Position 4999: everything has come round again.",
            "The slowest hand has turned by 5 radians there, and the others are "
            "anywhere.",
        ),
    ],
    hints=[
        "The hands go round in about 6.3, 62.8, 628 and 6283 steps.",
        "Look for a number close to a multiple of the first two, and small for the "
        "other two.",
    ],
)

is_the_nearest_row_the_neighbour = Question(
    "is_the_nearest_row_the_neighbour",
    "And with more hands? At the widths 16, 64 and 512, is the nearest row, within 5000 "
    "positions, that of the neighbour?",
    [
        Choice(
            "At none of them: there is always a row further out that comes closer.",
            "With four hands, such a row exists. Each further hand has to be nearly "
            "back at the same time; eight hands already never are within 5000 positions.",
        ),
        Choice(
            "At 16 and 64 yes; at 512 not, since so many hands find a moment to be back.",
            "The other way round: the more hands there are, the harder it is for all of "
            "them to be back at once.",
        ),
        Choice(
            "It depends on the position: in the middle of the table yes, at its start "
            "no.",
            "No position appears in the distance: it depends on the offset alone.",
        ),
        Choice(
            "At all three.",
            "Yes. Eight hands are enough to keep every other row further away than the "
            "neighbour, within 5000 positions.",
            right=True,
        ),
    ],
    hints=[
        "At width 8 the four hands go round in 6.3, 62.8, 628 and 6283 steps. At width "
        "16 there are eight hands, with speeds between those.",
        "For a row to be near, *every* hand has to be nearly back. Are more hands back "
        "at once more easily, or less?",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
