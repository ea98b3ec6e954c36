"""Part of the patterns: which region of an array is wrong, and what stands there."""

import numpy as np

FAR = 100  # times farther off than right ones must a wrong number be

_LINES = {
    1: (("number", "numbers"),),
    2: (("row", "rows"), ("column", "columns")),
    3: (
        ("entry of the batch", "entries of the batch"),
        ("row", "rows"),
        ("column", "columns"),
    ),
}


def wrong_region(wanted, got, close):
    """(sentence, name) pairs on where the wrong numbers are, if they have a pattern."""
    if wanted.shape != got.shape or wanted.size < 2:
        return
    right, off = close.mask(wanted, got), np.abs(got - wanted)
    if right.all() or not right.any():
        return
    if FAR * off[right].max() > np.median(off[~right]):
        return  # nothing is plainly right
    bad = wanted[~right], got[~right]
    for words, name, region in _regions(~right):
        if (region == ~right).all():
            yield f"all is right except {words}{_holds(*bad, close)}.", f"{name} wrong"
    for words, name, region in _regions(~right):
        # A region that leaves out less than half says little, and so do "some numbers
        # in the numbers".
        fits = wanted.ndim > 1 and region.mean() <= 0.5
        if fits and (region != ~right).any():
            yield f"all is right except some numbers {words}.", f"{name} wrong"
    for words, name, region in _regions(right):
        if (region == right).all():
            yield f"only what stands {words} is right.", f"only {name} right"
    if holds := _holds(*bad, close):
        text = f"some numbers are wrong{holds}, and all others are right."
        yield text, "zeros left" if "is 0" in holds else "some numbers wrong"


def _holds(wanted, got, close):
    """What is said of the wrong numbers, beginning with a comma, or nothing."""
    if not np.isfinite(got).any():
        return ", where it is infinite or `nan`"
    if (got == got[0]).all() and len(got) > 1:
        return f", where it is always {got[0]:.6g}" if got[0] else ", where it is 0"
    return ", where it has the other sign" if close(-wanted, got) else ""


def _regions(marked):
    """(words, name, mask) of every region that can be named and holds the marked."""
    for axis, (line, lines) in enumerate(_LINES.get(marked.ndim, ())):
        others = tuple(n for n in range(marked.ndim) if n != axis)
        for words, name, along in _of_lines(marked.any(axis=others), line, lines):
            mask = np.expand_dims(along, others)
            yield words, name, np.broadcast_to(mask, marked.shape)
    if marked.ndim >= 2 and marked.shape[-1] == marked.shape[-2] > 1:
        yield from _of_a_square(marked)


def _of_lines(marked, line, lines):
    """(words, name, mask) of what holds the marked rows, columns or numbers."""
    n, there, order = len(marked), np.flatnonzero(marked), np.arange(len(marked))
    first, last = there[0], there[-1]
    if len(there) == n:
        return
    if len(there) == 1:
        which = {0: "first", n - 1: "last"}.get(int(first))
        words = f"in the {which} {line}" if which else f"in {line} {first}"
        words = f"at `[{first}]`" if line == "number" else words
        yield words, f"one {line}", marked
        return
    parity = order % 2 == first % 2
    if n > 3 and (marked <= parity).all():
        which = "odd" if first % 2 else "even"
        examples = ", ".join(str(k) for k in (first % 2, first % 2 + 2, first % 2 + 4))
        words = f"in the {lines} at the {which} indices ({examples}, …)"
        yield words, f"{which} {lines}", parity
    if len(there) == 2 and last - first > 1:
        yield f"in the {lines} {first} and {last}", f"two {lines}", marked
    # Where only the first is left out, it is often right by nature: position 0, say.
    if first > 1 and last == n - 1:
        yield f"in the {lines} from {first} on", f"last {lines}", order >= first
    if first == 0 and last < n - 1:
        yield f"in the {lines} up to {last}", f"first {lines}", order <= last


def _of_a_square(marked):
    n = marked.shape[-1]
    rows, columns = np.indices((n, n))
    blocks = rows // 2 == columns // 2
    for words, region in {
        "on the diagonal": rows == columns,
        "above the diagonal": rows < columns,
        "below the diagonal": rows > columns,
        "in the 2 × 2 blocks on the diagonal": blocks,
        "outside the 2 × 2 blocks on the diagonal": ~blocks,
    }.items():
        if not (marked & ~region).any():
            yield words, words, np.broadcast_to(region, marked.shape)
