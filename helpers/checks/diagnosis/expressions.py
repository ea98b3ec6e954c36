"""Single changes of an expression: another number, operator, name, axis, slice, …

Each maker takes an EditSite of the tree and yields (kind, rank, what may have to stand
there); the lower the rank, the sooner it is tried.
"""

import ast
import builtins
import itertools
import math

from helpers.checks.diagnosis.edits import (
    Edit,
    called,
    edit_sites,
    everywhere,
    number,
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
    steps_in,
)

_OPERATORS = (ast.Mult, ast.Div, ast.Add, ast.Sub, ast.FloorDiv, ast.Mod, ast.Pow)
_OPERATORS += (ast.MatMult,)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_AXES = (-1, 0, 1, -2, 2)


def edits_of(node, solution, names, attributes):
    """Every single edit of a function or class, towards a solution, too."""
    steps, found = _steps(node, solution), []
    known_steps = steps_in(solution)
    for site in edit_sites(node):
        for made in (
            _numbers(site, names),
            _operators(site),
            _calls(site),
            _sequences(site),
            _names(site, names, attributes),
            _attributes(site, names, attributes),
            _by_one(site),
            _returned(site, names),
            _missing_steps(site, steps),
            _conditions(site),
            rewritten(site, known_steps),
        ):
            found += [site.edit(*what) for what in made]
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


def _returned(site, names):
    """Another name returned, where one step too many stands behind `return`."""
    if isinstance(site.parent, ast.Return) and not isinstance(site.node, ast.Name):
        for name in names:
            yield "not returned", 3, ast.Name(name, ast.Load())


def _missing_steps(site, steps):
    """A call of the solution around a value."""
    whole = isinstance(site.parent, (ast.Return, ast.Assign, ast.Lambda))
    for call in steps if is_read(site) else ():
        func, args = call.func, [site.node, *call.args[1:]]
        if isinstance(func, ast.Attribute) and not is_module(func.value):
            func, args = ast.Attribute(site.node, func.attr, ast.Load()), call.args
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


def _numbers(site, names):
    value = value_of(site.node)
    if value is None or value_of(site.parent) is not None:  # the 1 in -1
        return
    kind = "axis" if _is_axis(site) else "index" if _is_index(site) else "number"
    for other in dict.fromkeys(_other_numbers(value, kind, site.inside(ALLOCATING))):
        if other != value:
            yield kind, 1, number(other)
    if kind == "number" and isinstance(value, int) and not site.inside({"range"}):
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


def _is_axis(site):
    if isinstance(site.parent, ast.keyword):
        return site.parent.arg in ("axis", "dim")
    call = site.parent if isinstance(site.parent, ast.Call) else None
    # Python's own `max(0, x)` has no axes.
    own = call and isinstance(call.func, ast.Name)
    return bool(call and called(call) in ALONG | WITH_AXES and not own)


def _is_index(site):
    depth = 2 if isinstance(site.parent, ast.Tuple) else 1
    return any(isinstance(n, (ast.Subscript, ast.Slice)) for n in site.above[-depth:])


def _operators(site):
    """Another operator, or one side alone."""
    node = site.node
    if isinstance(node, ast.BinOp):
        for kind in _OPERATORS:
            if not isinstance(node.op, kind) and _may_stand(kind, site):
                rank = 3 if kind is ast.MatMult else 1
                yield "operator", rank, ast.BinOp(node.left, kind(), node.right)
        by_one = isinstance(node.op, (ast.Add, ast.Sub)) and value_of(node.right) == 1
        kind, rank = ("by one", 1) if by_one else ("needless part", 0.5)
        yield kind, rank, node.left
        yield kind, rank, node.right
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for kind in _COMPARISONS:
            if not isinstance(node.ops[0], kind):
                other = ast.Compare(node.left, [kind()], node.comparators)
                yield "comparison", 1, other


def _may_stand(kind, site):
    """Whether an operator may stand there in place of the one that does."""
    node, sized = site.node, site.inside(ALLOCATING)
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


def _conditions(site):
    """A condition that need not be asked."""
    if isinstance(site.parent, ast.If) and site.name == "test":
        yield "always holds", 2, ast.Constant(True)
        yield "always holds", 2, ast.Constant(False)


def _names(site, names, attributes):
    node = site.node
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    called_here = isinstance(site.parent, ast.Call) and site.name == "func"
    kind = "function" if called_here else "name"
    rank = 4 if called_here or isinstance(site.parent, ast.Attribute) else 3
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


def _attributes(site, names, attributes):
    node = site.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return
    own = isinstance(node.value, ast.Name) and node.value.id == "self"
    kinds = [("type" if "float32" in f else "function", 1, f) for f in FAMILIES]
    if own:
        kinds.append(("name", 2, [node.attr, *attributes]))
        if node.attr in names:
            yield "self", 1, ast.Name(node.attr, ast.Load())
    if node.attr.endswith("_") and isinstance(site.parent, ast.Call):
        yield "in site", 0, ast.Attribute(node.value, node.attr[:-1], ast.Load())
    for kind, rank, others in kinds:
        for other in others if node.attr in others else ():
            if other != node.attr:
                yield kind, rank, ast.Attribute(node.value, other, ast.Load())


def _calls(site):
    node = site.node
    if not isinstance(node, ast.Call):
        return
    name, args, keywords = called(node), node.args, node.keywords
    if isinstance(node.func, ast.Attribute) and not is_module(node.func.value):
        yield "needless call", 2, node.func.value
    if args and not isinstance(site.parent, ast.Expr):
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


def _sequences(site):
    """Two parts of a tuple or list swapped."""
    node = site.node
    if not isinstance(node, (ast.Tuple, ast.List)) or isinstance(node.ctx, ast.Store):
        return
    kind = "axis" if isinstance(site.parent, ast.Subscript) else "order"
    for a, b in itertools.combinations(range(min(len(node.elts), 5)), 2):
        elts = list(node.elts)
        elts[a], elts[b] = elts[b], elts[a]
        yield kind, 1, type(node)(elts, ast.Load())


def _by_one(site):
    """One more, one fewer, or half of what is counted with."""
    node, above = site.node, site.parent
    call = isinstance(above, ast.Call) and called(above) in COUNTING
    counting = call and site.name == "args"  # it says how many
    returned = isinstance(above, ast.Return)
    counted = counting or returned or isinstance(node, ast.Name)
    tested = isinstance(above, (ast.If, ast.While, ast.BoolOp, ast.IfExp))
    if is_read(site) and counted and not (tested or isinstance(above, ast.Attribute)):
        rank = 1 if counting else 2 if returned else 3
        yield "by one", rank, ast.BinOp(node, ast.Add(), ast.Constant(1))
        yield "by one", rank, ast.BinOp(node, ast.Sub(), ast.Constant(1))
        if counting:
            half = ast.BinOp(node, ast.FloorDiv(), ast.Constant(2))
            yield "missing factor", rank + 1, half
