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
    dots = [m for m in marks if "network" in m and "value" in m]
    assert len(dots) == 64
    for dot in dots:
        place = round(dot["x"] * 512)
        assert place % 2 == 0  # a training point
        assert dot["value"] == pytest.approx(line[place], abs=2e-3)
    (said,) = {m["said"] for m in marks if "said" in m}
    on, gaps = re.findall(r"\d\.\d+", said)
    square = (line - TARGET) ** 2
    assert float(on) == pytest.approx(square[::2].mean(), abs=1e-3)
    assert float(gaps) == pytest.approx(square[1::2].mean(), abs=1e-3)


def test_the_spectrum_is_that_of_the_line():
    marks = drawn(fields, fastest=3, slowest=0)
    waves = [m for m in marks if "turns per unit" in m and "network" in m]
    bars = {m["turns per unit"]: m["size of the wave"] for m in waves}
    wave = np.exp(-2j * np.pi * 5 * X)
    assert bars[5] == pytest.approx(2 * abs((SWEEP[3, 0] * wave).mean()), abs=1e-3)
    assert max(size for rounds, size in bars.items() if rounds != 5) < 1e-3


def test_the_explorable_says_what_fast_hands_do():
    on = ((SWEEP[6, 6] - TARGET) ** 2)[::2].mean()
    assert (
        f"all hands at 4096 radians per unit the error is {on:.1f}"
        in fields().description
    )
