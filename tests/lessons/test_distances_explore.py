"""Notebook 04: its explorables, read back and by their texts."""

import numpy as np
import pytest
from drawing import drawn
from references import distance

from helpers import encoding
from helpers.lessons.distances import explore


def cells_of(mark, n):
    """The cells (p, q) that the path of a mark fills, on a map of n by n positions."""
    for part in mark["path"].split("M")[1:]:
        start, _, squares = part.partition("h")
        q, p = (round((float(place) + 1) * n / 2) for place in start.split(","))
        one = f"{2 / n}v{2 / n}h-{2 / n}v-{2 / n}m{2 / n},{2 / n}"
        assert not squares.replace(one, "").strip("h")
        yield from ((p + step, q + step) for step in range(squares.count(one)))


def test_the_maps_spread_offsets_along_diagonals():
    table = encoding.positional_encoding(12, 64)
    chart = explore.maps(encoding.distances(table)[0], table @ table[0])
    marks = [m for m in drawn(chart) if "path" in m]
    filled = [cell for mark in marks for cell in cells_of(mark, 12)]
    assert sorted(filled) == sorted(2 * [*np.ndindex(12, 12)])
    for mark in marks:
        (offset,) = {abs(p - q) for p, q in cells_of(mark, 12)}
        apart, product = distance(offset, 64), table[0] @ table[offset]
        assert mark["distance"] == pytest.approx(apart, abs=6e-5)
        assert mark["dot product"] == pytest.approx(product, abs=6e-5)


@pytest.mark.parametrize(("d_model", "base"), [(8, 10_000), (2, 10_000), (64, 10)])
def test_the_explorer_shows_the_distances_of_any_width_and_base(d_model, base):
    marks = drawn(explore.explorer, d_model=d_model, base=base, k=7)
    away = [distance(k, d_model, base) for k in range(61)]
    cells = {
        m["offset"]: m["distance"] for m in marks if "path" in m and "distance" in m
    }
    assert cells == pytest.approx(dict(enumerate(away[:40])), abs=6e-5)
    dots = [m for m in marks if "next distance" in m]
    assert [m["distance D(k)"] for m in dots] == pytest.approx(away, abs=6e-5)
    falls = [m["offset"] for m in dots[:60] if m["next distance"] == "falls"]
    assert falls == [k for k in range(60) if away[k + 1] < away[k]]
    assert [m["shown"] for m in marks if "shown" in m] == [f"D(7) = {away[7]:.4f}"]
    (outlined,) = [m for m in marks if "path" in m and "distance" not in m]
    assert {abs(p - q) for p, q in cells_of(outlined, 40)} == {7}


def test_the_explorers_four_decimals_fall_where_the_distances_do():
    for name, shown in explore._distances(60).items():
        d_model, base = map(int, name.split())
        exact = encoding.distances(encoding.positional_encoding(62, d_model, base))[0]
        assert shown.to_numpy() == pytest.approx(exact, abs=6e-5)
        assert ((np.diff(shown) < 0) == (np.diff(exact) < 0)).all()
