"""Layers: an exception, its line and, where it is a common one, what it means."""

import ast
import re
import textwrap
import tomllib
from pathlib import Path

from helpers.checks import running, timing
from helpers.checks.diagnosis.evidence import Finding
from helpers.checks.feedback import not_attempted, wrong

_TEXT = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
_MEANINGS = tomllib.loads(_TEXT)


def feedback(where, error, answer, seconds):
    """The Feedback on one exception of an answer."""
    # A `...` that was left in an expression is a TypeError; einsum's own ellipsis is not.
    left = isinstance(error, (TypeError, AttributeError)) and "ellipsis" in str(error)
    left = left and _has_a_gap(answer)
    place = answer.line_of(error)
    # PyTorch raises a NotImplementedError too: for a type that a function does not know,
    # and for a module without a `forward`.
    own = place is None or place[1].startswith("raise")
    todo = isinstance(error, NotImplementedError) and own
    if left or (todo and "forward" not in str(error)):
        return not_attempted("There is still a `...` where your code belongs.")
    if isinstance(error, timing.TimeUp):
        return wrong(
            f"{where}, it was still running after {seconds:g} seconds and was stopped. "
            "Is there a loop that never ends?",
            "time",
        )
    if isinstance(error, (SystemExit, GeneratorExit)):
        return wrong(
            "It calls `exit` (or `quit`), which would close the notebook. Use "
            "`return` instead.",
            "exit",
        )
    line = f" in line {place[0]} of its cell, `{place[1]}`" if place else ""
    if isinstance(error, MemoryError):
        return wrong(
            f"{where}, it asked for more memory than a check allows "
            f"({running.MEMORY / 1e9:g} GB){line}. Does something grow without end?",
            "memory",
        )
    # `f.<locals>.g` is `g` to whoever wrote it.
    text = re.sub(r"[\w.]+\.<locals>\.", "", str(error)).replace("`", "'")
    text = text.splitlines() or [""]
    said = textwrap.shorten(text[0], 120, placeholder=" …")
    # Without a line of its own it was raised where the answer was used.
    came = "it raised" if place else "using it raised"
    sentence = f"{where}, {came} `{type(error).__name__}: {said}`{line}."
    means, name = _meaning(str(error))
    return wrong(f"{sentence} {means}".strip(), name)


def _has_a_gap(answer):
    """Whether a `...` stands where code belongs: not as an index, nor as one of several
    arguments, as in ``x.view(..., 2)``."""
    nodes = answer.nodes
    meant = [n.slice for n in nodes if isinstance(n, ast.Subscript)]
    meant += [
        a for n in nodes if isinstance(n, ast.Call) and n.args[1:] for a in n.args
    ]
    meant += [e for n in meant if isinstance(n, ast.Tuple) for e in n.elts]
    gaps = [n for n in nodes if getattr(n, "value", None) is ... and n not in meant]
    return not nodes or any(isinstance(n, ast.Constant) for n in gaps)


def refuses_good_input(evidence):
    """The Finding where the answer itself refuses input that it should take."""
    for trial in evidence.failing:
        error = trial.outcome.raised
        place = error and evidence.answer.line_of(error)
        word = "assert" if isinstance(error, AssertionError) else "raise"
        if not place or not place[1].startswith(word):
            continue
        where = evidence.task.describe(trial.case)
        if trial.expected.raised is None:
            return Finding(
                f"For {where}, line {place[0]}, `{place[1]}`, refuses input that is "
                "allowed.",
                "refuses good input",
                alone=True,
            )
        wanted = type(trial.expected.raised).__name__
        return Finding(
            f"It refuses {where}, as it should. But line {place[0]} raises "
            f"`{type(error).__name__}`, and the text asks for a `{wanted}`.",
            "another exception",
            alone=True,
        )
    return None


def accepts_bad_input(evidence):
    """The Finding where input should have been refused."""
    for trial in evidence.failing:
        if trial.expected.raised is None:
            continue
        wanted = type(trial.expected.raised).__name__
        case, error = evidence.task.describe(trial.case), trial.outcome.raised
        start = f"All else is right. For {case}, the text asks for a `{wanted}`"
        if error is not None:
            place = evidence.answer.line_of(error)
            line = f" Line {place[0]}, `{place[1]}`, comes first." if place else ""
            text = f"{start}, and yours raises `{type(error).__name__}`.{line}"
            return Finding(text, "not refused", alone=True)
        came = "`None`" if trial.outcome.value is None else "a value"
        said = f"nothing in it says `raise {wanted}(…)`"
        if any(isinstance(node, ast.Raise) for node in evidence.answer.nodes):
            said = "its `raise` is not reached, or something catches it"
        text = f"{start}, but yours returns {came}, because {said}."
        return Finding(text, "not refused", alone=True)
    return None


def warning_in_words(answer, trials):
    """A sentence on the first warning of the answer's own in a fixed case, or ''."""
    for trial in trials:
        expected = {str(w.message) for w in trial.expected.warned}
        for warned in trial.outcome.warned:
            text = str(warned.message).splitlines() or [""]
            if trial.drawn or str(warned.message) in expected:
                continue
            if warned.filename in answer.files:
                kind = warned.category.__name__
                said = textwrap.shorten(text[0], 120, placeholder=" …")
                return f"\n\nLine {warned.lineno} gave a warning, `{kind}: {said}`."
    return ""


def _meaning(text):
    """What the text of an exception means, and the mistake's name."""
    for name, meanings in _MEANINGS.items():
        for pattern, means in meanings.items():
            if match := re.search(pattern, text):
                return means.format(*filter(None, match.groups())), name
    return "", "exception"
