"""A bound on the time of foreign code, with signals or with a watching thread."""

import contextlib
import ctypes
import signal
import sys
import threading
import time
from contextlib import contextmanager

AGAIN = 0.01  # seconds between two alarms
PATIENCE = 4  # times a bound, for what computes less than it lasts
SLACK = 1.0  # every bound times this; tests on a busy machine widen it

_read = 0.0, 0.0  # the latest reading of the clock and of the processor time
_CLOSING = (__file__, contextlib.__file__)


class TimeUp(BaseException):
    """Not an Exception, so that ``except Exception`` in the answer lets it pass."""


def time_limit(seconds):
    """A context that raises TimeUp in its body once the time is up.

    It is raised again and again: a bare ``except:`` swallows some, never all. Where
    there are signals (POSIX, the main thread) even a call that sleeps is ended;
    elsewhere a watching thread raises between two steps of Python. An import is never
    interrupted, because half a module would stay behind.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and hasattr(signal, "setitimer"):
        return _by_signal(SLACK * seconds)
    return _by_watching(SLACK * seconds)


class _Due:
    """Whether a bound has passed: on a busy machine it is not the clock alone that says
    so, and what waits without computing gets `PATIENCE` times as long."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.by_clock, self.by_work = time.perf_counter(), _nearly_worked()

    def __call__(self):
        worked = time.process_time() - self.by_work
        waited = time.perf_counter() - self.by_clock
        return worked > 0.8 * self.seconds or waited > PATIENCE * self.seconds


def _nearly_worked():
    """Seconds of processor time, at most 5 ms ago: to ask the system is slow."""
    global _read
    now = time.perf_counter()
    if now - _read[0] > 0.005:
        _read = now, time.process_time()
    return _read[1]


def _may_be_stopped(frame):
    """Whether code may be ended here: not within an import, nor while a limit closes."""
    if frame is None or frame.f_code.co_filename in _CLOSING:
        return frame is None
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return False
        frame = frame.f_back
    return True


@contextmanager
def _unseen_where_none_can_catch():
    """Python prints what is raised in a ``__del__`` or a generator's end: not TimeUp."""
    before = sys.unraisablehook

    def hook(unraisable):
        try:
            if not issubclass(unraisable.exc_type, TimeUp):
                before(unraisable)
        except TimeUp:
            pass

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def _by_signal(seconds):
    timer, ring, due = signal.ITIMER_REAL, signal.SIGALRM, _Due(seconds)

    def stop(_, frame):
        if due() and _may_be_stopped(frame):
            raise TimeUp

    with _unseen_where_none_can_catch():
        before = signal.signal(ring, stop)
        signal.setitimer(timer, seconds, AGAIN)
        try:
            yield
        finally:
            # An alarm may still ring in here, until the timer is off.
            while True:
                try:
                    signal.setitimer(timer, 0)
                    signal.signal(ring, before)
                    break
                except TimeUp:
                    continue


@contextmanager
def _by_watching(seconds):
    identity = threading.get_ident()
    watched, due = ctypes.c_ulong(identity), _Due(seconds)
    begun, over, turn = threading.Event(), threading.Event(), threading.Lock()
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch():
        begun.wait()
        wait = seconds
        while not over.wait(wait):
            with turn:
                frame = sys._current_frames().get(identity)
                if not over.is_set() and due() and _may_be_stopped(frame):
                    raise_in(watched, ctypes.py_object(TimeUp))
            wait = AGAIN

    watcher = threading.Thread(target=watch, name="time limit", daemon=True)
    watcher.start()
    with _unseen_where_none_can_catch():
        try:
            # Nothing is raised before this: outside of the `try`, the watcher would go on.
            begun.set()
            yield
        finally:
            # One may still be on its way: let it come, and take back what has not.
            while True:
                try:
                    over.set()
                    with turn:
                        raise_in(watched, None)
                    watcher.join()
                    break
                except TimeUp:
                    continue
