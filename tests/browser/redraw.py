"""How long a step of a slider takes, in JupyterLab, from the event to the paint."""

import shutil
import tempfile
from pathlib import Path
from statistics import median

from desk import VEGA, Desk, Server
from stored import NOTEBOOKS
from visits import chromium

STEPS = 40
# Every step: tell the slider, wait for the frame after it, read the clock. The pixels
# are compared outside of the time that is taken.
_STEPS = """async ([slider, canvas, steps]) => {
    const painted = () => new Promise(done => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(0);
    }));
    const low = Number(slider.min), high = Number(slider.max), taken = [];
    let changed = 0, before = canvas.toDataURL();
    for (let n = 0; n < steps; n++) {
        slider.value = Math.round(low + (high - low) * ((n * 7 + 3) % steps) / steps);
        await painted();
        const start = performance.now();
        slider.dispatchEvent(new Event("input", {bubbles: true}));
        await painted();
        taken.push(performance.now() - start);
        const after = canvas.toDataURL();
        changed += after !== before;
        before = after;
    }
    return [taken, changed];
}"""


def measured():
    """(notebook, slider, median and longest step in ms, share of steps that changed).

    One for each slider of the series, in the notebooks as they are stored. Raises
    NoBrowser where there is none.
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
                    yield from _sliders(desk, path.stem)
                    desk.close()
        finally:
            server.stop()


def _sliders(desk, stem):
    for number, cell in enumerate(desk.cells()):
        if any(VEGA in output.get("data", {}) for output in cell["outputs"]):
            for chart in desk.show(number, ".vega-embed"):
                canvas = chart.query_selector("canvas")
                for slider in chart.query_selector_all("input[type=range]"):
                    slider.scroll_into_view_if_needed()
                    taken, changed = desk.page.evaluate(_STEPS, [slider, canvas, STEPS])
                    name = slider.get_attribute("name")
                    yield stem, name, median(taken), max(taken), changed / STEPS
