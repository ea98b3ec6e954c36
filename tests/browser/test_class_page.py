"""The page about a class, in the browser: light, dark, printed, on a phone, for all."""

import random

import pytest

from helpers.exercises.core import Exercise
from helpers.marking import reading
from helpers.marking.judging import Verdict

class_page = pytest.importorskip(
    "helpers.marking.page", reason="the site's packages are not installed"
)

pytestmark = pytest.mark.browser
AREAS = ["formula", "module"]


def verdict(task, chance):
    """What a student might have, for one task."""
    kind = chance.random()
    if kind < 0.1:
        return Verdict(chance.choice(["not attempted", "missing"]))
    if not isinstance(task, Exercise):
        letter = chance.choice(list(task.choices))
        right = task.choices[letter].right
        status = "correct" if right else "incorrect"
        return Verdict(status, None if right else letter, "", letter)
    if kind < 0.5:
        return Verdict("correct")
    if kind < 0.8:
        known = chance.choice(task.mistakes[:3])
        return Verdict("incorrect", known.name, known.sentence)
    if kind < 0.85:
        said = "it raised `ValueError: <b>no</b>`, in line 2 of its cell"
        return Verdict("incorrect", "exception", said, outcomes="x", code="pass")
    number = chance.randrange(2)
    code = task.solution_code.replace("return ", f"return {number} * ", 1)
    said = "first difference at `[0]`: expected 1.0, got 0.0."
    return Verdict("incorrect", None, said, code=code, outcomes=str(number))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A page about thirty students who did two notebooks."""
    chance = random.Random(1)
    tasks = {c: t for area in AREAS for c, t in reading.tasks_of(area).items()}
    verdicts = [
        {column: verdict(task, chance) for column, task in tasks.items()}
        for _ in range(30)
    ]
    path = tmp_path_factory.mktemp("class") / "class.html"
    return class_page.write(path, AREAS, verdicts)


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
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    opened.emulate_media(color_scheme=scheme)
    # Formulas have the colour of their text; letter by letter it takes minutes.
    found = axe.run(opened, {"exclude": [["math"]]}).response["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in serious] == []


def test_bars_are_as_long_as_the_numbers_beside_them(opened):
    rows = opened.evaluate(
        """() => [...document.querySelectorAll(".result tbody tr")].map((row) => {
            const [bar] = row.querySelectorAll(".bar-of");
            return {
                number: Number(row.querySelector(".number").textContent),
                share: bar.firstElementChild.getBoundingClientRect().width
                    / bar.getBoundingClientRect().width,
            };
        })"""
    )
    assert len(rows) > 40
    for row in rows:
        assert row["share"] == pytest.approx(row["number"] / 30, abs=0.02)


def test_nothing_is_cut_off_on_a_phone_or_when_zoomed(written, visit):
    for width in (320, 640):
        visited = visit(viewport={"width": width, "height": 800})
        visited.page.goto(written.as_uri())
        assert visited.page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_an_answer_said_is_text(opened):
    assert opened.locator("td b", has_text="no").count() == 0
    assert opened.get_by_text("ValueError: <b>no</b>").count() >= 1


def test_paper_shows_the_bars_and_not_the_buttons(opened):
    opened.emulate_media(media="print", color_scheme="dark")
    assert (
        opened.evaluate("getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    bar = opened.locator(".bar-of > .right").first
    assert bar.evaluate("e => getComputedStyle(e).printColorAdjust") == "exact"
    assert not opened.locator("button.copy").first.is_visible()
