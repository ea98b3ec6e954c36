"""Notebook 05: its pictures, read back, and their texts for data and their opposite."""

import math

import numpy as np
import pandas as pd
from matplotlib.colors import to_hex
from seen import words

from helpers.draw.look import GOOD, pair_colour
from helpers.draw.style import pale
from helpers.lessons.module import pictures


def test_every_sentence_gets_the_same_rows():
    (ax,) = pictures.slice_and_broadcast(batch=2, length=3, max_len=6, d_model=4).axes
    said = words(ax)
    assert "x  (2, 3, 4)" in said and "3 of the table's 6 rows  (3, 4)" in said
    coloured = [to_hex(patch.get_facecolor()) for patch in ax.patches]
    for row in range(3):  # four columns: once in the table, once in each sentence
        assert coloured.count(to_hex(pale(pair_colour(row), 0.35))) == 4 * (1 + 2)
        assert said.count(f"token {row} + row {row}") == 2  # not by colour alone
        assert f"row {row + 3}, not used" in said
    assert len(ax.patches) == 2 * 12 + 24 + 2 * 12


def test_zeros_show_the_rows_and_which_of_them_are_equal():
    rows = np.array([[math.sin(p), math.cos(p)] for p in range(3)])
    picture = pictures.for_zeros(np.stack([rows, rows]))
    for ax in picture.axes[:2]:
        np.testing.assert_array_equal(ax.images[0].get_array(), rows)
        assert ax.images[0].get_clim() == (-1, 1)
    assert "Row differs from row; all sentences are equal." in picture.alt
    turned = pictures.for_zeros(np.repeat(rows[:2, None], 3, axis=1))
    assert "All rows of a sentence are equal; sentences differ." in turned.alt


def test_one_token_is_shown_before_and_after_dropout():
    before = np.arange(1.0, 25).reshape(2, 3, 4)
    after = before * 1.25
    after[1, 2, [0, 3]] = 0
    picture = pictures.dropped(before, after, token=(1, 2))
    said = words(picture.axes[0])
    assert said[:5] == ["x + PE", "21.00", "22.00", "23.00", "24.00"]
    assert said[5:10] == ["times", "0", "1.25", "1.25", "0"]
    assert said[10:15] == ["output", "0.00", "27.50", "28.75", "0.00"]
    assert "2 were set to 0, in the columns 0 and 3; the others" in picture.alt
    assert "by 1.25." in picture.alt
    other = pictures.dropped(before, 2 * before).alt
    assert (
        "0 were set to 0, in the columns none; the others were multiplied by 2.00"
        in other
    )


def test_arrows_lead_from_a_corner_to_its_sum_with_their_angle():
    start = np.array([[-1.0, -1.0], [1.0, 1.0]])
    end = np.array([[-1.0, 0.0], [-1.0, 1.0]])
    picture = pictures.corners_moved(
        {"one": (start, end), "two": (2 * start, 3 * start)}
    )
    (ax,) = picture.axes
    arrows = [text for text in ax.texts if not text.get_text()]
    np.testing.assert_allclose([a.xy for a in arrows], [*end, *(3 * start)])
    np.testing.assert_allclose(
        [a.get_position() for a in arrows], [*start, *(2 * start)]
    )
    assert words(ax) == ["45°", "90°", "0°", "pos 0", "0°", "pos 1"]
    for x, y in end:  # nothing is cut off
        assert ax.get_xlim()[0] < x < ax.get_xlim()[1]
        assert ax.get_ylim()[0] < y < ax.get_ylim()[1]
    assert "one, from a distance of 1.41; two, from a distance of 2.83" in picture.alt
    assert "one, by 45 and 90 degrees; two, by 0 and 0 degrees." in picture.alt


def test_norm_ratios_are_drawn_as_given():
    ratios = {"a": [0.7, 0.03], "b": [1.0, 16.0]}
    picture = pictures.norm_ratios([2, 512], ratios)
    (ax,) = picture.axes
    lines = {line.get_label(): list(line.get_ydata()) for line in ax.lines}
    assert {name: lines[name] for name in ratios} == ratios
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert len({line.get_marker() for line in ax.lines[:2]}) == 2
    assert set(ax.lines[-1].get_ydata()) == {1}  # where word and position are equal
    assert "a, 0.7 at width 2, 0.03 at width 512" in picture.alt
    assert "b, 1 at width 2, 16 at width 512" in picture.alt


def test_constructions_draw_every_measure():
    names = ["usual", "ours"]
    measured = pd.DataFrame({"error": [4e-4, 3e-8], "time": [1, 0.4]}, names)
    picture = pictures.constructions(measured)
    for ax, name in zip(picture.axes, measured, strict=True):
        assert [bar.get_width() for bar in ax.patches] == list(measured[name])
        assert to_hex(ax.patches[-1].get_facecolor()).upper() == GOOD
        assert ax.get_xlabel() == name
    assert (
        "time, 1 for usual and 0.4 for ours. The bar of ours is hatched" in picture.alt
    )
