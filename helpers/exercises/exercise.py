"""A function or class to write, and the check that says what is wrong with it.

A mistake is a wrong implementation plus the sentence that names it. Where an answer
differs from the reference, the known mistakes are run on the same cases, and the one
that agrees with the answer everywhere gives the feedback.
"""

import inspect
import sys
import textwrap
import warnings
from functools import cache, cached_property

import numpy as np

from helpers.exercises import running
from helpers.exercises.comparing import Unreadable, agrees, first_difference
from helpers.exercises.diagnosis import Budget, Findings, Trial, diagnose, raised
from helpers.exercises.feedback import (
    CORRECT,
    NOT_ATTEMPTED,
    Feedback,
    not_attempted,
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
    words      ``words(*case)`` says a case in words, where its arguments do not
    remark     one sentence for a right answer: what it has shown
    hides      kinds of edits (`diagnosis.edits.LOOK_AT`) that would hide a fault from
               the cases instead of mending it: no such repair is told
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
        words=None,
        remark="",
        hides=(),
        name=None,
        rtol=1e-4,
        atol=2e-5,
        seconds=5.0,
    ):
        super().__init__(name or reference.__name__, hints)
        self.reference, self.stub = reference, textwrap.dedent(stub).strip() + "\n"
        self.cases, self._listed = tuple(cases), tuple(mistakes)
        self.demands, self.run, self.remark = demands, run or plain_call, remark
        self.words, self.hides = words, hides
        self.tolerance, self.seconds = (rtol, atol), seconds
        self.patience = 1  # times the bound; the marks bound an answer elsewhere
        self._made_by = {}

    @property
    def is_plain(self):
        """Whether what is compared is the answer's own value."""
        return self.run is plain_call

    @property
    def solution_code(self):
        """The reference as written, without its decorator."""
        return _source_of(self.reference)

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
        return Mistake(slip.name, slip.sentence, answer, code)

    def _solution(self):
        return f"```python\n{self.solution_code}```", self.solution_code

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
        if self.is_plain or kind == "class":
            return self._signature_problem(answer)
        return None

    def _signature_problem(self, answer):
        parameters = list(inspect.signature(self.reference).parameters)
        given = self.cases[0] if self.is_plain else parameters
        try:
            inspect.signature(answer).bind(*given)
        except TypeError:
            names = ", ".join(parameters)
            return wrong(
                f"It is called with {_count(len(given), 'argument')}, "
                f"`({names})`; yours takes `{inspect.signature(answer)}`.",
                "arguments",
            )
        except ValueError:
            return None  # a built-in without a signature: just call it
        return None

    def _verdict(self, answer):
        if all(expected.raised for _, expected in self._judged):
            return self._broken_kernel()
        # Refusing bad input counts once good input is right.
        trials = []
        for good in (True, False):
            for case, expected in self._judged:
                if (expected.raised is None) is not good:
                    continue
                outcome = self._called(answer, case)
                problem = self._problem(answer, case, expected, outcome)
                trials.append(Trial(case, expected, outcome, problem))
                if problem and (
                    problem.status == NOT_ATTEMPTED or problem.mistake in _FATAL
                ):
                    return problem
                if _is_enough(trials):
                    break
            if any(trial.problem for trial in trials):
                return diagnose(Findings(self, answer, trials, Budget(SECONDS)))
        for demand in self.demands:
            complaint = demand.complaint(answer)
            if complaint:
                return wrong(complaint, demand.name)
        cases = _count(len(self.cases), "case")
        return Feedback(CORRECT, f"All {cases} agree. {self.remark}".strip())

    def _broken_kernel(self):
        """Where the reference itself raises, an answer that raises too proves nothing."""
        error = self._judged[0][1].raised
        del self._judged  # it may be mended before the next check
        return wrong(
            "Your answer was not judged: the check itself does not run in this kernel, "
            f"`{type(error).__name__}: {error}`. A line may have overwritten what it "
            "needs: `torch.manual_seed = 0` for `torch.manual_seed(0)`, for example. "
            "Restart the kernel and run the cells from the top.",
            "broken kernel",
        )

    @cached_property
    def _judged(self):
        return [(case, self.quiet(self.reference, case)) for case in self.cases]

    def made_by(self, mistake, case):
        """The Outcome of a listed mistake in a case; computed once."""
        key = (id(mistake), id(case))
        if key not in self._made_by:
            self._made_by[key] = self.quiet(mistake.answer, case)
        return self._made_by[key]

    def right(self, trial, outcome):
        """Whether an outcome is right in the case of a trial."""
        wanted = trial.expected.raised
        if wanted is not None or outcome.raised is not None:
            return wanted is not None and isinstance(outcome.raised, type(wanted))
        changed = outcome.changed and not trial.expected.changed
        return not changed and self.agrees(trial.expected.value, outcome.value)

    def agrees(self, expected, got):
        """Whether two values agree within the exercise's tolerance."""
        return agrees(expected, got, *self.tolerance)

    def _problem(self, answer, case, expected, outcome):
        """The Feedback on one case, or None where the answer is right."""
        where = f"For {self.describe(case)}"
        if outcome.raised is not None:
            if isinstance(outcome.raised, type(expected.raised or ())):
                return None
            feedback = raised.feedback(where, outcome.raised, answer, self.seconds)
            if expected.raised is not None and feedback.mistake == "exception":
                feedback.message += (
                    f" A `{type(expected.raised).__name__}` is asked for."
                )
            return feedback
        if expected.raised is not None:
            wanted = type(expected.raised).__name__
            came = "`None`" if outcome.value is None else "a value"
            return wrong(
                f"{where} a `{wanted}` is asked for, and yours returned {came}: write "
                f"`raise {wanted}(…)`, not `return` or `print`."
            )
        if outcome.value is ...:
            return not_attempted("There is still a `...` where your code belongs.")
        if outcome.value is None and expected.value is not None:
            return wrong("It returns nothing (`None`).", "no return")
        if outcome.changed and not expected.changed:
            name = self.names_of(case)[outcome.changed[0]]
            return wrong(
                f"It changes its input `{name}`; write into something new. Whoever "
                "called it still needs the old one.",
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
        return wrong(f"{where}, {difference.sentence}", difference.name)

    def quiet(self, implementation, case):
        """The Outcome of an implementation, without its warnings."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return self._called(implementation, case)

    def _called(self, answer, case):
        return running.call(self.run, answer, case, self.patience * self.seconds)

    def names_of(self, case):
        """The names of a case's arguments."""
        names = list(inspect.signature(self.reference).parameters)
        if not self.is_plain:
            names = list(inspect.signature(self.run).parameters)[1:]
        return names + [f"argument {n}" for n in range(len(names), len(case))]

    def describe(self, case):
        """A case in words: its arguments, arrays by their shape."""
        if self.words:
            return self.words(*case)
        parts = []
        for name, value in zip(self.names_of(case), case, strict=False):
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


SECONDS = 1.5  # of a whole diagnosis
SLOW = 0.8  # seconds of an answer's own after which one wrong case is enough

_FATAL = {"time", "exit"}  # no other case can tell more


def _is_enough(trials):
    spent = sum(trial.outcome.seconds for trial in trials)
    return spent > SLOW and any(trial.problem for trial in trials)


def plain_call(answer, *args):
    """How a function is run: called with the case."""
    return answer(*args)


@cache  # Python reads a whole file each time it is asked for a source
def _source_of(reference):
    lines = textwrap.dedent(inspect.getsource(reference)).splitlines()
    start = next(
        n for n, line in enumerate(lines) if line.startswith(("def ", "class "))
    )
    return "\n".join(lines[start:]) + "\n"


def _count(n, noun):
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
