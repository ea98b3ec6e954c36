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
    places = {square.get_xy() for square in squares}
    assert len(places) == len(squares)
    bad = sum(wrong.values())
    told = f"{bad} of {bad + sum(right.values())} compute neither"
    assert picture.alt.startswith(told) and titles(picture)[0].startswith(told)


def test_the_counts_are_those_of_the_census():
    assert (sum(RIGHT.values()), sum(WRONG.values())) == (113, 26)
