"""The report on a positional encoding: a class, an instance, a function, a table."""

import itertools
import math

import numpy as np

from helpers.examine import calling
from helpers.examine.calling import HOLDS, RETURNED, in_float64
from helpers.examine.naming import written
from helpers.examine.numbers import described, factor_of
from helpers.examine.report import NOT_SURE, Report, yes
from helpers.examine.trying import (
    OutOfBounds,
    Unclear,
    attempt,
    first_that_works,
    start,
)

# Names of torch's functions.
COMPUTES, CONVERTS = {"sin", "sin_", "cos", "polar"}, {"to", "type_as"}
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
        return _of_table(in_float64(table))
    if thing is None and make is None:
        raise TypeError(
            "give what is to be examined: a class, an instance or a function"
        )
    subject = calling.subject_of(thing, make, call)
    title, sizes = subject.named.__name__, [calling.SIZES]
    if subject.kind == "instance":
        sizes = [[size] for size in _own_sizes(thing)] or sizes
    options = itertools.product(subject.forms, sizes)
    tables, _, notes = first_that_works(subject.tables, options)
    if tables is None:
        shown = attempt(written, subject.named, "length", "width").value or "…"
        return Report(title, {"call": NOT_SURE}, [*notes, _HOW.format(shown)])
    subject.size = next(iter(tables))
    notes = notes if subject.form is HOLDS else []
    if make is None and subject.kind == "class":
        notes.append(f"Made as {written(thing, *subject.size)}.")
    return Report(title, _facts(subject, [*tables.values()], notes), notes)


def _of_table(table):
    table = np.atleast_2d(table)
    table = table.reshape(-1, table.shape[-1])
    facts, notes = {"call": "a table", "rows": len(table)}, []
    return Report("table", facts | _numbers([table], notes), notes)


def _own_sizes(instance):
    """Lengths and widths to try on an instance: the shapes of its tables, its integers.

    A vector says nothing: of the speeds there are half as many as columns.
    """
    shapes = [value.shape for value, _ in calling.tensors(instance)]
    own = [n for shape in shapes if len(shape) > 1 for n in shape]
    own += [n for n in getattr(instance, "__dict__", {}).values() if type(n) is int]
    # The largest first: code that cuts its columns accepts fewer, too.
    few = sorted({n for n in own if 3 < n < 9999}, reverse=True)[:8]
    return [(n, width) for width in few for n in (40, *few) if n != width]


def _facts(subject, tables, notes):
    """The facts on what is called in its form, or holds a table; adds to the notes."""
    form, numbers = subject.form, _numbers(tables, notes)
    facts = {"call": form.words, **numbers, "axis": form.axis}
    if subject.kind != "function":
        facts |= attempt(_storage, subject, tables[0]).value or {}
    if facts.get("follows .to()") == "no":
        asked = attempt(_asked, subject, True).value or set()
        facts["follows .to()"] += ", but each call converts it" * bool(asked & CONVERTS)
    if form is not HOLDS:
        facts |= _limits(subject, facts)
    if form.kind == "zeros":
        facts |= attempt(_of_input, subject).value or {}
    return facts


def _numbers(tables, notes):
    """What the numbers are, "or" where widths differ; how exact, in the first table."""
    laws = [described(table) for table in tables]
    facts = {}
    for name in ("numbers", "layout"):
        facts[name] = " or ".join(sorted({getattr(law, name) for law in laws}))
    if laws[0].error < math.inf:
        rows = len(tables[0])
        notes.append(f"The largest error from these numbers is that of {rows} rows.")
        facts["largest error"] = laws[0].error
    return facts


def _storage(subject, table):
    """How a table is kept, and what becomes of it."""
    made, row = subject.made(subject.size), table[1]
    kept = calling.holding(made, row)
    kept = kept or calling.holding(made, row / described(table).scale)
    if kept is None:
        computed = _asked(subject) & COMPUTES
        return {"kept as": "nothing: computed in each call" if computed else NOT_SURE}
    kind, rows = kept
    if not hasattr(made, "state_dict"):
        return {"kept as": kind, "rows": rows}
    return {
        "kept as": kind,
        "follows .to()": yes(kind != "attribute"),
        "in the checkpoint": yes(kind not in ("attribute", "buffer, not persistent")),
        "trained": yes(kind == "parameter"),
        "rows": rows,
    }


def _asked(subject, half=False):
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

    made, x = subject.made(subject.size), subject.filled()
    subject.call(made, x)
    if half:
        made, x = made.half(), x.half()
    with Listening():
        subject.call(made, x)
    return asked


def _limits(subject, facts):
    """What a shorter and a longer input and an odd width meet."""
    size, tries = subject.size, {}
    if facts.get("kept as", NOT_SURE) != NOT_SURE:
        longer = facts.get("rows", size[0]) + 1
        tries["shorter"] = size, size[0] - 1, "another number of rows"
        tries["beyond"] = size, longer, "silently fewer rows"
    if subject.kind != "instance":
        tries["odd width"] = (20, 7), 20, "another number of columns"
    return {name: _outcome(subject, *tried) for name, tried in tries.items()}


def _outcome(subject, size, count, otherwise):
    """What comes of a call with another size; ``otherwise`` where it is no such table."""
    tried = attempt(subject.rows, size, count)
    if isinstance(tried.error, OutOfBounds):
        return NOT_SURE
    if isinstance(tried.error, Unclear):
        return otherwise
    if tried.error:
        return f"raises {tried.sentence}"
    *rows, last = tried.value
    again = np.abs(rows - last).max(axis=1) < 1e-6
    if again.any():
        return f"works: row {len(rows)} is row {again.argmax()} again"
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
    result, trained = result_of(given), result_of(x.clone(), training=True)
    facts = {"changes input": yes(not given.equal(x))}
    added = result - result_of(subject.filled())
    if added.any():
        factors = added / x.numpy()
        times = factor_of(factors.mean(), subject.size[1])
        dropout = _dropout(result, trained)
        if np.ptp(factors) > 5e-3 * factors.max():
            times, dropout = "not one factor", NOT_SURE
    else:
        times, dropout = f"0, {RETURNED}", "on what is returned"
        facts["axis"] = RETURNED
    if np.array_equal(result, trained):
        dropout = "none"
    return {"input times": times, **facts, "dropout": dropout}


def _dropout(result, trained):
    """Where dropout acts, by the large numbers that are gone in training."""
    dropped = trained[np.abs(trained) < np.abs(result) / 2]
    if not dropped.size:
        return "on the table only"
    return "on the input, not the sum" if dropped.any() else "on the sum"
