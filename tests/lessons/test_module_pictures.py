"""Notebook 05: its pictures, read back, and their texts for data and their opposite."""

import math

import numpy as np
from drawing import shows
from seen import titles, words

from helpers.lessons.module import pictures


def test_every_sentence_gets_the_same_rows():
    said = words(pictures.slice_and_broadcast().axes[0])
    shapes = "x  (2, 3, 4)", "3 of the table's 6 rows  (3, 4)", "sum  (2, 3, 4)"
    assert {*shapes, "row 0", "row 2", "rows 3 to 5: not used"} <= {*said}
    for text in ("the + row 0", "a + row 0", "sat + row 2", "ran + row 2"):
        assert said.count(text) == 1


def test_zeros_show_the_rows_and_which_of_them_are_equal():
    rows = np.array([[math.sin(p), math.cos(p)] for p in range(3)])
    told = "For zeros, each position has its own row, the same in all 2 sentences"
    same = pictures.for_zeros(np.stack([rows, rows]))
    shows(same, rows, 0 * rows, says=[told])
    assert titles(same)[0] == told and "no difference" in words(same.axes[1])
    turned = pictures.for_zeros(np.repeat(rows[:2, None], 3, axis=1))
    shows(turned, says=["all rows are equal, and the sentences differ"])
    assert not words(turned.axes[1])


def test_arrows_lead_from_a_corner_to_its_sum_with_their_angle():
    start = np.array([[-1.0, -1.0], [1.0, 1.0]])
    end = np.array([[-1.0, 0.0], [-1.0, 1.0]])
    moved = {"one": (start, end), "two": (2 * start, 3 * start)}
    picture = pictures.corners_moved(moved)
    for ax, both in zip(picture.axes, moved.values(), strict=True):
        arrows = [(t.get_position(), t.xy) for t in ax.texts if not t.get_text()]
        np.testing.assert_allclose(arrows, list(zip(*both, strict=True)))
    one, two = map(words, picture.axes)
    assert one == ["45°", "word 0", "90°", "word 1"] and two[::2] == ["0°", "0°"]
    assert "one, by 45 and 90 degrees; two, by 0 and 0 degrees." in picture.alt
    assert titles(picture)[0] == "A position turns a word by up to: one, 90°; two, 0°"


def test_norm_ratios_are_drawn_as_given():
    ratios = {"a": [0.7, 0.03], "b": [1.0, 16.0]}
    told = "At width 512, a position is 0.03 to 16 times as long as a word"
    picture = pictures.norm_ratios([2, 512], ratios)
    shows(picture, *ratios.values(), says=[f"{told}: a, 0.03; b, 16"])
    assert titles(picture) == [told]
