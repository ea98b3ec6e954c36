"""Layer: a pattern in the numbers: half of each, rows in another order, one row missing.

A pattern explains every number of the case that messages speak of, and of most others
that fail; where none does, it is told what is so in that one case.
"""

import itertools

import numpy as np

from helpers.checks.comparing import agrees
from helpers.checks.diagnosis import places
from helpers.checks.diagnosis.findings import numbers
from helpers.checks.feedback import wrong

ALIKE = 4  # cases of one number each that bear a relation
TELLING = 6  # numbers that another case must hold: a smaller one fits many patterns
MOST = 0.7  # of the other cases
FAR = 100  # times farther off than right ones must a wrong number be


def seen(findings):
    """The Feedback on the first pattern that fits, or None."""
    label, pairs = _pairs(findings.task, findings.values)
    # That fractions were cut off is said with the first difference.
    if not pairs or findings.failing[0].problem.mistake == "whole numbers":
        return None
    close = _Close(*findings.task.tolerance)
    start = f"In {label}, " if label else ""
    with np.errstate(all="ignore"):
        for find in (*_RELATIONS, _angles, places.where, _anywhere):
            said = _of_most(find, pairs, close)
            if said:
                sentence, name, share = said
                relates = find is not places.where and findings.passing
                where = "where it is wrong, " if relates else ""
                if share < 1:
                    most = "in most cases where it is wrong, "
                    where = most if share >= MOST else "in this case, "
                body = f"{where}{sentence}"
                body = body if start else body[0].upper() + body[1:]
                return wrong(f"{start}{body}", name)
        telling = pairs[0][1].size >= TELLING
        for find in (*(_RELATIONS if telling else ()), places.where):
            for sentence, name in find(*pairs[0], close):
                return wrong(f"In this case, {sentence}", name)
    return None


def beside(findings):
    """The Feedback on a listed mistake with a relation on top of it, or None.

    Not with another order, which may undo a part of the mistake.
    """
    task = findings.task
    trials = [t for t in findings.trials if t.expected.raised is t.outcome.raised]
    for mistake in task.mistakes:
        made = [(task.made_by(mistake, t.case), t.outcome.value) for t in trials]
        if any(outcome.raised for outcome, _ in made):
            continue
        label, pairs = _pairs(task, [(outcome.value, got) for outcome, got in made])
        if label or sum(got.size for _, got in pairs) < 2 * TELLING:
            continue
        close = _Close(*task.tolerance)
        if close(*pairs[0]):
            continue
        with np.errstate(all="ignore"):
            for find in (_digits, _elementwise):
                said = _of_most(find, pairs, close, 1)
                if said and said[2] == 1:
                    return wrong(
                        "Two things are wrong at once. The first: "
                        f"{mistake.sentence} The second, measured against numbers with "
                        f"the first mistake alone: {said[0]}",
                        f"{mistake.name}, and {said[1]}",
                    )
    return None


class _Close:
    """Whether arrays agree within the exercise's tolerance."""

    def __init__(self, rtol, atol):
        self.rtol, self.atol = rtol, atol

    def __call__(self, one, other):
        return one.shape == other.shape and self.mask(one, other).all()

    def mask(self, wanted, got):
        """Where they agree."""
        return np.isclose(got, wanted, rtol=self.rtol, atol=self.atol, equal_nan=True)

    def plainly(self, wanted, got):
        """Where they agree, if all others are much farther off; else None."""
        mask, off = self.mask(wanted, got), np.abs(got - wanted)
        if mask.any() and FAR * off[mask].max() > np.median(off[~mask]):
            return None
        return mask


def _pairs(task, values):
    """The label of an observation, and (expected, got) as float arrays.

    One number alone fits many patterns: it takes others beside it.
    """
    label, pairs = None, []
    for wanted, got in values:
        wanted, got = map(_by_name, (wanted, got))
        if isinstance(wanted, dict) and isinstance(got, dict):
            differs = [
                k
                for k, value in wanted.items()
                if hasattr(value, "dtype")
                and not agrees(value, got.get(k), *task.tolerance)
            ]
            label = label or (differs[0] if differs else None)
            if label not in differs:
                continue
            wanted, got = wanted[label], got.get(label)
        pair = numbers(wanted), numbers(got)
        if isinstance(wanted, (str, tuple)) or any(a is None for a in pair):
            return None, []
        pairs.append(tuple(a.astype(float) for a in pair))
    if len(pairs) >= ALIKE and not any(a.ndim for pair in pairs for a in pair):
        pairs = [tuple(map(np.array, zip(*pairs, strict=True)))]  # one number a case
    least = min(TELLING, pairs[0][1].size) if pairs else 0
    pairs = pairs[:1] + [pair for pair in pairs[1:] if pair[1].size >= least]
    return label, pairs if sum(got.size for _, got in pairs) > 2 else []


def _by_name(value):
    """Several results, each under a name."""
    if not isinstance(value, tuple):
        return value
    return {f"result {n}": result for n, result in enumerate(value, start=1)}


