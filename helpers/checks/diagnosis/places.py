"""Part of the patterns: which places of an array are wrong, and what stands there."""

import numpy as np


def where(wanted, got, close):
    """(sentence, name) pairs on where the wrong numbers are, if they have a pattern."""
    if wanted.shape != got.shape or wanted.size < 2:
        return
    right = close.plainly(wanted, got)
    if right is None or right.all() or not right.any():
        return
    zeros = wanted[~right] == 0, got[~right] == 0
    if all(zero.any() for zero in zeros) and np.logical_or(*zeros).all():
        sentence = "other numbers are 0 than should be, and all else is right."
        yield sentence, "zeros in other places"
    holds = _holds(wanted[~right], got[~right], close)
    # The region that the wrong numbers fill best says most.
    for words, name, share in sorted(_regions(~right, True), key=lambda r: -r[2]):
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


def _regions(marked, together=False):
    """(words, name, the share that is marked) of every region that holds the marked.

    With ``together``, also of rows and columns where neither alone is all marked.
    """
    kinds = {
        1: ("number",),
        2: ("row", "column"),
        3: ("entry of the batch", "row", "column"),
    }
    found = []
    for axis, kind in enumerate(kinds.get(marked.ndim, ())):
        others = tuple(n for n in range(marked.ndim) if n != axis)
        for words, name, lines in _along(marked.any(axis=others), kind):
            found.append((words, name, np.expand_dims(lines, others)))
    if (
        together
        and marked.ndim == 2
        and len({region.shape for *_, region in found}) == 2
    ):
        rows = next(f for f in found if f[2].shape[1] == 1)
        columns = next(f for f in found if f[2].shape[0] == 1)
        words = f"{columns[0]}, there {rows[0]}"
        found.append((words, f"{columns[1]}, {rows[1]}", rows[2] & columns[2]))
    for words, name, region in found:
        yield words, name, float(marked.sum() / (region & np.ones_like(marked)).sum())
    if marked.ndim >= 2 and marked.shape[-1] == marked.shape[-2] > 1:
        yield from _of_a_square(marked)


def _along(marked, kind):
    """(words, name, region) of what holds the marked rows, columns or numbers."""
    n, there = len(marked), np.flatnonzero(marked)
    if not 0 < len(there) < n:
        return
    kinds = "entries of the batch" if kind.startswith("entry") else f"{kind}s"
    if len(there) == 1:
        which = {0: "first", n - 1: "last"}.get(int(there[0]))
        words = f"in the {which} {kind}" if which else f"in {kind} {there[0]}"
        words = f"at `[{there[0]}]`" if kind == "number" else words
        yield words, f"one {kind}", marked
        return
    parity, indices = there[0] % 2, np.arange(n)
    few = kind == "number" and len(there) < (n + 1 - parity) // 2
    if n > 3 and not few and (there % 2 == parity).all():
        examples = ", ".join(str(parity + 2 * k) for k in range(3))
        which = "odd" if parity else "even"
        words = f"in the {kinds} at the {which} indices ({examples}, …)"
        yield words, f"{which} {kinds}", indices % 2 == parity
    if len(there) == 2 and there[1] - there[0] > 1:
        words = f"in the {kinds} {there[0]} and {there[1]}"
        yield words, f"two {kinds}", marked
    if np.array_equal(there, indices[there[0] :]):
        words = f"in the {kinds} from {there[0]} on"
        yield words, f"last {kinds}", marked
    if np.array_equal(there, indices[: there[-1] + 1]):
        words = f"in the {kinds} up to {there[-1]}"
        yield words, f"first {kinds}", marked


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
