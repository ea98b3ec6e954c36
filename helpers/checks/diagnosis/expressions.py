"""Single changes of an expression: another number, operator, name, axis, slice, …

Each maker takes a place in the tree and yields (kind, rank, what may have to stand
there); the lower the rank, the sooner it is tried.
"""

import ast
import builtins
import itertools
import math

from helpers.checks.diagnosis.edits import (
    Edit,
    called,
    everywhere,
    number,
    places,
    value_of,
)
from helpers.checks.diagnosis.lines import line_edits
from helpers.checks.diagnosis.rewrites import (
    ALLOCATING,
    ALONG,
    COUNTING,
    FAMILIES,
    KEEPING,
    WITH_AXES,
    is_module,
    is_read,
    rewritten,
)

_OPERATORS = (ast.Mult, ast.Div, ast.Add, ast.Sub, ast.FloorDiv, ast.Mod, ast.Pow)
_OPERATORS += (ast.MatMult,)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_AXES = (-1, 0, 1, -2, 2)


def edits_of(node, solution, names, attributes):
    """Every single edit of a function or class, towards a solution, too."""
    steps, found = _steps(node, solution), []
    for place in places(node):
        for made in (
            _numbers(place, names),
            _operators(place),
            _calls(place),
            _sequences(place),
            _names(place, names, attributes),
            _attributes(place, names, attributes),
            _by_one(place),
            _returned(place, names),
            _missing_steps(place, steps),
            _conditions(place),
            rewritten(place, solution),
        ):
            found += [place.edit(*what) for what in made]
    return [*found, *everywhere(found), *_exchanged(node), *line_edits(node)]


def _steps(node, solution):
    """The calls of the solution that stand nowhere in the code."""
    calls, there = (
        {getattr(call.func, "attr", None) or ast.unparse(call.func): call for call in c}
        for c in (_calls_in(solution), _calls_in(node))
    )
    return [call for name, call in calls.items() if name not in there]