def _of_most(find, pairs, close, most=MOST):
    """What ``find`` yields of the first pair and, but for numbers, of most others.

    With it, in what share of these it holds with the same numbers.
    """
    said = list(find(*pairs[0], close))
    found = [said, *(list(find(*pair, close)) for pair in pairs[1:] if said)]
    for sentence, name in said:
        named = [any(name == other for _, other in pair) for pair in found]
        if np.mean(named[1:] or 1) >= most:
            return sentence, name, np.mean([(sentence, name) in pair for pair in found])
    return None


# --- one relation for every number

_FUNCTIONS = {
    "the negative of": np.negative,
    "twice": lambda e: 2 * e,
    "the square of": np.square,
    "the square root of": np.sqrt,
    "one divided by": lambda e: 1 / e,
    "the logarithm of": np.log,
    "the absolute value of": np.abs,
}


def _elementwise(wanted, got, close):
    if wanted.shape != got.shape or not wanted.size or not np.isfinite(got).all():
        return
    each = "every number is" if wanted.size > 1 else "it is"
    for says, function in _FUNCTIONS.items():
        made = function(wanted)
        if np.isfinite(made).all() and close(made, got) and np.ptp(made) > 0:
            yield f"{each} {says} the right one.", f"{says} it"
    big = np.abs(wanted) > 1e-9
    factor = np.median(got[big] / wanted[big]) if big.any() else 0
    several = len(np.unique(np.abs(wanted[big]).round(9))) > 2
    if factor and several and close(wanted * factor, got):
        yield f"every number is {factor:.6g} times the right one.", "a common factor"
    if several and (wanted > 0).all() and (got > 0).all():
        power = np.log(got).sum() / np.log(wanted).sum()
        if close(wanted**power, got) and not close(wanted, got):
            text = f"every number is the right one to the power {power:.6g}."
            yield text, "a common power"
    if several and not np.array_equal(wanted, np.round(wanted)):
        for what, ratio in {"times": got / wanted, "divided by": wanted / got}.items():
            whole = np.round(ratio)
            some = np.isfinite(whole).all() and np.ptp(whole) and whole.min() > 0
            if some and np.allclose(ratio, whole):
                first = whole[whole != 1].flat[0]
                text = f"every number is the right one {what} a whole number, {first:g}"
                yield f"{text} at the first difference.", "a whole multiple"
    more = got - wanted
    if several and more.any() and close(wanted + more.flat[0], got):
        than = f"{abs(more.flat[0]):.6g} {'more' if more.flat[0] > 0 else 'less'} than"
        yield f"every number is {than} the right one.", "a common difference"


def _digits(wanted, got, close):
    """Right but for digits that are lost."""
    if wanted.shape != got.shape or not np.isfinite(got).all() or close(wanted, got):
        return
    for digits in range(5):
        given = np.round(got, digits)
        if np.array_equal(given, np.round(wanted, digits)) and np.allclose(got, given):
            decimals = "decimal" if digits == 1 else "decimals"
            what = f"{digits} {decimals}" if digits else "whole numbers"
            name = f"rounded to {what}"  # the digits of one case may be chance
            yield f"the numbers are right, but {name}.", name
    for way, function in {"up": np.ceil, "down": np.floor}.items():
        if np.array_equal(got, function(wanted)):
            yield f"the numbers are right, but rounded {way}.", f"rounded {way}"
    counted = np.array_equal(wanted, np.round(wanted))  # a count has all its digits
    off, size = np.abs(got - wanted), np.abs(wanted)
    error = off.max(initial=0) / size.max(initial=1e-300)
    error = max(error, np.median(off / np.maximum(size, 1e-300)))
    few = np.array_equal(got, got.astype(np.float16))
    if not counted and (error < 1e-4 or (few and error < 1e-3)):
        text = "Is something computed with too few digits?"
        yield f"the numbers are nearly right. {text}", "too few digits"


# --- the shape

_AXES = {1: ("number",), 2: ("row", "column")}


def _kind(array, axis):
    return _AXES.get(array.ndim, (f"entry along axis {axis}",) * 9)[axis]


def _shapes(wanted, got, close):
    if wanted.shape == got.shape:
        return
    if got.size == wanted.size:
        for one, other in itertools.combinations(range(got.ndim), 2):
            if got.ndim == wanted.ndim and close(np.swapaxes(wanted, one, other), got):
                both = f"axes {one} and {other}" if got.ndim > 2 else "rows and columns"
                yield f"{both} are exchanged.", "transposed"
        if close(wanted.ravel(), got.ravel()):
            yield "the numbers are right and in the right order.", "another shape"
    if got.ndim == wanted.ndim:
        axes = [n for n in range(got.ndim) if got.shape[n] != wanted.shape[n]]
        if len(axes) == 1 and min(got.shape[axes[0]], wanted.shape[axes[0]]):
            along = [np.moveaxis(array, axes[0], 0) for array in (wanted, got)]
            yield from _missing_or_too_many(*along, _kind(wanted, axes[0]), close)


