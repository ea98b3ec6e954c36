"""Every notebook in JupyterLab and in Notebook 7, without network."""

import importlib
import re
import textwrap
from contextlib import contextmanager
from functools import cache, partial
from string import ascii_lowercase

import numpy as np
import pytest
import torch
from desk import (
    APPS,
    VEGA,
    Desk,
    Server,
    bare,
    cleared,
    colours_of_texts,
    drawing,
    failures,
    forget_texts,
    gallery,
    ink,
    parameters,
    spoken,
    texts,
)
from stored import EXERCISES_OF, NOTEBOOKS, name_of
from visits import Visit

from helpers.exercises.core import Question
from helpers.look import contrast

pytestmark = pytest.mark.browser
# Notebook 7 shows what the others store in two galleries, which two workers can share.
STORED = {"stored_02_to_05": NOTEBOOKS[1:5], "stored_06_to_08": NOTEBOOKS[5:]}

# For each notebook an exercise, a wrong answer that students give, and its name.
WRONG = {
    "01_formula": (
        "angular_speeds",
        "i/d for 2i/d",
        """
        def angular_speeds(d_model):
            return [10000 ** (-i / d_model) for i in range(d_model // 2)]
        """,
    ),
    "02_log_space": (
        "interleave",
        "all sines then all cosines",
        """
        def interleave(sines, cosines):
            return torch.cat([sines, cosines], dim=1)
        """,
    ),
    "03_rotation_matrix": (
        "rotation_block",
        "transposed",
        """
        def rotation_block(k, theta):
            c, s = np.cos(k * theta), np.sin(k * theta)
            return np.array([[c, -s], [s, c]])
        """,
    ),
    "04_distances": (
        "distance_matrix",
        "no root",
        """
        def distance_matrix(table):
            return ((table[:, None] - table[None]) ** 2).sum(axis=2)
        """,
    ),
    "05_module": (
        "dropout_scale",
        "share that survives",
        """
        def dropout_scale(p):
            return 1 - p
        """,
    ),
    "06_encoder_decoder": (
        "causal_mask",
        "inverted",
        """
        def causal_mask(size):
            return torch.triu(torch.ones(size, size), diagonal=1) == 1
        """,
    ),
    "07_rotary": (
        "offset_spread",
        "main diagonal only",
        """
        def offset_spread(scores):
            return np.ptp(np.diagonal(scores))
        """,
    ),
    "08_beyond": (
        "ntk_base",
        "slowest speed taken for 1/base",
        """
        def ntk_base(base, factor, d_model):
            return base * factor
        """,
    ),
}


@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    """A server for each application: notebooks without outputs, galleries, a bare one."""
    folder = tmp_path_factory.mktemp("notebooks")
    for path in NOTEBOOKS:
        (folder / path.name).write_text(cleared(path), encoding="utf-8")
    made = {
        "gallery": gallery(NOTEBOOKS),
        "bare": bare(NOTEBOOKS[0]),
        **{name: gallery(paths, (VEGA, "image/png")) for name, paths in STORED.items()},
    }
    for name, notebook in made.items():
        (folder / f"{name}.ipynb").write_text(notebook, encoding="utf-8")
    started = {}
    try:
        for app in APPS:
            started[app] = Server(app, folder, tmp_path_factory.mktemp(app))
        yield started
    finally:
        for server in started.values():
            server.stop()


@pytest.fixture(scope="session")
def own_errors(servers, chromium):
    """What an application itself complains about, whatever notebook it opens."""

    @cache
    def errors(app):
        with chromium.new_context() as context:
            visited = Visit(context.new_page())
            desk = Desk(visited.page, servers[app], "bare")
            desk.restart_and_run_all()
            desk.close()
            return set(visited.errors)

    return errors


# Both applications run and draw by the same components: JupyterLab runs every notebook,
# Notebook 7 one; there what the others store is looked at, with no kernel's help.
@pytest.mark.parametrize(
    ("app", "notebook"),
    [*(("lab", path) for path in NOTEBOOKS), ("notebook", NOTEBOOKS[0])],
    ids=lambda part: part if isinstance(part, str) else name_of(part),
)
def test_notebook_at_work(app, notebook, servers, visit, own_errors):
    visited = visit()
    desk = Desk(visited.page, servers[app], notebook.stem)
    desk.restart_and_run_all()
    problems = failures(desk.cells())
    problems += undrawn_or_unmoved(desk)
    problems += unhelpful(desk, notebook.stem)
    desk.close()
    own = own_errors(app)
    problems += [error for error in visited.errors if not is_own(error, own)]
    problems += visited.outside
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("name", STORED)
def test_stored_outputs_are_live_in_notebook_7(name, servers, visit):
    visited = visit()
    desk = Desk(visited.page, servers["notebook"], name)
    problems = undrawn_or_unmoved(desk)
    desk.close()
    assert not problems + visited.outside, "\n".join(problems)


LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_charts_fit_and_can_be_read(theme, servers, visit):
    """Beside the open file browser at 1280 pixels, without it at 1024, in both themes."""
    page = visit(viewport={"width": 1280, "height": 720}).page
    problems = []
    with charts_in(theme, page, servers["lab"]) as desk:
        for cell, chart in shown_charts(desk):
            problems += [f"{cell['source']}: {what}" for what in faint(page, chart)]
            problems += [f"{cell['source']}: {what}" for what in too_wide(chart)]
            problems += [f"{cell['source']}: {what}" for what in too_high(chart)]
        page.set_viewport_size({"width": 1024, "height": 768})
        fold_side_bar(page)
        for cell, chart in shown_charts(desk):
            problems += [f"1024, {cell['source']}: {w}" for w in too_wide(chart)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(("theme", "scheme"), [(LIGHT, "light"), (DARK, "dark")])
def test_charts_at_150_percent_in_forced_colours(theme, scheme, servers, visit):
    """A screen of 1280 by 720 pixels enlarged by half."""
    screen = {"viewport": {"width": 853, "height": 480}, "device_scale_factor": 1.5}
    page = visit(**screen, forced_colors="active", color_scheme=scheme).page
    problems = []
    with charts_in(theme, page, servers["lab"]) as desk:
        fold_side_bar(page)
        for cell, chart in shown_charts(desk):
            about = faint(page, chart) + unusable(chart) + too_wide(chart)
            problems += [f"{cell['source']}: {what}" for what in about]
        if page.evaluate(_SCROLLS_SIDEWAYS):
            problems.append("the notebook scrolls sideways")
    assert not problems, "\n".join(problems)


@contextmanager
def charts_in(theme, page, server):
    """All charts, in a theme of JupyterLab; texts are kept with what they stand on."""
    change = "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})"
    Desk(page, server, "bare")
    try:
        page.evaluate(change, theme)
        desk = Desk(page, server, "gallery", {"keepsGrounds": True})
        assert page.evaluate("() => document.body.dataset.jpThemeName") == theme
        yield desk
    finally:
        page.evaluate(change, LIGHT)


def shown_charts(desk):
    """Each cell with its chart, brought to the screen."""
    for number, cell in enumerate(desk.cells()):
        (chart,) = desk.show(number, ".vega-embed")
        yield cell, chart


def fold_side_bar(page):
    """Give the notebook the whole window."""
    page.evaluate("() => jupyterapp.shell.collapseLeft()")
    page.wait_for_selector("#filebrowser", state="hidden")


_SCROLLS_SIDEWAYS = """() => [document.scrollingElement,
    ...document.querySelectorAll(".jp-Notebook, .jp-WindowedPanel-outer")]
    .some((e) => e.scrollWidth > e.clientWidth + 1)"""


def unusable(chart):
    """The controls of a chart that are cut off, or too small to take hold of."""
    end = chart.evaluate(
        "e => e.closest('.jp-OutputArea-output').getBoundingClientRect().right"
    )
    problems = []
    for control in chart.query_selector_all("input"):
        box, name = control.bounding_box(), control.get_attribute("name")
        if box["x"] + box["width"] > end + 0.5:
            problems.append(f"{name} is cut off")
        if box["width"] < 50 or box["height"] < 13:
            problems.append(f"{name} is {box['width']:.0f} by {box['height']:.0f}")
    return problems


def faint(page, chart):
    """The texts of a chart and of its controls that have too little contrast."""
    drawn = colours_of_texts(page, chart)
    assert drawn
    drawn += [
        (text, *(rgb_of(colour) for colour in colours))
        for text, *colours in chart.evaluate(_LABELS)
    ]
    return [
        f"{text!r} has a contrast of {contrast(ink, ground):.1f}"
        for text, ink, ground in drawn
        if contrast(ink, ground) < 4.5
    ]


def rgb_of(colour):
    """Shares of red, green and blue of a computed colour."""
    return [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]


# [text, its colour, the colour of what it stands on] for labels and number boxes.
_LABELS = """chart => [...chart.querySelectorAll(".vega-bind-name, [type=number]")]
    .map((label) => {
        const ground = (e) => getComputedStyle(e).backgroundColor;
        let under = label;
        while (under && /, 0\\)$|transparent/.test(ground(under)))
            under = under.parentElement;
        const blank = document.body.appendChild(document.createElement("i"));
        blank.style.backgroundColor = "Canvas";
        const said = label.textContent || label.value;
        const found = [said, getComputedStyle(label).color, ground(under || blank)];
        blank.remove();
        return found;
    })"""


# Scroll bars of 15 pixels take part where, as here, the browser draws them over.
_ROOM = "e => e.closest('.jp-OutputArea-output').clientWidth - 15"


def too_wide(chart):
    """Whether a chart scrolls sideways."""
    room = chart.evaluate(_ROOM)
    wide = chart.query_selector("canvas").bounding_box()["width"]
    return [f"{wide:.0f} of {room} pixels wide"] * (wide > room)


def too_high(chart):
    """Whether a chart and its controls are not seen together on a low screen.

    On one of 720 pixels, 590 are the notebook's.
    """
    high = chart.bounding_box()["height"]
    return [f"{high:.0f} pixels high"] * (high > 590)


def undrawn_or_unmoved(desk):
    """What is wrong with the pictures and charts of a notebook, and their controls."""
    problems = []
    for number, cell in enumerate(desk.cells()):
        shown = [output.get("data", {}) for output in cell["outputs"]]
        charts = [data[VEGA] for data in shown if VEGA in data]
        pictures = [data for data in shown if "image/png" in data and VEGA not in data]
        if pictures:
            images = desk.show(number, "img")
            problems += undrawn(cell, images, len(pictures))
            said = [image.get_attribute("alt") for image in images]
            if said != [data["text/plain"] for data in pictures]:
                problems.append(f"{cell['source']}: the text alternative is {said}")
        if charts:
            drawn = desk.show(number, ".vega-embed")
            canvases = [chart.query_selector("canvas") for chart in drawn]
            problems += undrawn(cell, canvases, len(charts))
            for chart, spec in zip(drawn, charts, strict=False):
                still = unmoved(desk, number, chart, spec)
                problems += [f"{cell['source']}: {what}" for what in still]
    return problems


def is_own(error, own):
    """Whether an application complains about itself: its debugger, on a restart."""
    return error in own or error.startswith("Could not restore the debugger state")


def undrawn(cell, pictures, expected):
    """What is wrong with the pictures of a cell: too few, no size, nothing on them."""
    if len(pictures) != expected:
        return [f"{cell['source']}: {len(pictures)} of {expected} are drawn"]
    return [
        f"{cell['source']}: blank"
        for share, colours in map(ink, pictures)
        if share < 0.01 or colours < 4
    ]


def unmoved(desk, number, chart, spec):
    """What is wrong with the controls of a chart: each is used by pointer and by keys."""
    page, problems = desk.page, []

    def tried(what, act):
        before = drawing(chart)
        act()
        for _ in range(60):
            if drawing(chart) != before:
                return
            page.wait_for_timeout(50)
        problems.append(f"{what} changes nothing")

    controls = chart.query_selector_all("input, select")
    # A control may work on some choices of an earlier one only: begin with the last.
    for place, control in reversed(list(enumerate(controls))):
        name = f"{control.get_attribute('name')} ({control.get_attribute('type')})"
        control.scroll_into_view_if_needed()
        if is_slider(control):
            tried(f"dragging {name}", partial(drag, page, control))
        desk.select(number)
        if not reached(page, control, len(controls)):
            problems.append(f"Tab does not reach {name}")
            control.focus()
        problems += [f"{name}: {what}" for what in strayed(desk)]
        if is_slider(control):
            tried(f"an arrow key in {name}", partial(page.keyboard.press, "ArrowLeft"))
        else:
            problems += untyped(page, chart, controls[place - 1], control)
    events = [parameter.get("select", {}).get("on") for parameter in parameters(spec)]
    if {"pointerover", "mouseover"} & set(events):
        tried("pointing", partial(sweep, page, chart))
    return problems


def is_slider(control):
    """Whether a control is dragged."""
    return control.get_attribute("type").lower() == "range"


def strayed(desk):
    """What the keys of a control in focus do to the notebook: nothing, it is hoped."""
    before = desk.state()
    for key in (*ascii_lowercase, *"dd", "Delete", "Enter", "ArrowUp", "Home", "End"):
        desk.page.keyboard.press(key)
    if desk.state() == before:
        return []
    return ["its keys change the notebook"]


def untyped(page, chart, slider, box):
    """What is wrong with a number box: box, slider and drawing should say one number."""
    low, high = (int(box.get_attribute(end)) for end in ("min", "max"))
    typed = low + round(0.37 * (high - low))
    problems = []
    for text, number in ((str(typed), typed), ("", typed), (f"{high}7", high)):
        if slider.input_value() != str(number):  # else nothing is drawn anew
            forget_texts(page)
        box.focus()
        page.keyboard.press("Control+a")
        page.keyboard.press("Backspace")
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        for _ in range(60):  # a busy machine draws late
            page.wait_for_timeout(50)
            shown = [control.input_value() for control in (slider, box)]
            agree = shown == [str(number)] * 2
            said = any(number in numbers_in(t) for t in texts(page, chart))
            if agree and (said or not text):
                break
        if not agree:
            problems.append(f"{text!r} typed for {number}: slider and box say {shown}")
        if text and not said:
            problems.append(f"{text!r} typed: the drawing does not say {number}")
    return problems


def numbers_in(text):
    """The whole numbers that a text names."""
    plain = text.replace("\u2212", "-").replace(",", "")
    return {int(n) for n in re.findall(r"(?<![\d.])-?\d+(?![\d.])", plain)}


def drag(page, slider):
    """Take the thumb of a slider and pull it over, as a hand does."""
    box = slider.bounding_box()
    low, high, value = (
        float(slider.evaluate(f"input => input.{name}"))
        for name in ("min", "max", "value")
    )
    middle = box["y"] + box["height"] / 2
    thumb = 8 + (box["width"] - 16) * (value - low) / (high - low)
    page.mouse.move(box["x"] + thumb, middle)
    page.mouse.down()
    # To the other side: a slider with few stops may stand at its end.
    other = 0.15 if value > (low + high) / 2 else 0.8
    page.mouse.move(box["x"] + other * box["width"], middle, steps=4)
    page.mouse.up()


def sweep(page, chart):
    """Move the pointer across the middle of a chart."""
    canvas = chart.query_selector("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    for part in range(1, 40):
        page.mouse.move(
            box["x"] + part / 40 * box["width"], box["y"] + 0.4 * box["height"]
        )
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.4 * box["height"])


def reached(page, control, controls):
    """Whether the Tab key leads from the active cell to a control."""
    for _ in range(controls + 25):
        page.keyboard.press("Tab")
        if control.evaluate("control => control === document.activeElement"):
            return True
    return False


def unhelpful(desk, stem):
    """What is wrong with the feedback, the hint and the solution, typed for."""
    area = EXERCISES_OF[stem]
    module = importlib.import_module(f"helpers.exercises.{area}")
    name, mistake, wrong = WRONG[stem]
    exercise = getattr(module, name)
    wrong = textwrap.dedent(wrong).strip()
    names = {"np": np, "torch": torch}
    exec(wrong, names)
    expected = exercise.judge(names[exercise.reference.__name__])
    assert expected.mistake == mistake

    problems = []
    stub = desk.find(exercise.stub)
    desk.write(stub, wrong)
    said = desk.run(stub + 1)
    if [spoken(output) for output in said] != [repr(expected)]:
        problems.append(f"{name}: the feedback is {said}")
    if "Not yet." not in desk.text(stub + 1):
        problems.append(f"{name}: no feedback to be seen")
    call = f"{area}.{name}"
    desk.write(stub + 2, f"{call}.hint()\n{call}.solution()")
    seen = desk.text(stub + 2)
    for part in ("Hint 1 of", f"{exercise.reference.__name__}("):
        if part not in seen:
            problems.append(f"{name}: {part!r} is not to be seen")
    question = next(task for task in module.EXERCISES if isinstance(task, Question))
    letter = next(key for key, choice in question.choices.items() if not choice.right)
    expected = question.judge(letter)
    cell = desk.find(f"{area}.{question.name}.check(...)")
    said = desk.write(cell, f'{area}.{question.name}.check("{letter}")')
    if [spoken(output) for output in said] != [repr(expected)]:
        problems.append(f"{question.name}: the feedback is {said}")
    if "Not yet." not in desk.text(cell):
        problems.append(f"{question.name}: no feedback to be seen")
    return problems
