"""Notebook 04: its pictures, read back."""

import numpy as np
import pytest
from drawing import shows
from references import distance
from seen import titles, words

from helpers.lessons.distances import pictures

STRIPES = np.subtract.outer(range(12), range(12)) ** 2
COLUMNS = np.tile(range(12), (12, 1))  # q is (q - p) / 2 + (q + p) / 2, half each
MESH = np.array([[distance(p - q, 8) for q in range(5)] for p in range(5)])
FALLING, LATER = np.array([0, 2, 1, 3, 2.5]), np.array([0, 1, 2, 3, 0.5])
OFFSETS = np.arange(1, 5001)
LAW = np.minimum(10 * np.log(OFFSETS) + 6, 10 * np.log(4000) + 6)
STEP, TOLD = LAW[[99, 99, 999]], "+23 for every factor of ten, up to offset 4,000"
NEAR = [1.5, 3, 1, 2, 0.5]


def growth(factor):
    return lambda: pictures.growth(OFFSETS, LAW * factor, LAW)


@pytest.mark.parametrize(
    ("make", "arrays", "told"),
    [
        (
            lambda: pictures.mesh(MESH, "width 8"),
            [MESH],
            ["one value repeats"],
        ),
        (lambda: pictures.mesh(COLUMNS, ""), [COLUMNS], ["the values differ"]),
        (
            lambda: pictures.score_maps({"one": STRIPES, "other": COLUMNS}),
            [STRIPES, COLUMNS],
            ["Of the scores, the offset explains 100% (one) and 50% (other)"],
        ),
        (
            lambda: pictures.falls({"width 2": FALLING, "width 4": LATER}),
            [FALLING, [2, 3], LATER, [3]],  # and the dots before each fall
            [
                "for the first time after 1 and 3 positions",
                "width 2: it falls 2 times",
                "width 4: it falls 1 times",
            ],
        ),
        (growth(1.01), [1.01 * LAW, LAW, STEP], [TOLD, "by 1% in"]),
        (growth(2), [2 * LAW, LAW, STEP], [TOLD, "by 100% in"]),
        (
            lambda: pictures.misses(NEAR, [3, 5], "width 8"),
            [NEAR, [1], [0.5], [1.5, 1.5]],
            ["width 8: 2 of 5 rows are nearer than the neighbour"],
        ),
    ],
)
def test_a_picture_draws_its_data_and_says_what_they_show(make, arrays, told):
    shows(make(), *arrays, told=told)


def test_the_mesh_writes_its_values():
    picture = pictures.mesh(MESH, "width 8")
    assert words(picture.axes[0]) == [f"{value:.2f}" for value in MESH.ravel()]
    assert titles(picture)[0].endswith("; row 4 nearer to row 0 than row 3")
    (framed,) = picture.axes[0].patches
    assert framed.get_xy() == pytest.approx((2.53, -0.47))
