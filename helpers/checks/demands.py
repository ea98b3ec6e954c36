"""What a text may demand beside right numbers: no loop, no large table, a tensor.

A `Demand` is tested once every case agrees, so its sentence can begin with "Every
number is right, but …". The other functions are tools to write one, or a ``run``, with.
"""

import ast
import tracemalloc
from dataclasses import dataclass

from helpers.checks.source import Answer


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
        return found and self.sentence.replace("{}", str(found))


# Loops, and those that hide in a call.
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WORDS = """vectorize apply_along_axis apply_over_axes fromiter frompyfunc map filter
reduce starmap apply nditer ndenumerate"""
_CALLS = frozenset(_WORDS.split())


def loop_in(answer):
    """The line of the first loop in an answer or in its helper functions, or None.

    Comprehensions count, and so do calls that loop in Python (``np.vectorize``,
    ``map``, …), functions that call themselves, and iterators. Not ``np.lcm.reduce``
    and the like, which loop in C.
    """
    for part in Answer(answer).definitions:
        own = getattr(part.node, "name", None)
        for node in ast.walk(part.node):
            called = getattr(node, "func", None)
            name = getattr(called, "id", None)
            method = getattr(called, "attr", None)
            looping = name in _CALLS or (name and name == own)
            looping = looping or method in _CALLS - {"reduce"}
            looping = looping or getattr(node, "name", None) == "__next__"
            if isinstance(node, _LOOPS) or looping:
                return part.text.splitlines()[node.lineno - 1].strip()
    return None


def most_numbers_at_once(function, *arguments):
    """How many numbers (8 bytes each) a call holds at once, beyond what it was given.

    NumPy's arrays count, with all else that Python allocates; torch's tensors do not.
    """
    function(*arguments)  # what a first call imports does not count
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        function(*arguments)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return (peak - before) // 8
