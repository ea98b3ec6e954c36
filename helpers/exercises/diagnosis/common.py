"""Layer: what the cases in which an answer fails have in common.

It says only what is so in the cases that were tried: the feature holds in every one
that fails and in none that passes, and no experiment speaks against it.
"""

import ast
from functools import partial
from itertools import permutations

import numpy as np

from helpers.exercises import source
from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.diagnosis.edits import value_of
from helpers.exercises.diagnosis.experiments import Experiments

LISTED = 120  # letters up to which the wrong cases are told one by one


def shared(findings):
    """One sentence, or None where the failing cases share nothing that can be said."""
    failing = [t.case for t in findings.failing if t.expected.raised is None]
    passing = [t.case for t in findings.passing if t.expected.raised is None]
    if not failing or not passing:
        return None
    if all(_asks_for_none(t) for t in findings.failing) and not any(
        _asks_for_none(t) for t in findings.passing
    ):
        return _said("where `None` is asked for", failing, passing)
    names = findings.task.names_of(failing[0])
    # Where a case has words, what its arrays hold does not tell it from another.
    seen_of = _shapes_alone if findings.task.words else tuple
    failing, passing = list(map(seen_of, failing)), list(map(seen_of, passing))
    experiments = None
    for feature in _features(names, failing, passing, _typed(findings.answer)):
        says, holds, *about = feature
        holds = _safe(holds)
        if all(map(holds, failing)) and not any(map(holds, passing)):
            experiments = experiments or Experiments(findings)
            if experiments.refute(lambda c, h=holds: h(seen_of(c)), *about):
                continue
            return _said(says, failing, passing)
    large = _where_the_answer_is_large(findings)
    if large:
        return _said(large, failing, passing)
    if len(passing) == 1 and len(failing) > 2:
        only = findings.task.describe(findings.passing[0].case)
        return f"Of the {len(failing) + 1} cases tried, only {only} came out right."
    return None


def _said(where, failing, passing):
    be = "is" if len(passing) == 1 else "are"
    tried = f"Of the {len(failing) + len(passing)} cases tried"
    return f"{tried}, {len(passing)} {be} right: it was wrong {where}."


def _asks_for_none(trial):
    # What an exercise makes of an answer may be its text.
    wanted = trial.expected.value
    none = wanted is None or (isinstance(wanted, str) and wanted == "None")
    return none and trial.expected.raised is None


def _where_the_answer_is_large(findings):
    """Words where it is wrong from some right answer on: a search that ends, say.

    Of whole numbers only, and of no fewer than three on either side: it may be chance,
    and there may be no other cases to find out.
    """
    sides = (findings.failing, findings.passing)
    bad, good = (
        {_scalar(t.expected.value) for t in side if t.expected.raised is None}
        for side in sides
    )
    whole = all(isinstance(n, (int, np.integer)) for n in bad | good)
    if not whole or min(len(bad), len(good)) < 3 or min(bad) <= max(good):
        return None

    def holds(case):
        wanted = _scalar(findings.task.quiet(findings.task.reference, case).value)
        if wanted is None or max(good) < wanted < min(bad):
            return None
        return wanted >= min(bad)

    arguments = range(len(findings.failing[0].case))
    if Experiments(findings).refute(holds, arguments):
        return None
    return f"where the right answer is {min(bad)} or more (right up to {max(good)})"


def _typed(answer):
    """The numbers that stand in an answer's code, but 1 and 2, which do everywhere."""
    nodes = [node for part in source.parts(answer) for node in ast.walk(part.node)]
    return {value for value in map(value_of, nodes) if value is not None} - {1, 2}


def _shapes_alone(case):
    """The case with nothing in its arrays but the shape."""
    return tuple(np.zeros(_shape(a)) if _shape(a) else a for a in case)


