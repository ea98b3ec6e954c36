"""What a diagnosis tries leaves the notebook as it is, and ends in time."""

import random

import numpy as np
import pytest
import torch
from answers import COUNT, TABLE, answer

from helpers import encoding
from helpers.exercises import exercise, rotation_matrix


@pytest.mark.parametrize("line", ["open('x')", "os.getcwd()", "np.save('x', n)"])
def test_nothing_is_tried_where_the_code_reaches_outside(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = f"import os\ndef f(n, width):\n    if n > 99:\n        {line}\n"
    code += "    return table(n, width) + 1\n"
    feedback = TABLE.judge(answer(code))
    assert feedback.status == "incorrect" and "One change" not in feedback.message
    assert not list(tmp_path.iterdir())


def test_the_notebooks_own_data_and_random_numbers_stay_as_they_are():
    mine = np.ones((9, 9))
    code = "def f(n, width):\n    mine[0] *= 2\n    return mine[:n, :width] * n\n"
    made = answer(code, mine=mine)
    torch.manual_seed(3)
    TABLE.judge(made)
    assert mine[1:].sum() == 72  # the answer's own calls double row 0, no attempt does
    assert mine[0, 0] == 2.0 ** len(TABLE.cases)
    drawn = torch.rand(1)
    torch.manual_seed(3)
    assert drawn == torch.rand(1)


class _Thing:
    size = 3


def test_no_attempt_draws_from_the_notebooks_generators():
    rng, own = np.random.default_rng(3), torch.Generator().manual_seed(3)
    code = (
        "def f(k):\n    rng.normal(), random.random(), torch.rand(2, generator=own)\n"
    )
    made = answer(code + "    return 3 * k * k\n", rng=rng, own=own, random=random)
    random.seed(3)
    COUNT.judge(made)
    drawn = rng.normal(), torch.rand(1, generator=own), random.random()
    rng, own = np.random.default_rng(3), torch.Generator().manual_seed(3)
    random.seed(3)
    for _ in COUNT.cases:  # the answer's own draws
        rng.normal(), torch.rand(2, generator=own), random.random()
    assert drawn == (rng.normal(), torch.rand(1, generator=own), random.random())


def test_no_attempt_changes_a_module_of_the_notebook():
    made = torch.nn.Module()
    made.register_buffer("rows", torch.ones(9))
    code = "def f(k):\n    rows = made.rows[:2]\n    rows = rows + 3 * k\n"
    COUNT.judge(answer(code + "    return rows[0] * 1.7 + k % 5\n", made=made))
    assert made.rows.tolist() == [1.0] * 9


@pytest.mark.parametrize(
    "line", ["torch.set_grad_enabled(True)", "thing.size = 3", "thing.size += 0"]
)
def test_no_attempt_leaves_a_setting_or_an_object_of_the_notebook_changed(line):
    thing = _Thing()
    code = f"def f(k):\n    {line}\n    return 3 * k - 1\n"
    feedback = COUNT.judge(answer(code, thing=thing))
    assert feedback.status == "incorrect" and "One change" not in feedback.message
    assert thing.size == 3 and torch.is_grad_enabled()


def test_no_attempt_writes_into_a_module():
    seed, random, sort = np.random.seed, torch.manual_seed, np.sort
    code = "def f(n, width):\n    np.random.seed(0)\n    torch.manual_seed(0)\n"
    code += "    y = table(n, width)\n    np.sort(y)\n    return y + np.random.rand()\n"
    try:
        assert TABLE.judge(answer(code)).status == "incorrect"
        assert (seed, random, sort) == (np.random.seed, torch.manual_seed, np.sort)
    finally:
        np.random.seed, torch.manual_seed, np.sort = seed, random, sort


def test_a_diagnosis_that_finds_nothing_still_ends_in_time(attempts, attempt_seconds):
    code = "def f(n, width):\n" + "".join(
        f"    a{i} = n * {i}.5 + width\n" for i in range(40)
    )
    code += "    return np.full((n, width), a1 + a39)\n"
    feedback = TABLE.judge(answer(code))
    assert feedback.status == "incorrect" and "One change" not in feedback.message
    assert 100 < len(attempts) <= exercise.SECONDS / attempt_seconds + 1


@pytest.mark.parametrize("patience", [1])  # it ends by the bound: no need to wait
def test_a_repair_that_lapack_would_never_end_is_not_waited_for():
    """`1 / table` holds infinities, and `lstsq` of it does not come back."""
    code = """
def by_least_squares(k, d_model):
    table = positional_encoding(50 + abs(k), d_model)
    here, there = (table[:50], table[k:]) if k >= 0 else (table[-50:], table[:50])
    return np.linalg.lstsq(here, there, rcond=None)[0].T
"""
    judge = rotation_matrix.full_rotation.judge
    feedback = judge(answer(code, positional_encoding=encoding.positional_encoding))
    assert feedback.status == "incorrect"


def test_a_list_of_the_notebook_is_written_into_by_the_cases_alone():
    tried = []
    code = "def f(k):\n    y = 3 * k + 2\n    tried.append(y)\n    return y\n"
    assert COUNT.judge(answer(code, tried=tried)).status == "incorrect"
    assert tried == [3 * k + 2 for (k,) in COUNT.cases]
