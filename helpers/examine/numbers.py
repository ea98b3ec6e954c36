"""Which numbers a table holds: compared with the paper's and with the known deviations."""

import numpy as np

from helpers.encoding import angular_speeds

TOLERANCE = 4e-3  # float32 angles at a few hundred positions differ by less
UNKNOWN = "not one that is known"
LAYOUTS = (
    "interleaved",
    "sines first",
    "cosines first",
    "cosine, sine interleaved",
)


def speeds_by_law(width):
    """For each law, the speeds of the sine and of the cosine of every pair, (2, pairs).

    "paper" is ``10000 ** (-2 i / d)``. The others are what public code computes instead:
    the exponent doubled, because i already steps by two or counts columns; one exponent
    for each column; ``d/2 - 1`` for ``d/2``, as in tensor2tensor; an integer division.
    """
    pair = np.arange(width // 2)
    paper = angular_speeds(width)
    laws = {
        "paper": (paper, paper),
        "doubled exponent": (paper**2, paper**2),
        "doubled exponent, differing": (paper**2, paper**2 * 10_000 ** (-2 / width)),
        "sine and cosine differ": (paper, paper * 10_000 ** (-1 / width)),
        "every speed 1": (np.ones(len(pair)), np.ones(len(pair))),
    }
    if len(pair) > 1:
        longer = 10_000.0 ** (-pair / (len(pair) - 1))
        laws["d/2 - 1"] = (longer, longer)
    return {name: np.stack(speeds) for name, speeds in laws.items()}


def arranged(angles, layout):
    """The table of angles (rows, 2, pairs): sines of the first, cosines of the second."""
    sines, cosines = np.sin(angles[:, 0]), np.cos(angles[:, 1])
    first, second = (sines, cosines) if layout[:4] != "cosi" else (cosines, sines)
    if "interleaved" in layout:
        return np.stack([first, second], axis=2).reshape(len(angles), -1)
    return np.concatenate([first, second], axis=1)


def described(table):
    """The numbers, the layout and the largest difference of a table (rows, width).

    Numbers and layout are words of the report, or UNKNOWN and None; the difference is
    None then. A table of one row or of two columns says too little, and is UNKNOWN.
    """
    rows, width = table.shape
    if rows < 3 or width < 4 or width % 2 or not np.isfinite(table).all():
        return UNKNOWN, None, None
    found = []
    for name, start, speeds in _candidates(table):
        angles = np.arange(start, start + rows)[:, None, None] * speeds
        for layout in LAYOUTS:
            difference = np.abs(arranged(angles, layout) - table).max()
            found.append((difference, name, layout))
    difference, name, layout = min(found, key=lambda candidate: candidate[0])
    if difference > TOLERANCE * max(1, rows / 500):
        return UNKNOWN, None, None
    return name, layout, float(difference)


def _candidates(table):
    width = table.shape[1]
    laws = speeds_by_law(width)
    for name, speeds in laws.items():
        yield name.partition(",")[0], 0, speeds
    yield "from position 1", 1, laws["paper"]
    for base in _bases(table):
        speeds = angular_speeds(width, base)
        yield f"base {base:g}", 0, np.stack([speeds, speeds])


def _bases(table):
    """Bases that the second pair's sine in row 1 suggests, to three digits."""
    width = table.shape[1]
    for column in {1, 2, 3, width // 2 + 1}:
        sine = table[1, column]
        if 0 < sine < np.sin(1.0):
            base = float(f"{np.arcsin(sine) ** (-width / 2):.3g}")
            if 1 < base < 1e12 and base != 10_000:
                yield base


def error_of(table, facts):
    """The largest difference of a table from the numbers and layout that it has."""
    best = np.inf
    for name, start, speeds in _candidates(table):
        if name == facts["numbers"]:
            angles = np.arange(start, start + len(table))[:, None, None] * speeds
            other = arranged(angles, facts["layout"])
            best = min(best, float(np.abs(other - table).max()))
    return best
