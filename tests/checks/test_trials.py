"""What a check tries leaves the notebook and the process as they are."""

import random
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from answers import COUNT, TABLE, answer

from helpers.checks import timing


@pytest.mark.parametrize("line", ["open('x')", "os.getcwd()", "np.save('x', n)"])
def test_nothing_is_tried_where_the_code_reaches_outside(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = f"import os\ndef f(n, width):\n    if n > 99:\n        {line}\n"
    said = TABLE.judge(answer(code + "    return table(n, width) + 1\n"))
    assert said.status == "incorrect" and said.mistake != "one change"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "line", ["torch.set_grad_enabled(True)", "thing.size = 3", "thing.size += 0"]
)
def test_no_attempt_leaves_a_setting_or_an_object_of_the_notebook_changed(line):
    thing = SimpleNamespace(size=3)
    code = f"def f(k):\n    {line}\n    return 3 * k - 1\n"
    assert COUNT.judge(answer(code, thing=thing)).mistake != "one change"
    assert thing.size == 3 and torch.is_grad_enabled()


def test_no_attempt_writes_into_the_notebooks_data():
    mine, tried, module = np.ones((9, 9)), [], torch.nn.Module()
    module.register_buffer("rows", torch.ones(9))
    code = "def f(n, width):\n    mine[1:] *= 1\n    tried.append(n)\n"
    code += "    x = module.rows[:2] + n\n    return mine[:n, :width] * x[0].item()"
    TABLE.judge(answer(code, mine=mine, tried=tried, module=module))
    assert (mine == 1).all() and module.rows.tolist() == [1.0] * 9
    calls = len(TABLE.cases) + 2 * 20  # the cases, the fresh ones and what came back
    assert len(tried) <= calls


def test_a_check_draws_nothing_from_the_notebooks_generators():
    rng, own = np.random.default_rng(3), torch.Generator()
    code = "def f(k):\n    rng.normal(), random.random()\n"
    code += "    torch.rand(2, generator=own), torch.rand(3)\n    return 3 * k * k\n"

    def states():
        tensors = own.get_state(), torch.get_rng_state()
        return (
            rng.bit_generator.state,
            random.getstate(),
            *map(torch.Tensor.tolist, tensors),
        )

    before = states()
    COUNT.judge(answer(code, rng=rng, own=own, random=random))
    assert states() == before


def test_no_attempt_makes_an_array_of_a_list_that_holds_itself():
    """`rows.append(rows)` is one edit away, and torch ends the process over it."""
    code = "def f(n, width):\n    rows = []\n    for i in range(n):\n        row = []\n"
    code += "        for j in range(width):\n            row += [np.tanh(i + j), 2]\n"
    code += "        rows.append(row)\n    return torch.tensor(rows)\n"
    make = torch.tensor
    assert TABLE.judge(answer(code)).status == "incorrect" and torch.tensor is make


@pytest.mark.parametrize("patience", [1])  # it ends by the bound: no need to wait
@pytest.mark.parametrize(
    "code",
    [
        "    x = table(n + 1, n + 1)\n    return np.linalg.lstsq(x, x)[0][:n, :width]",
        "".join(f"    a{i} = n * {i}.5 + width\n" for i in range(40))
        + "    return np.full((n, width), a1 + a39)",
    ],
)
def test_a_diagnosis_that_finds_nothing_ends_in_time(code, patience):
    start = time.process_time()
    assert TABLE.judge(answer(f"def f(n, width):\n{code}\n")).status == "incorrect"
    assert time.process_time() - start < 3


@pytest.fixture
def slow_to_load(tmp_path, monkeypatch):
    """The name of a module that takes 0.2 s."""
    (tmp_path / "slow_to_load.py").write_text(
        "import time\nend = time.monotonic() + 0.2\n"
        "while time.monotonic() < end:\n    pass\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield "slow_to_load"
    del sys.modules["slow_to_load"]


def test_what_an_answer_imports_is_imported_before_the_clock_starts(
    slow_to_load, monkeypatch
):
    monkeypatch.setattr(COUNT, "seconds", 0.02)
    code = f"def f(k):\n    import {slow_to_load}\n    return 3 * k + 1\n"
    assert COUNT.judge(answer(code)).status == "correct"


def test_no_import_is_interrupted(slow_to_load):
    """It would leave half a module behind."""
    with pytest.raises(timing.TimeUp), timing.time_limit(0.002):
        __import__(slow_to_load)
        while True:
            pass
    assert sys.modules[slow_to_load].whole
