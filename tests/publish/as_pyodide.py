"""Run notebooks as a kernel of Pyodide would: no signals, threads, processes, torch.

``python as_pyodide.py NOTEBOOK …`` in the folder of `helpers.publish.lite` runs every
cell; a line tells of each thing that goes wrong.
"""

import contextlib
import importlib.abc
import io
import multiprocessing
import signal
import subprocess
import sys
import threading
from pathlib import Path

MISSING = {"torch", "resource", "vl_convert", "fcntl", "termios", "_multiprocessing"}


class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def unavailable(*_, **__):
    raise RuntimeError("not in a browser")


def become_a_browser():
    sys.platform = "emscripten"
    for name in ("setitimer", "alarm", "SIGALRM", "ITIMER_REAL"):
        delattr(signal, name)
    threading.Thread.start = unavailable
    subprocess.Popen.__init__ = unavailable
    multiprocessing.Process.start = unavailable
    sys.meta_path.insert(0, Missing())
    sys.path.insert(0, "")


def run(path):
    """Run every cell but the one that fetches packages."""
    import nbformat
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.reset()
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and cell.id != "packages":
            with contextlib.redirect_stdout(io.StringIO()):
                error = shell.run_cell(cell.source).error_in_exec
            if error:
                yield f"{path.stem} {cell.id}: {error!r}"


if __name__ == "__main__":
    become_a_browser()
    for path in map(Path, sys.argv[1:]):
        print(*run(path), sep="\n", end="")
