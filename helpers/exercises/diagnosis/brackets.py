"""Part of the repair: the edits that put brackets in another way."""

import ast

from helpers.exercises.diagnosis.edits import value_of


def reassociated(place):
    """The other way to put brackets: (a · b) · c for a · (b · c), and back."""
    node = place.node
    found = [place.edit("brackets", new, 1) for new in _drawn_in(node)]
    for side, other in (("left", "right"), ("right", "left")):
        unary, rest = getattr(node, side), getattr(node, other)
        if isinstance(unary, ast.UnaryOp) and value_of(unary) is None:
            pair = {side: unary.operand, other: rest}
            new = ast.UnaryOp(unary.op, ast.BinOp(op=node.op, **pair))
            found.append(place.edit("brackets", new, 1))
        # f(x · y) for f(x) · y
        if isinstance(unary, ast.Call) and len(unary.args) == 1 and not unary.keywords:
            pair = {side: unary.args[0], other: rest}
            new = ast.Call(unary.func, [ast.BinOp(op=node.op, **pair)], [])
            found.append(place.edit("brackets", new, 2))
    return found


def _drawn_in(node):
    """One side of an operation drawn into the other: b · (x / c) for (b · x) / c, and
    b · f ** (x / c) for b · f ** x / c."""
    for side, near in (("left", "right"), ("right", "left")):
        spine, inner = [], getattr(node, side)
        while isinstance(inner, ast.BinOp):
            spine.append(inner)
            inner = getattr(inner, near)
            new = ast.BinOp(op=node.op, **{side: inner, near: getattr(node, near)})
            for above in reversed(spine):
                ends = {near: new, side: getattr(above, side)}
                new = ast.BinOp(op=above.op, **ends)
            yield new
