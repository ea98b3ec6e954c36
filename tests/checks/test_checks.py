"""A check, with answers that students really give."""

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from answers import COUNT, TABLE, answer, exercise

from helpers.checks import running
from helpers.checks.exercise import Exercise


def double(values):
    return 2.0 * np.asarray(values)


def drawn(rng):
    return (rng.normal(size=int(rng.integers(1, 6))) * 10,)


STUB = """
def double(values):
    # twice each value
    ...
"""
MISTAKES = [
    {"name": "squared", "says": "You squared it.", "answer": "squared"},
    {"name": "halved", "says": "You halved it.", "edit": {"2.0 *": "0.5 *"}},
]


@pytest.fixture
def task():
    cases = [(np.array([1.0, 2.5]),), (np.array([[3.0, 1.0], [0.0, -4.5]]),)]
    room = {"squared": lambda v: np.asarray(v) ** 2}
    return exercise(double, cases, drawn, STUB, room, mistakes=MISTAKES)


def forever(values):
    while True:
        pass


def forgets(values):
    result = 2 * values
    result + 1


FAULTS = {
    "time": forever,
    "exit": lambda values: sys.exit(3),
    "exception": lambda values: values.no_such_thing,
    "changes its input": lambda values: values.__imul__(2),
    "printed": lambda values: print(2 * values),
    "no return": forgets,
    "text": lambda values: str(2 * values),
    "complex": lambda values: 2 * np.asarray(values) + 1j,
    "ragged": lambda values: [values[:1], values],
    "a generator": lambda values: map(float, [1, 2]),
    "not numbers": lambda values: np.r_,
    "whole numbers": lambda values: (2 * np.asarray(values)).astype(int),
    "arguments": lambda: 3,
    "hard-coded": lambda values: np.array([2.0, 5.0]),
    "halved": lambda values: np.asarray(values) / 2,
    "squared": lambda values: np.square(values).tolist(),
}


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_has_its_name(task, name):
    task.seconds = 0.003 if name == "time" else 5
    feedback = task.judge(FAULTS[name])
    assert (feedback.status, feedback.mistake) == ("incorrect", name), feedback


def test_not_attempted_is_not_incorrect(task):
    half_done, changed = STUB.replace("...", "return ... * values"), "return values"
    for nothing in (STUB, STUB.replace("...", "pass"), half_done):
        assert task.judge(answer(nothing)).status == "not attempted"
    assert task.judge(answer(STUB.replace("...", changed))).status == "incorrect"


def test_the_function_itself_is_asked_for(task):
    for wrong in (np.zeros(2), "double", Exercise):
        assert "check(double)" in task.judge(wrong).message


def test_the_kind_of_a_right_answer_is_free():
    whole = exercise(double, [(np.arange(4.0),)])
    for kind in (torch.bfloat16, torch.float16, torch.int64):
        right = whole.judge(lambda v, k=kind: torch.tensor(2 * v, dtype=k))
        assert right.status == "correct"
    assert whole.judge(lambda v: [torch.tensor(2 * x) for x in v]).status == "correct"


def test_fixed_cases_are_told_first_then_the_smallest_drawn_one():
    assert "`n=4`, `width=6`" in TABLE.judge(lambda n, w: np.ones((n, w)) * n).message
    cut = answer("def f(k):\n    return 3 * k + 1 if k < 9 else 0\n")
    smallest = min(k for (k,) in COUNT.cases if k >= 9)
    assert f"`k={smallest}`" in COUNT.judge(cut).message


def root(x):
    if x < 0:
        raise ValueError("negative")
    return x**0.5


def test_refusing_bad_input_counts_once_good_input_is_right():
    task = exercise(root, [(4.0,), (9.0,), (2.0,), (-1.0,)])
    assert task.judge(root).status == "correct"
    assert "`x=4`" in task.judge(lambda x: x * x).message
    for wrong in (lambda x: abs(x) ** 0.5, lambda x: x**0.5 if x > 0 else 1 / 0):
        assert task.judge(wrong).mistake == "not refused"
    refuses = answer("def f(x):\n    assert x > 5\n    return x ** 0.5\n")
    assert task.judge(refuses).mistake == "refuses good input"
    other = "def f(x):\n    if x < 0:\n        raise KeyError\n    return x ** 0.5\n"
    assert task.judge(answer(other)).mistake == "another exception"


def twice(values):
    return 2 * values


@pytest.mark.parametrize(
    ("returns", "given", "right"),
    [
        ("array", np.arange(3), {np.array, torch.tensor}),
        ("tensor", torch.arange(3), {torch.tensor}),
    ],
)
def test_a_list_is_told_where_the_text_asks_for_an_array(returns, given, right):
    task = exercise(twice, [(given,)], returns=returns)
    for kind in (np.array, torch.tensor, list):
        said = task.judge(lambda v, kind=kind: kind((2 * v).tolist()))
        assert said.mistake == (None if kind in right else f"no {returns}")


def test_a_broken_kernel_is_not_the_students_fault():
    broken = exercise(double, [(None,)])
    assert broken.judge(double).mistake == "broken kernel"


def test_a_warning_is_told_in_words(recwarn):
    made = answer("def f(k):\n    np.log(np.zeros(1))\n    return 3 * k + 1\n")
    said = COUNT.judge(made)
    assert said.status == "correct" and said.message.count("Line 2 gave a warning") == 1
    assert not recwarn.list


def test_an_exception_shows_its_line_and_what_was_printed(task):
    made = answer("def f(values):\n    print('my value')\n    return values / []\n")
    said = task.judge(made).message
    assert "in line 3" in said and "my value" in said


def test_a_check_shows_what_it_returns_and_a_strict_one_raises(task, capsys):
    said = task.check(double, strict=True)
    assert capsys.readouterr().out == f"{said!r}\n"
    assert repr(said).startswith("✔ Correct.")
    for wrong in (lambda values: 3, ...):
        with pytest.raises(AssertionError) as caught:
            task.check(wrong, strict=True)
        assert str(caught.value) == repr(task.judge(wrong))


def test_settings_of_an_answer_stay_in_its_call():
    code = "def f(k):\n    np.seterr(all='ignore')\n    torch.set_grad_enabled(False)\n"
    before = np.geterr()
    assert COUNT.judge(answer(code + "    return 3 * k + 1\n")).status == "correct"
    assert np.geterr() == before and torch.is_grad_enabled()


@pytest.mark.parametrize("made", ["to_sparse()", "to('meta')", "to(torch.complex64)"])
def test_any_kind_of_tensor_can_be_judged(made):
    code = f"def f(n, width):\n    return torch.tensor(table(n, width)).{made}\n"
    right = "sparse" in made
    assert TABLE.judge(answer(code)).status == ("correct" if right else "incorrect")


def test_quit_does_not_close_the_notebook():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        closed = shell.ask_exit = lambda: pytest.fail("closed")
        shell.run_cell("def f(k):\n    quit()\n")
        said = COUNT.judge(shell.user_ns["f"])
        assert said.mistake == "exit" and shell.ask_exit is closed
    finally:
        InteractiveShell.clear_instance()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux only")
def test_an_answer_cannot_take_all_memory(monkeypatch):
    monkeypatch.setattr(running, "MEMORY", 300_000_000)
    said = COUNT.judge(lambda k: list(itertools.count()))
    assert said.mistake == "memory" and "without end" in said.message
