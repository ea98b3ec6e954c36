"""What is wrong with an answer, found in layers from what is known to what is seen.

Each layer is a function that takes the `Evidence` of a check and gives a Finding, or
None where it has nothing to say. They speak in the order of `LAYERS`. What they say is
told together, unless one finding says all there is by itself.
"""

from helpers.checks.diagnosis import (
    code_smells,
    exceptions,
    first_difference,
    match_listed,
    patterns,
    repair,
    return_value,
)
from helpers.checks.diagnosis.evidence import Budget, Evidence, Trial
from helpers.checks.feedback import wrong

__all__ = ["Budget", "Evidence", "Trial", "diagnose", "exceptions"]

LAYERS = (
    first_difference.changed_input,
    match_listed.one_mistake,
    exceptions.refuses_good_input,
    return_value.wrong_kind,
    exceptions.accepts_bad_input,
    first_difference.first_difference,
    code_smells.same_everywhere,
    patterns.describe_pattern,
    code_smells.unused_argument,
    code_smells.not_the_same_twice,
    repair.smallest_repair,
    first_difference.what_to_print,
    first_difference.printed,
)


def diagnose(evidence):
    """The Feedback on a wrong answer.

    It is named by the last finding that has a name, and by a listed one before others.
    """
    findings = evidence.findings
    for layer in LAYERS:
        found = layer(evidence)
        if found is None:
            continue
        if found.alone:
            findings.clear()
        findings.append(found)
        if found.alone:
            break
    named = [found for found in findings if found.mistake]
    named = [found for found in named if found.listed] or named
    message = " ".join(found.message for found in findings)
    return wrong(message, named[-1].mistake if named else None)
