"""What is wrong with an answer, found in layers from what is known to what is seen.

Each layer is a module that takes the `Findings` of a check and gives a Feedback or a
sentence, or None where it has nothing to say.
"""

from helpers.checks.diagnosis import (
    exceptions,
    failing_conditions,
    listed,
    names,
    patterns,
    repair,
    return_value,
    steps,
)
from helpers.checks.diagnosis.findings import HERE, Budget, Findings, Trial
from helpers.checks.feedback import wrong

__all__ = ["HERE", "Budget", "Findings", "Trial", "diagnose", "exceptions"]

# Names that say no more than that it is wrong.
_VAGUE = {None, "exception", "shape", "ragged", "results", "missing"}
# What came back is clear, so that nothing need be printed; a repair says more.
_CLEAR = {"None came back", "one number", "many numbers", "its shape", "not numbers"}
_PRINT = (
    "To see where it begins, print what each line computes in this case, and look for "
    "the first value that you did not expect."
)


def diagnose(findings):
    """The Feedback on a wrong answer."""
    first = findings.failing[0].located(findings.task)
    if first.mistake == "changes its input":
        return first
    found = (
        listed.one(findings)
        or exceptions.refused(findings)
        or return_value.look(findings)
        or _same_everywhere(findings)
        or exceptions.not_refused(findings)
    )
    if found and found.mistake not in _CLEAR:
        return found
    return _composed(findings, found or first)


def _composed(findings, first):
    """What is seen, where it is so, and the smallest repair: what of it there is."""
    # Where the first wrong case raised, what the other cases show is not all of it.
    raised = findings.failing[0].outcome.raised
    seen = None if raised else patterns.seen(findings)
    repaired = repair.smallest(findings)
    if repaired and repaired.mistake not in repair.PLACES:
        return repaired  # it names all there is
    if not (seen or repaired or raised) and (both := patterns.beside(findings)):
        return both
    where = None if repaired else failing_conditions.deciding(findings, seen)
    looks = () if repaired else (names.strange, exceptions.typed_in, names.draws)
    strange = next(filter(None, (look(findings) for look in looks)), None)
    placed = f"{first.message} {seen.message}" if seen else first.message
    told = [placed, where, repaired and repaired.message, strange and strange[0]]
    sentences = [sentence for sentence in told if sentence]
    if not (seen or repaired or strange or raised or first.mistake in _CLEAR):
        strange = steps.shared(findings)
        # What an observation has named is not among the values of the lines.
        named = first.mistake not in _VAGUE
        sentences.append(strange[0] if strange else "" if named else _PRINT)
        sentences.append(
            f"`{findings.task.in_the_notebook}.hint()` gives the next hint."
        )
    printed = findings.failing[0].outcome.printed.strip()
    if printed:
        sentences.append(f"\n\nYour code printed: `{printed[:200]}`")
    name = (repaired or seen or first).mistake
    if name in _VAGUE or (strange and not seen):
        name = strange[1] if strange else "wrong in some cases" if where else name
    return wrong(" ".join(filter(None, sentences)), name)


def _same_everywhere(findings):
    """The same answer everywhere although the cases differ: one case, typed in."""
    trials = [t for t in findings.trials if t.expected.raised is None]
    if len(trials) < 2 or any(t.outcome.raised for t in trials):
        return None
    if isinstance(trials[0].outcome.value, (dict, type(None))):
        return None
    agrees, values = findings.task.agrees, [t.outcome.value for t in trials]
    alike = all(agrees(values[0], value) for value in values)
    if not alike or all(
        agrees(trials[0].expected.value, t.expected.value) for t in trials
    ):
        return None
    return wrong(
        "It gives the same result in every case, but the right ones differ. Compute the "
        "result from the arguments.",
        "hard-coded"
        if names.ignores_arguments(findings.answer)
        else "the same in every case",
    )
