"""What a check has observed of a wrong answer, for the layers of the diagnosis."""

import time
from dataclasses import dataclass, field

from helpers.exercises.feedback import Feedback
from helpers.exercises.running import Outcome

BY_THE_CLOCK = 2  # how many times its processor time a diagnosis may take


class Budget:
    """The time that is left for a diagnosis.

    It is time of this thread, so that a busy machine tries as much as an idle one; by
    the clock it may take `BY_THE_CLOCK` times as long.
    """

    def __init__(self, seconds):
        self._end = time.thread_time() + seconds
        self._end_by_the_clock = time.perf_counter() + BY_THE_CLOCK * seconds

    def left(self):
        """Seconds left, never below 0."""
        left = self._end - time.thread_time()
        return max(min(left, self._end_by_the_clock - time.perf_counter()), 0.0)

    def part(self, seconds):
        """A budget of so many seconds out of this one."""
        return Budget(min(seconds, self.left()))


@dataclass
class Trial:
    """One case, what the reference and the answer did with it, and what is wrong.

    ``problem`` is the Feedback on this case alone, or None where the answer is right.
    """

    case: tuple
    expected: Outcome
    outcome: Outcome
    problem: Feedback | None = None


@dataclass
class Findings:
    """An exercise, a wrong answer to it, and all trials of the answer."""

    task: object
    answer: object
    trials: list
    budget: Budget
    failing: list = field(init=False)
    passing: list = field(init=False)

    def __post_init__(self):
        self.failing = [t for t in self.trials if t.problem]
        self.passing = [t for t in self.trials if not t.problem]

    @property
    def values(self):
        """(expected, got) of the failing trials in which both are values."""
        return [
            (trial.expected.value, trial.outcome.value)
            for trial in self.failing
            if trial.expected.raised is trial.outcome.raised is None
        ]
