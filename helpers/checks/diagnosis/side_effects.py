"""What the trials of a repair must leave alone: files, settings, the notebook's objects.

Code that reaches further than its own values is not run again, and random numbers that
are drawn in a trial are not missing outside.
"""

import ast
import random
import sys
import types
from contextlib import contextmanager
from functools import partial

import numpy as np

from helpers.checks.source import bound_names

# Code that uses one of these names may do more than compute.
_WORDS = """
    open exec eval compile input globals locals vars __import__ breakpoint exit quit
    setattr delattr os sys subprocess shutil socket requests urllib http pathlib Path
    tempfile glob multiprocessing threading ctypes importlib pickle shelve sqlite3
    signal ftplib get_ipython save savez savetxt savez_compressed load loadtxt tofile
    fromfile memmap genfromtxt savefig to_csv read_csv to_excel write_text write_bytes
    read_text unlink rmdir system popen to_pickle read_pickle to_json to_file display
    sleep hub set_default_dtype set_printoptions seterr set_num_threads rcParams
    set_default_device set_grad_enabled set_option use_deterministic_algorithms
    simplefilter filterwarnings gc atexit
"""
_OUTSIDE = frozenset(_WORDS.split())


def goes_outside(node, names):
    """Whether running a changed version of the code could change more than its result."""
    own = bound_names(node)
    there = {n: v for n, v in names.items() if n not in own}
    for inner in ast.walk(node):
        if isinstance(inner, (ast.Global, ast.Nonlocal)) or _writes_into(inner, there):
            return True
        names = [getattr(inner, "id", None) or getattr(inner, "attr", None)]
        if names == ["eval"] and isinstance(inner, ast.Attribute):
            continue  # of a network: it switches dropout off
        if isinstance(inner, (ast.Import, ast.ImportFrom)):
            names = [alias.name.split(".")[0] for alias in inner.names]
        if not _OUTSIDE.isdisjoint(names):
            return True
    return False


def _writes_into(node, names):
    """Whether it sets something in an object of the notebook: no copy is made of it."""
    if not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        return False
    inside = None
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        inside = node if isinstance(node, ast.Attribute) else inside
        node = node.value
    there = names.get(node.id) if inside and isinstance(node, ast.Name) else None
    return there is not None and not isinstance(there, (type, types.FunctionType))


@contextmanager
def no_list_within_itself():
    """An edit may put a list into itself, and torch ends the process over such a list."""
    if not (torch := sys.modules.get("torch")):
        yield
        return
    makers = {name: getattr(torch, name) for name in ("tensor", "as_tensor")}

    def guarded(make, data, *more, **options):
        if isinstance(data, list) and "[...]" in repr(data):
            raise ValueError("a list that holds itself")
        return make(data, *more, **options)

    for name, make in makers.items():
        setattr(torch, name, partial(guarded, make))
    try:
        yield
    finally:
        for name, make in makers.items():
            setattr(torch, name, make)


@contextmanager
def preserve_generators(names):
    """Outside of it the same numbers are drawn as if nothing had been drawn in here."""
    saved = [(random.setstate, random.getstate())]
    saved.append((np.random.set_state, np.random.get_state()))  # noqa: NPY002
    for own in names.values():
        if isinstance(own, np.random.Generator):
            bits = own.bit_generator
            saved.append((partial(setattr, bits, "state"), bits.state))
    if torch := sys.modules.get("torch"):
        saved.append((torch.random.set_rng_state, torch.random.get_rng_state()))
        # A trial may have been ended within the end of a `with torch.no_grad()`.
        saved.append((torch.set_grad_enabled, torch.is_grad_enabled()))
        theirs = [v for v in names.values() if isinstance(v, torch.Generator)]
        saved += [(generator.set_state, generator.get_state()) for generator in theirs]
    try:
        yield
    finally:
        for restore, state in saved:
            restore(state)
