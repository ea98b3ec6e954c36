"""Which numbers a table holds: compared with the paper's and with the known deviations."""

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
# What public code computes, as (factor, shift): the sine of pair i has the speed
# 10000 ** -(factor * 2 i / d), and the exponent of the cosine is larger by shift / d.
LAWS = {
    "paper": [(1, 0)],
    # i already steps by two, or counts columns.
    "doubled exponent": [(2, 0)],
    "doubled exponent, sine and cosine differ": [(2, 1), (2, 2)],
    "sine and cosine differ": [(1, 1), (1, 2)],
    "every speed 1": [(0, 0)],
}


@dataclass(order=True)
class Law:
    """Numbers that a table may hold. ``error`` is the largest difference from them."""

    error: float = np.inf
    numbers: str = UNKNOWN
    layout: str = "not sure"
    factor: float = 1.0
    shift: int = 0
    start: int = 0
    scale: float = 1.0

    def compare(self, table):
        """Fit the scale to a table, and set the error; returns the law."""
        rows, width = table.shape
        places = np.arange(self.start, self.start + rows)[:, None]
        angles = places * 10_000.0 ** (-self.factor * np.arange(0, width, 2) / width)
        slower = 10_000.0 ** (-self.shift / width)
        halves = [np.sin(angles), np.cos(angles * slower)]
        if self.layout.startswith("cosine"):
            halves.reverse()
        axis = 2 if "interleaved" in self.layout else 1
        law = np.stack(halves, axis).reshape(rows, -1)[:, :width]
        scale = (law * table).sum() / (law * law).sum()
        self.scale = 1.0 if abs(scale - 1) < 1e-3 else scale
        self.error = float(np.abs(self.scale * law - table).max())
        return self


def described(table):
    """The Law of a table (rows, width); its ``error`` is infinite where none is known.

    A table of two rows or of three columns says too little.
    """
    rows, width = table.shape
    if rows < 3 or width < 4:
        return Law(numbers="not sure")
    for laws, bound in (
        (_laws(width), TOLERANCE),
        (_other_bases(table), TOLERANCE),
        (_laws(width), NEAR),
    ):
        best = min((law.compare(table[:SEEN]) for law in laws), default=Law())
        if best.error < bound * min(1, abs(best.scale)):
            if best.scale != 1:
                best.numbers += f" times {factor_of(best.scale, width)}"
            best.numbers = "near " * (bound == NEAR) + best.numbers
            return best.compare(table)
    return Law()


def factor_of(factor, width):
    """A factor in words; where it is the root of the width, that is said."""
    power = round(np.log(abs(factor)) / np.log(width), 3)
    roots = {0.5: "sqrt(d)", -0.5: "1/sqrt(d)"}
    return roots.get(power, f"{round(factor, 3) + 0.0:.4g}")


def _laws(width):
    known = LAWS | {"d/2 - 1": [(width / (width - 2), 0)]}  # as in tensor2tensor
    for start in range(3):  # from 1, or from beyond a padding index
        for name, variants in known.items():
            if start:
                name = f"{name}, from position {start}".removeprefix("paper, ")
            for factor, shift in variants:
                for layout in LAYOUTS:
                    yield Law(0, name, layout, factor, shift, start)


def _other_bases(table):
    """The bases that the second pair's sine in row 1 suggests, to three digits."""
    width = table.shape[1]
    columns = 2, 1, width // 2 + 1, 3  # of that sine, in each layout
    for layout, sine in zip(LAYOUTS, table[1, columns], strict=True):
        if 0 < sine < np.sin(1.0):
            digits = -width / 2 * np.log10(np.arcsin(sine))
            base = float(f"{10 ** min(digits, 99):.3g}")
            yield Law(0, f"base {base:.10g}", layout, math.log10(base) / 4)