def others(findings, told):
    """That the answer is right in the other cases, where it is; else None.

    ``told`` is whether the one wrong case has been named already.
    """
    failing = [t.case for t in findings.failing if t.expected.raised is None]
    right = sum(t.expected.raised is None for t in findings.passing)
    if not failing or not right:
        return None
    if len(failing) == 1:
        rest = "other case" if right == 1 else f"other {right} cases"
        if told:
            return f"The {rest} tried came out right."
        case = findings.task.describe(failing[0])
        return f"So it is for {case}; the {rest} tried came out right."
    listed = [f"for {findings.task.describe(case)}" for case in failing[told:]]
    wrong = f"It was {'also ' * told}wrong {' and '.join(listed)}"
    if len(failing) <= 3 and right > 1 and len(wrong) <= LISTED:
        return f"{wrong}; the other {right} cases tried came out right."
    return f"{right} of the {right + len(failing)} cases tried came out right."


def _safe(holds):
    def answer(case):
        try:
            found = holds(case)
            return found if found is None else bool(found)
        except Exception:  # a feature that such an argument does not have
            return False

    return answer


def _features(names, failing, passing, typed=frozenset()):
    """(words, test of a case, which arguments it is about), the plainest first.

    A fourth gives more cases to try, made of one.
    `typed` are the numbers in the answer's code.
    """
    count = min(len(names), len(failing[0]))
    many = (
        len(failing) > 1 and len(passing) > 1
    )  # fewer are odd, or begin so, by chance
    for n in range(count):
        found = _of_one(n, f"`{names[n]}`", failing, passing, many, typed)
        for words, holds, *without in found:
            more = (partial(_changed, n, *without),) if without else ()
            yield (words, holds, (n,), *more)
    for a, b in permutations(range(count), 2):
        equal = any(_scalar(case[a]) == _scalar(case[b]) for case in passing)
        if not many and not equal:
            continue
        yield (
            f"where `{names[a]}` is larger than `{names[b]}`",
            lambda c, a=a, b=b: _scalar(c[a]) > _scalar(c[b]),
            (a, b),
            lambda c, a=a, b=b: _just_not_larger(c, a, b),
        )
    for n in range(count):
        found = _thresholds(n, f"`{names[n]}`", failing, passing)
        yield from ((words, holds, (n,)) for words, holds in found)
    for n in range(count if many else 0):  # last: it may be so by chance
        name = f"`{names[n]}`"
        yield f"where {name} is odd", _number(n, lambda v: v % 2 == 1), (n,)
        yield (
            f"where the length of {name} is odd",
            _array(n, lambda a: a.ndim > 0 and len(a) % 2 == 1),
            (n,),
        )
    for a in range(count if many else 0):
        for b in range(a + 1, count):
            yield (
                f"where `{names[a]}` and `{names[b]}` have different shapes",
                lambda c, a=a, b=b: _shape(c[a]) != _shape(c[b]) and _shape(c[a]),
                (a, b),
            )
            yield (
                f"where `{names[a]}` and `{names[b]}` differ",
                lambda c, a=a, b=b: _scalar(c[a]) != _scalar(c[b]),
                (a, b),
            )


