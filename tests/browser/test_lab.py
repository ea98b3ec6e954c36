"""What the notebooks show in JupyterLab and in Notebook 7, without network."""

from contextlib import ExitStack
from functools import cache
from string import ascii_lowercase

import pytest
from controls import unmoved
from desk import VEGA, Desk, Server, colours_of_texts, failures, gallery
from nbformat import writes
from stored import NOTEBOOKS, lesson_of

from helpers.draw.look import contrast
from helpers.publish import editions

pytestmark = pytest.mark.browser
# One notebook is run in each application. Elsewhere every notebook is executed, and on
# the site every control is used; here every chart of the series is drawn and read.
RUN = {"lab": "04_distances", "notebook": "01_formula"}
LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """Starts an application's server when it is first asked for.

    Its folder has the notebooks that are run, and a gallery of all charts.
    """
    folder = tmp_path_factory.mktemp("notebooks")
    for path in (path for path in NOTEBOOKS if path.stem in RUN.values()):
        empty = writes(editions.student(lesson_of(path)))
        (folder / path.name).write_text(empty, encoding="utf-8")
    (folder / "charts.ipynb").write_text(gallery(NOTEBOOKS), encoding="utf-8")
    with ExitStack() as stack:

        @cache
        def started(app):
            server = Server(app, folder, tmp_path_factory.mktemp(app))
            stack.callback(server.stop)
            return server

        yield started


@pytest.mark.parametrize(("app", "name"), RUN.items())
def test_a_notebook_runs_and_its_charts_obey(app, name, served, visit):
    visited = visit()
    desk = Desk(visited.page, served(app), name)
    desk.restart_and_run_all()
    problems = failures(desk.cells()) + undrawn_or_unmoved(desk)
    if app == "notebook":
        assert_help_is_seen(desk)
    desk.close()
    problems += [e for e in visited.errors if "ega" in e or "svg" in e]
    assert not problems + visited.outside, "\n".join(problems + visited.outside)


def assert_help_is_seen(desk):
    """Feedback and hints, and the solution after two wrong answers."""
    sources = [cell["source"] for cell in desk.cells()]
    (stub,) = [n for n, s in enumerate(sources) if s.startswith("def angular_speeds")]
    for tried in (0, 1):
        desk.write(stub, f"def angular_speeds(d_model):\n    return {tried}\n")
        desk.run(stub + 1)
        seen = desk.text(stub + 1)
        assert "Not yet." in seen and f"Hint {tried + 1} of" in seen
        assert ("own solution" in seen) == bool(tried)


def test_charts_fit_and_can_be_read(served, visit):
    """Beside the open file browser at 1280 pixels, in both themes, switched while the
    charts stand; without it at 1024, and at 853 in forced colours, as in a zoom of 150 %.
    """
    page = visit(viewport={"width": 1280, "height": 720}).page
    desk, problems = Desk(page, served("lab"), "charts"), []
    for theme, measures in ((DARK, [faint]), (LIGHT, [faint, too_wide, too_high])):
        wear(theme, page)
        problems += complaints(desk, *measures)
    page.evaluate("() => jupyterapp.shell.collapseLeft()")
    page.wait_for_selector("#filebrowser", state="hidden")
    page.set_viewport_size({"width": 1024, "height": 768})
    problems += complaints(desk, too_wide)
    page.set_viewport_size({"width": 853, "height": 480})
    page.emulate_media(forced_colors="active", color_scheme="dark")
    desk = Desk(page, served("lab"), "charts")
    problems += complaints(desk, faint, too_wide, unusable)
    desk.close()
    assert not problems, "\n".join(problems)


def wear(theme, page):
    """Give JupyterLab a theme."""
    change = "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})"
    page.evaluate(change, theme)
    worn = "name => document.body.dataset.jpThemeName === name"
    page.wait_for_function(worn, arg=theme)


def complaints(desk, *measures):
    """What the measures find wrong with the charts, each brought to the screen."""
    found = []
    for number, cell in enumerate(desk.cells()):
        (chart,) = desk.show(number, ".vega-embed:has(svg)")
        found += [f"{cell['source']}: {what}" for m in measures for what in m(chart)]
    return found


def faint(chart):
    """The texts of a chart and of its controls that have too little contrast."""
    drawn = colours_of_texts(chart)
    assert drawn
    return [
        f"{text!r} has a contrast of {contrast(ink, ground):.1f}"
        for text, ink, ground in drawn
        if contrast(ink, ground) < 4.5
    ]


def unusable(chart):
    """The controls of a chart that are cut off, or too small to take hold of."""
    right = "e => e.closest('.jp-OutputArea-output').getBoundingClientRect().right"
    end, problems = chart.evaluate(right), []
    for control in chart.query_selector_all("input:not([type=hidden])"):
        box, name = control.bounding_box(), control.get_attribute("name")
        if box["x"] + box["width"] > end + 0.5 or min(box["width"], box["height"]) < 12:
            problems.append(f"{name} is cut off or too small")
    return problems


def too_wide(chart):
    """Whether a chart scrolls sideways; a scroll bar takes 15 pixels."""
    room = chart.evaluate("e => e.closest('.jp-OutputArea-output').clientWidth - 15")
    wide = chart.query_selector("svg").bounding_box()["width"]
    return [f"{wide:.0f} of {room} pixels wide"] * (wide > room)


def too_high(chart):
    """Whether a chart and its controls are not seen together on a screen of 720 pixels."""
    high = chart.bounding_box()["height"]
    return [f"{high:.0f} pixels high"] * (high > 590)


def undrawn_or_unmoved(desk):
    """What is wrong with the pictures and charts of a notebook, and their controls."""
    problems = []
    for number, cell in enumerate(desk.cells()):
        shown = [output.get("data", {}) for output in cell["outputs"]]
        charts = sum(VEGA in data for data in shown)
        texts = [d["text/plain"] for d in shown if "image/png" in d and VEGA not in d]
        images = desk.show(number, "img") if texts else []
        drawn = [
            image for image in images if image.evaluate("e => e.naturalWidth > 100")
        ]
        said = [image.get_attribute("alt") for image in drawn]
        found = desk.show(number, ".vega-embed:has(svg)") if charts else []
        wrong = [
            what for c in found for what in unmoved(desk.page, c, lambda: strayed(desk))
        ]
        if said != texts:
            wrong.append(f"of its pictures, these are seen: {said}")
        if len(found) != charts:
            wrong.append(f"{len(found)} charts are drawn")
        problems += [f"{cell['source']}: {what}" for what in wrong]
    return problems


def strayed(desk):
    """What the keys of a control in focus do to the notebook: nothing, it is hoped."""
    before = desk.state()
    for key in (*ascii_lowercase, *"dd", "Delete", "Enter", "ArrowUp", "End"):
        desk.page.keyboard.press(key)
    return [] if desk.state() == before else ["its keys change the notebook"]
