"""Notebook 04: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
import pytest
from references import distance
from seen import titles, words

from helpers import encoding
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


def test_two_routes_say_whether_they_meet():
    closed = np.array([distance(k, 8) for k in range(6)])
    matrix = encoding.distances(encoding.positional_encoding(6, 8))
    picture = pictures.two_routes(matrix, closed)
    dots, line = picture.axes[0].lines
    by_offset = dict(line.get_xydata())
    assert len(dots.get_xdata()) == 36
    for x, y in dots.get_xydata():
        assert y == pytest.approx(by_offset[x], abs=1e-12)
    assert "meets every dot" in picture.alt
    assert "misses dots by up to 1" in pictures.two_routes(matrix, closed + 1).alt


def test_errors_say_their_size_and_their_course():
    position = np.arange(100)
    level = np.where(position % 2, 3e-8, -2e-8)
    steps = {"one": level, "other": 1e-6 * position * np.sign(level)}
    picture = pictures.one_step(position, steps)
    assert titles(picture) == list(steps)
    for ax, error in zip(picture.axes, steps.values(), strict=True):
        np.testing.assert_array_equal(ax.lines[0].get_ydata(), error)
    assert "one, below 1e-07 and much the same all along" in picture.alt
    assert "other, below 0.0001 and growing with the position" in picture.alt


def test_falls_are_marked_where_the_next_one_is_smaller():
    curves = {"width 2": np.array([0, 2, 1, 3, 2.5]), "width 4": np.arange(5.0)}
    picture = pictures.falls(curves)
    falling, rising = picture.axes
    assert list(falling.lines[1].get_xdata()) == [1, 3]
    assert words(falling) == ["first fall\nafter 1"] and not words(rising)
    assert "width 2, it falls 2 times, first after 1" in picture.alt
    assert "width 4, it never falls" in picture.alt


def test_growth_says_whether_the_law_holds_and_where_all_ends():
    far = np.unique(np.geomspace(1, 1000, 60).astype(int))
    law = 10 * np.log(far) + 6.0
    picture = pictures.growth(far, law * 1.01, law, law - 1)
    drawn = [line.get_ydata() for line in picture.axes[0].lines]
    np.testing.assert_array_equal(drawn, [law * 1.01, law, law - 1])
    assert "runs along the law" in picture.alt
    away = pictures.growth(far, law * 2, law, law + 5).alt
    assert "leaves the law" in away
    assert f"straight line ends at {law[-1] + 5:.0f}, the law at {law[-1]:.0f}" in away


def test_misses_mark_what_they_are_told_and_count_what_is_below_the_line():
    curve = np.array([distance(k, 8) for k in range(1, 64)])
    for long in (curve, np.tile(curve, 5)):
        ax = pictures.misses(long, [6, 63], "width 8", near=distance(1, 8)).axes[0]
        assert {"6", "63"} <= set(words(ax))
        points = [line for line in ax.lines if line.get_marker() == "o"]
        assert [p.get_ydata()[0] for p in points] == [curve[5], curve[62]]
    curve = np.array([3.0, 1.0, 2.0, 0.5])
    told = pictures.misses(curve, [2, 4], "width 8", near=1.5).alt
    assert "2 of them below the dashed line, D(1) = 1.500" in told
    assert "1.000 at 2, 0.500 at 4. The smallest is at 4" in told
    assert "None of them below" in pictures.misses(curve, [2], "a", near=0.1).alt
    assert "dashed" not in pictures.misses(curve, [2], "a").alt


def test_bases_draw_means_of_neighbours_and_say_where_they_settle():
    offsets = np.array([1, 10, 11, 12, 10_000])
    curves = {
        "base 2": (offsets, np.array([0.5, 1.0, 1.0, 1.0, 1.0])),
        "base 9": (offsets, np.array([0.1, 0.2, 0.3, 0.4, 2.0])),
    }
    picture = pictures.bases(curves, "width 64")
    measured, mean = picture.axes[0].lines[2:]
    assert list(measured.get_ydata()) == [0.1, 0.2, 0.3, 0.4, 2.0]
    assert mean.get_ydata() == pytest.approx([0.1, 0.3, 0.3, 0.3, 2.0])
    assert "base 2, from 0.50 to about 1.0, first reached at 10" in picture.alt
    assert "base 9, from 0.10 to about 2.0, first reached at 10,000" in picture.alt
