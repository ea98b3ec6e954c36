"""Layer: names in the code: an argument that is not used, data from outside of it."""

import ast
import types

from helpers.exercises import source


def strange(findings):
    """(sentence, name) on arguments that are not used or global data that are, or None.

    Read from the code: whoever forgets an argument or takes the notebook's own table
    for it has every step right and the wrong numbers.
    """
    outside, unused, arguments = _read(findings)
    if outside is not None:
        also = f", and {_not_used(unused)}" if unused else ""
        return (
            f"In line {outside.lineno}, `{outside.id}` is none of its arguments: it is "
            f"the notebook's own{also}.",
            "uses the notebook's data",
        )
    if unused and len(unused) < len(arguments):
        sentence = _not_used(unused)
        return f"{sentence[0].upper()}{sentence[1:]}.", "an argument not used"
    measured = _only_measured(findings)
    if measured:
        listed = " and ".join(f"`{name}`" for name in measured)
        sentence = (
            f"Of its argument {listed} it uses the length or shape and nothing else."
        )
        return sentence, "only the size of an argument"
    return None


def in_place_of_an_argument(findings):
    """What `strange` says where data of the notebook is read and an argument is not."""
    outside, unused, _ = _read(findings)
    return strange(findings) if outside is not None and unused else None


def _read(findings):
    """The first name from outside or None, arguments that are not read, and all."""
    part = source.part_of(findings.answer)
    if part is None or isinstance(findings.answer, type):
        return None, [], []
    arguments = [a.arg for a in ast.walk(part.node.args) if isinstance(a, ast.arg)]
    loaded = [
        node
        for node in ast.walk(part.node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    unused = [a for a in arguments if a not in {node.id for node in loaded}]
    return _outside(findings, part, loaded), unused, arguments


def _only_measured(findings):
    """The arguments of which only the size is read, where the solution reads more."""
    part = source.part_of(findings.answer)
    solution = ast.parse(findings.task.solution_code).body[0]
    if not isinstance(getattr(part, "node", None), ast.FunctionDef):
        return []
    if not isinstance(solution, ast.FunctionDef):
        return []
    both = zip(part.node.args.args, solution.args.args, strict=False)
    return [
        own.arg
        for own, theirs in both
        if _is_only_measured(own.arg, part.node)
        and not _is_only_measured(theirs.arg, solution)
    ]


def _is_only_measured(name, function):
    measured, read = set(), set()
    for node in ast.walk(function):
        inner = None
        if isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "ndim"):
            inner = node.value
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len":
            inner = node.args[0] if node.args else None
        if inner is not None:
            measured.add(id(inner))
        if isinstance(node, ast.Name) and node.id == name:
            read.add(id(node))
    return bool(read) and read <= measured


def deaf(answer):
    """Whether a function is known to read none of its arguments."""
    part = None if isinstance(answer, type) else source.part_of(answer)
    if part is None:
        return False
    arguments = {a.arg for a in ast.walk(part.node.args) if isinstance(a, ast.arg)}
    return bool(arguments) and arguments.isdisjoint(source.names_in(part.node))


def _not_used(arguments):
    listed = " and ".join(f"`{name}`" for name in arguments)
    if len(arguments) == 1:
        return f"its argument {listed} is not used"
    return f"its arguments {listed} are not used"


def _from_outside(tree):
    """The names in a function that it is not given and does not make itself."""
    return set(source.names_in(tree)) - _given_or_set(tree)


def _outside(findings, part, loaded):
    """The first name in the code that stands for data of the notebook."""
    names = source.globals_of(findings.answer)
    own = _given_or_set(part.node)
    theirs = _from_outside(ast.parse(findings.task.solution_code))
    for node in loaded:
        value = names.get(node.id)
        data = isinstance(value, (int, float, list, tuple)) or hasattr(value, "dtype")
        constant = node.id.isupper() or isinstance(value, (bool, types.ModuleType))
        if data and not constant and node.id not in own | theirs:
            return node
    return None


def _given_or_set(tree):
    """The names of the arguments in a tree and of what it assigns."""
    nodes = list(ast.walk(tree))
    return {node.arg for node in nodes if isinstance(node, ast.arg)} | {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
