"""Notebook 05: its pictures, read back."""

import numpy as np
import pytest
from drawing import shows

from helpers.lessons.module import pictures

ROWS = np.array([[np.sin(p), np.cos(p)] for p in range(3)])
SAME, TURNED = np.stack([ROWS, ROWS]), np.repeat(ROWS[:2, None], 3, axis=1)
ALIKE = "Feed zeros: the same rows come out for all 2 sentences"
RATIOS = {"a": [0.7, 0.03], "b": [1.0, 16.0]}
START, END = np.array([[-1.0, -1], [1, 1]]), np.array([[-1.0, 0], [-1, 1]])
MOVED = {"one": (START, END), "two": (2 * START, 3 * START)}


@pytest.mark.parametrize(
    ("make", "arrays", "told"),
    [
        (pictures.slice_and_broadcast, [], []),
        (lambda: pictures.for_zeros(SAME), [ROWS, ROWS], [ALIKE]),
        (
            lambda: pictures.for_zeros(TURNED),
            [*TURNED],
            ["the 2 sentences do not get the same rows, and within each all rows are"],
        ),
        (
            lambda: pictures.norm_ratios([2, 512], RATIOS),
            [RATIOS["a"], RATIOS["b"]],
            ["At width 512, a position is 0.03 to 16 times as long as a word"],
        ),
        (lambda: pictures.corners_moved(MOVED), [], ["one", "90", "two", "0"]),
    ],
)
def test_a_picture_draws_its_data_and_says_what_they_show(make, arrays, told):
    shows(make(), *arrays, told=told)


def test_outputs_are_called_equal_where_they_are():
    picture = pictures.for_zeros(np.stack([ROWS, ROWS, -ROWS]))
    assert picture.axes[0].texts[0].get_text() == " = "
    assert "sentence 0 = sentence 1 ≠ sentence 2" in picture.alt


def test_arrows_lead_from_a_corner_to_its_sum_with_their_angle():
    picture = pictures.corners_moved(MOVED)
    for ax, both in zip(picture.axes, MOVED.values(), strict=True):
        arrows = [(t.get_position(), t.xy) for t in ax.texts if not t.get_text()]
        np.testing.assert_allclose(arrows, list(zip(*both, strict=True)))
    assert "one, by 45 and 90 degrees; two, by 0 and 0 degrees." in picture.alt
