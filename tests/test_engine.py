"""The engine, with answers that students really give."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from helpers.exercises import core, feedback, running
from helpers.exercises.core import Choice, Exercise, Mistake, Question
from helpers.exercises.diagnosis import repair
from helpers.look import contrast


def double(values):
    return 2.0 * np.asarray(values)


CASES = [(np.array([1.0, 2.5]),), (np.array([[3.0, 1.0], [0.0, -4.5]]),)]
STUB = """
def double(values):
    # twice each value
    ...
"""


@pytest.fixture
def task():
    return Exercise(
        double,
        stub=STUB,
        cases=CASES,
        hints=["Think of two.", "Multiply by it."],
        mistakes=[
            Mistake("squared", "You squared it.", lambda v: np.asarray(v) ** 2),
            Mistake("halved", "You halved it.", lambda v: np.asarray(v) / 2),
        ],
    )


def forever(values):
    while True:
        pass


def forever_and_deaf(values):
    while True:
        try:  # noqa: SIM105
            sum(range(50))
        except:  # noqa: E722
            pass


def leaves(values):
    sys.exit(3)


def in_place(values):
    values *= 2
    return values


def prints(values):
    print(2 * values)


def forgets(values):
    result = 2 * values
    result + 1


def empty(values):
    pass


def half_done(values):
    return ... * values


FAULTS = {
    "time": forever,
    "exit": leaves,
    "exception": lambda values: values.no_such_thing,
    "changes its input": in_place,
    "printed": prints,
    "no return": forgets,
    "not a number": lambda values: np.full(np.shape(values), np.nan),
    "text": lambda values: "2, 5",
    "complex": lambda values: 2 * np.asarray(values) + 1j,
    "ragged": lambda values: [[1], [1, 2]],
    "a generator": lambda values: map(float, [1, 2]),
    "not numbers": lambda values: {1, 2},
    "whole numbers": lambda values: (2 * np.asarray(values) + 0.5).astype(int),
    "arguments": lambda: 3,
    "hard-coded": lambda values: np.array([2.0, 5.0]),
    "squared": lambda values: (
        [[x * x for x in row] for row in values.tolist()]
        if values.ndim == 2
        else [x * x for x in values.tolist()]
    ),
    "shape": lambda values: np.append(2 * values, 0),
}


@pytest.fixture
def without_repair(monkeypatch):
    """As for an answer whose source is not known."""
    monkeypatch.setattr(repair, "smallest", lambda findings: None)


def test_every_fault_has_its_own_sentence(task, without_repair):
    said = {}
    for name, answer in FAULTS.items():
        task.seconds = 0.03 if name == "time" else 5
        feedback = task.judge(answer)
        assert (feedback.status, feedback.mistake) == ("incorrect", name)
        said[feedback.message] = name
    assert len(said) == len(FAULTS)


def test_a_loop_that_catches_everything_is_stopped_too(task):
    start = time.perf_counter()
    task.seconds = 0.03
    assert task.judge(forever_and_deaf).mistake == "time"
    assert time.perf_counter() - start < 30


@pytest.mark.parametrize("answer", [empty, half_done, ..., None, lambda v: ...])
def test_not_attempted_is_not_incorrect(task, answer):
    assert task.judge(answer).status == "not attempted"


def test_a_changed_stub_is_an_attempt(task):
    names = {"np": np}
    exec(STUB.replace("...", "return values"), names)
    assert task.judge(names["double"]).status == "incorrect"


@pytest.mark.parametrize("wrong", [np.zeros(2), "double", 3, Exercise])
def test_the_function_itself_is_asked_for(task, wrong):
    feedback = task.judge(wrong)
    assert feedback.status == "incorrect"
    assert "check(double)" in feedback.message


def test_unknown_mistakes_show_the_first_difference(task, without_repair):
    feedback = task.judge(lambda values: 2 * values + (values > 2.4))
    assert feedback.mistake is None
    assert "[1]" in feedback.message
    assert "`5`" in feedback.message and "`6`" in feedback.message


def test_two_mistakes_at_once_are_not_taken_for_one(task, without_repair):
    mixed = lambda v: np.asarray(v) ** 2 if v.ndim == 1 else v / 2  # noqa: E731
    feedback = task.judge(mixed)
    assert feedback.mistake is None
    assert "expected `2`, got `1`" in feedback.message


def test_an_exception_shows_its_line(task):
    names = {}
    code = "def double(values):\n    a = 1\n    return a / 0\n"
    exec(compile(code, __file__ + "-cell", "exec"), names)
    assert "in line 3" in task.judge(names["double"]).message


def test_what_the_code_printed_is_shown(task):
    def answer(values):
        print("my value is", values[0])
        return values

    assert "my value is" in task.judge(answer).message


def test_shapes_of_tables_are_explained(without_repair):
    def table(n):
        return np.arange(2.0 * n).reshape(n, 2)

    task = Exercise(table, stub="def table(n): ...", cases=[(3,), (5,)], hints=["", ""])
    assert task.judge(lambda n: table(n).T).mistake == "transposed"
    assert "The last row is missing" in task.judge(lambda n: table(n - 1)).message
    assert "too many behind them" in task.judge(lambda n: table(n + 1)).message


def test_refusing_bad_input_counts_once_good_input_is_right():
    def root(x):
        if x < 0:
            raise ValueError("negative")
        return x**0.5

    task = Exercise(
        root,
        stub="def root(x): ...",
        cases=[(4.0,), (9.0,), (-1.0,)],
        hints=["", ""],
        mistakes=[
            Mistake("squared", "Squared.", lambda x: x * x),
            Mistake("no refusal", "Refuse.", lambda x: abs(x) ** 0.5),
        ],
    )
    assert task.judge(lambda x: x * x).mistake == "squared"
    assert task.judge(lambda x: abs(x) ** 0.5).mistake == "no refusal"
    assert "`raise ValueError(…)`" in task.judge(lambda x: x and 2 + (x > 4)).message
    assert task.judge(root).status == "correct"


def test_observations_of_a_class_are_compared_by_name():
    class Counter:
        def __init__(self):
            self.n = 0

        def step(self):
            self.n += 1
            return self.n

    def use(answer, times):
        counter = answer()
        return {"the count": [counter.step() for _ in range(times)], "kind": "int"}

    stub = "class Counter:\n    def step(self):\n        ...\n"
    task = Exercise(Counter, stub=stub, cases=[(2,), (3,)], hints=["", ""], run=use)
    assert task.judge(Counter).status == "correct"

    class Stuck(Counter):
        def step(self):
            return 1

    assert "The count: only the first number is right" in task.judge(Stuck).message
    namespace = {}
    exec(stub, namespace)
    assert task.judge(namespace["Counter"]).status == "not attempted"
    assert task.judge(Counter()).mistake == "not a class"


def test_tensors_of_half_precision_and_lists_of_tensors_are_read(task):
    whole = Exercise(double, stub=STUB, cases=[(np.arange(4.0),)], hints=["", ""])
    for kind in (torch.bfloat16, torch.float16, torch.int64):
        assert whole.judge(lambda v, k=kind: torch.tensor(2 * v, dtype=k)).status == (
            "correct"
        )
    assert whole.judge(lambda v: [torch.tensor(2 * x) for x in v]).status == "correct"


def test_hints_come_one_by_one_and_the_last_stays(task, capsys):
    for _ in range(3):
        task.hint()
    said = capsys.readouterr().out.splitlines()
    assert [line.split(".")[0] for line in said] == [
        "Hint 1 of 2",
        "Hint 2 of 2",
        "Hint 2 of 2",
    ]


def test_feedback_is_text_and_markdown_and_says_it_in_words(task, capsys):
    said = task.check(double)
    assert capsys.readouterr().out == f"{said!r}\n"
    assert repr(said).startswith("✔ Correct.")
    assert said._repr_markdown_().startswith("✔ **Correct.**")


def test_a_question_has_exactly_one_right_choice():
    with pytest.raises(ValueError):
        Question("q", "?", [Choice("a", "no"), Choice("b", "no")], hints=["", ""])


def test_collect_keeps_the_order():
    one = Question("one", "?", [Choice("a", "yes", right=True)], hints=[])
    two = Question("two", "?", [Choice("a", "yes", right=True)], hints=[])
    assert core.collect({"x": 1, "one": one, "two": two}) == (one, two)


def _two_tasks():
    return (
        Exercise(double, stub=STUB, cases=CASES, hints=["a", "b"], name="first"),
        Question("q", "?", [Choice("x", "no"), Choice("y", "yes", right=True)], ["h"]),
    )


def test_progress_shows_each_task_with_its_sign_and_the_hints_used(capsys):
    first, question = _two_tasks()
    tasks = core.collect({"first": first, "question": question})
    assert [row[2:] for row in tasks.progress().rows] == [
        ("not attempted", 0, 2),
        ("not attempted", 0, 1),
    ]
    assert repr(tasks.progress()) == repr(tasks.progress())  # a cell run twice
    first.check(lambda values: 3)
    question.check("a")
    question.hint()
    assert [row[2:] for row in tasks.progress().rows] == [
        ("incorrect", 0, 2),
        ("incorrect", 1, 1),
    ]
    first.check(double)
    first.check(lambda values: 3)  # tried once more: it stays done
    question.check("b")
    assert tasks.progress().correct == 2
    first.judge(lambda values: 3)  # what tests and marks use leaves no trace
    shown = tasks.progress()._repr_mimebundle_()
    assert shown["text/plain"].startswith("2 of 2 correct in this run.\n✔ first")
    assert "| ✔ | `q` | question: correct | 1 of 1 |" in shown["text/markdown"]
    capsys.readouterr()


def test_a_strict_check_raises_where_an_answer_is_not_correct(task, capsys):
    for wrong in (lambda values: 3, empty, ...):
        with pytest.raises(AssertionError) as caught:
            task.check(wrong, strict=True)
        assert str(caught.value) == repr(task.judge(wrong))
    assert task.check(double, strict=True).status == "correct"
    assert "✔ Correct." in capsys.readouterr().out


def test_a_frame_has_a_colour_that_both_themes_show():
    for status, colour in feedback._COLOURS.items():
        shares = [share / 255 for share in colour]
        for page in ("#ffffff", "#111111"):  # JupyterLab, light and dark
            assert contrast(shares, page) >= 3, status
        framed = feedback.framed("✘ **Not yet.** $x$", status)
        assert framed.split("\n\n")[1] == "✘ **Not yet.** $x$"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux only")
def test_the_memory_of_what_is_tried_is_bounded():
    with running.memory_limit(200_000_000):
        np.zeros(10_000_000)
        with pytest.raises(MemoryError):
            np.zeros(100_000_000)
    np.zeros(100_000_000)
