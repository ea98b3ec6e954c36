"""What the diagnosis says of answers that no list knows; lessons/ has many more."""

import numpy as np
import pytest
from answers import COUNT, TABLE, answer, count, exercise, table

LINES = "def f(n, width):\n    rows = np.arange(n)[:, None]\n    return "


def test_one_number_in_an_array_and_many_numbers():
    said = COUNT.judge(lambda k: np.array([3 * k + 1]))
    assert said.mistake == "one number in an array"
    said = COUNT.judge(lambda k: np.array([k, 3 * k + 1]))
    assert said.mistake == "many numbers" and "a number is asked for" in said.message


PATTERNS = {  # what is done to a right table
    "a generator": lambda e: (v for v in e),
    "not numbers": lambda e: {"table": e},
    "None came back": lambda e: e if len(e) < 6 else None,
    "rows in another order": lambda e: e[::-1],
    "last columns wrong": lambda e: np.hstack([e[:, :2], e[:, 2:] ** 2 - 3]),
    "transposed": lambda e: e.T,
    "another shape": lambda e: e[None],
}


@pytest.mark.parametrize("name", PATTERNS)
def test_the_kind_of_a_result_and_the_pattern_of_its_numbers(name):
    spoil = eval("lambda n, w: s(t(n, w))", {"s": PATTERNS[name], "t": table})
    assert TABLE.judge(spoil).mistake == name


def waves(n, speed):
    angles = np.outer(np.arange(n), [speed, speed / 2])
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n, 4)


def largest(numbers):
    return max(numbers)


SAID = {  # a part of what is said, the exercise, and an answer's code
    "on the unit circle, as they should, but at wrong angles.": (
        exercise(waves, [(5, 0.3), (6, 0.2), (4, 0.7)]),
        "lambda n, speed: waves(n, speed**1.7)",
    ),
    "line 3, `n > 50`, never holds": (
        COUNT,
        "def f(k):\n    for n in range(9):\n        if n > 50:\n            return n",
    ),
    "line 2 at `sum`": (  # a builtin of the same family is tried
        exercise(largest, [([1, 2, 3],), ([4, 1],)]),
        "def f(numbers):\n    return sum(numbers)",
    ),
    "the second `n`": (
        TABLE,
        "def f(n, width):\n    return table(n, n) * width / width",
    ),
    "another result when the same call is made again": (
        COUNT,
        "def f(k, known=[]):\n    known.append(3 * k)\n    return sum(known) + 1\n",
    ),
    "`^` is no power in Python": (COUNT, "def f(k):\n    return 3.0 ^ k + 1"),
    "right except in the rows from 2 on, where it is always 8": (
        exercise(table, [(4, 6), (2, 3)]),
        "lambda n, w: np.vstack([table(n, w)[:2], 7 + np.ones((n - 2, w))])",
    ),
    # Where several places repair it, none is told alone but the solution's: the innocent
    # minus belongs to the writer's own style.
    "line 3 at `-": (TABLE, f"{LINES}-np.sin(-rows + 1.5 * np.arange(width))"),
    "line 3 at `1.5": (TABLE, f"{LINES}np.sin(1.5 * np.arange(width) - -rows - 0.5)"),
}


@pytest.mark.parametrize("part", SAID)
def test_what_is_said_of_an_answer(part):
    task, code = SAID[part]
    made = eval if code.startswith("lambda") else answer  # a lambda without its source
    assert part in task.judge(made(code)).message


REPAIRS = {
    "np.sin(rows - 1.5 * np.arange(width))": "operator",
    "np.cos(rows + 1.5 * np.arange(width))": "function",
    "np.sin(rows + 2.5 * np.arange(width))": "number",
    "np.sin(rows) + 1.5 * np.arange(width)": "brackets",
    "np.sin(rows + 1.5 * np.arange(width)).T": "call",
    "(torch.nn.Identity().eval(), np.cos(rows + 1.5 * np.arange(width)))[1]": "function",
}


@pytest.mark.parametrize("code", REPAIRS)
def test_the_smallest_repair_names_the_line_and_never_the_code(code):
    said = TABLE.judge(answer(LINES + code + "\n"))
    assert said.mistake == "one change", said
    assert "line 3" in said.message and REPAIRS[code] in said.message
    assert "np.sin(rows + 1.5 * np.arange(width))`" not in said.message


def test_a_repair_must_be_right_in_fresh_cases(monkeypatch):
    """`8` → `9` repairs the case that is tried, and no other."""
    task = exercise(count, [(2,), (5,), (9,), (-3,)])
    monkeypatch.setattr(task, "draw", lambda rng: (int(rng.integers(-40, 40)),))
    task.cases = task.fixed  # as if none had been drawn for the check itself
    said = task.judge(answer("def f(k):\n    return 3 * k + 1 - (k > 8)\n"))
    assert said.status == "incorrect"
    assert "look at this number" not in said.message


def test_names_that_are_not_used_or_come_from_outside():
    said = TABLE.judge(answer("def f(n, width):\n    return np.zeros((n, n)) + 0.3\n"))
    assert "`width`" in said.message
    code = "def f(n, width):\n    return mine[:n, :width] * 1.7\n"
    said = TABLE.judge(answer(code, mine=np.ones((9, 9)) * 3))
    assert said.mistake == "uses the notebook's data" and "`mine`" in said.message


MEANINGS = {  # a part of what is said, and what raised
    "and `//` of whole numbers does not": "np.arange(9)[n / 2]",
    "NumPy, which has no `.unsqueeze`": "np.arange(n).unsqueeze(0)",
    "A `None` stands there": "[].append(n) + 1",
    "must all have the same shape": "np.stack([np.arange(n), np.arange(width)])",
}


@pytest.mark.parametrize("means", MEANINGS)
def test_what_an_exception_means(means):
    said = TABLE.judge(answer(f"def f(n, width):\n    return {MEANINGS[means]}\n"))
    assert means in said.message


def test_a_function_of_another_cell_is_not_repaired():
    given = answer("def given(k):\n    return 2 * k + 1\n")
    said = COUNT.judge(answer("def f(k):\n    return given(k)\n", given=given))
    assert "`given`, line" not in said.message


def test_an_edit_that_needs_brackets_says_so():
    task = exercise(cubes, [(2,), (3,), (5,)])
    said = task.judge(answer("def f(n):\n    return n**2 * 3\n"))
    assert "look at which operation comes first" in said.message


def cubes(n):
    return (n**2) ** 3
