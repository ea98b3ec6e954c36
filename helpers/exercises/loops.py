"""Whether a function works through its numbers one by one, in Python."""

import dis
import types

# Names that hide a loop over single numbers or rows.
_HIDDEN = {"map", "vectorize", "apply_along_axis", "frompyfunc"}


def has_loop(answer):
    """Whether ``answer``, or a function of the same module that it uses, loops.

    Counted are ``for``, ``while``, comprehensions, generator expressions, ``map``,
    NumPy's ``vectorize`` and its like, and functions that call themselves. Functions
    of libraries are not looked into.
    """
    return _loops(_function(answer), ())


def _function(thing):
    return getattr(thing, "__func__", thing)


def _loops(function, callers):
    if not isinstance(function, types.FunctionType):
        return False
    if function.__code__ in callers:
        return True  # it calls itself, perhaps by way of another
    names, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        steps = {step.opname for step in dis.get_instructions(code)}
        if any("FOR_ITER" in step or "JUMP_BACKWARD" in step for step in steps):
            return True
        names.update(code.co_names, code.co_freevars)
        codes.extend(c for c in code.co_consts if isinstance(c, types.CodeType))
    if names & _HIDDEN:
        return True
    used = (_named(function, name) for name in sorted(names))
    return any(
        _loops(other, (*callers, function.__code__))
        for other in used
        if getattr(other, "__module__", None) == function.__module__
    )


def _named(function, name):
    """What a name means inside of a function: of its closure, or global."""
    if name in function.__code__.co_freevars:
        cell = function.__closure__[function.__code__.co_freevars.index(name)]
        try:
            return _function(cell.cell_contents)
        except ValueError:  # not yet bound
            return None
    return _function(function.__globals__.get(name))
