"""Runs somebody else's code: quietly, for a bounded time, whatever it raises."""

import contextlib
import io
import math
import signal
import textwrap
import time
import traceback
import warnings
from dataclasses import dataclass

SECONDS = 3.0  # that one call may take
TOTAL = 10.0  # and all calls of a report
_ends = math.inf  # when the report that is being made must be done


class Unclear(Exception):
    """Why nothing can be said, in a few words."""


class OutOfTime(BaseException):
    """Not an Exception, so that ``except Exception`` in the code lets it pass."""


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


def is_over():
    """Whether no time is left for the report."""
    return time.monotonic() > _ends


def attempt(run, *arguments):
    """Call ``run(*arguments)``; returns an Attempt, never raises.

    What it prints and warns of is dropped, and torch's random numbers, default dtype and
    gradient mode are put back. The bound on its time needs signals, as POSIX has them in
    the main thread; elsewhere there is none. A KeyboardInterrupt is the user's and passes.
    """
    quiet = io.StringIO()
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(quiet),
            contextlib.redirect_stderr(quiet),
            _put_back(),
            _bounded(),
        ):
            warnings.simplefilter("ignore")
            return Attempt(_call(run, arguments))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Attempt(error=error)


def value_of(run, *arguments):
    """What ``run(*arguments)`` gives in the time of a call, or its error."""
    tried = attempt(run, *arguments)
    if tried.error:
        raise tried.error
    return tried.value


def first_that_works(run, options):
    """What ``run(*option)`` gives for the first option that works, that option, and notes.

    The notes are the errors of those before, each once. Where none works, or the time is
    over, they are the three that tell most: first those where something came back.
    """
    met, option, tried = {}, None, Attempt()
    for option in options:
        tried = attempt(run, *option)
        if tried.error is None:
            break
        met.setdefault(tried.sentence, isinstance(tried.error, (Unclear, OutOfTime)))
        if isinstance(tried.error, OutOfTime):
            break
    return tried.value, option, sorted(met, key=met.get, reverse=True)[:3]


def _call(run, arguments):
    return run(*arguments)


@contextlib.contextmanager
def _bounded():
    seconds = min(SECONDS, _ends - time.monotonic())
    if seconds <= 0:
        raise OutOfTime("no time was left to try")

    def ring(_signal, frame):
        # Once the call has returned, nobody would catch the error.
        if any(f.f_code is _call.__code__ for f, _ in traceback.walk_stack(frame)):
            raise OutOfTime(f"it ran longer than {seconds:.2g} seconds")

    try:
        before = signal.signal(signal.SIGALRM, ring)
    except (AttributeError, ValueError):  # no such signal, or another thread
        yield
        return
    # It rings again and again: a bare `except` swallows one alarm, not all.
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _put_back():
    import torch

    dtype, learns = torch.get_default_dtype(), torch.is_grad_enabled()
    with torch.random.fork_rng([]), torch.set_grad_enabled(learns):
        try:
            yield
        finally:
            torch.set_default_dtype(dtype)
