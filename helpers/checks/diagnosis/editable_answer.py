"""A student's code as trees that can be edited, compiled and run."""

import ast
import copy
import types

import numpy as np

from helpers.checks import running, source
from helpers.checks.comparing import is_tensor
from helpers.checks.diagnosis import side_effects
from helpers.checks.diagnosis.edits import value_of
from helpers.checks.diagnosis.expressions import edits_of
from helpers.checks.timing import TimeUp

LARGE = 2_000_000  # bytes of the student's data beyond which nothing is tried

_MUTABLE = (np.ndarray, list, dict, set)


class EditableAnswer:
    """The answer of some evidence, with what is needed to make others of it."""

    def __init__(self, evidence, parts, names):
        self.evidence = evidence
        self.task = evidence.task
        self.names = names
        # A function of another cell may be the notebook's own, so it stays as it is.
        self.parts = [
            source.Definition(p.name, copy.deepcopy(p.node), p.text, p.file)
            for p in parts
            if p.file == parts[0].file
        ]
        self.solution = ast.parse(self.task.solution_code)
        reach = {n for part in parts for n in self._names_for(part)}
        self.data = [n for n in reach if _may_be_written_into(names.get(n))]
        # A large number that stands in the solution too is right by all odds.
        constants = map(value_of, ast.walk(self.solution))
        self.sure = {v for v in constants if v is not None and v > 10}
        # Slow ones last; a wrong answer may be slow only because it is wrong.
        slow = sorted(evidence.failing, key=lambda t: t.outcome.seconds > 0.01)
        self.trials = slow + sorted(evidence.passing, key=lambda t: t.outcome.seconds)

    @classmethod
    def of(cls, evidence):
        """Of some evidence; None where its code must not or cannot be run."""
        parts = evidence.answer.definitions
        names = dict(evidence.answer.global_names)
        if not parts or any(side_effects.goes_outside(p.node, names) for p in parts):
            return None
        trees = [ast.parse(evidence.task.solution_code), *(p.node for p in parts)]
        used = {name for tree in trees for name in source.names_in(tree)}
        if any(_size(names[name]) > LARGE for name in used & names.keys()):
            return None
        return cls(evidence, parts, names)

    def compiled(self):
        """The answer that the trees define now; None where they define nothing."""
        names = dict(self.names)
        for name in self.data:
            names[name] = copy.deepcopy(names[name])
        answer = None
        try:
            for part in reversed(self.parts):  # the answer itself is the first
                if isinstance(part.node, ast.Lambda):
                    code = compile(ast.Expression(part.node), part.file, "eval")
                    answer = eval(code, names)
                else:
                    exec(compile(ast.Module([part.node], []), part.file, "exec"), names)
                    answer = names[part.node.name]
                if part.name:
                    names[part.name] = answer
        except Exception:
            return None
        return answer

    def outcome(self, answer, trial):
        """What an answer does in the case of a trial."""
        took = trial.outcome.seconds if trial.outcome else 0.06
        limit = max(0.05, min(0.3, 5 * trial.expected.seconds), min(1.0, 2 * took))
        limit = min(limit, self.evidence.budget.left() + 0.02)
        # LAPACK may never come back from what is infinite, and no signal ends it.
        with np.errstate(divide="raise", over="raise", invalid="raise", under="ignore"):
            return running.call(self.task.run, answer, trial.case, limit)

    def passes(self, answer):
        """Whether an answer is right in every trial and in fresh cases, and keeps the
        demands.

        Whether bad input is refused is not asked before the check has asked, and a
        fresh case that takes too long decides nothing.
        """
        right = self.task.right
        if answer is None or not all(
            right(trial, self.outcome(answer, trial)) for trial in self.trials
        ):
            return False
        fresh = self.task.fresh
        unasked = self.unasked
        for trial in (t for t in fresh if not (unasked and t.expected.raised)):
            outcome = self.outcome(answer, trial)
            if not right(trial, outcome) and not isinstance(outcome.raised, TimeUp):
                return False
        return not any(_breaks(demand, answer) for demand in self.task.demands)

    def passes_with(self, edit):
        """Whether all is right with an edit in its place."""
        before = edit.apply()
        try:
            return self.passes(self.compiled())
        finally:
            edit.undo(before)

    @property
    def unasked(self):
        """Trials of bad input, where the check has not asked for them."""
        asked = any(trial.expected.raised for trial in self.trials)
        return [] if asked else self.task.refused

    def refuses_with(self, edit):
        """Whether bad input is refused with an edit in its place."""
        before = edit.apply()
        answer = self.compiled()
        edit.undo(before)
        trials = [(trial, self.outcome(answer, trial)) for trial in self.unasked]
        return all(self.task.right(*pair) for pair in trials)

    def edits(self):
        """Every (part, edit), the likeliest first, near the line that raised first."""
        raised = self.trials[0].outcome.raised
        near = raised and self.evidence.answer.line_of(raised)
        found = [
            (part, edit)
            for part in self.parts
            for edit in edits_of(part.node, self.solution, self._names_for(part))
            if not (edit.kind == "number" and value_of(edit.node) in self.sure)
        ]

        def likelihood(pair):
            _, edit = pair
            there = near and getattr(edit.node, "lineno", 0) == near[0]
            return edit.rank - (2 if there else 0)

        return sorted(found, key=likelihood)

    def _names_for(self, part):
        arguments = [n.arg for n in ast.walk(part.node) if isinstance(n, ast.arg)]
        inside = source.names_in(part.node)
        free = set(source.names_in(self.solution)) - source.bound_names(self.solution)
        theirs = [
            n for n in source.names_in(self.solution) if n in free & set(self.names)
        ]
        found = dict.fromkeys([*arguments, *inside, *theirs])
        modules = {n for n, v in self.names.items() if isinstance(v, types.ModuleType)}
        builtin = {"self", "super", "print", "ValueError", "TypeError"}
        return [n for n in found if n not in modules | builtin]


def _breaks(demand, answer):
    try:
        return demand.complaint(answer)
    except Exception:  # a wrong answer may do anything
        return False


def _is_network(thing):
    return hasattr(thing, "named_buffers") and not isinstance(thing, type)


def _may_be_written_into(thing):
    return isinstance(thing, _MUTABLE) or is_tensor(thing) or _is_network(thing)


def _size(thing):
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    if is_tensor(thing):
        return thing.numel() * thing.element_size()
    if _is_network(thing):
        return sum(map(_size, (*thing.parameters(), *thing.buffers())))
    return 8 * len(thing) if isinstance(thing, (list, tuple, set, dict, str)) else 0
