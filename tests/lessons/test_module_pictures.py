"""Notebook 05: its pictures, read back, and their texts for data and their opposite."""

import math

import numpy as np
from drawing import shows
from seen import titles, words

from helpers.lessons.module import pictures


def test_every_sentence_gets_the_same_rows():
    said = words(pictures.slice_and_broadcast().axes[0])
    shapes = "x  (2, 3, 4)", "3 of the table's 6 rows  (3, 4)", "sum  (2, 3, 4)"
    assert {*shapes, "row 0", "row 2", "row 3, not used", "row 5, not used"} <= {*said}
    for text in ("token 0", "token 2", "token 0 + row 0", "token 2 + row 2"):
        assert said.count(text) == 2


def test_zeros_show_the_rows_and_which_of_them_are_equal():
    rows = np.array([[math.sin(p), math.cos(p)] for p in range(3)])
    told = "each row its own, all sentences equal"
    shows(pictures.for_zeros(np.stack([rows, rows])), rows, rows, says=[told])
    turned = pictures.for_zeros(np.repeat(rows[:2, None], 3, axis=1))
    shows(turned, says=["equal rows, sentences differ"])
    assert titles(turned)[:2] == ["sentence 0: equal rows", "sentence 1: equal rows"]


def test_arrows_lead_from_a_corner_to_its_sum_with_their_angle():
    start = np.array([[-1.0, -1.0], [1.0, 1.0]])
    end = np.array([[-1.0, 0.0], [-1.0, 1.0]])
    moved = {"one": (start, end), "two": (2 * start, 3 * start)}
    picture = pictures.corners_moved(moved)
    for ax, both in zip(picture.axes, moved.values(), strict=True):
        arrows = [(t.get_position(), t.xy) for t in ax.texts if not t.get_text()]
        np.testing.assert_allclose(arrows, list(zip(*both, strict=True)))
    one, two = map(words, picture.axes)
    assert one == ["45°", "pos 0", "90°", "pos 1"] and two[::2] == ["0°", "0°"]
    assert "one, by 45 and 90 degrees; two, by 0 and 0 degrees." in picture.alt
    heads = ["one\nturns words by up to 90°", "two\nturns words by up to 0°"]
    assert titles(picture) == heads


def test_norm_ratios_are_drawn_as_given():
    ratios = {"a": [0.7, 0.03], "b": [1.0, 16.0]}
    told = "at width 512, a position is 0.03 to 16 times as long as a word"
    picture = pictures.norm_ratios([2, 512], ratios)
    shows(picture, *ratios.values(), says=[f"{told}: a, 0.03; b, 16"])
    assert titles(picture) == [told]
