"""The report on a positional encoding: a class, an instance, a function, a table."""

import functools
import inspect
import math
import sys

import numpy as np

from helpers.examine import calling
from helpers.examine.calling import Unclear, as_array, held
from helpers.examine.naming import NotClear
from helpers.examine.numbers import UNKNOWN, described, error_of
from helpers.examine.report import Report
from helpers.examine.trying import attempt

NOT_SURE = "not sure"
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
    subject = getattr(thing, "__name__", type(thing).__name__ if thing else "make")
    form, tables, notes = _first_that_works(thing, make, call)
    if form is None:
        return Report(subject, {"call": NOT_SURE}, [*notes, _HELP])
    facts = {"call": form.words}
    facts |= _numbers(tables, notes)
    facts["axis"] = form.axis
    make = _fresh(calling.maker_of(thing, make))
    length, width = next(iter(tables))
    if not _is_function(thing):
        facts |= _storage(make, length, width)
    facts |= _limits(form, make, length, width, fixed=_is_instance(thing))
    if form.feed:
        facts |= _with_input(form, make, length, width)
    facts |= _error(form, facts, tables, fixed=_is_instance(thing))
    return Report(subject, facts, notes)


def _is_function(thing):
    return inspect.isroutine(thing) or isinstance(thing, functools.partial)


def _is_instance(thing):
    return thing is not None and not inspect.isclass(thing) and not _is_function(thing)


def _of_table(table):
    array = as_array(table).squeeze()
    if array.ndim != 2:
        raise ValueError(f"table must be (positions, columns); got shape {array.shape}")
    numbers, layout, error = described(array)
    facts = {"call": "a table", "numbers": numbers, "layout": layout or NOT_SURE}
    facts["rows"] = len(array)
    if error is not None:
        facts["largest error"] = error
    return Report("table", facts)


def _fresh(make):
    """The maker, with what it makes in evaluation mode."""

    def made(length, width):
        instance = make(length, width)
        if hasattr(instance, "eval") and hasattr(instance, "train"):
            instance.eval()
        return instance

    return made


def _first_that_works(thing, make, call):
    """The first form of call that gives a table, its tables by size, and notes."""
    fixed, sizes = _is_instance(thing), calling.SIZES
    if make is None and _is_function(thing):
        ways = calling.forms_of_function(thing)
    else:
        ways = calling.forms(_fresh(calling.maker_of(thing, make)), call)
        sizes = _own_sizes(thing) if fixed else sizes
    reasons = {}
    for form in ways:
        tables, errors = {}, {}
        for size in sizes:
            tried = attempt(form.rows, *size)
            if tried.error:
                errors[size] = tried
                continue
            tables[size] = tried.value
            if fixed:
                return form, tables, []
        if len(tables) > 1:
            told = [f"Not at {size}: {e.sentence}." for size, e in errors.items()]
            return form, tables, told
        reasons[form.words] = next(iter(errors.values()))
        if isinstance(reasons[form.words].error, NotClear):
            return None, {}, [reasons[form.words].sentence]
    told = [f"Tried {words}: {tried.sentence}." for words, tried in reasons.items()]
    return None, {}, told


def _own_sizes(instance):
    """Lengths and widths to try on an instance: its own numbers and shapes."""
    sides = [side for kept in calling.tensors(instance) for side in kept.value.shape]
    own = [v for v in vars(instance).values() if type(v) is int] + sides
    known = [n for n in dict.fromkeys([*own, 40, 16]) if n > 3]
    return [(length, width) for width in known for length in known if length != width]


def _numbers(tables, notes):
    found = [described(table)[:2] for table in tables.values()]
    numbers, layouts = ({pair[n] for pair in found} for n in (0, 1))
    if len(numbers) > 1:
        notes.append(
            f"The numbers differ with the width: {', '.join(sorted(numbers))}."
        )
    if len(tables) == 1:
        notes.append(f"Seen at one width only, {next(iter(tables))[1]}.")
    one = numbers.pop() if len(numbers) == 1 else NOT_SURE
    layout = layouts.pop() if len(layouts) == 1 else None
    return {"numbers": one, "layout": layout or NOT_SURE}


