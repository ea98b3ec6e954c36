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
from helpers.checks.diagnosis import match_listed, side_effects
from helpers.checks.diagnosis.editable_answer import EditableAnswer
from helpers.checks.diagnosis.evidence import Finding, numbers
from helpers.checks.diagnosis.rewrites import LOOK_AT

MEMORY = 500_000_000  # bytes that an edited answer may ask for
# The search is bounded by what is tried, so that a busy machine finds the same; the
# clock is a last guard.
SINGLES = 2000  # single edits
AFTER_FOUND = 500  # edits tried for other places when one is found
FIRST_EDITS, SECOND_EDITS = 6, 450  # of pairs: these, and for each of them those
QUOTED = 72  # letters of code that are quoted
_FOR_GOOD_INPUT = " for good input"  # where it is not said how bad input fares

# How unlikely an edit is, of all that repair an answer: the lowest are told.
ELSEWHERE = 1  # it changes several places, a type, or a count by one: much passes then
PUT_IN = 2  # it puts something in: that mends much that does not lack it
_CLASSES = {
    "by one": ELSEWHERE,
    "missing type": ELSEWHERE,
    "always holds": ELSEWHERE,
    "line order": ELSEWHERE,
    "missing factor": PUT_IN,
    "missing step": PUT_IN,
    "missing shape": PUT_IN,
}
_BY_CHANCE = {"missing step", "missing shape"}
NEARER = 0.02  # of 1: what a first edit must gain, or it is no step towards right
# Within a class, the one that makes the code most like the solution. A rank weighs as
# much as one expression in 250: it decides where likeness hardly does.
RANK = 1 / 250
# A place is told alone where it is likelier by three ranks, which is one expression of
# a function of 80.
CLEARLY = 3 * RANK


def smallest_repair(evidence):
    """What the smallest repair changes, or None where none is found in time.

    One change comes before two listed mistakes, unless it only puts a step in, and
    these before two changes: what is simpler is likelier to be what happened.
    """
    if evidence.budget.left() <= 0:
        return None
    editable = EditableAnswer.of(evidence)
    if editable is None:
        return match_listed.two_mistakes(evidence)
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        side_effects.no_list_within_itself(),
        running.memory_limit(MEMORY),
    ):
        warnings.simplefilter("ignore")
        try:
            return _search(editable)
        except (MemoryError, RecursionError):  # where what a trial gave is compared
            return None


def _search(editable):
    """One edit, two listed mistakes, or two edits."""
    evidence = editable.evidence
    tried, found, last = [], [], SINGLES
    edits = editable.edits()
    for n, (part, edit) in enumerate(edits):
        if n > last or evidence.budget.left() <= 0:
            break
        first, passes = editable.with_edit(edit)
        if passes:
            last = last if found else n + AFTER_FOUND
            found.append((part, _without_idle_lines(editable, edit)))
        if first and first.raised is None and edit.kind not in _BY_CHANCE:
            tried.append((part, edit, first))
    only_put_in = all(edit.kind.startswith("missing") for _, edit in found)
    both = match_listed.two_mistakes(evidence) if only_put_in else None
    if both:
        return both
    return (
        _one_change(editable, found) if found else _two_changes(editable, tried, edits)
    )


def _without_idle_lines(editable, edit):
    """An exchange without the lines in which it changes nothing."""
    if edit.kind != "exchanged":
        return edit
    for line in sorted({node.lineno for node, *_ in edit.changes}):
        changes = [change for change in edit.changes if change[0].lineno != line]
        if changes:
            fewer = replace(edit, node=changes[0][0], changes=changes)
            edit = fewer if editable.with_edit(fewer)[1] else edit
    return edit


# --- one change


def _one_change(editable, found):
    """The place where an edit is enough; two or three, where none is likelier."""
    # An edit after which bad input is refused as well is likelier.
    whole = [(part, edit) for part, edit in found if editable.refuses(edit)]
    good = "" if whole else _FOR_GOOD_INPUT
    ranked = [(_unlikely(editable, e), n) for n, (_, e) in enumerate(whole or found)]
    (lowest, best), _ = min(ranked)
    apart = []  # the best edit of each place, the likeliest first
    for (unlikely_class, unlikeness), n in sorted(ranked):
        part, edit = (whole or found)[n]
        if unlikely_class > lowest or unlikeness - best >= CLEARLY:
            break
        if not any(part is p and _overlap(edit.shown, e.shown) for p, e in apart):
            apart.append((part, edit))
    if len(apart) == 1:
        text = f"{_how_much(apart[0][1], good)} {_where(*apart[0])}: {_question(*apart[0])}"
        return Finding(text, "one change")
    # Of several steps that may be missing, each is but one way to write it.
    steps = any(edit.kind == "missing step" for _, edit in apart)
    if len(apart) > 3 or steps:
        return None
    places = ", or ".join(f"{_where(*a)} ({_question(*a).rstrip('.')})" for a in apart)
    count = {2: "two", 3: "three"}[len(apart)]
    text = f"A change in one of {count} places is enough{good}: {places}."
    return Finding(text, "one of several places")


