"""What a step of a slider, or a frame of Play, costs on the site's pages."""

import json
import tempfile
from pathlib import Path

from stored import NOTEBOOKS
from visits import chromium

from helpers.publish import site

STEPS = 30
_TASKS = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
_STEP = """([slider, value]) => new Promise(done => {
    if (slider) {
        slider.value = value;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
    }
    requestAnimationFrame(() => setTimeout(done, 0));
})"""


def measured():
    """(notebook, control, milliseconds) for each slider and each Play.

    What the page's thread computes in a step, style and layout included: the mean of 30
    after some that compile, by the thread's own clock, so that other load hardly counts.
    Raises NoBrowser where there is none.
    """
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        site.build(Path(folder))
        for stem in (path.stem for path in NOTEBOOKS):
            page = browser.new_page(viewport={"width": 1280, "height": 1000})
            page.goto((Path(folder) / f"{stem}.html").as_uri())
            page.evaluate(
                "document.querySelectorAll('details').forEach(d => d.open = 1)"
            )
            for chart in page.query_selector_all("figure.chart"):
                chart.scroll_into_view_if_needed()
                page.wait_for_function("e => e.classList.contains('drawn')", arg=chart)
                for name, milliseconds in _chart(page, chart):
                    yield stem, name, milliseconds
            page.close()


def _chart(page, chart):
    browser = page.context.browser

    def taken(values, slider=None):
        for value in values[:6]:
            page.evaluate(_STEP, [slider, value])
        browser.start_tracing(page=page, categories=_TASKS)
        for value in values[6:]:
            page.evaluate(_STEP, [slider, value])
        events = json.loads(browser.stop_tracing())["traceEvents"]
        named = [e for e in events if e["name"] == "thread_name"]
        main = {e["tid"] for e in named if e["args"]["name"] == "CrRendererMain"}
        tasks = [e for e in events if e["name"] == "RunTask" and e["tid"] in main]
        return sum(e.get("tdur", 0) for e in tasks) / 1e3 / STEPS

    for slider in chart.query_selector_all("input[type=range]"):
        low, high = (int(slider.get_attribute(end)) for end in ("min", "max"))
        stride = max(
            1, round((high - low + 1) * 7 / STEPS)
        )  # never the same stop twice
        stops = [low + n * stride % (high - low + 1) for n in range(STEPS + 6)]
        yield slider.get_attribute("name").removesuffix("_drag"), taken(stops, slider)
    for button in chart.query_selector_all("input[name$=_play]"):
        button.click()
        yield "a frame of Play", taken([None] * (STEPS + 6))
