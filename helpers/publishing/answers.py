"""What the instructor edition says about answers: wrong ones, choices, hints.

What a student is told comes from the check itself, run on every known mistake.
"""

import builtins
import difflib
import inspect
import sys
import textwrap
import types

from helpers.exercises import source
from helpers.exercises.core import CORRECT, INCORRECT, Exercise
from helpers.publishing.lesson import BuildError

AT_ONCE = 6  # mistakes that are shown without unfolding


def explained(placed):
    """Markdown on the answers to an exercise or question (a `lesson.Placed`)."""
    if isinstance(placed.task, Exercise):
        return _exercise(placed)
    return _question(placed)


def _exercise(placed):
    told = [(mistake, _told(placed, mistake)) for mistake in placed.task.mistakes]
    items = [
        _item(number, f"{_bold(mistake.name)}: {message}")
        for number, (mistake, message) in enumerate(told, start=1)
    ]
    parts = [
        f"**For the instructor · {placed.label}: wrong answers to expect** "
        f"({len(told)}; the likeliest first). After its name: what the student is told.",
        "\n".join(items[:AT_ONCE]),
    ]
    if items[AT_ONCE:]:
        parts.append(
            _folded(f"{len(items) - AT_ONCE} more", "\n".join(items[AT_ONCE:]))
        )
    code = _as_code(placed.task)
    if code:
        parts.append(_folded("These answers as code", code))
    return "\n\n".join([*parts, _hints(placed.task)])


def _question(placed):
    question, items = placed.task, []
    for letter, choice in question.choices.items():
        feedback = question.judge(letter)
        word = "✔ right" if feedback.status == CORRECT else "✘ wrong"
        told = _item("-", feedback.message)
        items.append(_item("-", f"**{letter}** ({word}): {choice.text}\n{told}"))
    name = f"{placed.label}, " if placed.label != "question" else "question "
    head = f"**For the instructor · {name}`{question.name}`**. Every choice, "
    head += "and below it what the student is told."
    return "\n\n".join([head, "\n".join(items), _hints(question)])


def _told(placed, mistake):
    feedback = placed.task.judge(mistake.answer)
    if feedback.status != INCORRECT or feedback.mistake != mistake.name:
        raise BuildError(
            f'{placed.call}: the mistake "{mistake.name}" is judged '
            f'"{feedback.mistake or feedback.status}".'
        )
    return feedback.message


def _hints(task):
    items = [_item(number, hint) for number, hint in enumerate(task.hints, start=1)]
    return "**Hints, in order**\n\n" + "\n".join(items)


def _item(mark, text):
    mark = f"{mark} " if mark == "-" else f"{mark}. "
    return mark + _indented(text, len(mark)).lstrip()


def _bold(name):
    return f"**{name.replace('*', chr(92) + '*')}**"


def _indented(text, width):
    return textwrap.indent(text, " " * width)


def _folded(summary, text):
    # Markdown inside of HTML needs the empty lines.
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def _as_code(exercise):
    blocks, helpers = [], {}
    for number, mistake in enumerate(exercise.mistakes, start=1):
        if mistake.code:
            changed = _fenced(
                _changed_lines(exercise.solution_code, mistake.code), "diff"
            )
            blocks.append(_item(number, f"{_bold(mistake.name)}\n\n{changed}"))
            continue
        code = source_of(mistake.answer)
        if code:
            blocks.append(_item(number, f"{_bold(mistake.name)}\n\n{_fenced(code)}"))
            for function in _functions_in(mistake.answer):
                helpers.update(_helpers_of(function))
    if helpers:
        sources = "\n\n\n".join(helpers.values())
        blocks.append(f"Functions used above:\n\n{_fenced(sources)}")
    return "\n\n".join(blocks)


def _fenced(code, language="python"):
    return f"```{language}\n{code}\n```"


def _changed_lines(solution, typed):
    """The lines of the solution that a slip changes, and what a student typed."""
    lines = difflib.ndiff(solution.splitlines(), typed.splitlines())
    return "\n".join(line for line in lines if line.startswith(("- ", "+ ")))


def source_of(answer):
    """The code of a wrong answer, to be read by itself; None where that cannot be.

    A lambda gives its expression; a function made by another one comes with the
    values it was made with.
    """
    if isinstance(answer, types.FunctionType):
        values = inspect.getclosurevars(answer).nonlocals
        lines = [_assigned(name, value) for name, value in values.items()]
        own = _own_source(answer)
        if None in (*lines, own):
            return None
        gap = "\n\n" if any("\n" in line for line in lines) else "\n"
        return "\n\n".join([gap.join(lines), own] if lines else [own])
    if isinstance(answer, type):
        whole = "<locals>" not in answer.__qualname__
        return inspect.getsource(answer).strip() if whole else None
    return _imported(answer)


def _imported(answer):
    """How to call what comes from Python or a package, e.g. ``numpy.ptp``."""
    name = getattr(answer, "__name__", None)
    if name is None or hasattr(builtins, name):
        return name
    return f"{answer.__module__}.{name}"


def _assigned(name, value):
    if isinstance(value, (int, float, str, type(None))):
        return f"{name} = {value!r}"
    if not isinstance(value, types.FunctionType):
        imported = None if isinstance(value, type) else _imported(value)
        return imported and f"{name} = {imported}"
    code = source_of(value)
    if code is None or value.__name__ == name:
        return code
    if value.__name__ != "<lambda>":
        return f"{code}\n\n{name} = {value.__name__}"
    before, gap, expression = code.rpartition("\n\n")
    return f"{before}{gap}{name} = {expression}"


def _own_source(function):
    if function.__name__ != "<lambda>":
        return textwrap.dedent(inspect.getsource(function)).strip()
    part = source.part_of(function)
    if part is None:
        return None
    first, *rest = part.piece(part.node).split("\n")
    line = part.text.split("\n")[part.node.lineno - 1]
    indent = len(line) - len(line.lstrip())
    return "\n".join([first, *(later[indent:] for later in rest)])


def _functions_in(answer):
    """An answer and the functions that it was made with."""
    if not isinstance(answer, types.FunctionType):
        return []
    made_with = inspect.getclosurevars(answer).nonlocals.values()
    return [answer, *(f for value in made_with for f in _functions_in(value))]


def _helpers_of(function):
    """Name and source of the exercise module's own functions that one uses."""
    module = vars(sys.modules[function.__module__])
    found = {}
    for name in _names_in(function.__code__):
        helper = module.get(name)
        own = isinstance(helper, types.FunctionType) and name.startswith("_")
        if own and helper is not function:
            found |= _helpers_of(helper)
            found[name] = inspect.getsource(helper).strip()
    return found


def _names_in(code):
    nested = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return [*code.co_names, *(name for c in nested for name in _names_in(c))]
