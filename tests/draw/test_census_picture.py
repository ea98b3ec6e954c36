"""The census: a square for each public implementation."""

from collections import Counter

import pytest
from matplotlib.patches import Rectangle
from seen import titles

from helpers.draw.census import RIGHT, WRONG, census


@pytest.mark.parametrize(("right", "wrong"), [(RIGHT, WRONG), ({"a": 7}, {"b": 35})])
def test_every_code_has_its_square_in_its_colour(right, wrong):
    picture = census(right, wrong)
    (ax,) = picture.axes
    squares = [p for p in ax.patches if isinstance(p, Rectangle)]
    shown = Counter(square.get_facecolor() for square in squares)
    # One more of each stands in the legend.
    assert [n - 1 for n in shown.values()] == [*right.values(), *wrong.values()]
    bad, good = sum(wrong.values()), sum(right.values())
    told = f"{bad} of {bad + good} compute neither"
    assert picture.alt.startswith(told) and titles(picture)[0].startswith(told)
