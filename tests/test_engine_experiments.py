"""What failing cases share is told only where an exchange of arguments bears it out."""

import numpy as np
import pytest
import torch
from answers import COUNT, TABLE, answer, count

from helpers.encoding import positional_encoding, rotation_matrix
from helpers.exercises import formula, log_space
from helpers.exercises import rotation_matrix as rotations
from helpers.exercises.core import Exercise, Mistake

STEP_BACK = rotations.step_back


def scaled(n, scale):
    return scale * np.sin(np.arange(n) + 0.5)


# Of these, the wrong ones of whoever fails at a large scale have an even n, by chance.
SCALED = Exercise(
    scaled,
    stub="",
    cases=[(3, 1.0), (4, 50.0), (7, 2.0), (6, 80.0), (5, 1.5), (12, 70.0)],
    hints=["", ""],
)


def test_a_feature_that_is_there_by_chance_is_not_told():
    code = "def f(n, scale):\n    off = 0.3 * (n % 2 == 0) * np.arange(n)\n"
    code += "    return scaled(n, scale) + off"
    by_length = SCALED.judge(answer(code + "\n", scaled=scaled)).message
    assert "scale` =" not in by_length  # 50, 70 and 80 are the scales of even lengths
    code = code.replace("(n % 2 == 0)", "(scale > 9)")
    by_scale = SCALED.judge(answer(code + "\n", scaled=scaled)).message
    assert "3 are right: it was wrong from `scale` = 50 on (right up to 2)." in by_scale


def test_a_position_known_up_to_whole_rounds_is_not_laid_to_k():
    """The first pair tells a position up to 6.3: `k` has nothing to do with it."""
    code = (
        "def f(row, k):\n    pos = np.round(np.arctan2(row[0], row[1]) % 6.2832)\n"
        "    return positional_encoding(21, len(row))[int(pos) - k]\n"
    )
    found = answer(code, positional_encoding=positional_encoding)
    assert "`k`" not in STEP_BACK.judge(found).message.partition("cases tried")[2]


def test_what_holds_when_arguments_are_exchanged_is_told():
    code = "def f(row, k):\n    there = rotation_matrix(-k, len(row)) @ row\n"
    code += "    return there * (1 + (k < 0))\n"
    task = Exercise(
        STEP_BACK.reference,
        stub="",
        cases=[*STEP_BACK.cases, (STEP_BACK.cases[0][0], -5)],
        hints=["", ""],
    )
    feedback = task.judge(answer(code, rotation_matrix=rotation_matrix))
    assert "it was wrong where `k` is negative." in feedback.message


def test_larger_than_another_argument_is_exchanged_too():
    def cut(n, most):
        return np.arange(min(n, most)) + 0.5

    task = Exercise(
        cut,
        stub="",
        cases=[(3, 5), (4, 6), (9, 4), (12, 7), (2, 8)],
        hints=["", ""],
    )
    told = task.judge(
        answer("def f(n, most):\n    return np.arange(n) + 0.5\n")
    ).message
    assert "it was wrong where `n` is larger than `most`." in told


