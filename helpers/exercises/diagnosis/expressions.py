"""Single changes of an expression: another number, operator, name, axis, slice, …

Each maker takes a place in the tree and gives the edits there; see `edits_of`.
"""

import ast
import itertools
import math
from functools import partial

from helpers.exercises.diagnosis.brackets import reassociated
from helpers.exercises.diagnosis.edits import called, number, value_of

_OPERATORS = (ast.Mult, ast.Div, ast.Add, ast.Sub, ast.FloorDiv, ast.Pow, ast.MatMult)
_OPERATORS += (ast.Mod,)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
# Functions that are taken for one another.
_FAMILIES = (
    ("sin", "cos", "tan"),
    ("tril", "triu"),
    ("exp", "log", "exp2", "expm1"),
    ("log", "log10", "log2", "log1p"),
    ("rad2deg", "deg2rad", "degrees", "radians"),
    ("sum", "mean", "prod", "max", "min", "ptp", "std", "var"),
    ("argmax", "argmin", "nanargmax"),
    ("max", "min", "amax", "amin", "maximum", "minimum"),
    ("hstack", "vstack", "column_stack", "dstack"),
    ("stack", "cat", "concatenate"),
    ("repeat", "tile", "repeat_interleave"),
    ("zeros", "ones", "eye", "empty"),
    ("zeros_like", "ones_like", "empty_like"),
    ("floor", "ceil", "round", "trunc"),
    ("sqrt", "square", "exp", "abs"),
    ("softmax", "log_softmax", "sigmoid"),
    ("lcm", "gcd"),
    ("outer", "dot", "inner", "matmul", "multiply", "add", "subtract", "divide"),
    ("all", "any"),
    ("append", "extend"),
    ("float32", "float64", "float16", "bfloat16", "int64", "long", "int8", "int32"),
    ("train", "eval"),
)
_REDUCTIONS = {
    *("sum", "mean", "max", "min", "prod", "softmax", "norm", "std", "var", "ptp"),
    *("argmax", "argmin", "all", "any", "stack", "cat", "concatenate", "cumsum"),
    *("flatten", "repeat", "flip", "roll", "unsqueeze", "squeeze", "log_softmax"),
}
_KEEPING = {"sum", "mean", "max", "min", "norm", "std", "var", "any", "all"}
_WITH_AXES = _REDUCTIONS | {"transpose", "permute", "swapaxes", "moveaxis", "size"}
# Never made larger by a power: memory, not only time, would run out.
_ALLOCATING = {
    *("zeros", "ones", "empty", "full", "arange", "range", "linspace", "eye", "tile"),
    *(
        "repeat",
        "expand",
        "randn",
        "rand",
        "reshape",
        "view",
        "pad",
        "outer",
        "logspace",
    ),
}
_ROUNDING = {"round", "int", "floor", "ceil", "trunc", "rint", "fix"}
_COUNTING = {"range", "arange", "zeros", "ones", "empty", "eye", "full", "linspace"}
_AXES = (-1, 0, 1, -2, 2)
_WELL_KNOWN = (math.pi, 2 * math.pi, math.pi / 2, math.e, math.log(10_000))
_NEAR = ((ast.Add, 1), (ast.Sub, 1), (ast.Mult, 2), (ast.FloorDiv, 2))


