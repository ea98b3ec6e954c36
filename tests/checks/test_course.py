"""The README's example, a course on something else, works as it stands there."""

import re
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from helpers.checks import exercise

README = Path(exercise.__file__).with_name("README.md")


@pytest.fixture
def course(tmp_path, monkeypatch):
    text = README.read_text(encoding="utf-8")
    for file, body in re.findall(r"```\w+\n# (course/\S+)\n(.*?)```", text, re.DOTALL):
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(body, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("course")
    for name in [name for name in sys.modules if name.split(".")[0] == "course"]:
        del sys.modules[name]


def by_hand(values, width):
    starts = range(len(values) - width + 1)
    return [sum(values[n : n + width]) / width for n in starts]


def test_right_and_wrong_answers_to_a_course_of_ones_own(course):
    average, one_hot = course.moving_average, course.one_hot
    for task in course.TASKS:
        assert task.judge(task.reference).status == "correct"
        assert len(task.cases) == len(task.fixed) + 30
    assert average.judge(by_hand).status == "correct"
    sums = lambda v, w: [w * a for a in by_hand(v, w)]  # noqa: E731
    assert average.judge(sums).mistake == "sums"
    short = lambda v, w: by_hand(v, w)[:-1]  # noqa: E731
    assert "missing" in average.judge(short).message
    turned = lambda labels, classes: np.eye(classes)[:, labels]  # noqa: E731
    assert one_hot.judge(turned).status == "incorrect"
