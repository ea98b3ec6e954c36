"""Layers: what went wrong in the first wrong case, and what to do where that is all."""

import ast

from helpers.checks.diagnosis.evidence import Finding

# What a problem is called that says no more than that the answer is wrong.
_UNNAMED = {"exception", "shape", "ragged", "results", "missing"}


def changed_input(evidence):
    """The first wrong case, where an argument was modified in it."""
    problem = evidence.failing[0].problem
    if problem.mistake == "changes its input":
        return Finding(problem.message, problem.mistake, alone=True)
    return None


def first_difference(evidence):
    """The first wrong case, where what came back is not told already."""
    if evidence.findings:
        return None
    problem = evidence.failing[0].problem
    return Finding(problem.message, problem.mistake)


def what_to_print(evidence):
    """How to go on, where nothing was found but a difference, and the next hint."""
    if evidence.is_explained:
        return None
    hint = f"`{evidence.task.in_the_notebook}.hint()` gives the next hint."
    first = evidence.findings[0]
    if first.clear or first.mistake not in {None, *_UNNAMED}:
        return Finding(hint)
    how = "print what each line computes in this case"
    if _is_one_line(evidence.answer):
        how = "give each step of the line a name, and print it in this case"
    return Finding(
        f"To see where it begins, {how}, and look for the first value that you did not "
        f"expect. {hint}"
    )


def printed(evidence):
    """What the code printed in the first wrong case."""
    text = evidence.failing[0].outcome.printed.strip()
    return Finding(f"\n\nYour code printed: `{text[:200]}`") if text else None


def _is_one_line(answer):
    if answer.definition is None or isinstance(answer.function, type):
        return False
    node = answer.definition.node
    lines = [] if isinstance(node, ast.Lambda) else node.body
    constants = [n for n in lines if isinstance(getattr(n, "value", 0), ast.Constant)]
    return len(lines) - len(constants) < 2
