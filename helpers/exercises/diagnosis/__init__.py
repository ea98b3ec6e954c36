"""What is wrong with an answer, found in layers from what is known to what is seen.

Each layer is a module that takes the `Findings` of a check and gives a Feedback, or
None where it has nothing to say.
"""

import numpy as np

from helpers.exercises.comparing import Unreadable, as_array
from helpers.exercises.diagnosis import (
    came_back,
    common,
    known,
    names,
    patterns,
    properties,
    raised,
    repair,
)
from helpers.exercises.diagnosis.findings import Budget, Findings, Trial
from helpers.exercises.feedback import wrong

__all__ = ["Budget", "Findings", "Trial", "diagnose"]


def diagnose(findings):
    """The Feedback on a wrong answer."""
    first = findings.failing[0].problem
    if first.mistake == "changes its input":
        return first
    return (
        known.one(findings)
        or raised.refused(findings)
        or raised.not_refused(findings)
        or came_back.look(findings)
        or _composed(findings, first)
    )


def _composed(findings, first):
    """What is seen, where it is so, and the smallest repair: what of it there is."""
    # Where the first wrong case raised, what the other cases show is not all of it.
    seen = None if findings.failing[0].outcome.raised else patterns.seen(findings)
    shared = common.shared(findings)
    strange = names.strange(findings)
    repaired = repair.smallest(findings)
    if repaired and repaired.mistake not in repair.PLACES:
        return repaired  # it names all there is
    same = None if repaired else _constant(findings)
    if same:
        return same
    told = [seen or first, _raised_elsewhere(findings), repaired]
    placed = seen is None or seen.mistake in _PLACELESS
    if seen and placed:
        told.insert(0, first)
    sentences = [part.message for part in told if part]
    printed = findings.failing[0].outcome.printed.strip()
    if printed:
        sentences.append(f"\n\nYour code printed: `{printed[:200]}`")
    others = shared or common.others(findings, told=placed)
    if others:
        sentences.insert(1, others)
    name = (repaired or seen or first).mistake
    if strange and not repaired:
        sentences.append(strange[0])
        name = strange[1]
    said = seen or repaired or strange or findings.failing[0].outcome.raised
    lacking = None if said else properties.of(findings)
    if lacking:
        sentences.insert(1, lacking[0])
        name = lacking[1] if name in _VAGUE else name
    if name in _VAGUE and shared:
        name = "wrong in some cases"
    return wrong(" ".join(sentences), name)


# Patterns of single numbers: the first of them is told beside.
_PLACELESS = {"not a number", "zeros left"}
# Names that say no more than that it is wrong.
_VAGUE = {None, "shape", "ragged", "results", "missing"}


def _raised_elsewhere(findings):
    """What is said of the first case that raised, where another wrong one did not."""
    failing = [t for t in findings.failing if t.expected.raised is None]
    if not failing or failing[0].outcome.raised:
        return None
    return next((t.problem for t in failing if t.outcome.raised), None)


def _constant(findings):
    """The same answer everywhere although the cases differ: one case, typed in."""
    trials = [t for t in findings.trials if t.expected.raised is None]
    if any(t.outcome.raised for t in trials):
        return None
    values = [t.outcome.value for t in trials]
    wanted = [t.expected.value for t in trials]
    if all(v is None for v in values):
        return None  # told already
    if len(values) < 2 or not _all_alike(values) or _all_alike(wanted):
        return None
    if names.deaf(findings.answer):
        return wrong(
            "It gives the same answer whatever it is asked; compute it from the "
            "arguments.",
            "hard-coded",
        )
    return wrong(
        "In every case it gives the same answer, and the right ones differ: what in it "
        "depends on its arguments?",
        "the same in every case",
    )


def _all_alike(values):
    """Whether all are the same text or the same numbers."""
    if all(isinstance(v, str) or v is None for v in values):
        return len(set(values)) == 1
    try:
        arrays = [as_array(v) for v in values]
    except Unreadable:
        return False
    return all(np.array_equal(arrays[0], a) for a in arrays[1:])
