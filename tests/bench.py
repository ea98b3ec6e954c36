"""What a reader waits for, what a kernel holds then, and the rotation: `make bench`.

What is compared takes turns, and medians are shown. Nothing is asserted: times belong
to the machine, and ratios near 1 to the moment. Tables and forward passes of the added
encoding are measured in notebook 05.
"""

import os
import subprocess
import sys
import time
from statistics import median

import nbformat
import torch
from nbclient import NotebookClient
from stored import NOTEBOOKS, imports

from helpers import RotaryEncoding

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


class Common(torch.nn.Module):
    """What is commonly shipped: float32 angles, halves joined by `cat`."""

    def __init__(self, d_head, max_len):
        super().__init__()
        speeds = 10_000.0 ** (-torch.arange(0, d_head, 2).float() / d_head)
        angles = torch.arange(max_len).float()[:, None] * speeds
        angles = torch.cat([angles, angles], -1)
        self.cosine, self.sine = angles.cos(), angles.sin()

    def forward(self, x, start=0):
        rows = slice(start, start + x.shape[-2])
        cosine, sine = self.cosine[rows].to(x.dtype), self.sine[rows].to(x.dtype)
        a, b = x.chunk(2, -1)
        return x * cosine + torch.cat([-b, a], -1) * sine


def rotations():
    """The rotation beside the common one: largest error, in steps of the dtype at the
    largest number, and time as a ratio."""
    torch.set_num_threads(1)
    d_head, starts = 64, (0, 10_000, 999_000)
    ours, common = RotaryEncoding(d_head, 10**6), Common(d_head, 10**6)
    row("Rotation, error", *(f"at {start:,}" for start in starts))
    for dtype in (torch.float32, torch.bfloat16):
        x = torch.randn(1, 4, 1000, d_head).to(dtype)
        for name, module in {"ours": ours, "common": common}.items():
            errors = [_error(module, x, start) for start in starts]
            row(f"{name}, {str(dtype)[6:]}", *(f"{e:.3g}" for e in errors))
    row("Rotation, time", "forward", "with gradient")
    for dtype in (torch.float32, torch.bfloat16):
        for shape in ((2, 8, 512, 64), (1, 32, 2048, 64), (8, 32, 1, 64)):
            x = torch.randn(shape).to(dtype)
            ratios = [_ratio(ours, common, x, g) for g in (False, True)]
            row(f"{shape}, {str(dtype)[6:]}", *(f"{r:.2f}" for r in ratios))


def _error(module, x, start):
    """The largest error of an entry, in steps of its dtype at the length of its pair."""
    speeds = 10_000.0 ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angles = (start + torch.arange(x.shape[-2]))[:, None] * speeds
    exact = torch.polar(torch.ones_like(angles), angles)
    exact = exact * torch.complex(*x.double().chunk(2, -1))
    error = torch.complex(*module(x, start=start).double().chunk(2, -1)) - exact
    parts = torch.maximum(error.real.abs(), error.imag.abs()) / exact.abs()
    return parts.max().item() / torch.finfo(x.dtype).eps


def _ratio(ours, common, x, gradient):
    times = {ours: [], common: []}
    x.requires_grad_(gradient)
    repeats = 1 + 4_000_000 // x.numel()
    for module in (ours, common) * 15:
        start = time.process_time()
        for _ in range(repeats):
            result = module(x)
            if gradient:
                torch.autograd.grad(result, x, torch.ones_like(result))
        times[module].append(time.process_time() - start)
    # Of each round: what else the machine does meanwhile, both share.
    return median(a / b for a, b in zip(*times.values(), strict=True))


def row(first, *cells):
    print(f"{first!s:<32}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    rotations()
    notebooks()
