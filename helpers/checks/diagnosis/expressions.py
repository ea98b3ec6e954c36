"""Single changes of an expression: another number, operator, name, axis, slice, …

Each maker takes an EditSite of the tree and yields (kind, rank, what may have to stand
there). Ranks are an order and no more: the lower, the sooner it is tried.
"""

import ast
import builtins
import itertools
import math

from helpers.checks.diagnosis.edits import (
    called,
    edit_sites,
    number,
    value_of,
)
from helpers.checks.diagnosis.lines import line_edits
from helpers.checks.diagnosis.rewrites import (
    ALLOCATING,
    ALONG,
    FAMILIES,
    KEEPING,
    WITH_AXES,
    is_module,
    is_read,
    rewritten,
)

_OPERATORS = (
    ast.Mult,
    ast.Div,
    ast.Add,
    ast.Sub,
    ast.FloorDiv,
    ast.Mod,
    ast.Pow,
    ast.MatMult,
)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_AXES = (-1, 0, 1, -2, 2)


def edits_of(node, solution, names):
    """Every single edit of a function or class, towards a solution, too."""
    steps = _steps(node, solution)
    found = []
    for site in edit_sites(node):
        for made in (
            _numbers(site, names),
            _operators(site),
            _comparisons(site),
            _calls(site),
            _sequences(site),
            _names(site, names),
            _attributes(site),
            _missing_steps(site, steps),
            rewritten(site),
        ):
            found += [site.edit(*what) for what in made]
    return [*found, *line_edits(node)]


# --- what the solution calls and the code does not


def _steps(node, solution):
    """The calls of the solution that stand nowhere in the code."""
    there = _calls_in(node)
    return [call for name, call in _calls_in(solution).items() if name not in there]


