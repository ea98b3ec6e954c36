"""Notebook 01: its pictures, read back, and their texts for data and their opposite."""

import math

import numpy as np
import pytest
from drawing import shows
from seen import words

from helpers.draw.look import pair_colour
from helpers.encoding import distances, encode_with_periods, positional_encoding
from helpers.lessons.formula import pictures


def test_model_map_adds_positions_to_both_stacks():
    told = words(pictures.model_map().axes[0])
    assert told.count("+ positions") == 2
    assert "positions are added once, at the bottom of each stack" in told


def test_binary_counter_shows_the_digits_and_counts_their_changes():
    bits = np.array([[int(d) for d in f"{n:03b}"[::-1]] for n in range(8)])
    picture = pictures.binary_counter(bits)
    assert words(picture.axes[0]) == [str(bit) for bit in bits.ravel()]
    assert "change 7, 3 and 1 times" in picture.alt
    assert "change 1, 3 and 7 times" in pictures.binary_counter(bits[:, ::-1]).alt


@pytest.mark.parametrize(
    ("first", "digits", "flips"), [(0, 3, 3), (4, 4, 4), (0, 2, 2)]
)
def test_binary_counter_frames_the_step_that_flips_most(first, digits, flips):
    bits = np.arange(first, first + 8)[:, None] >> np.arange(digits) & 1
    picture = pictures.binary_counter(bits)
    (ax,), steps = picture.axes, np.abs(np.diff(bits, axis=0)).sum(axis=1).tolist()
    jump = steps.index(flips)
    (frame,) = ax.patches
    assert (frame.get_y(), frame.get_height()) == pytest.approx((jump - 0.48, 1.96))
    head = f"from {jump} to {jump + 1},\n{flips} of {digits} digits flip"
    assert ax.get_title(loc="left") == head
    assert f"from {jump} to {jump + 1}, in a frame, changes {flips}" in picture.alt


@pytest.mark.parametrize("speeds", [[1.0, 0.1, 0.01, 0.001], [2 * math.pi / 5]])
def test_dials_point_at_sine_and_cosine(speeds):
    positions = [0, 1, 7, 900]
    (ax,) = pictures.dials(speeds, positions).axes
    hands = [line for line in ax.lines if len(line.get_xdata()) == 2]
    angles = [speed * pos for speed in speeds for pos in positions]
    for hand, angle in zip(hands, angles, strict=True):
        tip = [np.diff(data)[0] for data in hand.get_data()]
        assert tip == pytest.approx([math.sin(angle), math.cos(angle)], abs=1e-9)
        rounded = ", ".join(f"{round(share, 2) + 0.0:.2f}" for share in tip)
        assert rounded.replace("-", "−") in words(ax)


def test_dials_keep_the_pairs_colours_and_say_how_far_their_hands_turn():
    picture = pictures.dials([0.5, 0.25], [0, 4], pairs=[2, 3])
    hands = [line for line in picture.axes[0].lines if len(line.get_xdata()) == 2]
    assert [hand.get_color() for hand in hands[::2]] == [pair_colour(2), pair_colour(3)]
    shows(picture, says=["pair 2 turns by 115 degrees and pair 3 turns by 57.3"])
    shows(pictures.dials([0.0], [0, 4]), says=["pair 0 turns by 0 degrees"])


CLOCKS = distances(encode_with_periods(12, [4, 5, 7]))
DIGITS = distances(np.arange(12.0)[:, None] // [1, 2, 4] % 2)
HALVES = distances(np.arange(12.0)[:, None] % 4 // 2)
SAW = distances(np.abs(np.arange(12.0)[:, None] - 6))


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (CLOCKS, DIGITS, ["every step of k has one length", "3 different lengths"]),
        (HALVES, SAW, ["2 different lengths", "not every step has one length"]),
        (DIGITS, CLOCKS, ["3 different lengths", "every step of k has one length"]),
    ],
)
def test_distance_by_offset_draws_all_and_tells_one_length_from_several(
    left, right, found
):
    picture = pictures.distance_by_offset({"left": left, "right": right})
    for ax, name, far, told in zip(
        picture.axes, ("left", "right"), (left, right), found, strict=True
    ):
        head = ax.get_title(loc="left").replace("\n", " ")
        assert head.startswith(f"{name}: ") and head.endswith(told)
        assert head.replace(":", ",") in picture.alt
        assert ax.get_ylim() == picture.axes[0].get_ylim() and ax.get_ylim()[0] == 0
        every = [np.diagonal(far, k) for k in range(1, 12)]
        dots = next(line for line in ax.lines if line.get_marker() == "o")
        assert np.array_equal(dots.get_ydata(), np.concatenate(every))
        ends = [tuple(bar[:, 1]) for bar in ax.collections[0].get_segments()]
        assert ends == [(min(values), max(values)) for values in every]
        joined = any(line.get_linestyle() == "-" for line in ax.lines)
        assert joined is (far is CLOCKS)


def test_one_sine_has_two_futures():
    marked = math.pi / 6, 5 * math.pi / 6
    picture = pictures.same_sine(marked, 2)
    now, later = [[0.5], [0.5]], [[math.sin(a + 2)] for a in marked]
    told = "of one height", "from 0.50 to 0.58 and from 0.50 to −1.00"
    wave, plane = picture.axes
    marks = [line.get_ydata() for ax in (wave, plane) for line in ax.lines[1:]]
    np.testing.assert_allclose(marks, [*now, *later])
    heads = [ax.get_title(loc="left") for ax in (wave, plane)]
    assert heads == ["the sine is 0.50 twice …", "… and 2 later it is 0.58 or −1.00"]
    assert all(phrase in picture.alt for phrase in told)
    other = pictures.same_sine((0.1, 2.0), 3)
    shows(other, says=["of different heights", "the sine 3 positions later"])
    assert "twice" not in other.axes[0].get_title(loc="left")


def test_table_shows_the_table_and_its_calm_side():
    table = positional_encoding(30, 16)
    left = np.abs(np.diff(table, axis=0))[:, :8].mean()
    said = f"{left:.2g} on average in the left half"
    shows(pictures.table(table), table, says=[said])
    shows(pictures.table(table[:, ::-1]), says=[f"{left:.2g} in the right half"])


@pytest.mark.parametrize(("n", "width"), [(100, 128), (40, 8), (3, 6), (700, 8)])
def test_table_says_how_many_columns_hold_a_whole_wave(n, width):
    waves = math.tau * 10_000 ** (2 * np.arange(width // 2) / width)
    whole = 2 * int((waves <= n).sum())
    picture = pictures.table(positional_encoding(n, width))
    ax = picture.axes[0]
    head = f"only {whole} of {width} columns hold a whole wave"
    assert ax.get_title(loc="left") == head
    assert f"In {whole} columns the hand goes round" in picture.alt
    assert [line.get_xdata()[0] for line in ax.lines] == [whole - 0.5]


def test_where_the_fast_columns_are_not_the_first_no_line_divides():
    backwards = pictures.table(positional_encoding(40, 8)[:, ::-1])
    assert not backwards.axes[0].lines
    assert not pictures.table(positional_encoding(8, 2)).axes[0].lines
