"""What the instructor edition says about answers: wrong ones, choices, hints.

What a student is told comes from the check itself, run on every listed mistake.
"""

import difflib
import inspect

from helpers.publish.pages import rendered


def explained(placed):
    """Markdown on the answers to an exercise or question (a `lesson.Placed`)."""
    parts = {"placed": placed, "task": placed.task, "changed": _changed}
    return rendered("answers.md.j2", **parts).rstrip()


def _changed(task, mistake):
    """A wrong answer: the lines of the solution that it changes, or all of it."""
    if not mistake.code:
        code = inspect.getsource(mistake.answer).strip()
        return f"```python\n{code}\n```"
    lines = difflib.ndiff(task.solution_code.splitlines(), mistake.code.splitlines())
    changed = "\n".join(line for line in lines if line.startswith(("- ", "+ ")))
    return f"```diff\n{changed}\n```"
