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
    written = {text.get_position(): text.get_text() for text in shown}
    assert len(written) == 16
    for (column, line), text in written.items():
        assert text.replace("−", "-") == f"{M_3[line][column]:.3f}"
    assert "zeros elsewhere" in picture.alt
    assert "zeros elsewhere" not in pictures.matrix(M_3 + 0.1, "M").alt


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
    assert f"is {max(errors):.2f} at most. {titles(picture)[0]}." in picture.alt


def test_recovered_matrices_stand_beside_the_true_ones_and_say_where_they_differ():
    last, first = M_3.copy(), M_3.copy()
    last[6:], first[:2] = 0, 0
    picture = pictures.recovered({"width 8": (M_3, last), "b": (M_3, M_3)}, "$M_3$")
    told = "width 8, blank in the first pairs' rows", "b, blank."
    shows(picture, M_3, last, last - M_3, M_3, M_3, 0 * M_3, says=told)
    headings = titles(picture)[2::3]
    assert headings == ["difference: 1 of 4 pairs", "difference: none"]
    shows(pictures.recovered({"c": (M_3, first)}, "M"), says=["1 of 4 pairs"])
