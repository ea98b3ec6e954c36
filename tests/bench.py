"""What a reader waits for, and what a kernel holds then: `make bench`.

What is compared takes turns, and medians are shown. Nothing is asserted: times belong
to the machine, and ratios near 1 to the moment.
"""

import os
import subprocess
import sys
import time
from statistics import median

import nbformat
from nbclient import NotebookClient
from stored import NOTEBOOKS, imports

# Pages that processes share count for each its part; Linux knows.
PSS = "print([l.split()[1] for l in open('/proc/self/smaps_rollup') if 'Pss:' in l][0])"


def notebooks():
    """The imports against what they cannot do without; all cells, and the memory then."""
    row("Notebook", "imports, s", "ratio", "whole run, s", "memory, MiB")
    for path in NOTEBOOKS:
        cell = imports(path)
        torch_too = "import torch" in cell or "training" in cell
        libraries = f"import numpy, {'torch' if torch_too else 'pandas'}"
        own, bare = _import_seconds((cell, libraries), path.parent)
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(last := nbformat.v4.new_code_cell(PSS))
        folder = {"metadata": {"path": str(path.parent)}}
        os.environ["JPY_SESSION_NAME"] = path.name  # as JupyterLab starts a kernel
        start = time.perf_counter()
        NotebookClient(notebook, timeout=300, resources=folder).execute()
        seconds, memory = time.perf_counter() - start, int(last.outputs[0].text) / 1024
        cells = f"{own:.2f}", f"{own / bare:.2f}", f"{seconds:.1f}", f"{memory:.0f}"
        row(path.stem, *cells)


def _import_seconds(codes, folder):
    """Medians of five fresh processes each, taking turns, started with IPython."""
    times = {code: [] for code in codes}
    for code in codes * 5:
        timed = "import IPython, time; _start = time.perf_counter()\n"
        timed += f"{code}\nprint(time.perf_counter() - _start)"
        command = [sys.executable, "-c", timed]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
        times[code].append(float(done.stdout.split()[-1]))
    return map(median, times.values())


def row(first, *cells):
    print(f"{first!s:<32}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    notebooks()
