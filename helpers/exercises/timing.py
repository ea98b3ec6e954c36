"""A bound on the time of foreign code, with signals or with a watching thread."""

import contextlib
import ctypes
import signal
import sys
import threading
from contextlib import contextmanager

AGAIN = 0.01  # seconds between two alarms
PATIENCE = 4  # how many times a bound of processor time may take by the clock

_CLOSING = (__file__, contextlib.__file__)


class TimeUp(BaseException):
    """Not an Exception, so that ``except Exception`` in the answer lets it pass."""


def time_limit(seconds):
    """A context that raises TimeUp in its body once the time is up.

    It is raised again and again: a bare ``except:`` swallows some, never all. Where
    there are signals (POSIX, the main thread) even a call that sleeps is ended;
    elsewhere a watching thread raises between two steps of Python.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and hasattr(signal, "setitimer"):
        return _by_signal(seconds)
    return _by_watching(seconds)


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
def processor_limit(seconds):
    """As `time_limit`, by this process's processor time, so that load does not matter.

    By the clock it may take `PATIENCE` times as long, and where there are no signals
    the clock is all there is.
    """
    main = threading.current_thread() is threading.main_thread()
    with time_limit(PATIENCE * seconds):
        if main and hasattr(signal, "setitimer"):
            with _by_signal(seconds, signal.ITIMER_PROF, signal.SIGPROF):
                yield
        else:
            yield


@contextmanager
def _by_signal(seconds, timer=None, ring=None):
    timer = signal.ITIMER_REAL if timer is None else timer
    ring = signal.SIGALRM if ring is None else ring

    def stop(_, frame):
        # Not while the context closes: what is raised there would leave the timer on.
        if frame is None or frame.f_code.co_filename not in _CLOSING:
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
    watched = ctypes.c_ulong(threading.get_ident())
    begun, over, turn = threading.Event(), threading.Event(), threading.Lock()
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch():
        begun.wait()
        wait = seconds
        while not over.wait(wait):
            with turn:
                if not over.is_set():
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
