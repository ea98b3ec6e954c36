"""A change of a syntax tree: what it is about, how it is made and taken back."""

import ast
from dataclasses import dataclass


@dataclass
class Edit:
    """One change: a kind, the node that it is about, and what to put where.

    ``changes`` are ``(parent, field, index or None, new)``; a new list takes the place
    of a whole body.
    """

    kind: str
    node: ast.AST
    changes: list
    rank: int = 0
    product: ast.AST | None = None  # the one in which a number stands

    @property
    def quoted(self):
        """What a message quotes: of a wrong factor, any in its product may be it."""
        return self.product or self.node

    @property
    def puts_in(self):
        """Whether it puts something in: that mends much that does not lack it."""
        return self.kind.startswith("missing")

    def apply(self):
        """Make the change; returns what `undo` needs."""
        before = []
        for *where, new in self.changes:
            before.append((*where, _put(*where, new)))
        return before

    @staticmethod
    def undo(before):
        """Take the change back."""
        for change in reversed(before):
            _put(*change)


def _put(parent, name, index, new):
    """Put something in a place of the tree; returns what stood there."""
    there = vars(parent) if index is None else getattr(parent, name)
    key = name if index is None else index
    old = there[key]
    there[key] = new
    return old


@dataclass
class EditSite:
    """A node with what stands around it."""

    node: ast.AST
    parent: ast.AST
    name: str
    index: int | None
    above: tuple  # the nodes that hold it, the nearest last

    def edit(self, kind, rank, new, about=None):
        new = with_positions(new, self.node)
        change = (self.parent, self.name, self.index, new)
        product = self.product if kind == "number" else None
        return Edit(kind, about or self.node, [change], rank, product=product)

    @property
    def product(self):
        """The largest product or quotient that it is a factor of, or None."""
        found = None
        for node in reversed(self.above):
            if not isinstance(getattr(node, "op", None), (ast.Mult, ast.Div)):
                break
            found = node
        return found

    @property
    def is_whole(self):
        """Whether it is all that a line returns or gives a name."""
        return isinstance(self.parent, (ast.Return, ast.Assign, ast.Lambda))

    @property
    def is_value(self):
        """Whether a value is read here; what `s[0] = 1` writes into is none."""
        context = getattr(self.node, "ctx", None)
        above = getattr(self.parent, "ctx", None) if self.name == "value" else None
        written = (ast.Store, ast.Del)
        return isinstance(self.node, ast.expr) and not isinstance(
            above if isinstance(above, written) else context, written
        )

    def inside(self, calls):
        """Whether it stands in the arguments of one of these calls."""
        return any(isinstance(n, ast.Call) and called(n) in calls for n in self.above)


def edit_sites(root):
    """Every expression below a node, as a place; not those in annotations."""
    waiting = [(root, ())]
    while waiting:
        parent, above = waiting.pop(0)
        for name, value in ast.iter_fields(parent):
            heading = isinstance(parent, ast.ClassDef) and name in ("bases", "keywords")
            if heading or name in ("annotation", "returns", "decorator_list"):
                continue
            several = value if isinstance(value, list) else [value]
            for n, child in enumerate(several):
                if not isinstance(child, ast.AST):
                    continue
                inside = (*above, parent)
                waiting.append((child, inside))
                if isinstance(child, ast.expr):
                    index = n if isinstance(value, list) else None
                    yield EditSite(child, parent, name, index, inside)


def called(call):
    """The name of the function that a call calls, without its module."""
    function = call.func
    return getattr(function, "attr", None) or getattr(function, "id", None)


def with_positions(new, old):
    """The new node, with the place of an old one wherever it has none."""
    if hasattr(new, "lineno"):
        return new
    if isinstance(new, (ast.expr, ast.stmt, ast.keyword, ast.arg)):
        ast.copy_location(new, old)
    for child in ast.iter_child_nodes(new):
        with_positions(child, old)
    return new


def number(value):
    if isinstance(value, (int, float)) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def value_of(node):
    """The number that a node spells, with its sign; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = value_of(node.operand)
        return None if inner is None else -inner
    is_number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return node.value if is_number else None
