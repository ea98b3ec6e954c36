"""Part of the patterns: which places of an array are wrong, and what stands there."""

import numpy as np


def where(wanted, got, close):
    """(sentence, name) pairs on where the wrong numbers are, if they have a pattern."""
    if wanted.shape != got.shape or wanted.size < 2:
        return
    wrong = ~close.mask(wanted, got)
    if wrong.all() or not wrong.any():
        return
    holds = _holds(wanted[wrong], got[wrong], close)
    for words, name, exact in _regions(wrong):
        if holds and exact:
            yield f"all is right except {words}{holds}.", name
        yield f"all is right except {'' if exact else 'some numbers '}{words}.", name
    for words, name, _ in _regions(~wrong):
        if not name.startswith("some "):  # a few may be right by chance
            name = f"only {name.replace('wrong', 'right')}"
            yield f"only what stands {words} is right.", name
    if holds:
        sentence = f"some numbers are wrong{holds}, and all others are right."
        yield sentence, "zeros left" if "is 0" in holds else "some numbers wrong"


def _holds(wanted, got, close):
    """What is said of the wrong numbers, beginning with a comma, or nothing."""
    if np.isnan(got).all():
        return ", where it is `nan`"
    if not np.isfinite(got).any():
        return ", where it is infinite or `nan`"
    if (got == 0).all():
        return ", where it is 0"
    if (got == got[0]).all() and len(got) > 1:
        return f", where it is always {got[0]:.6g}"
    for factor, words in ((-1, "has the other sign"), (2, "is twice the right number")):
        if close(factor * wanted, got):
            return f", where it {words}"
    return ""


def _regions(wrong):
    """(words, name, whether all there is wrong) of every region that fits."""
    kinds = {1: ("number",), 2: ("row", "column")}.get(wrong.ndim, ())
    if wrong.ndim == 3:
        kinds = ("sentence of the batch", "position", "column")
    for axis, kind in enumerate(kinds):
        others = tuple(n for n in range(wrong.ndim) if n != axis)
        lines = wrong.any(axis=others)
        exact = bool((wrong == np.expand_dims(lines, others)).all())
        for words, name in _along(lines, kind):
            yield words, name, exact
    if wrong.ndim >= 2 and wrong.shape[-1] == wrong.shape[-2] > 1:
        yield from _of_a_square(wrong)


def _along(wrong, kind):
    """Which of the rows, columns or numbers in a line are wrong, in words."""
    n, bad = len(wrong), np.flatnonzero(wrong)
    if not 0 < len(bad) < n:
        return
    kinds = "sentences of the batch" if kind.startswith("sentence") else f"{kind}s"
    if len(bad) == 1:
        which = {0: "first", n - 1: "last"}.get(int(bad[0]))
        words = f"in the {which} {kind}" if which else f"in {kind} {bad[0]}"
        yield words, f"one {kind} wrong"
    for first, which in ((1, "odd"), (0, "even")):
        if n > 3 and np.array_equal(bad, np.arange(first, n, 2)):
            examples = ", ".join(str(first + 2 * k) for k in range(3))
            words = f"in the {kinds} at the {which} indices ({examples}, …)"
            yield words, f"{which} {kinds} wrong"
    for half, edge, run, words in (
        ("second", bad[0], np.arange(bad[0], n), "from {} on"),
        ("first", bad[-1], np.arange(bad[-1] + 1), "up to {}"),
    ):
        if np.array_equal(bad, run) and len(bad) > 1:
            if 2 * len(bad) == n:
                yield f"in the {half} half of the {kinds}", f"half of the {kinds} wrong"
            words = f"in the {kinds} {words.format(edge)}"
            yield words, f"{'last' if half == 'second' else 'first'} {kinds} wrong"
    if 2 <= len(bad) <= 4:
        listed = ", ".join(map(str, bad[:-1]))
        yield f"in the {kinds} {listed} and {bad[-1]}", f"some {kinds} wrong"


def _of_a_square(wrong):
    n = wrong.shape[-1]
    flat = wrong.reshape(-1, n, n).any(axis=0)
    rows, columns = np.indices((n, n))
    block = rows // 2 == columns // 2
    for places, words, name in (
        (rows == columns, "on the diagonal", "the diagonal wrong"),
        (rows < columns, "above the diagonal", "above the diagonal wrong"),
        (rows > columns, "below the diagonal", "below the diagonal wrong"),
        (
            block & (rows != columns),
            "beside the diagonal, in the 2 × 2 blocks",
            "beside the diagonal wrong",
        ),
        (block, "in the 2 × 2 blocks on the diagonal", "the blocks wrong"),
    ):
        if flat[places].mean() > 0.5 and not flat[~places].any():
            yield words, name, bool(flat[places].all())
