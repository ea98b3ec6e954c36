"""Speed and memory, as ratios within one run: `make bench`.

One thread. What is compared takes turns, and medians are shown. Nothing is asserted:
times belong to the machine, and ratios near 1 to the moment.
"""

import math
import os
import random
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
from redraw import measured  # noqa: E402
from visits import NoBrowser  # noqa: E402

SIZES = {(20, 16): 501, (512, 512): 101, (5000, 512): 31, (100_000, 512): 7}
BATCHES = {(32, 64, 512): 61, (32, 128, 512): 41, (8, 2048, 512): 15}


def log_space(max_len, d_model):
    """The usual construction: float32, exponential of a logarithm."""
    position = torch.arange(max_len, dtype=torch.float).unsqueeze(1)
    pairs = torch.arange(0, d_model, 2, dtype=torch.float)
    speeds = torch.exp(pairs * (-math.log(10_000.0) / d_model))
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(position * speeds)
    table[:, 1::2] = torch.cos(position * speeds)
    return table


def power(max_len, d_model):
    """The other usual one: float32, a power and a division."""
    position = torch.arange(max_len, dtype=torch.float).unsqueeze(1)
    pairs = torch.arange(0, d_model, 2, dtype=torch.float)
    angles = position / torch.pow(10_000.0, pairs / d_model)
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


BUILDERS = {"log space": log_space, "pow": power, "ours": sinusoidal_table}


def build():
    print("\nBuilding the table, in milliseconds; ratios to the usual, in log space")
    heading("size", *BUILDERS, "ours/log", "ours/pow")
    for size, repeats in SIZES.items():
        calls = {name: lambda b=b, s=size: b(*s) for name, b in BUILDERS.items()}
        measuring.median_seconds(calls, 1)
        seconds = measuring.median_seconds(calls, repeats)
        row(
            "{} x {}".format(*size),
            *(f"{1e3 * value:.3f}" for value in seconds.values()),
            *(
                f"{seconds['ours'] / seconds[name]:.2f}"
                for name in ("log space", "pow")
            ),
        )


def memory():
    print("\nPeak memory while building, over the size of the result: the tensors")
    print("alive at one time, and the growth of a process as the system counts it")
    heading("size", *BUILDERS, *(f"{name}, system" for name in BUILDERS))
    for size in list(SIZES)[1:]:
        result = 4 * math.prod(size)
        counted = [
            measuring.peak_bytes(lambda b=b, s=size: b(*s)) for b in BUILDERS.values()
        ]
        resident = [_resident(name, size) for name in BUILDERS]
        row(
            "{} x {}".format(*size),
            *(f"{peak / result:.3f}" for peak in counted),
            *(f"{peak / result:.3f}" if peak else "-" for peak in resident),
        )


def _resident(name, size):
    """Median peak of three fresh processes that build one table; None if unknown."""
    peaks = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, __file__, "resident", name, *map(str, size)],
            capture_output=True,
            text=True,
            check=True,
        )
        if done.stdout.strip() == "None":
            return None
        peaks.append(int(done.stdout))
    return median(peaks)


def forward():
    print("\nForward, in milliseconds; all checks on")
    names = ("add", "eval", "eval, scaled", "dropout", "train", "train, scaled")
    order = random.Random(0)
    heading("batch", *names, "eval/add", "scaled/add", "train/drop", "scaled/drop")
    for shape, repeats in BATCHES.items():
        x = torch.randn(shape)
        plain, scaled, plain_train, scaled_train = (
            PositionalEncoding(shape[2], scale_input=scale).train(train)
            for train in (False, True)
            for scale in (False, True)
        )
        rows, dropout = plain.table[: shape[1]], nn.Dropout(0.1)
        functions = (
            lambda x, rows=rows: x + rows,
            plain,
            scaled,
            dropout,
            plain_train,
            scaled_train,
        )
        with torch.no_grad():
            times = {name: [] for name in names}
            for _ in range(repeats + 1):
                # Whoever comes after dropout finds other caches: draw the order.
                for n in order.sample(range(len(names)), len(names)):
                    start = time.perf_counter()
                    functions[n](x)
                    times[names[n]].append(time.perf_counter() - start)
        add, eval_, eval_scaled, drop, train, train_scaled = (
            median(times[name][1:]) for name in names
        )
        row(
            " x ".join(map(str, shape)),
            *(f"{1e3 * median(times[name][1:]):.3f}" for name in names),
            f"{eval_ / add:.2f}",
            f"{eval_scaled / add:.2f}",
            f"{train / drop:.2f}",
            f"{train_scaled / drop:.2f}",
        )


