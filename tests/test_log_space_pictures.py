"""Notebook 02: its pictures and the explorable, read back and by their texts."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from drawing import drawn
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle
from references import speed

from helpers.explore import log_space as explore
from helpers.look import BAD, GOOD
from helpers.pictures import log_space as pictures


def texts(ax):
    return [text.get_text() for text in ax.texts]


# The pictures


def test_the_broadcast_multiplies_cell_by_cell():
    speeds = [speed(i, 16) for i in range(8)]
    picture = pictures.broadcast(np.arange(20)[:, None], np.array(speeds))
    left, middle, right = picture.axes
    cells = {text.get_position(): text.get_text() for text in right.texts}
    factors = {text.get_position(): text.get_text() for text in middle.texts}
    shown = {0: 0, 1: 1, 2: 2, 3: 3, 5: 7}  # place across: pair
    for y, pos in enumerate([0, 1, 2, 3, None, 19]):
        if pos is not None:
            for x, i in shown.items():
                assert cells[x, y] == f"{pos * speeds[i]:.2g}"
                assert factors[x, y] == f"{speeds[i]:.2g}"
    assert cells[2, 3] == "0.3"
    assert texts(left).count("19") == len(shown)
    assert "(20, 8)" in picture.alt


def test_unwritten_columns_are_hatched():
    table = np.zeros((5, 6))
    written = table.copy()
    written[:, 0::2] = 1
    picture = pictures.filling({"empty": table, "half": written, "full": table + 1})
    for ax, expected in zip(
        picture.axes[:3], ([0, 1, 2, 3, 4, 5], [1, 3, 5], []), strict=True
    ):
        hatched = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_hatch()]
        assert [p.get_x() + 0.5 for p in hatched] == expected
    assert picture.axes[1].images[0].get_array().tolist() == written.tolist()


def test_log_space_is_a_straight_line():
    speeds = [speed(i, 16) for i in range(8)]
    left, right = pictures.speeds(np.array(speeds)).axes
    assert left.lines[0].get_ydata() == pytest.approx(speeds)
    step = -2 * math.log(10_000) / 16
    logs = [step * i for i in range(8)]
    assert right.lines[0].get_ydata() == pytest.approx(logs)


def test_two_versions_are_drawn_on_one_scale():
    other = [2 * i * math.exp(-math.log(10_000) / 8) for i in range(4)]
    right = [speed(i, 8) for i in range(4)]
    left, wrong = pictures.two_versions(np.array(right), torch.tensor(other)).axes
    assert [bar.get_height() for bar in left.patches] == pytest.approx(right)
    assert [bar.get_height() for bar in wrong.patches] == pytest.approx(other)
    assert texts(wrong) == ["0", "0.632", "1.26", "1.9"]
    assert left.get_ylim() == wrong.get_ylim()


def test_stacking_puts_every_cosine_beside_its_sine():
    (ax,) = pictures.stack_and_flatten().axes
    cells = {
        t.get_position(): t.get_text() for t in ax.texts if t.get_text()[:1] == "$"
    }
    last = sorted((x, y, name) for (x, y), name in cells.items() if x > 16)
    top = [name for _, y, name in last if y < 2.5]
    assert top == [f"${letter}_{{0{i}}}$" for i in range(3) for letter in "sc"]
    assert len(cells) == 3 * 12


def test_timings_are_milliseconds():
    (ax,) = pictures.timings({"slow": 0.5, "quick": 0.001}).axes
    assert [bar.get_width() for bar in ax.patches] == [500, 1]
    assert ax.get_xscale() == "log"


def test_errors_of_speeds_are_drawn_route_by_route():
    frame = pd.DataFrame({"log": [1.0, 9.5], "pow": [2.0, 1.4]}, index=[6, 512])
    (ax,) = pictures.speed_errors(frame).axes
    routes = {line.get_label(): list(line.get_ydata()) for line in ax.lines}
    assert routes["log"] == [1.0, 9.5]
    assert routes["pow"] == [2.0, 1.4]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["6", "512"]


def test_error_maps_keep_the_worst_of_each_block():
    error = np.random.default_rng(0).random((40, 24)) * 1e-4
    picture = pictures.error_maps({"one": torch.tensor(error)}, cells=(10, 8))
    image = picture.axes[0].images[0].get_array()
    for row in range(10):
        for column in range(8):
            block = [
                error[r, c]
                for r in range(4 * row, 4 * row + 4)
                for c in range(3 * column, 3 * column + 3)
            ]
            assert image[row, column] == max(block)


def test_error_by_position_climbs_and_the_gap_is_that_of_float32():
    error = np.array([0.0, 3e-8, 1e-8, 5e-8, 2e-8])
    (ax,) = pictures.error_by_position({"route": error}).axes
    route, gap = ax.lines[:2]
    assert list(route.get_xdata()) == [1, 2, 3, 4]
    assert list(route.get_ydata()) == [3e-8, 3e-8, 5e-8, 5e-8]
    half = [2.0 ** (math.floor(math.log2(pos)) - 24) for pos in (1, 2, 3, 4)]
    assert list(gap.get_ydata()) == half


def test_repeated_rows_are_marked():
    rows = np.array([[0.0, 1.0], [0.5, 0.5], [0.5, 0.5], [0.2, 0.5]])
    picture = pictures.neighbouring_rows(
        {"one": rows, "two": rows + [[0], [1], [2], [3]]}, 7
    )
    one, two = picture.axes[:2]
    assert [text.xy[1] for text in one.texts] == [7 + 2 - 0.5]
    assert not two.texts
    assert "one: 1 row repeats the row above; two: none" in picture.alt


# ------------------------------------------------------------------ explorable


@settings(max_examples=5, deadline=None)
@given(here=st.integers(0, 4999))
@example(here=256)
@example(here=2048)
@example(here=4095)
def test_stored_positions_are_those_of_the_hardware(here):
    lines = [m for m in drawn(explore.stored_positions, here=here) if "kept" in m]
    assert len(lines) >= 3 * 17
    for line in lines:
        number = torch.tensor(int(line["position"]))
        stored = number.to(getattr(torch, line["format"])).item()
        assert line["stored"] == stored
        assert line["kept"] == ("kept" if stored == number else "moved")
        assert line["moved_to"] == stored - here


def test_the_explorable_counts_what_is_left():
    marks = drawn(explore.stored_positions, here=300)
    counted = [m["counted"] for m in marks if "counted" in m]
    stored = {round(p / 2) * 2 for p in range(284, 317)}  # half to even, as Python does
    assert counted[0].startswith("33 positions, 33 numbers")
    assert counted[2].startswith(f"33 positions, {len(stored)} numbers")


# ------------------------------------------------- text alternatives: the opposite


def test_filling_names_the_columns_that_are_unwritten():
    table = np.ones((5, 6))
    half = table.copy()
    half[:, 1::2] = 0
    said = pictures.filling({"all": table, "some": half, "none": table * 0}).alt
    assert "all, no column unwritten" in said
    assert "some, 3 of 6 columns unwritten" in said
    assert "none, all columns unwritten" in said


def test_speeds_off_the_line_are_not_said_to_be_on_it():
    even = [speed(i, 16) for i in range(8)]
    assert "on a straight line: each step is -1.15" in pictures.speeds(even).alt
    ladder = pictures.speeds(np.linspace(1, 0.1, 8)).alt
    assert "straight" not in ladder
    assert "in steps from" in ladder


def test_two_versions_are_read_out():
    said = pictures.two_versions(np.array([1, 0.1]), np.array([0, 0.632])).alt
    assert "the formula: 1, 0.1." in said
    assert "the bracket moved: 0, 0.632." in said


def test_timings_are_ratios_of_the_fastest():
    picture = pictures.timings({"slow": 0.5, "quick": 0.001})
    assert "slow 500, quick 1.0" in picture.alt
    assert [t.strip() for t in texts(picture.axes[0])] == [
        "500 ms (500 ×)",
        "1 ms (1.0 ×)",
    ]
    colours = [bar.get_facecolor() for bar in picture.axes[0].patches]
    assert colours == [to_rgba(BAD), to_rgba(GOOD)]
    assert "slow 1.0, quick 2.0" in pictures.timings({"slow": 0.1, "quick": 0.2}).alt


def test_the_highest_line_is_that_of_the_data():
    frame = pd.DataFrame({"log": [1, 5, 9], "pow": [2, 1, 0.5]}, index=[6, 16, 512])
    said = pictures.speed_errors(frame).alt
    assert "From width 16 on the highest line is that of log." in said
    assert "below one unit" not in said
    swapped = frame.rename(columns={"log": "pow", "pow": "log"}) / 10
    said = pictures.speed_errors(swapped).alt
    assert "From width 16 on the highest line is that of pow." in said
    assert "pow stays below one unit." in said


def test_error_maps_say_where_the_largest_errors_are():
    error = np.full((40, 24), 2e-8)
    even = pictures.error_maps({"even": error}).alt
    assert "even: of the order of 1e-08 everywhere" in even
    error[30:, :6] = 4e-4
    for turned, place in ((error, "bottom left"), (error[::-1, ::-1], "top right")):
        said = pictures.error_maps({"one": turned}).alt
        assert f"one: largest, of the order of 1e-04, at the {place}" in said


def test_error_by_position_says_which_curve_rises():
    level, rising = np.full(1000, 2e-8), np.arange(1000) * 4e-7
    said = pictures.error_by_position({"a": level, "b": rising}).alt
    assert "a stays at the order of 1e-08" in said
    assert "b rises to the order of 1e-04" in said
    said = pictures.error_by_position({"a": rising, "b": level}).alt
    assert "a rises" in said
    assert "b stays" in said


def test_a_route_has_one_colour_and_its_own_name():
    frame = pd.DataFrame({"log": [1.0, 2], "pow": [0.5, 0.6]}, index=[8, 16])
    widths = pictures.speed_errors(frame).axes[0]
    curves = {"log": np.arange(5) * 1e-4, "pow": np.arange(5) * 1e-5}
    positions = pictures.error_by_position(curves).axes[0]
    for ax, data in (
        (widths, frame),
        (positions, {k: v[1:] for k, v in curves.items()}),
    ):
        drawn_as = {line.get_label(): line for line in ax.lines}
        named = dict(zip(*ax.get_legend_handles_labels()[::-1], strict=True))
        for route, colour in (("log", BAD), ("pow", GOOD)):
            assert drawn_as[route].get_color() == colour
            assert named[route] is drawn_as[route]
            assert list(drawn_as[route].get_ydata()) == pytest.approx(list(data[route]))
    assert "one\nrounding" in texts(widths)
    assert [
        line.get_ydata() for line in widths.lines if line.get_linestyle() == "--"
    ] == [[1, 1]]


def test_maps_and_rows_stand_under_their_own_names():
    small, large = np.full((6, 4), 1e-8), np.full((6, 4), 1e-4)
    maps = pictures.error_maps({"small": small, "large": large}, cells=(6, 4)).axes[:2]
    rows = pictures.neighbouring_rows({"small": small, "large": large}, 0).axes[:2]
    for axes in (maps, rows):
        shown = {
            ax.get_title(loc="left"): ax.images[0].get_array().max() for ax in axes
        }
        assert shown == {"small": 1e-8, "large": 1e-4}


def test_the_marked_product_is_read_out():
    said = pictures.broadcast(np.arange(20), np.full(8, 0.5)).alt
    assert "position 3 times the speed of pair 2, 0.5, is 1.5." in said


def test_the_explorable_describes_its_formats():
    said = explore.stored_positions().to_dict()["description"]
    assert "float16 keeps every position up to 2048" in said
    assert "bfloat16 keeps every position up to 256" in said
    assert "float32 keeps every position up to 4999" in said


def test_the_picture_of_stacking_fits_its_words():
    sines, cosines = torch.zeros(2, 3), torch.ones(2, 3)
    stacked = torch.stack([sines, cosines], dim=2)
    assert stacked.shape == (2, 3, 2)
    assert stacked.flatten(1)[0].tolist() == [0, 1] * 3
    said = pictures.stack_and_flatten().alt
    assert "6 columns s, c, s, c, s, c" in said
