"""What a text may demand beside right numbers: no loop, no large table, a tensor.

A `Demand` is tested once every case agrees, so its sentence can begin with "Every
number is right, but …". The other functions are tools to write one, or a ``run``, with.
"""

import ast
import sys
import tracemalloc
from contextlib import nullcontext
from dataclasses import dataclass

from helpers.checks import source
from helpers.checks.running import not_contiguous

__all__ = ["Demand", "loop_in", "most_numbers_at_once", "not_contiguous"]


@dataclass(frozen=True)
class Demand:
    """A name, the sentence for whoever ignores it, and the test of an answer.

    ``broken(answer)`` is true where the answer ignores the demand. If it gives a text
    (a line of code, a number), the text takes the place of ``{}`` in the sentence.
    """

    name: str
    sentence: str
    broken: object

    def complaint(self, answer):
        """The sentence where the answer breaks the demand, else None."""
        found = self.broken(answer)
        if not found:
            return None
        return self.sentence.replace("{}", found if isinstance(found, str) else "")


# Loops that hide in a call.
_WORDS = """vectorize apply_along_axis apply_over_axes fromiter frompyfunc map filter
reduce starmap vmap nditer ndenumerate"""
_LOOPING_CALLS = frozenset(_WORDS.split())
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def loop_in(answer, comprehensions=True, calls=_LOOPING_CALLS):
    """The line of the first loop in an answer or in its helper functions, or None.

    Comprehensions count, and so do calls that loop in Python (``np.vectorize``,
    ``map``, …) and functions that call themselves. Not ``np.lcm.reduce`` and the like,
    which loop in C.
    """
    kinds = _LOOPS + (_COMPREHENSIONS if comprehensions else ())
    for part in source.parts(answer):
        own = getattr(part.node, "name", None)
        for node in ast.walk(part.node):
            if isinstance(node, kinds):
                return _line(part, node)
            if isinstance(node, ast.Call):
                called = node.func
                if isinstance(called, ast.Name) and called.id in {own, *calls}:
                    return _line(part, node)
                if isinstance(called, ast.Attribute) and called.attr in calls - {
                    "reduce"
                }:
                    return _line(part, node)
    return None


def most_numbers_at_once(function, *arguments):
    """How many numbers (8 bytes each) a call holds at once, beyond what it was given.

    NumPy's arrays count together at their peak, with all else that Python allocates;
    of torch's tensors, the largest one counts.
    """
    watch = _Largest() if "torch" in sys.modules else None
    with watch.mode() if watch else nullcontext():
        function(*arguments)  # once before: what a first call imports does not count
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function(*arguments)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return max((peak - before) // 8, watch.numbers if watch else 0)


class _Largest:
    """The size of the largest tensor that is made."""

    def __init__(self):
        self.numbers = 0

    def mode(self):
        # Not a dispatch mode: in one, `torch.tensor` imports torch's compiler (3 s).
        from torch.overrides import TorchFunctionMode

        watched = self

        class Watch(TorchFunctionMode):
            def __torch_function__(self, function, kinds, given=(), named=None):
                made = function(*given, **(named or {}))
                several = made if isinstance(made, (tuple, list)) else [made]
                for one in several:
                    if hasattr(one, "untyped_storage"):
                        size = one.untyped_storage().nbytes() // 8
                        watched.numbers = max(watched.numbers, size)
                return made

        return Watch()


def _line(part, node):
    lines = part.text.splitlines()
    return lines[node.lineno - 1].strip()
