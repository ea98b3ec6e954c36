"""Layer: an exception, its line and, where it is a common one, what it means."""

import ast
import re
import textwrap

from helpers.exercises import running, source, timing
from helpers.exercises.feedback import not_attempted, wrong

# What the text of an exception looks for, and what it means in a student's cell.
_MEANINGS = (
    (
        r"Integers to negative integer powers",
        "NumPy raises no whole numbers to negative powers: one of the two must be a "
        "float, like `10_000.0`.",
    ),
    (
        r"operands could not be broadcast together with shapes (\(.*?\)) (\(.*?\))",
        "The two sides of that line have the shapes `{0}` and `{1}`, and these do not "
        "fit: from the right, each pair of sizes must be equal, or one of them 1.",
    ),
    (
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at "
        r"non-singleton dimension (\d+)",
        "Two tensors of that line meet along dimension {2} with sizes {0} and {1}: "
        "they must be equal, or one of them 1.",
    ),
    (
        r"(?:mat1 and mat2 shapes|matmul: Input operand 1 has a mismatch)",
        "In a matrix product the last size on the left must be the one before the last "
        "on the right.",
    ),
    (
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
        "What is written there has the shape `{0}`, the place for it `{1}`.",
    ),
    (
        r"cannot assign (?:\w+) before Module.__init__\(\) call",
        "`super().__init__()` has to come before it: it makes the place where a module "
        "keeps its buffers.",
    ),
    (
        r"Torch not compiled with CUDA|No CUDA GPUs|Found no NVIDIA driver",
        "There is no GPU here. A module does not choose its device: whoever uses it "
        "calls `.to(…)`.",
    ),
    (
        r"register_buffer\(\) missing 1 required positional argument",
        "`register_buffer` takes a name, in quotes, and then the tensor.",
    ),
    (
        r"modified inplace|in-place operation|is a view and is being modified",
        "It writes into a tensor that others still use: compute a new one instead.",
    ),
    (
        r"unhashable type: '(\w+)'",
        "A `{0}` cannot be a key or stand in a set.",
    ),
    (
        r"truth value of an array|Boolean value of Tensor",
        "One yes or no is asked for there, and the comparison gives one for each "
        "number.",
    ),
    (
        r"only (?:one element tensors|integer scalar arrays|length-1 arrays|0-dim"
        r"|size-1 arrays)",
        "One number is asked for there, and it gets an array.",
    ),
    (
        r"argument 'input' \(position 1\) must be Tensor, not (\w+)",
        "That function takes a tensor, and gets a `{0}`.",
    ),
    (
        r"name '(\w+)' is not defined",
        "Nothing of the name `{0}` is known there.",
    ),
    (
        r"local variable '(\w+)'",
        "`{0}` gets its value in this function, and is read there before it has one.",
    ),
    (
        r"'float' object cannot be interpreted as an integer",
        "A whole number is asked for there, and it gets a float.",
    ),
    (
        r"maximum recursion depth",
        "It calls itself without end.",
    ),
    (
        r"object is not callable",
        "Something that is no function has brackets behind it.",
    ),
    (
        r"takes (\d+) positional arguments? but (\d+) (?:was|were) given",
        "It is called with {1} arguments (the object itself counts as one), and takes "
        "{0}.",
    ),
    (
        r"[Dd]imension out of range|axis (-?\d+) is out of bounds",
        "There is no such axis in this case.",
    ),
    (
        r"index (-?\d+) is out of bounds for|index out of range|list index out of range",
        "That index is beyond the end.",
    ),
)


def feedback(where, error, answer, seconds):
    """The Feedback on one exception of an answer."""
    # A `...` that was left in an expression is a TypeError; einsum's own ellipsis is not.
    left = isinstance(error, (TypeError, AttributeError)) and "ellipsis" in str(error)
    place = running.place_of(error, answer)
    # PyTorch raises a NotImplementedError too: for a type that a function does not know,
    # and for a module without a `forward`.
    own = place is None or place[1].startswith("raise")
    missing = (
        isinstance(error, NotImplementedError) and own and "forward" not in str(error)
    )
    if missing or left:
        return not_attempted("There is still a `...` where your code belongs.")
    if isinstance(error, timing.TimeUp):
        return wrong(
            f"{where} it was still running after {seconds:g} seconds and was stopped. "
            "Is there a loop that never ends?",
            "time",
        )
    if isinstance(error, (SystemExit, GeneratorExit)):
        return wrong(
            "It calls `exit` (or `sys.exit`), which would close the notebook; "
            "use `return`.",
            "exit",
        )
    line = f", in line {place[0]} of its cell: `{place[1]}`" if place else ""
    text = str(error).replace("`", "'").splitlines() or [""]
    said = textwrap.shorten(text[0], 120, placeholder=" …")
    # Without a line of its own it was raised where the answer was used.
    came = "it raised" if place else "using it ended in"
    sentence = f"{where} {came} `{type(error).__name__}: {said}`{line}."
    meaning = _meaning(str(error))
    return wrong(f"{sentence} {meaning}".strip(), "exception")


def refused(findings):
    """The Feedback where the answer itself refuses input that it should answer."""
    for trial in findings.failing:
        error = trial.outcome.raised
        place = error and running.place_of(error, findings.answer)
        word = "assert" if isinstance(error, AssertionError) else "raise"
        if not place or not place[1].startswith(word):
            continue
        where = findings.task.describe(trial.case)
        if trial.expected.raised is None:
            return wrong(
                f"For {where} line {place[0]} refuses the input, `{place[1]}`, which "
                "is to be answered.",
                "refuses good input",
            )
        wanted = type(trial.expected.raised).__name__
        return wrong(
            f"It refuses {where}, as it should, but what line {place[0]} raises is "
            f"called `{type(error).__name__}`; a `{wanted}` was asked for.",
            "another exception",
        )
    return None


def not_refused(findings):
    """The Feedback where input should have been refused and was answered."""
    for trial in findings.failing:
        if trial.expected.raised is None or trial.outcome.raised is not None:
            continue
        wanted = type(trial.expected.raised).__name__
        part = source.part_of(findings.answer)
        raises = part and any(isinstance(n, ast.Raise) for n in ast.walk(part.node))
        came = "`None`" if trial.outcome.value is None else "a value"
        said = (
            "its `raise` is not reached there, or is caught again"
            if raises
            else f"write `raise {wanted}(…)`, not `return` or `print`"
        )
        return wrong(
            f"All else is right. For {findings.task.describe(trial.case)} a `{wanted}` "
            f"is asked for, and yours returned {came}: {said}.",
            "not refused",
        )
    return None


def _meaning(text):
    for pattern, sentence in _MEANINGS:
        match = re.search(pattern, text)
        if match:
            return sentence.format(*match.groups())
    return ""
