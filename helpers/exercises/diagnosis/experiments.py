"""Whether what the wrong cases share is why they are wrong: one argument is exchanged.

Of seven cases some feature is often true by chance. So before one is told, a wrong case
gets an argument of a right one and the other way round, or, where one number is all
that a case has, a number next to it: what comes out must be wrong exactly where the
feature is there.
"""

import itertools
import warnings

import numpy as np

from helpers.exercises import running
from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.diagnosis import untouched
from helpers.exercises.diagnosis.repair import MEMORY, Workshop, no_infinity

EACH = 3  # wrong and right cases that are exchanged with each other
SECONDS = 0.25  # of all experiments together
ONE = 0.1  # of one call


class Experiments:
    """The answer of some findings, run on cases that were not among the trials."""

    def __init__(self, findings):
        self.findings, self.task = findings, findings.task
        self.budget = findings.budget.part(SECONDS)
        self.workshop, self._seen = Workshop.of(findings), {}

    def refute(self, holds, arguments, more=None):
        """Whether an exchange of one of these arguments speaks against a feature.

        ``holds(case)`` is the feature, None where it leaves that open; ``more(case)``
        gives cases to try beside. None where none could be run.
        """
        if self.workshop is None:
            return None
        kept, calm = untouched.AsBefore(self.workshop.names), np.errstate(all="ignore")
        with warnings.catch_warnings(), calm, kept, running.memory_limit(MEMORY):
            warnings.simplefilter("ignore")
            try:
                return self._refuted(holds, arguments, more)
            except (MemoryError, RecursionError):
                return None

    def _refuted(self, holds, arguments, more):
        ran = None
        for case in self._cases(arguments, more):
            if self.budget.left() <= 0:
                break
            there = holds(case)
            right = None if there is None else self._right(case)
            if right is None:
                continue
            if right == there:
                return True
            ran = False
        return ran

    def _cases(self, arguments, more):
        """Cases with one argument exchanged, and those that are made of failing ones."""
        wrong, right = _cases(self.findings.failing), _cases(self.findings.passing)
        if len(wrong[0]) == 1:  # exchanged, it is the other case
            yield from _nearby(wrong, right)
            arguments = ()
        for one, other in itertools.product(wrong[:EACH], right[:EACH]):
            for n in arguments:
                yield (*one[:n], other[n], *one[n + 1 :])
                yield (*other[:n], one[n], *other[n + 1 :])
        for one in wrong[:EACH] if more else ():
            try:
                made = more(one)
            except (Unreadable, TypeError, ValueError):  # arrays of another kind
                continue
            yield from made

    def _right(self, case):
        """Whether the answer is right in a case; None where that cannot be said."""
        key = tuple(("=", v) if type(v) is int else id(v) for v in case)
        if key not in self._seen:  # kept with the case, so that no id is used again
            self._seen[key] = case, self._tried(case)
        return self._seen[key][1]

    def _tried(self, case):
        expected = running.call(self.task.run, self.task.reference, case, ONE)
        if expected.raised is not None or not _is_normal(expected.value):
            return None
        answer = self.workshop.made()
        if answer is None:
            return None
        with no_infinity():
            outcome = running.call(self.task.run, answer, case, ONE)
        if isinstance(outcome.raised, Exception) and not isinstance(
            outcome.raised, (FloatingPointError, MemoryError)
        ):
            return False
        if outcome.raised is not None:
            return None  # out of time, say, which in a trial it need not have been
        changed = outcome.changed and not expected.changed
        return not changed and self.task.agrees(expected.value, outcome.value)


def _nearby(wrong, right):
    """Cases of one number, a little larger and smaller; odd only where some are odd."""
    numbers = [case[0] for case in (*wrong, *right)]
    if not all(type(n) is int for n in numbers):
        return
    steps = (1, -1, 2, -2) if any(n % 2 for n in numbers) else (2, -2)
    for (number,), step in itertools.product((*wrong[:EACH], *right[:EACH]), steps):
        if number + step >= min(numbers):
            yield (number + step,)


def _cases(trials):
    return [t.case for t in trials if t.expected.raised is None]


def _is_normal(value):
    """Whether a right answer is one that a case could ask for: no infinite numbers."""
    if isinstance(value, dict):
        return all(map(_is_normal, value.values()))
    if value is None or isinstance(value, str):
        return True
    try:
        return bool(np.isfinite(as_array(value).astype(float)).all())
    except (Unreadable, TypeError, ValueError):
        return isinstance(value, (tuple, list)) and all(map(_is_normal, value))
