"""Speed and memory, as ratios within one run: `make bench`.

One thread. What is compared takes turns, and medians are shown. Nothing is asserted:
times belong to the machine, and ratios near 1 to the moment.
"""

import math
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import nbformat
import torch
from nbclient import NotebookClient
from stored import NOTEBOOKS, imports
from torch import nn

from helpers import PositionalEncoding, measuring, sinusoidal_table

sys.path.append(str(Path(__file__).parent / "browser"))
SIZES = {(20, 16): 501, (512, 512): 101, (5000, 512): 31, (100_000, 512): 7}
BATCHES = {(32, 64, 512): 61, (8, 2048, 512): 15}
# Pages that processes share count for each its part; Linux knows.
PSS = "print([l.split()[1] for l in open('/proc/self/smaps_rollup') if 'Pss:' in l][0])"


def log_space(max_len, d_model):
    """The usual construction: float32, exponential of a logarithm."""
    position = torch.arange(max_len, dtype=torch.float).unsqueeze(1)
    pairs = torch.arange(0, d_model, 2, dtype=torch.float)
    speeds = torch.exp(pairs * (-math.log(10_000.0) / d_model))
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(position * speeds)
    table[:, 1::2] = torch.cos(position * speeds)
    return table


def build():
    print("\nBuilding the table: milliseconds, peak of the tensors over the result")
    row("size", "log space", "ours", "ours/log", "peak, log", "peak, ours")
    for size, repeats in SIZES.items():
        calls = [lambda b=b, s=size: b(*s) for b in (log_space, sinusoidal_table)]
        named = dict(zip(("log", "ours"), calls, strict=True))
        measuring.median_seconds(named, 1)
        log, ours = measuring.median_seconds(named, repeats).values()
        peaks = [measuring.peak_bytes(call) / (4 * math.prod(size)) for call in calls]
        times = f"{1e3 * log:.3f}", f"{1e3 * ours:.3f}", f"{ours / log:.2f}"
        row("{} x {}".format(*size), *times, *(f"{peak:.2f}" for peak in peaks))


def forward():
    print("\nForward, over what it cannot do without: the sum, and the dropout")
    row("batch", "eval/add", "scaled/add", "train/dropout")
    for shape, repeats in BATCHES.items():
        x, dropout = torch.randn(shape), nn.Dropout(0.1)
        plain = PositionalEncoding(shape[2]).eval()
        scaled = PositionalEncoding(shape[2], scale_input=True).eval()
        trained = PositionalEncoding(shape[2])
        rows = plain.table[: shape[1]]
        calls = {
            "add": lambda x=x, rows=rows: x + rows,
            "eval": lambda x=x, m=plain: m(x),
            "scaled": lambda x=x, m=scaled: m(x),
            "dropout": lambda x=x, m=dropout: m(x),
            "train": lambda x=x, m=trained: m(x),
        }
        with torch.no_grad():
            took = measuring.median_seconds(calls, repeats)
        ratios = took["eval"] / took["add"], took["scaled"] / took["add"]
        cells = (*ratios, took["train"] / took["dropout"])
        row(" x ".join(map(str, shape)), *(f"{cell:.2f}" for cell in cells))


def notebooks():
    print("\nNotebooks: seconds of the imports and of what they cannot do without,")
    print("of all cells from the kernel's start, and the kernel's memory then, in MiB")
    row("notebook", "imports", "libraries", "ratio", "whole run", "memory")
    for path in NOTEBOOKS:
        cell = imports(path)
        torch_too = "import torch" in cell or "training" in cell
        libraries = "import numpy, torch" if torch_too else "import numpy, pandas"
        own, bare = _import_seconds(cell, libraries, path.parent)
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(last := nbformat.v4.new_code_cell(PSS))
        folder = {"metadata": {"path": str(path.parent)}}
        start = time.perf_counter()
        NotebookClient(notebook, timeout=300, resources=folder).execute()
        seconds = time.perf_counter() - start
        memory = int(last.outputs[0].text) / 1024
        imported = f"{own:.2f}", f"{bare:.2f}", f"{own / bare:.2f}"
        row(path.stem, *imported, f"{seconds:.1f}", f"{memory:.0f}")


def _import_seconds(cell, libraries, folder):
    """Medians of five fresh processes each, taking turns, started with IPython."""
    times = {cell: [], libraries: []}
    for _ in range(5):
        for code, taken in times.items():
            timed = "import IPython, time; _start = time.perf_counter()\n"
            timed += f"{code}\nprint(time.perf_counter() - _start)"
            command = [sys.executable, "-c", timed]
            done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
            taken.append(float(done.stdout.split()[-1]))
    return (median(taken) for taken in times.values())


def redraw():
    from redraw import measured
    from visits import NoBrowser

    print("\nA step of a control on the site: milliseconds of the page's thread")
    row("notebook", "control", "mean of 30")
    try:
        for stem, name, milliseconds in measured():
            row(stem, name, f"{milliseconds:.1f}")
    except NoBrowser as reason:
        print(f"  not measured. {reason}")


def row(first, *cells):
    print(f"  {first:<20}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    parts = {f.__name__: f for f in (build, forward, notebooks, redraw)}
    for name in sys.argv[1:] or parts:
        parts[name]()
