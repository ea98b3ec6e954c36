"""Notebook 02: its pictures, read back."""

import numpy as np
import pandas as pd
import pytest
import torch
from drawing import shows
from seen import titles

from helpers.encoding import angular_speeds
from helpers.lessons.log_space import pictures

SPEEDS, LEVEL = angular_speeds(16), np.linspace(1, 0.05, 8)
ERRORS = pd.DataFrame(
    {"log": [1, 5, 9.5], "pow": [1, 6, 0.5], "cast": [0.5, 0.4, 0.3]},
    index=[6, 16, 512],
)
ROWS = np.array([[0.0, 1.0], [0.5, 0.5], [0.5, 0.5], [0.2, 0.5]])
OTHER = ROWS + [[0], [1], [2], [3]]


@pytest.mark.parametrize(
    ("make", "arrays", "told"),
    [
        (
            lambda: pictures.speeds(torch.tensor(SPEEDS)),
            [SPEEDS],
            [
                "5 of 8 speeds are below 0.1, and the factor from each to the next is 0.316"
            ],
        ),
        (
            lambda: pictures.speeds(torch.tensor(LEVEL)),
            [LEVEL],
            ["1 of 8 speeds are below 0.1", "to the next is 0.269 and 0.864"],
        ),
        (lambda: pictures.speeds([0.3, 0.1 - 2e-8]), [], ["0 of 2 speeds are below"]),
        (
            lambda: pictures.speed_errors(ERRORS),
            [ERRORS["log"], ERRORS["pow"], ERRORS["cast"]],
            ["The error of log exceeds that of pow at 1 of 3 widths"],
        ),
        (
            lambda: pictures.neighbouring_rows({"one": ROWS, "two": OTHER}, 7),
            [ROWS, OTHER],
            ["Rows that equal the row above them: 1 in one and 0 in two"],
        ),
    ],
)
def test_a_picture_draws_its_data_and_says_what_they_show(make, arrays, told):
    shows(make(), *arrays, told=told)


def test_the_broadcast_multiplies_cell_by_cell():
    picture = pictures.broadcast(torch.arange(20)[:, None], torch.tensor(SPEEDS))
    grids = [{t.get_position(): t.get_text() for t in ax.texts} for ax in picture.axes]
    for y, pos in {0: 0, 2: 2, 5: 19}.items():  # place: position
        for x, i in {0: 0, 1: 2, 3: 6}.items():  # place: pair, of a short speed
            told = [f"{pos}", f"{SPEEDS[i]:.2g}", f"{pos * SPEEDS[i]:.2g}"]
            assert [grid[x, y] for grid in grids] == told
            assert float(told[2]) == pytest.approx(pos * float(told[1]))
    assert titles(picture)[0].endswith("as in 3 × 0.1 = 0.3")


def test_speeds_are_on_a_logarithmic_axis():
    assert pictures.speeds(SPEEDS).axes[0].get_yscale() == "log"
