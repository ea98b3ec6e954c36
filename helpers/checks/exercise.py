"""A function or class to write, and the check that says what is wrong with it.

An answer is run beside the reference on a few fixed cases, which messages speak of, and
on cases drawn from a fixed seed. Where it differs, the diagnosis looks for the reason.
"""

import inspect
import math
import re
import textwrap
import zlib
from dataclasses import replace
from functools import cached_property

import numpy as np

from helpers.checks import running, source, stale_cell
from helpers.checks.comparing import Unreadable, agrees, first_difference, other_kind
from helpers.checks.demands import Demand
from helpers.checks.diagnosis import (
    Budget,
    Evidence,
    Trial,
    diagnose,
    exceptions,
)
from helpers.checks.diagnosis.side_effects import preserve_generators
from helpers.checks.feedback import (
    CORRECT,
    INCORRECT,
    Feedback,
    not_attempted,
    show,
    wrong,
)
from helpers.checks.mistakes import Mistake, edited, implemented
from helpers.checks.source import Answer
from helpers.checks.tasks import Task

DRAWN = 30  # cases beside the fixed ones
FRESH = 20  # more of them, from another seed, that a repair must pass
DRAWN_IF_SLOW = 5  # drawn cases that a slow answer is run on, too
SECONDS = 0.85  # of a whole diagnosis
SHOWN = 8  # numbers of an array that a message can show
LONG = 60  # letters of an argument beyond which its size is told
SLOW = 0.6  # seconds of an answer's own after which fewer cases are run

_FATAL = {"time", "exit"}  # no other case can tell more


