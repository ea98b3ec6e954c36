"""Notebook 04: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
from drawing import shows
from references import distance
from seen import titles, words

from helpers.lessons.distances import pictures


def test_the_mesh_writes_its_values_and_says_what_its_diagonals_hold():
    table = np.array([[distance(p - q, 8) for q in range(5)] for p in range(5)])
    picture = pictures.mesh(table, "width 8")
    assert words(picture.axes[0]) == [f"{value:.2f}" for value in table.ravel()]
    shows(picture, table, table[0], says=["one value repeats", "the furthest is 3"])
    assert titles(picture)[0].endswith("and row 4 is nearer to row 0 than row 3")
    other = table + np.arange(25).reshape(5, 5)
    shows(pictures.mesh(other, ""), other, says=["values differ", "furthest is 4"])


def test_score_maps_say_what_the_offset_explains():
    stripes = np.subtract.outer(range(12), range(12)) ** 2
    columns = np.tile(range(12), (12, 1))  # q is (q - p) / 2 + (q + p) / 2, half each
    picture = pictures.score_maps({"one": stripes, "other": columns})
    told = "The offset explains of the scores 100% (one) and 50% (other)"
    shows(picture, stripes, columns, says=[told])
    assert titles(picture)[0] == told


def test_falls_are_marked_where_the_next_one_is_smaller():
    curves = {"width 2": np.array([0, 2, 1, 3, 2.5]), "width 4": np.arange(5.0)}
    picture = pictures.falls(curves)
    one, other = curves.values()
    told = "width 2, it falls 2 times, first after 1; width 4, it never falls"
    # With the dots before each fall.
    shows(picture, one, [2, 3], other, [], says=[told])
    head, *heads = titles(picture)
    assert told.replace("2, ", "2\n").replace("4, ", "4\n").split("; ") == heads
    assert head == "The distance falls for the first time after 1 positions"


def test_growth_says_whether_the_law_holds():
    far = np.unique(np.geomspace(1, 1000, 60).astype(int))
    law = 10 * np.log(far) + 6.0
    for factor, told in (
        (1.01, "follows the law: 23 more"),
        (2, "leaves the law: 23 more"),
    ):
        picture = pictures.growth(far, law * factor, law)
        shows(picture, law * factor, law, says=[told, "up to 75 at the offset 1000"])
        assert told in titles(picture)[0]


def test_misses_mark_what_they_are_told_and_count_what_is_below_the_line():
    curve = [1.5, 3, 1, 2, 0.5]
    picture = pictures.misses(curve, [3, 5], "width 8")
    told = "width 8: 2 of 5 rows are nearer than the neighbour"
    marked = "1.500 away. Marked are 1.000 at 3 and 0.500 at 5"
    shows(picture, curve, [1], [0.5], [1.5, 1.5], says=[told, marked])
    assert titles(picture) == [told] and words(picture.axes[0]) == ["3", "5", "D(1)"]
    assert "0 of 2 rows" in pictures.misses([1, 2], [2], "").alt
