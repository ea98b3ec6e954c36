"""Notebook 02: its pictures, read back, and their texts for data and their opposite."""

import math

import numpy as np
import pandas as pd
import torch
from drawing import shows
from seen import words

from helpers.encoding import angular_speeds
from helpers.lessons.log_space import pictures

SPEEDS = angular_speeds(16)


def test_the_broadcast_multiplies_cell_by_cell():
    picture = pictures.broadcast(np.arange(20)[:, None], SPEEDS)
    left, middle, right = picture.axes
    cells = {text.get_position(): text.get_text() for text in right.texts}
    factors = {text.get_position(): text.get_text() for text in middle.texts}
    shown = {0: 0, 1: 1, 2: 2, 3: 3, 5: 7}  # place across: pair
    for y, pos in {0: 0, 1: 1, 2: 2, 3: 3, 5: 19}.items():
        for x, i in shown.items():
            assert cells[x, y] == f"{pos * SPEEDS[i]:.2g}"
            assert factors[x, y] == f"{SPEEDS[i]:.2g}"
    assert words(left).count("19") == len(shown)
    said = pictures.broadcast(np.arange(20), np.full(8, 0.5)).alt
    assert "position 3 times the speed of pair 2, 0.5, is 1.5." in said


def test_unwritten_columns_are_hatched_and_named():
    table = np.zeros((5, 6))
    written = table.copy()
    written[:, 0::2] = 1
    picture = pictures.filling({"none": table, "some": written, "all": table + 1})
    wanted = ([0, 1, 2, 3, 4, 5], [1, 3, 5], [])
    for ax, columns in zip(picture.axes[:3], wanted, strict=True):
        hatched = [patch for patch in ax.patches if patch.get_hatch()]
        assert [patch.get_x() + 0.5 for patch in hatched] == columns
    assert picture.axes[1].images[0].get_array().tolist() == written.tolist()
    for said in ("none, all columns", "some, 3 of 6 columns", "all, no column"):
        assert f"{said} unwritten" in picture.alt


def test_only_speeds_in_log_space_are_on_a_straight_line():
    logs = -2 * math.log(10_000) / 16 * np.arange(8)
    told = "on a straight line: each step is -1.15"
    shows(pictures.speeds(SPEEDS), SPEEDS, logs, says=[told])
    titles = [ax.get_title("left") for ax in pictures.speeds(SPEEDS).axes]
    assert titles == ["the speeds: 5 of 8 below 0.1", "their logarithms lie on a line"]
    ladder = pictures.speeds(np.linspace(1, 0.1, 8))
    assert ladder.axes[1].get_title("left").endswith("no line")
    assert "straight" not in ladder.alt and "in steps from" in ladder.alt


def test_two_versions_are_drawn_on_one_scale_and_read_out():
    other = [2 * i * math.exp(-math.log(10_000) / 8) for i in range(4)]
    picture = pictures.two_versions(SPEEDS[:4], torch.tensor(other))
    told = "another version, 0, 0.632, 1.26, 1.9."
    shows(picture, SPEEDS[:4], other, says=[told])
    left, right = picture.axes
    assert words(right) == ["0", "0.632", "1.26", "1.9"]
    told = "another version:\npair 3 is fastest, pair 0 stands still"
    assert right.get_title("left") == told
    assert left.get_title("left") == "the formula:\npair 0 is fastest"
    assert left.get_ylim() == right.get_ylim()


def test_errors_of_speeds_are_drawn_by_route_and_the_highest_is_named():
    frame = pd.DataFrame({"log": [1, 5, 9.5], "pow": [2, 1, 0.5]}, index=[6, 16, 512])
    high, low = "From width 16 on the highest line is that of", "one unit all along:"
    picture = pictures.speed_errors(frame)
    told = f"{high} log.", f"{low} none."
    shows(picture, *frame.T.to_numpy(), says=told)
    assert picture.axes[0].get_title("left").endswith("log is worst at 2 of 3 widths")
    swapped = frame.rename(columns={"log": "pow", "pow": "log"}) / 10
    told = f"{high} pow.", f"{low} pow and log."
    shows(pictures.speed_errors(swapped), says=told)


def test_repeated_rows_are_marked_and_counted():
    rows = np.array([[0.0, 1.0], [0.5, 0.5], [0.5, 0.5], [0.2, 0.5]])
    other = rows + [[0], [1], [2], [3]]
    picture = pictures.neighbouring_rows({"one": rows, "two": other}, 7)
    shows(picture, rows, other, says=["one, 1; two, none."])
    one, two = picture.axes[:2]
    assert [text.get_position()[1] for text in one.texts] == [7 + 2 - 0.5]
    assert not two.texts
