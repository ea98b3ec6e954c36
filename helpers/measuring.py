"""The time of a call, measured so that the numbers can be compared."""

import ctypes
import sys
from statistics import median
from time import perf_counter


def median_seconds(calls, repeats=15):
    """Median time of each call, by name; they take turns, so all meet the same noise.

    ``calls`` is a dict of functions without arguments; returns name -> seconds, each
    the median of ``repeats`` calls. Before each call the free memory goes back to the
    system, where that can be asked for: every call has to ask for its memory anew, as
    in a program that has just started.
    """
    times = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            return_free_memory()
            start = perf_counter()
            result = call()
            times[name].append(perf_counter() - start)
            del result
    return {name: median(values) for name, values in times.items()}


def return_free_memory():
    """Give the system back what the allocator keeps for later; where that can be asked for.

    glibc keeps what lies below anything still in use: after a few large arrays tens of
    MiB. To give them back takes a millisecond or two.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim:
            trim(0)
