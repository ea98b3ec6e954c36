"""Notebook 02: what its pictures and its explorable draw, and its exercises judge."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from drawing import drawn
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matplotlib.patches import Rectangle

from helpers.exercises import log_space
from helpers.explore import log_space as explore
from helpers.pictures import log_space as pictures


def speed(i, d_model):
    return 1 / 10_000 ** (2 * i / d_model)


def texts(ax):
    return [text.get_text() for text in ax.texts]


# ------------------------------------------------------------------ pictures


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
    lines = [m for m in drawn(explore.stored_positions(), here=here) if "kept" in m]
    assert len(lines) >= 3 * 17
    for line in lines:
        number = torch.tensor(int(line["position"]))
        stored = number.to(getattr(torch, line["format"])).item()
        assert line["stored"] == stored
        assert line["kept"] == ("kept" if stored == number else "moved")
        assert line["moved_to"] == stored - here


def test_the_explorable_counts_what_is_left():
    marks = drawn(explore.stored_positions(), here=300)
    counted = [m["counted"] for m in marks if "counted" in m]
    stored = {round(p / 2) * 2 for p in range(284, 317)}  # half to even, as Python does
    assert counted[0].startswith("33 positions, 33 numbers")
    assert counted[2].startswith(f"33 positions, {len(stored)} numbers")


# ------------------------------------------------------------------ exercises


def by_hand(max_len, d_model):
    table = []
    for pos in range(max_len):
        row = []
        for i in range(d_model // 2):
            angle = pos * speed(i, d_model)
            row += [math.sin(angle), math.cos(angle)]
        table.append(row)
    return table


def test_a_right_table_out_of_a_loop_is_told_so():
    def with_while(max_len, d_model):
        rows = []
        while len(rows) < max_len:
            rows.append(
                log_space.broadcast_table.reference(max_len, d_model)[len(rows)]
            )
        return torch.stack(rows)

    def with_comprehension(max_len, d_model):
        table = log_space.broadcast_table.reference(max_len, d_model)
        return torch.stack([row + 0 for row in table])

    for answer in (by_hand, with_while, with_comprehension):
        assert log_space.broadcast_table.judge(answer).mistake == "a loop"


def test_a_loop_does_not_hide_the_other_mistake():
    def degrees(max_len, d_model):
        return [
            [
                (math.cos if c % 2 else math.sin)(
                    math.radians(p * speed(c // 2, d_model))
                )
                for c in range(d_model)
            ]
            for p in range(max_len)
        ]

    assert log_space.broadcast_table.judge(degrees).mistake == "taken for degrees"


@pytest.mark.parametrize(
    "form", [torch.Tensor.tolist, torch.Tensor.numpy, torch.Tensor.float, tuple]
)
def test_tables_pass_in_any_form(form):
    right = log_space.broadcast_table.reference
    assert log_space.broadcast_table.judge(lambda n, d: form(right(n, d))).status == (
        "correct"
    )


def test_a_numpy_solution_passes():
    def broadcast_table(max_len, d_model):
        speeds = np.exp(np.arange(0, d_model, 2) * (-np.log(10_000) / d_model))
        angles = np.arange(max_len)[:, None] * speeds
        return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(max_len, -1)

    assert log_space.broadcast_table.judge(broadcast_table).status == "correct"


@pytest.mark.parametrize("form", [tuple, list, np.array, torch.tensor])
def test_equal_rows_pass_in_any_form(form):
    def first_equal_rows(table):
        for q in range(len(table)):
            for p in range(q):
                if torch.equal(table[p], table[q]):
                    return form([p, q])
        return None

    assert log_space.first_equal_rows.judge(first_equal_rows).status == "correct"


def test_what_is_expected_of_equal_rows_is_shown():
    feedback = log_space.first_equal_rows.judge(lambda table: (len(table), 0))
    assert feedback.status == "incorrect"
    assert "expected (1, 3), got (4, 0)" in feedback.message


def test_prints_do_not_hide_a_right_pair():
    def talking(table):
        seen = {}
        for q, row in enumerate(map(tuple, table.tolist())):
            print(q, row)
            if row in seen:
                print(seen[row], q)
                return seen[row], q
            seen[row] = q
        return None

    assert log_space.first_equal_rows.judge(talking).status == "correct"


@pytest.mark.parametrize("between", [" ", ", "])
def test_a_pair_that_is_printed_is_told_so(between):
    def printing(table):
        for q in range(len(table)):
            for p in range(q):
                if torch.equal(table[p], table[q]):
                    print(p, q, sep=between)

    assert log_space.first_equal_rows.judge(printing).mistake == "printed"


@pytest.mark.parametrize(
    ("angles", "mistake"),
    [
        (lambda pos, e, d: pos * 10_000 ** (e / d), "reciprocal"),
        (lambda pos, e, d: pos.flatten() / 10_000 ** (e / d), "no column"),
        (lambda pos, e, d: pos * (1 / 10_000**e / d), "** before /"),
        (
            lambda pos, e, d: pos * (e * math.exp(-math.log(10_000.0) / d)),
            "product outside",
        ),
    ],
)
def test_float32_does_not_hide_the_mistake(angles, mistake):
    def broadcast_table(max_len, d_model):
        positions = torch.arange(max_len).unsqueeze(1)
        exponents = torch.arange(0, d_model, 2)
        table = torch.zeros(max_len, d_model)
        table[:, 0::2] = torch.sin(angles(positions, exponents, d_model))
        table[:, 1::2] = torch.cos(angles(positions, exponents, d_model))
        return table

    feedback = log_space.broadcast_table.judge(broadcast_table)
    assert feedback.status == "incorrect"
    assert feedback.mistake == mistake


def kept(number, digits):
    """A whole number rounded to so many binary digits, half to even, by hand."""
    gap = 2 ** max(0, number.bit_length() - digits)
    down, rest = divmod(number, gap)
    return gap * (down + (2 * rest > gap or (2 * rest == gap and down % 2)))


@pytest.mark.parametrize(("digits", "left"), [(8, 797), (11, 3299), (24, 5000)])
def test_as_many_positions_are_left_as_the_text_says(digits, left):
    assert len({kept(pos, digits) for pos in range(5000)}) == left


def test_float64_angles_and_one_cast_reach_the_floor_of_float32():
    speeds = torch.tensor([speed(i, 512) for i in range(256)], dtype=torch.float64)
    sines = torch.sin(torch.arange(5000).unsqueeze(1) * speeds)
    assert (sines.float() - sines).abs().max() <= 2**-25
