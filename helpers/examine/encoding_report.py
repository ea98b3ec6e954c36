"""The report on a positional encoding: a class, an instance, a function, a table."""

import functools
import math
import sys

import numpy as np

from helpers.examine import calling
from helpers.examine.calling import HOLDS, RETURNED, Subject, Unclear, as_array
from helpers.examine.naming import NotClear
from helpers.examine.numbers import UNKNOWN, described
from helpers.examine.report import NOT_SURE, Report
from helpers.examine.trying import OutOfTime, attempt

LONG = ((5000, 16), (512, 16))  # where the largest error is looked for
_HELP = "Say how: examine(make=lambda length, width: …, call=lambda module, x: …)."


def report_on(thing=None, *, make=None, call=None, table=None):
    """The Report on ``thing``; see `helpers.examine`."""
    if table is not None:
        return _of_table(table)
    if thing is None and make is None:
        raise TypeError(
            "give what is to be examined: a class, an instance or a function"
        )
    named = make if thing is None else thing
    title = getattr(named, "__name__", type(named).__name__)
    subject = Subject(thing, make, call)
    form, tables, notes = _first_that_works(subject)
    if form is None:
        return Report(title, {"call": NOT_SURE}, [*notes, _HELP])
    facts = {"call": form.words} | _numbers(tables, notes) | {"axis": form.axis}
    (length, width), table = next(iter(tables.items()))
    if not subject.is_function:
        facts |= _storage(subject, form, length, width, table)
    if form is not HOLDS:
        facts |= _limits(subject, form, length, width, facts)
    if "zeros" in form.kind:
        facts |= _with_input(subject, form, length, width)
    facts |= _error(subject, form, tables)
    return Report(title, facts, notes)


def _of_table(table):
    array = as_array(table).squeeze()
    if array.ndim != 2:
        raise ValueError(f"table must be (positions, columns); got shape {array.shape}")
    law = described(array)
    facts = {"call": "a table", "numbers": law.numbers if law else UNKNOWN}
    facts["layout"] = law.layout if law else NOT_SURE
    facts["rows"] = len(array)
    if law:
        facts["largest error"] = law.error(array)
    return Report("table", facts)


def _first_that_works(subject):
    """The first form of call that gives a table, its tables by size, and notes.

    What can be made in any size must give one at two widths or more.
    """
    enough = 1 if subject.is_instance else 2
    sizes = _own_sizes(subject.thing) if subject.is_instance else calling.SIZES
    notes = []
    for form in subject.forms:
        tables, failed = {}, {}
        for size in sizes:
            tried = attempt(subject.rows, form, *size)
            if isinstance(tried.error, (NotClear, OutOfTime)):
                return None, {}, [f"{tried.sentence}."]
            kept, value = (failed, tried) if tried.error else (tables, tried.value)
            kept[size] = value
            if subject.is_instance and tables:
                return form, tables, notes if form is HOLDS else []
        if len(tables) >= enough:
            left = [f"Not at {size}: {e.sentence}." for size, e in failed.items()]
            return form, tables, notes if form is HOLDS else left
        notes += [f"Tried {form.words}: {e.sentence}." for e in failed.values()][:1]
    return None, {}, notes


def _own_sizes(instance):
    """Lengths and widths to try on an instance: its own numbers and shapes."""
    own = [
        side for kept in calling.tensors(instance) for side in kept.value.shape[::-1]
    ]
    own += [value for value in vars(instance).values() if type(value) is int]
    own = [n for n in dict.fromkeys(own) if n > 3]
    return [(n, width) for width in own for n in (40, *own) if n != width]


def _numbers(tables, notes):
    laws = [described(table) for table in tables.values()]
    numbers = {law.numbers if law else UNKNOWN for law in laws}
    layouts = {law.layout if law else NOT_SURE for law in laws}
    if len(numbers) > 1:
        told = ", ".join(sorted(numbers))
        notes.append(f"The numbers differ with the width: {told}.")
    if len(tables) == 1:
        notes.append(f"Seen at one width only, {next(iter(tables))[1]}.")
    return {"numbers": _one(numbers), "layout": _one(layouts)}


def _one(found):
    return found.pop() if len(found) == 1 else NOT_SURE


