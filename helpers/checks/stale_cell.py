"""Whether the code that is judged is what the student sees.

Where the last run of a cell failed, its function is still the one of the run before.
"""

import ast
import linecache

from helpers.checks.feedback import interactive_shell


def edit_that_did_not_run(answer, name):
    """A sentence where a later cell would have defined an `Answer` anew; else None."""
    shell = interactive_shell()
    if shell is None or answer.definition is None:
        return None
    cells = list(shell.user_ns.get("In", ()))
    cell_of_answer = "".join(linecache.getlines(answer.definition.file)).strip()
    numbers = [n for n, cell in enumerate(cells) if cell.strip() == cell_of_answer]
    own = getattr(answer.function, "__name__", name)
    if not numbers or shell.user_ns.get(own) is not answer.function:
        return None
    for n in range(len(cells) - 1, numbers[-1], -1):
        if problem := _problem(cells[n], own):
            edit = f"Your last edit of `{own}` did not run: cell [{n}] {problem}."
            return f"**{edit}** This judges `{own}` as cell [{numbers[-1]}] defined it."
    return None


def _problem(cell, name):
    """What kept a cell from defining the name anew, or None."""
    try:
        defined = ast.parse(cell).body
    except SyntaxError as error:
        if f"def {name}(" in cell or f"class {name}" in cell:
            return f"has a syntax error in line {error.lineno}"
        return None
    named = any(getattr(node, "name", None) == name for node in defined)
    return "ended with an error" if named else None
