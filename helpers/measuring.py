"""Time and memory of a call, measured so that the numbers can be compared."""

import ctypes
import gc
import sys
from statistics import median
from time import perf_counter

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def median_seconds(calls, repeats=15):
    """Median time of each call, by name; they take turns, so all meet the same noise.

    ``calls`` is a dict of functions without arguments. Before each one the free
    memory goes back to the system, where that can be asked for: all pay for their
    memory, as in a program that has just started, and none finds its pages warm.
    """
    times = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            _return_free_memory()
            start = perf_counter()
            result = call()
            times[name].append(perf_counter() - start)
            del result
    return {name: median(values) for name, values in times.items()}


def peak_bytes(call):
    """The most bytes that a call's tensors hold at one time, its result included."""
    with _Counting() as counting:
        result = call()
    del result
    return counting.peak


class _Counting(TorchDispatchMode):
    """Adds up the memory of all living tensors after each operation."""

    def __init__(self):
        super().__init__()
        self.alive, self.peak = {}, 0

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        made = operation(*args, **(kwargs or {}))
        for tensor in tree_leaves(made):
            if isinstance(tensor, torch.Tensor):
                storage = tensor.untyped_storage()
                self.alive[storage.data_ptr()] = (
                    StorageWeakRef(storage),
                    storage.nbytes(),
                )
        self.alive = {k: v for k, v in self.alive.items() if not v[0].expired()}
        self.peak = max(self.peak, sum(size for _, size in self.alive.values()))
        return made


def _return_free_memory():
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim:
            trim(0)


def resident_peak_bytes(call):
    """What the system counts: growth of the process at its highest; Linux only.

    Returns None elsewhere. Meant for a process of its own.
    """
    try:
        gc.collect()
        _return_free_memory()
        with open("/proc/self/clear_refs", "w", encoding="utf-8") as reset:
            reset.write("5")
        before = _status("VmRSS")
        result = call()
        peak = _status("VmHWM") - before
        del result
    except OSError:
        return None
    return peak


def _status(name):
    with open("/proc/self/status", encoding="utf-8") as lines:
        line = next(line for line in lines if line.startswith(name))
    return int(line.split()[1]) * 1024
