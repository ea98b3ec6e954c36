"""Part of the patterns: which places of an array are wrong, and what stands there."""

import numpy as np


def where(wanted, got, close):
    """(sentence, name) pairs on where the wrong numbers are, if they have a pattern."""
    if wanted.shape != got.shape or wanted.size < 2:
        return
    right = close.plainly(wanted, got)
    if right is None or right.all() or not right.any():
        return
    holds = _holds(wanted[~right], got[~right], close)
    # The region that the wrong numbers fill best says most.
    for words, name, share in sorted(_regions(~right), key=lambda r: -r[2]):
        some, more = ("", holds) if share == 1 else ("some numbers ", "")
        yield f"all is right except {some}{words}{more}.", f"{name} wrong"
    for words, name, share in _regions(right):
        if share == 1:
            yield f"only what stands {words} is right.", f"only {name} right"
    if holds:
        sentence = f"some numbers are wrong{holds}, and all others are right."
        yield sentence, "zeros left" if "is 0" in holds else "some numbers wrong"


def _holds(wanted, got, close):
    """What is said of the wrong numbers, beginning with a comma, or nothing."""
    if not np.isfinite(got).any():
        return ", where it is infinite or `nan`"
    if (got == got[0]).all() and len(got) > 1:
        return f", where it is always {got[0]:.6g}" if got[0] else ", where it is 0"
    return ", where it has the other sign" if close(-wanted, got) else ""


def _regions(marked):
    """(words, name, the share that is marked) of every region that holds the marked."""
    kinds = {
        1: ("number",),
        2: ("row", "column"),
        3: ("entry of the batch", "row", "column"),
    }
    for axis, kind in enumerate(kinds.get(marked.ndim, ())):
        others = tuple(n for n in range(marked.ndim) if n != axis)
        lines = marked.any(axis=others)
        share = float(marked.sum() / lines.sum() / (marked.size / lines.size))
        for words, name in _along(lines, kind):
            yield words, name, share
    if marked.ndim >= 2 and marked.shape[-1] == marked.shape[-2] > 1:
        yield from _of_a_square(marked)


def _along(marked, kind):
    """Which of the rows, columns or numbers in a line are marked, in words."""
    n, there = len(marked), np.flatnonzero(marked)
    if not 0 < len(there) < n:
        return
    kinds = "entries of the batch" if kind.startswith("entry") else f"{kind}s"
    if len(there) == 1:
        which = {0: "first", n - 1: "last"}.get(int(there[0]))
        words = f"in the {which} {kind}" if which else f"in {kind} {there[0]}"
        words = f"at `[{there[0]}]`" if kind == "number" else words
        yield words, f"one {kind}"
    for first, which in ((1, "odd"), (0, "even")):
        if n > 3 and np.array_equal(there, np.arange(first, n, 2)):
            examples = ", ".join(str(first + 2 * k) for k in range(3))
            words = f"in the {kinds} at the {which} indices ({examples}, …)"
            yield words, f"{which} {kinds}"
    if len(there) == 2 and there[1] - there[0] > 1:
        yield f"in the {kinds} {there[0]} and {there[1]}", f"two {kinds}"
    if len(there) > 1 and np.array_equal(there, np.arange(there[0], n)):
        yield f"in the {kinds} from {there[0]} on", f"last {kinds}"
    if len(there) > 1 and np.array_equal(there, np.arange(len(there))):
        yield f"in the {kinds} up to {there[-1]}", f"first {kinds}"


def _of_a_square(marked):
    n = marked.shape[-1]
    flat = marked.reshape(-1, n, n)
    rows, columns = np.indices((n, n))
    for places, words in (
        (rows == columns, "on the diagonal"),
        (rows < columns, "above the diagonal"),
        (rows > columns, "below the diagonal"),
        (rows // 2 == columns // 2, "in the 2 × 2 blocks on the diagonal"),
        (rows // 2 != columns // 2, "outside the 2 × 2 blocks on the diagonal"),
    ):
        inside = flat[:, places]
        if inside.any() and not flat[:, ~places].any():
            yield words, words, float(inside.mean())
