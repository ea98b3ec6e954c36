"""What the pictures and the chart of notebook 02 show, computed another way."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import torch
from drawing import drawn

from helpers.charts import log_space as charts
from helpers.encoding import positional_encoding
from helpers.exercises import log_space
from helpers.figures import log_space as figures


def test_broadcast_draws_every_factor_and_product():
    speeds = [1.0, 0.1, 0.01, 0.001]
    left, middle, right = figures.broadcast(np.arange(20)[:, None], speeds).axes
    written = [[text.get_text() for text in ax.texts] for ax in (left, middle, right)]
    rows = [0, 1, 2, 3, 19]
    for pos in rows:
        assert written[0].count(str(pos)) >= len(speeds)
        for speed in speeds:
            assert f"{pos * speed:.3f}" in written[2]
    for speed in speeds:
        assert written[1].count(f"{speed:.3f}") == len(rows)


def test_filling_hatches_what_nobody_has_written():
    table = positional_encoding(20, 16)
    half = table.copy()
    half[:, 1::2] = 0
    picture = figures.filling({"half": half, "whole": table})
    half_ax, whole_ax = picture.axes[:2]
    np.testing.assert_array_equal(whole_ax.images[0].get_array(), table)
    hatched = [patch.get_x() + 0.5 for patch in half_ax.patches if patch.get_hatch()]
    assert hatched == list(range(1, 16, 2))
    assert not [patch for patch in whole_ax.patches if patch.get_hatch()]


def test_speeds_and_their_logarithms():
    values = [10_000 ** (-2 * i / 16) for i in range(8)]
    left, right = figures.speeds(torch.tensor(values)).axes
    np.testing.assert_allclose(left.lines[0].get_ydata(), values, rtol=1e-6)
    logs = [-2 * i / 16 * math.log(10_000) for i in range(8)]
    np.testing.assert_allclose(right.lines[0].get_ydata(), logs, rtol=1e-5, atol=1e-6)


def test_two_versions_are_drawn_as_they_are():
    picture = figures.two_versions([1, 0.1, 0.01], [0, 0.63, 1.26])
    for ax, values in zip(picture.axes, ([1, 0.1, 0.01], [0, 0.63, 1.26]), strict=True):
        assert [bar.get_height() for bar in ax.patches] == values


def test_stack_and_flatten_keeps_every_sine_beside_its_cosine():
    (ax,) = figures.stack_and_flatten().axes
    cells = [t for t in ax.texts if t.get_text().startswith("$")]
    end = {t.get_text(): t.get_position() for t in cells if t.get_position()[0] > 16}
    assert len(end) == 12
    for pos in range(2):
        for i in range(3):
            sine, cosine = (end[f"${letter}_{{{pos}{i}}}$"] for letter in "sc")
            assert cosine == (sine[0] + 1, sine[1])
            assert sine[0] == pytest.approx(16.5 + 2 * i)


def test_timings_are_in_milliseconds():
    (ax,) = figures.timings({"slow": 0.2, "quick": 0.0004}).axes
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([200, 0.4])


def test_speed_errors_draws_every_route():
    errors = pd.DataFrame({"log": [0.4, 9.5], "pow": [0.4, 1.4]}, index=[4, 512])
    (ax,) = figures.speed_errors(errors).axes
    lines = {line.get_label(): line for line in ax.lines}
    for route in errors:
        np.testing.assert_array_equal(lines[route].get_ydata(), errors[route])
    assert [t.get_text() for t in ax.get_xticklabels()] == ["4", "512"]


def test_error_maps_show_the_largest_of_each_block():
    table = np.full((100, 64), 1e-8)
    table[57, 33] = 5e-4
    image = (
        figures.error_maps({"a": table, "b": table}, cells=(10, 8)).axes[0].images[0]
    )
    expected = np.full((10, 8), 1e-8)
    expected[5, 4] = 5e-4
    np.testing.assert_allclose(image.get_array(), expected)


def test_error_by_position_rises_and_never_falls():
    errors = np.array([0, 3e-7, 1e-7, 5e-7])
    (ax,) = figures.error_by_position({"route": errors}).axes
    route, gap, _ = ax.lines
    np.testing.assert_allclose(route.get_ydata(), [3e-7, 3e-7, 5e-7])
    # half the gap between float32 numbers: 2^-24 at 1, twice that from 2 on
    np.testing.assert_allclose(gap.get_ydata(), [2**-24, 2**-23, 2**-23])


def test_neighbouring_rows_mark_repetitions():
    rows = np.array([[0.0, 1.0], [0.0, 1.0], [0.5, 0.2], [0.5, 0.2]])
    picture = figures.neighbouring_rows(
        {"a": rows, "b": rows[::-1] + [[0], [1], [2], [3]]}, 8
    )
    marks = [[t.xy[1] for t in ax.texts] for ax in picture.axes[:2]]
    assert marks == [[8.5, 10.5], []]
    assert "a: 2 rows repeat" in picture.alt


@pytest.mark.parametrize("here", [0, 256, 513, 2051, 4990])
def test_stored_positions_rounds_as_the_formats_do(here):
    marks = drawn(charts.stored_positions(), here_drag=here)
    lines = [mark for mark in marks if "stored" in mark and "kept" in mark]
    shown = range(max(0, here - 16), min(4999, here + 16) + 1)
    assert len(lines) == 3 * len(shown)
    for mark in lines:
        kind = getattr(torch, mark["format"])
        pos = int(mark["position"])
        assert mark["stored"] == torch.tensor(pos).to(kind).item()
        assert (mark["kept"] == "kept") == (mark["stored"] == pos)


def test_the_curriculums_figures_hold():
    distinct = {
        kind: torch.arange(5000).to(kind).unique().numel()
        for kind in (torch.bfloat16, torch.float16)
    }
    assert distinct == {torch.bfloat16: 797, torch.float16: 3299}
    angles = torch.arange(5000.0, dtype=torch.float64)[:, None] * torch.tensor(
        [10_000 ** (-2 * i / 512) for i in range(256)], dtype=torch.float64
    )
    cast = (angles.sin().float().double() - angles.sin()).abs().max().item()
    assert cast <= Fraction(1, 2**25)


def test_a_loop_is_noticed_by_the_exercise():
    def by_loop(max_len, d_model):
        rows = []
        for pos in range(max_len):
            row = []
            for i in range(d_model // 2):
                angle = pos / 10_000 ** (2 * i / d_model)
                row += [math.sin(angle), math.cos(angle)]
            rows.append(row)
        return rows

    feedback = log_space.broadcast_table.judge(by_loop)
    assert feedback.status == "incorrect"
    assert "loop" in feedback.message