def _calls_in(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _returned(place, names):
    """Another name returned, where one step too many stands behind `return`."""
    if isinstance(place.parent, ast.Return) and not isinstance(place.node, ast.Name):
        for name in names:
            yield "not returned", 3, ast.Name(name, ast.Load())


def _missing_steps(place, steps):
    """A call of the solution around a value."""
    whole = isinstance(place.parent, (ast.Return, ast.Assign, ast.Lambda))
    for call in steps if is_read(place) else ():
        func, args = call.func, [place.node, *call.args[1:]]
        if isinstance(func, ast.Attribute) and not is_module(func.value):
            func, args = ast.Attribute(place.node, func.attr, ast.Load()), call.args
        yield "missing step", 0 if whole else 1, ast.Call(func, args, call.keywords)


def _exchanged(root):
    """Two names or two functions of one kind, each put in the place of the other."""
    read, functions = {}, {}
    for node in ast.walk(root):
        if isinstance(getattr(node, "ctx", None), ast.Load):
            if isinstance(node, ast.Name):
                read.setdefault(node.id, []).append((node, "id"))
            elif isinstance(node, ast.Attribute):
                functions.setdefault(node.attr, []).append((node, "attr"))
    pairs = [(read, pair, 3) for pair in itertools.combinations(read, 2)]
    for family in FAMILIES:
        there = [name for name in family if name in functions]
        pairs += [(functions, pair, 1) for pair in itertools.combinations(there, 2)]
    for places_of, (a, b), rank in pairs:
        if not any(is_module(node) for node, _ in places_of[a] + places_of[b]):
            changes = [(*place, None, b) for place in places_of[a]]
            changes += [(*place, None, a) for place in places_of[b]]
            yield Edit("exchanged", changes[0][0], changes, rank)


def _numbers(place, names):
    value = value_of(place.node)
    if value is None or value_of(place.parent) is not None:  # the 1 in -1
        return
    kind = "axis" if _is_axis(place) else "index" if _is_index(place) else "number"
    for other in dict.fromkeys(_other_numbers(value, kind, place.inside(ALLOCATING))):
        if other != value:
            yield kind, 1, number(other)
    if kind == "number" and isinstance(value, int) and not place.inside({"range"}):
        for name in names:  # 8 where `d_model` belongs
            yield kind, 2.5, ast.Name(name, ast.Load())


def _other_numbers(value, kind, allocates):
    whole = isinstance(value, int)
    if kind == "axis":
        return _AXES
    if whole and abs(value) < 100:
        ends = () if value or kind == "index" else (math.inf, -math.inf)
        return (value + 1, value - 1, 0, 1, 2, -value, *_AXES, *ends)
    if whole and allocates:
        return (value // 10, value // 2, value + 1, value - 1)  # no larger tables
    others = [value * f for f in (10, 0.1, 2, 0.5, -1, 100)] + [value + 1, value - 1]
    if abs(value) < 1000:
        others += [1 / value if value else 1, 0, 1, 2]
    return [int(o) if whole and o == int(o) else o for o in others]


def _is_axis(place):
    if isinstance(place.parent, ast.keyword):
        return place.parent.arg in ("axis", "dim")
    call = place.parent if isinstance(place.parent, ast.Call) else None
    # Python's own `max(0, x)` has no axes.
    own = call and isinstance(call.func, ast.Name)
    return bool(call and called(call) in ALONG | WITH_AXES and not own)


def _is_index(place):
    depth = 2 if isinstance(place.parent, ast.Tuple) else 1
    return any(isinstance(n, (ast.Subscript, ast.Slice)) for n in place.above[-depth:])


def _operators(place):
    node = place.node
    if isinstance(node, ast.BinOp):
        times = isinstance(node.op, (ast.Mult, ast.Div))
        one = 1 in (value_of(node.right), value_of(node.left))
        # With 1, another number does it plainly.
        plainly = one and not isinstance(node.op, ast.FloorDiv)
        for kind in () if plainly else _OPERATORS:
            grows = kind is ast.Pow and (place.inside(ALLOCATING) or not times)
            unlike = kind is ast.MatMult and not isinstance(node.op, ast.Mult)
            unlike |= kind is ast.Mod and not isinstance(node.op, ast.FloorDiv)
            # `arange(n / 2)`: what passes is that it holds fractions.
            grows |= kind is ast.Div and place.inside(ALLOCATING)
            if not (isinstance(node.op, kind) or grows or unlike):
                new = ast.BinOp(node.left, kind(), node.right)
                yield "operator", 3 if kind is ast.MatMult else 1, new
        plus = isinstance(node.op, (ast.Add, ast.Sub)) and value_of(node.right) == 1
        for side in (node.left, node.right):
            yield *(("by one", 1) if plus else ("needless part", 0.5)), side
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for kind in _COMPARISONS:
            if not isinstance(node.ops[0], kind):
                yield (
                    "comparison",
                    1,
                    ast.Compare(node.left, [kind()], node.comparators),
                )


def _conditions(place):
    """A condition that need not be asked."""
    if isinstance(place.parent, ast.If) and place.name == "test":
        yield "always holds", 2, ast.Constant(True)
        yield "always holds", 2, ast.Constant(False)


def _names(place, names, attributes):
    node = place.node
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    called_here = isinstance(place.parent, ast.Call) and place.name == "func"
    kind = "function" if called_here else "name"
    rank = 4 if called_here or isinstance(place.parent, ast.Attribute) else 3
    for name in names:
        if name != node.id:
            yield kind, rank, ast.Name(name, ast.Load())
    family = [f for f in FAMILIES if called_here and node.id in f]
    for name in itertools.chain(*family):
        if name != node.id and hasattr(builtins, name):  # `sum` for `max`
            yield kind, 1, ast.Name(name, ast.Load())
    for attribute in attributes:
        new = ast.Attribute(ast.Name("self", ast.Load()), attribute, ast.Load())
        yield *(("self", 0) if attribute == node.id else ("name", 3)), new


def _attributes(place, names, attributes):
    node = place.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return
    own = isinstance(node.value, ast.Name) and node.value.id == "self"
    kinds = [("type" if "float32" in f else "function", 1, f) for f in FAMILIES]
    if own:
        kinds.append(("name", 2, [node.attr, *attributes]))
        if node.attr in names:
            yield "self", 1, ast.Name(node.attr, ast.Load())
    if node.attr.endswith("_") and isinstance(place.parent, ast.Call):
        yield "in place", 0, ast.Attribute(node.value, node.attr[:-1], ast.Load())
    for kind, rank, others in kinds:
        for other in others if node.attr in others else ():
            if other != node.attr:
                yield kind, rank, ast.Attribute(node.value, other, ast.Load())


def _calls(place):
    node = place.node
    if not isinstance(node, ast.Call):
        return
    name, args, keywords = called(node), node.args, node.keywords
    if isinstance(node.func, ast.Attribute) and not is_module(node.func.value):
        yield "needless call", 2, node.func.value
    if args and not isinstance(place.parent, ast.Expr):
        yield "needless call", 1 + (len(args) < 2), args[0]
    for n in range(len(args) - 1):
        swapped = [*args[:n], args[n + 1], args[n], *args[n + 2 :]]
        yield "arguments", 1, ast.Call(node.func, swapped, keywords)
    for n, keyword in enumerate(keywords):
        rest = keywords[:n] + keywords[n + 1 :]
        yield "needless part", 2, ast.Call(node.func, args, rest), keyword.value
    for n in (len(args) - 1, 0) if len(args) > 1 else ():
        rest = args[:n] + args[n + 1 :]
        yield "needless part", 3, ast.Call(node.func, rest, keywords)
    for rank, rest, more in _along_an_axis(name, args, keywords):
        yield "axis", rank, ast.Call(node.func, rest, [*keywords, *more])
    if name in KEEPING and not any(k.arg in ("keepdims", "keepdim") for k in keywords):
        kept = ast.keyword("keepdims", ast.Constant(True))
        yield "kept axis", 1, ast.Call(node.func, args, [*keywords, kept])
    if name in ("range", "arange") and len(args) == 1:
        for first in (1, 2):
            new = ast.Call(node.func, [ast.Constant(first), *args], keywords)
            yield "by one", 1, new


def _along_an_axis(name, args, keywords):
    """(rank, arguments, more keywords) along another axis, or along one that is kept."""
    kept = ast.keyword("keepdims", ast.Constant(True))
    if name in ALONG and not keywords:
        word = "dim" if name in ("softmax", "stack", "cat", "unsqueeze") else "axis"
        for axis in _AXES[:4]:
            first = args if word == "axis" else args[:1]
            along = ast.keyword(word, number(axis))
            yield 1.5, first, [along]
            if name in KEEPING:
                yield 2, first, [along, kept]


def _sequences(place):
    """Two parts of a tuple or list swapped."""
    node = place.node
    if not isinstance(node, (ast.Tuple, ast.List)) or isinstance(node.ctx, ast.Store):
        return
    kind = "axis" if isinstance(place.parent, ast.Subscript) else "order"
    for a, b in itertools.combinations(range(min(len(node.elts), 5)), 2):
        elts = list(node.elts)
        elts[a], elts[b] = elts[b], elts[a]
        yield kind, 1, type(node)(elts, ast.Load())


def _by_one(place):
    """One more, one fewer, or half of what is counted with."""
    node, above = place.node, place.parent
    call = isinstance(above, ast.Call) and called(above) in COUNTING
    counting = call and place.name == "args"  # it says how many
    returned = isinstance(above, ast.Return)
    counted = counting or returned or isinstance(node, ast.Name)
    tested = isinstance(above, (ast.If, ast.While, ast.BoolOp, ast.IfExp))
    if is_read(place) and counted and not (tested or isinstance(above, ast.Attribute)):
        rank = 1 if counting else 2 if returned else 3
        yield "by one", rank, ast.BinOp(node, ast.Add(), ast.Constant(1))
        yield "by one", rank, ast.BinOp(node, ast.Sub(), ast.Constant(1))
        if counting:
            half = ast.BinOp(node, ast.FloorDiv(), ast.Constant(2))
            yield "missing factor", rank + 1, half
