"""The page about a class, in the browser: light, dark, printed, on a phone."""

import pytest
from visits import serious

from helpers.marks import page as class_page
from helpers.marks.__main__ import tasks_of
from helpers.marks.reading import Verdict
from helpers.marks.submissions import Student

pytestmark = pytest.mark.browser
TASKS = tasks_of(["01", "05"])


def verdict(task, number):
    """What a student might have, for one task."""
    if task.kind == "question":
        return Verdict("correct" if number % 2 else "incorrect", None, "", "a")
    said = "it raised `ValueError: <b>no</b>`, in line 2 of its cell"
    code = f"def answer(n):\n    return {'n + ' * 40}n"
    wrong = Verdict("incorrect", "exception", said, "", code)
    return [wrong, Verdict("correct"), Verdict("not run")][number % 3]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A page about thirty students who did two notebooks."""
    tasks = [pair for own in TASKS.values() for pair in own.items()]
    students = [
        Student(
            f"s{n}", verdicts={c: verdict(t, n + i) for i, (c, t) in enumerate(tasks)}
        )
        for n in range(30)
    ]
    path = tmp_path_factory.mktemp("class") / "class.html"
    class_page.write(path, students, TASKS)
    return path


@pytest.fixture
def opened(written, visit):
    """The page, everything unfolded."""
    visited = visit()
    visited.page.goto(written.as_uri())
    visited.page.evaluate(
        "document.querySelectorAll('details').forEach(d => d.open = true)"
    )
    return visited.page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, scheme):
    opened.emulate_media(color_scheme=scheme)
    assert serious(opened) == []


def test_nothing_is_cut_off_on_a_phone_and_what_an_answer_said_is_text(opened):
    opened.set_viewport_size({"width": 320, "height": 800})
    assert opened.evaluate("document.documentElement.scrollWidth") <= 320
    assert opened.locator("td b", has_text="no").count() == 0
