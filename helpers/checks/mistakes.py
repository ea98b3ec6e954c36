"""Known mistakes: a wrong implementation, or an edit of the solution."""

import copy
import itertools
import linecache
import sys
from dataclasses import dataclass
from types import ModuleType


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation, and the sentence that tells whoever wrote it.

    ``edits`` maps pieces of the solution to what stands there instead, where it is
    made so, and ``code`` is the text of that.
    """

    name: str
    sentence: str
    answer: object = None
    edits: dict | None = None
    code: str | None = None

    def spans(self, solution):
        """``(start, end, instead)`` of every edit, the last first.

        ValueError where a piece does not occur exactly once.
        """
        for piece in self.edits:
            if solution.count(piece) != 1:
                raise ValueError(f"mistake {self.name!r}: {piece!r} must occur once")
        spans = [
            (solution.index(piece), solution.index(piece) + len(piece), instead)
            for piece, instead in self.edits.items()
        ]
        return sorted(spans, reverse=True)


def overlap(spans):
    """Whether two of some spans, the last first, cover the same text."""
    return any(end > start for (start, *_), (_, end, _) in itertools.pairwise(spans))


def edited(code, spans):
    """The code with ``(start, end, instead)`` edits in it, the last first."""
    for start, end, instead in spans:
        code = code[:start] + instead + code[end:]
    return code


def implemented(code, reference, name, label):
    """What a variant of the solution defines as ``name``, in the reference's module."""
    # With a file name of its own, so that its source can be shown.
    file = f"<{label}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    # With tables of its own: what one variant writes into, the next one reads.
    namespace = dict(vars(sys.modules[reference.__module__]))
    for own, value in namespace.items():
        if not isinstance(value, ModuleType) and hasattr(value, "dtype"):
            namespace[own] = copy.deepcopy(value)
    exec(compile(code, file, "exec"), namespace)
    return namespace[name]
