"""Notebook 02: its pictures, read back, and their texts for data and their opposite."""

import math

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
    left, middle, right = (
        {text.get_position(): text.get_text() for text in ax.texts}
        for ax in picture.axes
    )
    for y, pos in {0: 0, 1: 1, 2: 2, 3: 3, 5: 19}.items():  # place: position
        for x, i in {0: 0, 1: 1, 2: 2, 3: 3, 5: 7}.items():  # place: pair
            assert left[x, y] == f"{pos}" and middle[x, y] == f"{SPEEDS[i]:.2g}"
            assert right[x, y] == f"{pos * SPEEDS[i]:.2g}"
    said = pictures.broadcast(np.arange(20), np.full(8, 0.5)).alt
    assert "position 3 times the speed of pair 2, 0.5, is 1.5." in said


@pytest.mark.parametrize(
    ("speeds", "line"),
    [(SPEEDS, "a line, −1.15 a pair"), (np.linspace(1, 0.05, 8), "no line")],
)
def test_only_speeds_in_log_space_are_on_a_straight_line(speeds, line):
    told = (
        f"the speeds: {sum(speeds < 0.1)} of 8 below 0.1",
        f"their logarithms: {line}",
    )
    picture = pictures.speeds(torch.tensor(speeds))
    shows(picture, speeds, [math.log(speed) for speed in speeds], says=told)
    assert titles(picture) == [*told]


def test_errors_of_speeds_are_drawn_by_route_and_two_are_compared():
    errors = {"log": [1, 5, 9.5], "pow": [1, 6, 0.5], "cast": [0.5, 0.4, 0.3]}
    frame = pd.DataFrame(errors, index=[6, 16, 512])
    for routes, others in ((["log", "pow"], "cast"), (["pow", "log"], "cast")):
        told = f"the error of {routes[0]} exceeds that of {routes[1]} at 1 of 3 widths"
        below = f"Below one unit at every width: {others}."
        chosen = frame[[*routes, others]]
        picture = pictures.speed_errors(chosen)
        shows(picture, *chosen.T.to_numpy(), says=[told, below])
        assert titles(picture)[0] == told
    assert "at every width: none." in pictures.speed_errors(frame[["log", "pow"]]).alt


def test_repeated_rows_are_marked_and_counted():
    rows = np.array([[0.0, 1.0], [0.5, 0.5], [0.5, 0.5], [0.2, 0.5]])
    other = rows + [[0], [1], [2], [3]]
    picture = pictures.neighbouring_rows({"one": rows, "two": other}, 7)
    told = ["one: 1 repeated", "two: 0 repeated"]
    shows(picture, rows, other, says=told)
    assert titles(picture)[:2] == told
    (mark,) = picture.axes[0].texts
    assert mark.get_position()[1] == 7 + 2 - 0.5
    assert not words(picture.axes[1])
