"""Notebook 05: what its pictures show, computed another way."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from drawing import drawn
from matplotlib.colors import to_hex
from stored import code_cells, notebook_of

from helpers import sinusoidal_table
from helpers.encoding import positional_encoding
from helpers.explore import module as explore
from helpers.pictures import module as pictures
from helpers.pictures.style import GOOD, pair_colour


def test_every_sentence_gets_the_same_rows():
    (ax,) = pictures.slice_and_broadcast(batch=2, length=3, max_len=6, d_model=4).axes
    words = [text.get_text() for text in ax.texts]
    assert "x  (2, 3, 4)" in words and "3 of the table's 6 rows  (3, 4)" in words
    for row in range(3):  # said by words too, not by colour alone
        assert words.count(f"token {row} + row {row}") == 2
        assert f"row {row + 3}, not used" in words
    coloured = [to_hex(patch.get_facecolor()).upper() for patch in ax.patches]
    for row in range(3):  # four columns: once in the table, once in each sentence
        assert coloured.count(pair_colour(row)) == 4 * (1 + 2)
    assert len(ax.patches) == 2 * 12 + 24 + 2 * 12


def test_zeros_show_the_rows_and_which_of_them_are_equal():
    rows = np.array([[math.sin(p), math.cos(p)] for p in range(3)])
    right = np.stack([rows, rows])
    picture = pictures.for_zeros(right)
    for ax in picture.axes[:2]:
        np.testing.assert_array_equal(ax.images[0].get_array(), rows)
        assert ax.images[0].get_clim() == (-1, 1)
    assert "Row differs from row; all sentences are equal." in picture.alt
    turned = pictures.for_zeros(np.repeat(rows[:2, None], 3, axis=1))
    assert "All rows of a sentence are equal; sentences differ." in turned.alt


def test_dropped_cells_carry_a_cross():
    factors = np.full((2, 3, 4), 1.25)
    gone = {(0, 1, 2), (1, 0, 0), (1, 2, 3)}
    for place in gone:
        factors[place] = 0
    for sentence, ax in enumerate(pictures.dropped(factors).axes):
        np.testing.assert_array_equal(ax.images[0].get_array(), factors[sentence])
        crosses = {
            (sentence, *line.get_ydata(), *line.get_xdata())
            for line in ax.lines
            if line.get_marker() == "x"
        }
        assert crosses == {place for place in gone if place[0] == sentence}


def test_arrows_lead_from_a_corner_to_its_sum():
    start = np.array([[-1.0, -1.0], [1.0, 1.0]])
    end = start + [[0.0, 1.0], [math.sin(1), math.cos(1)]]
    picture = pictures.corners_moved({"one": (start, end), "two": (2 * start, end)})
    for ax, begin in zip(picture.axes, (start, 2 * start), strict=True):
        arrows = [t for t in ax.texts if not t.get_text()]
        np.testing.assert_allclose([a.xy for a in arrows], end)
        np.testing.assert_allclose([a.get_position() for a in arrows], begin)
        for point in end:  # nothing is cut off
            assert ax.get_xlim()[0] < point[0] < ax.get_xlim()[1]
            assert ax.get_ylim()[0] < point[1] < ax.get_ylim()[1]


def test_norm_ratios_are_drawn_as_given():
    ratios = {"a": [0.7, 0.7], "b": [1.0, 16.0]}
    (ax,) = pictures.norm_ratios([2, 512], ratios).axes
    lines = {line.get_label(): list(line.get_ydata()) for line in ax.lines}
    assert {name: lines[name] for name in ratios} == ratios
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert len({line.get_marker() for line in ax.lines[:2]}) == 2
    assert set(ax.lines[-1].get_ydata()) == {1}  # where word and position are equal


def test_the_texts_are_read_from_the_data():
    alt = pictures.norm_ratios([2, 512], {"a": [0.7, 0.03], "b": [1, 16]}).alt
    assert "a: 0.7 at width 2, 0.03 at width 512" in alt
    assert "b: 1 at width 2, 16 at width 512" in alt
    start = np.array([[-1.0, -1.0], [1.0, 1.0]])
    alt = pictures.corners_moved({"one": (start, start + [0, 3])}).alt
    assert "one: arrows of length 3.00 from points at a distance of 1.41" in alt
    uneven = pictures.corners_moved({"one": (start, start * [[1], [2]])}).alt
    assert "arrows of length 0.00 to 1.41" in uneven
    measured = pd.DataFrame({"time": [1, 2.5]}, ["usual", "ours"])
    alt = pictures.constructions(measured).alt
    assert "time: 1 for usual, 2.5 for ours. The bar of ours is hatched." in alt


def test_constructions_draw_every_measure():
    measured = pd.DataFrame(
        {"error": [4e-4, 3e-8], "time": [1, 0.4]}, ["usual", "ours"]
    )
    picture = pictures.constructions(measured)
    for ax, name in zip(picture.axes, measured, strict=True):
        bars = ax.patches
        assert [bar.get_width() for bar in bars] == list(measured[name])
        assert to_hex(bars[-1].get_facecolor()).upper() == GOOD
        assert ax.get_xlabel() == name


def waves():
    return explore.sinusoids(positional_encoding(100, 20), columns=[4, 5, 6, 7])


@pytest.mark.parametrize("position", [0, 37, 99])
def test_only_the_asked_columns_are_drawn_as_waves(position):
    here = {"position": [position]}
    points = [mark for mark in drawn(waves, hover=here) if "name" in mark]
    assert {mark["name"] for mark in points} == {
        "4 (sin)",
        "5 (cos)",
        "6 (sin)",
        "7 (cos)",
    }
    for mark in points:
        column = int(mark["name"].split()[0])
        angle = position / 10_000 ** (2 * (column // 2) / 20)
        expected = math.cos(angle) if column % 2 else math.sin(angle)
        assert abs(mark["value"] - expected) < 5e-5
    slower = [m for m in drawn(waves, hover=here, pair=3) if "name" in m]
    assert {mark["name"] for mark in slower} == {"6 (sin)", "7 (cos)"}


@pytest.mark.parametrize(
    ("max_len", "d_model"), [(1, 2), (47, 8), (48, 8), (49, 8), (1000, 20), (5000, 512)]
)
def test_the_ten_lines_of_the_notebook_build_the_table_that_ships(max_len, d_model):
    path = notebook_of("module")
    (code,) = [c.source for c in code_cells(path) if "def rotated_table" in c.source]
    assert len(code.split("\n")) == 10
    names = {"torch": torch}
    exec(code, names)
    table = names["rotated_table"](max_len, d_model)
    shipped = sinusoidal_table(max_len, d_model)
    assert table.shape == shipped.shape and table.dtype == shipped.dtype
    assert torch.allclose(table, shipped, rtol=0, atol=6e-8)  # the last digit
    assert (table != shipped).float().mean() < 1e-4
