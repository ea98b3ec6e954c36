"""Notebook 04: its pictures, the maps and the explorer, read back and by their texts."""

import io
import math
import re

import numpy as np
import pandas as pd
import pytest
from drawing import drawn
from matplotlib.colors import to_rgb
from references import distance

from helpers import encoding
from helpers.explore import distances as explore
from helpers.pictures import distances as pictures

# The pictures


def test_the_mesh_writes_its_values():
    table = [[distance(p - q, 8) for q in range(5)] for p in range(5)]
    ax = pictures.mesh(np.array(table), "width 8").axes[0]
    np.testing.assert_array_equal(ax.images[0].get_array(), table)
    for text in ax.texts:
        column, line = text.get_position()
        assert text.get_text() == f"{table[line][column]:.4f}"
    assert len(ax.texts) == 25
    for text in ax.texts:
        column, line = text.get_position()
        cell = ax.images[0].to_rgba(table[line][column])
        assert contrast(text.get_color(), cell) >= 4.5


def contrast(one, other):
    """Of two colours, as WCAG 2 has it: from 1 to 21."""
    lights = []
    for colour in (one, other):
        light = 0.05
        for share, c in zip((0.2126, 0.7152, 0.0722), to_rgb(colour), strict=True):
            light += share * (
                c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            )
        lights.append(light)
    return max(lights) / min(lights)


def test_two_routes_meet():
    closed = np.array([distance(k, 8) for k in range(6)])
    matrix = encoding.distances(encoding.positional_encoding(6, 8))
    dots, line = pictures.two_routes(matrix, closed).axes[0].lines
    assert len(dots.get_xdata()) == 36
    by_offset = dict(zip(line.get_xdata(), line.get_ydata(), strict=True))
    for x, y in zip(dots.get_xdata(), dots.get_ydata(), strict=True):
        assert y == pytest.approx(by_offset[x], abs=1e-12)


def test_falls_are_marked_where_the_next_one_is_smaller():
    curve = np.array([0.0, 1.0, 3.0, 2.0, 4.0, 1.0])
    ax = pictures.falls({"a": curve, "b": curve}).axes[0]
    assert list(ax.lines[1].get_xdata()) == [2, 4]
    assert "after 2" in ax.texts[0].get_text()


def test_misses_mark_what_they_are_told():
    curve = np.array([distance(k, 8) for k in range(1, 64)])
    for long in (curve, np.tile(curve, 5)):
        ax = pictures.misses(long, [6, 63], "width 8", near=distance(1, 8)).axes[0]
        marks = {t.get_text() for t in ax.texts}
        assert {"6", "63"} <= marks
        points = [line for line in ax.lines if line.get_marker() == "o"]
        assert [p.get_ydata()[0] for p in points] == [curve[5], curve[62]]


def test_curves_are_drawn_as_given():
    offsets, values = np.array([1, 10, 100]), np.array([1.0, 2.0, 3.0])
    drawn_lines = pictures.growth(offsets, values, values + 1, values + 2).axes[0].lines
    for line, wanted in zip(drawn_lines, (values, values + 1, values + 2), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), wanted)
    named = pictures.growth(offsets, values, values, values).axes[0].get_legend()
    shown = [text.get_text() for text in named.get_texts()]
    assert shown == ["measured", "law", "straight line"]
    (line,) = pictures.bases({"base 10": (offsets, values)}, "width").axes[0].lines
    np.testing.assert_array_equal(line.get_xdata(), offsets)
    four = {f"base {n}": (offsets, n * values) for n in range(4)}
    lines = pictures.bases(four, "width").axes[0].lines
    assert len({line.get_marker() for line in lines}) == 4  # colour is not alone
    steps = {"float32": values, "float64": values / 2}
    left, right = pictures.one_step(offsets, steps).axes
    np.testing.assert_array_equal(left.lines[0].get_ydata(), values)
    np.testing.assert_array_equal(right.lines[0].get_ydata(), values / 2)


# Text alternatives say what is drawn: draw the opposite, read the text


def test_the_mesh_says_what_its_diagonals_hold():
    striped = encoding.distances(encoding.positional_encoding(5, 8))
    other = striped + np.arange(25.0).reshape(5, 5)
    right, wrong = (pictures.mesh(m, "a mesh").alt for m in (striped, other))
    assert "Zero on the main diagonal" in right
    assert "one value repeats" in right
    assert "the furthest position is 3" in right
    assert "Not zero on the main diagonal" in wrong
    assert "the values differ" in wrong
    assert "the furthest position is 4" in wrong


def test_two_routes_say_whether_they_meet():
    closed = np.array([distance(k, 8) for k in range(6)])
    matrix = encoding.distances(encoding.positional_encoding(6, 8))
    assert "meets every dot" in pictures.two_routes(matrix, closed).alt
    assert "misses dots by up to 1" in pictures.two_routes(matrix, closed + 1).alt


def test_errors_say_their_size_and_their_course():
    position = np.arange(100)
    level = np.where(position % 2, 3e-8, -2e-8)
    steps = {"one": level, "other": 1e-6 * position * np.sign(level)}
    told = pictures.one_step(position, steps).alt
    assert "one, below 1e-07 and much the same all along" in told
    assert "other, below 0.0001 and growing with the position" in told


