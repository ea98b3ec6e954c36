"""Speed and memory, as ratios within one run: `make bench`.

One thread. What is compared takes turns, and medians are shown. Nothing is asserted:
times belong to the machine, and ratios near 1 to the moment.
"""

import math
import subprocess
import sys
import time
from functools import partial
from statistics import median

import nbformat
import torch
from nbclient import NotebookClient
from stored import NOTEBOOKS, imports
from torch import nn

from helpers import PositionalEncoding, measuring, sinusoidal_table

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
    row("Building the table", "log space, ms", "ours, ms", "peak, log", "peak, ours")
    for size, repeats in SIZES.items():
        calls = {b: partial(b, *size) for b in (log_space, sinusoidal_table)}
        took = measuring.median_seconds(calls, repeats).values()
        peaks = [
            measuring.peak_bytes(c) / (4 * math.prod(size)) for c in calls.values()
        ]
        row(size, *(f"{1e3 * t:.3f}" for t in took), *(f"{peak:.2f}" for peak in peaks))


def forward():
    row("Forward", "eval / sum", "scaled / sum", "train / dropout")
    for shape, repeats in BATCHES.items():
        x, dropout = torch.randn(shape), nn.Dropout(0.1)
        module = partial(PositionalEncoding, shape[2])
        plain, scaled = module().eval(), module(scale_input=True).eval()
        kinds = {"eval": plain, "scaled": scaled, "dropout": dropout, "train": module()}
        calls = {name: partial(kind, x) for name, kind in kinds.items()}
        calls["sum"] = partial(torch.add, x, plain.table[: shape[1]])
        with torch.no_grad():
            took = measuring.median_seconds(calls, repeats)
        ratios = took["eval"] / took["sum"], took["scaled"] / took["sum"]
        ratios = *ratios, took["train"] / took["dropout"]
        row(shape, *(f"{ratio:.2f}" for ratio in ratios))


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
    print(f"{first!s:<20}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    for name in sys.argv[1:] or ("build", "forward", "notebooks"):
        {"build": build, "forward": forward, "notebooks": notebooks}[name]()
