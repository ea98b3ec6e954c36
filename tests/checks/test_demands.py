"""The tools for what a text demands beside right numbers."""

import numpy as np
import pytest
from answers import exercise

from helpers.checks import demands


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
