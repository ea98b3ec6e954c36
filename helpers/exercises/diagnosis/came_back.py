"""Layer: what came back, where that alone says what is wrong."""

import ast
import types

import numpy as np

from helpers.exercises import running, source
from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.feedback import wrong


def look(findings):
    """The Feedback on what an answer returns, if it is not what was asked for."""
    pairs = _returned(findings)
    for trial, wanted, got in pairs:
        found = _nothing(findings, trial, pairs) if got is None else None
        found = found or _of_another_kind(findings.task, wanted, got)
        if found and found.mistake == "one number":
            found.message += _ends_in_its_first_round(findings.answer)
        if found:
            return found
    return None


def _returned(findings):
    """(trial, wanted, got) for the failing trials: what the functions returned.

    Where an exercise wraps the call, both are run once more to see the value itself.
    """
    task, found = findings.task, []
    for trial in findings.failing[:3]:
        if trial.expected.raised is not None:
            continue
        if task.is_plain:
            if trial.outcome.raised is None:
                found.append((trial, trial.expected.value, trial.outcome.value))
            continue
        if isinstance(findings.answer, type) or trial.outcome.seconds > 0.3:
            continue
        got = _Recorded(findings.answer)
        outcome = running.call(task.run, got, trial.case, task.seconds)
        own = outcome.raised and running.place_of(outcome.raised, findings.answer)
        wanted = _Recorded(task.reference)
        task.quiet(wanted, trial.case)
        if got.values and wanted.values and not own:
            found.append((trial, wanted.values[0], got.values[0]))
    return found


class _Recorded:
    """A function that keeps what it returned; for all else it is the function."""

    def __init__(self, function):
        self.function, self.values = function, []

    def __call__(self, *args, **named):
        value = self.function(*args, **named)
        self.values.append(value)
        return value

    def __getattr__(self, name):
        return getattr(self.function, name)


def _nothing(findings, trial, pairs):
    """None came back where a value was asked for."""
    if trial.expected.value is None and findings.task.is_plain:
        return None
    wanted = [w for t, w, _ in pairs if t is trial][0]
    if wanted is None:
        return None
    if trial.outcome.printed.strip():
        return wrong("It prints and returns nothing; end it with `return`.", "printed")
    part = source.part_of(findings.answer)
    inside = list(ast.walk(part.node)) if part else []
    if part and not any(isinstance(n, (ast.Return, ast.Lambda)) for n in inside):
        return wrong("It returns nothing: there is no `return` in it.", "no return")
    came = (
        f"For {findings.task.describe(trial.case)} `None` came back, where "
        f"{_spelled(wanted)} is asked for."
    )
    values = [
        t
        for t in findings.trials
        if t.expected.raised is None
        and t.outcome.raised is None
        and t.outcome.value is not None
    ]
    # What an exercise makes of a None is one only where it hands it on.
    handed_on = findings.task.is_plain or trial.outcome.value is None
    if not handed_on or not values:
        return wrong(f"{came}{_way_to_none(part)}", "None came back")
    others = f"in {_count(len(values), 'other case')} it gives a value"
    return wrong(f"{came[:-1]}; {others}.{_way_to_none(part)}", "nothing in some cases")


def _way_to_none(part):
    """What the code shows of how None comes about, or nothing."""
    if part is None or not isinstance(part.node, ast.FunctionDef):
        return ""
    for node in _own(part.node):
        if isinstance(node, ast.Return) and _is_none(node.value):
            there = f"`{part.piece(node)}` stands in line {node.lineno}"
            return f" {there}: when is it reached?"
    if not _always_returns(part.node.body):
        return " Which way through it reaches no `return`?"
    return ""


def _ends_in_its_first_round(answer):
    """What the code shows of a loop that a `return` ends in its first round."""
    part = source.part_of(answer)
    if part is None or not isinstance(part.node, ast.FunctionDef):
        return ""
    for node in _own(part.node):
        if isinstance(node, (ast.For, ast.While)):
            for line in node.body:
                if isinstance(line, ast.Return):
                    where = f"The `return` in line {line.lineno} stands inside its loop"
                    return f" {where}, which ends there in its first round."
                if any(isinstance(n, ast.Continue) for n in ast.walk(line)):
                    break
    return ""


