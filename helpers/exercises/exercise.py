"""A function or class to write, and the check that says what is wrong with it.

A mistake is a wrong implementation plus the sentence that names it. Where an answer
differs from the reference, the known mistakes are run on the same cases, and the one
that agrees with the answer everywhere gives the feedback.
"""

import inspect
import sys
import textwrap
import warnings
from functools import cached_property

import numpy as np

from helpers.exercises import running, timing
from helpers.exercises.comparing import Unreadable, agrees, as_array, first_difference
from helpers.exercises.feedback import (
    CORRECT,
    NOT_ATTEMPTED,
    Feedback,
    not_attempted,
    show,
    wrong,
)
from helpers.exercises.mistakes import Mistake, Slip, implemented
from helpers.exercises.tasks import Task


class Exercise(Task):
    """A function (or class) to write, with its reference, cases and mistakes.

    reference  the right answer; its source is the solution that students see
    stub       the code that the notebook gives; untouched, it is "not attempted"
    cases      tuples of arguments; where the reference raises, the answer must too
    hints      at least two sentences of Markdown, from nudge to recipe
    mistakes   `Slip` and `Mistake` objects, the likeliest first
    run        ``run(answer, *case)`` gives what is compared; by default the call
               itself. For a class: build it, use it, and return a dict of
               observations (label -> array, string or number)
    demands    `Demand` objects: what the text asks for beside right values
    remark     one sentence for a right answer: what it has shown
    rtol, atol tolerances, wide enough for float32
    seconds    the time bound of one case
    """

    kind = "exercise"

    def __init__(
        self,
        reference,
        *,
        stub,
        cases,
        hints,
        mistakes=(),
        demands=(),
        run=None,
        remark="",
        name=None,
        rtol=1e-4,
        atol=2e-5,
        seconds=5.0,
    ):
        super().__init__(name or reference.__name__, hints)
        self.reference, self.stub = reference, textwrap.dedent(stub).strip() + "\n"
        self.cases, self._listed = tuple(cases), tuple(mistakes)
        self.demands, self.run, self.remark = demands, run or plain_call, remark
        self.tolerance, self.seconds = (rtol, atol), seconds

    @property
    def solution_code(self):
        """The reference as written, without its decorator."""
        source = textwrap.dedent(inspect.getsource(self.reference))
        lines = source.splitlines()
        start = next(
            n for n, line in enumerate(lines) if line.startswith(("def ", "class "))
        )
        return "\n".join(lines[start:]) + "\n"

    @property
    def slips(self):
        """Those of the listed mistakes that are edits of the solution."""
        return tuple(m for m in self._listed if isinstance(m, Slip))

    @cached_property
    def mistakes(self):
        """The listed mistakes, each with a wrong implementation as its ``answer``."""
        return tuple(self._made(m) if isinstance(m, Slip) else m for m in self._listed)

    def _made(self, slip):
        code = slip.applied(self.solution_code)
        label = f"slip {self.name}: {slip.name}"
        answer = implemented(code, self.reference, label)
        return Mistake(slip.name, slip.sentence, answer)

    def solution(self):
        """Show the solution as code."""
        show(f"```python\n{self.solution_code}```", self.solution_code)

    def judge(self, answer):
        """The Feedback on an answer, not shown."""
        return self._refusal(answer) or self._verdict(answer)

    def _refusal(self, answer):
        kind = "class" if isinstance(self.reference, type) else "function"
        if answer is ... or answer is None:
            return not_attempted(f"Write the {kind}, then hand it to `check`.")
        if not callable(answer) or (kind == "class") != isinstance(answer, type):
            return wrong(
                f"Hand over the {kind} itself, without calling it: "
                f"`check({self.reference.__name__})`.",
                f"not a {kind}",
            )
        names = vars(sys.modules[self.reference.__module__])
        if running.is_untouched(answer, self.stub, names) or running.is_empty(answer):
            return not_attempted("This is still the code that you were given.")
        if self.run is plain_call:
            return self._signature_problem(answer)
        return None

    def _signature_problem(self, answer):
        try:
            inspect.signature(answer).bind(*self.cases[0])
        except TypeError:
            names = ", ".join(inspect.signature(self.reference).parameters)
            return wrong(
                f"It is called with {_count(len(self.cases[0]), 'argument')}, "
                f"`({names})`; yours takes `{inspect.signature(answer)}`.",
                "arguments",
            )
        except ValueError:
            return None  # a built-in without a signature: just call it
        return None

    def _verdict(self, answer):
        # Refusing bad input counts once good input is right.
        judged = [(case, self._expected(case)) for case in self.cases]
        good = [(c, e) for c, e in judged if e.raised is None]
        bad = [(c, e) for c, e in judged if e.raised is not None]
        outcomes = []
        for part in (good, bad):
            problem = None
            for case, expected in part:
                outcome = running.call(self.run, answer, case, self.seconds)
                outcomes.append((case, expected, outcome))
                problem = problem or self._problem(answer, case, expected, outcome)
                if problem and problem.mistake in _FATAL:
                    break
            if problem and (
                problem.status == NOT_ATTEMPTED or problem.mistake in _PLAIN_FAULTS
            ):
                return problem
            if problem:
                return self._known_mistake(outcomes) or _constant(outcomes) or problem
        for demand in self.demands:
            complaint = demand.complaint(answer)
            if complaint:
                return wrong(complaint, demand.name)
        cases = _count(len(self.cases), "case")
        return Feedback(CORRECT, f"All {cases} agree. {self.remark}".strip())

    def _problem(self, answer, case, expected, outcome):
        """The Feedback on one case, or None where the answer is right."""
        where = f"For {self._describe(case)}"
        if outcome.raised is not None:
            if isinstance(outcome.raised, type(expected.raised or ())):
                return None
            feedback = _exception(where, outcome.raised, answer, self.seconds)
            if expected.raised is not None and feedback.mistake == "exception":
                feedback.message += (
                    f" A `{type(expected.raised).__name__}` is asked for."
                )
            return feedback
        if expected.raised is not None:
            wanted = type(expected.raised).__name__
            return wrong(
                f"{where} a `{wanted}` is asked for, and yours returned a value: write "
                f"`raise {wanted}(…)`, not `return` or `print`."
            )
        nothing = _nothing_returned(outcome)
        if nothing:
            return nothing
        if outcome.changed and not expected.changed:
            name = self._names(case)[outcome.changed[0]]
            return wrong(
                f"It changes its input `{name}`; work on a copy, or write into a new "
                "array. Whoever called it still needs the old one.",
                "changes its input",
            )
        try:
            difference = first_difference(
                expected.value, outcome.value, *self.tolerance
            )
        except Unreadable as error:
            return wrong(str(error), error.name)
        if difference is None:
            return None
        said = f"\n\nYour code printed: `{outcome.printed.strip()[:200]}`"
        return wrong(
            f"{where}, {difference.sentence}"
            + (said if outcome.printed.strip() else ""),
            difference.name,
        )

    def _known_mistake(self, outcomes):
        for mistake in self.mistakes:
            if all(
                self._same_outcome(self._quiet(mistake.answer, case), outcome)
                for case, _, outcome in outcomes
            ):
                return wrong(mistake.sentence, mistake.name)
        return None

    def _same_outcome(self, made, outcome):
        if made.raised is not None or outcome.raised is not None:
            return repr(made.raised) == repr(outcome.raised)
        return agrees(made.value, outcome.value, *self.tolerance)

    def _expected(self, case):
        return self._quiet(self.reference, case)

    def _quiet(self, implementation, case):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return running.call(self.run, implementation, case, self.seconds)

    def _names(self, case):
        names = list(inspect.signature(self.reference).parameters)
        if self.run is not plain_call:
            names = list(inspect.signature(self.run).parameters)[1:]
        return names + [f"argument {n}" for n in range(len(names), len(case))]

    def _describe(self, case):
        parts = []
        for name, value in zip(self._names(case), case, strict=False):
            shape = getattr(value, "shape", None)
            parts.append(
                f"`{name}={value!r}`"
                if not shape
                else f"`{name}` of shape `{tuple(shape)}`"
            )
        return ", ".join(parts) or "the check"


