"""Notebook 02: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
import pandas as pd
import pytest
import torch
from drawing import shows
from seen import titles, words

from helpers.encoding import angular_speeds
from helpers.lessons.log_space import pictures

SPEEDS = angular_speeds(16)


def test_the_broadcast_multiplies_cell_by_cell():
    picture = pictures.broadcast(torch.arange(20)[:, None], torch.tensor(SPEEDS))
    grids = [{t.get_position(): t.get_text() for t in ax.texts} for ax in picture.axes]
    for y, pos in {0: 0, 1: 1, 2: 2, 3: 3, 5: 19}.items():  # place: position
        for x, i in {0: 0, 1: 2, 2: 4, 4: 6}.items():  # place: pair, of a short speed
            told = [f"{pos}", f"{SPEEDS[i]:.2g}", f"{pos * SPEEDS[i]:.2g}"]
            assert [grid[x, y] for grid in grids] == told
            assert float(told[2]) == pytest.approx(pos * float(told[1]))
    said = pictures.broadcast(np.arange(20), np.full(8, 0.5))
    assert "position 3 times the speed of pair 1, 0.5, is 1.5." in said.alt
    assert titles(said)[0].endswith("as in 3 × 0.5 = 1.5")


@pytest.mark.parametrize(
    ("speeds", "told"),
    [
        (SPEEDS, "5 of 8 speeds are below 0.1, and each is 0.316 of the one before"),
        (np.array([0.3, 0.1 - 2e-8]), "0 of 2 speeds are below 0.1"),
        (np.linspace(1, 0.05, 8), "1 of 8 speeds are below 0.1, and they are not on a"),
    ],
)
def test_only_speeds_in_log_space_are_on_a_straight_line(speeds, told):
    picture = pictures.speeds(torch.tensor(speeds))
    shows(picture, speeds, says=[told])
    assert titles(picture)[0].startswith(told) and picture.axes[0].get_yscale() == "log"


@pytest.mark.parametrize(
    ("routes", "below"), [(["log", "pow"], "none"), (["pow", "log", "cast"], "cast")]
)
def test_errors_of_speeds_are_drawn_by_route_and_two_are_compared(routes, below):
    errors = {"log": [1, 5, 9.5], "pow": [1, 6, 0.5], "cast": [0.5, 0.4, 0.3]}
    frame = pd.DataFrame(errors, index=[6, 16, 512])[routes]
    told = f"The error of {routes[0]} exceeds that of {routes[1]} at 1 of 3 widths"
    picture = pictures.speed_errors(frame)
    shows(picture, *frame.T.to_numpy(), says=[told, f"at every width: {below}."])
    assert titles(picture)[0] == told


def test_repeated_rows_are_marked_and_counted():
    rows = np.array([[0.0, 1.0], [0.5, 0.5], [0.5, 0.5], [0.2, 0.5]])
    other = rows + [[0], [1], [2], [3]]
    picture = pictures.neighbouring_rows({"one": rows, "two": other}, 7)
    told = "Rows that equal the row above them: 1 in one and 0 in two"
    shows(picture, rows, other, says=[told])
    assert titles(picture) == [told, "one", "two"]
    (mark,) = picture.axes[0].texts
    assert mark.get_position()[1] == 7 + 2 - 0.5
    assert not words(picture.axes[1])
