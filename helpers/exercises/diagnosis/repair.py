"""Layer: the smallest change of the student's own code after which every case agrees.

Single edits of the syntax tree are tried one by one; then pairs, beginning with edits
that bring the first wrong case nearer. The feedback says where the change is and of
what kind, never what to write.
"""

import ast
import copy
import types
import warnings

import numpy as np

from helpers.exercises import running, source
from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.diagnosis import known, untouched
from helpers.exercises.diagnosis.edits import LOOK_AT, everywhere, places, value_of
from helpers.exercises.diagnosis.expressions import MAKERS
from helpers.exercises.diagnosis.lines import line_edits
from helpers.exercises.feedback import wrong

PLACES = {"one change", "two changes", "one place"}  # names that tell a place alone
LARGE = 2_000_000  # bytes of the student's data beyond which nothing is tried
MEMORY = 500_000_000  # bytes that an edited answer may ask for
WIDE = 6  # edits from which a second one is looked for

# Edits that say the same in another way; the others put code in or take it out.
_IN_PLACE = {
    *("number", "operator", "sign", "brackets", "order", "arguments", "function"),
    *("axis", "type", "slice", "index", "comparison", "missing step", "by one"),
    *("needless call", "return inside", "counted"),
}


def smallest(findings):
    """The Feedback on the smallest repair, or None where none is found in time.

    One change of the code comes before two listed mistakes, unless it only puts a step
    in, and these before two changes: what is simpler is likelier to be what happened.
    """
    if findings.budget.left() <= 0:
        return None
    workshop = Workshop.of(findings)
    if workshop is None:
        return known.two(findings)
    calm = np.errstate(all="ignore")
    with warnings.catch_warnings(), calm, untouched.AsBefore(workshop.names):
        warnings.simplefilter("ignore")
        with running.memory_limit(MEMORY):
            try:
                return workshop.search()
            except (MemoryError, RecursionError):  # where what a trial gave is compared
                return None


def no_infinity():
    """LAPACK may never come back from what is infinite, and no signal ends it."""
    return np.errstate(divide="raise", over="raise", invalid="raise", under="ignore")


