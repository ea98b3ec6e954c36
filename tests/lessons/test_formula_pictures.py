"""Notebook 01: its pictures, read back, and their texts for data and their opposite."""

import math

import numpy as np
import pytest
from drawing import shows
from seen import titles, words

from helpers.draw.look import pair_colour
from helpers.encoding import distances, encode_with_periods, positional_encoding
from helpers.lessons.formula import pictures


@pytest.mark.parametrize(
    ("first", "digits", "jump", "flips"), [(0, 3, 3, 3), (4, 4, 7, 4), (0, 2, 1, 2)]
)
def test_the_counter_shows_digits_and_frames_the_step_that_flips_most(
    first, digits, jump, flips
):
    bits = np.arange(first, first + 8)[:, None] >> np.arange(digits) & 1
    picture = pictures.binary_counter(bits)
    (ax, _), place = picture.axes, jump - first
    shows(picture, bits, (np.diff(bits, axis=0) != 0).sum(axis=1))
    (frame,) = ax.patches
    assert (frame.get_y(), frame.get_height()) == pytest.approx((place - 0.48, 1.96))
    assert (
        titles(picture)[0] == f"From {place} to {place + 1}, all {digits} digits flip"
    )
    assert f"in a frame, changes {flips} of them" in picture.alt


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
    colours = [hand.get_color() for hand in hands[:: len(positions)]]
    assert colours == [pair_colour(pair) for pair in pairs]
    assert f"pair 2 goes round {900 * speeds[0] / math.tau:.3g} times" in picture.alt


CLOCKS = distances(encode_with_periods(12, [4, 5, 7]))
DIGITS = distances(np.arange(12.0)[:, None] // [1, 2, 4] % 2)
SAW = distances(np.abs(np.arange(12.0)[:, None] - 6))


@pytest.mark.parametrize(
    ("far", "told"),
    [
        (CLOCKS, "every step of k has one length"),
        (DIGITS, "a step of 1 has 3 different lengths"),
        (SAW, "not every step has one length"),
    ],
)
def test_distance_by_offset_draws_all_and_tells_one_length_from_several(far, told):
    picture = pictures.distance_by_offset({"it": far, "other": 2 * DIGITS})
    ax, other = picture.axes
    one, several = ("it", "other") if far is CLOCKS else ("none", "it and other")
    head = f"Every offset has one distance for {one}, several for {several}"
    assert titles(picture)[0] == head
    assert titles(picture)[1] == f"it: {told}" and f"it, {told};" in picture.alt
    assert ax.get_ylim() == other.get_ylim() and ax.get_ylim()[0] == 0
    every = [np.diagonal(far, k) for k in range(1, 12)]
    means = [[np.mean(values) for values in every]] * (far is CLOCKS)
    shows(picture, *means, np.concatenate(every))


@pytest.mark.parametrize(("rising", "k"), [(math.pi / 6, 2), (-0.4, 1)])
def test_one_sine_has_two_futures(rising, k):
    picture = pictures.same_sine(rising, k)
    later = [math.sin(angle + k) for angle in (rising, math.pi - rising)]
    marks = [line.get_ydata()[0] for ax in picture.axes for line in ax.lines[2:]]
    assert marks == pytest.approx([math.sin(rising)] * 2 + later)
    told = [f"{value:.2f}".replace("-", "−") for value in later]
    assert titles(picture)[0].endswith(f" it goes to {' or '.join(told)}")
    assert f"lead to {' and to '.join(told)}." in picture.alt


@pytest.mark.parametrize(("n", "width"), [(100, 128), (40, 8), (3, 6), (700, 8)])
def test_a_table_says_how_many_columns_hold_a_whole_wave(n, width):
    table = positional_encoding(n, width)
    waves = math.tau * 10_000 ** (2 * np.arange(width // 2) / width)
    whole = 2 * int((waves <= n).sum())
    picture = pictures.table(table)
    left = np.abs(np.diff(table, axis=0))[:, : width // 2].mean()
    shows(picture, table, says=[f"{left:.2g} on average in the left half"])
    assert titles(picture)[0] == f"Only {whole} of {width} columns hold a whole wave"
    assert [line.get_xdata()[0] for line in picture.axes[0].lines] == [whole - 0.5]


def test_model_map_adds_positions_to_both_stacks():
    told = words(pictures.model_map().axes[0])
    assert told.count("+ positions") == 2
