"""Layer: the smallest change of the student's own code after which every case agrees.

Single edits of the syntax tree are tried one by one; then pairs, beginning with edits
that bring the first wrong case nearer. A change counts only if it is right in fresh
cases too. The feedback says where it is and of what kind, never what to write.
"""

import ast
import warnings
from collections import Counter
from dataclasses import replace

import numpy as np

from helpers.checks import running
from helpers.checks.diagnosis import listed, preserved
from helpers.checks.diagnosis.findings import numbers
from helpers.checks.diagnosis.rewrites import LOOK_AT
from helpers.checks.diagnosis.workshop import Workshop
from helpers.checks.feedback import wrong

PLACES = {"one change", "two changes", "one of several places"}
MEMORY = 500_000_000  # bytes that an edited answer may ask for
# The search is bounded by what is tried, so that a busy machine finds the same; the
# clock is a last guard.
SINGLES = 2000  # single edits
AFTER = 500  # edits tried for other places when one is found
FIRST, SECOND = 6, 450  # pairs: the first edits, and the second ones for each of them
LONG = 72  # letters of code that are quoted
_GOOD = " for good input"  # where it is not said how bad input fares
CLEARLY = 0.012  # how much nearer to the solution one place must be to be told alone

# Edits that are told only where no other does it: to put something in mends much that
# does not lack it.
_WORSE = {"by one": 1, "missing type": 1, "missing factor": 2, "missing step": 2}
_WORSE |= {"missing shape": 2}
_LUCKY = {"missing step", "missing shape"}  # what beside another change mends by chance


def smallest(findings):
    """The Feedback on the smallest repair, or None where none is found in time.

    One change comes before two listed mistakes, unless it only puts a step in, and
    these before two changes: what is simpler is likelier to be what happened.
    """
    if findings.budget.left() <= 0:
        return None
    workshop = Workshop.of(findings)
    if workshop is None:
        return listed.two(findings)
    calm = np.errstate(all="ignore")
    with (
        warnings.catch_warnings(),
        calm,
        preserved.preserve_generators(workshop.names),
        preserved.no_list_within_itself(),
        running.memory_limit(MEMORY),
    ):
        warnings.simplefilter("ignore")
        try:
            return _search(workshop)
        except (MemoryError, RecursionError):  # where what a trial gave is compared
            return None


def _search(workshop):
    """One edit, two listed mistakes, or two edits."""
    findings = workshop.findings
    tried, found, last = [], [], SINGLES
    edits = workshop.edits()
    for n, (part, edit) in enumerate(edits):
        if n > last or findings.budget.left() <= 0:
            break
        first, passes = workshop.with_edit(edit)
        if passes:
            last = last if found else n + AFTER
            found.append((part, _needed(workshop, edit)))
        if first and first.raised is None:
            tried.append((part, edit, first))
    if found:
        # To put a step in mends much that does not lack it: `1 - pairs` where pairs
        # begin at 1 and grow, say. Two listed mistakes are likelier.
        only_steps = all(edit.kind.startswith("missing") for _, edit in found)
        return (only_steps and listed.two(findings)) or _told(workshop, found)
    return listed.two(findings) or _two(workshop, tried, edits[:SECOND])


def _needed(workshop, edit):
    """An exchange without the lines in which it changes nothing."""
    if edit.kind != "exchanged":
        return edit
    for line in sorted({node.lineno for node, *_ in edit.changes}):
        changes = [change for change in edit.changes if change[0].lineno != line]
        if changes:
            fewer = replace(edit, node=changes[0][0], changes=changes)
            edit = fewer if workshop.with_edit(fewer)[1] else edit
    return edit


def _two(workshop, tried, edits):
    """Two edits, the first of which brings the first wrong case nearer."""
    trial, budget = workshop.trials[0], workshop.findings.budget
    base = _score(workshop, trial, trial.outcome)
    scored = [(_score(workshop, trial, f), -n) for n, (*_, f) in enumerate(tried)]
    scored = sorted((s for s in scored if s[0] > base + 0.02), reverse=True)[:FIRST]
    found, plain = [], _likeness(workshop)  # two may make up for a third
    for _, n in scored:
        part, edit, _ = tried[-n]
        before = edit.apply()
        try:
            for other in edits:
                if budget.left() <= 0:
                    break
                if _place(part, edit) == _place(*other):
                    continue  # it would be said twice
                if workshop.with_edit(other[1])[1]:
                    value = _value(workshop, other[1]) + _merit(edit)
                    lucky = _LUCKY & {edit.kind, other[1].kind}
                    if value > plain + CLEARLY * bool(lucky):
                        found.append((value, -len(found), (part, edit), other))
        finally:
            edit.undo(before)
        if found:
            break
    if not found:
        return None
    more = ", and wherever else it stands"
    parts = " And ".join(
        f"{_place(part, edit)}{more * (edit.times > 1)}: {_look(edit)}"
        for part, edit in max(found)[2:]
    )
    good = _GOOD if workshop.unasked else ""
    return wrong(f"Two changes are enough{good}: {parts}", "two changes")


def _score(workshop, trial, outcome):
    """How near an outcome is to the right one, from 0 to 1."""
    if outcome.raised is not None or trial.expected.raised is not None:
        return float(workshop.task.right(trial, outcome))
    return _nearness(trial.expected.value, outcome.value, workshop.task)


