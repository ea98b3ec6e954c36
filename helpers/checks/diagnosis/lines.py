"""Single changes of lines: one too many, in the wrong order, too far indented, …"""

import ast

from helpers.checks.diagnosis.edits import Edit, located

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
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
            found += _of_a_function(parent)
    return found


def _of_a_body(parent, name, body):
    for n, line in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        if isinstance(line, _FUNCTIONS) or _is_docstring(line):
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
            yield put(kind, rank, [*before, *new, *after])
        if isinstance(line, _LOOPS):
            yield from _at_the_edge_of_a_loop(put, before, line, after)
        loop = next((other for other in after if isinstance(other, ast.For)), None)
        if loop and isinstance(line, ast.Assign):  # set before it, for in each round
            into = (loop, "body", None, [line, *loop.body])
            yield put("indent", 1, before + after, into)


def _at_the_edge_of_a_loop(put, before, loop, after):
    """The last line of a loop behind it, the first one before it, the next one in it."""
    first, last = loop.body[0], loop.body[-1]
    if len(loop.body) > 1:
        kind = "return inside" if isinstance(last, ast.Return) else "indent"
        without = (loop, "body", None, loop.body[:-1])
        yield put(kind, 0, [*before, loop, last, *after], without, about=last)
        if isinstance(first, ast.Assign):
            without = (loop, "body", None, loop.body[1:])
            yield put("indent", 1, [*before, first, loop, *after], without, about=first)
    if after:
        more = (loop, "body", None, [*loop.body, after[0]])
        yield put("indent", 1, [*before, loop, *after[1:]], more, about=after[0])


def _other_lines(line):
    """(kind, rank, lines) that may have to stand instead of a line."""
    if isinstance(line, ast.AugAssign):
        value = ast.BinOp(_as(line.target, ast.Load()), line.op, line.value)
        yield "in place", 0, [_assign(line.target, value, line)]
        yield "operator", 2, [_assign(line.target, line.value, line)]
        for op in (ast.Add, ast.Sub, ast.Mult, ast.Div):
            if not isinstance(line.op, op):
                new = ast.AugAssign(line.target, op(), line.value)
                yield "operator", 1, [located(new, line)]
    if isinstance(line, ast.Assign) and len(line.targets) == 1:
        yield from _other_assignments(line, line.targets[0])
    if isinstance(line, ast.Expr) and not isinstance(line.value, ast.Constant):
        owner = line.value
        while isinstance(owner, (ast.Call, ast.Attribute)):
            owner = owner.func if isinstance(owner, ast.Call) else owner.value
            # Of objects, only of `self`: what is written into a module stays there.
            if isinstance(owner, ast.Name) or (
                isinstance(owner, ast.Attribute)
                and getattr(owner.value, "id", "") == "self"
            ):
                target = _as(owner, ast.Store())
                yield "thrown away", 0, [_assign(target, line.value, line)]
        inside = [n.id for n in ast.walk(line.value) if isinstance(n, ast.Name)]
        for name in list(dict.fromkeys(inside))[:4]:
            target = ast.Name(name, ast.Store())
            yield "thrown away", 1, [_assign(target, line.value, line)]
        yield "not returned", 1, [located(ast.Return(line.value), line)]
    if isinstance(line, ast.If):
        turned = ast.If(ast.UnaryOp(ast.Not(), line.test), line.body, line.orelse)
        yield "condition", 1, [located(turned, line)]
        yield "condition", 2, list(line.body)
        if line.orelse:
            yield "condition", 2, list(line.orelse)


def _other_assignments(line, target):
    """What stands for `target = value`: added to it, in the object, in another order."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        new = ast.AugAssign(target, ast.Add(), line.value)
        yield "operator", 2, [located(new, line)]
    if isinstance(target, ast.Name):
        own = ast.Attribute(ast.Name("self", ast.Load()), target.id, ast.Store())
        yield "self", 3, [_assign(own, line.value, line)]
    if isinstance(target, ast.Attribute):
        yield "self", 3, [_assign(ast.Name(target.attr, ast.Store()), line.value, line)]
    if isinstance(target, ast.Tuple) and len(target.elts) == 2:
        turned = ast.Tuple(target.elts[::-1], ast.Store())
        yield "order", 1, [_assign(turned, line.value, line)]
    if isinstance(line.value, ast.Call):
        yield "thrown away", 2, [located(ast.Expr(line.value), line)]


def _of_a_function(function):
    """Something else returned, or an argument copied before anything is done."""
    lines = list(ast.walk(function))
    returns = [n for n in lines if isinstance(n, ast.Return)]
    names = [n for n in lines if isinstance(n, ast.Name)]
    written = [n.id for n in names if isinstance(n.ctx, ast.Store)]
    last = function.body[-1]
    for name in dict.fromkeys(reversed(written)):
        value = located(ast.Name(name, ast.Load()), last)
        if not returns:
            body = [*function.body, located(ast.Return(value), last)]
            yield Edit("not returned", last, [(function, "body", None, body)], 0)
        for line in returns:
            if getattr(line.value, "id", "") != name:
                yield Edit("not returned", line, [(line, "value", None, value)], 3)
    start = 1 if _is_docstring(function.body[0]) else 0
    for argument in function.args.args:
        for way in ("copy", "clone") if argument.arg != "self" else ():
            name = ast.Name(argument.arg, ast.Load())
            value = ast.Call(ast.Attribute(name, way, ast.Load()), [], [])
            new = _assign(ast.Name(argument.arg, ast.Store()), value, function.body[0])
            body = [*function.body[:start], new, *function.body[start:]]
            yield Edit("copy", argument, [(function, "body", None, body)], 1)


def _assign(target, value, line):
    return located(ast.Assign([target], value), line)


def _as(target, context):
    """A name, attribute or subscript again, to be read or to be written."""
    fields = dict(ast.iter_fields(target))
    return type(target)(**{**fields, "ctx": context})


def _is_docstring(line):
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
