"""Exercise 4.4: when all hands are back."""

import math

import numpy as np

from helpers.checks import running, timing

_SMALL = [[4, 5, 7], [4, 6], [10], [2, 3, 4, 5, 6], [12, 18, 8], [20, 9, 7], [200]]
CASES = [(p,) for p in [*_SMALL, [22, 23, 25], [1], [1, 6, 1], [9, 9]]]
# Results of 48 bits, of more than a million, of 62 bits; products of 70 and 64 bits.
_LARGE = [[65_521, 65_519, 65_497], [107, 109, 113], [45053, 45061, 45077, 45083]]
_LARGE += [[65_536, 32_768, 16_384, 8192, 4096], [*_LARGE[0], 65_521]]


def period(periods):
    return int(np.lcm.reduce(periods))


def draw(rng):
    periods = rng.integers(1, 31, rng.integers(1, 5))
    small = np.lcm.reduce(periods) <= 30_000  # so that a search ends
    return ((periods if small else periods[:2]).tolist(),)


def run(answer, periods):
    """What comes back, and which hands have not come back by then."""
    steps = answer(periods)
    if steps is None or np.ndim(steps) or isinstance(steps, str):
        return steps
    away = ", ".join(str(period) for period in periods if steps % period)
    label = "the periods of the hands that are not back then"
    return {label: away or "none", "steps": steps}


def too_large(answer):
    """What comes back for a large result, where it is wrong.

    A search may take as long as it likes: it is stopped, and not refused.
    """
    for periods in _LARGE:
        outcome = running.call(lambda f, p: f(p), answer, (periods,), seconds=0.15)
        given = outcome.value if outcome.raised is None else repr(outcome.raised)
        ends = not isinstance(outcome.raised, (timing.TimeUp, MemoryError))
        if ends and given != math.lcm(*periods):
            return f"{periods} it is {math.lcm(*periods)}, and yours gives `{given}`"
    return None
