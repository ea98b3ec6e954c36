"""What a notebook takes, from its first cell to its last: `make bench`.

Nothing is asserted: times belong to the machine. Tables and forward passes are measured
in notebook 05.
"""

import time

import nbformat
from stored import NOTEBOOKS

from helpers.publish.lesson import client

# Pages that processes share count for each its part; Linux knows.
PSS = "print([l.split()[1] for l in open('/proc/self/smaps_rollup') if 'Pss:' in l][0])"

if __name__ == "__main__":
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(last := nbformat.v4.new_code_cell(PSS))
        start = time.perf_counter()
        client(notebook, path.parent).execute()
        seconds, memory = time.perf_counter() - start, int(last.outputs[0].text) / 1024
        print(f"{path.stem:<20} {seconds:6.1f} s {memory:6.0f} MiB", flush=True)