class Exercise(Task):
    """A function (or class) to write, with its reference, cases and mistakes."""

    kind = "exercise"

    def __init__(self, name, module, text, shared=()):
        """``module`` holds the exercise, ``text`` what its TOML file says."""
        super().__init__(name, text["hints"])
        self.module = module
        self.rename = text.get("rename", {})
        self.reference = getattr(module, next(iter(self.rename), name))
        self.stub = text["stub"].strip() + "\n"
        self.fixed = tuple(module.CASES)
        self.draw = getattr(module, "draw", None)
        self.run = getattr(module, "run", plain_call)
        self.words = getattr(module, "words", None)
        self.remark = text.get("remark", "")
        self._listed = text.get("mistakes", ())
        self._shared = shared
        self.demands = tuple(
            Demand(d["name"], d["says"], getattr(module, d["broken"]))
            for d in text.get("demands", ())
        )
        self.tolerance = getattr(module, "TOLERANCE", (1e-4, 2e-5))
        self.returns = text.get("returns")  # "array" or "tensor" where the text says so
        self.seconds = 5.0  # that a call may take

    @cached_property
    def cases(self):
        """The fixed cases, then those drawn from a seed of the exercise's own."""
        return self.fixed + self._drawn("", getattr(self.module, "DRAWN", DRAWN))

    def _drawn(self, salt, count):
        if self.draw is None:
            return ()
        seed = zlib.crc32((self.name + salt).encode())
        drawn = (self.draw(np.random.default_rng([seed, n])) for n in range(count))
        return tuple(tuple(map(_python_number, case)) for case in drawn)

    @property
    def defines(self):
        """The name of the function or class that students write."""
        return self.rename.get(self.reference.__name__, self.reference.__name__)

    @property
    def is_plain(self):
        """Whether what is compared is the answer's own value."""
        return self.run is plain_call

    @cached_property  # Python reads a whole file each time it is asked for a source
    def solution_code(self):
        """The reference as written, under the name that students give it."""
        code = textwrap.dedent(inspect.getsource(self.reference))
        for name, own in self.rename.items():
            code = re.sub(rf"\b{name}\b", own, code)
        return code

    @cached_property
    def mistakes(self):
        """The listed mistakes, each with a wrong implementation as its ``answer``."""
        return tuple(map(self._mistake, self._listed))

    def _mistake(self, text):
        if shared := text.get("shared"):
            text = {"name": shared, **self._shared[shared], **text}
        made = Mistake(text["name"], text["says"], edits=text.get("edit"))
        if not made.edits:
            return replace(made, answer=getattr(self.module, text["answer"]))
        code = edited(self.solution_code, made.spans(self.solution_code))
        answer = implemented(
            code, self.reference, self.defines, f"mistake {self.name}: {made.name}"
        )
        return replace(made, answer=answer, code=code)

    def _solution(self):
        return f"```python\n{self.solution_code}```", self.solution_code

    def fingerprint(self, answer):
        """``digest`` of the answer's source and of what it calls of the student's own.

        A list of `source.digest`, empty where no source is known.
        """
        return {"digest": [source.digest(p.lines) for p in Answer(answer).definitions]}

    def yours_or_ours(self, answer):
        """The answer, where `check` found this very code correct; else the reference.

        A visible line says which. It is not run again; but a check takes a list for
        an array, and the cells that go on may not.
        """
        why = "because yours has not passed its check"
        if yours := self._identity(answer) in self.passed:
            why = "which passed its check"
            if kind := self.is_plain and self._kind_of_its_own(answer):
                yours = False
                why = f"because yours returns another kind, a `{kind}`"
        whose = "your own" if yours else "the lesson's own"
        line = f"*Using {whose}* `{self.defines}`, {why}."
        show(line, line.replace("*", ""))
        return answer if yours else self.reference

    def _kind_of_its_own(self, answer):
        case, expected = self._expected_outcomes[0]
        return other_kind(expected.value, self.called(answer, case).value)

    def judge(self, answer):
        """The Feedback on an answer, not shown."""
        answer = Answer(answer)
        with preserve_generators(answer.global_names):
            feedback = self._refusal(answer) or self._verdict(answer)
        stale = stale_cell.edit_that_did_not_run(answer, self.defines)
        if stale:
            feedback.message = f"{stale}\n\n{feedback.message}"
        return feedback

    def _refusal(self, answer):
        kind = "class" if isinstance(self.reference, type) else "function"
        given = answer.function
        if given is ... or given is None:
            return not_attempted(f"Write the {kind}, then hand it to `check`.")
        if not callable(given) or (kind == "class") != isinstance(given, type):
            return wrong(
                f"What came is of type `{type(given).__name__}`, and the check takes the "
                f"{kind} itself, not called: `check({self.defines})`. If you wrote that, "
                f"a line has given the name `{self.defines}` another value.",
                f"not a {kind}",
            )
        if answer.is_untouched(self.stub):
            what = "class" if kind == "class" else "code"
            return not_attempted(f"This is still the {what} that you were given.")
        if self.is_plain or kind == "class":
            return self._signature_problem(given)
        return None

    def _signature_problem(self, answer):
        parameters = list(inspect.signature(self.reference).parameters)
        given = self.cases[0] if self.is_plain else parameters
        try:
            inspect.signature(answer).bind(*given)
        except ValueError:  # a built-in has no signature: just call it
            return None
        except TypeError:
            count = f"{len(given)} argument{'s' * (len(given) != 1)}"
            asked = f"It is called with {count}, `({', '.join(parameters)})`"
            takes = inspect.signature(answer)
            return wrong(f"{asked}; yours takes `{takes}`.", "arguments")
        return None

    # --- the verdict

    def _verdict(self, answer):
        running.import_first(answer)
        if all(expected.raised for _, expected in self._expected_outcomes):
            return self._broken_kernel()
        trials = []
        for good in (True, False):  # refusing counts once good input is right
            found = self._run(answer, good, trials)
            if found:
                return found
            if any(trial.problem for trial in trials):
                spent = sum(trial.outcome.seconds for trial in trials)
                budget = Budget(max(SECONDS - spent, SECONDS / 2))
                found = diagnose(Evidence(self, answer, trials, budget))
                break
        found = found or self._complaint(answer, trials[0])
        found = found or Feedback(CORRECT, self.remark or "Every case agrees.")
        found.message += exceptions.warning_in_words(answer, trials)
        return found

    def _complaint(self, answer, trial):
        """What right numbers ignore of the text: the kind that it asks for, a demand."""
        kind = self.returns and other_kind(trial.expected.value, trial.outcome.value)
        if kind:
            article = "an" if self.returns == "array" else "a"
            return wrong(
                f"Every number is right, but it returns a `{kind}`, and the text asks "
                f"for {article} {self.returns}.",
                f"no {self.returns}",
            )
        for demand in self.demands:
            if complaint := demand.complaint(answer.function):
                return wrong(complaint, demand.name)
        return None

    def _run(self, answer, good, trials):
        """Adds a Trial of each case; a Feedback where no more need be run."""
        drawn = 0
        spent = 0.0
        for n, (case, expected) in enumerate(self._expected_outcomes):
            if (expected.raised is None) is not good:
                continue
            drawn += n >= len(self.fixed)
            enough = drawn > DRAWN_IF_SLOW or any(trial.problem for trial in trials)
            if spent > SLOW and enough:
                break
            outcome = self.called(answer.function, case)
            spent += outcome.seconds
            problem = self._problem(answer, case, expected, outcome)
            trials.append(Trial(case, expected, outcome, problem, drawn > 0))
            if problem and (problem.status != INCORRECT or problem.mistake in _FATAL):
                return problem
        return None

    def _broken_kernel(self):
        """Where the reference itself raises, an answer that raises too proves nothing."""
        error = self._expected_outcomes[0][1].raised
        del self._expected_outcomes  # it may be mended before the next check
        return wrong(
            "Your answer was not judged, because the check itself does not run in this "
            f"kernel: `{type(error).__name__}: {error}`. A line may have overwritten "
            "what the check needs, for example `torch.manual_seed = 0` where "
            "`torch.manual_seed(0)` was meant. Restart the kernel and run the cells "
            "from the top.",
            "broken kernel",
        )

    @cached_property
    def _expected_outcomes(self):
        """(case, Outcome of the reference) for each case."""
        return [(case, self.called(self.reference, case)) for case in self.cases]

    @property
    def refused(self):
        """Trials of input that the text asks to refuse."""
        return [Trial(*pair) for pair in self._expected_outcomes if pair[1].raised]

    @cached_property
    def fresh(self):
        """Trials that no check runs an answer on: what a repair must pass as well."""
        pairs = ((c, self.called(self.reference, c)) for c in self._drawn("2", FRESH))
        return [Trial(case, expected) for case, expected in pairs]

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

    def called(self, answer, case):
        """The Outcome of an implementation in a case."""
        return running.call(self.run, answer, case, self.seconds)

    def _problem(self, answer, case, expected, outcome):
        """The Feedback on one case, or None where the answer is right."""
        if outcome.raised is not None:
            if isinstance(outcome.raised, type(expected.raised or ())):
                return None
            feedback = exceptions.feedback(
                self._for_case(case), outcome.raised, answer, self.seconds
            )
            plain = feedback.status == INCORRECT and feedback.mistake not in _FATAL
            if expected.raised is not None and plain:
                wanted = type(expected.raised).__name__
                feedback.message += f" The text asks for a `{wanted}`."
            return feedback
        if expected.raised is not None:
            return wrong("It accepts what it should refuse.", "not refused")
        if outcome.value is ...:
            return not_attempted("There is still a `...` where your code belongs.")
        if outcome.value is None and expected.value is not None:
            return wrong("It returns nothing (`None`).", "no return")
        if outcome.changed and not expected.changed:
            name = self.names_of(case)[outcome.changed[0]]
            return wrong(
                f"It changes its input `{name}`, which the caller may still need. "
                "Write into a new one instead.",
                "changes its input",
            )
        try:
            found = first_difference(expected.value, outcome.value, *self.tolerance)
        except Unreadable as error:
            return wrong(str(error), error.name)
        return found and wrong(f"{self._for_case(case)}, {found.sentence}", found.name)

    # --- a case in words

    def names_of(self, case):
        """The names of a case's arguments."""
        used = self.reference if self.is_plain else self.run
        names = list(inspect.signature(used).parameters)[not self.is_plain :]
        return names + [f"argument {n}" for n in range(len(names), len(case))]

    @property
    def in_the_notebook(self):
        """How a notebook names it: behind its lesson, since a student's function has
        its name, too."""
        lesson = getattr(self.module, "__name__", "").split(".")[-2:-1]
        return ".".join([*lesson, self.name])

    def _for_case(self, case):
        return f"For {self.describe(case)}"

    def describe(self, case):
        """A case in words: its arguments, a large array by its shape."""
        if self.words:
            return self.words(*case)
        pairs = zip(self.names_of(case), case, strict=False)
        return ", ".join(_described(*pair) for pair in pairs) or "the check"


def _described(name, value):
    shape = tuple(getattr(value, "shape", ()))
    few = 0 < math.prod(shape) <= SHOWN
    text = _spelled(value.tolist() if shape and few else value)
    if shape and not (few and len(text) <= LONG):
        return f"`{name}` of shape `{shape}`"
    if isinstance(value, (list, tuple)) and len(text) > LONG:
        return f"a `{name}` of {len(value)} numbers"
    return f"`{name}={text}`"


def _spelled(value):
    if hasattr(value, "item") and not value.shape:
        value = value.item()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return f"[{', '.join(map(_spelled, value))}]"
    return f"{value!r}"


def _python_number(value):
    return value.item() if isinstance(value, np.generic) else value


def plain_call(answer, *args):
    """How a function is run: called with the case."""
    return answer(*args)
