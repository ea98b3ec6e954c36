"""The renderer: charts that draw in JupyterLab without network, or stand still.

JupyterLab draws Vega-Lite 5 and has no entry for Altair's version 6, so the
specification is relabelled; the features used here are common to both. Beside it goes
a PNG for readers whose page runs no scripts.
"""

import io
import json
import re
import subprocess
import sys

import altair as alt
from IPython import get_ipython
from PIL import Image

from helpers import measuring
from helpers.explore.controls import wired
from helpers.look import GRID, INK, MUTED, VEGA_LITE, VEGA_MIME, small

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# The controls stand in rows above the chart, so that both are seen at a time.
_STYLE = (
    ".vega-embed{display:inline-flex;flex-flow:column;align-items:start;max-width:100%}"
    ".vega-bindings{order:-1;display:flex;flex-wrap:wrap;gap:2px 20px;margin:4px 0}"
    ".vega-bindings{max-width:62em}"
    ".vega-bind,.vega-bind label{display:flex;align-items:center;gap:6px;max-width:100%}"
    ".vega-bind-name{flex:none}.vega-bind input[type=range]{min-width:4em}"
)
# Pixels of JupyterLab beside a chart, its side bars folded, and of wider fonts in it.
_AROUND, _LETTERS = 215, 20
_COUNTED = re.compile(r'(?<=")(view|param|concat|layer)_(\d+)(?=[_"])')


def use():
    """Show charts with this renderer from now on, with the series' look.

    In a notebook, each cell then gives back the memory that it no longer needs: many
    kernels share a machine.
    """
    alt.renderers.register("lesson", bundle)
    alt.renderers.enable("lesson")
    alt.theme.register("lesson", enable=True)(_theme)
    if shell := get_ipython():
        shell.events.register("post_run_cell", _after_cell)


def _after_cell(_result):
    measuring.return_free_memory()


def bundle(spec, **_):
    """A chart's MIME bundle: Vega-Lite 5, a PNG, and its description as text.

    Raises ValueError for a chart without ``description``: it is the text alternative.
    """
    spec = portable(spec)
    description = spec.get("description")
    if not description:
        raise ValueError("a chart needs a description: its text alternative")
    size = {"width": None, "height": None}
    image = png(spec)
    with Image.open(io.BytesIO(image)) as picture:
        size = {"width": picture.width // 2, "height": picture.height // 2}
    data = {VEGA_MIME: spec, "image/png": image, "text/plain": description}
    return data, {
        VEGA_MIME: {"embed_options": _fitted(spec, size["width"])},
        "image/png": {"alt": description, **size},
    }


def portable(spec):
    """The specification as version 5, the same bytes whenever it is drawn.

    Altair numbers views and parameters by how many charts came before; here they
    count from one in each chart. Whole floats become integers, as JupyterLab writes
    them when it saves.
    """
    numbers = {}

    def renumbered(match):
        kind, number = match.groups()
        found = numbers.setdefault((kind, number), len(numbers) + 1)
        return f"{kind}_{found}"

    spec = json.loads(_COUNTED.sub(renumbered, json.dumps(spec)))
    spec["$schema"] = _SCHEMA
    # The menu beside a chart leads out of the room, and takes 38 pixels.
    spec["usermeta"] = {"embedOptions": {"actions": False}}
    if "params" in spec:
        spec["params"] = wired(spec["params"])
    return _whole_numbers_as_integers(spec)


def _fitted(spec, wide):
    """Options of vega-embed: the look of the controls, and how a chart fits.

    In a window that is too narrow for its ``wide`` pixels, at 150 % zoom for instance,
    charts side by side come one below the other, and a single one shrinks; a JSON patch
    says so for the compiled chart, since Vega-Lite cannot. What is made of rows fits
    as it is.
    """
    options = {"defaultStyle": _STYLE}
    room = f"windowSize()[0] - {_AROUND}"
    if "hconcat" in spec:
        path, signal = (
            "/layout/columns",
            f"{room} < {wide} ? 1 : {len(spec['hconcat'])}",
        )
    elif "width" in spec:
        own = spec["width"]
        path, signal = "/width", f"clamp({room} - {wide - own + _LETTERS}, 200, {own})"
    else:
        return options
    return options | {
        "patch": [{"op": "add", "path": path, "value": {"signal": signal}}]
    }


def png(spec):
    """The chart at rest, as PNG bytes, two dots for each point of the page."""
    with Image.open(io.BytesIO(_drawn(json.dumps(spec)))) as picture:
        return small(picture.convert("RGB"), "png")


def _drawn(text):
    """The specification as a large PNG, from a process of its own.

    The engine that draws would stay in the student's kernel, with 70 to 100 MiB, for
    one picture. It starts no slower elsewhere.
    """
    command = [sys.executable, "-P", "-c", _DRAWS, VEGA_LITE]
    quiet = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows
    try:
        done = subprocess.run(
            command,
            input=text.encode(),
            capture_output=True,
            check=True,
            timeout=60,
            creationflags=quiet,
        )
        return done.stdout
    except (OSError, subprocess.SubprocessError):
        # No further process may be started here, say: draw in this one.
        import vl_convert

        return vl_convert.vegalite_to_png(text, vl_version=VEGA_LITE, scale=2)


_DRAWS = """
import sys, vl_convert
text = sys.stdin.buffer.read().decode()
png = vl_convert.vegalite_to_png(text, vl_version=sys.argv[1], scale=2)
sys.stdout.buffer.write(png)
"""


def data(frame):
    """A DataFrame as compact inline data, rounded to six decimals, types stated.

    One line of CSV a row instead of one line of JSON a value: a tenth of the file.
    """
    parse = {
        name: "number" if kind.kind in "iufb" else "string"
        for name, kind in frame.dtypes.items()
    }
    # Adding zero turns -0.0 into 0.0, which differs between processors.
    numbers = [name for name, kind in parse.items() if kind == "number"]
    frame = frame.assign(**{name: frame[name].round(6) + 0 for name in numbers})
    text = frame.to_csv(index=False, lineterminator="\n", float_format="%.6g")
    return alt.InlineData(
        values=text, format=alt.CsvDataFormat(type="csv", parse=parse)
    )


def _whole_numbers_as_integers(node):
    if isinstance(node, dict):
        return {key: _whole_numbers_as_integers(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_whole_numbers_as_integers(value) for value in node]
    if isinstance(node, float) and node.is_integer():
        return int(node)
    return node


def _theme():
    text = {"fill": INK, "fontSize": 12}
    axis = {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 12,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "gridColor": GRID,
        "domainColor": MUTED,
        "tickColor": MUTED,
    }
    legend = {"labelColor": INK, "titleColor": INK}
    return {
        "config": {
            # JupyterLab's dark theme brings white text; the paper stays white.
            "background": "white",
            "view": {"stroke": None},
            "style": {"guide-label": text, "guide-title": text},
            "axis": axis,
            "legend": legend | {"labelFontSize": 12, "titleFontSize": 12},
            "title": {"fontSize": 14, "anchor": "start", "color": INK},
        }
    }