def _numbers(place, names, attributes):
    node = place.node
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return [place.edit("number", ast.Constant(not node.value), 1)]
    value = value_of(node)
    if value is None or (
        isinstance(place.parent, ast.UnaryOp) and value_of(place.parent) is not None
    ):
        return []
    axis = isinstance(place.parent, ast.keyword) and place.parent.arg in ("axis", "dim")
    call = place.parent if isinstance(place.parent, ast.Call) else None
    # Python's own `max(0, x)` has no axes.
    own = call and getattr(call.func, "id", None) in ("max", "min", "sum", "all", "any")
    axis = axis or (call and called(call) in _WITH_AXES and not own)
    kind = "axis" if axis else "index" if _is_index(place) else "number"
    if isinstance(value, int) and abs(value) < 100:
        others = [value + 1, value - 1, 0, 1, 2, -value, *_AXES] if not axis else _AXES
    elif isinstance(value, int) and place.inside(_ALLOCATING):
        others = [value // 10, value // 2, value + 1, value - 1]  # no larger tables
    else:
        others = [value * f for f in (10, 0.1, 2, 0.5, -1, 100)]
        others += [value + 1, value - 1]
        if abs(value) < 1000:
            others += [1 / value if value else 1, 0, 1, 2]
        others = [
            int(o) if isinstance(value, int) and o == int(o) else o for o in others
        ]
    others = [o for o in dict.fromkeys(others) if o != value]
    found = [place.edit(kind, number(o), 1) for o in others]
    # A well-known number with few digits: 3.14, 9.21
    exact = [o for o in _WELL_KNOWN if 0 < abs(abs(value) / o - 1) < 0.01]
    exact = [math.copysign(o, value) for o in exact]
    found += [place.edit("digits", number(o), 0) for o in exact]
    if kind == "number" and isinstance(value, int) and not place.inside({"range"}):
        # 8 where `d_model` belongs
        found += [place.edit(kind, ast.Name(n, ast.Load()), 2.5) for n in names]
    if isinstance(value, int):
        found.append(place.edit(kind, ast.Constant(float(value)), 3))
        if _counts(place):
            found += _as_many_as_pairs(place, names)
    return found


def _is_index(place):
    above = (
        place.above[-2:] if isinstance(place.parent, ast.Tuple) else place.above[-1:]
    )
    return any(isinstance(n, (ast.Subscript, ast.Slice)) for n in above)


def _operators(place, names, attributes):
    node, found = place.node, []
    if isinstance(node, ast.BinOp):
        for kind in _OPERATORS:
            if isinstance(node.op, kind):
                continue
            if kind is ast.Pow and (
                place.inside(_ALLOCATING)
                or not isinstance(node.op, (ast.Mult, ast.Div))
            ):
                continue
            if kind is ast.MatMult and not isinstance(node.op, ast.Mult):
                continue
            if value_of(node.right) == 1 or value_of(node.left) == 1:
                continue  # what an operator does with 1, a number does plainly
            rank = 3 if kind in (ast.MatMult, ast.Mod) else 1
            new = ast.BinOp(node.left, kind(), node.right)
            found.append(place.edit("operator", new, rank))
        if isinstance(node.op, (ast.Sub, ast.Div, ast.Pow, ast.MatMult, ast.FloorDiv)):
            powerful = isinstance(node.op, ast.Pow) and place.inside(_ALLOCATING)
            if not powerful:
                new = ast.BinOp(node.right, node.op, node.left)
                found.append(place.edit("order", new, 2))
        for side in (node.left, node.right):
            plus = isinstance(node.op, (ast.Add, ast.Sub)) and value_of(node.right) == 1
            kind = "by one" if plus else "needless part"
            found.append(place.edit(kind, side, 1 if plus else 0.5))
        found += reassociated(place)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for kind in _COMPARISONS:
            if not isinstance(node.ops[0], kind):
                new = ast.Compare(node.left, [kind()], node.comparators)
                found.append(place.edit("comparison", new, 1))
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        found.append(place.edit("condition", ast.BoolOp(other, node.values), 2))
        found += [place.edit("condition", value, 2) for value in node.values]
    if isinstance(node, ast.IfExp):
        found += [place.edit("condition", part, 2) for part in (node.body, node.orelse)]
    return found


def _signs(place, names, attributes):
    node, found = place.node, []
    if not place.is_value or isinstance(place.parent, (ast.Attribute, ast.Slice)):
        return []
    if isinstance(node, ast.UnaryOp):
        kind = "sign" if isinstance(node.op, ast.USub) else "needless part"
        found.append(place.edit(kind, node.operand, 1))
        if isinstance(node.op, ast.Not):
            new = ast.UnaryOp(ast.Invert(), node.operand)
            found.append(place.edit("operator", new, 1))
        # -(a · b) for -a · b is the same; (-a) ** b is not
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.BinOp):
            inner = node.operand
            new = ast.BinOp(ast.UnaryOp(ast.USub(), inner.left), inner.op, inner.right)
            found.append(place.edit("brackets", new, 2))
        return found
    if isinstance(node, (ast.Name, ast.Call, ast.BinOp, ast.Subscript, ast.Compare)):
        if isinstance(place.parent, ast.Call) and place.name == "func":
            return []
        found.append(place.edit("sign", ast.UnaryOp(ast.USub(), node), 2))
        if isinstance(place.parent, (ast.Call, ast.Assign, ast.Return)):
            found.append(place.edit("sign", ast.UnaryOp(ast.Invert(), node), 4))
    return found


