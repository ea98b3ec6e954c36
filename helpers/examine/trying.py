"""Runs somebody else's code: quietly, for a bounded time, whatever it raises."""

import contextlib
import io
import signal
import threading
import warnings
from dataclasses import dataclass

SECONDS = 3.0  # that one call may take


@dataclass
class Attempt:
    """What came of a call: a value, or the error that ended it."""

    value: object = None
    error: BaseException | None = None

    @property
    def sentence(self):
        """The error's type and the first line of its message, at most 100 characters."""
        first, *_ = f"{type(self.error).__name__}: {self.error}".splitlines()
        return first.removesuffix(": ")[:100]


class OutOfTime(BaseException):
    """Not an Exception, so that ``except Exception`` in the code lets it pass."""


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
            _torch_put_back(),
            _bounded(),
        ):
            warnings.simplefilter("ignore")
            return Attempt(run(*arguments))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Attempt(error=error)


@contextlib.contextmanager
def _bounded():
    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "setitimer")):
        yield
        return

    def ring(_signal, _frame):
        raise OutOfTime(f"it ran longer than {SECONDS:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    # It rings again and again: a bare `except` swallows one alarm, not all.
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _torch_put_back():
    import torch

    dtype, learns = torch.get_default_dtype(), torch.is_grad_enabled()
    with torch.random.fork_rng([]), torch.set_grad_enabled(learns):
        try:
            yield
        finally:
            torch.set_default_dtype(dtype)
