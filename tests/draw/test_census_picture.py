"""The census: a square for each public implementation."""

import pytest
from matplotlib.patches import Rectangle

from helpers.draw.census import CENSUS, census


@pytest.mark.parametrize(
    "counts", [CENSUS, {"the paper's table": 7, "other numbers": 35}]
)
def test_every_code_has_its_square_in_its_colour(counts):
    picture = census(counts)
    squares = [p for p in picture.axes[0].patches if isinstance(p, Rectangle)]
    by_colour = {}
    for square in squares:
        colour = square.get_facecolor()
        by_colour[colour] = by_colour.get(colour, 0) + 1
    # One more of each stands in the legend.
    assert sorted(n - 1 for n in by_colour.values()) == sorted(counts.values())
    wrong = sum(n for name, n in counts.items() if name.startswith("other"))
    total = sum(counts.values())
    assert f"{wrong} of {total} compute other numbers" in picture.alt
    texts = {text.get_text() for text in picture.axes[0].texts}
    assert f"{wrong} of {total} public codes compute other numbers" in texts


def test_the_counts_are_those_of_the_census():
    assert sum(CENSUS.values()) == 139
    assert sum(n for name, n in CENSUS.items() if name.startswith("other")) == 26
