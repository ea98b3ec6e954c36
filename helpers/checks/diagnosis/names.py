"""Layer: what is strange in the code: an unused argument, data from outside of it."""

import ast
import types

from helpers.checks import source

SLOW = 0.3  # seconds of a call that is not made once more


def strange(findings):
    """(sentence, name) on what is strange in the code itself, or None.

    Whoever forgets an argument or takes the notebook's own table for it has every step
    right and the wrong numbers.
    """
    for part in source.parts(findings.answer):
        for node in ast.walk(part.node):
            if isinstance(node, ast.Global):
                text = f"Line {node.lineno} makes `{node.names[0]}` a global name,"
                return f"{text} which all calls and objects share.", "a global name"
    outside, unused, arguments = _read(findings.task, findings.answer)
    listed = " and ".join(f"`{name}`" for name in unused)
    several = len(unused) > 1
    not_used = f"Its argument{'s' * several} {listed} {'are' if several else 'is'}"
    not_used = f"{not_used} not used." if unused else ""
    if outside is not None:
        sentence = f"Line {outside.lineno} uses the notebook's variable `{outside.id}`"
        sentence = f"{sentence}, not an argument. {not_used}".strip()
        return sentence, "uses the notebook's data"
    observed = isinstance(findings.failing[0].outcome.value, dict)
    if unused and (observed or len(unused) < len(arguments)):
        return not_used, "an argument not used"
    return None


def draws(findings):
    """(sentence, name) where the same call gives something else each time, or None."""
    task, ended = findings.task, [*findings.failing, *findings.passing]
    ended = [t for t in ended if not t.outcome.raised and t.outcome.seconds < SLOW]
    for trial in ended[:1]:
        again, value = task.called(findings.answer, trial.case), trial.outcome.value
        same = not again.raised and task.agrees(value, again.value)
        if not same and task.agrees(value, value):
            text = "It gives another result when the same call is made again."
            return text, "not the same twice"
    return None


def takes_the_notebooks_data(task, answer):
    """Whether data of the notebook is read, and an argument is not."""
    outside, unused, _ = _read(task, answer)
    return outside is not None and bool(unused)


def ignores_arguments(answer):
    """Whether a function is known to read none of its arguments."""
    _, unused, arguments = _read(None, answer)
    return bool(arguments) and len(unused) == len(arguments)


def _read(task, answer):
    """The first name from outside or None, arguments that are not read, and all."""
    part = None if isinstance(answer, type) else source.part_of(answer)
    if part is None:
        return None, [], []
    arguments = [a.arg for a in ast.walk(part.node.args) if isinstance(a, ast.arg)]
    loaded = [
        node
        for node in ast.walk(part.node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    unused = [a for a in arguments if a not in {node.id for node in loaded}]
    outside = _outside(task, source.globals_of(answer), part, loaded) if task else None
    return outside, unused, arguments


def _outside(task, names, part, loaded):
    """The first name in the code that stands for data of the notebook."""
    solution = ast.parse(task.solution_code)
    theirs = set(source.names_in(solution)) - given_or_set(solution)
    known = given_or_set(part.node) | theirs
    for node in loaded:
        value = names.get(node.id)
        data = isinstance(value, (int, float, list, tuple)) or hasattr(value, "dtype")
        constant = node.id.isupper() or isinstance(value, (bool, types.ModuleType))
        if data and not constant and node.id not in known:
            return node
    return None


def given_or_set(tree):
    """The names of the arguments in a tree and of what it assigns."""
    nodes = list(ast.walk(tree))
    return {node.arg for node in nodes if isinstance(node, ast.arg)} | {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
