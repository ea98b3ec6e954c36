"""Layer: how far an answer is right: its last value that the solution computes too."""

import ast
import copy
import textwrap

import numpy as np

from helpers.checks import source
from helpers.checks.diagnosis.editable_answer import EditableAnswer
from helpers.checks.diagnosis.evidence import Finding, numbers
from helpers.checks.diagnosis.patterns import ENOUGH
from helpers.checks.mistakes import implemented

CASES = 20  # failing cases in which the two must agree
SLOW = 0.005  # seconds of a case beyond which the first must do
HOOK = "_computed"  # the name of the function that every value passes


def last_right_step(evidence):
    """The last value that the solution computes as well, where nothing else is found."""
    if evidence.is_explained or evidence.said[0].clear:
        return None
    task, editable = evidence.task, EditableAnswer.of(evidence)
    if editable is None or isinstance(task.reference, type):
        return None
    watch, part = _Watch(), editable.parts[0]
    node = ast.fix_missing_locations(watch.visit(part.node))
    editable.parts[0] = source.Definition(part.name, node, part.text, part.file)
    answer = editable.made()
    if answer is None:
        return None
    code = ast.unparse(ast.fix_missing_locations(_Watch().visit(editable.solution)))
    solution = implemented(code, task.reference, task.defines, "steps of the solution")
    alike = None  # as in the first case, and as in all others that have numbers enough
    for n, trial in enumerate(evidence.failing[:CASES]):
        if n and trial.outcome.seconds > SLOW:
            break
        mine, theirs = (_values(task, made, trial.case) for made in (answer, solution))
        given = [array for array in map(numbers, trial.case) if array is not None]
        steps = [
            value
            for value in theirs.values()
            if alike or not any(task.agrees(array, value) for array in given)
        ]
        same = {n for n, v in mine.items() if any(task.agrees(s, v) for s in steps)}
        alike = same if alike is None else alike - (mine.keys() - same)
    if not alike:
        return None
    # The last one, and the whole of it.
    last = max(
        (watch.watched[n] for n in alike), key=lambda n: (_end(n), -n.col_offset)
    )
    piece = textwrap.shorten(part.piece(last), 60, placeholder=" …")
    return Finding(
        f"In line {last.lineno}, `{piece}` gives the same numbers as a step of the "
        "solution, so that much is right.",
        "right up to a step",
    )


def _end(node):
    return node.end_lineno, node.end_col_offset


class _Watch(ast.NodeTransformer):
    """Lets each operation's and each call's value pass the hook, under its number."""

    def __init__(self):
        self.watched = []

    def visit(self, node):
        place = copy.copy(node)
        self.generic_visit(node)
        if not isinstance(node, (ast.BinOp, ast.Call)):
            return node
        self.watched.append(place)
        number = ast.Constant(len(self.watched) - 1)
        return ast.Call(ast.Name(HOOK, ast.Load()), [number, node], [])


def _values(task, made, case):
    """The arrays that are computed once in a case, by the number of their place."""
    found = {}

    def computed(n, value):
        found[n] = None if n in found else numbers(value)
        return value

    made.__globals__[HOOK] = computed
    task.called(made, case)
    return {n: array for n, array in found.items() if _is_telling(array)}


def _is_telling(array):
    """Whether an array is more than a few numbers at equal distances."""
    if array is None or array.size < ENOUGH or array.dtype.kind not in "iuf":
        return False
    finite = array[np.isfinite(array)].astype(float)
    return finite.size >= ENOUGH and np.ptp(np.diff(finite)) > 1e-9
