"""What a step of a control, or of the pointer, costs in JupyterLab."""

import shutil
import tempfile
from pathlib import Path
from statistics import median

from desk import VEGA, Desk, Server, drawing
from stored import NOTEBOOKS
from visits import chromium

STEPS = 30
_STEP = """async ([slider, value]) => {
    if (slider) {
        slider.value = value;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
    }
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
}"""


def measured():
    """(notebook, control or "pointer", median and longest step in ms, what changed).

    One for each slider and each chart under the pointer, in the notebooks as they are
    stored. A step is the time that the page's main thread works, by its own clock:
    script and painting, without waiting for the next frame, and less what a page
    without a step does. The last is the share of steps that changed the drawing.
    Raises NoBrowser where there is none.
    """
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        for path in NOTEBOOKS:
            shutil.copy(path, folder)
        server = Server("lab", folder, Path(folder) / "settings")
        try:
            for path in NOTEBOOKS:
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
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked():
        named = session.send("Performance.getMetrics")["metrics"]
        return 1e3 * next(m["value"] for m in named if m["name"] == "TaskDuration")

    def taken(chart, step):
        """(median, longest, share that changed) of a step, less the page's own work."""
        own, times, changed, before = [], [], 0, drawing(chart)
        for number in range(STEPS):
            for kept, act in ((own, lambda _: _wait(page)), (times, step)):
                page.wait_for_timeout(20)
                start = worked()
                act(number)
                kept.append(worked() - start)
            changed += drawing(chart) != before
            before = drawing(chart)
        page_itself = median(own)
        return (
            max(median(times) - page_itself, 0),
            max(max(times) - page_itself, 0),
            changed / STEPS,
        )

    for number, cell in enumerate(desk.cells()):
        if not any(VEGA in output.get("data", {}) for output in cell["outputs"]):
            continue
        for chart in desk.show(number, ".vega-embed"):
            for slider in chart.query_selector_all("input[type=range]"):
                step = _dragging(page, slider)
                name = slider.get_attribute("name").removesuffix("_drag")
                yield stem, name, *taken(chart, step)
            yield stem, "pointer", *taken(chart, _pointing(page, chart))


def _wait(page):
    page.evaluate(_STEP, [None, None])


def _dragging(page, slider):
    low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))

    def step(number):
        share = (number * 7 + 3) % STEPS / STEPS
        page.evaluate(_STEP, [slider, str(round(low + (high - low) * share))])

    return step


def _pointing(page, chart):
    canvas = chart.query_selector("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()

    def step(number):
        share = 0.1 + 0.7 * number / STEPS
        page.mouse.move(
            box["x"] + share * box["width"], box["y"] + 0.45 * box["height"]
        )
        _wait(page)

    return step