def _unlikely(editable, edit):
    """How unlikely an edit is: its class, and how unlike the solution the code is."""
    before = edit.apply()
    likeness = _likeness(editable)
    edit.undo(before)
    return _class_of(edit), RANK * edit.rank - likeness


def _class_of(edit):
    several = ELSEWHERE if edit.times > 1 else 0
    return max(several, _CLASSES.get(edit.kind, 0))


def _how_much(edit, good):
    if edit.times > 1:
        return f"The same change in {edit.times} places is enough{good}, first"
    noun = "exchange" if edit.kind == "exchanged" else "change"
    return f"One {noun} is enough{good},"


# --- two changes


def _two_changes(editable, tried, edits):
    """Two edits, the first of which brings the first wrong case nearer, and which make
    the code hardly less like the solution: two may also make up for a third."""
    trial, budget = editable.trials[0], editable.evidence.budget
    base = _score(editable, trial, trial.outcome)
    scored = [(_score(editable, trial, f), -n) for n, (*_, f) in enumerate(tried)]
    nearer = sorted((s for s in scored if s[0] > base + NEARER), reverse=True)
    # A step that is put in beside another change mends it by chance.
    edits = [pair for pair in edits[:SECOND_EDITS] if pair[1].kind not in _BY_CHANCE]
    found, plain = [], -_likeness(editable)
    for _, n in nearer[:FIRST_EDITS]:
        part, edit, _ = tried[-n]
        before = edit.apply()
        try:
            for other_part, other in edits:
                if budget.left() <= 0:
                    break
                pair = (part, edit), (other_part, other)
                if len({_where(*one) for one in pair}) == 1:
                    continue  # it would be told twice
                if editable.with_edit(other)[1]:
                    worst, unlikeness = _unlikely(editable, other)
                    worst = max(worst, _class_of(edit))
                    unlikeness += RANK * edit.rank
                    if unlikeness < plain + 2 * CLEARLY:
                        found.append(((worst, unlikeness), len(found), pair))
        finally:
            edit.undo(before)
        if found:
            break
    if not found:
        return None
    more = ", and wherever else it stands"
    parts = " And ".join(
        f"{_where(part, edit)}{more * (edit.times > 1)}: {_question(part, edit)}"
        for part, edit in min(found)[2]
    )
    good = _FOR_GOOD_INPUT if editable.unasked else ""
    return Finding(f"Two changes are enough{good}: {parts}", "two changes")


def _score(editable, trial, outcome):
    """How near an outcome is to the right one, from 0 to 1."""
    if outcome.raised is not None or trial.expected.raised is not None:
        return float(editable.task.right(trial, outcome))
    return _nearness(trial.expected.value, outcome.value, editable.task)


def _nearness(expected, got, task):
    """The share of numbers that agree, and a little for those that are near."""
    if isinstance(expected, dict):
        same = isinstance(got, dict) and got.keys() == expected.keys()
        pairs = [(expected[key], got[key]) for key in expected] if same else []
        return sum(_nearness(*pair, task) for pair in pairs) / len(expected)
    wanted, given = numbers(expected), numbers(got)
    if wanted is None or given is None or wanted.shape != given.shape:
        return float(task.agrees(expected, got))
    if not wanted.size:
        return 1.0
    rtol, atol = task.tolerance
    close = np.isclose(given, wanted, rtol=rtol, atol=atol, equal_nan=True)
    far = np.abs(given - 1.0 * wanted).mean() / max(np.abs(wanted).mean(), 1e-9)
    near = 1 / (1 + 3 * far) if np.isfinite(far) else 0
    return 0.8 * float(close.mean()) + 0.2 * near


# --- how like the solution


def _likeness(editable):
    """How much of the solution's expressions stand in the code, from 0 to 1."""
    ours = sum((_pieces(part.node) for part in editable.parts), Counter())
    theirs = _pieces(editable.solution)
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


def _where(part, edit):
    node = edit.shown
    piece = part.piece(node).strip()
    where = f"line {node.lineno}"
    where = f"in `{part.name}`, {where}" if part.name else f"in {where}"
    if not piece:
        return where
    which = _which_of_several(part, node, piece)
    text = " ".join(piece.split())
    if len(text) > QUOTED:
        text = f"{text[: QUOTED // 2].strip()} … {text[-QUOTED // 2 :].strip()}"
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


def _question(part, edit):
    kind = "factor" if edit.product else edit.kind
    if kind == "operator" and _needs_brackets(part, edit):
        kind = "brackets"
    text = LOOK_AT[kind].replace("{}", str(edit.changes[0][3]))
    return text if text.endswith("?") else f"{text}."


def _needs_brackets(part, edit):
    """Whether another operator alone would be read otherwise than the edit means it."""
    old, new = edit.node, edit.changes[0][3]
    if not (isinstance(old, ast.BinOp) and isinstance(new, ast.BinOp)):
        return False
    more = ast.unparse(new).count("(") > ast.unparse(old).count("(")
    piece = part.piece(old)
    return more and not piece.startswith("(") and not piece.endswith(")")
