"""The report on a positional encoding: a class, an instance, a function, a table."""

import math

import numpy as np

from helpers.examine import calling
from helpers.examine.calling import HOLDS, RETURNED, Subject, Unclear, as_array
from helpers.examine.naming import NotClear
from helpers.examine.numbers import described
from helpers.examine.report import NOT_SURE, Report, yes
from helpers.examine.trying import OutOfTime, attempt

LONG = 5000, 16  # where the largest error is looked for
_HELP = "Say how: examine(make=lambda length, width: …, call=lambda module, x: …)."


def report_on(thing=None, *, make=None, call=None, table=None):
    """The Report on ``thing``; see `helpers.examine`."""
    if table is not None:
        return _of_table(as_array(table).squeeze())
    if thing is None and make is None:
        raise TypeError(
            "give what is to be examined: a class, an instance or a function"
        )
    named = thing or make
    title = getattr(named, "__name__", type(named).__name__)
    subject = Subject(thing, make, call)
    form, tables, notes = _first_that_works(subject)
    if form is None:
        return Report(title, {"call": NOT_SURE}, [*notes, _HELP])
    facts = {"call": form.words} | _numbers(tables, notes) | {"axis": form.axis}
    size = next(iter(tables))
    if not subject.is_function:
        facts |= attempt(_storage, subject, form, size, tables[size]).value or {}
    if form is not HOLDS:
        facts |= _limits(subject, form, size, facts)
    if form.kind == "zeros":
        facts |= attempt(_of_input, subject, form, size).value or {}
        facts |= attempt(_of_dropout, subject, form, size).value or {}
    facts |= _error(_over_many_rows(subject, form, tables))
    return Report(title, facts, notes)


def _of_table(table):
    if table.ndim != 2:
        raise ValueError(f"table must be (positions, columns); got shape {table.shape}")
    facts = {"call": "a table", "rows": len(table)} | _numbers({table.shape: table}, [])
    return Report("table", facts | _error(described(table)))


def _first_that_works(subject):
    """The first form of call that gives a table, its tables by size, and notes.

    What can be made in any size must give one at two widths or more.
    """
    sizes = _own_sizes(subject.thing) if subject.is_instance else calling.SIZES
    notes = []
    for form in subject.forms:
        tables, failed = {}, []
        for size in sizes:
            tried = attempt(subject.rows, form, *size)
            if isinstance(tried.error, (NotClear, OutOfTime)):
                return None, {}, [f"{tried.sentence}."]
            if tried.error:
                failed.append(f"Not at (length, width) {size}: {tried.sentence}.")
            else:
                tables[size] = tried.value
            if subject.is_instance and tables:
                failed.clear()
                break
        if len(tables) > (not subject.is_instance):
            return form, tables, notes if form is HOLDS else failed
        notes += [f"Tried {form.words}. {why}" for why in failed[:1]]
    return None, {}, notes


def _own_sizes(instance):
    """Lengths and widths to try on an instance: its own numbers and shapes."""
    own = [n for kept in calling.tensors(instance) for n in kept.value.shape[::-1]]
    own += [n for n in getattr(instance, "__dict__", {}).values() if type(n) is int]
    few = [n for n in dict.fromkeys(own) if n > 3][:6]
    return [(n, width) for width in few for n in (40, *few) if n != width]


def _numbers(tables, notes):
    laws = map(described, tables.values())
    found = sorted({(law.numbers, law.layout) for law in laws})
    if len(found) > 1:
        told = "; ".join(map(", ".join, found))
        notes.append(f"The numbers differ with the width: {told}.")
        found = [(NOT_SURE, NOT_SURE)]
    return dict(zip(("numbers", "layout"), found[0], strict=True))


def _storage(subject, form, size, table):
    """How a table is kept, and what becomes of it."""
    made = subject.made(*size)
    kept = calling.holding(made, table)
    if kept is None:
        computed = attempt(_computes, subject, made, form, size).value
        return {"kept as": "nothing: computed in each call" if computed else NOT_SURE}
    facts = {"kept as": kept.kind}
    if hasattr(made, "state_dict"):
        facts["follows .to()"] = attempt(_follows, made, kept.name).value or NOT_SURE
        facts["in the checkpoint"] = yes(kept.name in made.state_dict())
        facts["trained"] = yes(kept.kind == "parameter")
    return facts | {"rows": len(kept.rows(table.shape[1]))}


def _computes(subject, made, form, size):
    """Whether a second call on one instance takes sines, so that no table is kept."""
    from torch.overrides import TorchFunctionMode

    heard = set()

    class Listening(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            heard.add(function.__name__)
            return function(*args, **(kwargs or {}))

    subject.rows(form, *size, made=made)
    with Listening():
        subject.rows(form, *size, made=made)
    return heard & {"sin", "sin_", "cos", "polar"}


def _follows(made, name):
    """Whether the table is converted with the module, as it would move with it."""
    import torch

    made.to(torch.float16)
    kept = next(kept for kept in calling.tensors(made) if kept.name == name)
    return yes(kept.value.dtype == torch.float16)


def _limits(subject, form, size, facts):
    """What a longer input and an odd width meet."""
    found = {}
    if "kept as" in facts:
        longer = attempt(subject.rows, form, *size, facts.get("rows", size[0]) + 1)
        found["beyond"] = _outcome(longer, "silently fewer rows")
        if facts["kept as"] == NOT_SURE:
            found["beyond"] = NOT_SURE
    if not subject.is_instance:
        odd = attempt(subject.rows, form, 24, 7)
        found["odd width"] = _outcome(odd, "another number of columns")
    return found


def _outcome(tried, otherwise):
    if tried.error is None:
        return "works"
    return otherwise if isinstance(tried.error, Unclear) else f"raises {tried.sentence}"


def _passed(subject, form, size, value, train=False):
    """What comes of x of one value, and x after the call."""
    made = subject.made(*size)
    if train:
        made.train()
    x = calling.filled(form, *size, value)
    return as_array(subject.call(made, x)), as_array(x)


def _of_input(subject, form, size):
    """What becomes of x: a factor, a change in place."""
    zeros, x = _passed(subject, form, size, 0.0)
    ones, y = _passed(subject, form, size, 1.0)
    factor = _factor(ones - zeros, size[1])
    facts = {"input times": factor, "changes input": yes(x.any() or (y != 1).any())}
    return facts | ({"axis": RETURNED} if factor.startswith("0") else {})


def _factor(difference, width):
    factor = difference.mean()
    if not np.allclose(difference, factor, 1e-4, 1e-4):
        return "not one factor"
    root = round(math.sqrt(width), 3)
    known = {0.0: "0, a table is returned", 1.0: "1", root: "sqrt(d)"}
    return known.get(round(factor, 3), f"{factor:.4g}")


def _of_dropout(subject, form, size):
    """Where dropout acts, seen on x = 1000: where it acts on the sum, zeros come."""
    evaluated, _ = _passed(subject, form, size, 1e3)
    trained, _ = _passed(subject, form, size, 1e3, train=True)
    if np.array_equal(evaluated, trained):
        return {"dropout": "none"}
    return {"dropout": "on the sum" if (trained == 0).any() else "on the table only"}


def _over_many_rows(subject, form, tables):
    """The law of the longest table that it gives, or of the longest of those seen."""
    many = attempt(subject.rows, form, *LONG).value
    return described(max(tables.values(), key=len) if many is None else many)


def _error(law):
    return {"largest error": law.error} if law.error < math.inf else {}
