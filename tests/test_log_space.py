"""Notebook 02: what its exercises judge, and the figures that its text states."""

import math

import numpy as np
import pytest
import torch
from references import speed

from helpers.exercises import formula, log_space
from helpers.exercises.core import Question

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
