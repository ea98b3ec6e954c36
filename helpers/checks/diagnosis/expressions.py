"""Single changes of an expression: another number, operator, name, axis, slice, …

Each maker takes a place in the tree and gives the edits there; see `edits_of`.
"""

import ast
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

_OPERATORS = (ast.Mult, ast.Div, ast.Add, ast.Sub, ast.FloorDiv, ast.Pow, ast.MatMult)
_OPERATORS += (ast.Mod,)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_AXES = (-1, 0, 1, -2, 2)
_WELL_KNOWN = (math.pi, 2 * math.pi, math.pi / 2, math.e, math.log(10_000))


def edits_of(node, names, attributes):
    """Every single edit of a function or class."""
    found = []
    for place in places(node):
        for make in (_numbers, _operators, _calls, _sequences):
            found += make(place, names)
        found += _names(place, names, attributes)
        found += _attributes(place, names, attributes)
        found += _by_one(place, names)
        found += rewritten(place)
    return [*found, *everywhere(found), *_exchanged(node), *line_edits(node)]


def missing_steps(node, solution):
    """A call of the solution that stands nowhere in the code, put around each value."""
    there = {_step(call) for call in ast.walk(node) if isinstance(call, ast.Call)}
    calls = [call for call in ast.walk(solution) if isinstance(call, ast.Call)]
    calls = {_step(call): call for call in calls if _step(call) not in there}
    for place, call in itertools.product([*places(node)], calls.values()):
        if is_read(place):
            func, args = call.func, [place.node, *call.args[1:]]
            if isinstance(func, ast.Attribute) and not is_module(func.value):
                func, args = ast.Attribute(place.node, func.attr, ast.Load()), call.args
            whole = isinstance(place.parent, (ast.Return, ast.Assign, ast.Lambda))
            new = ast.Call(func, args, call.keywords)
            yield place.edit("missing step", new, 0 if whole else 1)


def _step(call):
    return getattr(call.func, "attr", None) or ast.unparse(call.func)


def _exchanged(root):
    """Two names or two functions of one kind, each put in the place of the other."""
    read, functions = {}, {}
    for node in ast.walk(root):
        if isinstance(getattr(node, "ctx", None), ast.Load):
            if isinstance(node, ast.Name):
                read.setdefault(node.id, []).append((node, "id"))
            elif isinstance(node, ast.Attribute):
                functions.setdefault(node.attr, []).append((node, "attr"))
    pairs = [(read, pair) for pair in itertools.combinations(read, 2)]
    for family in FAMILIES:
        there = [name for name in family if name in functions]
        pairs += [(functions, pair) for pair in itertools.combinations(there, 2)]
    for places_of, (a, b) in pairs:
        if not any(is_module(node) for node, _ in places_of[a] + places_of[b]):
            changes = [(*place, None, b) for place in places_of[a]]
            changes += [(*place, None, a) for place in places_of[b]]
            first = changes[0][0]
            rank = 1 if places_of is functions else 3
            yield Edit("exchanged", first, changes, rank)


def _numbers(place, names):
    node, value = place.node, value_of(place.node)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return [place.edit("setting", ast.Constant(not node.value), 1)]
    if value is None or (
        isinstance(place.parent, ast.UnaryOp) and value_of(place.parent) is not None
    ):
        return []
    kind = "axis" if _is_axis(place) else "index" if _is_index(place) else "number"
    others = _other_numbers(value, kind, place.inside(ALLOCATING))
    found = [place.edit(kind, number(o), 1) for o in others]
    # A well-known number with few digits: 3.14, 9.21
    exact = [o for o in _WELL_KNOWN if 0 < abs(abs(value) / o - 1) < 0.01]
    found += [place.edit("digits", number(math.copysign(o, value)), 0) for o in exact]
    if kind == "number" and isinstance(value, int) and not place.inside({"range"}):
        # 8 where `d_model` belongs
        found += [place.edit(kind, ast.Name(n, ast.Load()), 2.5) for n in names]
    if isinstance(value, int):
        found.append(place.edit(kind, ast.Constant(float(value)), 3))
    return found


