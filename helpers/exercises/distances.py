"""Exercises of notebook 04: the geometry of distance."""

import math

import numpy as np

from helpers.encoding import encode_with_bases, positional_encoding
from helpers.exercises.core import Choice, Mistake, Question, collect, exercise


def _speeds(d_model):
    return 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)


def _distance(k, speeds):
    return np.sqrt(2 * np.sum(1 - np.cos(k * speeds)))


def _cosines(k, d_model):
    return np.cos(k * _speeds(d_model))


def _quiet_root(x):
    """As `np.sqrt`, without its warning: not a number below zero."""
    return np.sqrt(x) if x >= 0 else np.nan


def _forms(name, sentence, *answers):
    """One mistake that students write in several ways."""
    return [Mistake(name, sentence, answer) for answer in answers]


def _gaps(table):
    return table[:, None, :] - table[None, :, :]


def _cosine_similarity(table):
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    return unit @ unit.T


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
        (np.array([[3.0, 0.0, 4.0], [0.0, 5.0, 0.0]]),),
    ],
    hints=[
        "Give the table two shapes, `(n, 1, width)` and `(1, n, width)`: their "
        "difference has the shape `(n, n, width)`.",
        "Square the differences, sum over the last axis, take the root.",
    ],
    mistakes=[
        Mistake(
            "no root",
            "These are the squared distances: the root is missing.",
            lambda table: (_gaps(table) ** 2).sum(-1),
        ),
        Mistake(
            "wrong axis",
            "These are distances between **columns**. Sum over the columns, so that "
            "one number is left for every two rows.",
            lambda table: np.linalg.norm(_gaps(table.T), axis=-1),
        ),
        Mistake(
            "summed over rows",
            "The sum runs over an axis of positions. Sum over the last axis, the "
            "columns.",
            lambda table: np.sqrt((_gaps(table) ** 2).sum(0)),
        ),
        Mistake(
            "absolute differences",
            "These are sums of absolute differences. The Euclidean distance squares "
            "the differences, sums, and takes the root.",
            lambda table: np.abs(_gaps(table)).sum(-1),
        ),
        Mistake(
            "positions, not rows",
            "This is $|p - q|$, the difference of the positions. Compare the rows of "
            "the table.",
            lambda table: np.abs(np.subtract.outer(*[np.arange(len(table))] * 2)) * 1.0,
        ),
        Mistake(
            "mean, not sum",
            "The squares were averaged over the columns. Sum them.",
            lambda table: np.sqrt((_gaps(table) ** 2).mean(-1)),
        ),
        Mistake(
            "dot products",
            "These are dot products: large where rows are alike. A distance is zero "
            "there.",
            lambda table: table @ table.T,
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
            "largest difference",
            "This takes the largest difference of a column. Use all columns: square, "
            "sum, root.",
            lambda table: np.abs(_gaps(table)).max(-1),
        ),
    ],
    atol=2e-3,  # the route by dot products in float32 is no better on the diagonal
    remark="Zero on the diagonal, and the same from p to q as from q to p.",
)
def distance_matrix(table):
    differences = table[:, None, :] - table[None, :, :]
    return np.sqrt((differences**2).sum(axis=-1))