def notebooks():
    print(
        "\nNotebooks: seconds of the cell of imports and of the libraries it cannot do"
    )
    print(
        "without, of kernel and all cells; memory of the kernel after them in MiB (PSS)"
    )
    heading("notebook", "imports", "libraries", "ratio", "whole run", "memory")
    for path in NOTEBOOKS:
        cell = imports(path)
        libraries = "import numpy, pandas"
        if "import torch" in cell or "training" in cell:
            libraries = "import numpy, torch"
        few, bare = _import_seconds(cell, libraries, path.parent)
        seconds, memory = _run(nbformat.read(path, as_version=4), path.parent)
        row(
            path.stem,
            f"{few:.2f}",
            f"{bare:.2f} {libraries.split()[-1]}",
            f"{few / bare:.2f}",
            f"{seconds:.1f}",
            f"{memory:.0f}" if memory else "-",
        )


def _import_seconds(cell, libraries, folder):
    """Medians of five fresh processes each, taking turns; as a student's kernel is
    started, with IPython and without a word on threads."""
    times = {cell: [], libraries: []}
    students = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
    for _ in range(5):
        for code, taken in times.items():
            timed = (
                "import IPython, time; _start = time.perf_counter()\n"
                f"{code}\nprint(time.perf_counter() - _start)"
            )
            done = subprocess.run(
                [sys.executable, "-c", timed],
                cwd=folder,
                env=students,
                capture_output=True,
                text=True,
                check=True,
            )
            taken.append(float(done.stdout.split()[-1]))
    return (median(taken) for taken in times.values())


# Pages that processes share count for each its part; Linux knows.
_PSS = """
try:
    with open("/proc/self/smaps_rollup") as _rollup:
        print(next(int(line.split()[1]) / 1024 for line in _rollup if "Pss:" in line))
except OSError:
    print(0)
"""


def _run(notebook, folder):
    """(seconds from the kernel's start to the last cell's end, MiB it then holds)."""
    last = nbformat.v4.new_code_cell(_PSS)
    notebook.cells.append(last)
    client = NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(folder)}}
    )
    start = time.perf_counter()
    client.execute(stderr=subprocess.DEVNULL)  # its notices are not ours
    return time.perf_counter() - start, float(last.outputs[0].text)


def redraw():
    print(
        "\nA step of a control or of the pointer in JupyterLab: milliseconds of script,"
    )
    print("median and longest of 30; share of steps that changed the drawing")
    heading("notebook", "control", "median", "longest", "changed")
    try:
        for stem, name, middle, longest, changed in measured():
            row(stem, name, f"{middle:.1f}", f"{longest:.1f}", f"{changed:.0%}")
    except NoBrowser as reason:
        print(f"  not measured. {reason}")


def heading(first, *names):
    row(first, *names)


def row(first, *cells):
    print(f"  {first:<20}" + "".join(f"{cell:>18}" for cell in cells), flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["resident"]:
        build_one, size = BUILDERS[sys.argv[2]], tuple(map(int, sys.argv[3:]))
        build_one(300, 64)  # what the first call loads is not the table's
        print(measuring.resident_peak_bytes(lambda: build_one(*size)))
        sys.exit()
    parts = {f.__name__: f for f in (build, memory, forward, notebooks, redraw)}
    for name in sys.argv[1:] or parts:
        parts[name]()
