"""Modules that are nowhere on the disk, imported from their sources."""

import importlib.abc
import importlib.util
import linecache
import sys


class InMemory(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules of a package; what is not among them does not exist."""

    def __init__(self, sources, root="helpers"):
        self.sources, self.root = sources, root

    def find_spec(self, name, path=None, target=None):
        if name in self.sources:
            package = any(other.startswith(name + ".") for other in self.sources)
            return importlib.util.spec_from_loader(name, self, is_package=package)
        if name.split(".")[0] == self.root:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

    def exec_module(self, module):
        source, file = self.sources[module.__name__], f"<{module.__name__}>"
        # So that `inspect` finds the source of a reference, where one is there.
        lines = source.splitlines(keepends=True)
        linecache.cache[file] = (len(source), None, lines, file)
        module.__file__ = file
        exec(compile(source, file, "exec"), vars(module))

    def forget(self, names):
        """Drop what is imported already, and the modules that hold some names."""
        held = {name.rpartition(".")[0] for name in names}
        for module in list(self.sources):
            if module in sys.modules or module in held:
                self.sources[module] = ""
                linecache.cache.pop(f"<{module}>", None)
