"""What a reader waits for, what a kernel holds then, and the rotation: `make bench`.

What is compared takes turns, and medians are shown. Nothing is asserted: times belong
to the machine, and ratios near 1 to the moment. Tables and forward passes of the added
encoding are measured in notebook 05; that the rotation is accurate, tests show.
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

    def forward(self, x):
        length = x.shape[-2]
        cosine, sine = (t[:length].to(x.dtype) for t in (self.cosine, self.sine))
        a, b = x.chunk(2, -1)
        return x * cosine + torch.cat([-b, a], -1) * sine


def rotations():
    """The time of the rotation as a ratio to that of the common one."""
    torch.set_num_threads(1)
    ours, common = RotaryEncoding(64), Common(64, 8192)
    row("Rotation, time", "forward", "with gradient")
    for dtype in (torch.float32, torch.bfloat16):
        for shape in ((2, 8, 512, 64), (1, 32, 2048, 64), (8, 32, 1, 64)):
            x = torch.randn(shape).to(dtype)
            ratios = [_ratio(ours, common, x, g) for g in (False, True)]
            row(f"{shape}, {str(dtype)[6:]}", *(f"{r:.2f}" for r in ratios))


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