def exercise(**details):
    """Make an Exercise of the decorated reference; arguments as for `Exercise`."""
    return lambda reference: Exercise(reference, **details)


# Faults that no other case can tell more about, and those that name themselves.
_FATAL = {"exception", "time", "exit"}
_PLAIN_FAULTS = {
    *("time", "exit", "changes its input", "printed", "no return", "not numbers")
}


def plain_call(answer, *args):
    """How a function is run: called with the case."""
    return answer(*args)


def _nothing_returned(outcome):
    if outcome.value is ...:
        return not_attempted("There is still a `...` where your code belongs.")
    if outcome.value is not None:
        return None
    if outcome.printed.strip():
        return wrong(
            "It prints its answer and returns nothing; end it with `return`.", "printed"
        )
    return wrong("It returns nothing (`None`): does it end with `return`?", "no return")


def _exception(where, error, answer, seconds):
    if isinstance(error, NotImplementedError) or "ellipsis" in str(error).lower():
        return not_attempted("There is still a `...` where your code belongs.")
    if isinstance(error, timing.TimeUp):
        return wrong(
            f"{where} it was still running after {seconds:g} seconds and was stopped. "
            "Is there a loop that never ends?",
            "time",
        )
    if isinstance(error, (SystemExit, GeneratorExit)):
        return wrong(
            "It calls `exit` (or `sys.exit`), which would close the notebook; "
            "use `return`.",
            "exit",
        )
    place = running.place_of(error, answer)
    line = f", in line {place[0]} of its cell: `{place[1]}`" if place else ""
    text = str(error).replace("`", "'").splitlines()
    return wrong(
        f"{where} it raised `{type(error).__name__}: {text[0] if text else ''}`{line}.",
        "exception",
    )


def _constant(outcomes):
    """The same answer everywhere although the cases differ: one case, typed in."""
    values = [o.value for _, e, o in outcomes if e.raised is o.raised is None]
    wanted = [e.value for _, e, _ in outcomes if e.raised is None]
    try:
        arrays = [as_array(v) for v in values]
        wanted = [as_array(v) for v in wanted]
    except Unreadable:
        return None
    same = all(np.array_equal(arrays[0], a) for a in arrays[1:])
    if len(arrays) < 2 or not same:
        return None
    if all(np.array_equal(wanted[0], w) for w in wanted[1:]):
        return None
    return wrong(
        "It gives the same answer whatever it is asked; compute it from the arguments.",
        "hard-coded",
    )


def _count(n, noun):
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
