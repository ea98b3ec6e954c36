"""The report on a positional encoding: a class, an instance, a function, a table."""

import itertools
import math

import numpy as np

from helpers.examine import calling
from helpers.examine.calling import HOLDS, RETURNED, Subject, as_array
from helpers.examine.naming import written
from helpers.examine.numbers import described, factor_of
from helpers.examine.report import NOT_SURE, Report, yes
from helpers.examine.trying import OutOfTime, Unclear, attempt, first_that_works, start

_HOW = (
    "Say how: examine(make=lambda length, width: {}, call=lambda module, x: …), where x "
    "has the axes (batch, length, width) and the sum or the table comes back."
)


def report_on(thing=None, *, make=None, call=None, table=None):
    """The Report on ``thing``; see `helpers.examine`."""
    start()
    table = thing if calling.is_table(thing) else table
    if table is not None:
        return _of_table(as_array(table))
    if thing is None and make is None:
        raise TypeError(
            "give what is to be examined: a class, an instance or a function"
        )
    subject = Subject(thing, make, call)
    made = attempt(subject.made, *subject.size).value if thing is None else thing
    named = made if hasattr(made, "__name__") else type(made)
    sizes = [calling.SIZES]
    if subject.kind == "instance":
        sizes = [[size] for size in _own_sizes(thing)]
    options = itertools.product(subject.forms, sizes)
    tables, _, notes = first_that_works(subject.tables, options)
    if tables is None:
        shown = attempt(written, named, "length", "width").value or "…"
        return Report(named.__name__, {"call": NOT_SURE}, [*notes, _HOW.format(shown)])
    notes = notes if subject.form is HOLDS else []
    if subject.kind == "class":
        notes.append(f"Made as {written(thing, *subject.size)}.")
    subject.size = next(iter(tables))
    facts = {"call": subject.form.words} | _numbers(tables, notes)
    facts["axis"] = subject.form.axis
    if subject.kind != "function":
        facts |= attempt(_storage, subject, tables[subject.size]).value or {}
    if subject.form is not HOLDS:
        facts |= _limits(subject, facts)
    if subject.form.kind == "zeros":
        facts |= attempt(_of_input, subject).value or {}
    return Report(named.__name__, facts, notes)


def _of_table(table):
    table = np.atleast_2d(table)
    table = table.reshape(-1, table.shape[-1])
    facts, notes = {"call": "a table", "rows": len(table)}, []
    return Report("table", facts | _numbers({None: table}, notes), notes)


def _own_sizes(instance):
    """Lengths and widths to try on an instance: the shapes of its tables, its integers.

    A vector says nothing: of the speeds there are half as many as columns.
    """
    shapes = [value.shape for _, value, _ in calling.tensors(instance)]
    own = [n for shape in shapes if len(shape) > 1 for n in shape[::-1]]
    own += [n for n in getattr(instance, "__dict__", {}).values() if type(n) is int]
    # The largest first: code that cuts its columns accepts fewer, too.
    few = sorted({n for n in own if 3 < n < 9999}, reverse=True)[:8]
    return [(n, width) for width in few for n in (40, *few) if n != width]


def _numbers(tables, notes):
    """What the numbers are, "or" where widths differ; how exact, in the first table."""
    laws = [described(table) for table in tables.values()]
    facts = {"numbers": " or ".join(sorted({law.numbers for law in laws}))}
    facts["layout"] = " or ".join(sorted({law.layout for law in laws}))
    if laws[0].error < math.inf:
        rows = len(next(iter(tables.values())))
        notes.append(f"The largest error from these numbers is that of {rows} rows.")
        facts["largest error"] = laws[0].error
    return facts


def _storage(subject, table):
    """How a table is kept, and what becomes of it."""
    made = subject.made(*subject.size)
    scale = described(table).scale
    kept = calling.holding(made, table) or calling.holding(made, table / scale)
    x = calling.filled(subject.form, *subject.size)
    if kept is None:
        # What is computed in the first call alone is kept somewhere else.
        subject.call(made, x)
        computed = _asked(subject, made, x) & {"sin", "sin_", "cos", "polar"}
        return {"kept as": "nothing: computed in each call" if computed else NOT_SURE}
    name, kind, rows = kept
    if not hasattr(made, "state_dict"):
        return {"kept as": kind, "rows": rows}
    saved, follows = name in made.state_dict(), yes(kind != "attribute")
    if kind == "attribute":
        asked = attempt(lambda: _asked(subject, made.half(), x.half())).value or set()
        follows += ", but each call converts it" * bool(asked & {"to", "type_as"})
    return {
        "kept as": kind + ", not persistent" * (kind == "buffer" and not saved),
        "follows .to()": follows,
        "in the checkpoint": yes(saved),
        "trained": yes(kind == "parameter"),
        "rows": rows,
    }


def _asked(subject, made, x):
    """The torch functions that a call asks for, on what is not zero, as x is."""
    from torch.overrides import TorchFunctionMode

    asked = set()

    class Listening(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            if hasattr([*args, None][0], "any") and args[0].any():
                asked.add(function.__name__)
            return function(*args, **(kwargs or {}))

    with Listening():
        subject.call(made, x)
    return asked


def _limits(subject, facts):
    """What a shorter and a longer input and an odd width meet."""
    (length, _), found = subject.size, {}
    if facts.get("kept as", NOT_SURE) != NOT_SURE:
        rows, other = facts.get("rows", length), "another number of rows"
        found["shorter"] = _outcome(subject, subject.size, length - 1, other)
        other = "silently fewer rows"
        found["beyond"] = _outcome(subject, subject.size, rows + 1, other)
    if subject.kind != "instance":
        other = "another number of columns"
        found["odd width"] = _outcome(subject, (20, 7), 20, other)
    return found


def _outcome(subject, size, count, otherwise):
    """What comes of a call with another size; ``otherwise`` where it is no such table."""
    tried = attempt(subject.rows, size, count)
    if isinstance(tried.error, (OutOfTime, MemoryError)):
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
    zeros = calling.filled(subject.form, *subject.size)
    large, results = zeros.clone().uniform_(100, 200), []
    for x, mode in ((zeros, "eval"), (large, "eval"), (large, "train")):
        made, given = subject.made(*subject.size), x.clone()
        getattr(made, mode, bool)()
        results.append(as_array(subject.call(made, given)))
    nothing, result, trained = results
    factors = result - nothing
    factors = factors / large.numpy() if factors.any() else factors
    named = factor_of(factors.mean(), subject.size[1])
    if np.ptp(factors) > 5e-3 * factors.max():
        named = "not one factor"
    facts = {"input times": named, "changes input": yes(not given.equal(x))}
    dropped, dropout = trained[np.abs(trained) < np.abs(result) / 2], "on the sum"
    if named == "0":
        facts |= {"input times": f"0, {RETURNED}", "axis": RETURNED}
    if np.array_equal(result, trained):
        dropout = "none"
    elif named == "not one factor":
        dropout = NOT_SURE
    elif named == "0":
        dropout = "on what is returned"
    elif not dropped.size:
        dropout = "on the table only"
    elif dropped.any():
        dropout = "on the input, not the sum"
    return facts | {"dropout": dropout}
