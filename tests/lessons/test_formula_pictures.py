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
    assert words(pictures.model_map().axes[0]).count("+ positions") == 2


def test_binary_counter_shows_the_digits_and_counts_their_changes():
    bits = np.array([[int(d) for d in f"{n:03b}"[::-1]] for n in range(8)])
    picture = pictures.binary_counter(bits)
    assert words(picture.axes[0]) == [str(bit) for bit in bits.ravel()]
    assert "change 7, 3 and 1 times" in picture.alt
    assert "change 1, 3 and 7 times" in pictures.binary_counter(bits[:, ::-1]).alt


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


def test_distance_by_offset_draws_every_pair_and_says_whether_offsets_have_one_each():
    tables = {
        "clocks": distances(encode_with_periods(12, [4, 5, 7])),
        "digits": distances(np.arange(12.0)[:, None] // [1, 2, 4] % 2),
    }
    drawn = [table[np.triu_indices(12, 1)] for table in tables.values()]
    of = "dots of one offset"
    told = f"clocks, {of} coincide", f"digits, {of} spread over"
    shows(pictures.distance_by_offset(tables), *drawn, says=told)


def test_table_shows_the_table_and_its_calm_side():
    table = positional_encoding(30, 16)
    left = np.abs(np.diff(table, axis=0))[:, :8].mean()
    said = f"{left:.2g} on average in the left half"
    shows(pictures.table(table), table, says=[said])
    shows(pictures.table(table[:, ::-1]), says=[f"{left:.2g} in the right half"])
