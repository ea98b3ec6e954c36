"""Single changes of lines: one too many, or a `return` that is too far indented."""

import ast

from helpers.checks.diagnosis.edits import Edit, with_positions

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.While)


def line_edits(root):
    """Every single edit of the statements in a function or class."""
    for parent in ast.walk(root):
        for name in ("body", "orelse"):
            body = getattr(parent, name, None)
            if isinstance(body, list):
                yield from _of_a_body(parent, name, body)


def _of_a_body(parent, name, body):
    for n, line in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        if isinstance(line, _FUNCTIONS):
            continue
        if not _is_docstring(line):
            without = [*before, *after] or [with_positions(ast.Pass(), line)]
            yield Edit("needless line", line, [(parent, name, None, without)], 2)
        if isinstance(line, _LOOPS) and isinstance(line.body[-1], ast.Return):
            moved = line.body[-1]
            rest = line.body[:-1] or [with_positions(ast.Pass(), line)]
            outside = [*before, line, moved, *after]
            changes = [(parent, name, None, outside), (line, "body", None, rest)]
            yield Edit("return inside", moved, changes, 0)


def _is_docstring(line):
    value = getattr(line, "value", None)
    return isinstance(line, ast.Expr) and isinstance(value, ast.Constant)
