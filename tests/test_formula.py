"""What the pictures and charts of notebook 01 show is what the formula says."""

import math

import numpy as np
import pytest
from drawing import drawn

from helpers.encoding import distances, encode_with_bases, positional_encoding
from helpers.exercises import formula
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
    marks = drawn(explore.dial_explorer, pos=pos)
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


def sinusoids():
    return explore.sinusoids(positional_encoding(30, 6))


@pytest.mark.parametrize("position", [0, 7, 29])
def test_sinusoids_are_read_off_where_the_pointer_is(position):
    here = [{"position": position}]
    points = [m for m in drawn(sinusoids, hover=here) if "name" in m]
    assert len(points) == 6
    for mark in points:
        column = int(mark["name"].split()[0])
        expected = wave(position, column, 6)
        assert mark["position"] == position
        assert mark["value"] == pytest.approx(expected, abs=5e-5)
    one = [m for m in drawn(sinusoids, hover=here, pair=1) if "name" in m]
    assert {m["name"] for m in one} == {"2 (sin)", "3 (cos)"}
    assert [m for m in drawn(sinusoids) if "name" in m] == []


def test_sinusoids_draw_every_column_or_those_of_a_pair():
    lines = [m["column"] for m in drawn(sinusoids) if "column" in m]
    assert lines == ["0 (sin)", "1 (cos)", "2 (sin)", "3 (cos)", "4 (sin)", "5 (cos)"]
    lines = [m["column"] for m in drawn(sinusoids, pair=2) if "column" in m]
    assert lines == ["4 (sin)", "5 (cos)"]


def test_heatmap_draws_every_cell():
    cells = [
        m for m in drawn(explore.heatmap(positional_encoding(12, 8))) if "pair" in m
    ]
    assert len(cells) == 12 * 8
    for cell in cells:
        assert cell["pair"] == cell["column"] // 2
        expected = wave(cell["position"], int(cell["column"]), 8)
        assert cell["value"] == pytest.approx(expected, abs=5e-5)


# ------------------------------------------------- text alternatives: the opposite


def test_the_counter_counts_its_changes():
    bits = np.array([[n >> d & 1 for d in range(3)] for n in range(8)])
    assert "change 7, 3 and 1 times" in pictures.binary_counter(bits).alt
    assert "change 1, 3 and 7 times" in pictures.binary_counter(bits[:, ::-1]).alt


def test_waves_that_do_not_fit_the_digits_are_not_said_to():
    bits = np.array([[n >> d & 1 for d in range(3)] for n in range(8)])
    times = np.linspace(0, 8, 801)
    waves = -np.sin(2 * np.pi * times[:, None] / [2, 4, 8])
    fits = "high where the digit is 1 and low where it is 0"
    assert f"{fits}." in pictures.counter_and_waves(bits, times, waves).alt
    said = pictures.counter_and_waves(bits, times, -waves).alt
    assert f"{fits} in 0% of all places" in said


def test_dials_say_how_far_their_hands_turn():
    said = pictures.dials([0.5, 0.25], [0, 4]).alt
    assert "pair 0 turns by 115 degrees and pair 1 turns by 57.3 degrees" in said
    still = pictures.dials([0.0], [0, 4]).alt
    assert "pair 0 turns by 0 degrees" in still


def test_distances_that_depend_on_the_place_are_said_to_spread():
    clocks = distances(encode_with_bases(12, [4, 5, 7]))
    assert "each offset has one distance" in pictures.distance_by_offset(clocks).alt
    digits = distances(np.array([[n >> d & 1 for d in range(4)] for n in range(12)]))
    said = pictures.distance_by_offset(digits).alt
    assert "one distance" not in said
    assert "spread over up to 1" in said


def test_the_calm_side_is_that_of_the_table():
    table = positional_encoding(40, 32)
    for draw in (lambda t: pictures.table(t).alt, lambda t: alt_of(explore.heatmap(t))):
        left, right = _halves(draw(table))
        assert left > 5 * right
        assert _halves(draw(table[:, ::-1])) == (right, left)


def _halves(text):
    said = text.split("changes by ")[1]
    return float(said.split()[0]), float(said.split("and by ")[1].split()[0])


def alt_of(chart):
    return chart.to_dict()["description"]


def test_the_explorables_describe_their_data():
    slow = alt_of(explore.dial_explorer(d_model=4, furthest=100))
    assert "At 100, pair 0 has made 15.9 turns, and pair 1 0.159." in slow
    table = positional_encoding(100, 8)
    assert "cross zero 31, 32, 3, 3, 0, 0, 0, 0 times" in alt_of(
        explore.sinusoids(table)
    )
    assert "cross zero 0, 0, 0, 0, 3, 3, 32, 31 times" in alt_of(
        explore.sinusoids(table[:, ::-1])
    )


