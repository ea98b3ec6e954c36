"""A bound on the time of foreign code, with signals or with a watching thread."""

import ctypes
import signal
import threading
from functools import partial

AGAIN = 0.01  # seconds between two alarms


class TimeUp(BaseException):
    """Not an Exception, so that ``except Exception`` in the answer lets it pass."""


def limit(seconds):
    """A limit for this thread; once started, it raises TimeUp when the time is up.

    It raises again and again: a bare ``except:`` swallows some, never all. Where there
    are signals (POSIX, the main thread) even a call that sleeps is ended; elsewhere a
    watching thread raises between two steps of Python.

    Who uses it ends with ``on = False`` and ``clear()``, in this order and with no call
    in between, inside of the ``try`` and first in its ``except``: Python looks for
    alarms after calls only, so that none can come later. Then `finish`.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and hasattr(signal, "setitimer"):
        return _BySignal(seconds)
    return _ByWatching(seconds)


class time_limit:
    """The same as a context: ``with time_limit(5): …``; TimeUp leaves its body.

    Where a watching thread does it, one may still come while the context is left.
    """

    def __init__(self, seconds):
        self._limit = limit(seconds)

    def __enter__(self):
        self._limit.start()

    def __exit__(self, *_):
        self._limit.on = False
        self._limit.clear()
        self._limit.finish()


class _BySignal:
    def __init__(self, seconds):
        self.seconds, self.on = seconds, False
        self.clear = int  # nothing is on its way: the handler looks at `on`

    def start(self):
        self.before = signal.signal(signal.SIGALRM, self._ring)
        self.on = True
        signal.setitimer(signal.ITIMER_REAL, self.seconds, AGAIN)

    def _ring(self, _, frame):
        leaving = frame is not None and frame.f_code is time_limit.__exit__.__code__
        if self.on and not leaving:
            raise TimeUp

    def finish(self):
        """Put everything back."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)


class _ByWatching:
    def __init__(self, seconds):
        self.seconds, self.on, self.over = seconds, False, threading.Event()
        raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
        watched = ctypes.c_ulong(threading.get_ident())
        self.raise_it = partial(raise_in, watched, ctypes.py_object(TimeUp))
        self.clear = partial(raise_in, watched, None)

    def start(self):
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self.on = True
        self.watcher.start()

    def _watch(self):
        wait = self.seconds
        while not self.over.wait(wait):
            # Between these two steps no other thread gets its turn.
            if self.on:
                self.raise_it()
            wait = AGAIN

    def finish(self):
        """End the watching thread."""
        self.over.set()
        self.watcher.join()
