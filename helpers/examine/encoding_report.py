"""The report on a positional encoding: a class, an instance, a function, a table."""

import itertools
import math

import numpy as np

from helpers.examine import calling
from helpers.examine.calling import HOLDS, RETURNED, in_float64
from helpers.examine.naming import written
from helpers.examine.numbers import described
from helpers.examine.report import NOT_SURE, Report, yes
from helpers.examine.trying import (
    OutOfBounds,
    Unclear,
    attempt,
    first_that_works,
    start,
)

COMPUTES = {"sin", "sin_", "cos", "polar"}  # names of torch's functions
_HOW = (
    "Say how: examine(make=lambda length, width: {}, call=lambda module, x: …), where x "
    "has the axes (batch, length, width) and the sum or the table comes back."
)


def report_on(thing=None, *, make=None, call=None, table=None):
    """The Report on ``thing``; see `helpers.examine`."""
    start()
    if calling.is_table(thing):
        table = thing
    if table is not None:
        table = in_float64(table)
        notes = []
        table = table.reshape(-1, table.shape[-1])
        facts = {"call": "a table", "rows": len(table), **_numbers(table, notes)}
        return Report("table", facts, notes)
    if thing is None and make is None:
        raise TypeError(
            "give what is to be examined: a class, an instance or a function"
        )
    subject = calling.subject_of(thing, make, call)
    title = subject.named.__name__
    sizes = [calling.SIZES]
    if subject.kind == "instance":
        sizes = _own_sizes(thing) or sizes
    tables, _, notes = first_that_works(
        subject.tables, itertools.product(subject.forms, sizes)
    )
    if not tables:
        shown = attempt(written, subject.named, "length", "width").value or "…"
        return Report(title, {"call": NOT_SURE}, [*notes, _HOW.format(shown)])
    subject.size = next(iter(tables))
    notes = notes if subject.form is HOLDS else []
    if not make and subject.kind == "class":
        notes.append(f"Made as {written(thing, *subject.size)}.")
    return Report(title, _facts(subject, tables[subject.size], notes), notes)


def _own_sizes(instance):
    """Lengths and widths to try on an instance: the shapes of its tables, its integers.

    A vector says nothing: of the speeds there are half as many as columns.
    """
    held = (value for value, _ in calling.tensors(instance) if value.ndim > 1)
    own = [n for value in held for n in value.shape]
    own += [n for n in getattr(instance, "__dict__", {}).values() if type(n) is int]
    # The largest first: code that cuts its columns accepts fewer, too.
    few = sorted({n for n in own if 3 < n < 9999}, reverse=True)[:8]
    return [[(n, width)] for width in few for n in (40, *few) if n != width]


def _facts(subject, table, notes):
    """The facts on what is called in its form, or holds a table; adds to the notes."""
    form = subject.form
    facts = {"call": form.words, **_numbers(table, notes), "axis": form.axis}
    if subject.kind != "function":
        facts |= attempt(_storage, subject, table[1]).value or {}
    if form is not HOLDS:
        facts |= _limits(subject, facts)
    if form.kind == "zeros":
        facts |= attempt(_of_input, subject).value or {}
    return facts


def _numbers(table, notes):
    """What the numbers of a table are, and how exact."""
    law = described(table)
    facts = {"numbers": law.numbers, "layout": law.layout}
    if law.error < math.inf:
        notes.append(
            f"The largest error from these numbers is that of {len(table)} rows."
        )
        facts["largest error"] = law.error
    return facts


def _storage(subject, row):
    """How a table is kept, and what becomes of it."""
    made = subject.made(subject.size)
    kept = calling.holding(made, row)
    if kept is None:
        computed = _asked(subject) & COMPUTES
        return {"kept as": "nothing: computed in each call" if computed else NOT_SURE}
    kind, rows = kept
    return {
        "kept as": kind,
        "follows .to()": yes(kind != "attribute"),
        "in the checkpoint": yes(kind not in ("attribute", "buffer, not persistent")),
        "trained": yes(kind == "parameter"),
        "rows": rows,
    }


def _asked(subject):
    """The names of torch's functions that a call uses on a tensor that is not zero.

    x is zero, so that this leaves out what is done to x alone. It is the second call, as
    what is computed in the first alone is kept somewhere else.
    """
    import torch
    from torch.overrides import TorchFunctionMode

    asked = set()

    class Listening(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            if args and isinstance(args[0], torch.Tensor) and args[0].any():
                asked.add(function.__name__)
            return function(*args, **(kwargs or {}))

    made = subject.made(subject.size)
    x = subject.filled()
    subject.call(made, x)
    with Listening():
        subject.call(made, x)
    return asked


def _limits(subject, facts):
    """What a shorter and a longer input and an odd width meet."""
    size = subject.size
    limits = {}
    if facts.get("kept as", NOT_SURE) != NOT_SURE:
        limits["shorter"] = _outcome(
            subject, size, size[0] - 1, "another number of rows"
        )
        longer = facts.get("rows", size[0]) + 1
        limits["beyond"] = _outcome(subject, size, longer, "silently fewer rows")
    if subject.kind != "instance":
        limits["odd width"] = _outcome(
            subject, (20, 7), 20, "another number of columns"
        )
    return limits


def _outcome(subject, size, count, otherwise):
    """What comes of a call with another size; ``otherwise`` where it is no such table."""
    tried = attempt(subject.rows, size, count)
    if isinstance(tried.error, OutOfBounds):
        return NOT_SURE
    if isinstance(tried.error, Unclear):
        return otherwise
    if tried.error:
        return f"raises {tried.sentence}"
    if len(np.unique(tried.value, axis=0)) < count:
        return "works, but a row comes twice"
    return "works" if tried.value[:, -1].any() else "works, last column 0"


def _of_input(subject):
    """What becomes of x: a factor, a change in place, dropout.

    x varies, as a constant would vanish in a norm, and is so large that it shows where x
    was dropped.
    """

    def result_of(x, training=False):
        made = subject.made(subject.size, training)
        return in_float64(subject.call(made, x))

    x = subject.filled().uniform_(100, 200)
    given = x.clone()
    result = result_of(given)
    trained = result_of(x.clone(), training=True)
    facts = {"input times": f"0, {RETURNED}", "changes input": yes(not given.equal(x))}
    added = result - result_of(subject.filled())
    dropout = "on what is returned"
    if added.any():
        factors = added / x.numpy()
        root = subject.size[1] ** 0.5
        is_root = np.allclose(factors, root, 5e-3)
        facts["input times"] = "sqrt(d)" if is_root else f"{factors.mean():.3g}"
        # Of the large numbers; what is dropped of a sum is 0.
        dropped = set(trained[trained < result / 2])
        dropout = "on the sum" if dropped == {0} else "not on the sum"
        if np.ptp(factors) > 5e-3 * factors.max():
            facts["input times"], dropout = "not one factor", NOT_SURE
    else:
        facts["axis"] = RETURNED
    facts["dropout"] = "none" if np.array_equal(result, trained) else dropout
    return facts
