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
        before = body[:n]
        after = body[n + 1 :]
        if isinstance(line, _FUNCTIONS) or _is_docstring(line):
            continue
        without = _filled([*before, *after], line)
        yield Edit("needless line", line, [(parent, name, None, without)], 2)
        if isinstance(line, _LOOPS) and isinstance(line.body[-1], ast.Return):
            *rest, moved = line.body
            changes = [
                (line, "body", None, _filled(rest, line)),
                (parent, name, None, [*before, line, moved, *after]),
            ]
            yield Edit("return inside", moved, changes, 0)


def _filled(body, line):
    """A body that is not empty."""
    return body or [with_positions(ast.Pass(), line)]


def _is_docstring(line):
    value = getattr(line, "value", None)
    return isinstance(line, ast.Expr) and isinstance(value, ast.Constant)
