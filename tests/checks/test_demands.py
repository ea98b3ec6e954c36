"""The tools for what a text demands beside right numbers, and an answer's source."""

import inspect

import numpy as np
import pytest
from answers import answer as in_a_cell
from answers import exercise

from helpers.checks import demands, source


def squares(values):
    return values**2


def looping(values):
    return np.array([v**2 for v in values])


def through_a_helper(values):
    return looping(values)


def by_vectorize(values):
    return np.vectorize(np.square)(values)


def in_recursion(values):
    return values**2 if len(values) < 2 else [values[0] ** 2, *in_recursion(values[1:])]


LOOPS = [looping, through_a_helper, by_vectorize, in_recursion]


@pytest.mark.parametrize("answer", LOOPS, ids=lambda f: f.__name__)
def test_a_loop_is_found_wherever_it_hides(answer):
    says = {"name": "a loop", "says": "Right, but `{}` is a loop.", "broken": "loop_in"}
    cases = [(np.arange(n + 1.0),) for n in range(3)]
    room = {"loop_in": demands.loop_in}
    task = exercise(squares, cases, room=room, demands=[says])
    feedback = task.judge(answer)
    assert (feedback.status, feedback.mistake) == ("incorrect", "a loop")
    assert demands.loop_in(answer) in feedback.message
    assert task.judge(squares).status == "correct"
    assert task.judge(lambda v: looping(v) + 1).mistake != "a loop"


def test_calls_that_loop_in_c_are_no_loops():
    assert demands.loop_in(lambda bases: np.lcm.reduce(bases)) is None
    assert demands.loop_in(lambda n: np.arange(n)[:, None] * np.arange(n)) is None


def test_the_most_numbers_at_once_tell_a_table_from_a_row():
    most = demands.most_numbers_at_once
    assert most(lambda: np.zeros(500).sum()) < 5_000
    assert most(lambda: np.zeros((500, 500)).sum()) >= 500 * 500


def test_the_source_of_functions_lambdas_and_classes_is_found():
    code = (
        "import math\n\ndef f(x):\n    return g(x) + 1\n\n"
        "def g(x):\n    return math.sqrt(x)\n\n"
        "more = lambda x: x + 2\n\n"
        "class C:\n    @property\n    def n(self):\n        return 1\n"
        "    def m(self):\n        return f(2)\n"
    )
    names = in_a_cell(code + "\nnames = lambda: globals()\n")()
    for name, wanted in (("f", [None, "g"]), ("C", [None, "f", "g"])):
        assert [part.name for part in source.Answer(names[name]).definitions] == wanted
    second = source.definition_of(names["more"])
    assert second.piece(second.node) == "lambda x: x + 2"
    assert source.definition_of(source.definition_of).text == inspect.getsource(source)
    assert source.definition_of(len) is None
    assert source.Answer(eval("lambda: 1")).definitions == []
