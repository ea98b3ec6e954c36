"""Notebook 02: what its pictures and its explorable draw, and its exercises judge."""

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

from helpers.exercises import formula, log_space
from helpers.exercises.core import Question
from helpers.explore import log_space as explore
from helpers.look import BAD, GOOD
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


# ------------------------------------------------- figures that the text states


def units(speeds, d_model):
    true = np.array([speed(i, d_model) for i in range(d_model // 2)])
    return float(np.abs(speeds.double().numpy() / true - 1).max() * 2**24)


@pytest.mark.parametrize("d_model", [16, 100, 300, 400, 512, 1174])
def test_log_space_is_the_less_accurate_route(d_model):
    twice_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    log = units(torch.exp(twice_i * (-math.log(10_000.0) / d_model)), d_model)
    power = units(1 / torch.pow(10_000, twice_i / d_model), d_model)
    assert log > 1.3 * power


def test_what_one_rounding_of_each_exponent_may_cost():
    assert np.spacing(np.float32(9.17)) == 2.0**-20
    assert np.spacing(np.float32(0.996)) == 2.0**-24
    assert pytest.approx(0.996, abs=5e-4) == 510 / 512
    assert math.log(10_000) * 510 / 512 == pytest.approx(9.17, abs=5e-3)


def test_the_authors_library_has_another_ladder():
    rungs = [math.exp(-math.log(10_000) * i / 3) for i in range(4)]
    assert [round(r, 4) for r in rungs] == [1, 0.0464, 0.0022, 0.0001]


# ------------------------------------------------- demands of the exercises


def table_of(positions, speeds):
    angles = torch.as_tensor(positions).double().unsqueeze(1) * torch.as_tensor(speeds)
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=2).flatten(1)


def right_table(max_len, d_model):
    return table_of(torch.arange(max_len), speeds_of_width(d_model))


def speeds_of_width(d_model):
    return torch.exp(torch.arange(0, d_model, 2) * (-math.log(10_000.0) / d_model))


def loop_in_a_helper(max_len, d_model):
    return torch.stack(rows_one_by_one(max_len, d_model))


def rows_one_by_one(max_len, d_model):
    return [right_table(pos + 1, d_model)[pos] for pos in range(max_len)]


def call_for_every_row(max_len, d_model):
    if max_len == 1:
        return right_table(1, d_model)
    before = call_for_every_row(max_len - 1, d_model)
    return torch.cat([before, right_table(max_len, d_model)[-1:]])


def interleaved(sines, cosines):
    return torch.stack([sines, cosines], dim=2).flatten(1)


def pairs_of(table, equal):
    for q in range(len(table)):
        for p in range(q):
            if equal(table[p], table[q]):
                return p, q
    return None


def last_first(table):
    found = pairs_of(table.flip(0), torch.equal)
    return found and (len(table) - 1 - found[1], len(table) - 1 - found[0])


def encoding_of(positions, d_model):
    angles = positions[:, None] * speeds_of_width(d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)


IGNORED = {  # a demand of the text: what ignores it, and nothing else
    "no loop, not even in a helper": ("broadcast_table", loop_in_a_helper),
    "no call for every row": ("broadcast_table", call_for_every_row),
    "any number of positions": (
        "broadcast_table",
        lambda n, d: right_table(max(n, 2), d),
    ),
    "any even width": ("broadcast_table", lambda n, d: right_table(n, d - d % 4)),
    "any width and length at once": (
        "broadcast_table",
        lambda n, d: right_table(n, d) if n != d else right_table(n, d).T,
    ),
    "sine before cosine": (
        "broadcast_table",
        lambda n, d: right_table(n, d).reshape(n, -1, 2).flip(2).flatten(1),
    ),
    "every width": (
        "log_space_speeds",
        lambda d: speeds_of_width(d) if d < 512 else speeds_of_width(512).half(),
    ),
    "one speed per pair": (
        "log_space_speeds",
        lambda d: speeds_of_width(d).repeat_interleave(2),
    ),
    "fewer pairs than rows": (
        "interleave",
        lambda s, c: interleaved(s[:, : len(s)], c[:, : len(s)]),
    ),
    "one pair": (
        "interleave",
        lambda s, c: interleaved(s, c) if s.shape[1] > 1 else torch.cat([s, c]),
    ),
    "one position": (
        "interleave",
        lambda s, c: interleaved(s, c).squeeze(0),
    ),
    "the cosines that are given": (
        "interleave",
        lambda s, c: interleaved(s, (1 - s**2).sqrt()),
    ),
    "more positions than 8 bits tell apart": (
        "broadcast_table",
        lambda n, d: encoding_of(torch.arange(n).bfloat16().float(), d),
    ),
    "equal exactly": (
        "first_equal_rows",
        lambda t: pairs_of(t, lambda a, b: torch.allclose(a.double(), b.double())),
    ),
    "equal to the last bit of a float64": (
        "first_equal_rows",
        lambda t: pairs_of(t.double().float(), torch.equal),
    ),
    "equal in every column": (
        "first_equal_rows",
        lambda t: pairs_of(t[:, :-1], torch.equal),
    ),
    "the first repetition": ("first_equal_rows", last_first),
    "None where all rows differ": (
        "first_equal_rows",
        lambda t: pairs_of(t, torch.equal) or (0, 0),
    ),
    "in their order": (
        "first_equal_rows",
        lambda t: pairs_of(t.sort(dim=1).values, torch.equal),
    ),
}


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("demand", IGNORED)
def test_an_answer_that_ignores_one_demand_is_not_accepted(demand):
    name, answer = IGNORED[demand]
    feedback = getattr(log_space, name).judge(answer)
    assert feedback.status == "incorrect", demand


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("broadcast_table", right_table),
        ("log_space_speeds", speeds_of_width),
        ("log_space_speeds", lambda d: [speed(i, d) for i in range(d // 2)]),
        ("interleave", interleaved),
        ("interleave", lambda s, c: np.dstack([s, c]).reshape(len(s), -1)),
        ("first_equal_rows", lambda t: pairs_of(t, torch.equal)),
    ],
)
def test_right_answers_of_many_kinds_pass(name, answer):
    assert getattr(log_space, name).judge(answer).status == "correct"


def test_right_letters_are_spread_over_the_first_two_notebooks():
    tasks = [*formula.EXERCISES, *log_space.EXERCISES]
    letters = [task.answer for task in tasks if isinstance(task, Question)]
    assert len(letters) >= 12
    for letter in "abcd":
        assert len(letters) / 6 <= letters.count(letter) <= len(letters) / 3