def _names(place, names, attributes):
    node = place.node
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return []
    is_function = isinstance(place.parent, ast.Call) and place.name == "func"
    rank = 4 if is_function or isinstance(place.parent, ast.Attribute) else 3
    found = [
        place.edit("function" if is_function else "name", ast.Name(n, ast.Load()), rank)
        for n in names
        if n != node.id
    ]
    if not is_function and not isinstance(place.parent, ast.Attribute):
        for other in names:
            for op in (ast.Mult, ast.Div):
                new = ast.BinOp(node, op(), ast.Name(other, ast.Load()))
                found.append(place.edit("missing step", new, 5))
    for attribute in attributes:
        new = ast.Attribute(ast.Name("self", ast.Load()), attribute, ast.Load())
        same = attribute == node.id
        found.append(place.edit("self" if same else "name", new, 0 if same else 3))
    return found


def _attributes(place, names, attributes):
    node = place.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return []
    found = []
    for family in _FAMILIES:
        if node.attr in family:
            for other in family:
                if other != node.attr:
                    new = ast.Attribute(node.value, other, ast.Load())
                    kind = "type" if "float32" in family else "function"
                    # What an array is made with is seldom what is wrong with it.
                    rank = 2 if "zeros" in family else 1
                    found.append(place.edit(kind, new, rank))
    owner = node.value
    if isinstance(owner, ast.Name) and owner.id == "self":
        if node.attr in names:
            found.append(place.edit("self", ast.Name(node.attr, ast.Load()), 1))
        for other in attributes:
            if other != node.attr:
                new = ast.Attribute(owner, other, ast.Load())
                found.append(place.edit("name", new, 2))
    if node.attr in ("T", "mT"):
        found.append(place.edit("needless call", owner, 1))
        new = ast.Attribute(owner, "mT" if node.attr == "T" else "T", ast.Load())
        found.append(place.edit("axis", new, 1))
    if node.attr.endswith("_") and isinstance(place.parent, ast.Call):
        new = ast.Attribute(owner, node.attr.rstrip("_"), ast.Load())
        found.append(place.edit("in place", new, 0))
    return found


def _calls(place, names, attributes):
    node, found = place.node, []
    if not isinstance(node, ast.Call):
        return []
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
        found.append(place.edit("needless call", node.func.value, 2))
    if node.args and not isinstance(place.parent, ast.Expr):
        several = called(node) in ("max", "min", "maximum", "minimum")
        for part in node.args if several else node.args[:1]:
            found.append(place.edit("needless call", part, 2))
    if (
        len(node.args) == 1
        and isinstance(node.args[0], ast.BinOp)
        and not node.keywords
    ):
        inner = node.args[0]  # f(x) · y for f(x · y)
        # Rounding elsewhere only hides it.
        rank = 3 if called(node) in _ROUNDING else 1
        first = ast.Call(node.func, [inner.left], [])
        new = ast.BinOp(first, inner.op, inner.right)
        found.append(place.edit("brackets", new, rank))
        last = ast.Call(node.func, [inner.right], [])
        new = ast.BinOp(inner.left, inner.op, last)
        found.append(place.edit("brackets", new, rank + 1))
    for n in range(len(node.args) - 1):
        args = list(node.args)
        args[n], args[n + 1] = args[n + 1], args[n]
        # A plain number stands for another argument more seldom than a name does.
        plain = any(value_of(arg) is not None for arg in args[n : n + 2])
        new = ast.Call(node.func, args, node.keywords)
        found.append(place.edit("arguments", new, 2.5 if plain else 1))
    for n, keyword in enumerate(node.keywords):
        rest = node.keywords[:n] + node.keywords[n + 1 :]
        new = ast.Call(node.func, node.args, rest)
        found.append(place.edit("needless part", new, 2, about=keyword.value))
    if len(node.args) > 1:
        for n in (len(node.args) - 1, 0):
            args = node.args[:n] + node.args[n + 1 :]
            new = ast.Call(node.func, args, node.keywords)
            found.append(place.edit("needless part", new, 3))
    name = called(node)
    if name in _REDUCTIONS and not node.keywords:
        word = "dim" if name in ("softmax", "stack", "cat", "unsqueeze") else "axis"
        for axis in _AXES[:4]:
            more = [ast.keyword(word, number(axis))]
            args = node.args if word == "axis" else node.args[:1]
            new = ast.Call(node.func, args, more)
            found.append(place.edit("axis", new, 2))
            if name in _KEEPING:
                kept = [*more, ast.keyword("keepdims", ast.Constant(True))]
                found.append(place.edit("axis", ast.Call(node.func, args, kept), 3))
    if name in _REDUCTIONS and not any(
        k.arg in ("keepdims", "keepdim") for k in node.keywords
    ):
        more = [*node.keywords, ast.keyword("keepdims", ast.Constant(True))]
        new = ast.Call(node.func, node.args, more)
        found.append(place.edit("axis", new, 3))
    if name in _COUNTING and len(node.args) == 1:
        for first in (ast.Constant(1), ast.Constant(2)):
            if name in ("range", "arange"):
                new = ast.Call(node.func, [first, *node.args], node.keywords)
                found.append(place.edit("by one", new, 1))
    return found


