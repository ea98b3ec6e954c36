"""Notebook 01: its explorables, read back and by their texts."""

import math

import numpy as np
import pytest
from drawing import drawn

from helpers.draw import waves
from helpers.encoding import positional_encoding
from helpers.lessons.formula import explore


def wave(pos, column, d_model):
    angle = pos / 10_000 ** (2 * (column // 2) / d_model)
    return math.cos(angle) if column % 2 else math.sin(angle)


def sinusoids():
    return explore.sinusoids(positional_encoding(30, 6))


def dots_of(marks):
    """The dots of the waves: the table's values, small ones and those of the position."""
    return [m for m in marks if m.keys() == {"position", "value", "pair"}]


@pytest.mark.parametrize("here", [0, 7, 29])
def test_waves_dials_row_and_table_show_one_position(here):
    marks = drawn(sinusoids, here=here, pair="all")
    at_here = [m["value"] for m in dots_of(marks) if m["position"] == here]
    row = [wave(here, c, 6) for c in range(6)]
    assert sorted(at_here) == pytest.approx(sorted(row + row), abs=1e-5)
    cells = [m for m in marks if "begin" in m and m.get("upper") == 74]
    assert [m["value"] for m in cells] == pytest.approx(row, abs=1e-5)
    # A still has no window to fit into, and its cells stand side by side all the same.
    assert all(np.diff([m["begin"] for m in cells]) > 20)
    one = drawn(sinusoids, here=here, pair="1")
    told = sorted(float(str(m["said"]).replace("−", "-")) for m in one if "said" in m)
    assert told == pytest.approx(sorted(row[2:4]), abs=6e-5)


@pytest.mark.parametrize("pair", [None, "2", "all"])
def test_one_pair_is_shown_at_first_and_buttons_choose_another(pair):
    dots = dots_of(drawn(sinusoids, here=7, **({"pair": pair} if pair else {})))
    shown = {None: {1}, "2": {2}, "all": {0, 1, 2}}[pair]
    assert {m["pair"] for m in dots} == shown
    assert {m["position"] for m in dots} == set(range(30))


def test_the_curves_run_through_the_tables_values():
    """They are computed from the table alone; here from one that is not the formula's."""
    angles = 0.4 + np.outer(np.arange(12), [1.9, -0.3])
    table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(12, 4)
    starts, speeds = waves._hands(table, [0, 1])
    turned = np.add(starts, np.outer(np.arange(12), speeds))
    assert np.sin(turned) == pytest.approx(table[:, 0::2], abs=1e-5)
    assert np.cos(turned) == pytest.approx(table[:, 1::2], abs=1e-5)
    assert waves._hands(table[::-1], [1])[1] == pytest.approx([0.3])


def test_only_the_asked_columns_are_drawn_as_waves():
    chart = explore.sinusoids(positional_encoding(40, 20), columns=[4, 5, 6, 7])
    dots = dots_of(drawn(chart, here=37, pair="all"))
    assert {m["pair"] for m in dots} == {2, 3}
    at_here = {round(m["value"], 4) for m in dots if m["position"] == 37}
    wanted = [wave(37, column, 20) for column in (4, 5, 6, 7)]
    assert sorted(at_here) == pytest.approx(sorted(wanted), abs=2e-4)


@pytest.mark.parametrize(("smooth", "exponent"), [(0, 0), (100, 1)])
def test_bits_are_drawn_as_they_are(smooth, exponent):
    marks = drawn(explore.bits, smooth=smooth)
    dots = [m for m in marks if {"value", "name", "position"} <= m.keys()]
    assert {dot["name"][:2] for dot in dots} == {"1s", "2s", "4s", "8s"}
    for dot in dots:
        sine = math.sin(math.pi * (dot["position"] + 0.5) / int(dot["name"][0]))
        wanted = (1 - math.copysign(abs(sine) ** exponent, sine)) / 2
        assert dot["value"] == pytest.approx(wanted, abs=6e-4)


def test_the_waves_describe_their_data_and_the_title_says_how_long_they_are():
    table = positional_encoding(100, 8)
    for data, told in (
        (table, "cross zero 31, 32, 3, 3, 0, 0, 0, 0 times"),
        (table[:, ::-1], "cross zero 0, 0, 0, 0, 3, 3, 32, 31 times"),
    ):
        spec = explore.sinusoids(data).to_dict()
        assert told in spec["description"]
        assert str(waves._hands(data, range(4))[1]) in str(spec["title"])
    assert waves._hands(table, range(4))[1] == pytest.approx(
        [1, 0.1, 0.01, 0.001], 1e-4
    )