def _own(function):
    """The nodes of a function without those of functions inside of it."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def _is_none(value):
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _always_returns(body):
    """Whether the end of these lines is never reached, as far as the last one shows."""
    last = body[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return True
    if isinstance(last, ast.If):
        return bool(last.orelse) and all(map(_always_returns, (last.body, last.orelse)))
    if isinstance(last, ast.With):
        return _always_returns(last.body)
    # A search that ends by its `return`, or a `try`: nothing is said of these.
    return isinstance(last, (ast.While, ast.Try, ast.Match))


def _of_another_kind(task, wanted, got):
    """A Feedback where the value is of a kind that no number can make right."""
    kind = type(got).__name__
    article = "an" if kind[:1].lower() in "aeiou" else "a"
    if isinstance(got, (types.GeneratorType, map, filter, zip)):
        return wrong(
            f"It returns {article} `{kind}`: no numbers yet, only what would make them "
            "when one goes through it.",
            "a generator",
        )
    if isinstance(
        got, types.FunctionType | types.BuiltinFunctionType | types.MethodType
    ) and not callable(wanted):
        return wrong(
            f"It returns a function, `{got.__name__}`, and not its result: a call "
            "needs its brackets.",
            "a function",
        )
    if isinstance(wanted, str) or wanted is None or isinstance(wanted, dict):
        return None
    if isinstance(wanted, tuple) and not isinstance(got, tuple):
        return _no_tuple(task, wanted, got)
    if isinstance(wanted, (tuple, list)):
        return None
    if isinstance(got, str):
        return wrong(
            "It returns text; numbers were asked for, not their picture.", "text"
        )
    if isinstance(got, (dict, set)):
        return wrong(
            f"It returns {article} `{kind}`; {_asked(wanted)} was asked for.",
            "not numbers",
        )
    if _is_numbers(wanted) and isinstance(got, (tuple, list)):
        several = _several(task, wanted, got)
        if several:
            return several
    if not isinstance(got, (tuple, list)):
        try:
            as_array(got)
        except Unreadable as error:
            if error.name == "complex":
                return wrong(str(error), error.name)
            return wrong(
                f"It returns {article} `{kind}`; {_asked(wanted)} was asked for.",
                "not numbers",
            )
    return _one_or_many(task, wanted, got)


def _no_tuple(task, wanted, got):
    """Something else where a tuple was asked for."""
    start = f"A tuple of {len(wanted)} was asked for; it returns"
    if isinstance(got, list) and any(task.agrees(wanted, item) for item in got):
        return wrong(
            f"{start} a list, in which the right tuple stands.", "a list of them"
        )
    for n, part in enumerate(wanted):
        if _is_numbers(got) and task.agrees(part, got):
            return wrong(f"{start} `{got}` alone, its part {n + 1}.", "one part alone")
    if isinstance(got, list) and len(got) == len(wanted):
        return None
    kind = type(got).__name__
    return wrong(f"{start} a `{kind}`.", "no tuple")


def _several(task, wanted, got):
    """Several arrays where one was asked for."""
    arrays = [v for v in got if _is_array(v) and np.ndim(_plain(v)) > 0]
    if not arrays or not all(map(_is_numbers, got)) or np.ndim(_plain(wanted)) == 0:
        return None
    shapes = {np.shape(_plain(v)) for v in got}
    if len(shapes) == 1 and (len(got), *shapes.pop()) == np.shape(_plain(wanted)):
        return None  # its rows, in a list
    right = [n for n, v in enumerate(got) if task.agrees(wanted, v)]
    kind, count = type(got).__name__, len(got)
    end = f" Its value {right[0] + 1} is right: return that one alone." if right else ""
    shapes = ", ".join(f"`{tuple(np.shape(_plain(v)))}`" for v in got[:4])
    return wrong(
        f"It returns a `{kind}` of {_count(count, 'value')}, of shape {shapes}; one "
        f"array, of shape `{tuple(np.shape(_plain(wanted)))}`, was asked for.{end}",
        f"a {kind} of arrays",
    )


def _one_or_many(task, wanted, got):
    try:
        expected, given = as_array(wanted), as_array(got)
    except Unreadable:
        return None
    if expected.ndim == 0 and given.size == 1 and given.ndim > 0:
        right = task.agrees(wanted, given.reshape(()))
        start = "The number is right, but it" if right else "It"
        return wrong(
            f"{start} comes in an array of shape `{given.shape}`; the number itself was "
            "asked for.",
            "one number in an array",
        )
    if expected.ndim == 0 and given.ndim > 0:
        places = np.argwhere(np.isclose(given.astype(float), float(expected)))
        end = ""
        if len(places) > 0 and given.ndim == 1:
            end = f" The right one, `{float(expected):.6g}`, is among them."
        return wrong(
            f"It returns {given.size} numbers, in shape `{given.shape}`; one number was "
            f"asked for.{end}",
            "many numbers",
        )
    if expected.ndim > 0 and given.ndim == 0:
        return wrong(
            f"It returns a single number; an array of shape `{expected.shape}` was "
            "asked for.",
            "one number",
        )
    return None


def _is_array(value):
    return hasattr(value, "shape") and hasattr(value, "dtype")


def _is_numbers(value):
    if _is_array(value) or isinstance(value, (int, float, complex, np.generic)):
        return not isinstance(value, complex)
    return False


def _plain(value):
    try:
        return as_array(value)
    except Unreadable:
        return np.empty(0)


def _spelled(wanted):
    """What was asked for, by its value where that is short."""
    several = wanted if isinstance(wanted, tuple) else (wanted,)
    whole = (int, np.integer)
    if all(isinstance(n, whole) and not isinstance(n, bool) for n in several):
        plain = tuple(map(int, several))
        return f"`{plain if isinstance(wanted, tuple) else plain[0]}`"
    return _asked(wanted)


def _asked(wanted):
    if isinstance(wanted, tuple):
        return f"a tuple of {len(wanted)}"
    if isinstance(wanted, str):
        return f"`{wanted}`"
    shape = np.shape(_plain(wanted))
    return f"an array of shape `{tuple(shape)}`" if shape else "a number"


def _count(n, noun):
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
