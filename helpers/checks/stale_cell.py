"""Whether the code that is judged is what the student sees.

Where the last run of a cell failed, its function is still the one of the run before.
"""

import ast
import difflib
import linecache

from helpers.checks.feedback import interactive_shell


def edit_that_did_not_run(answer, name):
    """A sentence where a later cell would have defined an `Answer` anew; else None."""
    shell = interactive_shell()
    part = answer.definition
    if shell is None or part is None:
        return None
    cells = list(shell.user_ns.get("In", ()))
    judged = "".join(linecache.getlines(part.file)).strip()
    numbers = [n for n, cell in enumerate(cells) if cell.strip() == judged]
    own = getattr(answer.function, "__name__", name)
    if not numbers or shell.user_ns.get(own) is not answer.function:
        return None
    for n in range(len(cells) - 1, numbers[-1], -1):
        problem = _problem(cells[n], own, part)
        if problem:
            this = f"This judges `{own}` as cell [{numbers[-1]}] defined it."
            return f"**{problem.format(n)}** {this}"
    return None


def _problem(cell, name, part):
    """What kept a cell from defining the name anew, with {} for the cell's number."""
    edit = f"Your last edit of `{name}` did not run: cell [{{}}]"
    try:
        tree = ast.parse(cell)
    except SyntaxError as error:
        if f"def {name}(" in cell or f"class {name}" in cell:
            return f"{edit} has a syntax error in line {error.lineno}."
        return None
    defined = [n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    if any(node.name == name for node in defined):
        return f"{edit} ended with an error."
    for node in defined:
        if type(node) is type(part.node) and _are_alike(node, part.node):
            return f"Cell [{{}}] defines `{node.name}`, another name than `{name}`."
    return None


def _are_alike(one, other):
    """Whether two functions take the same arguments and do nearly the same."""
    if isinstance(one, ast.FunctionDef) and (
        ast.dump(one.args) != ast.dump(other.args)
    ):
        return False
    texts = [ast.unparse(node.body) for node in (one, other)]
    return difflib.SequenceMatcher(None, *texts).ratio() > 0.6
