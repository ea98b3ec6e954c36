"""Which numbers a table holds: compared with the paper's and with the known deviations."""

from dataclasses import dataclass

import numpy as np

from helpers.encoding import angular_speeds

SEEN = 40  # rows that are compared
TOLERANCE = 4e-3  # angles in float32 differ by less
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
    "doubled exponent": [(2, 0), (2, 1), (2, 2)],
    "sine and cosine differ": [(1, 1), (1, 2)],
    "every speed 1": [(0, 0)],
}


@dataclass(order=True)
class Law:
    """Numbers that a table may hold. ``error`` is the largest difference from them."""

    error: float = np.inf
    numbers: str = "not one that is known"
    layout: str = "not sure"
    factor: float = 1.0
    shift: int = 0
    start: int = 0

    def error_of(self, table):
        """The largest difference of a table (rows, width) from this law."""
        rows, width = table.shape
        places = np.arange(self.start, self.start + rows)[:, None]
        angles = places * angular_speeds(width, 10_000.0**self.factor)
        slower = angles * 10_000.0 ** (-self.shift / width)
        halves = [np.sin(angles), np.cos(slower)]
        if self.layout.startswith("cosine"):
            halves.reverse()
        axis = 2 if "interleaved" in self.layout else 1
        law = np.stack(halves, axis).reshape(rows, width)
        return float(np.abs(law - table).max())


def described(table):
    """The Law of a table (rows, width); its ``error`` is infinite where none is known.

    A table of two rows or of two columns says too little.
    """
    rows, width = table.shape
    if rows < 3 or width < 4 or width % 2:
        return Law()
    for laws in (_laws(width), _other_bases(table)):
        found = []
        for law in laws:
            law.error = law.error_of(table[:SEEN])
            found.append(law)
        best = min(found, default=Law())
        if best.error < TOLERANCE:
            best.error = best.error_of(table)
            return best
    return Law()


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
    for column in (1, 2, 3, width // 2 + 1):
        sine = table[1, column]
        if 0 < sine < np.sin(1.0):
            base = float(f"{np.arcsin(sine) ** (-width / 2):.3g}")
            factor = np.log(base) / np.log(10_000)
            for layout in LAYOUTS:
                yield Law(0, f"base {base:.10g}", layout, factor)