class Workshop:
    """A student's code as trees that can be edited, compiled and run."""

    def __init__(self, findings, parts, names):
        self.findings, self.task = findings, findings.task
        self.parts = [
            source.Part(p.name, copy.deepcopy(p.node), p.text, p.file) for p in parts
        ]
        self.names, self.compiled = names, {}
        reach = {n for part in parts for n in self._names_for(part)}
        self.data = [
            n
            for n in reach
            if isinstance(names.get(n), _MUTABLE)
            or _is_tensor(names.get(n))
            or _is_network(names.get(n))
        ]
        # A large number that stands in the solution too is right by all odds.
        constants = map(value_of, ast.walk(ast.parse(self.task.solution_code)))
        self.sure = {v for v in constants if v is not None and v > 10}
        self.trials = sorted(findings.failing, key=lambda t: t.outcome.seconds)
        self.trials += sorted(findings.passing, key=lambda t: t.outcome.seconds)
        # A wrong answer may be slow only because it is wrong.
        self.limits = {
            id(t): min(0.3, max(0.05, 5 * t.expected.seconds)) for t in self.trials
        }

    @classmethod
    def of(cls, findings):
        """The workshop for an answer; None where its code must not or cannot be run."""
        parts = source.parts(findings.answer)
        names = dict(source.globals_of(findings.answer))
        if not parts or any(untouched.goes_outside(part.node, names) for part in parts):
            return None
        solution = ast.parse(findings.task.solution_code)
        trees = [solution, *(part.node for part in parts)]
        used = {name for tree in trees for name in source.names_in(tree)}
        if any(_size(names[name]) > LARGE for name in used & names.keys()):
            return None
        return cls(findings, parts, names)

    # --- making

    def made(self):
        """The answer that the trees define now; None where they define nothing."""
        names = dict(self.names)
        for name in self.data:
            names[name] = copy.deepcopy(names[name])
        answer = None
        try:
            for part in reversed(self.parts):  # the answer itself is the first
                if isinstance(part.node, ast.Lambda):
                    made = eval(self._code(part), names)
                else:
                    exec(self._code(part), names)
                    made = names[part.node.name]
                if part.name:
                    names[part.name] = made
                answer = made
        except Exception:
            return None
        return answer

    def _code(self, part):
        if isinstance(part.node, ast.Lambda):
            return compile(ast.Expression(part.node), part.file, "eval")
        return compile(ast.Module([part.node], []), part.file, "exec")

    # --- trying

    def outcome(self, answer, trial):
        """What an answer does in the case of a trial."""
        limit = min(self.limits[id(trial)], self.findings.budget.left() + 0.02)
        with no_infinity():
            return running.call(self.task.run, answer, trial.case, limit)

    def passes(self, answer, first):
        """Whether an answer is right in every trial; the first has been run."""
        return self.task.right(self.trials[0], first) and all(
            self.task.right(trial, self.outcome(answer, trial))
            for trial in self.trials[1:]
        )

    def broken(self, answer):
        """The complaint of a demand that a repaired answer does not keep, or None."""
        for demand in self.task.demands:
            try:
                complaint = demand.complaint(answer)
                if complaint:
                    return complaint
            except Exception:  # a wrong answer may do anything
                continue
        return None

    def search(self):
        """One edit, two listed mistakes, one of each, or two edits."""
        tried, budget = [], self.findings.budget.part(1.0)  # the rest is for pairs
        spare = None
        base = self._score(self.trials[0], self.trials[0].outcome)
        for part, edit in self.edits():
            if budget.left() <= 0:
                break
            first, passes, broken = self._with(edit)
            if passes and not broken:
                # To put a step in mends much that does not lack it: `1 - pairs` where
                # pairs begin at 1 and grow, say. Two listed mistakes are likelier.
                listed = edit.kind == "missing step" and known.two(self.findings)
                return listed or self._told([(part, edit)])
            if broken and not spare:
                spare = wrong(
                    f"Two things at once. First, {_place(part, edit)}: {_look(edit)} "
                    f"Second, once that is mended: {broken}",
                    "two changes",
                )
            if first and first.raised is None:
                tried.append((part, edit, first))
        return (
            known.two(self.findings)
            or spare
            or self._with_a_listed_one(tried)
            or self._two(tried, base)
        )

    def edits(self):
        """Every (part, edit), the likeliest first, near the line that raised first."""
        found = []
        near = self._line_that_raised()
        for part in self.parts:
            names, attributes = self._names_for(part), _attributes(part.node)
            for edit in _edits_of(part.node, names, attributes):
                if edit.kind in self.task.hides:
                    continue
                if edit.kind == "number" and value_of(edit.node) in self.sure:
                    continue
                line = getattr(edit.node, "lineno", 0)
                rank = edit.rank - 2 * (line == near)
                found.append((rank, part, edit))
        found.sort(key=lambda triple: triple[0])
        return [(part, edit) for _, part, edit in found]

    def _line_that_raised(self):
        raised = self.trials[0].outcome.raised
        place = raised and running.place_of(raised, self.findings.answer)
        return place[0] if place else None

    def _names_for(self, part):
        arguments = [n.arg for n in ast.walk(part.node) if isinstance(n, ast.arg)]
        inside = source.names_in(part.node)
        there = [
            n for n in inside if not isinstance(self.names.get(n), types.ModuleType)
        ]
        solution = ast.parse(self.task.solution_code)
        theirs = [
            n
            for n in source.names_in(solution)
            if callable(self.names.get(n)) or _is_data(self.names.get(n))
        ]
        builtin = {"self", "super", "print", "ValueError", "TypeError"}
        found = dict.fromkeys([*arguments, *there, *theirs])
        return [n for n in found if n not in builtin]

    # --- two at once

    def _with_a_listed_one(self, tried):
        """An edit after which the answer is one of the listed mistakes."""
        task, budget = self.task, self.findings.budget
        budget = budget.part(0.4)
        case = self.trials[0].case
        least = sum(self._score(t, t.outcome) for t in self.trials)
        listed = []
        for mistake in filter(known.can_be_one_of_two, task.mistakes):
            if budget.left() <= 0:
                return None
            outcomes = [(t, task.made_by(mistake, t.case)) for t in self.trials]
            if least <= sum(self._score(*one) for one in outcomes):
                listed.append((mistake, task.made_by(mistake, case)))
        for part, edit, first in tried:
            if budget.left() <= 0:
                return None
            if edit.kind not in _IN_PLACE:
                continue
            for mistake, made in listed:
                if not known.same(task, made, first):
                    continue
                before = edit.apply()
                try:
                    answer = self.made()
                    # That one more change repairs it tells a mistake that is there
                    # from one that the edit made, by taking out what was right.
                    if not self._is(mistake, answer):
                        continue
                    more = self._one_more(budget)
                    if more and _overlap(edit.node, more[1].node):
                        return self._told([(part, edit), more])
                    if more:
                        return wrong(
                            f"Two things at once. First: {mistake.sentence} Second, "
                            f"{_place(part, edit)}: {_look(edit)}",
                            f"{mistake.name}, and one change",
                        )
                finally:
                    edit.undo(before)
        return None

    def _is(self, mistake, answer):
        task = self.task
        return all(
            known.same(task, task.made_by(mistake, t.case), self.outcome(answer, t))
            for t in self.trials
        )

    def _one_more(self, budget):
        """The (part, edit) that repairs the trees as they are now."""
        for part, edit in self.edits():
            if budget.left() <= 0:
                return None
            if self._with(edit)[1:] == (True, None):
                return part, edit
        return None

    def _with(self, edit):
        """The first outcome with an edit in its place, whether all is right then, and
        the complaint of a demand that it breaks."""
        before = edit.apply()
        answer = self.made()
        first = answer and self.outcome(answer, self.trials[0])
        passes = bool(first and self.passes(answer, first))
        edit.undo(before)
        return first, passes, self.broken(answer) if passes else None

    def _two(self, tried, base):
        """Two edits, the first of which brings the first wrong case nearer."""
        budget = self.findings.budget
        scored = [
            (self._score(self.trials[0], first), n)
            for n, (_, _, first) in enumerate(tried)
        ]
        scored = sorted((s for s in scored if s[0] > base + 0.02), reverse=True)[:WIDE]
        for _, n in scored:
            part, edit, _ = tried[n]
            before = edit.apply()
            try:
                more = self._one_more(budget)
            finally:
                edit.undo(before)
            if more:  # where a slow moment hid it, the first alone is enough
                alone = self._with(edit)[1:] == (True, None)
                return self._told([(part, edit), more][: 1 if alone else 2])
        return None

    def _score(self, trial, outcome):
        """How near an outcome is to the right one, from 0 to 1."""
        if outcome.raised is not None or trial.expected.raised is not None:
            return float(self.task.right(trial, outcome))
        return nearness(trial.expected.value, outcome.value, self.task.tolerance)

    # --- telling

    def _told(self, pairs):
        if len(pairs) == 1:
            ((part, edit),) = pairs
            look = _look(edit)
            return wrong(
                f"One change is enough, {_place(part, edit)}: {look}", "one change"
            )
        (part, one), (other_part, other) = pairs
        # What is made of one number in two steps, 5 of 3, is one change.
        same = isinstance(one.node, (ast.Constant, ast.Name)) and part is other_part
        if same and _span(one.node) == _span(other.node):
            return self._told([pairs[0]])
        if part is other_part and _overlap(one.node, other.node):
            outer = max(one, other, key=lambda edit: len(part.piece(edit.node)))
            return wrong(
                f"Changes in one place are enough, {_place(part, outer)}. Look at every "
                "part of it.",
                "one place",
            )
        parts = " And ".join(
            f"{_place(part, edit)}: {_look(edit)}" for part, edit in pairs
        )
        return wrong(f"Two changes are enough: {parts}", "two changes")