def _calls_in(tree):
    """The calls in a tree by the name of their function."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found[called(node) or ast.unparse(node.func)] = node
    return found


def _missing_steps(site, steps):
    """A call of the solution around a value."""
    if not is_read(site):
        return
    rank = 0 if site.is_whole else 1
    for call in steps:
        func = call.func
        if isinstance(func, ast.Attribute) and not is_module(func.value):
            method = ast.Attribute(site.node, func.attr, ast.Load())
            new = ast.Call(method, call.args, call.keywords)
        else:
            new = ast.Call(func, [site.node, *call.args[1:]], call.keywords)
        yield "missing step", rank, new


# --- numbers


def _numbers(site, names):
    value = value_of(site.node)
    if value is None or value_of(site.parent) is not None:  # the 1 in -1
        return
    if _is_axis(site):
        kind = "axis"
        others = _AXES
    elif _is_index(site):
        kind = "index"
        others = _near(value)
    else:
        kind = "number"
        others = _other_numbers(value, site.inside(ALLOCATING))
    for other in dict.fromkeys(others):
        if other != value:
            yield kind, 1, number(other)
    if kind == "number" and isinstance(value, int) and not site.inside({"range"}):
        for name in names:  # 8 where `d_model` belongs
            yield kind, 2.5, ast.Name(name, ast.Load())


def _near(value):
    return (value + 1, value - 1, -value, *_AXES)


def _other_numbers(value, allocates):
    whole = isinstance(value, int)
    if value == 0:
        return (*_near(value), math.inf, -math.inf)
    if whole and abs(value) < 100:
        return _near(value)
    if whole and allocates:
        return (value // 10, value // 2, value + 1, value - 1)  # no larger tables
    others = [value * factor for factor in (10, 0.1, 2, 0.5, -1, 100)]
    others += [value + 1, value - 1]
    if abs(value) < 1000:
        others += [1 / value, 0, 1, 2]
    if whole:
        others = [int(other) if other == int(other) else other for other in others]
    return others


def _is_axis(site):
    parent = site.parent
    if isinstance(parent, ast.keyword):
        return parent.arg in ("axis", "dim")
    # Python's own `max(0, x)` has no axes.
    if not isinstance(parent, ast.Call) or isinstance(parent.func, ast.Name):
        return False
    return called(parent) in ALONG | WITH_AXES


def _is_index(site):
    depth = 2 if isinstance(site.parent, ast.Tuple) else 1
    return any(isinstance(n, (ast.Subscript, ast.Slice)) for n in site.above[-depth:])


# --- operators


def _operators(site):
    """Another operator, or one side alone."""
    node = site.node
    if not isinstance(node, ast.BinOp):
        return
    for kind in _OPERATORS:
        if not isinstance(node.op, kind) and _may_stand(kind, site):
            rank = 3 if kind is ast.MatMult else 1
            yield "operator", rank, ast.BinOp(node.left, kind(), node.right)
    kind = "needless part"
    rank = 0.5
    if isinstance(node.op, (ast.Add, ast.Sub)) and value_of(node.right) == 1:
        kind = "by one"
        rank = 1
    yield kind, rank, node.left
    yield kind, rank, node.right


def _may_stand(kind, site):
    """Whether an operator may stand there in place of the one that does."""
    node = site.node
    sized = site.inside(ALLOCATING)
    with_one = 1 in (value_of(node.right), value_of(node.left))
    if with_one and not isinstance(node.op, ast.FloorDiv):
        return False  # another number in place of the 1 says it plainly
    if kind is ast.Pow:  # no size is a power: the array would be too large
        return not sized and isinstance(node.op, (ast.Mult, ast.Div))
    if kind is ast.Div:  # `arange(n / 2)` would pass because it holds fractions
        return not sized
    if kind is ast.MatMult:
        return isinstance(node.op, ast.Mult)
    return kind is not ast.Mod or isinstance(node.op, ast.FloorDiv)


def _comparisons(site):
    """Another comparison; `in` is taken for `==` where a text is looked for."""
    match site.node:
        case ast.Compare(left, [op], others) if _is_compared(left, op):
            for kind in _COMPARISONS:
                if not isinstance(op, kind):
                    yield "comparison", 1, ast.Compare(left, [kind()], others)


def _is_compared(left, op):
    return isinstance(op, _COMPARISONS) or isinstance(left, ast.Constant)


# --- names and attributes


def _names(site, names):
    node = site.node
    if not isinstance(node, ast.Name) or not site.is_value:
        return
    kind = "name"
    rank = 3
    if isinstance(site.parent, ast.Attribute):
        rank = 4
    if isinstance(site.parent, ast.Call) and site.name == "func":
        kind = "function"
        rank = 4
        for name in _family(node.id):
            if hasattr(builtins, name):  # `sum` for `max`
                yield kind, 1, ast.Name(name, ast.Load())
    for name in names:
        if name != node.id:
            yield kind, rank, ast.Name(name, ast.Load())


def _attributes(site):
    node = site.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return
    kind = "function" if isinstance(site.parent, ast.Call) else "name"
    for other in _family(node.attr):
        yield kind, 1, ast.Attribute(node.value, other, ast.Load())


def _family(name):
    """The functions that one is taken for."""
    return [
        other
        for family in FAMILIES
        for other in family
        if name in family and other != name
    ]


# --- calls


def _calls(site):
    """No call, the same with other arguments or with fewer, or along another axis."""
    node = site.node
    if not isinstance(node, ast.Call):
        return
    args = node.args
    keywords = node.keywords
    if isinstance(node.func, ast.Attribute) and not is_module(node.func.value):
        yield "needless call", 2, node.func.value
    if args and not isinstance(site.parent, ast.Expr):
        rank = 2 if len(args) == 1 else 1
        yield "needless call", rank, args[0]
    for n in range(len(args) - 1):
        swapped = [*args[:n], args[n + 1], args[n], *args[n + 2 :]]
        yield "arguments", 1, ast.Call(node.func, swapped, keywords)
    for n, keyword in enumerate(keywords):
        rest = keywords[:n] + keywords[n + 1 :]
        yield "needless part", 2, ast.Call(node.func, args, rest), keyword.value
    if len(args) > 1:
        yield "needless part", 3, ast.Call(node.func, args[:-1], keywords)
        yield "needless part", 3, ast.Call(node.func, args[1:], keywords)
    if called(node) in ("range", "arange") and len(args) == 1:
        from_1 = [ast.Constant(1), *args]
        yield "by one", 1, ast.Call(node.func, from_1, keywords)
    yield from _along_an_axis(node)


def _along_an_axis(node):
    """The call along another axis, which is kept or not."""
    name = called(node)
    args = node.args
    keywords = node.keywords
    if name not in ALONG or keywords:
        return
    word = "axis"
    if name in ("softmax", "stack", "cat", "unsqueeze"):
        word = "dim"
        args = args[:1]
    kept = ast.keyword("keepdims", ast.Constant(True))
    for axis in (-1, 0, 1, -2):
        along = ast.keyword(word, number(axis))
        yield "axis", 1.5, ast.Call(node.func, args, [along])
        if name in KEEPING:
            yield "axis", 2, ast.Call(node.func, args, [along, kept])


def _sequences(site):
    """Two parts of a tuple or list swapped."""
    node = site.node
    if not isinstance(node, (ast.Tuple, ast.List)) or isinstance(node.ctx, ast.Store):
        return
    kind = "axis" if isinstance(site.parent, ast.Subscript) else "order"
    for a, b in itertools.combinations(range(min(len(node.elts), 5)), 2):
        swapped = list(node.elts)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        yield kind, 1, type(node)(swapped, ast.Load())