def _storage(make, length, width):
    """How a table is kept, and what becomes of it."""
    made = attempt(make, length, width).value
    kept = held(made, width)
    if kept is None:
        facts = {"kept as": "nothing: computed in each call"}
        return facts | ({"trained": "no"} if hasattr(made, "parameters") else {})
    facts = {"kept as": kept.kind}
    if hasattr(made, "state_dict"):
        facts["follows .to()"] = _follows(made, kept.name)
        facts["in the checkpoint"] = _yes(kept.name in made.state_dict())
        facts["trained"] = _yes(kept.kind == "parameter")
    return facts | {"rows": math.prod(kept.value.shape) // width}


def _follows(made, name):
    """Whether the table is converted with the module, as it would move with it."""
    torch = sys.modules["torch"]
    moved = attempt(made.to, torch.float16)
    if moved.error:
        return f"raises {moved.sentence}"
    *path, last = name.split(".")
    value = getattr(functools.reduce(getattr, path, moved.value), last)
    return _yes(getattr(value, "dtype", None) == torch.float16)


def _yes(fact):
    return "yes" if fact else "no"


def _limits(form, make, length, width, fixed):
    """What a longer input and an odd width meet."""
    kept = held(attempt(make, length, width).value, width)
    most = math.prod(kept.value.shape) // width if kept else length
    longer = attempt(form.rows, length, width, most + 1)
    facts = {"beyond": _outcome(longer, "silently fewer rows")}
    if not fixed:
        odd = attempt(form.rows, 24, 7)
        facts["odd width"] = _outcome(odd, "another number of columns")
    return facts


def _outcome(tried, otherwise):
    if tried.error is None:
        return "works"
    shape = isinstance(tried.error, Unclear) and "shape" in str(tried.error)
    return otherwise if shape else f"raises {tried.sentence}"


def _with_input(form, make, length, width):
    """What becomes of x: dropout, a factor, a change in place."""
    torch = sys.modules["torch"]
    shape = (calling.BATCH, length, width)

    def passed(value, training=False):
        made = make(length, width)
        if training:
            made.train()
            for part in made.modules():
                if isinstance(part, torch.nn.Dropout):
                    part.p = 0.5
        x = torch.full(shape, float(value))
        kept = x.clone()
        result = form.feed(made, x)
        return as_array(result), not torch.equal(x, kept)

    zeros, ones = attempt(passed, 0), attempt(passed, 1)
    if zeros.error or ones.error:
        return {}
    facts = {}
    if hasattr(make(length, width), "train"):
        facts["dropout"] = _dropout(attempt(passed, 1000), attempt(passed, 1000, True))
    facts["input times"] = _factor(ones.value[0] - zeros.value[0], width)
    facts["changes input"] = _yes(zeros.value[1] or ones.value[1])
    return facts


def _dropout(evaluated, trained):
    """Where dropout acts, seen with p = 0.5 on x = 1000: a sum becomes 0 or doubles."""
    if evaluated.error or trained.error:
        return NOT_SURE
    if np.array_equal(evaluated.value[0], trained.value[0]):
        return "none"
    return "on the sum" if (trained.value[0] == 0).any() else "on the table only"


def _factor(difference, width):
    factor = difference.mean()
    if np.ptp(difference) > 1e-4 * max(1.0, abs(factor)):
        return "not one factor"
    known = {"0, a table is returned": 0.0, "1": 1.0, "sqrt(d)": math.sqrt(width)}
    for words, value in known.items():
        if abs(factor - value) < 1e-3:
            return words
    return f"{factor:.4g}"


def _error(form, facts, tables, fixed):
    """The largest difference from float64 over many rows, or over those seen."""
    if facts["numbers"] in (NOT_SURE, UNKNOWN) or facts["layout"] == NOT_SURE:
        return {}
    for size in () if fixed else LONG:
        tried = attempt(form.rows, *size)
        if tried.error is None:
            return {"largest error": error_of(tried.value, facts)}
    return {"largest error": error_of(max(tables.values(), key=len), facts)}
