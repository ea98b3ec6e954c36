"""Single changes of lines: one too many, in the wrong order, too far indented, …"""

import ast

from helpers.checks.diagnosis.edits import Edit, located

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def line_edits(root):
    """Every single edit of the statements in a function or class."""
    found = []
    for parent in () if isinstance(root, ast.Lambda) else ast.walk(root):
        for name in ("body", "orelse"):
            body = getattr(parent, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                found += _of_a_body(parent, name, body)
        if isinstance(parent, _FUNCTIONS):
            found += _of_what_is_returned(parent)
    return found


def _of_a_body(parent, name, body):
    for n, line in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        docstring = isinstance(getattr(line, "value", None), ast.Constant)
        if isinstance(line, _FUNCTIONS) or (isinstance(line, ast.Expr) and docstring):
            continue

        def put(kind, rank, new, *more, about=line):
            new = new or [located(ast.Pass(), about)]
            return Edit(kind, about, [(parent, name, None, new), *more], rank)

        yield put("needless line", 2, before + after)
        # Behind a `return`, a line is only needless: that is said above.
        if after and not isinstance(after[0], (*_FUNCTIONS, ast.Return)):
            # What is not needed is no better behind the line that it spoils.
            yield put("line order", 2.5, [*before, after[0], line, *after[1:]])
        for kind, rank, new in _other_lines(line):
            yield put(kind, rank, [*before, located(new, line), *after])
        if isinstance(line, (ast.For, ast.While)) and len(line.body) > 1:
            last = line.body[-1]
            kind = "return inside" if isinstance(last, ast.Return) else "indent"
            without = (line, "body", None, line.body[:-1])
            yield put(kind, 0, [*before, line, last, *after], without, about=last)
        # Set before a loop, for in each round.
        if isinstance(line, ast.Assign) and after and isinstance(after[0], ast.For):
            into = (after[0], "body", None, [line, *after[0].body])
            yield put("indent", 1, before + after, into)


def _other_lines(line):
    """(kind, rank, line) that may have to stand instead of a line."""
    if isinstance(line, ast.AugAssign):
        value = ast.BinOp(_as(line.target, ast.Load()), line.op, line.value)
        yield "in place", 0, ast.Assign([line.target], value)
        yield "operator", 2, ast.Assign([line.target], line.value)
        for op in (ast.Add, ast.Sub, ast.Mult, ast.Div):
            if not isinstance(line.op, op):
                yield "operator", 1, ast.AugAssign(line.target, op(), line.value)
    if isinstance(line, ast.Assign) and len(line.targets) == 1:
        target = line.targets[0]
        if not isinstance(target, (ast.Tuple, ast.List)):
            yield "operator", 2, ast.AugAssign(target, ast.Add(), line.value)
        elif len(target.elts) == 2:
            turned = ast.Tuple(target.elts[::-1], ast.Store())
            yield "order", 1, ast.Assign([turned], line.value)
        if isinstance(target, ast.Name):
            own = ast.Attribute(ast.Name("self", ast.Load()), target.id, ast.Store())
            yield "self", 3, ast.Assign([own], line.value)
        if isinstance(line.value, ast.Call):
            yield "thrown away", 2, ast.Expr(line.value)
    if isinstance(line, ast.Expr):
        owner = line.value
        while isinstance(owner, (ast.Call, ast.Attribute)):
            owner = owner.func if isinstance(owner, ast.Call) else owner.value
            # Of objects, only of `self`: what is written into a module stays there.
            mine = getattr(getattr(owner, "value", None), "id", "") == "self"
            if isinstance(owner, ast.Name) or (
                isinstance(owner, ast.Attribute) and mine
            ):
                target = _as(owner, ast.Store())
                yield "thrown away", 0, ast.Assign([target], line.value)
        inside = [n.id for n in ast.walk(line.value) if isinstance(n, ast.Name)]
        for name in list(dict.fromkeys(inside))[:4]:
            target = ast.Name(name, ast.Store())
            yield "thrown away", 1, ast.Assign([target], line.value)
        yield "not returned", 1, ast.Return(line.value)


def _of_what_is_returned(function):
    """Another of the function's own names returned."""
    lines = list(ast.walk(function))
    returns = [n for n in lines if isinstance(n, ast.Return)]
    names = [n for n in lines if isinstance(n, ast.Name)]
    last = function.body[-1]
    for name in dict.fromkeys(n.id for n in names if isinstance(n.ctx, ast.Store)):
        value = located(ast.Name(name, ast.Load()), last)
        if not returns:
            body = [*function.body, located(ast.Return(value), last)]
            yield Edit("not returned", last, [(function, "body", None, body)], 0)
        for line in returns:
            if getattr(line.value, "id", "") != name:
                yield Edit("not returned", line, [(line, "value", None, value)], 3)


def _as(target, context):
    """A name, attribute or subscript again, to be read or to be written."""
    fields = dict(ast.iter_fields(target))
    return type(target)(**{**fields, "ctx": context})
