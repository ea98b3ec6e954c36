"""The site: one page for each notebook and an index, to read without Python or network.

    python -m helpers.publish.site [output folder]

A page holds all it needs. Formulas are MathML; charts stand as pictures until a script
in the page draws them; questions and exercises unfold. Nothing is executed: the pages
show the outputs that the notebooks store.
"""

import html
import json
import re
from functools import cache
from pathlib import Path

import vl_convert
from nbconvert.filters.highlight import Highlight2HTML
from pygments.formatters import HtmlFormatter

from helpers.checks import opening
from helpers.draw.look import VEGA_MIME
from helpers.publish.lesson import (
    ROOT,
    BuildError,
    command,
    notebook_paths,
    read_lesson,
)
from helpers.publish.mathml import font
from helpers.publish.printed import PLACE, THEME, environment
from helpers.publish.prose import Prose

OUTPUT = ROOT / "build" / "site"
# Of the versions that read our charts, the one that goes with the Vega it comes with.
_VEGA_LITE, _SCHEMA = "6.4", "https://vega.github.io/schema/vega-lite/v6.json"
_CODE_COLOURS = {"light": "github-light-high-contrast", "dark": "a11y-dark"}
# What asks, counts and helps in a notebook; a page does so in its own way.
_ASIDE = re.compile(r"\w+\.(\w+\.ask|progress)\(\)|(# [\w.]+\.(hint|solution)\(\)\s*)*")
# A heading, its link, the words of its section, and where the next begins.
_HEADED = re.compile(
    r'<h(\d) id="([^"]+)">(.*?)(?: <small.*?)?</h\1>(?:<a .*?</div>)?'
    r'(.*?)(?=<div class="heading"|\Z)',
    re.S,
)
_PROSE = '<div class="prose">'
_HIGHLIGHT = Highlight2HTML(pygments_lexer="ipython3")
_HOW = re.compile(r"^\*\*How to answer\.\*\*.*?(?=\n\n|\Z)", re.M | re.S)  # in a kernel


def build(output=OUTPUT, solutions=None):
    """Write the site into a folder; returns the paths of its pages.

    ``solutions`` keeps those of the exercises until a date, or "later". Raises
    BuildError where a notebook has something that a page cannot show.
    """
    lessons = [read_lesson(path) for path in notebook_paths()]
    stems = [lesson.stem for lesson in lessons]
    pages, places = {}, []
    for number, lesson in enumerate(lessons):
        prose = Prose(stems)
        cells = _cells(lesson, prose, solutions)
        pages[f"{lesson.stem}.html"] = _page(lessons, number, cells, prose)
        places += _places(lesson, cells)
    pages["index.html"] = _index(lessons, Prose(stems), places)
    # One font for all: those who read on have it in the same size and shape.
    address = font(pages.values())
    output = Path(output)
    output.mkdir(parents=True, exist_ok=True)
    for name, page in pages.items():
        (output / name).write_text(page.replace(PLACE, address), encoding="utf-8")
    return [output / name for name in pages]


def _page(lessons, number, cells, prose):
    lesson = lessons[number]
    aims = _bare("; ".join(map(prose.line, _aims(lesson))))
    return _rendered(
        "page.html.j2",
        title=lesson.title,
        description=f"Notebook {lesson.title}. You will be able to: {aims}.",
        number=number + 1,
        lessons=lessons,
        before=lessons[number - 1] if number else None,
        after=lessons[number + 1] if number + 1 < len(lessons) else None,
        lesson=lesson,
        cells=cells,
        headings=prose.headings,
        vega=_vega(),
    )


