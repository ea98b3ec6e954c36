"""Layer: the smallest change of the student's own code after which every case agrees.

Single edits of the syntax tree are tried one by one. A change counts only if it is right
in fresh cases too. The feedback says where it is and of what kind, never what to write.
"""

import ast
import warnings
from collections import Counter

import numpy as np

from helpers.checks import running
from helpers.checks.diagnosis import match_listed, side_effects
from helpers.checks.diagnosis.editable_answer import EditableAnswer
from helpers.checks.diagnosis.evidence import ONE_CHANGE, Finding
from helpers.checks.diagnosis.rewrites import LOOK_AT

MEMORY = 500_000_000  # bytes that an edited answer may ask for
# The search is bounded by what is tried, so that a busy machine finds the same; the
# clock is a last guard.
EDITS = 2000
AFTER_FOUND = 500  # edits tried for other places when one is found
QUOTED = 72  # letters of code that are quoted

# Of all edits that repair an answer, the one that makes the code most like the solution
# is told. A rank weighs as much as one expression in 250, so that it decides where
# likeness hardly does. A place is told as the only one where it is likelier by three
# ranks, which is one expression of a function of 80.
RANK = 1 / 250
CLEARLY = 3 * RANK
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def smallest_repair(evidence):
    """What the smallest repair changes, or None where none is found in time.

    Two listed mistakes come before a repair that only puts something in.
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
            found = _repairs(editable)
            both = match_listed.two_mistakes(evidence) if _only_put_in(found) else None
            return both or _told(editable, found)
        except (MemoryError, RecursionError):  # where what a trial gave is compared
            return None


def _repairs(editable):
    """Every (part, edit) that repairs the answer, among those that are tried."""
    found, last = [], EDITS
    for n, (part, edit) in enumerate(editable.edits()):
        if n > last or editable.evidence.budget.left() <= 0:
            break
        if editable.passes_with(edit):
            last = last if found else n + AFTER_FOUND
            found.append((part, edit))
    return found


def _only_put_in(found):
    return all(edit.puts_in for _, edit in found)


def _told(editable, found):
    """The likeliest of the repairs, in words."""
    if not found:
        return None
    # An edit after which bad input is refused as well is likelier.
    whole = [(part, edit) for part, edit in found if editable.refuses_with(edit)]
    good = "" if whole else " for good input"
    likely = {n: _unlikeliness(editable, e) for n, (_, e) in enumerate(whole or found)}
    best = min(likely, key=likely.get)
    part, edit = (whole or found)[best]
    others = [
        other
        for n, (its_part, other) in enumerate(whole or found)
        if _is_as_likely(likely[n], likely[best])
        and not (its_part is part and _overlap(edit.shown, other.shown))
    ]
    # Of several steps that may be missing, each is but one way to write it.
    if others and any(e.kind == "missing step" for e in (edit, *others)):
        return None
    example = " for example" if others else ""
    if edit.times > 1:
        example = f"{example} first" if others else " first"
        start = f"The same change in {edit.times} places is enough{good},{example}"
    else:
        start = f"One change is enough{good},{example}"
    text = f"{start} {_where(part, edit)}: {_question(part, edit)}"
    return Finding(text, ONE_CHANGE)


def _unlikeliness(editable, edit):
    """Its class, and within it how unlike the solution the code is after the edit."""
    before = edit.apply()
    ours = sum((_pieces(part.node) for part in editable.parts), Counter())
    edit.undo(before)
    theirs = _pieces(editable.solution)
    likeness = 2 * (ours & theirs).total() / max((ours + theirs).total(), 1)
    return _class_of(edit), RANK * edit.rank - likeness


def _class_of(edit):
    """How unlikely a kind of edit is: much that does not lack it passes with it."""
    if edit.puts_in:
        return 2
    return 1 if edit.kind == "type" or edit.times > 1 else 0


def _is_as_likely(one, best):
    return one[0] == best[0] and one[1] - best[1] < CLEARLY


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
    parts = [type(node).__name__, getattr(node, "attr", "")]
    if depth:
        parts += [_outline(child, depth - 1) for child in ast.iter_child_nodes(node)]
    return f"({' '.join(parts)})"


# --- telling


def _where(part, edit):
    node = edit.shown
    piece = part.piece(node).strip()
    where = f"in line {node.lineno}"
    if part.name:
        where = f"in `{part.name}`, line {node.lineno}"
    if not piece:
        return where
    which = _which_of_several(part, node, piece)
    text = " ".join(piece.split())
    if len(text) > QUOTED:
        text = f"{text[: QUOTED // 2].strip()} … {text[-QUOTED // 2 :].strip()}"
    return f"{where} at {which}`{text}`"


def _which_of_several(part, node, piece):
    """ "the second " where a piece stands in its line more than once."""
    columns = {
        other.col_offset
        for other in ast.walk(part.node)
        if getattr(other, "lineno", 0) == node.lineno
        and type(other) is type(node)
        and part.piece(other).strip() == piece
    }
    n = len([column for column in columns if column < node.col_offset])
    return f"the {_ORDINALS[n]} " if len(columns) > 1 and n < len(_ORDINALS) else ""


def _overlap(one, other):
    """Whether two nodes stand in the same place, or one inside of the other."""
    first, second = sorted((one, other), key=_begin)
    return _begin(second) < (first.end_lineno, first.end_col_offset)


def _begin(node):
    return node.lineno, node.col_offset


def _question(part, edit):
    kind = "factor" if edit.product else edit.kind
    if kind == "operator" and _needs_brackets(part, edit):
        kind = "brackets"
    text = LOOK_AT[kind]
    return text if text.endswith("?") else f"{text}."


def _needs_brackets(part, edit):
    """Whether another operator alone would be read otherwise than the edit means it."""
    new = edit.changes[0][3]
    if not isinstance(edit.node, ast.BinOp):
        return False
    more = ast.unparse(new).count("(") > ast.unparse(edit.node).count("(")
    piece = part.piece(edit.node)
    return more and not piece.startswith("(") and not piece.endswith(")")