# ------------------------------------------------- figures that the text states


def test_figures_of_the_questions():
    wavelengths = [2 * math.pi * 10_000 ** (2 * i / 128) for i in range(64)]
    assert sum(w <= 100 for w in wavelengths) == 20
    assert [round(w) for w in wavelengths[19:21]] == [97, 112]
    assert wavelengths[-1] > 50_000
    assert math.lcm(4, 5, 6, 7) == 420
    assert pytest.approx(23 + 1 / 3) == 140 / 6
    assert math.degrees(9 * 0.001) == pytest.approx(0.5, abs=0.02)
    assert 2 * math.pi / 0.001 == pytest.approx(6283, abs=0.5)


@pytest.mark.parametrize("base", [100, 10_000, 1_000_000])
def test_a_larger_base_brings_neighbours_closer_and_distances_grow_longer(base):
    def apart(k, of):
        return math.dist(*positional_encoding(k + 1, 64, of)[[0, k]])

    assert apart(1, base * 10) < apart(1, base)
    assert apart(3000, 1e7) < 0.9 * apart(3000, 1e4)
    assert apart(3000, 100) == pytest.approx(apart(300, 100), rel=0.1)
    assert apart(3000, 1e4) > 1.1 * apart(300, 1e4)


# ------------------------------------------------- demands of the exercises

_S = np.sin
_C = np.cos


def _clock_rows(positions, bases):
    angles = np.asarray(positions)[:, None] * (2 * np.pi / np.asarray(bases))
    return np.stack([_S(angles), _C(angles)], axis=2).reshape(len(angles), -1)


def _speeds(d_model):
    return 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)


def _one_row(pos, d_model):
    if d_model % 2:
        raise ValueError("odd")
    return np.stack([_S(pos * _speeds(d_model)), _C(pos * _speeds(d_model))], 1).ravel()


def _raises_for_five(pos, d_model):
    if d_model == 5:
        raise ValueError("odd")
    return _one_row(pos, d_model - d_model % 2)


IGNORED = {  # a demand of the text: what ignores it, and nothing else
    "max_len rows": ("encode_with_bases", lambda n, b: _clock_rows(range(8), b)),
    "any length of the list": (
        "encode_with_bases",
        lambda n, b: _clock_rows(range(n), (list(b) * 3)[:3]),
    ),
    "any sequence of periods": (
        "encode_with_bases",
        lambda n, b: _clock_rows(range(n), b + []),
    ),
    "periods that are not whole": (
        "encode_with_bases",
        lambda n, b: _clock_rows(range(n), np.asarray(b).astype(int)),
    ),
    "each period in turn": (
        "encode_with_bases",
        lambda n, b: _clock_rows(range(n), sorted(b)),
    ),
    "one row only": (
        "encode_with_bases",
        lambda n, b: _clock_rows(range(max(n, 2)), b),
    ),
    "any width": ("angular_speeds", lambda d: 0.1 ** np.arange(d // 2)),
    "half as many speeds": ("angular_speeds", lambda d: _speeds(d).repeat(2)),
    "the smallest width": (
        "angular_speeds",
        lambda d: np.geomspace(1, _speeds(d)[-1], max(d // 2, 2)),
    ),
    "numbers, not their logarithms": (
        "angular_speeds",
        lambda d: -2 * np.arange(d // 2) / d,
    ),
    "one row": ("encode_position", lambda pos, d: _one_row(pos, d)[None]),
    "the row of pos": ("encode_position", lambda pos, d: _one_row(pos % 8, d)),
    "position 0": ("encode_position", lambda pos, d: _one_row(pos or 1, d)),
    "every odd width raises": ("encode_position", _raises_for_five),
    "a ValueError": (
        "encode_position",
        lambda pos, d: _one_row(pos, d) if d % 2 == 0 else int([]),
    ),
}


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("demand", IGNORED)
def test_an_answer_that_ignores_one_demand_is_not_accepted(demand):
    name, answer = IGNORED[demand]
    feedback = getattr(formula, name).judge(answer)
    assert feedback.status == "incorrect", demand


def test_right_answers_of_many_kinds_pass():
    for answer in (
        _clock_rows,
        lambda n, b: _clock_rows(range(n), b).tolist(),
        lambda max_len, bases: [
            [f(2 * math.pi * pos / b) for b in bases for f in (math.sin, math.cos)]
            for pos in range(max_len)
        ],
        lambda n, b: encode_with_bases(n, b).astype(np.float32),
    ):
        range_free = answer if answer is not _clock_rows else None
        judged = range_free or (lambda n, b: _clock_rows(np.arange(n), b))
        assert formula.encode_with_bases.judge(judged).status == "correct"
    assert formula.encode_position.judge(_one_row).status == "correct"
    assert formula.angular_speeds.judge(_speeds).status == "correct"