def _index(lessons, prose, places):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    title, introduction, alt = re.match(
        r"# (.+)\n\n(.+?)\n\n!\[([^\]]+)\]", text, re.S
    ).groups()
    licence, _, holder, *_ = (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()
    return _rendered(
        "index.html.j2",
        title=title,
        description=" ".join(introduction.split()),
        introduction=prose.html(introduction),
        alt=alt,
        places=json.dumps(places, ensure_ascii=False).replace("<", "\\u003c"),
        opening=_text("index.js"),
        lessons=lessons,
        aims={one.stem: [prose.line(aim) for aim in _aims(one)] for one in lessons},
        licence=licence,
        holder=holder,
        vega_licence=_text("vega-licence.txt"),
    )


def _places(lesson, cells):
    """Every section's title, address and words, for the search on the first page."""
    text = "".join(cell for cell in cells if cell.startswith(_PROSE))
    for level, anchor, title, words in _HEADED.findall(text):
        title = f"{lesson.stem[:2]} · {title}" if level > "1" else title
        to = f"{lesson.stem}.html#{anchor}"
        yield {"title": _bare(title), "to": to, "text": _bare(words)}


def _bare(text):
    """The words of some HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def _rendered(template, **values):
    """A page with what all have: style, scripts, its font."""
    frame = {"style": style(), "script": script(), "font": PLACE}
    return environment().get_template(template).render(**frame, **values)


def style():
    """The style of every page that is made here."""
    return _text("style.css") + _code_colours()


def script():
    """Its script."""
    return _text("site.js")


def _aims(lesson):
    """What you will be able to do, a line of Markdown each."""
    first = lesson.notebook.cells[0].source
    part = re.search(r"What you will be able to do\*\*\n\n((?:- .+\n?)+)", first)
    if not part:
        raise BuildError(f"{lesson.stem}: its first cell does not say what it teaches.")
    return re.findall(r"^- (.+?)[;.]?$", part[1], re.M)


# --- cells


def _cells(lesson, prose, solutions=None):
    """The HTML of a notebook's cells, one after the other."""
    checks = {task.check: task for task in lesson.tasks}
    done = []
    for number, cell in enumerate(lesson.notebook.cells):
        if number in checks:
            done.append(_task(checks[number], prose, solutions))
        elif cell.cell_type == "markdown":
            text = _HOW.sub("", cell.source)
            done.append(f"{_PROSE}{prose.html(text)}</div>")
        elif cell.cell_type == "code" and not _ASIDE.fullmatch(cell.source):
            done.append(_code_cell(cell, prose))
    return done


def _code_cell(cell, prose):
    try:
        outputs = [_output(output, prose) for output in cell.outputs]
    except BuildError as error:
        raise BuildError(f"{error} In: {cell.source[:60]}") from error
    return _part("cell", code=code(cell.source), outputs=outputs)


def _output(output, prose):
    if output.output_type == "stream" and output.name == "stdout":
        return _plain(output.text)
    if output.output_type not in ("display_data", "execute_result"):
        raise BuildError(f"A page cannot show the output {output.output_type}.")
    shown = {VEGA_MIME: _chart, "image/png": _picture, "text/html": _table}
    for kind, show in shown.items():
        if kind in output.data:
            return show(output)
    if "text/markdown" in output.data:
        return f"{_PROSE}{prose.html(output.data['text/markdown'])}</div>"
    return _plain(output.data["text/plain"])


def _plain(text):
    return f'<pre class="text" data-scrolls="text">{html.escape(text.rstrip())}</pre>'


def _chart(output):
    # "<" is written so that no text in it can end the script element.
    spec = output.data[VEGA_MIME] | {"$schema": _SCHEMA}
    spec = json.dumps(spec, separators=(",", ":")).replace("<", "\\u003c")
    options = output.metadata.get(VEGA_MIME, {}).get("embed_options", {})
    return _figure(output, spec, options=json.dumps(options))


def _picture(output):
    # The sharper image, which Markdown shows in JupyterLab; see helpers.draw.style.
    sharp = re.search(r'src="(data:[^"]+)"', output.data.get("text/markdown", ""))
    return _figure(output, None, sharp and sharp[1])


def _figure(output, spec, source=None, options="{}"):
    about = output.metadata.get("image/png", {})
    if not about.get("alt"):
        raise BuildError("A picture has no text alternative.")
    png = output.data["image/png"].replace("\n", "")
    source = source or f"data:image/png;base64,{png}"
    return _part("figure", about=about, source=source, spec=spec, options=options)


def _table(output):
    # The style and border that pandas writes give way to the page's own.
    text = re.sub(r"<style.*?</style>", "", output.data["text/html"], flags=re.S)
    text = text.replace(' border="1"', "").replace(' style="text-align: right;"', "")
    if re.search(r"<script|\bon\w+=|(src|href)=", text):
        raise BuildError("A table holds more than a table.")
    return f'<div class="scrolls" data-scrolls="table">{text}</div>'


def code(source):
    """Python as HTML, in colours."""
    return _HIGHLIGHT(source).replace("<pre>", '<pre data-scrolls="code">', 1)


# --- questions and exercises


def _task(placed, prose, solutions=None):
    """What unfolds in place of a check: choices, hints, mistakes, the solution."""
    task = placed.task
    if task.kind == "question":
        told = {key: task.judge(key)._repr_markdown_() for key in task.choices}
        return _part("question", placed=placed, told=told, prose=prose)
    kept = f"<p>{opening.sentence(solutions)}</p>" if solutions else ""
    remark = prose.html(task.remark) if task.remark else ""
    return _part(
        "exercise",
        placed=placed,
        prose=prose,
        solution=kept or code(task.solution_code) + remark,
    )


# --- the theme


def _part(name, **values):
    return environment().get_template(f"{name}.html.j2").render(**values)


@cache
def _text(name):
    return (THEME / name).read_text(encoding="utf-8")


@cache
def _vega():
    """Vega, Vega-Lite and the embedder as one script, with their licence."""
    script = vl_convert.javascript_bundle(vl_version=_VEGA_LITE)
    if "</script" in script.lower():
        raise BuildError("The charts' script would end its own element.")
    return f"/*!\n{_text('vega-licence.txt')}*/\n{script}"


def _code_colours():
    """Colours of code for light and for dark pages, dark by wish or by system."""
    system = _rules(':root:not([data-theme="light"]) .highlight', "dark")
    chosen = _rules(':root[data-theme="dark"] .highlight', "dark")
    return (
        _rules(".highlight", "light")
        + f"\n@media screen and (prefers-color-scheme: dark) {{\n{system}\n}}"
        + f"\n@media screen {{\n{chosen}\n}}"
    )


def _rules(selector, kind):
    css = HtmlFormatter(style=_CODE_COLOURS[kind]).get_style_defs(selector)
    lines = [line for line in css.splitlines() if line.startswith(selector + " .")]
    # Backgrounds are the page's own.
    return "\n".join(re.sub(r"background-color: [^;}]+;? ?", "", li) for li in lines)


if __name__ == "__main__":
    command(build, "Write one page for each notebook, and an index.", OUTPUT)
