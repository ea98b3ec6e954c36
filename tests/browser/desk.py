"""JupyterLab and Notebook 7 as a student uses them: open, run, look, drag, type."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import suppress

import nbformat
import requests

# In a workspace of its own: the lab would open again what was open last.
APPS = {"lab": "lab/workspaces/{name}/tree", "notebook": "notebooks"}
VEGA = "application/vnd.vegalite.v5+json"

# The notebook in front, in both applications.
_PANEL = "jupyterapp.shell.currentWidget"
_IDLE = f"""() => window.jupyterapp && {_PANEL} && {_PANEL}.content
    && {_PANEL}.sessionContext?.session?.kernel?.status === 'idle'"""
_FINISHED = f"""() => {_PANEL}.content.widgets.every(cell =>
    cell.model.type !== 'code' || !cell.model.sharedModel.source.trim()
    || (cell.model.executionCount !== null && cell.model.executionState === 'idle'))"""
_CELLS = f"""() => [...{_PANEL}.content.widgets].map(cell => ({{
    type: cell.model.type, source: cell.model.sharedModel.source,
    outputs: cell.model.type === 'code' ? cell.model.outputs.toJSON() : []}}))"""
_STATE = f"""() => [{_PANEL}.content.activeCellIndex, {_PANEL}.content.mode,
    ...{_PANEL}.content.widgets.map(cell =>
        [cell.model.type, cell.model.sharedModel.source])]"""
# Every text of a chart and its controls: [text, its colour, the colour that it stands on].
_TEXTS = """chart => {
    const blank = document.body.appendChild(document.createElement("i"));
    blank.style.backgroundColor = "Canvas";
    const canvas = getComputedStyle(blank).backgroundColor;
    blank.remove();
    const seen = (c) => c && c !== "none" && !/, 0\\)$|transparent/.test(c);
    const paper = (e) => {
        for (; e; e = e.parentElement) {
            const colour = getComputedStyle(e).backgroundColor;
            if (seen(colour)) return colour;
        }
        return canvas;
    };
    const below = (text) => {  // only what is on the screen is found
        text.scrollIntoView({block: "nearest", behavior: "instant"});
        const box = text.getBoundingClientRect();
        const at = [box.x + box.width / 2, box.y + box.height / 2];
        for (const e of document.elementsFromPoint(...at)) {
            if (!chart.contains(e)) continue;
            const style = getComputedStyle(e);
            const solid = style.fillOpacity * style.opacity > 0.5;
            const covers = e instanceof SVGGeometryElement && style.fill !== "none";
            if (covers && solid && seen(style.fill)) return style.fill;
        }
        return paper(chart);
    };
    const words = [...chart.querySelectorAll("svg text")]
        .filter((e) => e.textContent.trim());
    const labels = chart.querySelectorAll(".vega-bind-name, [type=number], [type=button]");
    return [
        ...words.map((e) => [e.textContent, getComputedStyle(e).fill, below(e)]),
        ...[...labels].map((e) => [e.textContent || e.value,
                                   getComputedStyle(e).color, paper(e)]),
    ];
}"""


class Server:
    """An application's server for a folder; every kernel with one thread.

    Each application has its own: two in one server exchange the paths of their fonts.
    """

    def __init__(self, app, folder, settings):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.app = app
        self.address, self.token = f"http://127.0.0.1:{port}", "classroom"
        # Nobody's own settings take part.
        own = dict.fromkeys(["JUPYTER_CONFIG_DIR", "IPYTHONDIR"], str(settings))
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyter", app, "--no-browser"),
                *("--ServerApp.allow_root=True", "--ServerApp.ip=127.0.0.1"),
                f"--ServerApp.port={port}",
                f"--ServerApp.root_dir={folder}",
                f"--IdentityProvider.token={self.token}",
                # The tests ask the application itself when it has finished.
                "--LabApp.expose_app_in_browser=True",
                "--JupyterNotebookApp.expose_app_in_browser=True",
                "--LabApp.news_url=None",
            ],
            env={**os.environ, "OMP_NUM_THREADS": "1", **own},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait(60)

    def _wait(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until and self._process.poll() is None:
            with suppress(requests.ConnectionError):
                requests.get(f"{self.address}/api", timeout=5)
                return
            time.sleep(0.2)
        self.stop()
        raise RuntimeError("the Jupyter server did not start")

    def stop(self):
        """End the server and its kernels."""
        self._process.terminate()
        self._process.wait(30)


class Desk:
    """A notebook open in front of a student."""

    def __init__(self, page, server, name):
        self.page = page
        path = APPS[server.app].format(name=name)
        page.goto(f"{server.address}/{path}/{name}.ipynb?token={server.token}")
        page.wait_for_function(_IDLE, timeout=90_000)

    def restart_and_run_all(self):
        """By the menu; returns when every cell has run."""
        page = self.page
        page.click(".lm-MenuBar-item:has-text('Kernel')")
        page.click(".lm-Menu-item:has-text('Restart Kernel and Run All Cells')")
        page.click(".jp-Dialog button.jp-mod-accept")
        page.wait_for_function(_FINISHED, timeout=240_000, polling=250)

    def cells(self):
        """Every cell as a dict: type, source, outputs."""
        return self.page.evaluate(_CELLS)

    def state(self):
        """What keys may change: the cells' texts and kinds, which is active, the mode."""
        return self.page.evaluate(_STATE)

    def show(self, number, selector):
        """Bring a cell to the screen; returns what the selector finds in its output."""
        # Cells above take their true height only when they are drawn: ask again.
        for _ in range(200):
            self.page.evaluate(
                f"async n => {{ await {_PANEL}.content.scrollToItem(n, 'start')"
                ".catch(() => {}); }",
                number,
            )
            self.page.wait_for_timeout(30)
            found = self._cell(number).query_selector_all(f".jp-OutputArea {selector}")
            if found and found[0].is_visible():
                return found
        return []

    def text(self, number):
        """What a cell's output says on the screen."""
        return "\n".join(
            part.inner_text() for part in self.show(number, ".jp-OutputArea-output")
        )

    def _cell(self, number):
        node = f"n => {_PANEL}.content.widgets[n].node"
        return self.page.evaluate_handle(node, number).as_element()

    def select(self, number):
        """Make a cell the active one, in command mode."""
        self.page.evaluate(
            f"async n => {{ const content = {_PANEL}.content;"
            " await content.scrollToItem(n, 'center').catch(() => {});"
            " content.activeCellIndex = n;"
            " content.mode = 'command'; content.activate();"
            " content.widgets[n].node.focus(); }",
            number,
        )

    def write(self, number, source):
        """Replace a cell's source by typing over it, and run it with Shift+Enter."""
        page = self.page
        self.select(number)
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => {_PANEL}.content.mode === 'edit'")
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(source)
        return self.run(number)

    def run(self, number):
        """Press Shift+Enter in the active cell; returns its outputs when it is done."""
        cell = f"{_PANEL}.content.widgets[{number}].model"
        self.page.evaluate(f"() => {{ {cell}.executionCount = null; }}")
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(_FINISHED, timeout=60_000, polling=100)
        return self.page.evaluate(f"() => {cell}.outputs.toJSON()")

    def close(self):
        """End the kernel."""
        self.page.evaluate(f"() => {_PANEL}.sessionContext.shutdown()")


def colours_of_texts(chart):
    """Every text of a chart and its controls as (text, its colour, the colour below)."""

    def shares(colour):
        return [float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]

    return [
        (text, shares(colour), shares(ground))
        for text, colour, ground in chart.evaluate(_TEXTS)
    ]


def gallery(paths):
    """A notebook of every chart that the notebooks store, as JSON."""
    notebook = nbformat.read(paths[0], as_version=4)
    notebook.cells = [
        cell
        for path in paths
        for cell in nbformat.read(path, as_version=4).cells
        if any(VEGA in output.get("data", {}) for output in cell.get("outputs", []))
    ]
    for number, cell in enumerate(notebook.cells):
        cell.id = f"shown-{number}"
    return nbformat.writes(notebook)


def failures(cells):
    """A sentence for each cell that raised or wrote to stderr."""
    return [
        f"{output.get('ename', 'stderr')} in: {cell['source'][:60]}"
        for cell in cells
        for output in cell["outputs"]
        if output["output_type"] == "error" or output.get("name") == "stderr"
    ]
