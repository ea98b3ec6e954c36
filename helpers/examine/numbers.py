"""Which numbers a table holds: compared with the paper's and with the known deviations."""

from dataclasses import dataclass

import numpy as np

from helpers.encoding import angular_speeds

SEEN = 40  # rows that are compared
TOLERANCE = 4e-3  # angles in float32 differ by less
UNKNOWN = "not one that is known"
LAYOUTS = (
    "interleaved",
    "sines first",
    "cosines first",
    "cosine, sine interleaved",
)


@dataclass
class Law:
    """Numbers that a table may hold: (2, pairs) speeds of the sines and the cosines."""

    numbers: str
    speeds: np.ndarray
    start: int = 0
    layout: str = "interleaved"

    def error(self, table):
        """The largest difference of a table (rows, width) from this law."""
        places = np.arange(self.start, self.start + len(table))[:, None]
        halves = [np.sin(places * self.speeds[0]), np.cos(places * self.speeds[1])]
        if self.layout.startswith("cosine"):
            halves.reverse()
        axis = 2 if "interleaved" in self.layout else 1
        law = np.stack(halves, axis).reshape(len(table), -1)
        return float(np.abs(law - table).max())


def described(table):
    """The Law of a table (rows, width), or None.

    A table of two rows or of two columns says too little.
    """
    rows, width = table.shape
    if rows < 3 or width < 4 or width % 2 or not np.isfinite(table).all():
        return None
    for laws in (_laws(width), _other_bases(table)):
        found = [(law.error(table[:SEEN]), n, law) for n, law in enumerate(laws)]
        if found and min(found)[0] < TOLERANCE:
            return min(found)[2]
    return None


def _laws(width):
    """The paper's numbers, and what public code computes instead.

    The exponent doubled, because i already steps by two or counts columns; an exponent
    for each column; ``d/2 - 1`` for ``d/2``, as in tensor2tensor; an integer division;
    rows that count from 1, or from a padding index.
    """
    paper = angular_speeds(width)
    pair = np.arange(width // 2)
    known = [("paper", paper, paper), ("every speed 1", paper**0, paper**0)]
    known.append(("doubled exponent", paper**2, paper**2))
    for shift in (1, 2):
        slower = 10_000 ** (-shift / width)
        known.append(("sine and cosine differ", paper, paper * slower))
        known.append(("doubled exponent", paper**2, paper**2 * slower))
    longer = 10_000.0 ** (-pair / (len(pair) - 1))
    known.append(("d/2 - 1", longer, longer))
    for start in (0, 1, 2):
        for name, *speeds in known:
            name = f"{name}, from position {start}" if start else name
            yield from _in_layouts(name.removeprefix("paper, "), speeds, start)


def _in_layouts(name, speeds, start=0):
    for layout in LAYOUTS:
        yield Law(name, np.stack(speeds), start, layout)


def _other_bases(table):
    """The bases that the second pair's sine in row 1 suggests, to three digits."""
    width = table.shape[1]
    for column in (1, 2, 3, width // 2 + 1):
        sine = table[1, column]
        if 0 < sine < np.sin(1.0):
            base = float(f"{np.arcsin(sine) ** (-width / 2):.3g}")
            if 1 < base < 1e12:
                speeds = angular_speeds(width, base)
                yield from _in_layouts(f"base {base:.10g}", [speeds, speeds])
