"""Notebook 03: its pictures, read back."""

import numpy as np
import pytest
from drawing import shows
from references import shift

from helpers.lessons.rotation_matrix import pictures

M_3 = np.array(shift(3, 8))
LAST, FIRST = M_3.copy(), M_3.copy()
LAST[4:], FIRST[:2] = 0, 0


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ([0, 2.5, 1, 3], "from position 0 alone"),
        ([2, 0, 0, 1], "from position 1 and position 2 alone"),
    ],
)
def test_misses_say_from_where_a_matrix_arrives(errors, told):
    shows(pictures.misses(errors), errors, told=[f"The matrix arrives {told}"])


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (LAST, "a, 2 of 4 pairs differ"),
        (M_3, "a, 0 of 4 pairs differ"),
        (FIRST, "a, 1 of 4 pairs differ"),
    ],
)
def test_recovered_matrices_stand_beside_the_true_one(found, told):
    picture = pictures.recovered({"a": (M_3, found), "b": (M_3, M_3)}, "$M_3$")
    shows(picture, M_3, found, found - M_3, M_3, M_3, 0 * M_3, told=[told])


def test_the_matrix_is_drawn_and_says_what_is_outside_its_blocks():
    full, told = (
        M_3 + 0.1,
        ["4 blocks, each turns one pair, by 3 to 0.003 rad, zero elsewhere"],
    )
    shows(pictures.matrix(M_3, "$M_3$"), M_3, told=told)
    shows(pictures.matrix(full, "M"), full, told=["M is no rotation of each pair"])
