"""Notebook 01: its pictures, read back."""

import math

import numpy as np
import pytest
from drawing import shows
from seen import titles, words

from helpers.encoding import distances, encode_with_periods, positional_encoding
from helpers.lessons.formula import pictures

BITS = np.arange(4, 12)[:, None] >> np.arange(4) & 1
FLIPS = [1, 2, 1, 4, 1, 2, 1]
FAR = {
    "clocks": distances(encode_with_periods(12, [4, 5, 7])),
    "digits": distances(np.arange(12)[:, None] // [1, 2, 4]),
    "saw": distances(np.abs(np.arange(12.0)[:, None] - 6)),
}


def waves_of(n, width):
    return lambda: pictures.whole_waves(positional_encoding(n, width))


@pytest.mark.parametrize(
    ("make", "arrays", "told"),
    [
        (pictures.model_map, [], []),
        (lambda: pictures.binary_counter(BITS), [BITS], ["3 to 4, 4 of 4 digits"]),
        (lambda: pictures.binary_counter(BITS[1:3]), [BITS[1:3]], ["0 to 1, 2 of 4"]),
        (lambda: pictures.same_sine(0.5, 2), [[math.sin(2.5)]], ["0.60", "−1.00"]),
        (waves_of(100, 128), [positional_encoding(100, 128)], ["40", "128 columns"]),
        (waves_of(700, 8), [positional_encoding(700, 8)], ["6", "8 columns"]),
    ],
)
def test_a_picture_draws_its_data_and_says_what_they_show(make, arrays, told):
    shows(make(), *arrays, told=told)


def test_the_flips_stand_at_the_borders_of_the_rows():
    (ax,) = pictures.binary_counter(BITS).axes
    beside = ax.texts[BITS.size :]
    assert [text.get_text() for text in beside] == [*map(str, FLIPS), "flips"]
    heights = [text.get_position()[1] for text in beside]
    assert heights == [*np.arange(0.5, 7), -0.3]


@pytest.mark.parametrize(
    "speeds",
    [
        [1.0, 0.1, 0.01, 0.001],
        [math.tau / 5, 1.0],
    ],
)
def test_dials_point_at_sine_and_cosine(speeds):
    positions = [0, 1, 7, 900]
    (ax,) = pictures.dials(speeds, positions).axes
    hands = [line for line in ax.lines if len(line.get_xdata()) == 2]
    tips = np.diff([hand.get_data() for hand in hands], axis=2)[:, :, 0]
    angles = np.outer(positions, speeds).ravel()

    assert tips == pytest.approx(np.transpose([np.sin(angles), np.cos(angles)]))

    # Below each dial, both numbers.
    _head, *told = (text.split(", ") for text in words(ax) if ", " in text)
    told = np.char.replace(told, "−", "-").astype(float)
    assert told == pytest.approx(tips, abs=6e-3)


def test_the_distances_of_each_offset_are_drawn_and_a_line_where_they_are_alike():
    dots = [far[np.triu_indices(12, 1)] for far in FAR.values()]
    picture = pictures.distance_by_offset(FAR)
    line = FAR["clocks"][0, 1:]
    shows(picture, dots[0], line, *dots[1:], says=["clocks, 1; digits, ", "saw, "])
    assert [len(ax.lines) for ax in picture.axes] == [3, 2, 2]
    assert titles(picture) == [
        "At k = 1, clocks have 1 distance, digits have 3 distances and saw have "
        "1 distance",
        *FAR,
    ]
