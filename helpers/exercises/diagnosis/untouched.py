"""What the trials of a repair must leave alone: files, settings, the notebook's objects.

Code that reaches further than its own values is not run again, and random numbers that
are drawn in a trial are not missing outside.
"""

import ast
import random
import sys
import types

import numpy as np

# Code that uses one of these names may do more than compute.
_OUTSIDE = {
    *("open", "exec", "eval", "compile", "input", "globals", "locals", "vars"),
    *("__import__", "breakpoint", "exit", "quit", "setattr", "delattr", "print_file"),
    *("os", "sys", "subprocess", "shutil", "socket", "requests", "urllib", "http"),
    *("pathlib", "Path", "tempfile", "glob", "multiprocessing", "threading", "ctypes"),
    *("importlib", "pickle", "shelve", "sqlite3", "signal", "ftplib", "get_ipython"),
    *("save", "savez", "savetxt", "savez_compressed", "load", "loadtxt", "tofile"),
    *("fromfile", "memmap", "genfromtxt", "savefig", "to_csv", "read_csv", "to_excel"),
    *("write_text", "write_bytes", "read_text", "unlink", "rmdir", "system", "popen"),
    *("to_pickle", "read_pickle", "to_json", "to_file", "display", "sleep", "hub"),
    *("set_default_dtype", "set_printoptions", "seterr", "set_num_threads", "rcParams"),
    *("set_default_device", "set_grad_enabled", "set_option"),
    *("use_deterministic_algorithms", "simplefilter", "filterwarnings", "gc", "atexit"),
}


def goes_outside(node, names):
    """Whether running a changed version of the code could change more than its result."""
    own = _own_names(node)
    names = {n: v for n, v in names.items() if n not in own}
    for inner in ast.walk(node):
        if _writes_into(inner, names):
            return True
        if isinstance(inner, (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)):
            if not isinstance(inner, (ast.Import, ast.ImportFrom)):
                return True
            if any(a.name.split(".")[0] in _OUTSIDE for a in inner.names):
                return True
        name = getattr(inner, "id", None) or getattr(inner, "attr", None)
        if name in _OUTSIDE:
            return True
    return False


def _own_names(node):
    """The names of a function's arguments and of what it assigns."""
    inside = list(ast.walk(node))
    own = {
        n.id
        for n in inside
        if isinstance(getattr(n, "ctx", None), ast.Store) and isinstance(n, ast.Name)
    }
    return own | {n.arg for n in inside if isinstance(n, ast.arg)}


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


class AsBefore:
    """Outside of it the same numbers are drawn as if nothing had been drawn in here."""

    def __init__(self, names):
        self.torch = sys.modules.get("torch")
        kinds = (np.random.Generator, *([self.torch.Generator] if self.torch else []))
        self.generators = [v for v in names.values() if isinstance(v, kinds)]

    def __enter__(self):
        self.python, self.numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
        self.state = self.torch.random.get_rng_state() if self.torch else None
        self.learns = self.torch and self.torch.is_grad_enabled()
        self.own = [_state(generator) for generator in self.generators]

    def __exit__(self, *_):
        random.setstate(self.python)
        np.random.set_state(self.numpy)  # noqa: NPY002
        if self.torch:
            self.torch.random.set_rng_state(self.state)
            # A trial may have been ended within the end of a `with torch.no_grad()`.
            self.torch.set_grad_enabled(self.learns)
        for generator, state in zip(self.generators, self.own, strict=True):
            if isinstance(generator, np.random.Generator):
                generator.bit_generator.state = state
            else:
                generator.set_state(state)


def _state(generator):
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    return generator.get_state()