def _is_module(node):
    modules = ("np", "numpy", "torch", "math", "nn", "F", "scipy", "itertools")
    return isinstance(node, ast.Name) and node.id in modules


def _slices(place, names, attributes):
    node, found = place.node, []
    if isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            old = getattr(node, part)
            bounds = {p: getattr(node, p) for p in ("lower", "upper", "step")}
            options = [None] if old is not None else []
            if part == "lower":
                options += [ast.Constant(1)] if old is None else []
            if part == "step":
                options += [ast.Constant(2), number(-1)] if old is None else []
            if part == "upper" and old is None:
                options += [number(-1)]
            if old is not None and value_of(old) is None:
                options += [
                    ast.BinOp(old, op(), ast.Constant(1)) for op in (ast.Add, ast.Sub)
                ]
                options += [ast.BinOp(old, ast.Mult(), ast.Constant(2))]
                options += [ast.BinOp(old, ast.FloorDiv(), ast.Constant(2))]
            for option in options:
                new = ast.Slice(**{**bounds, part: option})
                found.append(place.edit("slice", new, 1))
        if node.lower and node.upper:
            new = ast.Slice(node.upper, node.lower, node.step)
            found.append(place.edit("slice", new, 2))
        if node.lower or node.upper:  # [n:] for [:n]
            new = ast.Slice(node.upper, node.lower, node.step)
            found.append(place.edit("slice", new, 2))
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        found.append(place.edit("needless part", node.value, 2))
    if isinstance(node, ast.Tuple) and isinstance(getattr(node, "ctx", None), ast.Load):
        for a, b in itertools.combinations(range(min(len(node.elts), 5)), 2):
            elts = list(node.elts)
            elts[a], elts[b] = elts[b], elts[a]
            kind = "axis" if isinstance(place.parent, ast.Subscript) else "order"
            found.append(place.edit(kind, ast.Tuple(elts, ast.Load()), 1))
        if not isinstance(place.parent, ast.Subscript):
            found += [place.edit("needless part", e, 3) for e in node.elts]
    if (
        isinstance(node, ast.List)
        and isinstance(node.ctx, ast.Load)
        and len(node.elts) > 1
    ):
        for n in range(len(node.elts) - 1):
            elts = list(node.elts)
            elts[n], elts[n + 1] = elts[n + 1], elts[n]
            found.append(place.edit("order", ast.List(elts, ast.Load()), 1))
    return found


