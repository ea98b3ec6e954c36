"""The site: one page for each notebook and an index, to read without Python or network.

    python -m helpers.publish.site [output folder]

A page holds all it needs. Formulas are MathML; charts stand as pictures until a script
in the page draws them; questions and exercises unfold. Nothing is executed: the pages
show the outputs that the notebooks store.
"""

import os
import re
import shutil
from functools import partial
from pathlib import Path

import vl_convert
from markupsafe import Markup

from helpers.draw.look import VEGA_MIME, follows_theme
from helpers.publish.lesson import (
    NOTEBOOKS,
    ROOT,
    command,
    notebook_paths,
    read_lesson,
)
from helpers.publish.pages import rendered, with_font
from helpers.publish.prose import Prose
from helpers.publish.question_cells import MARK

OUTPUT = ROOT / "build" / "site"
# Of the versions that read our charts, the one that goes with the Vega it comes with.
_VEGA_LITE = "6.4"
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
# What a page cannot do: count progress, fetch the lesson; or nothing.
_FOR_A_KERNEL = re.compile(r"(\w+\.progress\(\)|.*COLAB_RELEASE_TAG.*)?", re.S)
_HOW = re.compile(r"^\*\*How to answer\.\*\*.*?(?=\n\n|\Z)", re.M | re.S)  # in a kernel
# A heading, its link, the words of its section, and where the next begins.
_HEADED = re.compile(
    r'<h(\d) id="([^"]+)">(.*?)(?: <small.*?)?</h\1>(?:<a .*?</div>)?'
    r'(.*?)(?=<div class="heading"|\Z)',
    re.S,
)
_PROSE = '<div class="prose">'


def build(output=OUTPUT, address=""):
    """Write the site into a folder; returns the paths of its pages.

    ``address`` is where it will be read, with a slash at the end (SITE_ADDRESS in the
    environment): what shows a picture for a link asks for its whole address.

    Raises BuildError where a notebook has something that a page cannot show.
    """
    lessons = [read_lesson(path) for path in notebook_paths()]
    stems = [lesson.stem for lesson in lessons]
    around = [None, *lessons, None]
    vega = vl_convert.javascript_bundle(vl_version=_VEGA_LITE)
    pages = []
    places = []
    aims = {}
    for number, lesson in enumerate(lessons, start=1):
        prose = Prose(stems)
        cells = list(cells_of(lesson, prose))
        places += _places(lesson, cells)
        aims[lesson.stem] = [*map(prose.line, _aims(lesson))]
        page = {"cells": cells, "headings": prose.headings, "vega": vega}
        page |= {"lesson": lesson, "lessons": lessons}
        page |= {"before": around[number - 1], "after": around[number + 1]}
        page["address"] = address
        page["aims"] = _bare("; ".join(aims[lesson.stem]))
        pages.append(rendered("page.html.j2", **page))
    pages.append(_index(lessons, Prose(stems), places, aims, address))
    paths = [Path(output, f"{name}.html") for name in (*stems, "index")]
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    for path, page in zip(paths, with_font(*pages), strict=True):
        path.write_text(page, encoding="utf-8")
    for name in ("cover.webp", "cover.png"):
        shutil.copyfile(NOTEBOOKS / name, Path(output, name))
    return paths


def _index(lessons, prose, places, aims, address):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    title, introduction = re.match(r"# (.+)\n\n(.+)\n\n", text).groups()
    (alt,) = re.findall(r'cover\.webp"[^>]* alt="([^"]+)"', text)
    about = {
        "title": title,
        "alt": alt,
        "licence": (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines(),
        "places": places,
    }
    about |= {"description": " ".join(introduction.split()), "aims": aims}
    about |= {"introduction": prose.html(introduction), "lessons": lessons}
    about["address"] = address
    return rendered("index.html.j2", **about)


def _aims(lesson):
    """What you will be able to do, a line of Markdown each."""
    end = lesson.sections[0].cell if lesson.sections else None
    before = "\n\n".join(cell.source for cell in lesson.notebook.cells[:end])
    part = re.search(r"What you will be able to do\*\*\n\n((?:- .+\n?)+)", before)
    return re.findall(r"^- (.+?)[;.]?$", part[1], re.M) if part else []


def _places(lesson, cells):
    """Every section's title, address and words, for the search on the first page."""
    text = "".join(cell for cell in cells if cell.startswith(_PROSE))
    for level, anchor, title, words in _HEADED.findall(text):
        title = f"{lesson.stem[:2]} · {title}" if level > "1" else title
        to = f"{lesson.stem}.html#{anchor}"
        yield {"title": _bare(title), "to": to, "text": _bare(words)}


def _bare(text):
    """The words of some HTML."""
    return str(Markup(text).striptags())


def cells_of(lesson, prose):
    """The HTML of a notebook's cells; in the place of a check stands what unfolds.

    A question's text is part of that.
    """
    tasks = {placed.check_cell: placed for placed in lesson.tasks}
    opening = lesson.sections[0].cell if lesson.sections else 0
    for number, cell in enumerate(lesson.notebook.cells):
        if number in tasks:
            yield rendered(
                f"{tasks[number].task.kind}.html.j2", placed=tasks[number], prose=prose
            )
        elif MARK in cell.metadata:
            continue
        elif cell.cell_type == "markdown":
            yield f"{_PROSE}{prose.html(_HOW.sub('', cell.source))}</div>"
        elif not _FOR_A_KERNEL.fullmatch(cell.source):
            yield code_cell(cell, prose, folded=number < opening)


def code_cell(cell, prose, folded=False):
    """The HTML of a code cell and its outputs; ``folded`` code stands below them."""
    about = {"cell": cell, "folded": folded, "mime": VEGA_MIME, "schema": _SCHEMA}
    # Whose function goes on is no question to somebody who reads.
    about["tells_whose"] = ".yours_or_ours(" in cell.source
    return rendered(
        "cell.html.j2", **about, prose=prose, picture=_picture, table=_table
    )


def _picture(data, about):
    """The address of a picture, ``about`` its metadata; of a chart, until it is drawn."""
    png = data["image/png"].replace("\n", "")
    in_a_chart = VEGA_MIME in data
    return f"data:image/png;base64,{png}" if in_a_chart else follows_theme(png, about)


def _table(html):
    """A table without pandas' own style and border, which give way to the page's."""
    return re.sub(
        r'<style.*?</style>| border="1"| style="text-align: right;"',
        "",
        html,
        flags=re.S,
    )


if __name__ == "__main__":
    at_address = partial(build, address=os.environ.get("SITE_ADDRESS", ""))
    command(at_address, "Write one page for each notebook, and an index.", OUTPUT)
