"""What the instructor edition says about answers: wrong ones, choices, hints.

What a student is told comes from the check itself, run on every listed mistake.
"""

import difflib
import inspect
import textwrap


def explained(placed):
    """Markdown on the answers to an exercise or question (a `lesson.Placed`)."""
    told = _exercise if placed.task.kind == "exercise" else _question
    hints = [_item(f"{n}.", hint) for n, hint in enumerate(placed.task.hints, start=1)]
    return "\n\n".join([*told(placed), "**Hints, in order**", "\n".join(hints)])


def _exercise(placed):
    task = placed.task
    items, code = [], []
    for number, mistake in enumerate(task.mistakes, start=1):
        name = f"**{mistake.name.replace('*', chr(92) + '*')}**"
        items.append(
            _item(f"{number}.", f"{name}: {task.judge(mistake.answer).message}")
        )
        code.append(_item(f"{number}.", f"{name}\n\n{_code(task, mistake)}"))
    yield (
        f"**For the instructor · {placed.label}: wrong answers to expect** "
        f"({len(items)}; the likeliest first). After its name: what the student is told."
    )
    yield "\n".join(items)
    # Markdown inside of HTML needs the empty lines.
    shown = "\n\n".join(code)
    yield f"<details><summary>These answers as code</summary>\n\n{shown}\n\n</details>"


def _code(task, mistake):
    """A wrong answer: the lines of the solution that it changes, or all of it."""
    if not mistake.code:
        code = inspect.getsource(mistake.answer).strip()
        return f"```python\n{code}\n```"
    lines = difflib.ndiff(task.solution_code.splitlines(), mistake.code.splitlines())
    changed = "\n".join(line for line in lines if line.startswith(("- ", "+ ")))
    return f"```diff\n{changed}\n```"


def _question(placed):
    question, items = placed.task, []
    for letter, choice in question.choices.items():
        word = "✔ right" if choice.right else "✘ wrong"
        told = _item("-", question.judge(letter).message)
        items.append(_item("-", f"**{letter}** ({word}): {choice.text}\n{told}"))
    name = f"{placed.label}, " if placed.label != "question" else "question "
    yield (
        f"**For the instructor · {name}`{question.name}`**. Every choice, and below it "
        "what the student is told."
    )
    yield "\n".join(items)


def _item(mark, text):
    indent = " " * (len(mark) + 1)
    return f"{mark} {textwrap.indent(text, indent).lstrip()}"
