"""Single changes of lines: one too many, in the wrong order, too far indented, …"""

import ast

from helpers.exercises.diagnosis.edits import Edit, located

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def line_edits(root):
    """Every single edit of the statements in a function or class."""
    if isinstance(root, ast.Lambda):
        return []
    found = []
    for parent in ast.walk(root):
        for name in ("body", "orelse"):
            body = getattr(parent, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                found += _of_a_body(parent, name, body)
        if isinstance(parent, _FUNCTIONS):
            found += _of_a_function(parent)
    return found


def _of_a_body(parent, name, body):
    found = []

    def put(kind, about, new, rank):
        found.append(
            Edit(kind, about, [(parent, name, None, new or [_pass(about)])], rank)
        )

    for n, line in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        if isinstance(line, _FUNCTIONS) or _is_docstring(line):
            continue
        put("needless line", line, before + after, 2)
        # Behind a `return`, a line is only needless: that is said above.
        if after and not isinstance(after[0], (*_FUNCTIONS, ast.Return)):
            # What is not needed is no better behind the line that it spoils.
            put("line order", line, [*before, after[0], line, *after[1:]], 2.5)
        for kind, rank, new in _other_lines(line):
            put(kind, line, [*before, *new, *after], rank)
        if isinstance(line, _LOOPS) and len(line.body) > 1:
            inner, last = line.body[:-1], line.body[-1]
            kind = "return inside" if isinstance(last, ast.Return) else "indent"
            change = [(parent, name, None, [*before, line, last, *after])]
            found.append(Edit(kind, last, [*change, (line, "body", None, inner)], 0))
        if isinstance(line, _LOOPS) and after:
            change = [(parent, name, None, [*before, line, *after[1:]])]
            more = (line, "body", None, [*line.body, after[0]])
            found.append(Edit("indent", after[0], [*change, more], 1))
        found += _set_once_or_in_each_round(parent, name, body, n)
    return found


def _set_once_or_in_each_round(parent, name, body, n):
    """What is set before a loop, set in each round of it; and the other way round."""
    line, before, after = body[n], body[:n], body[n + 1 :]
    loop = next((other for other in after if isinstance(other, ast.For)), None)
    if loop and isinstance(line, ast.Assign):
        change = [(parent, name, None, [*before, *after])]
        more = (loop, "body", None, [line, *loop.body])
        yield Edit("indent", line, [*change, more], 1)
    if isinstance(line, ast.For) and len(line.body) > 1:
        first, *rest = line.body
        if isinstance(first, ast.Assign):
            change = [(parent, name, None, [*before, first, line, *after])]
            more = (line, "body", None, rest)
            yield Edit("indent", first, [*change, more], 1)


def _other_lines(line):
    """(kind, rank, lines) that may have to stand instead of a line."""
    if isinstance(line, ast.AugAssign):
        value = ast.BinOp(_read(line.target), line.op, line.value)
        yield "in place", 0, [_assign(line.target, value, line)]
        yield "operator", 2, [_assign(line.target, line.value, line)]
        for op in (ast.Add, ast.Sub, ast.Mult, ast.Div):
            if not isinstance(line.op, op):
                new = ast.AugAssign(line.target, op(), line.value)
                yield "operator", 1, [located(new, line)]
    if isinstance(line, ast.Assign) and len(line.targets) == 1:
        target = line.targets[0]
        new = ast.AugAssign(target, ast.Add(), line.value)
        if not isinstance(target, (ast.Tuple, ast.List)):
            yield "operator", 2, [located(new, line)]
        if isinstance(target, ast.Name):
            own = ast.Attribute(ast.Name("self", ast.Load()), target.id, ast.Store())
            yield "self", 3, [_assign(own, line.value, line)]
        if isinstance(target, ast.Attribute):
            plain = ast.Name(target.attr, ast.Store())
            yield "self", 3, [_assign(plain, line.value, line)]
        if isinstance(target, ast.Tuple) and len(target.elts) == 2:
            turned = ast.Tuple(target.elts[::-1], ast.Store())
            yield "order", 1, [_assign(turned, line.value, line)]
        if isinstance(line.value, ast.Call):
            yield "thrown away", 2, [located(ast.Expr(line.value), line)]
    if isinstance(line, ast.Expr) and not isinstance(line.value, ast.Constant):
        owner = line.value
        while isinstance(owner, (ast.Call, ast.Attribute)):
            owner = owner.func if isinstance(owner, ast.Call) else owner.value
            if isinstance(owner, ast.Name) or _of_the_object(owner):
                target = _written(owner)
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


def _of_a_function(function):
    found = []
    lines = list(ast.walk(function))
    returns = [n for n in lines if isinstance(n, ast.Return)]
    written = [
        n.id for n in lines if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]
    written = list(dict.fromkeys(reversed(written)))
    last = function.body[-1]
    if not returns:
        for name in written:
            new = located(ast.Return(ast.Name(name, ast.Load())), last)
            change = [(function, "body", None, [*function.body, new])]
            found.append(Edit("not returned", last, change, 0))
    for line in returns:
        for name in written:
            if not (isinstance(line.value, ast.Name) and line.value.id == name):
                value = located(ast.Name(name, ast.Load()), line)
                change = [(line, "value", None, value)]
                found.append(Edit("not returned", line, change, 3))
    start = 1 if _is_docstring(function.body[0]) else 0
    for argument in function.args.args:
        if argument.arg == "self":
            continue
        for way in ("copy", "clone"):
            name = ast.Name(argument.arg, ast.Load())
            value = ast.Call(ast.Attribute(name, way, ast.Load()), [], [])
            new = _assign(ast.Name(argument.arg, ast.Store()), value, function.body[0])
            body = [*function.body[:start], new, *function.body[start:]]
            change = [(function, "body", None, body)]
            found.append(Edit("copy", argument, change, 1))
    return found


def _assign(target, value, line):
    return located(ast.Assign([target], value), line)


def _read(target):
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    return ast.Subscript(target.value, target.slice, ast.Load())


def _of_the_object(node):
    """Whether it is an attribute of `self`.

    Of nothing else: what is written into a module stays there when the trial is over,
    and `np.random.seed` would be gone from the student's kernel.
    """
    owner = getattr(node, "value", None)
    return (
        isinstance(node, ast.Attribute)
        and isinstance(owner, ast.Name)
        and owner.id == "self"
    )


def _written(owner):
    if isinstance(owner, ast.Name):
        return ast.Name(owner.id, ast.Store())
    return ast.Attribute(owner.value, owner.attr, ast.Store())


def _pass(line):
    return located(ast.Pass(), line)


def _is_docstring(line):
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
