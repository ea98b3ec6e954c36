"""Notebook 05: its explorable, read back."""

import math

import pytest
from drawing import drawn

from helpers.encoding import positional_encoding
from helpers.lessons.module import explore


def waves():
    return explore.sinusoids(positional_encoding(100, 20), columns=[4, 5, 6, 7])


@pytest.mark.parametrize("here", [0, 37, 99])
def test_only_the_asked_columns_are_drawn_as_waves(here):
    marks = drawn(waves, here=here)
    dots = [m for m in marks if m.keys() == {"position", "value", "pair"}]
    for pair in (2, 3):
        angle = here / 10_000 ** (2 * pair / 20)
        found = sorted(m["value"] for m in dots if m["pair"] == pair)
        wanted = sorted([math.sin(angle), math.cos(angle)])
        assert found == pytest.approx(wanted, abs=1e-5)
    assert {m["pair"] for m in dots} == {2, 3}