@exercise(
    stub="""
    def distance_from_offset(k, d_model):
        # the distance between any two rows that are k positions apart
        ...
    """,
    cases=[(1, 8), (3, 8), (-4, 8), (50, 64), (7, 6), (0, 4), (1000, 512)],
    hints=[
        "No table is needed: the squared distance is $2\\sum_i (1-\\cos k\\theta_i)$.",
        "Make `theta` for all pairs; `np.cos(k * theta)` is then an array. Sum over "
        "the pairs, double, take the root.",
    ],
    mistakes=[
        Mistake(
            "no root",
            "This is the squared distance: take the root.",
            lambda k, d_model: _distance(k, _speeds(d_model)) ** 2,
        ),
        Mistake(
            "factor 2 missing",
            "The factor 2 is missing: $\\lVert a-b\\rVert^2 = 2 - 2\\cos$ for two unit "
            "hands, so every pair gives $2(1-\\cos k\\theta_i)$.",
            lambda k, d_model: _distance(k, _speeds(d_model)) / np.sqrt(2),
        ),
        Mistake(
            "2 outside the root",
            "The factor 2 belongs under the root.",
            lambda k, d_model: _distance(k, _speeds(d_model)) * np.sqrt(2),
        ),
        Mistake(
            "the offset itself",
            "This is $|k|$, the difference of the positions. Use the angles "
            "$k\\theta_i$.",
            lambda k, d_model: float(abs(k)),
        ),
        Mistake(
            "dot product",
            "This is the dot product, $\\sum_i \\cos k\\theta_i$: largest at $k=0$, "
            "where a distance is zero.",
            lambda k, d_model: np.cos(k * _speeds(d_model)).sum(),
        ),
        Mistake(
            "cosine similarity",
            "This is the cosine similarity of the two rows: 1 at $k=0$, where a "
            "distance is zero.",
            lambda k, d_model: np.cos(k * _speeds(d_model)).mean(),
        ),
        Mistake(
            "degrees",
            "The angle was treated as degrees; $k\\theta_i$ is in radians.",
            lambda k, d_model: _distance(np.deg2rad(k), _speeds(d_model)),
        ),
        Mistake(
            "i/d for 2i/d",
            "The exponent of the speeds is half of what it should be: $-2i/d_{model}$ "
            "for the pair $i$.",
            lambda k, d_model: _distance(k, np.sqrt(_speeds(d_model))),
        ),
        Mistake(
            "column index",
            "The speeds are computed from the column $2i$ where the pair $i$ belongs: "
            "the exponent has become $-4i/d_{model}$.",
            lambda k, d_model: _distance(k, _speeds(d_model) ** 2),
        ),
        Mistake(
            "all columns as pairs",
            "The sum has `d_model` speeds. There are `d_model // 2` pairs.",
            lambda k, d_model: _distance(
                k, 10_000.0 ** (-2 * np.arange(d_model) / d_model)
            ),
        ),
        Mistake(
            "only the fastest pair",
            "Only one pair was used. Sum over all of them.",
            lambda k, d_model: _distance(k, _speeds(d_model)[:1]),
        ),
        *_forms(
            "one minus the sum",
            "Here 1 is written once and the whole sum of cosines taken from it: below "
            "zero, so that there is no root. Every pair has its own 1: sum "
            "$1-\\cos k\\theta_i$ over the pairs.",
            lambda k, d_model: _quiet_root(2 * (1 - _cosines(k, d_model).sum())),
            lambda k, d_model: math.sqrt(2 * (1 - _cosines(k, d_model).sum())),
            lambda k, d_model: 2 * (1 - _cosines(k, d_model).sum()),
        ),
        Mistake(
            "sine for cosine",
            "The formula has the cosine. With $1-\\sin$ a row would be away from "
            "itself: at $k=0$ each pair gives 1, and the distance must be 0.",
            lambda k, d_model: np.sqrt(2 * np.sum(1 - np.sin(k * _speeds(d_model)))),
        ),
        Mistake(
            "2 minus the cosine",
            "The 2 multiplies the whole bracket: $2(1-\\cos k\\theta_i)$, and not "
            "$2-\\cos k\\theta_i$.",
            lambda k, d_model: np.sqrt(np.sum(2 - _cosines(k, d_model))),
        ),
        Mistake(
            "not summed",
            "This is one distance for every pair. The pairs together make one number: "
            "sum before you take the root.",
            lambda k, d_model: np.sqrt(2 * (1 - _cosines(k, d_model))),
        ),
        Mistake(
            "root before sum",
            "These are the lengths of the pairs, added. *Squared* distances add up: sum "
            "first, then take the root.",
            lambda k, d_model: np.sqrt(2 * (1 - _cosines(k, d_model))).sum(),
        ),
        Mistake(
            "mean, not sum",
            "The pairs were averaged. Sum them.",
            lambda k, d_model: np.sqrt(2 * np.mean(1 - _cosines(k, d_model))),
        ),
        Mistake(
            "exponent without its minus",
            "The speeds grow with $i$ here. The exponent is negative: every pair is "
            "slower than the one before.",
            lambda k, d_model: _distance(k, 1 / _speeds(d_model)),
        ),
    ],
    remark="No position went in: the offset alone decides.",
)
def distance_from_offset(k, d_model):
    theta = 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    return np.sqrt(2 * np.sum(1 - np.cos(k * theta)))


def _when_it_repeats(answer, bases):
    """The answer; not a number where only *this* search came back with nothing."""
    steps = answer(bases)
    return np.nan if steps is None and answer([2]) is not None else steps