def nearness(expected, got, tolerance):
    """The share of numbers that agree; a little for the right shape or keys alone."""
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return 0.0
        shares = [nearness(e, got.get(k), tolerance) for k, e in expected.items()]
        return sum(shares) / max(len(shares), 1)
    if isinstance(expected, tuple):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            return 0.0
        shares = [nearness(e, g, tolerance) for e, g in zip(expected, got, strict=True)]
        return sum(shares) / max(len(shares), 1)
    if isinstance(expected, str) or expected is None:
        return float(type(expected) is type(got) and expected == got)
    try:
        wanted, given = as_array(expected).astype(float), as_array(got).astype(float)
    except (Unreadable, ValueError, TypeError):
        return 0.0
    if wanted.shape != given.shape:
        return 0.02 * (wanted.ndim == given.ndim) + 0.02 * (wanted.size == given.size)
    rtol, atol = tolerance
    close = np.isclose(given, wanted, rtol=rtol, atol=atol, equal_nan=True)
    return 0.1 + 0.9 * float(close.mean()) if close.size else 1.0


def _edits_of(node, names, attributes):
    found = []
    for place in places(node):
        for make in MAKERS:
            found += make(place, names, attributes)
    return found + everywhere(found) + line_edits(node)


def _place(part, edit):
    node = edit.node
    text = part.piece(node).strip()
    piece = text.splitlines()[0] if text else ""
    if len(piece) > 60 or piece != text:
        piece = f"{piece[:57].rstrip()} …"
    where = (
        f"in `{part.name}`, line {node.lineno}"
        if part.name
        else f"in line {node.lineno}"
    )
    return f"{where} at `{piece}`" if piece else where