def _storage(subject, form, length, width, table):
    """How a table is kept, and what becomes of it."""
    made = attempt(subject.made, length, width).value
    kept = calling.holding(made, table)
    is_module = hasattr(made, "state_dict")
    if kept is None:
        again = attempt(_computes, subject, made, form, length, width)
        computed = "nothing: computed in each call" if again.value else NOT_SURE
        return {"kept as": computed} | ({"trained": "no"} if again.value else {})
    facts = {"kept as": kept.kind}
    if is_module:
        facts["follows .to()"] = _follows(made, kept.name)
        facts["in the checkpoint"] = _yes(kept.name in made.state_dict())
        facts["trained"] = _yes(kept.kind == "parameter")
    return facts | {"rows": len(kept.rows(width))}


def _computes(subject, made, form, length, width):
    """Whether a second call on one instance takes sines, so that no table is kept."""
    from torch.overrides import TorchFunctionMode

    class Listening(TorchFunctionMode):
        heard = False

        def __torch_function__(self, function, types, args=(), kwargs=None):
            Listening.heard |= function.__name__ in ("sin", "cos", "polar", "sin_")
            return function(*args, **(kwargs or {}))

    subject.rows_of(made, form, length, width)
    with Listening():
        subject.rows_of(made, form, length, width)
    return Listening.heard


def _follows(made, name):
    """Whether the table is converted with the module, as it would move with it."""
    torch = sys.modules["torch"]
    moved = attempt(made.to, torch.float16)
    if moved.error:
        return f"raises {moved.sentence}"
    value = functools.reduce(getattr, name.split("."), moved.value)
    return _yes(getattr(value, "dtype", None) == torch.float16)


def _yes(fact):
    return "yes" if fact else "no"


def _limits(subject, form, length, width, facts):
    """What a longer input and an odd width meet."""
    found = {}
    if facts.get("kept as") == NOT_SURE:
        found["beyond"] = NOT_SURE
    elif not subject.is_function:
        most = facts.get("rows", length)
        tried = attempt(subject.rows, form, length, width, most + 1)
        found["beyond"] = _outcome(tried, "silently fewer rows")
    if not subject.is_instance:
        tried = attempt(subject.rows, form, 24, 7)
        found["odd width"] = _outcome(tried, "another number of columns")
    return found


def _outcome(tried, otherwise):
    if tried.error is None:
        return "works"
    return otherwise if isinstance(tried.error, Unclear) else f"raises {tried.sentence}"


def _with_input(subject, form, length, width):
    """What becomes of x: dropout, a factor, a change in place."""
    torch = sys.modules["torch"]

    def passed(value, training=False):
        made = subject.made(length, width)
        if training:
            made.train()
            for part in made.modules():
                if isinstance(part, torch.nn.Dropout):
                    part.p = 0.5
        x = calling.filled(form, length, width, value)
        kept = x.clone()
        result = as_array(subject.call(made, x))
        return result, not torch.equal(x, kept)

    zeros, ones, many = (attempt(passed, value) for value in (0.0, 1.0, 1000.0))
    trained = attempt(passed, 1000.0, True)
    facts = {}
    if not trained.error and not many.error:
        facts["dropout"] = _dropout(many.value[0], trained.value[0])
    if not zeros.error and not ones.error:
        facts["input times"] = _factor(ones.value[0] - zeros.value[0], width)
        facts["changes input"] = _yes(zeros.value[1] or ones.value[1])
        if facts["input times"].startswith("0"):
            facts["axis"] = RETURNED
    return facts


def _dropout(evaluated, trained):
    """Where dropout acts, seen with p = 0.5 on x = 1000: a sum becomes 0 or doubles."""
    if np.array_equal(evaluated, trained):
        return "none"
    return "on the sum" if (trained == 0).any() else "on the table only"


def _factor(difference, width):
    factor = difference.mean()
    if np.ptp(difference) > 1e-4 * max(1.0, abs(factor)):
        return "not one factor"
    known = {"0, a table is returned": 0.0, "1": 1.0, "sqrt(d)": math.sqrt(width)}
    near = [words for words, value in known.items() if abs(factor - value) < 1e-3]
    return near[0] if near else f"{factor:.4g}"


def _error(subject, form, tables):
    """The largest difference from float64 over many rows, or over those seen."""
    for size in () if subject.is_instance else LONG:
        tried = attempt(subject.rows, form, *size)
        if tried.error is None:
            tables = {size: tried.value}
            break
    table = max(tables.values(), key=len)
    law = described(table)
    return {"largest error": law.error(table)} if law else {}
