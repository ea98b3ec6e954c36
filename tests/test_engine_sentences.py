"""What answers to 01 to 04 are told holds of their code, however it came about."""

import math

import numpy as np
import pytest
import torch
from answers import answer

from helpers import encoding
from helpers.exercises import distances, formula, log_space
from helpers.exercises import rotation_matrix as rotations

SPEEDS = "def f(d):\n    i = np.arange(d // 2)\n    return "


def told(task, code, **names):
    return task.judge(answer(code, encoding=encoding, torch=torch, **names))


@pytest.mark.parametrize("code", ["1e4 ** (-4 * i / d)", "1e4 ** (-2 * i / (d // 2))"])
def test_who_counts_pairs_is_not_told_to_count_columns(code):
    feedback = told(formula.angular_speeds, f"{SPEEDS}{code}\n")
    assert feedback.mistake == "column index"
    assert "You put the column" not in feedback.message
    assert "dividing by the number of pairs does the same" in feedback.message


def test_another_logarithm_and_half_the_width():
    code = (
        "def f(d_model):\n    pair = torch.arange(d_model // 2)\n"
        "    return torch.exp(2 * pair * (-np.log10(10_000.0) / (d_model // 2)))\n"
    )
    feedback = told(log_space.log_space_speeds, code)
    assert feedback.mistake == "column index, and log10 for log"
    assert "is a column index" not in feedback.message


def test_blocks_of_columns_are_told_without_a_call_that_is_not_there():
    code = (
        "def f(sines, cosines):\n    n, pairs = sines.shape\n"
        "    table = torch.zeros(n, 2 * pairs)\n    table[:, :pairs] = sines\n"
        "    table[:, pairs:] = cosines\n    return table\n"
    )
    message = told(log_space.interleave, code).message
    assert "cat" not in message and "All sines are on the left" in message


def test_keys_turned_back_are_not_a_query_turned_the_wrong_way():
    code = (
        "def f(table, k, beta):\n"
        "    keys = table @ encoding.rotation_matrix(-k, table.shape[1]).T\n"
        "    s = beta * table @ keys.T\n    w = np.exp(s - s.max(1, keepdims=True))\n"
        "    return w / w.sum(1, keepdims=True)\n"
    )
    feedback = told(rotations.look_back_weights, code)
    assert feedback.mistake == "looks forward"
    assert "wrong way" not in feedback.message and "keys stay" in feedback.message


PAIRS_OF_MISTAKES = {
    "halves layout, and i/d for 2i/d": (
        rotations.full_rotation,
        "def f(k, d):\n    a = k * 1e4 ** (-np.arange(d // 2) / d)\n"
        "    c, s = np.diag(np.cos(a)), np.diag(np.sin(a))\n"
        "    return np.block([[c, s], [-s, c]])\n",
    ),
    "sine and cosine swapped, and positions reach max_len": (
        formula.encode_with_bases,
        "def f(n, bases):\n    a = np.linspace(0, n, n)[:, None] * 2 * np.pi\n"
        "    a = a / np.asarray(bases)\n"
        "    return np.stack([np.cos(a), np.sin(a)], axis=2).reshape(n, -1)\n",
    ),
    "absolute differences, and mean, not sum": (
        distances.distance_matrix,
        "def f(t):\n    return np.abs(t[:, None] - t[None]).mean(axis=-1)\n",
    ),
    "no root, and factor 2 missing": (
        distances.distance_from_offset,
        "def f(k, d):\n    theta = encoding.angular_speeds(d)\n"
        "    return np.sum(1 - np.cos(k * theta))\n",
    ),
}


@pytest.mark.parametrize("names", PAIRS_OF_MISTAKES)
def test_two_mistakes_at_once_are_named(names):
    task, code = PAIRS_OF_MISTAKES[names]
    assert told(task, code).mistake == names


def test_as_many_rounds_as_there_are_pairs():
    code = (
        "def f(k, d_model):\n    total = 0\n    for i in range(k):\n"
        "        total += 2 * (1 - np.cos(k * 10_000 ** (-2 * i / d_model)))\n"
        "    return np.sqrt(total)\n"
    )
    message = told(distances.distance_from_offset, code).message
    assert "in line 3 at `k`: is this how many there should be?" in message


def test_a_loop_that_ends_in_its_first_round():
    code = (
        "def f(d):\n    for i in range(d // 2):\n        return 1e4 ** (-2 * i / d)\n"
    )
    message = told(formula.angular_speeds, code).message
    assert "The `return` in line 3 stands inside its loop" in message
    code = (
        "def f(d):\n    for i in range(d):\n        if i == 2:\n            return i\n"
    )
    assert "first round" not in told(formula.angular_speeds, code).message


def test_one_pair_for_every_table_is_typed_in():
    feedback = told(log_space.first_equal_rows, "def f(table):\n    return 256, 257\n")
    assert feedback.mistake == "hard-coded"


def test_a_search_that_ends_is_told_by_the_right_answers():
    code = (
        "def f(periods):\n    t = encoding.encode_with_bases(141, periods)\n"
        "    return int(np.argmin(np.linalg.norm(t[1:] - t[0], axis=1))) + 1\n"
    )
    message = told(distances.period, code).message
    assert "it was wrong where the right answer is 200 or more (right up to" in message


def test_a_list_has_numbers_and_no_width():
    code = "def f(p):\n    return np.lcm(np.lcm(p[0], p[1]), p[2])\n"
    message = told(distances.period, code).message
    assert "it was wrong wherever `periods` has not 3 numbers." in message


