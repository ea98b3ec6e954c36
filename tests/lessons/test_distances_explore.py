"""Notebook 04: its explorables, read back and by their texts."""

import numpy as np
import pandas as pd
import pytest
from drawing import drawn, values
from references import distance

from helpers import encoding
from helpers.lessons.distances import explore


def cells_of(mark, n):
    """The cells (p, q) that the path of a mark fills, on a map of n by n positions."""
    cell = 2 / n
    square = f"h{cell}v{cell}h-{cell}v-{cell}m{cell},{cell}"
    for part in mark["path"].split("M")[1:]:
        start, *squares = part.partition("h")
        count = part.count("m")
        assert "".join(squares) == count * square
        q, p = (round((float(place) + 1) / cell) for place in start.split(","))
        yield from zip(range(p, p + count), range(q, q + count), strict=True)


def test_the_maps_spread_offsets_along_diagonals():
    table = encoding.positional_encoding(12, 64)
    chart = explore.maps(encoding.distances(table)[0], table @ table[0])
    marks = [m for m in drawn(chart) if "path" in m]

    # Each of the two maps fills all its cells.
    filled = [cell for mark in marks for cell in cells_of(mark, 12)]

    assert sorted(filled) == sorted(2 * [*np.ndindex(12, 12)])
    for mark in marks:
        (offset,) = {abs(p - q) for p, q in cells_of(mark, 12)}
        apart = distance(offset, 64)
        assert mark["distance"] == pytest.approx(apart, abs=6e-5)
        assert mark["dot product"] == pytest.approx(32 - apart**2 / 2, abs=6e-5)


@pytest.mark.parametrize(
    ("d_model", "base"),
    [
        (8, 10_000),
        (2, 10_000),
        (64, 10),
    ],
)
def test_the_explorer_shows_the_distances_of_any_width_and_base(d_model, base):
    marks = drawn(explore.explorer, d_model=d_model, base=base, k=7)
    away = [distance(k, d_model, base) for k in range(61)]
    shown = {
        m["offset"]: m["distance"] for m in marks if {"path", "distance"} <= m.keys()
    }

    assert shown == pytest.approx(dict(enumerate(away[:40])), abs=6e-5)

    # The curve, with a triangle where the next distance is smaller.
    dots = pd.DataFrame(m for m in marks if "next distance" in m)
    assert dots["distance D(k)"].tolist() == pytest.approx(away, abs=6e-5)

    falls = dots["next distance"][:60] == "falls"
    assert (falls == (np.diff(away) < 0)).all()

    # The offset that is marked, on the curve and on the map.
    assert values(marks, "shown") == [f"D(7) = {away[7]:.4f}"]

    (outlined,) = [m for m in marks if "path" in m and "distance" not in m]
    assert {abs(p - q) for p, q in cells_of(outlined, 40)} == {7}


def test_the_explorers_four_decimals_fall_where_the_distances_do():
    for name, shown in explore._distances(60).items():
        d_model, base = map(int, name.split())
        table = encoding.positional_encoding(62, d_model, base)
        exact = encoding.distances(table)[0]
        assert shown.to_numpy() == pytest.approx(exact, abs=6e-5)
        assert ((np.diff(shown) < 0) == (np.diff(exact) < 0)).all()