def test_falls_say_where_and_how_often():
    curves = {"width 2": np.array([0, 2, 1, 3, 2.5]), "width 4": np.arange(5.0)}
    picture = pictures.falls(curves)
    assert "width 2, it falls 2 times, first after 1" in picture.alt
    assert "width 4, it never falls" in picture.alt
    assert not picture.axes[1].texts  # no first fall is marked where there is none


def test_growth_says_whether_the_law_holds_and_where_all_ends():
    far = np.unique(np.geomspace(1, 1000, 60).astype(int))
    law = 10 * np.log(far) + 6.0
    along = pictures.growth(far, law * 1.01, law, law).alt
    away = pictures.growth(far, law * 2, law, law + 5).alt
    assert "runs along the law" in along
    assert "stays away from the law" in away
    assert f"straight line ends at {law[-1] + 5:.0f}, the law at {law[-1]:.0f}" in away


def test_misses_say_how_many_are_below_the_line():
    curve = np.array([3.0, 1.0, 2.0, 0.5])
    told = pictures.misses(curve, [2, 4], "width 8", near=1.5).alt
    assert "2 of them below the dashed line, D(1) = 1.500" in told
    assert "1.000 at 2, 0.500 at 4" in told
    assert "The smallest is at 4" in told
    assert "None of them below" in pictures.misses(curve, [2], "a", near=0.1).alt
    assert "dashed" not in pictures.misses(curve, [2], "a").alt


def test_bases_say_where_their_curves_settle():
    offsets = np.array([1, 10, 100, 1000, 10_000])
    curves = {
        "base 2": (offsets, np.array([0.5, 1.0, 1.0, 1.0, 1.0])),
        "base 9": (offsets, np.array([0.1, 0.2, 0.3, 0.4, 2.0])),
    }
    told = pictures.bases(curves, "width 64").alt
    assert "base 2, from 0.50 to about 1.0, near that from 10 on" in told
    assert "base 9, from 0.10 to about 2.0, near that from 10,000 on" in told


# The maps and the explorer


def cells_of(mark, n):
    """The cells (p, q) that the path of a mark fills, on a map of n by n positions."""
    found, where = [], None
    for letter, x, y in re.findall(
        r"([MmhvZ])(-?[\d.e-]+)(?:,(-?[\d.e-]+))?", mark["path"]
    ):
        if letter in "Mm":
            start = (0, 0) if letter == "M" else where
            where = start[0] + float(x), start[1] + float(y)
        elif letter == "h" and float(x) > 0:
            assert float(x) == pytest.approx(2 / n)
            found.append(tuple(round((w + 1) * n / 2) for w in where))
    return found


def test_the_maps_spread_offsets_along_diagonals():
    table = encoding.positional_encoding(12, 64)
    chart = explore.maps(encoding.distances(table)[0], table @ table[0])
    marks = [m for m in drawn(chart) if "path" in m]
    drawn_cells = [(cell, mark) for mark in marks for cell in cells_of(mark, 12)]
    assert sorted(cell for cell, _ in drawn_cells) == sorted(
        2 * [(p, q) for p in range(12) for q in range(12)]
    )
    for (p, q), mark in drawn_cells:
        here, there = table[p], table[q]
        assert mark["offset"] == abs(p - q)
        assert mark["distance"] == pytest.approx(math.dist(here, there), abs=6e-5)
        assert mark["dot product"] == pytest.approx(here @ there, abs=6e-5)


@pytest.mark.parametrize(
    ("d_model", "base"), [(8, 10_000), (2, 10_000), (64, 10), (512, 1_000_000)]
)
def test_the_explorer_shows_the_distances_of_any_width_and_base(d_model, base):
    marks = drawn(explore.explorer, d_model=d_model, base=base, k=7)
    filled = [m for m in marks if "path" in m and "distance" in m]
    cells = {cell: mark["distance"] for mark in filled for cell in cells_of(mark, 40)}
    assert len(cells) == 40 * 40
    for p, q in [(0, 0), (0, 1), (7, 3), (39, 0), (0, 39), (20, 25)]:
        assert cells[p, q] == pytest.approx(distance(p - q, d_model, base), abs=6e-5)
    dots = {m["offset"]: m for m in marks if "next distance" in m}
    assert sorted(dots) == list(range(61))
    for k, dot in dots.items():
        now, then = (distance(n, d_model, base) for n in (k, k + 1))
        assert dot["distance D(k)"] == pytest.approx(now, abs=6e-5)
        assert dot["next distance"] == ("falls" if then < now else "rises")
    (shown,) = [m["shown"] for m in marks if "shown" in m]
    assert shown == f"D(7) = {distance(7, d_model, base):.4f}"
    (outlined,) = [m for m in marks if "path" in m and "distance" not in m]
    assert {abs(p - q) for p, q in cells_of(outlined, 40)} == {7}


def test_the_explorers_four_decimals_fall_where_the_distances_do():
    (values,) = explore.explorer().to_dict()["datasets"].values()
    columns = pd.read_csv(io.StringIO(values), index_col="offset")
    assert columns.shape == (62, len(explore.WIDTHS) * len(explore.BASES))
    for name, shown in columns.items():
        d_model, base = map(int, name.split())
        exact = encoding.distances(encoding.positional_encoding(62, d_model, base=base))
        assert np.abs(shown - exact[0]).max() < 6e-5
        assert ((np.diff(shown) < 0) == (np.diff(exact[0]) < 0)).all()
