"""What the README promises is there."""

import re
import subprocess
import tomllib

import pytest
from stored import NOTEBOOKS, ROOT, needs_make, prose_cells

from helpers.exercises import ALL
from helpers.exercises.core import Exercise
from helpers.publishing.cover import COVER, dials
from helpers.publishing.lesson import read_lesson
from helpers.publishing.pace import core_minutes

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_link_and_picture_resolves():
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target
    assert "![]" not in README


def test_every_notebook_is_listed_with_its_minutes():
    for path in NOTEBOOKS:
        link = f"({path.relative_to(ROOT).as_posix()})"
        (row,) = [row for row in README.splitlines() if link in row]
        minutes = re.search(r"(\d+) min", prose_cells(path)[0].source).group(1)
        assert row.rstrip(" |").endswith(f"| {minutes}"), (
            f"in this row, write {minutes}"
        )


def test_what_it_counts_is_there():
    exercises = sum(isinstance(task, Exercise) for task in ALL)
    questions = len(ALL) - exercises
    counted = f"{exercises} exercises and {questions} questions"
    assert counted in " ".join(README.split()), "the README says another number"
    words = [
        "zero",
        "One",
        "Two",
        "Three",
        "Four",
        "Five",
        "Six",
        "Seven",
        "Eight",
        "Nine",
        "Ten",
    ]
    assert f"\n{words[len(NOTEBOOKS)]} Jupyter notebooks" in README


PLAN = re.compile(r"^\| (?:the only one|\d+) \| (.+) \| (\d+) \|$", re.MULTILINE)


def test_the_plans_add_up_and_fit():
    longest, plans = 0, PLAN.findall(README)
    assert len(plans) >= 15
    other = {c: _minutes(c) for c, minutes in plans if _minutes(c) != int(minutes)}
    assert not other, "what these labs of the README's plans take by the notebooks now"
    for _, minutes in plans:
        limit = 90 if int(minutes) > 50 else 50
        assert int(minutes) <= limit
        longest = max(longest, int(minutes))
    assert longest > 50


def _minutes(content):
    """The minutes of "01, 02 core, 06 §4–7": notebooks, core paths, ranges of sections."""
    lessons = {path.stem[:2]: read_lesson(path) for path in NOTEBOOKS}
    total = 0
    for part in content.split(", "):
        if part.endswith(" core"):
            total += core_minutes(lessons[part.removesuffix(" core")])
            continue
        name, _, numbers = part.partition(" §")
        first, _, last = (numbers or "1–99").partition("–")
        wanted = range(int(first), int(last or first) + 1)
        total += sum(s.minutes for s in lessons[name].sections if s.number in wanted)
    return total


def test_binder_takes_the_python_that_is_tested():
    (named,) = re.findall(
        r"python-(3\.\d+)", (ROOT / "runtime.txt").read_text(encoding="utf-8")
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert named == project["requires-python"].removeprefix(">=")


def test_the_picture_is_the_notebooks_own():
    assert COVER.read_bytes() == dials(), "run `make refresh`"


@needs_make
@pytest.mark.parametrize(
    "target",
    [
        *("help", "lab", "test", "rerun", "browser", "hub"),
        *("refresh", "bench", "editions", "site"),
        *("questions", "marks", "marks-test", "graders"),
    ],
)
def test_make_explains_every_target(target):
    said = subprocess.run(["make", "-C", ROOT, "help"], capture_output=True, text=True)
    assert re.search(rf"make {target}\s+\w+", said.stdout)


def test_ci_runs_the_readmes_test_command():
    assert "make test" in README
    assert re.search(
        r"^make test$", (ROOT / ".ci/run").read_text(encoding="utf-8"), re.MULTILINE
    )


def test_nothing_but_the_frame_lies_at_the_top():
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files"], capture_output=True, text=True
    ).stdout.split()
    folders = {name.split("/")[0] for name in listed if "/" in name}
    assert folders <= {"notebooks", "helpers", "tests", ".ci", ".github"}