def _of_one(n, name, failing, passing, many, typed):
    """(words, test of a case) of one argument; a third takes the feature from an array
    that has it."""
    yield f"where {name} is negative", _number(n, lambda v: v < 0)
    yield f"where {name} is 0", _number(n, lambda v: v == 0)
    yield f"where {name} is positive", _number(n, lambda v: v > 0)
    yield f"where {name} is no whole number", _number(n, lambda v: v % 1 != 0)
    if many:
        yield (
            f"where {name} holds negative numbers",
            _array(n, lambda a: (a < 0).any()),
            np.abs,
        )
    yield (
        f"where {name} holds numbers that are not whole",
        _array(n, lambda a: (a % 1 != 0).any()),
        np.ceil,
    )
    yield f"where {name} is empty", _array(n, lambda a: a.size == 0)
    is_list = lambda case: isinstance(case[n], list)  # noqa: E731
    yield f"where {name} is a list", is_list, None
    dims = _each(passing, n, lambda a: a.ndim)
    if len(dims) == 1 and many:
        (dim,) = dims
        axes = _count(dim, "axis", "axes")
        yield (
            f"wherever {name} has not {axes}",
            _array(n, lambda a, d=dim: a.ndim != d),
        )
    dims = _each(failing, n, lambda a: a.ndim)
    if len(dims) == 1:
        (dim,) = dims
        axes = _count(dim, "axis", "axes")
        yield (
            f"where {name} has {axes}",
            _array(n, lambda a, d=dim: a.ndim == d),
        )
    yield (
        f"where {name} has not as many rows as columns",
        _array(n, lambda a: a.ndim > 1 and a.shape[-1] != a.shape[-2]),
    )
    only = {_scalar(case[n]) for case in passing} - {None}
    # One right case has some value of everything: by chance, or it was typed in.
    if len(only) == 1 and len(failing) > 1 and (many or only & (typed | {0})):
        (value,) = only
        yield (
            f"wherever {name} is not {value:g}",
            _number(n, lambda v, x=value: v != x),
        )
    widths = _each(passing, n, lambda a: a.shape[-1])
    if len(widths) == 1 and many:
        (width,) = widths
        flat = _each([*failing, *passing], n, lambda a: a.ndim) == {1}
        has = f"has not {_count(width, 'number', 'numbers')}"
        yield (
            f"wherever {name} {has if flat else f'is not {width} wide'}",
            _array(n, lambda a, w=width: a.shape[-1] != w),
        )
    if not many:
        return
    yield (
        f"where {name} does not begin with 0",
        _array(n, lambda a: a.ndim == 1 and a[0] != 0),
        lambda a: a - a[0],
    )
    yield (
        f"where {name} does not go up by 1",
        _array(n, lambda a: a.ndim == 1 and (np.diff(a) != 1).any()),
        lambda a: a[0] + np.arange(len(a)),
    )
    yield (
        f"where a number stands twice in {name}",
        _array(n, lambda a: a.ndim == 1 and len(np.unique(a)) < len(a)),
        lambda a: a[0] + np.arange(len(a)),
    )


def _changed(n, change, case):
    """The case with an array changed, still of its kind; with no change, no list."""
    value = case[n]
    if not _shape(value):
        return []
    array = _read(value)
    if change is None:
        new = array
    elif isinstance(value, (list, tuple)):
        new = type(value)(change(array).tolist())
    elif isinstance(value, np.ndarray):
        new = change(array).astype(value.dtype)
    else:
        new = value.new_tensor(change(array).tolist())
    return [(*case[:n], new, *case[n + 1 :])]


def _just_not_larger(case, a, b):
    """The case with argument b one larger than a, where both are numbers."""
    larger = int(np.ceil(_scalar(case[a]))) + 1
    return [(*case[:b], type(case[b])(larger), *case[b + 1 :])] if larger > 0 else []


def _thresholds(n, name, failing, passing):
    bad = [_scalar(case[n]) for case in failing]
    good = [_scalar(case[n]) for case in passing]
    if None in bad or None in good or min(len(set(bad)), len(set(good))) < 2:
        return
    lowest, highest = min(bad), max(bad)
    if lowest > max(good):
        yield (
            f"from {name} = {lowest:g} on (right up to {max(good):g})",
            _number(n, lambda v: v >= lowest if not max(good) < v < lowest else None),
        )
    if highest < min(good):
        yield (
            f"up to {name} = {highest:g} (right from {min(good):g} on)",
            _number(n, lambda v: v <= highest if not highest < v < min(good) else None),
        )


def _number(n, test):
    def holds(case):
        value = _scalar(case[n])
        return value is not None and test(value)

    return holds


def _array(n, test):
    return lambda case: _shape(case[n]) is not None and test(_read(case[n]))


def _each(cases, n, what):
    try:
        return {what(_read(case[n])) for case in cases if _shape(case[n])}
    except (Unreadable, IndexError):
        return set()


def _scalar(value):
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        return value
    return None


def _shape(value):
    if isinstance(value, (list, tuple)) or hasattr(value, "shape"):
        return tuple(np.shape(_read(value)))
    return None


def _read(value):
    return as_array(value)


def _count(n, one, many):
    return f"{n} {one if n == 1 else many}"
