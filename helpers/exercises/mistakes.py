"""Known mistakes: a wrong implementation, or an edit of the solution."""

import copy
import linecache
import sys
from dataclasses import dataclass
from types import ModuleType


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation, and the sentence that tells whoever wrote it.

    ``code`` is its text where it was made of a `Slip`: the solution with the slip in it.
    """

    name: str
    sentence: str
    answer: object
    code: str | None = None


@dataclass(frozen=True)
class Slip:
    """A mistake as an edit of the solution: what a student types instead.

    ``edits`` maps pieces of the solution's code to what stands there instead; each
    piece occurs exactly once.
    """

    name: str
    sentence: str
    edits: dict

    def places(self, solution):
        """``(start, end, instead)`` of every edit, the last first.

        ValueError where a piece does not occur exactly once, or two overlap.
        """
        places = []
        for piece, instead in self.edits.items():
            if solution.count(piece) != 1:
                raise ValueError(
                    f"slip {self.name!r}: {piece!r} occurs {solution.count(piece)} "
                    "times in the solution; once is needed"
                )
            start = solution.index(piece)
            places.append((start, start + len(piece), instead))
        places.sort(reverse=True)
        if overlap(places):
            raise ValueError(f"slip {self.name!r}: two of its pieces overlap")
        return places

    def applied(self, solution):
        """The solution with the slip in it; ValueError where a piece is not unique."""
        return edited(solution, self.places(solution))


def overlap(places):
    """Whether two of some places, the last first, cover the same text."""
    return any(
        end > start
        for (start, *_), (_, end, _) in zip(places, places[1:], strict=False)
    )


def edited(code, places):
    """The code with ``(start, end, instead)`` edits in it, the last first."""
    for start, end, instead in places:
        code = code[:start] + instead + code[end:]
    return code


def implemented(code, reference, label):
    """What a variant of the solution defines, run in the reference's own module."""
    # With a file name of its own, so that its source can be shown.
    file = f"<{label}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    # With tables of its own: what one variant writes into, the next one reads.
    namespace = dict(vars(sys.modules[reference.__module__]))
    for name, value in namespace.items():
        if not isinstance(value, ModuleType) and hasattr(value, "dtype"):
            namespace[name] = copy.deepcopy(value)
    exec(compile(code, file, "exec"), namespace)
    return namespace[reference.__name__]
