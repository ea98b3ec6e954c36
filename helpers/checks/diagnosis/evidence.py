"""What a check has observed of a wrong answer, for the layers of the diagnosis."""

import time
from dataclasses import dataclass, field

import numpy as np

from helpers.checks import timing
from helpers.checks.comparing import Unreadable, as_array
from helpers.checks.feedback import Feedback
from helpers.checks.running import Outcome

ONE_CHANGE = "one change"  # the name of a repair
ONLY_SHAPE = "another shape"  # the numbers are right
BY_THE_CLOCK = 4  # how many times its processor time a diagnosis may take


class Budget:
    """The time that is left for a diagnosis.

    It is time of this thread, so that a busy machine tries as much as an idle one; by
    the clock it may take `BY_THE_CLOCK` times as long.
    """

    def __init__(self, seconds):
        self._end = time.thread_time() + seconds
        by_the_clock = timing.SLACK * BY_THE_CLOCK * seconds
        self._end_by_the_clock = time.perf_counter() + by_the_clock

    def left(self):
        """Seconds left, never below 0."""
        by_the_clock = self._end_by_the_clock - time.perf_counter()
        return max(min(self._end - time.thread_time(), by_the_clock), 0.0)


@dataclass
class Trial:
    """One case, what the reference and the answer did with it, and what is wrong.

    ``problem`` is the Feedback on this case alone, or None where the answer is right;
    ``drawn`` tells it from the fixed cases.
    """

    case: tuple
    expected: Outcome
    outcome: Outcome | None = None
    problem: Feedback | None = None
    drawn: bool = False

    @property
    def size(self):
        """How much there is to look at: a message speaks of the smallest."""
        return sum(map(_size, self.case))


@dataclass(frozen=True)
class Finding:
    """What a layer says, with the name of the mistake where it has one.

    ``alone`` where it says all there is; ``listed`` where it is a mistake that the
    exercise lists, whose name stays; ``clear`` where it tells what came back so
    that nothing need be printed.
    """

    message: str
    mistake: str | None = None
    alone: bool = False
    listed: bool = False
    clear: bool = False


@dataclass
class Evidence:
    """An exercise, a wrong answer to it, all trials of the answer, and what was found.

    The failing ones begin with the fixed; of those drawn, the smallest comes first.
    """

    task: object
    answer: object
    trials: list
    budget: Budget
    findings: list = field(default_factory=list)
    failing: list = field(init=False)
    passing: list = field(init=False)

    def __post_init__(self):
        failing = [t for t in self.trials if t.problem]
        self.failing = sorted(failing, key=lambda t: (t.drawn, t.drawn and t.size))
        self.passing = [t for t in self.trials if not t.problem]

    @property
    def is_explained(self):
        """Whether more is said than what differs."""
        more = [f for f in self.findings[1:] if f.mistake]
        return bool(more or self.failing[0].outcome.raised)

    @property
    def compared(self):
        """The failing trials in which a value was expected and came."""
        return [
            trial
            for trial in self.failing
            if trial.expected.raised is trial.outcome.raised is None
        ]


def numbers(value):
    """A value as an array, or None where it holds no numbers."""
    try:
        return as_array(value)
    except (Unreadable, ValueError, TypeError, RuntimeError):
        return None


def _size(argument):
    if isinstance(argument, (int, float, np.number)):
        return min(abs(float(argument)), 1e9)
    array = None if isinstance(argument, str) else numbers(argument)
    return 10 if array is None else array.size
