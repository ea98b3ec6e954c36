"""Notebook 05: its pictures, read back, and their texts for data and their opposite."""

import math

import numpy as np
from drawing import shows
from seen import words

from helpers.lessons.module import pictures


def test_every_sentence_gets_the_same_rows():
    said = words(pictures.slice_and_broadcast().axes[0])
    assert "x  (2, 3, 4)" in said and "3 of the table's 6 rows  (3, 4)" in said
    for row in range(3):
        assert said.count(f"token {row}") == 2
        assert said.count(f"token {row} + row {row}") == 2
        assert f"row {row + 3}, not used" in said


def test_zeros_show_the_rows_and_which_of_them_are_equal():
    rows = np.array([[math.sin(p), math.cos(p)] for p in range(3)])
    told = "Row differs from row; all sentences are equal."
    shows(pictures.for_zeros(np.stack([rows, rows])), rows, rows, says=[told])
    turned = pictures.for_zeros(np.repeat(rows[:2, None], 3, axis=1))
    shows(turned, says=["All rows of a sentence are equal; sentences differ."])


def test_one_token_is_shown_before_and_after_dropout():
    before = np.arange(1.0, 25).reshape(2, 3, 4)
    after = before * 1.25
    after[0, 1, [0, 3]] = 0
    picture = pictures.dropped(before, after)
    table = "x + PE 5.00 6.00 7.00 8.00 times 0 1.25 1.25 0 output 0.00 7.50 8.75 0.00"
    assert " ".join(words(picture.axes[0])).startswith(table)
    told = "2 were set to 0, in the columns 0 and 3; the others", "by 1.25."
    shows(picture, says=told)
    other = "0 were set to 0, in the columns none; the others were", "by 2.00"
    shows(pictures.dropped(before, 2 * before), says=other)


def test_arrows_lead_from_a_corner_to_its_sum_with_their_angle():
    start = np.array([[-1.0, -1.0], [1.0, 1.0]])
    end = np.array([[-1.0, 0.0], [-1.0, 1.0]])
    moved = {"one": (start, end), "two": (2 * start, 3 * start)}
    picture = pictures.corners_moved(moved)
    (ax,) = picture.axes
    arrows = [(t.get_position(), t.xy) for t in ax.texts if not t.get_text()]
    wanted = [pair for both in moved.values() for pair in zip(*both, strict=True)]
    np.testing.assert_allclose(arrows, wanted)
    assert words(ax) == ["45°", "90°", "0°", "pos 0", "0°", "pos 1"]
    assert "one, from a distance of 1.41; two, from a distance of 2.83" in picture.alt
    assert "one, by 45 and 90 degrees; two, by 0 and 0 degrees." in picture.alt


def test_norm_ratios_are_drawn_as_given():
    ratios = {"a": [0.7, 0.03], "b": [1.0, 16.0]}
    told = "a, 0.7 at width 2, 0.03 at width 512", "b, 1 at width 2, 16 at width 512"
    shows(pictures.norm_ratios([2, 512], ratios), *ratios.values(), says=told)