def _missing_or_too_many(wanted, got, kind, close):
    """Some missing at one end, or too many."""
    few, many = sorted((wanted, got), key=len)
    n, state = len(many) - len(few), "missing" if few is got else "too many"
    for part, which in ((many[:-n], "last"), (many[n:], "first")):
        if close(part, few):
            kinds = kind.replace("entry", "entries") if " " in kind else f"{kind}s"
            ones = f"{n} {kinds} are" if n > 1 else f"{kind} is"
            text = f"the {which} {ones} {state}, and all others are right."
            yield text, f"{kind} {state}"


# --- the order


def _order(wanted, got, close):
    if wanted.shape != got.shape or not np.isfinite(got).all() or not wanted.ndim:
        return
    if wanted.ndim >= 2 and close(np.swapaxes(wanted, -1, -2), got):
        yield "rows and columns are exchanged.", "transposed"
    for axis in sorted({0, wanted.ndim - 1}):
        along = [np.moveaxis(array, axis, 0) for array in (wanted, got)]
        if 2 <= len(along[0]) <= 600:
            yield from _in_another_order(*along, _kind(wanted, axis), close)
            yield from _one_place_off(*along, _kind(wanted, axis), close)


def _anywhere(wanted, got, close):
    """All numbers are there, wherever they stand."""
    several = wanted.shape == got.shape and len(np.unique(wanted.round(4))) > TELLING
    if several and close(np.sort(wanted, axis=None), np.sort(got, axis=None)):
        yield "the numbers are right, but in another order.", "another order"


def _in_another_order(wanted, got, kind, close):
    n, half, name = len(wanted), len(wanted) // 2, f"{kind}s in another order"
    places = np.arange(n)
    known = {f"the {kind}s stand in reverse order.": places[::-1]}
    if n > 2 and n % 2 == 0:
        turns = np.c_[0:half, half:n].ravel()
        known |= {
            f"in every pair of {kind}s, the two are swapped.": places ^ 1,
            f"all even {kind}s come before all odd ones.": np.argsort(turns),
            f"the two halves of the {kind}s are swapped.": np.roll(places, half),
            f"the {kind}s of the two halves alternate.": turns,
        }
    for says, order in known.items():
        if close(wanted[order], got):
            yield says, says.strip(".")  # a single case may be so by chance
    rows = [array.reshape(n, -1).round(4) for array in (wanted, got)]
    if rows[0].shape[1] > 1 and close(*(row[np.lexsort(row.T)] for row in rows)):
        yield f"the {kind}s are right, but in another order.", name


def _one_place_off(wanted, got, kind, close):
    """Every row or number but one stands where its neighbour belongs."""
    for before, after, when, holds in (
        (wanted[1:], got[:-1], "one place too early", ("last one", got[-1])),
        (wanted[:-1], got[1:], "one place too late", ("first one", got[0])),
    ):
        if len(after) > 1 and close(before, after) and np.ptp(before, axis=0).any():
            more = "" if holds[1].any() else f", where the {holds[0]} hold 0"
            yield f"the {kind}s stand {when}{more}.", f"{kind}s {when}"


# --- rows, each for itself


def _rows(wanted, got, close):
    if wanted.shape != got.shape or wanted.ndim < 2 or wanted.shape[-1] < 2:
        return
    lengths = [np.linalg.norm(array, axis=-1, keepdims=True) for array in (wanted, got)]
    if np.isfinite(got).all() and lengths[0].all():
        factors = lengths[1] / lengths[0]
        if close(wanted * factors, got) and np.ptp(factors) > 0.01 * factors.max():
            one = " Here each row has length 1." if np.allclose(lengths[1], 1) else ""
            text = f"each row is the right one times a number of its own.{one}"
            yield text, "rows of another length"


def _angles(wanted, got, close):
    """Sines and cosines beside each other, of other angles in all rows but one at most."""
    if wanted.shape != got.shape or wanted.ndim != 2 or wanted.shape[1] % 2:
        return
    pairs = [array.reshape(len(array), -1, 2) for array in (wanted, got)]
    off = ~close.mask(*pairs).all(axis=2)  # (rows, pairs)
    of_one = all(np.allclose(np.linalg.norm(p, axis=2), 1, atol=1e-3) for p in pairs)
    if of_one and off.any(axis=1).sum() >= max(1, len(off) - 1):
        there = np.flatnonzero(off.any(axis=0))
        which = (
            f" in pair {there[0]}" if len(there) == 1 else f" from pair {there[0]} on"
        )
        which = "" if len(there) == off.shape[1] else which
        if not which or there[0] + len(there) == off.shape[1]:
            text = "the pairs of columns lie on the unit circle, as they should, but at"
            yield f"{text} wrong angles{which}.", "other angles"


_RELATIONS = (_digits, _shapes, _elementwise, _rows, _order)
