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

_CLOSING = (__file__, contextlib.__file__)


class TimeUp(BaseException):
    """Not an Exception, so that ``except Exception`` in the answer lets it pass."""


@contextmanager
def time_limit(seconds):
    """A context that raises TimeUp in its body once the time is up.

    It is raised again and again: a bare ``except:`` swallows some, never all. Where
    there are signals (POSIX, the main thread) even a call that sleeps is ended;
    elsewhere a watching thread raises between two steps of Python. In a browser (Pyodide)
    there is neither, and no bound. An import is never interrupted, because half a module
    would stay behind.
    """
    if sys.platform == "emscripten":
        yield
        return
    seconds *= SLACK
    main = threading.current_thread() is threading.main_thread()
    kind = _Signal if main and hasattr(signal, "setitimer") else _Watcher
    before = sys.unraisablehook
    sys.unraisablehook = _but_for_time_up
    alarm = kind(seconds, _due(seconds))
    try:
        # Nothing rings before this: outside of the `try`, it would ring for ever.
        alarm.set()
        yield
    finally:
        while True:  # one may still ring in here
            try:
                alarm.off()
                sys.unraisablehook = before
                break
            except TimeUp:
                continue


def _due(seconds):
    """A function: whether a bound has passed, and the code of a frame may be ended.

    On a busy machine it is not the clock alone that says so, and what waits without
    computing gets `PATIENCE` times as long.
    """
    clock = time.perf_counter()
    work = time.process_time()

    def due(frame):
        worked = time.process_time() - work > 0.8 * seconds
        waited = time.perf_counter() - clock > PATIENCE * seconds
        return (worked or waited) and _may_be_stopped(frame)

    return due


def _may_be_stopped(frame):
    """Whether code may be ended here: not within an import, nor while a limit closes."""
    if frame is None or frame.f_code.co_filename in _CLOSING:
        return frame is None
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return False
        frame = frame.f_back
    return True


def _but_for_time_up(unraisable):
    """Python prints what is raised in a ``__del__`` or a weakref's call: not TimeUp."""
    with contextlib.suppress(TimeUp):
        if not issubclass(unraisable.exc_type, TimeUp):
            sys.__unraisablehook__(unraisable)


def _raise_at_the_next_line(frame):
    """Raise TimeUp once more, where a bare ``except`` has swallowed it.

    The line that runs next is that of the ``except``, outside of its ``try``.
    """

    def trace(frame, event, _):
        if event == "line" and _may_be_stopped(frame):
            raise TimeUp
        return trace

    while frame is not None and frame.f_code.co_filename not in _CLOSING:
        frame.f_trace = trace
        frame = frame.f_back
    sys.settrace(trace)


class _Signal:
    """Rings by SIGALRM."""

    def __init__(self, seconds, due):
        self.seconds = seconds
        self.due = due

    def set(self):
        self.trace = sys.gettrace()  # a debugger's, or None
        self.before = signal.signal(signal.SIGALRM, self.ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds, AGAIN)

    def ring(self, _, frame):
        if self.due(frame):
            _raise_at_the_next_line(frame)
            raise TimeUp

    def off(self):
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.settrace(self.trace)
        signal.signal(signal.SIGALRM, self.before)


class _Watcher:
    """Rings from a thread beside the one that is watched."""

    def __init__(self, seconds, due):
        self.seconds = seconds
        self.due = due
        self.watched = threading.get_ident()
        self.over = threading.Event()
        self.turn = threading.Lock()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def set(self):
        self.thread.start()

    def watch(self):
        wait = self.seconds
        while not self.over.wait(wait):
            with self.turn:
                frame = sys._current_frames().get(self.watched)
                if not self.over.is_set() and self.due(frame):
                    there = ctypes.c_ulong(self.watched)
                    error = ctypes.py_object(TimeUp)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(there, error)
            wait = AGAIN

    def off(self):
        self.over.set()
        with self.turn:
            pass  # none is sent from here on
        # One that is on its way arrives in here. Taken back by the same function, it
        # would leave the interpreter looking for it for ever: all code slower, and a
        # debugger's standing still.
        self.thread.join()
