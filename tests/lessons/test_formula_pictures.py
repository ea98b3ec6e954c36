"""Notebook 01: its pictures, read back."""

import math

import numpy as np
import pytest
from drawing import shows
from seen import titles, words

from helpers.draw.look import pair_colour
from helpers.encoding import distances, encode_with_periods, positional_encoding
from helpers.lessons.formula import pictures

BITS = np.arange(4, 12)[:, None] >> np.arange(4) & 1
FLIPS = [1, 2, 1, 4, 1, 2, 1]
FAR = {
    "clocks": distances(encode_with_periods(12, [4, 5, 7])),
    "digits": distances(np.arange(12)[:, None] // [1, 2, 4]),
    "saw": distances(np.abs(np.arange(12.0)[:, None] - 6)),
}
FOUND = [
    "clocks: every step of k has one length",
    "digits: a step of 1 has 3 different lengths",
    "saw: not every step has one length",
]


def waves_of(n, width):
    return lambda: pictures.whole_waves(positional_encoding(n, width))


@pytest.mark.parametrize(
    ("make", "arrays", "told"),
    [
        (pictures.model_map, [], []),
        (lambda: pictures.binary_counter(BITS), [BITS, FLIPS], ["3 to 4"]),
        (
            lambda: pictures.binary_counter(BITS[:2, :2]),
            [BITS[:2, :2], [1]],
            ["0 to 1"],
        ),
        (lambda: pictures.same_sine(0.5, 2), [[math.sin(2.5)]], ["0.60", "−1.00"]),
        (waves_of(100, 128), [positional_encoding(100, 128)], ["40", "128 columns"]),
        (waves_of(700, 8), [positional_encoding(700, 8)], ["6", "8 columns"]),
    ],
)
def test_a_picture_draws_its_data_and_says_what_they_show(make, arrays, told):
    shows(make(), *arrays, told=told)


@pytest.mark.parametrize("speeds", [[1.0, 0.1, 0.01, 0.001], [2 * math.pi / 5]])
def test_dials_point_at_sine_and_cosine(speeds):
    positions, pairs = [0, 1, 7, 900], range(2, 2 + len(speeds))
    picture = pictures.dials(speeds, positions, pairs=pairs)
    (ax,) = picture.axes
    hands = [line for line in ax.lines if len(line.get_xdata()) == 2]
    tips = np.diff([hand.get_data() for hand in hands], axis=2)[:, :, 0]
    angles = np.outer(speeds, positions).ravel()
    assert tips == pytest.approx(np.transpose([np.sin(angles), np.cos(angles)]))
    told = [f"{sine:z.2f}, {cosine:z.2f}".replace("-", "−") for sine, cosine in tips]
    assert [text for text in words(ax) if ", " in text] == ["sine, cosine", *told]
    laps = [f"+{turns:.0f}" for turns in angles // math.tau if turns]
    assert [text for text in words(ax) if text[0] == "+"] == laps
    assert {hand.get_color() for hand in hands} == {pair_colour(pair) for pair in pairs}
    assert f"pair 2 goes round {900 * speeds[0] / math.tau:.3g} times" in picture.alt


def test_the_distances_of_each_offset_are_drawn_and_a_line_where_they_are_alike():
    every = [[np.diagonal(far, k) for k in range(1, 12)] for far in FAR.values()]
    line, dots = [np.mean(values) for values in every[0]], map(np.concatenate, every)
    picture = pictures.distance_by_offset(FAR)
    shows(picture, line, *dots, says=["; ".join(FOUND).replace(":", ",")])
    head = "Every offset has one distance for clocks, several for digits and saw"
    assert titles(picture) == [head, *FOUND]
