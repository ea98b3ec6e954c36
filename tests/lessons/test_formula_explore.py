"""Notebook 01: its explorables, read back and by their texts."""

import math

import numpy as np
import pandas as pd
import pytest
from drawing import drawn
from references import row

from helpers.encoding import positional_encoding
from helpers.lessons.formula import explore


def sinusoids():
    return explore.sinusoids(positional_encoding(30, 6))


def some_columns():
    return explore.sinusoids(positional_encoding(40, 20), columns=[4, 5, 6, 7])


def dots_of(marks):
    """The dots of the waves: the table's values, small ones and those of the position."""
    return [m for m in marks if m.keys() == {"position", "value", "pair"}]


@pytest.mark.parametrize("here", [0, 7, 29])
def test_waves_dials_row_and_table_show_one_position(here):
    marks = drawn(sinusoids, here=here, pair="all")
    at_here = [m["value"] for m in dots_of(marks) if m["position"] == here]
    assert sorted(at_here) == pytest.approx(sorted(2 * row(here, 6)), abs=1e-5)
    cells = [m["value"] for m in marks if "begin" in m and m.get("upper") == 74]
    assert cells == pytest.approx(row(here, 6), abs=1e-5)


@pytest.mark.parametrize(
    ("make", "chosen", "shown", "wanted"),
    [
        (sinusoids, {}, {1}, row(7, 6)[2:4]),
        (sinusoids, {"pair": "2"}, {2}, row(7, 6)[4:]),
        (some_columns, {"pair": "all"}, {2, 3}, row(7, 20)[4:8]),
    ],
)
def test_one_pair_is_shown_at_first_and_buttons_choose_another(
    make, chosen, shown, wanted
):
    dots = dots_of(drawn(make, here=7, **chosen))
    assert {m["pair"] for m in dots} == shown
    at_here = [m["value"] for m in dots if m["position"] == 7]
    assert sorted(at_here) == pytest.approx(sorted(2 * wanted), abs=1e-4)


@pytest.mark.parametrize(("smooth", "exponent"), [(0, 0), (100, 1)])
def test_bits_are_drawn_as_they_are(smooth, exponent):
    marks = drawn(explore.bits, smooth=smooth)
    dots = pd.DataFrame(m for m in marks if {"value", "name", "position"} <= m.keys())
    digits = dots["name"].str[0].astype(int)
    assert set(digits) == {1, 2, 4, 8}
    sines = np.sin(math.pi * (dots["position"] + 0.5) / digits)
    wanted = (1 - np.sign(sines) * abs(sines) ** exponent) / 2
    assert dots["value"].tolist() == pytest.approx(wanted, abs=6e-4)


def test_a_turns_length_is_that_of_the_tables_hands():
    """They are computed from the table alone; here from one that is not the formula's."""
    angles = 0.4 + np.outer(np.arange(12), [1.9, -0.3])
    table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(12, 4)
    assert (
        f"a turn needs {math.tau / 1.9:.3f} and {math.tau / 0.3:.3f} positions"
        in explore.sinusoids(table).to_dict()["description"]
    )
