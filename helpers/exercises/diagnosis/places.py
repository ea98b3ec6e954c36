"""Part of the patterns: which places of an array are wrong, and what stands there."""

from typing import NamedTuple

import numpy as np


class _Region(NamedTuple):
    """Where the wrong numbers are; with `right`, where the only right ones are.

    `places` are all numbers there, where a region may hold right ones too.
    """

    words: str
    name: str
    right: bool = False
    places: np.ndarray | None = None


def where(wanted, got, close):
    """(sentence, name) pairs on where the wrong numbers are, if they have a pattern."""
    if wanted.shape != got.shape or wanted.size < 2:
        return None
    wrong = ~close.mask(wanted, got)
    if wrong.all() or not wrong.any():
        return None
    found = []
    for region in _regions(wrong):
        holds = _holds(wanted[wrong], got[wrong], close)
        start, some = f"right except {region.words}", None
        if holds and region.places is not None and not region.right:
            some = f"right except for some numbers {region.words}{holds}."
            if _holds(wanted[region.places], got[region.places], close) != holds:
                holds = ""
        if region.right:
            start = f"only {region.words} is right"
            there = wrong if region.places is None else region.places
            all_of_it = _holds(wanted[there], got[there], close) == holds
            rest = "; elsewhere" if all_of_it else "; where others are wrong,"
            holds = holds.replace(", where", rest)
        if holds or not some:
            found.append((f"{start}{holds}.", region.name))
        if some:
            found.append((some, region.name))
        if holds or some:
            found.append((f"{start}.", region.name))
    if close(-wanted[wrong], got[wrong]):
        sentence = "some numbers have the other sign; all others are right."
        found.append((sentence, "the sign of some"))
    if not np.isfinite(got[wrong]).any():
        kinds = sorted({_no_number(number) for number in got[wrong]})
        sentence = f"some numbers are {' or '.join(kinds)}; all others are right."
        found.append((sentence, "not a number"))
    if (got[wrong] == 0).all():
        found.append(
            (
                "all numbers are right but those that are 0 and should not be: "
                f"{wrong.sum()} of {wrong.size}.",
                "zeros left",
            )
        )
        sentence = "some numbers are 0 that should not be; all others are right."
        found.append((sentence, "zeros left"))
    return found


def _holds(wanted, got, close):
    if not np.isfinite(got).any():
        both = "infinite or not a number" if np.isinf(got).any() else "not a number"
        kind = "infinite" if np.isinf(got).all() else both
        return f", which is {kind} there" if len(got) == 1 else f", where it is {kind}"
    if not np.isfinite(got).all():
        return ""
    if (got == 0).all():
        return ", where it is 0"
    if (got == got[0]).all() and len(got) > 1:
        return f", where it is always {got[0]:.6g}"
    if close(-wanted, got):
        return ", where the sign is the other one"
    if close(2 * wanted, got):
        return ", where it is twice the right number"
    if close(wanted / 2, got):
        return ", where it is half of the right number"
    return ""


def _no_number(value):
    return "not a number" if np.isnan(value) else "−∞" if value < 0 else "+∞"


def _regions(wrong):
    """Every region that fits the wrong places exactly."""
    kinds = {1: ("number",), 2: ("row", "column")}.get(wrong.ndim)
    if wrong.ndim == 3:
        kinds = ("sentence of the batch", "position", "column")
    for axis, kind in enumerate(kinds or ()):
        others = tuple(n for n in range(wrong.ndim) if n != axis)
        lines = wrong.any(axis=others)
        places = np.zeros_like(wrong) | np.expand_dims(lines, others)
        for region in _along(lines, kind):
            yield region._replace(places=places)
    if wrong.ndim >= 2 and wrong.shape[-1] == wrong.shape[-2]:
        yield from _of_a_square(wrong)


def _along(wrong, kind):
    """Which of the rows, columns or numbers in a line are wrong, in words."""
    n = len(wrong)
    bad = np.flatnonzero(wrong)
    good = np.flatnonzero(~wrong)
    if not len(bad) or not len(good):
        return
    kinds = "sentences of the batch" if kind.startswith("sentence") else f"{kind}s"
    if len(bad) == 1:
        which = "last" if bad[0] == n - 1 else "first" if bad[0] == 0 else None
        words = f"in the {which} {kind}" if which else f"in {kind} {bad[0]}"
        yield _Region(words, f"one {kind} wrong")
        if len(good) > 1:
            return
    if len(good) == 1:
        which = "last" if good[0] == n - 1 else "first" if good[0] == 0 else None
        words = f"the {which} {kind}" if which else f"{kind} {good[0]}"
        yield _Region(words, f"only one {kind} right", right=True)
        return
    if n > 3 and np.array_equal(bad, np.arange(1, n, 2)):
        yield _Region(f"in the odd {kinds} (1, 3, 5, …)", f"odd {kinds} wrong")
    if n > 3 and np.array_equal(bad, np.arange(0, n, 2)):
        yield _Region(f"in the even {kinds} (0, 2, 4, …)", f"even {kinds} wrong")
    for which, half, edge, run, words in (
        ("last", "second", bad[0], np.arange(bad[0], n), "from {} on"),
        ("first", "first", bad[-1], np.arange(bad[-1] + 1), "up to {}"),
    ):
        if not np.array_equal(bad, run):
            continue
        if len(bad) == 2:
            yield _Region(f"in the {which} two {kinds}", f"{which} {kinds} wrong")
        if 2 * len(bad) == n:
            yield _Region(
                f"in the {half} half of the {kinds}", f"half of the {kinds} wrong"
            )
        name = f"wrong {words.format(f'one {kind}')}"
        yield _Region(words.format(f"{kind} {edge}"), name)
        yield _Region(f"in the {which} {kinds}", f"{which} {kinds} wrong")


def _of_a_square(wrong):
    n = wrong.shape[-1]
    if n < 2:
        return
    flat = wrong.reshape(-1, n, n).any(axis=0)
    rows, columns = np.indices((n, n))
    regions = (
        (
            (rows // 2 == n // 2 - 1) & (columns // 2 == n // 2 - 1),
            "in the last 2 × 2 block",
            "the last block",
        ),
        (rows == columns, "on the diagonal", "the diagonal wrong"),
        (rows != columns, "the diagonal", "only the diagonal right", True),
        (rows < columns, "above the diagonal", "above the diagonal"),
        (rows > columns, "below the diagonal", "below the diagonal"),
        (
            (rows // 2 == columns // 2) & (rows != columns),
            "beside the diagonal, in the 2 × 2 blocks",
            "beside the diagonal",
        ),
        (rows // 2 == columns // 2, "in the 2 × 2 blocks", "the blocks wrong"),
    )
    for places, *region in regions:
        inside = flat[places].any() and not flat[~places].any()
        found = _Region(*region)
        if (
            inside
            and flat[places].mean() > 0.5
            and (flat[places].all() or not found.right)
        ):
            yield found
