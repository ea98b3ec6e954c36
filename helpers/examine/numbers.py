"""Which numbers a table holds: compared with the paper's and with the known deviations."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

SEEN = 40  # rows that are compared
TOLERANCE = 4e-3  # angles in float32 differ by less
NEAR = 0.15  # and angles in bfloat16 by less, over these rows
UNKNOWN = "not one that is known"
LAYOUTS = (
    "interleaved",
    "sines first",
    "cosines first",
    "cosine, sine interleaved",
)
# What public code computes: a name, the base, and the shift of the cosine.
LAWS = (
    ("paper", 1e4, 0),
    # i already steps by two, or counts columns.
    ("doubled exponent", 1e8, 0),
    ("doubled exponent, sine and cosine differ", 1e8, 1),
    ("doubled exponent, sine and cosine differ", 1e8, 2),
    ("sine and cosine differ", 1e4, 1),
    ("sine and cosine differ", 1e4, 2),
    ("every speed 1", 1, 0),
)


@dataclass
class Law:
    """Numbers that a table may hold. ``error`` is the largest difference from them.

    The sine of pair i has the speed ``base ** (-2 i / d)``, and the exponent of 10000 in
    its cosine is larger by ``shift / d``. ``start`` is the position of the first row.
    """

    numbers: str = UNKNOWN
    layout: str = "not sure"
    base: float = 1e4
    shift: int = 0
    start: int = 0
    error: float = math.inf
    bound: float = NEAR

    def fit(self, table):
        """Set the error to that of a table; returns the law."""
        rows, width = table.shape
        positions = self.start + np.arange(rows)[:, None]
        angles = positions * self.base ** (-np.arange(0, width, 2) / width)
        halves = [np.sin(angles), np.cos(angles * 1e4 ** (-self.shift / width))]
        if self.layout.startswith("cosine"):
            halves.reverse()
        axis = 2 if "interleaved" in self.layout else 1
        law = np.stack(halves, axis).reshape(rows, -1)[:, :width]
        self.error = float(np.abs(law - table).max())
        return self


def described(table):
    """The Law of a table (rows, width); its ``error`` is infinite where none is known.

    A table of two rows or of three columns says too little.
    """
    rows, width = table.shape
    if rows < 3 or width < 4:
        return Law("not sure")
    laws = [law.fit(table[:SEEN]) for law in (*_laws(width), *_other_bases(table))]
    laws = [law for law in laws if law.error < law.bound]
    best = min(laws, key=lambda law: law.error, default=None)
    if best is None:
        return Law()
    if best.error > TOLERANCE:
        best.numbers = f"near {best.numbers}"
    return best.fit(table)


def _laws(width):
    laws = [*LAWS, ("d/2 - 1", 1e4 ** (width / (width - 2)), 0)]  # as in tensor2tensor
    # Positions may count from 1, or from beyond a padding index.
    for (name, *law), start, layout in itertools.product(laws, range(3), LAYOUTS):
        if start:
            name = f"{name}, from position {start}".removeprefix("paper, ")
        yield Law(name, layout, *law, start)


def _other_bases(table):
    """The bases that the second pair's sine in row 1 suggests, to three digits."""
    width = table.shape[1]
    columns = 2, 1, width // 2 + 1, 3  # of that sine, in each layout
    speeds = np.arcsin(np.clip(table[1, columns], -1, 1))
    for layout, speed in zip(LAYOUTS, speeds, strict=True):
        if 1e15 ** (-2 / width) < speed < 1:
            base = float(f"{speed ** (-width / 2):.3g}")
            yield Law(f"base {base:.10g}", layout, base, bound=TOLERANCE)
