"""What the README and the pages that it leads to promise is there."""

import re
import subprocess

from answers import answer
from PIL import Image
from stored import NOTEBOOKS, ROOT, lesson_of

from helpers.draw import census
from helpers.lessons import formula
from helpers.publish.pace import core_minutes

README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKE = "".join((ROOT / name).read_text("utf-8") for name in ("Makefile", "dev.mk"))
TARGETS = re.findall(r"^([a-z-]+):.*## ", MAKE, re.M)
LABS = re.compile(r"^\| (?:the only one|\d+) \| (.+?) \|(.*)\|$", re.MULTILINE)


def tracked(*patterns):
    """The files of the repository that match."""
    command = ["git", "-C", ROOT, "ls-files", *patterns]
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()


def test_every_link_of_every_page_resolves():
    pages = tracked("*.md")
    for page in pages:
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!https:)([^)#]+)\)", text):
            there = (ROOT / page).parent / target
            template = page.startswith("helpers/publish/readme_")
            assert there.exists() or (template and (ROOT / target).exists()), target
    linked = set(re.findall(r"\]\(([^)#]+)\)", README))
    assert {page for page in pages if page.endswith("/README.md")} <= linked


def test_every_notebook_is_listed_with_its_minutes():
    for path in NOTEBOOKS:
        link = f"({path.relative_to(ROOT).as_posix()})"
        (row,) = [row for row in README.splitlines() if link in row]
        minutes = lesson_of(path).minutes
        assert row.endswith(f"| {minutes} |"), f"in this row, write {minutes}"


def test_the_wrong_answer_that_it_shows_is_told_just_this():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    (told,) = re.findall(r"^> ✘ \*\*Not yet\.\*\* (.+)$", README, re.M)
    feedback = formula.angular_speeds.judge(answer(code, formula=formula))
    assert " ".join(feedback.message.split()) == told


def test_the_plans_add_up_and_fit():
    plans = (ROOT / "helpers/lessons/README.md").read_text(encoding="utf-8")
    rows = LABS.findall(plans)
    first = " ".join(row[0] for row in rows)
    assert all(path.stem[:2] in first for path in NOTEBOOKS if lesson_of(path).tasks)
    for limit, column in ((50, 0), (90, 1)):
        cells = [row[column].strip() for row in rows if row[column].strip()]
        plans = [re.fullmatch(r"(.+) \((\d+)\)", cell).groups() for cell in cells]
        for content, minutes in plans:
            assert int(minutes) == _minutes(content) <= limit, content


def _minutes(content):
    """The minutes of "01, 02 core, 06 §4–7": notebooks, core paths, ranges of sections."""
    lessons = {path.stem[:2]: lesson_of(path) for path in NOTEBOOKS}
    total = 0
    for part in content.split(", "):
        name, core, first, last = re.fullmatch(
            r"(\d\d)( core)?(?: §(\d+)(?:–(\d+))?)?", part
        ).groups()
        sections = lessons[name].sections
        if first:
            sections = sections[int(first) - 1 : int(last or first)]
        minutes = sum(section.minutes for section in sections)
        total += core_minutes(lessons[name]) if core else minutes
    return total


def test_the_figures_of_the_census_are_those_of_its_picture():
    sentence = re.search(r"of (\d+) public .*?, (\d+) compute .*? and (\d+) ", README)
    right, wrong = sum(census.RIGHT.values()), sum(census.WRONG.values())
    expected = [right + wrong, census.RIGHT["the paper's table"], wrong]
    assert list(map(int, sentence.groups())) == expected


def test_the_cover_is_small_and_moves_only_where_motion_is_wanted():
    moving, still = (ROOT / "notebooks" / f"cover.{kind}" for kind in ("webp", "png"))
    assert moving.stat().st_size <= 400_000
    with Image.open(moving) as film, Image.open(still) as picture:
        assert film.n_frames > 1 and picture.size == film.size
    chosen = 'media="(prefers-reduced-motion: reduce)" srcset="notebooks/cover.png"'
    assert chosen in README


def test_pages_name_no_target_that_is_not_explained():
    for page in tracked("*.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        named = set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.M))
        assert named <= set(TARGETS), page
