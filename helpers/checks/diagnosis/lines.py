"""Single changes of lines: one too many, in the wrong order, too far indented, …"""

import ast

from helpers.checks.diagnosis.edits import Edit, located

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def line_edits(root):
    """Every single edit of the statements in a function or class."""
    for parent in () if isinstance(root, ast.Lambda) else ast.walk(root):
        for name in ("body", "orelse"):
            body = getattr(parent, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield from _of_a_body(parent, name, body)
        if isinstance(parent, (ast.For, ast.While)):
            yield from _ended(parent)
    if isinstance(root, _FUNCTIONS):
        yield from _from_the_line_above(root)


def _ended(loop):
    """A loop that ends once something is found."""
    for line in (inner for node in loop.body for inner in ast.walk(node)):
        if isinstance(line, ast.If) and not isinstance(
            line.body[-1], (ast.Return, ast.Break, ast.Continue)
        ):
            new = [*line.body, located(ast.Break(), line)]
            yield Edit("goes on", line.test, [(line, "body", None, new)], 1)


def _from_the_line_above(function):
    """Every step takes what the step before it made, not what came in at first."""
    changes, made = {}, None
    for line in function.body:
        for node in ast.walk(line) if made else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                changes.setdefault(node.id, []).append((node, "id", None, made))
        target = line.targets[0] if isinstance(line, ast.Assign) else None
        made = target.id if isinstance(target, ast.Name) else made
    for argument in function.args.args:
        if len(there := changes.get(argument.arg, ())) > 1:
            yield Edit("from before", there[0][0], there, 1, len(there))


def _overwritten(parent, name, body, n):
    """The next line reads what stood there before this one."""
    line, after = body[n], body[n + 1] if n + 1 < len(body) else None
    if not isinstance(line, ast.Assign) or not isinstance(after, ast.Assign):
        return
    target = line.targets[0]
    own = getattr(getattr(target, "value", target), "id", None)
    read = [a for a in ast.walk(after.value) if getattr(a, "id", None) == own]
    if own and read:
        kept = ast.parse(f"{own}_before = {own} + 0").body[0]
        whole = (parent, name, None, [*body[:n], located(kept, line), *body[n:]])
        renamed = [(node, "id", None, f"{own}_before") for node in read]
        yield Edit("overwritten", target, [whole, *renamed], 1)


def _of_a_body(parent, name, body):
    for n, line in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        docstring = isinstance(getattr(line, "value", None), ast.Constant)
        if isinstance(line, _FUNCTIONS) or (isinstance(line, ast.Expr) and docstring):
            continue

        def put(kind, rank, new, *more, about=line):
            new = new or [located(ast.Pass(), about)]
            return Edit(kind, about, [(parent, name, None, new), *more], rank)

        yield from _overwritten(parent, name, body, n)
        yield put("needless line", 2, before + after)
        # Behind a `return`, a line is only needless: that is said above.
        if after and not isinstance(after[0], (*_FUNCTIONS, ast.Return)):
            # What is not needed is no better behind the line that it spoils.
            yield put("line order", 2.5, [*before, after[0], line, *after[1:]])
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
            new = located(ast.Expr(line.value), line)
            yield put("thrown away", 2.5, [*before, new, *after])
        if isinstance(line, ast.Expr):  # `x.clamp(0)` alone: its result goes nowhere
            inside = [n.id for n in ast.walk(line.value) if isinstance(n, ast.Name)]
            for own in list(dict.fromkeys(inside))[:4]:
                new = ast.Assign([ast.Name(own, ast.Store())], line.value)
                yield put("thrown away", 1, [*before, located(new, line), *after])
            new = located(ast.Return(line.value), line)
            yield put("not returned", 1, [*before, new, *after])
        if isinstance(line, (ast.For, ast.While)) and len(line.body) > 1:
            last = line.body[-1]
            if isinstance(last, ast.Return):
                without = (line, "body", None, line.body[:-1])
                new = [*before, line, last, *after]
                yield put("return inside", 0, new, without, about=last)