def _other_numbers(value, kind, allocates):
    whole = isinstance(value, int)
    if kind == "axis":
        others = _AXES
    elif whole and abs(value) < 100:
        others = (value + 1, value - 1, 0, 1, 2, -value, *_AXES)
    elif whole and allocates:
        others = (value // 10, value // 2, value + 1, value - 1)  # no larger tables
    else:
        others = [value * f for f in (10, 0.1, 2, 0.5, -1, 100)] + [
            value + 1,
            value - 1,
        ]
        if abs(value) < 1000:
            others += [1 / value if value else 1, 0, 1, 2]
        others = [int(o) if whole and o == int(o) else o for o in others]
    return [o for o in dict.fromkeys(others) if o != value]


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


def _operators(place, names):
    node, found = place.node, []
    if isinstance(node, ast.BinOp):
        one = 1 in (value_of(node.right), value_of(node.left))
        if isinstance(node.op, ast.FloorDiv):
            one = False
        for kind in () if one else _OPERATORS:  # with 1, a number does it plainly
            grows = kind is ast.Pow and (
                place.inside(ALLOCATING) or not isinstance(node.op, (ast.Mult, ast.Div))
            )
            product = kind is ast.MatMult and not isinstance(node.op, ast.Mult)
            if not (isinstance(node.op, kind) or grows or product):
                rank = 3 if kind in (ast.MatMult, ast.Mod) else 1
                new = ast.BinOp(node.left, kind(), node.right)
                found.append(place.edit("operator", new, rank))
        plus = isinstance(node.op, (ast.Add, ast.Sub)) and value_of(node.right) == 1
        kind, rank = ("by one", 1) if plus else ("needless part", 0.5)
        found += [place.edit(kind, side, rank) for side in (node.left, node.right)]
        found += [place.edit("brackets", new, 1) for new in _reassociated(node)]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for kind in _COMPARISONS:
            if not isinstance(node.ops[0], kind):
                new = ast.Compare(node.left, [kind()], node.comparators)
                found.append(place.edit("comparison", new, 1))
    return found


def _reassociated(node):
    """One side of an operation drawn into the other: b · (x / c) for (b · x) / c, and
    b · f ** (x / c) for b · f ** x / c."""
    for side, near in (("left", "right"), ("right", "left")):
        spine, inner = [], getattr(node, side)
        while isinstance(inner, ast.BinOp):
            spine.append(inner)
            inner = getattr(inner, near)
            new = ast.BinOp(op=node.op, **{side: inner, near: getattr(node, near)})
            for above in reversed(spine):
                new = ast.BinOp(op=above.op, **{near: new, side: getattr(above, side)})
            yield new


def _names(place, names, attributes):
    node = place.node
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return []
    called_here = isinstance(place.parent, ast.Call) and place.name == "func"
    owner = isinstance(place.parent, ast.Attribute)
    kind, rank = "function" if called_here else "name", 4 if called_here or owner else 3
    others = [ast.Name(n, ast.Load()) for n in names if n != node.id]
    found = [place.edit(kind, other, rank) for other in others]
    if isinstance(place.parent, ast.Call) and called(place.parent) in COUNTING:
        halves = (ast.BinOp(other, ast.FloorDiv(), ast.Constant(2)) for other in others)
        found += [place.edit("counted", half, 3) for half in halves]
    if not called_here and not owner:
        for name, op in itertools.product(names, (ast.Mult, ast.Div, ast.Add)):
            new = ast.BinOp(node, op(), ast.Name(name, ast.Load()))
            found.append(place.edit("missing part", new, 6))
    for attribute in attributes:
        new = ast.Attribute(ast.Name("self", ast.Load()), attribute, ast.Load())
        kind, rank = ("self", 0) if attribute == node.id else ("name", 3)
        found.append(place.edit(kind, new, rank))
    return found


def _attributes(place, names, attributes):
    node = place.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return []
    owner, found = node.value, []
    for family in FAMILIES:
        kind = "type" if "float32" in family else "function"
        # What an array is made with is seldom what is wrong with it.
        rank = 2 if "zeros" in family else 1
        for other in family if node.attr in family else ():
            if other != node.attr:
                new = ast.Attribute(owner, other, ast.Load())
                found.append(place.edit(kind, new, rank))
    if isinstance(owner, ast.Name) and owner.id == "self":
        if node.attr in names:
            found.append(place.edit("self", ast.Name(node.attr, ast.Load()), 1))
        for other in attributes:
            if other != node.attr:
                new = ast.Attribute(owner, other, ast.Load())
                found.append(place.edit("name", new, 2))
    if node.attr.endswith("_") and isinstance(place.parent, ast.Call):
        new = ast.Attribute(owner, node.attr.rstrip("_"), ast.Load())
        found.append(place.edit("in place", new, 0))
    return found


def _calls(place, names):
    node, found = place.node, []
    if not isinstance(node, ast.Call):
        return []

    def put(kind, rank, args, keywords, about=None):
        new = ast.Call(node.func, args, keywords)
        found.append(place.edit(kind, new, rank, about))

    name, args, keywords = called(node), node.args, node.keywords
    if isinstance(node.func, ast.Attribute) and not is_module(node.func.value):
        found.append(place.edit("needless call", node.func.value, 2))
    if args and not isinstance(place.parent, ast.Expr):
        several = name in ("max", "min", "maximum", "minimum")
        for part in args if several else args[:1]:
            found.append(place.edit("needless call", part, 2))
    for n in range(len(args) - 1):
        swapped = [*args[:n], args[n + 1], args[n], *args[n + 2 :]]
        # A plain number stands for another argument more seldom than a name does.
        plain = any(value_of(arg) is not None for arg in args[n : n + 2])
        put("arguments", 2.5 if plain else 1, swapped, keywords)
    for n, keyword in enumerate(keywords):
        rest = keywords[:n] + keywords[n + 1 :]
        put("needless part", 2, args, rest, keyword.value)
        if keyword.arg in ("min", "max"):
            other = "max" if keyword.arg == "min" else "min"
            put("name", 1, args, [*rest, ast.keyword(other, keyword.value)])
    for n in (len(args) - 1, 0) if len(args) > 1 else ():
        put("needless part", 3, args[:n] + args[n + 1 :], keywords)
    if name in ALONG:
        _along_an_axis(put, name, args, keywords)
    if name == "diagonal" and len(args) + len(keywords) < 4:
        for words in (("axis1", "axis2"), ("dim1", "dim2")):
            pair = zip(words, (-2, -1), strict=True)
            along = [ast.keyword(word, number(n)) for word, n in pair]
            put("axis", 1, args, [*keywords, *along])
    if name in ("range", "arange") and len(args) == 1:
        for first in (1, 2):
            put("by one", 1, [ast.Constant(first), *args], keywords)
    return found


def _along_an_axis(put, name, args, keywords):
    """Calls along another axis, or along one that is kept."""
    kept = ast.keyword("keepdims", ast.Constant(True))
    if not keywords:
        word = "dim" if name in ("softmax", "stack", "cat", "unsqueeze") else "axis"
        for axis in _AXES[:4]:
            first = args if word == "axis" else args[:1]
            along = ast.keyword(word, number(axis))
            put("axis", 1.5, first, [along])
            if name in KEEPING:
                put("axis", 2, first, [along, kept])
    if name in KEEPING and not any(k.arg in ("keepdims", "keepdim") for k in keywords):
        put("axis", 2, args, [*keywords, kept])


def _sequences(place, names):
    """Two parts of a tuple or list swapped, or one part alone; an index moved on."""
    node, found = place.node, []
    if place.name == "slice" and not isinstance(node, (ast.Tuple, ast.Slice)):
        return [place.edit("axis", ast.Tuple([ast.Slice(), node], ast.Load()), 2)]
    if not isinstance(node, (ast.Tuple, ast.List)) or isinstance(node.ctx, ast.Store):
        return found
    indexing = isinstance(place.parent, ast.Subscript)
    for a, b in itertools.combinations(range(min(len(node.elts), 5)), 2):
        elts = list(node.elts)
        elts[a], elts[b] = elts[b], elts[a]
        new = type(node)(elts, ast.Load())
        found.append(place.edit("axis" if indexing else "order", new, 1))
    if not indexing:
        found += [place.edit("needless part", part, 3) for part in node.elts]
    return found


def _by_one(place, names):
    """One more, one fewer, half or twice of what is counted with."""
    node = place.node
    if not place.is_value or value_of(node) is not None or place.name == "func":
        return []
    in_tuple = isinstance(place.parent, ast.Tuple) and place.inside(COUNTING)
    call = isinstance(place.parent, ast.Call) and called(place.parent) in COUNTING
    counting = call and place.name == "args"  # it says how many
    returned = isinstance(place.parent, ast.Return)
    plain = (ast.Name, ast.BinOp, ast.Attribute, ast.Subscript, ast.Call)
    if not (counting or in_tuple or returned or isinstance(node, ast.Name)):
        return []
    if not isinstance(node, plain) or isinstance(place.parent, ast.Attribute):
        return []
    rank = 1 if counting or in_tuple else 2 if returned else 3
    found = []
    for op, by, more in ((ast.Add, 1, 0), (ast.Sub, 1, 0), (ast.FloorDiv, 2, 1)):
        kind = "missing factor" if more else "by one"
        new = ast.BinOp(node, op(), ast.Constant(by))
        found.append(place.edit(kind, new, rank + more))
    return found
