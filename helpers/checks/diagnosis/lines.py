"""Single changes of lines: one too many, in the wrong order, too far indented, …"""

import ast

from helpers.checks.diagnosis.edits import Edit, with_positions

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def line_edits(root):
    """Every single edit of the statements in a function or class."""
    for parent in () if isinstance(root, ast.Lambda) else ast.walk(root):
        for name in ("body", "orelse"):
            body = getattr(parent, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield from _of_a_body(parent, name, body)


def _summed(loop, before):
    """`total = x` in a loop, where `total += x` belongs: the new first lines, the line
    and what stands in its place."""
    known = {n.id for line in before for n in ast.walk(line) if isinstance(n, ast.Name)}
    for n, line in enumerate(loop.body):
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            total = line.targets[0]
            for operator, first in ((ast.Add(), 0), (ast.Mult(), 1)):
                start = with_positions(ast.Assign([total], ast.Constant(first)), loop)
                added = ast.AugAssign(total, operator, line.value)
                change = (loop, "body", n, with_positions(added, line))
                yield [] if total.id in known else [start], line, change


def _of_a_body(parent, name, body):
    for n, line in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        docstring = isinstance(getattr(line, "value", None), ast.Constant)
        if isinstance(line, _FUNCTIONS) or (isinstance(line, ast.Expr) and docstring):
            continue

        def put(kind, rank, new, *more, about=line):
            new = new or [with_positions(ast.Pass(), about)]
            return Edit(kind, about, [(parent, name, None, new), *more], rank)

        yield put("needless line", 2, before + after)
        # Behind a `return`, a line is only needless: that is said above.
        if after and not isinstance(after[0], (*_FUNCTIONS, ast.Return)):
            # What is not needed is no better behind the line that it spoils.
            yield put("line order", 2.5, [*before, after[0], line, *after[1:]])
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
            new = with_positions(ast.Expr(line.value), line)
            yield put("thrown away", 2.5, [*before, new, *after])
        if isinstance(line, ast.Expr):  # `x.clamp(0)` alone: its result goes nowhere
            inside = [n.id for n in ast.walk(line.value) if isinstance(n, ast.Name)]
            for own in list(dict.fromkeys(inside))[:4]:
                new = ast.Assign([ast.Name(own, ast.Store())], line.value)
                yield put(
                    "thrown away", 1, [*before, with_positions(new, line), *after]
                )
            new = with_positions(ast.Return(line.value), line)
            yield put("not returned", 1, [*before, new, *after])
        if isinstance(line, (ast.For, ast.While)):
            for start, inner, change in _summed(line, before):
                new = [*before, *start, line, *after]
                yield put("summed", 1, new, change, about=inner)
        if isinstance(line, (ast.For, ast.While)) and len(line.body) > 1:
            last = line.body[-1]
            if isinstance(last, ast.Return):
                without = (line, "body", None, line.body[:-1])
                new = [*before, line, last, *after]
                yield put("return inside", 0, new, without, about=last)
