"""Part of the patterns: which region of an array is wrong, and what stands there."""

import numpy as np

FAR = 100  # times farther off than right ones must a wrong number be

_LINES = {
    1: (("number", "numbers"),),
    2: (
        ("row", "rows"),
        ("column", "columns"),
    ),
    3: (
        ("entry of the batch", "entries of the batch"),
        ("row", "rows"),
        ("column", "columns"),
    ),
}


def wrong_region(wanted, got, close):
    """(name, sentence) pairs on where the wrong numbers are, if they have a pattern."""
    if wanted.shape != got.shape:
        return
    right = close.mask(wanted, got)
    if wanted.size < 2 or right.all() or not right.any():
        return
    off = np.abs(got - wanted)
    if FAR * off[right].max() > np.median(off[~right]):
        return  # nothing is plainly right
    instead = _instead(wanted[~right], got[~right], close)
    holding_all_wrong = list(_regions(~right))
    for words, name, region in holding_all_wrong:
        if (region == ~right).all():
            yield f"{name} wrong", f"all is right except {words}{instead}."
    for words, name, region in holding_all_wrong:
        # A region that leaves out less than a quarter says little, and so do "some
        # numbers in the numbers".
        if wanted.ndim > 1 and region.mean() <= 0.75:
            yield f"{name} wrong", f"all is right except some numbers {words}."
    for words, name, region in _regions(right):
        if (region == right).all():
            yield f"only {name} right", f"only what stands {words} is right."


def _instead(wanted, got, close):
    """What is said of the wrong numbers, beginning with a comma, or nothing."""
    if not np.isfinite(got).any():
        return ", where it is infinite or `nan`"
    if len(got) > 1 and (got == got[0]).all():
        return f", where it is always {got[0]:.6g}"
    if close(-wanted, got):
        return ", where it has the other sign"
    return ""


def _regions(marked):
    """(words, name, mask) of every region that can be named and holds the marked."""
    for axis, (line, lines) in enumerate(_LINES.get(marked.ndim, ())):
        others = tuple(n for n in range(marked.ndim) if n != axis)
        along = marked.any(axis=others)
        for words, name, region in _of_lines(along, line, lines):
            mask = np.expand_dims(region, others)
            yield words, name, np.broadcast_to(mask, marked.shape)
    if marked.ndim >= 2 and marked.shape[-1] == marked.shape[-2] > 1:
        yield from _of_a_square(marked)


def _of_lines(marked, line, lines):
    """(words, name, mask) of what holds the marked rows, columns or numbers."""
    n = len(marked)
    order = np.arange(n)
    there = order[marked]
    if len(there) == n:
        return
    first = there[0]
    last = there[-1]
    if len(there) == 1:
        yield _one_line(first, n, line), f"one {line}", marked
        return
    halves = {
        "even": ("0, 2, 4", order % 2 == 0),
        "odd": ("1, 3, 5", order % 2 == 1),
    }
    for which, (examples, half) in halves.items():
        if n > 3 and not (marked & ~half).any():
            words = f"in the {lines} at the {which} indices ({examples}, …)"
            yield words, f"{which} {lines}", half
    # Where only the first is left out, it is often right by nature: position 0, say.
    if first > 1 and last == n - 1:
        yield f"in the {lines} from {first} on", f"last {lines}", order >= first
    if first == 0 and last < n - 1:
        yield f"in the {lines} up to {last}", f"first {lines}", order <= last


def _one_line(place, n, line):
    if line == "number":
        return f"at `[{place}]`"
    if place == 0:
        return f"in the first {line}"
    if place == n - 1:
        return f"in the last {line}"
    return f"in {line} {place}"


def _of_a_square(marked):
    n = marked.shape[-1]
    rows, columns = np.indices((n, n))
    blocks = rows // 2 == columns // 2
    regions = {
        "on the diagonal": rows == columns,
        "above the diagonal": rows < columns,
        "below the diagonal": rows > columns,
        "in the 2 × 2 blocks on the diagonal": blocks,
        "outside the 2 × 2 blocks on the diagonal": ~blocks,
    }
    for words, region in regions.items():
        if not (marked & ~region).any():
            yield words, words, np.broadcast_to(region, marked.shape)