def _span(node):
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _overlap(one, other):
    """Whether two nodes stand in the same place, or one inside of the other."""
    spans = sorted(map(_span, (one, other)))
    return spans[1][0] < spans[0][1]


def _look(edit):
    text = LOOK_AT[edit.kind]
    if edit.times > 1:
        text = f"in {edit.times} places where this stands, {text}"
    return text if text.endswith("?") else f"{text}."


def _attributes(node):
    """The attributes that a class gives its objects."""
    if not isinstance(node, ast.ClassDef):
        return []
    found = []
    for inner in ast.walk(node):
        owner = getattr(inner, "value", None)
        if isinstance(inner, ast.Attribute) and getattr(owner, "id", "") == "self":
            found += [inner.attr] * isinstance(inner.ctx, ast.Store)
        if isinstance(inner, ast.Call) and inner.args:
            name, first = getattr(inner.func, "attr", ""), inner.args[0]
            if name.startswith("register_") and isinstance(first, ast.Constant):
                found.append(first.value)
    return [n for n in dict.fromkeys(found) if isinstance(n, str)]


_MUTABLE = (np.ndarray, list, dict, set)


def _is_tensor(thing):
    return type(thing).__module__.split(".")[0] == "torch" and hasattr(thing, "numel")


def _is_network(thing):
    return hasattr(thing, "named_buffers") and not isinstance(thing, type)


def _is_data(thing):
    kinds = (np.ndarray, list, dict, set, tuple, int, float, str, bool)
    return isinstance(thing, kinds) or _is_tensor(thing)


def _size(thing):
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    if _is_tensor(thing):
        return thing.numel() * thing.element_size()
    if _is_network(thing):
        return sum(map(_size, (*thing.parameters(), *thing.buffers())))
    if isinstance(thing, (list, tuple, set, dict, str)):
        return 8 * len(thing)
    return 0
