"""Notebook 09: its explorables, read back and by their texts."""

import re

import numpy as np
import pytest
from drawing import drawn

from helpers.lessons.beyond import explore

X = np.arange(512) / 512
TARGET = np.sin(2 * np.pi * 5 * X)
SWEEP = {
    (high, low): TARGET * (1 + 0.1 * high) + 0.01 * low
    for high in range(7)
    for low in range(high + 1)
}


def fields():
    return explore.fields(X, TARGET, SWEEP)


@pytest.mark.parametrize(("fastest", "slowest"), [(4, 1), (6, 6), (2, 5), (0, 0)])
def test_the_sliders_choose_the_line_and_its_errors(fastest, slowest):
    marks = drawn(fields, fastest=fastest, slowest=slowest)
    line = SWEEP[fastest, min(fastest, slowest)]
    dots = {m["x"]: m["value"] for m in marks if "network" in m and "value" in m}
    places = np.rint(512 * np.array(list(dots))).astype(int)
    assert len(places) == 64 and not any(places % 2)  # training points
    assert list(dots.values()) == pytest.approx(line[places], abs=2e-3)
    (said,) = {m["said"] for m in marks if "said" in m}
    errors = ((line - TARGET) ** 2).reshape(-1, 2).mean(axis=0)
    assert [*map(float, re.findall(r"\d\.\d+", said))] == pytest.approx(
        errors, abs=1e-3
    )
    waves = [m for m in marks if "turns per unit" in m and "network" in m]
    bars = {m["turns per unit"]: m["size of the wave"] for m in waves}
    sizes = dict.fromkeys(range(257), 0) | {0: 0.02 * min(fastest, slowest)}
    assert bars == pytest.approx(sizes | {5: 1 + 0.1 * fastest}, abs=1e-3)


def test_the_explorable_says_what_fast_hands_do():
    on, gaps = ((SWEEP[6, 6] - TARGET) ** 2).reshape(-1, 2).mean(axis=0)
    told = (
        f"4096 radians per unit the error is {on:.1f} on the points and {gaps:.1f} betw"
    )
    assert told in fields().description