def _by_one(place, names, attributes):
    """One more, one fewer, half or twice of what is counted with."""
    node = place.node
    if not place.is_value or value_of(node) is not None:
        return []
    counting = _counts(place)
    in_tuple = isinstance(place.parent, ast.Tuple) and place.inside(_COUNTING)
    returned = isinstance(place.parent, ast.Return)
    plain = (ast.Name, ast.BinOp, ast.Attribute, ast.Subscript, ast.Call)
    if not (counting or in_tuple or returned or isinstance(node, ast.Name)):
        return []
    if not isinstance(node, plain) or isinstance(place.parent, ast.Attribute):
        return []
    if place.name == "func":
        return []
    rank = 1 if counting or in_tuple else 2 if returned else 3
    found = [
        place.edit("by one", ast.BinOp(node, op(), ast.Constant(1)), rank)
        for op in (ast.Add, ast.Sub)
    ]
    for op, by in ((ast.FloorDiv, 2), (ast.Mult, 2)):
        new = ast.BinOp(node, op(), ast.Constant(by))
        found.append(place.edit("missing step", new, rank + 1))
    if counting:
        found += _as_many_as_pairs(place, names)
    return found


def _counts(place):
    """Whether it says how many: an argument of `range`, `zeros` or the like."""
    call = isinstance(place.parent, ast.Call) and called(place.parent) in _COUNTING
    return call and place.name == "args"


def _as_many_as_pairs(place, names):
    """As many as there are pairs of columns, where another number is counted."""
    for name in names:
        half = ast.BinOp(ast.Name(name, ast.Load()), ast.FloorDiv(), ast.Constant(2))
        yield place.edit("counted", half, 3)


_WRAPPERS = (
    "np.sqrt({})",
    "abs({})",
    "({}) ** 2",
    "({}) ** 0.5",
    "1 / ({})",
    "2 * ({})",
    "({}) / 2",
    "2 * np.pi * ({})",
    "np.pi * ({})",
    "({}).T",
    "({}).transpose(-2, -1)",
    "({})[::-1]",
    "({})[:, None]",
    "({}).sum()",
    "({}).sum(-1)",
    "({}).sum(0)",
    "np.exp({})",
    "np.log({})",
    "np.cos({})",
    "np.sin({})",
    "float({})",
    "int({})",
    "({}).astype(float)",
    "np.asarray({})",
    "({}).float()",
    "({}).double()",
    "({}).bool()",
    "({}).flatten(-2)",
    "({}).reshape(-1)",
    "({}).softmax(-1)",
    "({}).unsqueeze(0)",
    "({}).unsqueeze(1)",
    "({}).item()",
    "({})[0]",
    "({})[-1]",
    "({})()",
    "1 - ({})",
    "len({})",
    "tuple({})",
    "list({})",
)
_COPIES = ("({}).clone()", "({}).copy()")


def _wrapped(template, node):
    """The template's expression with a node in place of ``{}``."""
    tree = ast.parse(template.format("hole"), mode="eval").body
    for part in ast.walk(tree):
        if hasattr(part, "lineno"):
            ast.copy_location(part, node)
    for parent in list(ast.walk(tree)):
        for name, value in ast.iter_fields(parent):
            if isinstance(value, ast.Name) and value.id == "hole":
                setattr(parent, name, node)
            elif isinstance(value, list):
                value[:] = [node if getattr(v, "id", 0) == "hole" else v for v in value]
    return tree


def _missing(place, names, attributes):
    """A step that is missing: the value goes through one more function."""
    node = place.node
    if not place.is_value or value_of(node) is not None:
        return []
    whole = isinstance(place.parent, (ast.Return, ast.Assign, ast.Lambda))
    argument = isinstance(place.parent, ast.Call) and place.name == "args"
    operand = isinstance(place.parent, (ast.BinOp, ast.Subscript, ast.Attribute))
    if not (whole or argument or operand) or not isinstance(
        node, (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.UnaryOp)
    ):
        return []
    if isinstance(place.parent, ast.Attribute) and _is_module(node):
        return []
    rank = 3 if whole else 5
    found = [
        place.edit("missing step", partial(_wrapped, t, node), rank) for t in _WRAPPERS
    ]
    if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and not operand:
        found += [place.edit("copy", partial(_wrapped, t, node), 1) for t in _COPIES]
    return found


MAKERS = (
    _numbers,
    _operators,
    _signs,
    _names,
    _attributes,
    _calls,
    _slices,
    _by_one,
    _missing,
)
