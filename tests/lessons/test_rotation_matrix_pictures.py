"""Notebook 03: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
import pytest
from drawing import shows
from references import shift
from seen import titles

from helpers.lessons.rotation_matrix import pictures

M_3 = np.array(shift(3, 8))


def test_the_matrix_is_drawn_and_written_and_says_what_is_outside_its_blocks():
    picture = pictures.matrix(M_3, "$M_3$")
    shown = [text for text in picture.axes[0].texts if text.get_visible()]
    shown = [text for text in shown if "rad" not in text.get_text()]
    assert len(shown) == 16
    for text in shown:
        column, line = text.get_position()
        assert text.get_text().replace("−", "-") == f"{M_3[line][column]:.3f}"
    assert "zeros elsewhere" in picture.alt
    assert titles(picture)[0].endswith(
        "4 small rotations by 3 to 0.003 rad, zero elsewhere"
    )
    other = pictures.matrix(M_3 + 0.1, "M")
    assert "zeros elsewhere" not in other.alt and "rotations" not in other.alt


@pytest.mark.parametrize(
    ("errors", "title"),
    [
        ([1e-16, 0, 1e-16, 0], "from everywhere"),
        ([0, 2.5, 1, 3], "from position 0 alone"),
        ([2, 0, 0, 1], "from position 1 and position 2 alone"),
        ([2, 1], "from nowhere"),
    ],
)
def test_misses_say_from_where_a_matrix_arrives(errors, title):
    picture = pictures.misses(errors)
    assert [bar.get_height() for bar in picture.axes[0].patches] == errors
    assert titles(picture) == [f"The matrix arrives {title}"]
    assert f"{max(errors):.2f} at most: {titles(picture)[0]}." in picture.alt


def test_recovered_matrices_stand_beside_the_true_ones_and_say_where_they_differ():
    last, first = M_3.copy(), M_3.copy()
    last[4:], first[:2] = 0, 0
    pairs = {"a": (M_3, last), "b": (M_3, M_3), "c": (M_3, first)}
    picture = pictures.recovered(pairs, "$M_3$")
    told = "last 2 of 4 pairs differ", "no pair differs", "1 of 4 pairs differ"
    drawn = [m for true, found in pairs.values() for m in (true, found, found - true)]
    said = [f"{name}, {found}" for name, found in zip(pairs, told, strict=True)]
    shows(picture, *drawn, says=["; ".join(said)])
    assert titles(picture)[0].endswith("; ".join(said))
