"""Notebook 04: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
from drawing import shows
from references import distance
from seen import words

from helpers.lessons.distances import pictures


def test_the_mesh_writes_its_values_and_says_what_its_diagonals_hold():
    table = np.array([[distance(p - q, 8) for q in range(5)] for p in range(5)])
    picture = pictures.mesh(table, "width 8")
    assert words(picture.axes[0]) == [f"{value:.4f}" for value in table.ravel()]
    assert "Zero on the main diagonal; along the other diagonals one" in picture.alt
    assert "the furthest position is 3" in picture.alt
    other = pictures.mesh(table + np.arange(25.0).reshape(5, 5), "other").alt
    assert "Not zero on the main diagonal" in other
    assert "the values differ" in other and "the furthest position is 4" in other


def test_score_maps_say_what_the_offset_explains():
    stripes = np.subtract.outer(range(12), range(12)) ** 2.0
    columns = np.tile(np.arange(12.0) ** 2, (12, 1))  # where, and not how far apart
    picture = pictures.score_maps({"one": stripes, "other": columns})
    shows(picture, stripes, columns, says=["one, 100%"])
    share = int(picture.alt.split("other, ")[1].split("%")[0])
    assert share < 50
    titles = [ax.get_title(loc) for ax in picture.axes for loc in ("left", "center")]
    assert "one\nthe offset explains 100%" in titles
    assert f"other\nthe offset explains {share}%" in titles


def test_falls_are_marked_where_the_next_one_is_smaller():
    curves = {"width 2": np.array([0, 2, 1, 3, 2.5]), "width 4": np.arange(5.0)}
    picture = pictures.falls(curves)
    one, other = curves.values()
    told = "width 2, it falls 2 times, first after 1; width 4, it never falls"
    # With the dots before each fall.
    shows(picture, one, [2, 3], other, [], says=[told])
    titles = [ax.get_title("left") + ax.get_title() for ax in picture.axes]
    assert "it falls 2 times, first after 1" in titles[0].replace("\n", " ")
    assert "it never falls" in titles[1]


def test_growth_says_whether_the_law_holds_and_where_all_ends():
    far = np.unique(np.geomspace(1, 1000, 60).astype(int))
    law = 10 * np.log(far) + 6.0
    picture = pictures.growth(far, law * 1.01, law)
    shows(picture, law * 1.01, law, says=["runs along the law"])
    away = pictures.growth(far, law * 2, law)
    shows(away, says=["leaves the law", f"The law ends at {law[-1]:.0f}"])


def test_misses_mark_what_they_are_told_and_count_what_is_below_the_line():
    curve = np.array([distance(k, 8) for k in range(1, 64)])
    for long in (curve, np.tile(curve, 5)):
        ax = pictures.misses(long, [6, 63], "width 8", near=distance(1, 8)).axes[0]
        assert {"6", "63"} <= set(words(ax))
        points = [line for line in ax.lines if line.get_marker() == "o"]
        assert [p.get_ydata()[0] for p in points] == [curve[5], curve[62]]
    curve = np.array([3.0, 1.0, 2.0, 0.5])
    picture = pictures.misses(curve, [2, 4], "width 8", near=1.5)
    told, title = picture.alt, picture.axes[0].get_title("left")
    assert title == "width 8: 2 of 4 rows are nearer than the neighbour"
    assert "2 of them below the dashed line, D(1) = 1.500" in told
    assert "1.000 at 2, 0.500 at 4. The smallest is at 4" in told
    assert "None of them below" in pictures.misses(curve, [2], "a", near=0.1).alt
    assert "dashed" not in pictures.misses(curve, [2], "a").alt