def _nearness(expected, got, task):
    """The share of numbers that agree, and a little for those that are near."""
    if isinstance(expected, dict):
        same = isinstance(got, dict) and got.keys() == expected.keys()
        pairs = [(expected[key], got[key]) for key in expected] if same else []
        return sum(_nearness(*pair, task) for pair in pairs) / len(expected)
    wanted, given = numbers(expected), numbers(got)
    if (
        wanted is None
        or given is None
        or wanted.shape != given.shape
        or not wanted.size
    ):
        return float(task.agrees(expected, got))
    rtol, atol = task.tolerance
    close = np.isclose(given, wanted, rtol=rtol, atol=atol, equal_nan=True)
    far = np.abs(given - 1.0 * wanted).mean() / max(np.abs(wanted).mean(), 1e-9)
    near = 1 / (1 + 3 * far) if np.isfinite(far) else 0
    return 0.8 * float(close.mean()) + 0.2 * near


# --- which of several places


def _told(workshop, found):
    """The Feedback on edits each of which is enough: by the place the solution speaks
    against, else by all places, if they are few."""
    # An edit after which bad input is refused as well is likelier.
    whole = [(part, edit) for part, edit in found if workshop.refuses(edit)]
    found, good = whole or found, "" if whole else _GOOD
    # What changes one piece comes before what changes a type or several pieces, and
    # that before what puts one in.
    worst = [max(edit.times > 1, _WORSE.get(edit.kind, 0)) for _, edit in found]
    found = [f for f, bad in zip(found, worst, strict=True) if bad == min(worst)]
    # Where a call or a line may simply go, what else helps there is a coincidence.
    for goes, other in (("needless call", "function"), ("needless line", "line order")):
        if any(edit.kind == goes for _, edit in found):
            found = [f for f in found if f[1].kind != other]
    values = [(_value(workshop, edit), -n) for n, (_, edit) in enumerate(found)]
    apart = []  # the best edit of each place, the likeliest first
    for value, n in sorted(values, reverse=True):
        part, edit = found[-n]
        if max(values)[0] - value >= CLEARLY:
            break
        if not any(part is p and _overlap(edit.shown, e.shown) for p, e in apart):
            apart.append((part, edit))
    if len(apart) == 1:
        times = apart[0][1].times
        what = f"One {_noun(apart[0][1])} is enough{good},"
        if times > 1:
            what = f"The same change in {times} places is enough{good}, first"
        text = f"{what} {_place(*apart[0])}: {_look(apart[0][1])}"
        return wrong(text, "one change")
    # Of several steps that may be missing, each is but one way to write it.
    steps = any(edit.kind == "missing step" for _, edit in apart)
    if len(apart) > 3 or steps:
        return None
    places = ", or ".join(f"{_place(p, e)} ({_look(e).rstrip('.')})" for p, e in apart)
    count = {2: "two", 3: "three"}[len(apart)]
    text = f"A change in one of {count} places is enough{good}: {places}."
    return wrong(text, "one of several places")


def _value(workshop, edit):
    """How much speaks for an edit: what it makes is like the solution, and plain."""
    before = edit.apply()
    likeness = _likeness(workshop)
    edit.undo(before)
    return likeness + _merit(edit)


def _merit(edit):
    return 2.5 * CLEARLY * (edit.kind not in _WORSE) - CLEARLY / 3 * edit.rank


def _likeness(workshop):
    """How much of the solution's expressions stand in the code, from 0 to 1."""
    ours = sum((_pieces(part.node) for part in workshop.parts), Counter())
    theirs = _pieces(workshop.solution)
    return 2 * (ours & theirs).total() / max((ours + theirs).total(), 1)


def _pieces(tree):
    """Every expression in a tree, without the names of variables; small ones count."""
    found = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and not isinstance(node, (ast.Name, ast.Slice)):
            found[_outline(node)] += 1
            found[_outline(node, 2)] += 1
    return found


def _outline(node, depth=9):
    if isinstance(node, ast.Name):
        return "_"
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, (ast.operator, ast.unaryop, ast.cmpop, ast.boolop)):
        return type(node).__name__
    parts = [type(node).__name__, getattr(node, "attr", "")]
    if depth:
        parts += [_outline(child, depth - 1) for child in ast.iter_child_nodes(node)]
    return f"({' '.join(parts)})"


# --- telling


def _noun(edit):
    return "exchange" if edit.kind == "exchanged" else "change"


def _place(part, edit):
    node = edit.shown
    piece = part.piece(node).strip()
    where = f"line {node.lineno}"
    where = f"in `{part.name}`, {where}" if part.name else f"in {where}"
    if not piece:
        return where
    which = _which_of_several(part, node, piece)
    text = " ".join(piece.split())
    if len(text) > LONG:
        text = f"{text[: LONG // 2].strip()} … {text[-LONG // 2 :].strip()}"
    return f"{where} at {which}`{text}`"


def _which_of_several(part, node, piece):
    """ "the second " where a piece stands in its line more than once."""
    there = [
        other.col_offset
        for other in ast.walk(part.node)
        if type(other) is type(node) and getattr(other, "lineno", 0) == node.lineno
        if part.piece(other).strip() == piece
    ]
    n = sorted({*there, node.col_offset}).index(node.col_offset)
    ordinals = ("first", "second", "third", "fourth", "fifth")
    return f"the {ordinals[n]} " if len(there) > 1 and n < len(ordinals) else ""


def _overlap(one, other):
    """Whether two nodes stand in the same place, or one inside of the other."""
    spans = sorted(
        ((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset))
        for n in (one, other)
    )
    return spans[1][0] < spans[0][1]


def _look(edit):
    text = LOOK_AT["factor" if edit.product else edit.kind]
    text = text.replace("{}", str(edit.changes[0][3]))
    return text if text.endswith("?") else f"{text}."
