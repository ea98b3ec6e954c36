"""Runs somebody else's code: quietly, for a bounded time, whatever it raises.

The bound on a call needs the alarms of POSIX in the main thread. On Windows and in other
threads a call is not ended, and after `TOTAL` seconds no other one is begun.
"""

import contextlib
import io
import math
import signal
import textwrap
import time
import traceback
import warnings
from dataclasses import dataclass

SECONDS = 3.0  # that one attempt may take
TOTAL = 10.0  # and all attempts of a report
AGAIN = 0.05  # seconds between two alarms
_ends = math.inf  # when the report that is being made must be done


class Unclear(Exception):
    """Why nothing can be said, in a few words."""


class OutOfBounds(BaseException):
    """It takes too long or too much.

    Not an Exception, so that ``except Exception`` in the code lets it pass.
    """


@dataclass
class Attempt:
    """What came of a call: a value, or the error that ended it."""

    value: object = None
    error: BaseException | None = None

    @property
    def sentence(self):
        """The error's type and its message, in 160 characters."""
        text = f"{type(self.error).__name__}: {self.error}".removesuffix(": ")
        return textwrap.shorten(text, 160, placeholder=" …")


def start():
    """A report starts, and with it the time for all its attempts."""
    global _ends
    _ends = time.monotonic() + TOTAL


def seconds_left():
    """The seconds that are left for the report."""
    return _ends - time.monotonic()


def attempt(run, *arguments):
    """Call ``run(*arguments)``; returns an Attempt, never raises.

    What it prints and warns of is dropped, and torch's random numbers and gradient mode
    are put back. A KeyboardInterrupt is the user's and passes. Attempts
    are not nested.
    """
    import torch

    quiet = io.StringIO()
    try:
        with (
            warnings.catch_warnings(action="ignore"),
            contextlib.redirect_stdout(quiet),
            contextlib.redirect_stderr(quiet),
            torch.random.fork_rng([]),
            # An alarm may ring within `no_grad`, and leave the gradients off.
            torch.set_grad_enabled(torch.is_grad_enabled()),
            _bounded(min(SECONDS, seconds_left())),
        ):
            return Attempt(_call(run, arguments))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Attempt(error=error)


def first_that_works(run, options):
    """What the first ``run(*option)`` that raises nothing returns, and its option.

    Third come the errors before it, each once, the three that tell most: first those
    where something came back. After an OutOfBounds no other option is tried.
    """
    met = {}
    for option in options:
        tried = attempt(run, *option)
        if tried.error is None:
            break
        met[tried.sentence] = isinstance(tried.error, (Unclear, OutOfBounds))
        if isinstance(tried.error, OutOfBounds):
            break
    return tried.value, option, sorted(met, key=met.get, reverse=True)[:3]


def _call(run, arguments):
    return run(*arguments)


@contextlib.contextmanager
def _bounded(seconds):
    if seconds <= 0:
        raise OutOfBounds("no time was left to try")

    def ring(_signal, frame):
        # Once the call has returned, nobody would catch the error.
        if any(f.f_code is _call.__code__ for f, _ in traceback.walk_stack(frame)):
            raise OutOfBounds(f"it ran longer than {seconds:.2g} seconds")

    try:
        before = signal.signal(signal.SIGALRM, ring)
    except (AttributeError, ValueError):  # no such signal, or another thread
        yield
        return
    # It rings again and again: a bare `except` swallows one alarm. (In a loop, all.)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)
