"""Layer: the smallest change of the student's own code after which every case agrees.

Single edits of the syntax tree are tried one by one. A change counts only if it is right
in fresh cases too. Of several, the one that makes the code most like the solution is told.
The feedback says where it is and of what kind, never what to write.
"""

import ast
import warnings
from collections import Counter
from dataclasses import dataclass

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

_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def smallest_repair(evidence):
    """What the smallest repair changes, or None where none is found in time.

    Two listed mistakes come before a repair that only puts something in.
    """
    # Where something is kept between calls, an edit may only switch that off.
    unsteady = evidence.findings[-1].mistake == "not the same twice"
    if unsteady or evidence.budget.left() <= 0:
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
            repairs = _repairs(editable)
            if all(repair.edit.puts_in for repair in repairs):
                both = match_listed.two_mistakes(evidence)
                if both:
                    return both
            return _finding(editable, repairs)
        except (MemoryError, RecursionError):  # where what a trial gave is compared
            return None


@dataclass
class _Repair:
    """An edit after which every case is right, and the part of the answer it is in."""

    part: object
    edit: object
    likeness: float = 0.0  # of the code after it to the solution, in hundredths

    @property
    def suspicion(self):
        """How much that is right otherwise such an edit repairs as well: 0, 1 or 2."""
        if self.edit.puts_in:
            return 2
        return 1 if self.edit.kind == "type" else 0

    @property
    def unlikeliness(self):
        """What the likeliest of several repairs has least of; a rank decides a draw."""
        return self.suspicion, -self.likeness, self.edit.rank

    def is_as_likely_as(self, best):
        """Whether it is told from the best one by nothing but the rank."""
        return self.unlikeliness[:2] == best.unlikeliness[:2]

    def is_at(self, other):
        """Whether both change the same place, or one a piece of the other's."""
        if self.part is not other.part:
            return False
        first, second = sorted((self.edit.quoted, other.edit.quoted), key=_begin)
        return _begin(second) < (first.end_lineno, first.end_col_offset)


def _begin(node):
    return node.lineno, node.col_offset


def _repairs(editable):
    """Every `_Repair` among the edits that are tried."""
    repairs = []
    last = EDITS
    for n, (part, edit) in enumerate(editable.edits()):
        if n > last or editable.evidence.budget.left() <= 0:
            break
        if editable.passes_with(edit):
            last = last if repairs else n + AFTER_FOUND
            repairs.append(_Repair(part, edit))
    return repairs


def _finding(editable, repairs):
    """The likeliest of the repairs, in words; None where there is none to tell."""
    if not repairs:
        return None
    # An edit after which bad input is refused as well is likelier.
    refusing = [one for one in repairs if editable.refuses_with(one.edit)]
    candidates = refusing or repairs
    for repair in candidates:
        repair.likeness = _likeness(editable, repair.edit)
    best = min(candidates, key=lambda repair: repair.unlikeliness)
    rivals = [
        repair
        for repair in candidates
        if repair.is_as_likely_as(best) and not repair.is_at(best)
    ]
    # Of several steps that may be missing, each is but one way to write it.
    kinds = {repair.edit.kind for repair in (best, *rivals)}
    if rivals and "missing step" in kinds:
        return None
    good = "" if refusing else " for good input"
    example = " for example" if rivals else ""
    change = f"One change is enough{good},{example}"
    text = f"{change} {_where(best)}: {_question(best)}"
    return Finding(text, ONE_CHANGE)


def _likeness(editable, edit):
    """The share of expressions that the answer after an edit and the solution share.

    From 0 to 1, in hundredths: a smaller difference makes no place likelier. Of 90
    answers with repairs, a finer count told the same place in all, and in three of them
    as the only one.
    """
    before = edit.apply()
    ours = sum((_pieces(part.node) for part in editable.parts), Counter())
    edit.undo(before)
    theirs = _pieces(editable.solution)
    shared = 2 * (ours & theirs).total()
    return round(shared / max((ours + theirs).total(), 1), 2)


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


# --- in words


def _where(repair):
    node = repair.edit.quoted
    part = repair.part
    where = f"in line {node.lineno}"
    if part.name:
        where = f"in `{part.name}`, line {node.lineno}"
    piece = part.piece(node).strip()
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


def _question(repair):
    edit = repair.edit
    kind = "factor" if edit.product else edit.kind
    if kind == "operator" and _needs_brackets(repair.part, edit):
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