@exercise(
    stub="""
    def period(bases):
        # after how many positions all hands stand as at the start, again
        ...
    """,
    run=_when_it_repeats,
    cases=[([4, 5, 7],), ([4, 6],), ([10],), ([2, 3, 4, 5, 6],), ([12, 18, 8],)],
    hints=[
        "The hand of base 4 stands as at the start after 4, 8, 12, … steps. When do "
        "all hands do so at once?",
        "It is the least common multiple. NumPy has `np.lcm`, and `np.lcm.reduce` "
        "takes a whole list.",
    ],
    mistakes=[
        Mistake(
            "product",
            "The product is right for 4, 5 and 7, which share no factor. 4 and 6 meet "
            "earlier than after 24 steps.",
            lambda bases: int(np.prod(bases)),
        ),
        Mistake(
            "largest base",
            "After the largest base only that one hand is back. All hands must be.",
            max,
        ),
        Mistake(
            "sum",
            "The sum of the bases has no meaning here: look for a number of steps that "
            "every base divides.",
            sum,
        ),
        Mistake(
            "greatest common divisor",
            "This is the greatest common divisor. You need the smallest number that "
            "all bases **divide**.",
            lambda bases: int(np.gcd.reduce(bases)),
        ),
        Mistake(
            "one too few",
            "This is one position short: the last row before the repetition. Position "
            "0 is the first row.",
            lambda bases: int(np.lcm.reduce(bases)) - 1,
        ),
        Mistake(
            "one too many",
            "This is one position too many. Position 0 is the first row.",
            lambda bases: int(np.lcm.reduce(bases)) + 1,
        ),
        *_forms(
            "two bases only",
            "Only the first two bases count in it. All hands must be back.",
            lambda bases: int(np.lcm.reduce(bases[:2])),
            lambda bases: np.lcm(bases[0], bases[1]),
        ),
        Mistake(
            "smallest and largest base",
            "Only the smallest and the largest base count in it. Those between them must "
            "be back as well: think of 4, 5 and 7.",
            lambda bases: int(np.lcm(min(bases), max(bases))),
        ),
        Mistake(
            "first and last base",
            "Only the first and the last base count in it. The hands between them must "
            "be back as well.",
            lambda bases: int(np.lcm(bases[0], bases[-1])),
        ),
        *_forms(
            "np.lcm takes two numbers",
            "The idea is right, but `np.lcm` takes exactly two numbers (a third one "
            "would be the place for the result). Combine the bases one after the other; "
            "the second hint names the form for a whole list.",
            lambda bases: np.lcm(*bases),
            lambda bases: np.lcm(bases),
        ),
        Mistake(
            "math.lcm takes numbers",
            "The idea is right, but `math.lcm` takes the numbers one by one, not as a "
            "list: unpack the list.",
            lambda bases: math.lcm(bases),
        ),
        Mistake(
            "product by common divisor",
            "Product by greatest common divisor is right for two numbers, not for three "
            "or one. Combine two bases, then the result with the next one.",
            lambda bases: int(np.prod(bases) // np.gcd.reduce(bases)),
        ),
        Mistake(
            "smallest base",
            "After the smallest base only *one* hand is back. If you search with a loop: "
            "go on while *any* hand is not yet back.",
            min,
        ),
        Mistake(
            "no step at all",
            "After 0 steps nothing has moved yet. Begin the search at 1.",
            lambda bases: 0,
        ),
        Mistake(
            "search too short",
            "The search ends before the hands of 4, 5 and 7 have met. Go on until all "
            "of them are back.",
            lambda bases: None if bases == [4, 5, 7] else int(np.lcm.reduce(bases)),
        ),
    ],
    remark="The paper's speeds have no period at all: no whole number of steps makes "
    "a whole number of turns.",
)
def period(bases):
    return int(np.lcm.reduce(bases))


def _falls(d_model, distance, start=1):
    k = start
    while distance(k + 1, _speeds(d_model)) >= distance(k, _speeds(d_model)):
        k += 1
    return k


def _search(last, otherwise):
    """A search that ends at ``last`` and then gives what ``otherwise`` makes."""

    def answer(d_model):
        k = _falls(d_model, _distance)
        return k if k <= last(d_model) else otherwise()

    return answer


def _searches():
    """Searches that are too short for wide tables, or for the narrowest."""
    ends = (
        lambda: None,  # a loop that runs out
        lambda: 1,  # np.argmax where nothing is true
        lambda: -1,
        lambda: [][0],
        lambda: np.zeros(0)[0],  # np.where(…)[0][0]
        lambda: next(iter(())),
    )
    limits = (
        lambda d_model: 50,
        lambda d_model: 20,
        lambda d_model: d_model // 2,
    )
    return [_search(limit, end) for limit in limits for end in ends]


def _where_it_falls(answer, d_model):
    """The answer; not a number where only *this* search came back with nothing."""
    k = answer(d_model)
    return np.nan if k is None and answer(8) is not None else k


def _first_below(d_model):
    """Where the distance first falls below that of the neighbour."""
    speeds, k = _speeds(d_model), 2
    while _distance(k, speeds) >= _distance(1, speeds) and k < 200:
        k += 1
    return k


def _largest(d_model):
    speeds = _speeds(d_model)
    return 1 + int(np.argmax([_distance(k, speeds) for k in range(1, 200)]))


@exercise(
    stub="""
    def first_fall(d_model):
        # the first k with D(k + 1) < D(k): one step further, and yet closer
        ...
    """,
    run=_where_it_falls,
    cases=[(8,), (16,), (32,), (64,), (200,), (1024,), (2,)],
    hints=[
        "Compute D(k) for k = 1, 2, 3, … and stop as soon as the next one is smaller. "
        "You do not know beforehand how far you have to look.",
        "`while D(k + 1) >= D(k): k += 1` with your `distance_from_offset` as D; no "
        "table is needed.",
    ],
    mistakes=[
        Mistake(
            "one too many",
            "This is k + 1, where the distance has already fallen. Return the last k "
            "before the fall.",
            lambda d_model: _falls(d_model, _distance) + 1,
        ),
        Mistake(
            "one too few",
            "This is one short of it. Does your list of distances start at k = 0 or "
            "at k = 1?",
            lambda d_model: _falls(d_model, _distance) - 1,
        ),
        Mistake(
            "falls below the neighbour",
            "This is the first k with D(k) < D(1). Compare D(k + 1) with D(k).",
            _first_below,
        ),
        Mistake(
            "largest distance",
            "This is where D is largest. The first fall comes earlier, at the first "
            "small dip.",
            _largest,
        ),
        Mistake(
            "fastest pair only",
            "This is where the fastest pair alone falls. Sum over all pairs.",
            lambda d_model: 3,
        ),
        Mistake(
            "i/d for 2i/d",
            "The exponent of the speeds is half of what it should be: $-2i/d_{model}$ "
            "for the pair $i$.",
            lambda d_model: _falls(d_model, lambda k, s: _distance(k, np.sqrt(s))),
        ),
        *_forms(
            "search too short",
            "Right as far as it looks, but at some width your search ends before it has "
            "met a fall. Do not fix its end beforehand, or put it much further out.",
            *_searches(),
        ),
        Mistake(
            "the distance itself",
            "This is the distance D(k) at the right place. Return the offset k.",
            lambda d_model: _distance(_falls(d_model, _distance), _speeds(d_model)),
        ),
        Mistake(
            "rises, not falls",
            "After k = 1 the distance still *rises*. Look for the first k where "
            "D(k + 1) is **smaller** than D(k).",
            lambda d_model: 1,
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
    "Is the nearest row always the row of a neighbouring position, $pos \\pm 1$?",
    [
        Choice(
            "Yes: distance grows with the offset.",
            "It grows on the large scale only. You have seen D(4) < D(3).",
        ),
        Choice(
            "No, never.",
            "At wide tables it is the neighbour, within 5000 positions at least. Look "
            "at the row for $d_{model}=64$.",
        ),
        Choice(
            "It depends on the width: at 8 it is not; at 16, 64 and 512 it is, within "
            "5000 positions.",
            "Yes. At $d_{model}=8$ the nearest row is 63 positions away; at 16, 64 "
            "and 512 it is the neighbour, as far as 5000 positions reach.",
            right=True,
        ),
        Choice(
            "It depends on the position: in the middle of the table yes, at its start "
            "no.",
            "No position appears in the distance: it depends on the offset alone.",
        ),
    ],
    hints=[
        "Read the table of nearest rows again: one line for every width.",
        "With few speeds all hands can be almost back at once; with many they cannot.",
    ],
)

EXERCISES = collect(globals())
progress = EXERCISES.progress
