"""What a step of a control, of the pointer or of Play costs in JupyterLab."""

import json
import shutil
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median

from controls import drawing
from desk import VEGA, Desk, Server
from stored import NOTEBOOKS
from visits import chromium

STEPS, LOOKS = 30, 10
# By a timer: of what a debugger's call does, the trace does not tell.
_STEP = """([slider, value]) => new Promise(done => setTimeout(() => {
    if (slider) {
        slider.value = value;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
    }
    requestAnimationFrame(() => setTimeout(done, 0));
}, 0))"""


def measured(notebooks=NOTEBOOKS):
    """(notebook, control or "pointer", median, longest, what changed).

    One for each slider and each chart under the pointer, in the notebooks as they are
    stored: milliseconds that script runs in a step, of 30 after a first round, which
    compiles. It is the main thread's own clock, so that other load hardly counts; no
    painting, no waiting for a frame. The last is the share of the first round's steps
    that changed the drawing. Raises NoBrowser where there is none.
    """
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        for path in notebooks:
            shutil.copy(path, folder)
        server = Server("lab", folder, Path(folder) / "settings")
        try:
            for path in notebooks:
                with browser.new_context(
                    viewport={"width": 1280, "height": 1000}
                ) as context:
                    desk = Desk(context.new_page(), server, path.stem)
                    yield from _charts(desk, path.stem)
                    desk.close()
        finally:
            server.stop()


def _charts(desk, stem):
    page = desk.page
    browser = page.context.browser

    session = page.context.new_cdp_session(page)

    def taken(chart, step):
        # Not in the same round: copies of the drawing leave the page much to tidy up.
        seen = [drawing(chart)]
        for number in range(LOOKS):
            step(number)
            seen.append(drawing(chart))
        changed = sum(one != other for one, other in pairwise(seen))
        session.send("HeapProfiler.collectGarbage")
        browser.start_tracing(page=page, categories=["devtools.timeline", _MARKS])
        for number in range(STEPS):
            page.evaluate("n => { performance.mark(`step ${n}`); }", number)
            step(number)
            page.evaluate("() => { performance.mark('over'); }")
        times = _script(json.loads(browser.stop_tracing())["traceEvents"])
        assert len(times) == STEPS
        return median(times), max(times), changed / LOOKS

    for number, cell in enumerate(desk.cells()):
        if not any(VEGA in output.get("data", {}) for output in cell["outputs"]):
            continue
        for chart in desk.show(number, ".vega-embed"):
            for slider in chart.query_selector_all("input[type=range]"):
                step = _dragging(page, slider)
                name = slider.get_attribute("name").removesuffix("_drag")
                yield stem, name, *taken(chart, step)
            yield stem, "pointer", *taken(chart, _pointing(page, chart))
            for button in chart.query_selector_all("input[name$=_play]"):
                button.click()
                yield stem, "a frame of Play", *taken(chart, lambda _: _wait(page))


_MARKS = "blink.user_timing"
_SCRIPT = {
    "EvaluateScript",
    "EventDispatch",
    "FireAnimationFrame",
    "FunctionCall",
    "RunMicrotasks",
    "TimerFire",
    "v8.callFunction",
}


def _script(events):
    """Milliseconds of script in each step of a trace."""
    marks = [e for e in events if e.get("cat") == _MARKS and e["ph"] in "IR"]
    thread = marks[0]["pid"], marks[0]["tid"]
    runs = [
        e
        for e in events
        if e["name"] in _SCRIPT
        and (e["pid"], e["tid"]) == thread
        and {"ts", "dur", "tdur"} <= e.keys()
    ]
    outer, end = [], 0
    for run in sorted(runs, key=lambda run: (run["ts"], -run["dur"])):
        if run["ts"] >= end:  # else within the one before
            outer.append(run)
            end = run["ts"] + run["dur"]
    marks.sort(key=lambda mark: mark["ts"])
    return [
        sum(r["tdur"] for r in outer if start["ts"] <= r["ts"] < over["ts"]) / 1e3
        for start, over in zip(marks[::2], marks[1::2], strict=True)
    ]


def _wait(page):
    page.evaluate(_STEP, [None, None])


def _dragging(page, slider):
    low, high = (int(slider.get_attribute(end)) for end in ("min", "max"))
    stops = high - low + 1
    stride = max(1, round(stops * 7 / STEPS))  # never the same stop twice in a row

    def step(number):
        page.evaluate(_STEP, [slider, str(low + (number + 1) * stride % stops)])

    return step


def _pointing(page, chart):
    svg = chart.query_selector("svg")
    svg.scroll_into_view_if_needed()
    box = svg.bounding_box()

    def step(number):
        share = 0.1 + 0.7 * number / STEPS
        page.mouse.move(
            box["x"] + share * box["width"], box["y"] + 0.45 * box["height"]
        )
        _wait(page)

    return step