def test_the_last_fall_is_no_first_one():
    code = (
        "def f(d_model):\n    found = None\n    for k in range(1, 200):\n"
        "        now, then = (D(j, d_model) for j in (k, k + 1))\n"
        "        if then < now:\n            found = k\n    return found\n"
    )
    feedback = told(distances.first_fall, code, D=_distance)
    assert feedback.mistake == "last fall"


def _distance(k, d_model):
    theta = encoding.angular_speeds(d_model)
    return np.sqrt(2 * np.sum(1 - np.cos(k * theta)))


def test_a_sigmoid_is_no_softmax():
    code = (
        "def f(table, k, beta):\n"
        "    q = table @ encoding.rotation_matrix(-k, table.shape[1]).T\n"
        "    return 1 / (1 + np.exp(-beta * q @ table.T))\n"
    )
    feedback = told(rotations.look_back_weights, code)
    assert feedback.mistake == "sigmoid for softmax"


def test_none_is_not_called_a_value():
    code = (
        "def f(pos, d):\n    if d % 2:\n        return None\n"
        "    a = pos / 1e4 ** (2 * np.arange(d // 2) / d)\n"
        "    return np.stack([np.sin(a), np.cos(a)], axis=1).ravel()\n"
    )
    message = told(formula.encode_position, code).message
    assert "a `ValueError` is asked for, and yours returned `None`" in message


def test_another_function_than_exp_is_not_called_exp():
    code = (
        "def f(d_model):\n    pair = torch.arange(d_model // 2)\n"
        "    return torch.exp(-math.log(2 * pair * 10_000.0 / d_model))\n"
    )
    message = told(log_space.log_space_speeds, code, math=math).message
    assert "The product is inside" not in message
    assert "one single number is asked for" in message


HANDS = (
    "def f(n, bases):\n    a = 2 * np.pi * np.arange(n)[:, None] / np.array(bases)\n"
)
SEEN = {
    "The right numbers, in another shape and another order.": (
        "    both = np.stack([np.sin(a), np.cos(a)], axis=2)\n"
        "    return both.transpose(1, 0, 2).reshape(len(bases), -1)\n"
    ),
    "Some numbers have the other sign; all others are right.": (
        "    t = np.repeat(np.sin(a), 2, axis=1)\n"
        "    t[:, 1::2] = np.sqrt(1 - t[:, 0::2] ** 2)\n    return t\n"
    ),
}


@pytest.mark.parametrize("seen", SEEN)
def test_what_holds_in_every_case_is_seen(seen):
    assert seen in told(formula.encode_with_bases, HANDS + SEEN[seen]).message


def test_a_line_that_is_not_needed_is_not_told_to_stand_in_the_wrong_order():
    code = HANDS.replace(":\n", ":\n    bases = sorted(bases)\n", 1)
    code += "    return np.stack([np.sin(a), np.cos(a)], axis=2).reshape(n, -1)\n"
    message = told(formula.encode_with_bases, code).message
    assert "in line 2" in message and "order of the lines" not in message


def test_a_number_that_is_off_by_two_is_one_change():
    code = (
        "def f(k, theta):\n    c, s = np.cos(theta * k), np.sin(theta * k)\n"
        "    return np.array([[c, s], [-s, c]]).round(3)\n"
    )
    message = told(rotations.rotation_block, code).message
    assert "One change is enough, in line 3" in message


def test_a_number_in_the_place_of_the_pairs():
    code = (
        "def f(k, d):\n    hands = (1 - np.cos(k / 1e4 ** (2 * i / d)) for i in range(4))"
        "\n    return np.sqrt(2 * sum(hands))\n"
    )
    message = told(distances.distance_from_offset, code).message
    assert "at `4`: is this how many there should be?" in message
    assert "it was wrong from `d_model` = 64 on (right up to 8)" in message


@pytest.mark.usefixtures("status_only")
def test_where_it_raised_no_property_of_other_cases_is_told():
    code = (
        "def f(k, d):\n    m = np.zeros((d, d))\n    for i in range(4):\n"
        "        a = k * 0.1**i\n        b = [[np.cos(a), np.sin(a)], "
        "[-np.sin(a), np.cos(a)]]\n"
        "        m[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = b\n    return m\n"
    )
    message = told(rotations.full_rotation, code).message
    assert "could not broadcast" in message and "length 1" not in message


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("    t = t + np.zeros((n, 2))\n", "`t` gets its value in this function"),
        ("    t = [n for _ in range(n / 2)]\n", "A whole number is asked for there"),
    ],
)
def test_what_an_exception_means(line, says):
    code = f"def f(n, bases):\n{line}    return t\n"
    assert says in told(formula.encode_with_bases, code).message


def test_where_none_is_asked_for_is_told():
    code = (
        "def f(table):\n    known, pair = {}, (0, 0)\n"
        "    for q, row in enumerate(table.tolist()):\n"
        "        if tuple(row) in known:\n            return known[tuple(row)], q\n"
        "        known[tuple(row)] = q\n    return pair\n"
    )
    message = told(log_space.first_equal_rows, code).message
    assert "6 are right: it was wrong where `None` is asked for" in message


def test_that_other_cases_raised_is_told_beside_what_these_show():
    code = (
        "def f(sines, cosines):\n"
        "    table = torch.zeros(len(sines), 2 * sines.shape[1])\n"
        "    for j in range(len(sines)):\n"
        "        table[:, 2 * j], table[:, 2 * j + 1] = sines[:, j], cosines[:, j]\n"
        "    return table\n"
    )
    message = told(log_space.interleave, code).message
    assert message.startswith("Right except in the last columns, where it is 0. For ")
    assert "it raised `IndexError" in message