@pytest.mark.parametrize("line", ["open('x')", "np.save('x', n)"])
def test_code_that_reaches_outside_is_not_run_for_an_experiment(
    line, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    code = f"def f(n, scale):\n    if (n, scale) == (3, 50.0):\n        {line}\n"
    code += "    return scaled(n, scale) + (scale > 9)\n"
    told = SCALED.judge(answer(code, scaled=scaled)).message
    assert "it was wrong" in told and not list(tmp_path.iterdir())


def test_an_experiment_leaves_the_notebooks_data_and_random_numbers_alone():
    rng, calls = np.random.default_rng(3), []
    code = (
        "def f(n, scale):\n    calls.append(n)\n    rng.normal()\n"
        "    return scaled(n, scale) + (scale > 9) * np.cos(9 * np.arange(n)) ** 3\n"
    )
    told = SCALED.judge(answer(code, scaled=scaled, rng=rng, calls=calls)).message
    assert "from `scale` = 50 on" in told
    again = np.random.default_rng(3)
    for _ in SCALED.cases:
        again.normal()
    assert len(calls) == len(SCALED.cases) and rng.normal() == again.normal()


def test_two_listed_mistakes_come_before_a_step_that_was_put_in():
    """`1 - pairs` would mend speeds that begin at pair 1 and grow."""

    code = (
        "def f(d):\n    i = np.arange(1, d // 2 + 1)\n    return 1e4 ** (2 * i / d)\n"
    )
    feedback = formula.angular_speeds.judge(answer(code))
    assert feedback.mistake == "reciprocal, and pairs from 1"
    missing = TABLE.judge(
        answer(
            "def f(n, width):\n    rows = np.arange(n)\n"
            "    return np.sin(rows + 1.5 * np.arange(width))\n"
        )
    )
    assert missing.mistake == "one change"


def test_none_on_purpose_is_told_from_a_return_that_is_missing():
    on_purpose = "def f(k):\n    if k > 4:\n        return None\n    return 3 * k + 1\n"
    feedback = COUNT.judge(answer(on_purpose))
    assert feedback.mistake == "nothing in some cases"
    assert "For `k=5` `None` came back, where `16` is asked for; in 3 other" in (
        feedback.message
    )
    assert "`return None` stands in line 3: when is it reached?" in feedback.message
    forgotten = "def f(k):\n    if k < 4:\n        return 3 * k + 1\n"
    message = COUNT.judge(answer(forgotten)).message
    assert "Which way through it reaches no `return`?" in message
    looked_up = "def f(k):\n    return {2: 7, -3: -8}.get(k)\n"
    message = COUNT.judge(answer(looked_up)).message
    assert "`None` came back" in message and "`return`" not in message


def test_none_where_a_pair_is_asked_for():
    code = (
        "def f(table):\n    for p in range(len(table) - 1):\n"
        "        if torch.allclose(table[p], table[p + 1], atol=1e-2):\n"
        "            return p, p + 1\n    return None\n"
    )
    message = log_space.first_equal_rows.judge(answer(code, torch=torch)).message
    assert "`None` came back, where `(1, 3)` is asked for." in message
    assert "`return None` stands in line 5" in message


def test_the_notebooks_data_in_place_of_an_argument():
    """Its argument goes by another name: that `theta` has no effect is not so."""
    code = (
        "def f(k, speed):\n    c, s = np.cos(k * theta), np.sin(k * theta)\n"
        "    return np.array([[c, s], [-s, c]])\n"
    )
    feedback = rotations.rotation_block.judge(answer(code, theta=1.0))
    assert "`theta` is none of its arguments" in feedback.message
    assert "its argument `speed` is not used" in feedback.message
    assert "no effect" not in feedback.message
    listed = rotations.rotation_block.judge(answer(code.replace("theta", "1.0")))
    assert listed.mistake == "theta forgotten"


def test_what_a_listed_mistake_says_stays_where_all_arguments_are_read():
    task = Exercise(
        count,
        stub="",
        cases=[(2,), (3,)],
        hints=["", ""],
        mistakes=[Mistake("one more", "One too many.", lambda k: 3 * k + 2)],
    )
    made = answer("def f(k):\n    return mine * k + 2\n", mine=3)
    assert task.judge(made).mistake == "one more"


def test_a_number_alone_is_tried_with_its_neighbours():
    """Of 2, 5, -3, 8 and -1, 5 and 8 are positive, and here they are not wrong for it."""
    code = "def f(k):\n    return 3 * k + 1 + 0.123 * k * k * (k in (2, 5, 8))\n"
    assert "it was wrong" not in COUNT.judge(answer(code)).message
    code = "def f(k):\n    return 3 * k + 1 + 0.123 * k * k * (k > 3)\n"
    assert "it was wrong from `k` = 5 on (right up to 2)." in (
        COUNT.judge(answer(code)).message
    )
    code = "def f(k):\n    return 3 * k + 1 + 0.123 * k * k * (k % 2)\n"
    assert "it was wrong where `k` is odd." in COUNT.judge(answer(code)).message


def test_a_number_alone_keeps_to_numbers_that_are_asked_for():
    """Only even widths are asked for: at odd ones both may do as they like."""

    def pairs(width):
        return np.sin(np.arange(width // 2) + 0.5)

    task = Exercise(pairs, stub="", cases=[(4,), (8,), (60,), (512,)], hints=["", ""])
    code = (
        "def f(width):\n    row = np.arange(width)[::2] // 2\n"
        "    return np.sin(row + 0.5) + 0.2 * np.arange(len(row)) ** 2 * (width > 50)\n"
    )
    message = task.judge(answer(code)).message
    assert "it was wrong from `width` = 60 on (right up to 8)." in message


def test_a_feature_of_an_array_is_taken_from_it():
    """The one case with four periods is the one with 2.5 among them."""
    angles = "    a = 2 * np.pi * np.arange(n)[:, None] / np.array(PERIODS)\n"
    rest = "    return np.stack([np.sin(a), np.cos(a)], axis=2).reshape(n, -1)\n"
    code = f"def f(n, bases):\n{angles}{rest}"
    judge = formula.encode_with_bases.judge
    three = judge(answer(code.replace("PERIODS", "bases[:3]"))).message
    assert "not whole" not in three and "So it is for `max_len=30`" in three
    cut = judge(answer(code.replace("PERIODS", "bases, dtype=int"))).message
    assert "it was wrong where `bases` holds numbers that are not whole." in cut


def test_of_what_kind_an_argument_is_can_be_changed():
    def doubled(n, x):
        return 2 * np.asarray(x)[:n]

    cases = [(2, [1.5, 2, 3]), (3, [4, 5, 6, 7]), (2, np.arange(5)), (1, np.ones(3))]
    task = Exercise(doubled, stub="", cases=cases, hints=["", ""])
    told = task.judge(answer("def f(n, x):\n    return (2 * x)[:n]\n")).message
    assert "it was wrong where `x` is a list." in told
    code = "def f(n, x):\n    x = np.asarray(x)\n    return 2 * x[:n] + (x[1] > 1.5)\n"
    assert "is a list" not in task.judge(answer(code)).message


def test_a_large_right_answer_is_told_only_where_others_bear_it_out():
    """3 k + 1 is large where k is; here it is the k of the wrong cases that count."""
    task = Exercise(
        count, stub="", cases=[(n,) for n in (2, 3, 4, 20, 30, 40)], hints=["", ""]
    )
    off = "def f(k):\n    return 3 * k + 1 + k * k * (k in (20, 30, 40, 5, 6))\n"
    assert "it was wrong" not in task.judge(answer(off)).message
