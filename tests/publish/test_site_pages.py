"""The site's pages as they are written: complete, self-contained, nothing left raw."""

import base64
import io
import json
import re

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from nbformat.v4 import new_output
from stored import NOTEBOOKS, ROOT, lesson_of, name_of, read

from helpers.draw.style import Picture
from helpers.publish import mathml, site
from helpers.publish.lesson import BuildError
from helpers.publish.prose import Prose

VEGA = "application/vnd.vegalite.v5+json"
PAGES = [*(path.stem for path in NOTEBOOKS), "index"]
every_page = pytest.mark.parametrize("name", PAGES)
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Every page of a freshly built site: name -> (text, parsed)."""
    built = site.build(tmp_path_factory.mktemp("site"))
    texts = {path.stem: path.read_text(encoding="utf-8") for path in built}
    return {name: (text, _parsed(text)) for name, text in texts.items()}


def _parsed(text):
    return BeautifulSoup(text, "html.parser")


def outputs(path, kind):
    """What the notebook stores of a kind of output."""
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    found = [o.get("data", {}) for cell in cells for o in cell.outputs]
    return [data[kind] for data in found if kind in data]


@every_page
def test_nothing_is_loaded_from_anywhere(pages, name):
    text, page = pages[name]
    for element in page.find_all(True):
        if element.find_parents(["math", "pre"]):
            continue
        for attribute in ("src", "srcset", "poster", "data", "action", "background"):
            value = element.get(attribute, "data:")
            assert value.startswith("data:"), element.name
        assert element.name not in ("link", "iframe", "object", "embed", "base")
    styles = " ".join(style.string for style in page.find_all("style"))
    assert "@import" not in styles
    assert set(re.findall(r"url\(\s*[\"']?(\w+):", styles)) == {"data"}
    assert len(text) < 4e6


@every_page
def test_every_link_leads_to_a_place(pages, name):
    for link in pages[name][1].find_all("a"):
        target, _, place = link["href"].partition("#")
        assert not target or target.removesuffix(".html") in pages, link["href"]
        there = pages[target.removesuffix(".html") or name][1]
        assert not place or there.find(id=place), link["href"]


@every_page
def test_it_says_what_it_is_and_is_in_order(pages, name):
    page = pages[name][1]
    assert page.html["lang"] == "en"
    assert len(page.title.string) > 20
    assert len(page.find("meta", attrs={"name": "description"})["content"]) > 60
    assert len(page.find_all("main")) == len(page.find_all("h1")) == 1
    assert page.find("a", class_="skip")["href"] == "#main"
    levels = [int(h.name[1]) for h in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    steps = zip(levels, levels[1:], strict=False)
    assert all(below <= above + 1 for above, below in steps)
    ids = [element["id"] for element in page.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert all(picture["alt"] for picture in page.find_all("img"))


@every_notebook
def test_no_code_and_no_output_is_lost(pages, path):
    page = pages[path.stem][1]
    shown = [pre.get_text().strip() for pre in page.select(".cell > .highlight pre")]
    asked = re.compile(
        r"[\w.]+\.(ask|check|progress)\([\w.]*\)|(#.*\.(hint|solution)\(\)\n?)+"
    )
    cells = [c.source.strip() for c in read(path).cells if c.cell_type == "code"]
    # Only what asks, checks and helps gives way to what unfolds.
    assert shown == [source for source in cells if not asked.fullmatch(source)]
    images = [img["alt"] for img in page.select("figure img")]
    assert images == [
        output.metadata["image/png"]["alt"]
        for cell in read(path).cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    specs = page.find_all("script", type="application/json")
    shown, stored = [json.loads(spec.string) for spec in specs], outputs(path, VEGA)
    for here, there in zip(shown, stored, strict=True):
        assert here == there | {"$schema": here["$schema"]}
    tables = page.select(".output table.dataframe")
    assert len(tables) == len(outputs(path, "text/html"))
    assert "Not attempted" not in page.main.get_text()


@every_notebook
def test_questions_and_exercises_can_be_done_without_python(pages, path):
    shown = pages[path.stem][1].select(".task")
    calls = [one.select_one(".label code").get_text() for one in shown]
    assert calls == [placed.call for placed in lesson_of(path).tasks] != []
    for placed, html in zip(lesson_of(path).tasks, shown, strict=True):
        task = placed.task
        assert len(html.select("details.hint")) == len(task.hints)
        if task.kind == "exercise":
            solution = html.select_one("details.solution pre").get_text()
            assert solution.strip() == task.solution_code.strip()
            assert len(html.select("dt")) == len(task.mistakes)
            continue
        for choice, letter in zip(
            html.select("details.choice"), task.choices, strict=True
        ):
            assert choice.b.get_text() == letter
            assert ("right" in choice["class"]) == (letter == task.answer)
            word = "✔ Correct." if letter == task.answer else "✘ Not yet."
            assert choice.select_one(".told").get_text().strip().startswith(word)


def test_the_index_lists_what_each_notebook_teaches(pages):
    cards = pages["index"][1].select(".cards > li")
    for card, path in zip(cards, NOTEBOOKS, strict=True):
        lesson = lesson_of(path)
        assert card.a["href"] == f"{path.stem}.html"
        assert card.a.get_text() == lesson.title
        assert f"{lesson.minutes} minutes" in card.get_text()
        assert 3 <= len(card.select("li")) <= 5
    places = json.loads(pages["index"][1].find(id="places").string)
    for name, (_, page) in pages.items():
        ids = [heading["id"] for heading in page.select("main :is(h1, h2, h3)[id]")]
        own = [p["to"] for p in places if p["to"].startswith(name)]
        assert own == [f"{name}.html#{anchor}" for anchor in ids]
    assert all("<" not in place["title"] + place["to"] for place in places)
    text = pages["index"][1].get_text()
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()
    assert licence[0] in text and licence[2] in text
    assert "STIX Two Math" in text and "SIL Open Font License" in text
    assert "University of Washington Interactive Data Lab" in text


def test_the_font_has_every_sign_and_its_licence(pages):
    text, page = pages["03_rotation_matrix"]
    data = re.search(r"data:font/woff2;base64,([\w+/=]+)", text)[1]
    cut = TTFont(io.BytesIO(base64.b64decode(data)))
    signs = {ord(s) for formula in page.find_all("math") for s in formula.get_text()}
    assert signs - set(map(ord, "\n\u2061")) <= cut.getBestCmap().keys()
    assert {0x1D703, 0x221A} <= cut.getBestCmap().keys()  # italic theta, the root
    assert "MATH" in cut
    assert "Open Font License" in cut["name"].getDebugName(13)


def test_what_cannot_be_shown_is_an_error_and_not_a_bad_page():
    prose = Prose(["01_formula"])
    with pytest.raises(BuildError, match="unknown"):
        prose.html(r"A formula: $\unknown{x}$")
    with pytest.raises(BuildError, match="cannot be set"):
        prose.html(r"$$\frac{1}{2$$")
    with pytest.raises(BuildError, match="LaTeX is left over"):
        prose.html("It costs $5, and then")
    for target in ("../helpers/encoding.py", "02_other.ipynb", "https://example.org"):
        with pytest.raises(BuildError, match="leads nowhere"):
            prose.html(f"[here]({target})")
    with pytest.raises(BuildError, match="not a cell's output"):
        prose.html("![alt](picture.png)")
    prose.html("## 1. The same (3 min)")
    with pytest.raises(BuildError, match="Two headings"):
        prose.html("## 1. The same (4 min)")
    with pytest.raises(BuildError, match="no 字"):
        mathml.font([f"<p>{mathml.mathml('字 + 1', display=False)}</p>"])


def test_markdown_becomes_what_a_reader_needs():
    prose = Prose(["01_formula", "02_log_space"])
    page = _parsed(
        prose.html(
            "## 3. Speeds $\\theta_i$ (10 min)\n\n"
            "See [the next](02_log_space.ipynb#4-where). `$5` is code.\n\n"
            "| a | b |\n|---|---|\n| $x$ | 2 |\n\n$$\\sum_i x_i$$\n"
        )
    )
    (heading,) = prose.headings
    assert (heading.level, heading.anchor) == (2, page.h2["id"])
    assert "10 min" not in heading.html and "10 min" in page.h2.get_text()
    assert page.select("a[href='02_log_space.html#4-where']")
    assert len(page.find_all("math")) == 3
    assert page.find("math", display="block").parent["data-scrolls"] == "formula"
    assert page.td.math and page.find("table").parent["data-scrolls"] == "table"


def test_a_formula_is_not_parted_from_what_touches_it():
    page = _parsed(Prose([]).html('It is $x$, not ($y$). And $z$ "($w$)" too'))
    joined = [span.get_text() for span in page.select("span.joined")]
    assert joined == ["x,", "(y).", '(w)"']


def test_a_page_takes_the_sharper_of_two_images():
    data, metadata = Picture(3, 2, alt="An <empty> frame.")._repr_mimebundle_()
    data["image/png"] = base64.b64encode(data["image/png"]).decode()
    figure = site._output(new_output("display_data", data, metadata=metadata), None)
    (image,) = BeautifulSoup(figure, "html.parser").find_all("img")
    assert image["alt"] == "An <empty> frame." and image["width"] == "288"
    kind, _, code = image["src"].partition(",")
    assert kind == "data:image/svg+xml"
    assert f"width='{2 * 288}'" in code


def test_outputs_that_a_page_cannot_show_are_refused():
    prose = Prose([])
    for output in (
        new_output("error", ename="E", evalue="", traceback=[]),
        new_output("stream", name="stderr", text="warning"),
        new_output("display_data", {"image/png": "AAAA"}),
        new_output("display_data", {"text/html": "<script>1</script>"}),
        new_output("display_data", {"text/html": "<img src='http://example.org'>"}),
    ):
        with pytest.raises(BuildError):
            site._output(output, prose)
