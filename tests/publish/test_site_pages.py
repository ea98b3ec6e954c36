"""The site's pages as they are written: complete, self-contained, nothing left raw."""

import json
import re

import pytest
from bs4 import BeautifulSoup
from stored import NOTEBOOKS, ROOT, code_cells, every_notebook, lesson_of

from helpers.publish import site
from helpers.publish.lesson import BuildError
from helpers.publish.prose import Prose

VEGA = "application/vnd.vegalite.v5+json"
every_page = pytest.mark.parametrize("name", [*(p.stem for p in NOTEBOOKS), "index"])


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Every page of a freshly built site, by its name."""
    built = site.build(tmp_path_factory.mktemp("site"))
    return {path.stem: _parsed(path.read_text(encoding="utf-8")) for path in built}


def _parsed(text):
    return BeautifulSoup(text, "html.parser")


@every_page
def test_every_link_leads_to_a_place(pages, name):
    for link in pages[name].find_all("a"):
        target, _, place = link["href"].partition("#")
        assert not target or target.removesuffix(".html") in pages, link["href"]
        there = pages[target.removesuffix(".html") or name]
        assert not place or there.find(id=place), link["href"]


@every_notebook
def test_no_code_and_no_output_is_lost(pages, path):
    page = pages[path.stem]
    shown = [pre.get_text().strip() for pre in page.select(".cell .highlight pre")]
    asked = re.compile(r"[\w.]+\.(check|progress)\([\w.]*\)|.*COLAB_RELEASE.*", re.S)
    sources = [cell.source.strip() for cell in code_cells(path)]
    # What checks and counts gives way to what unfolds; nobody fetches the lesson here.
    assert shown == [source for source in sources if not asked.fullmatch(source)]
    outputs = [output for cell in code_cells(path) for output in cell.outputs]
    data = [output.get("data", {}) for output in outputs]
    images = page.select("figure img")
    stored = [o.metadata["image/png"]["alt"] for o in outputs if "image/png" in str(o)]
    assert [image["alt"] for image in images] == stored
    coloured = page.select('figure img[src^="data:image/svg"]')  # by the theme
    assert len(coloured) == sum("image/png" in d and VEGA not in d for d in data)
    specs = page.find_all("script", type="application/json")
    stored = [one[VEGA] for one in data if VEGA in one]
    for spec, there in zip(specs, stored, strict=True):
        here = json.loads(spec.string)
        assert here == there | {"$schema": here["$schema"]}
    tables = [one for one in data if "text/html" in one]
    assert len(page.select(".output table.dataframe")) == len(tables)
    assert "Not attempted" not in page.main.get_text()


@every_notebook
def test_questions_and_exercises_can_be_done_without_python(pages, path):
    tasks, shown = lesson_of(path).tasks, pages[path.stem].select(".task")
    for placed, html in zip(tasks, shown, strict=True):
        task = placed.task
        assert html.select_one(".label code").get_text() == placed.call
        assert len(html.select("details.hint")) == len(task.hints)
        if task.kind == "exercise":
            solution = html.select_one("details.solution pre").get_text()
            assert solution.strip() == task.solution_code.strip()
            assert len(html.select("dt")) == len(task.mistakes)
            continue
        choices = html.select("details.choice")
        assert [choice.b.get_text() for choice in choices] == list(task.choices)
        (right,) = html.select("details.choice.right")
        assert right.b.get_text() == task.answer
        assert right.select_one(".told").get_text().strip().startswith("✔ Correct.")


def test_the_index_lists_what_each_notebook_teaches(pages):
    index = pages["index"]
    for card, path in zip(index.select(".cards > li"), NOTEBOOKS, strict=True):
        lesson = lesson_of(path)
        assert card.a["href"] == f"{path.stem}.html"
        assert card.a.get_text() == lesson.title
        assert f"{lesson.minutes} minutes" in card.get_text()
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()[2]
    owners = ("SIL Open Font License", "University of Washington Interactive Data Lab")
    assert all(words in index.get_text() for words in (licence, *owners))


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        (r"A formula: $\unknown{x}$", "unknown"),
        (r"$$\frac{1}{2$$", "cannot be set"),
        ("It costs $5, and then", "LaTeX is left over"),
        ("[here](../helpers/encoding.py)", "leads nowhere"),
        ("[here](02_other.ipynb)", "leads nowhere"),
        ("[here](https://example.org)", "leads nowhere"),
        ("![alt](picture.png)", "not a cell's output"),
        ("## 1. The same (3 min)\n\n## 1. The same (4 min)", "Two headings"),
    ],
)
def test_what_cannot_be_shown_is_an_error_and_not_a_bad_page(markdown, said):
    with pytest.raises(BuildError, match=said):
        Prose(["01_formula"]).html(markdown)
