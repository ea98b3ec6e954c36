"""What the pictures and charts of notebook 01 show is what the formula says."""

import math

import numpy as np
import pytest
from drawing import drawn

from helpers.encoding import distances, encode_with_bases, positional_encoding
from helpers.explore import formula as explore
from helpers.pictures import formula as pictures
from helpers.pictures.style import pair_colour


def wave(pos, column, d_model):
    angle = pos / 10_000 ** (2 * (column // 2) / d_model)
    return math.cos(angle) if column % 2 else math.sin(angle)


def test_model_map_adds_positions_to_both_stacks():
    words = [text.get_text() for text in pictures.model_map().axes[0].texts]
    assert words.count("+ positions") == 2
    for shape in ("(batch, length)", "(batch, length, d_model)", "(length, d_model)"):
        assert shape in words


def test_binary_counter_shows_the_digits():
    bits = np.array([[int(d) for d in f"{n:04b}"[::-1]] for n in range(16)])
    (ax,) = pictures.binary_counter(bits).axes
    np.testing.assert_array_equal(ax.images[0].get_array(), bits)
    assert [t.get_text() for t in ax.texts] == [str(b) for b in bits.ravel()]


def test_counter_and_waves_agree_in_phase():
    bits = np.array([[n >> d & 1 for d in range(3)] for n in range(8)])
    times = np.linspace(0, 8, 801)
    waves = -np.sin(2 * np.pi * times[:, None] / [2, 4, 8])
    for digit, ax in enumerate(pictures.counter_and_waves(bits, times, waves).axes):
        steps, smooth = ax.lines
        assert steps.get_drawstyle() == "steps-post"
        np.testing.assert_array_equal(steps.get_ydata()[:8], bits[:, digit])
        for n in range(8):  # in the middle of a step the wave is on its side
            middle = smooth.get_ydata()[n * 100 + 50]
            assert (middle > 0.5) == (bits[n, digit] == 1)


@pytest.mark.parametrize("speeds", [[1.0, 0.1, 0.01, 0.001], [2 * math.pi / 5]])
def test_dials_point_at_sine_and_cosine(speeds):
    positions = [0, 1, 7, 900]
    picture = pictures.dials(speeds, positions)
    (ax,) = picture.axes
    hands = [line for line in ax.lines if len(line.get_xdata()) == 2]
    assert len(hands) == len(speeds) * len(positions)
    turns = [(speed, pos) for speed in speeds for pos in positions]
    for hand, (speed, pos) in zip(hands, turns, strict=True):
        across, up = (np.diff(data)[0] for data in hand.get_data())
        assert across == pytest.approx(math.sin(speed * pos), abs=1e-9)
        assert up == pytest.approx(math.cos(speed * pos), abs=1e-9)
    words = [text.get_text() for text in ax.texts]
    for speed, pos in turns:
        pair = (round(f(speed * pos), 2) + 0.0 for f in (math.sin, math.cos))
        assert ", ".join(f"{v:.2f}" for v in pair) in words


def test_dials_keep_the_pairs_colours():
    (ax,) = pictures.dials([0.01, 0.001], [0, 500], pairs=[2, 3]).axes
    assert {line.get_color() for line in ax.lines} == {pair_colour(2), pair_colour(3)}
    assert {"pair 2", "pair 3"} <= {text.get_text() for text in ax.texts}


def test_distance_by_offset_draws_every_pair():
    table = encode_with_bases(12, [4, 5, 7])
    (ax,) = pictures.distance_by_offset(distances(table)).axes
    drawn_at = sorted(zip(*ax.lines[0].get_data(), strict=True))
    expected = sorted(
        (q - p, math.dist(table[p], table[q])) for q in range(12) for p in range(q)
    )
    np.testing.assert_allclose(drawn_at, expected)


def test_table_shows_the_table():
    table = positional_encoding(20, 8)
    image = pictures.table(table).axes[0].images[0]
    np.testing.assert_array_equal(image.get_array(), table)
    assert image.get_clim() == (-1, 1)


@pytest.mark.parametrize("pos", [3, 17, 1000])
def test_the_dial_explorer_moves_hands_and_row_together(pos):
    marks = drawn(explore.dial_explorer(), pos=pos)
    hands = [mark for mark in marks if "radians per step" in mark]
    assert {mark["pair"] for mark in hands} == {0, 1, 2, 3}
    for mark in hands:
        column = 2 * mark["pair"]
        assert mark["sine"] == pytest.approx(wave(pos, column, 8), abs=5e-5)
        assert mark["cosine"] == pytest.approx(wave(pos, column + 1, 8), abs=5e-5)
    cells = {
        m["column"]: m["value"] for m in marks if m.get("wave") in ("sine", "cosine")
    }
    assert cells == {c: pytest.approx(wave(pos, c, 8), abs=5e-5) for c in range(8)}


def test_the_explorer_draws_any_width():
    marks = drawn(explore.dial_explorer(d_model=6, furthest=50), pos=50)
    assert {m["pair"] for m in marks if "radians per step" in m} == {0, 1, 2}


def test_sinusoids_draw_every_value_and_one_pair_is_picked():
    chart = explore.sinusoids(positional_encoding(30, 6))
    points = [m for m in drawn(chart) if "name" in m]
    assert len(points) == 30 * 6
    for mark in points:
        column = int(mark["name"].split()[0])
        expected = wave(mark["position"], column, 6)
        assert mark["value"] == pytest.approx(expected, abs=5e-5)
    one = [m for m in drawn(chart, pair=1) if "name" in m]
    assert {m["name"] for m in one} == {"2 (sin)", "3 (cos)"}


def test_heatmap_draws_every_cell():
    cells = [
        m for m in drawn(explore.heatmap(positional_encoding(12, 8))) if "pair" in m
    ]
    assert len(cells) == 12 * 8
    for cell in cells:
        assert cell["pair"] == cell["column"] // 2
        expected = wave(cell["position"], int(cell["column"]), 8)
        assert cell["value"] == pytest.approx(expected, abs=5e-5)
