"""The page about a class, in the browser: light, dark, printed, on a phone."""

import pytest
from visits import serious

from helpers.marks import page as class_page
from helpers.marks import reading
from helpers.marks.batch import Result, Verdict
from helpers.marks.submissions import Submission

pytestmark = pytest.mark.browser
AREAS = ["formula", "module"]


def verdict(task, number):
    """What a student might have, for one task."""
    if task.kind == "question":
        letter = list(task.choices)[number % len(task.choices)]
        right = task.choices[letter].right
        return Verdict("correct" if right else "incorrect", None, "", letter)
    known = task.mistakes[0]
    said = "it raised `ValueError: <b>no</b>`, in line 2 of its cell"
    wrong = ((known.name, known.sentence), ("exception", said))
    others = (Verdict(word) for word in ("correct", "not attempted", "missing"))
    return [*others, *(Verdict("incorrect", *one) for one in wrong)][number % 5]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A page about thirty students who did two notebooks."""
    tasks = {c: t for area in AREAS for c, t in reading.tasks_of(area).items()}
    results = [
        Result(
            Submission(f"s{n}"),
            {c: verdict(t, n + i) for i, (c, t) in enumerate(tasks.items())},
        )
        for n in range(30)
    ]
    return class_page.write(tmp_path_factory.mktemp("class"), AREAS, results)


@pytest.fixture(params=["class", "feedback"])
def opened(written, visit, request):
    """The page about the class or about a student, everything unfolded."""
    page, folder = written
    path = page if request.param == "class" else folder / "s0.html"
    visited = visit()
    visited.page.goto(path.as_uri())
    unfold = "document.querySelectorAll('details').forEach(d => d.open = true)"
    visited.page.evaluate(unfold)
    return visited.page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, scheme):
    opened.emulate_media(color_scheme=scheme)
    assert serious(opened) == []


def test_nothing_is_cut_off_on_a_phone_and_what_an_answer_said_is_text(opened):
    opened.set_viewport_size({"width": 320, "height": 800})
    assert opened.evaluate("document.documentElement.scrollWidth") <= 320
    assert opened.locator("td b", has_text="no").count() == 0
