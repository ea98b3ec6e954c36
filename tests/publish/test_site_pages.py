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
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"  # the pages have a later one
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
    page, cells = pages[path.stem], code_cells(path)
    shown = [pre.get_text().strip() for pre in page.select(".cell .highlight pre")]
    # What checks and counts gives way to what unfolds; nobody fetches the lesson here.
    left_out = re.compile(r"[\w.]+\.(check|progress)\([\w.]*\)|.*COLAB_RELEASE.*", re.S)
    sources = [cell.source.strip() for cell in cells]
    assert shown == [source for source in sources if not left_out.fullmatch(source)]
    data = [out.data for cell in cells for out in cell.outputs if "data" in out]
    charts = [one[VEGA] for one in data if VEGA in one]
    words = [one["text/plain"] for one in data if "image/png" in one]
    assert [image["alt"] for image in page.select("figure img")] == words
    coloured = page.select('figure img[src^="data:image/svg"]')  # by the theme
    assert len(coloured) == len(words) - len(charts)
    specs = page.find_all("script", type="application/json")
    for spec, chart in zip(specs, charts, strict=True):
        assert json.loads(spec.string) | {"$schema": SCHEMA} == chart
    tables = [one for one in data if "text/html" in one]
    assert len(page.select(".output table.dataframe")) == len(tables)
    assert "Not attempted" not in page.main.get_text()


@every_notebook
def test_questions_and_exercises_can_be_done_without_python(pages, path):
    tasks, shown = lesson_of(path).tasks, pages[path.stem].select(".task")
    for placed, html in zip(tasks, shown, strict=True):
        task = placed.task

        def texts(selector, html=html):
            return [found.get_text().strip() for found in html.select(selector)]

        assert texts(".label code") == [placed.call]
        assert len(html.select("details.hint")) == len(task.hints)
        if task.kind == "exercise":
            assert texts("details.solution pre") == [task.solution_code.strip()]
            assert len(html.select("dt")) == len(task.mistakes)
        else:
            assert texts("details.choice b") == list(task.choices)
            assert texts("details.choice.right b") == [task.answer]
            (told,) = texts("details.choice.right .told")
            assert told.startswith("✔ Correct.")


def test_the_index_lists_what_each_notebook_teaches(pages):
    index = pages["index"]
    for card, path in zip(index.select(".cards > li"), NOTEBOOKS, strict=True):
        lesson, link = lesson_of(path), f"{path.stem}.html"
        assert (card.a["href"], card.a.get_text()) == (link, lesson.title)
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
