"""The renderer: charts that draw in JupyterLab without network, or stand still.

JupyterLab draws Vega-Lite 5 and has no entry for Altair's version 6, so the
specification is relabelled; the features used here are common to both. Beside it goes
a PNG for readers whose page runs no scripts. Charts are drawn as SVG without paper, in
the ink of the text around them: so they follow the page's theme, also when it changes.
"""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

# A grammar for addresses, which nothing here asks for: two thirds of Altair's import.
sys.modules.setdefault("rfc3987_syntax", None)

import altair as alt  # noqa: E402
from IPython import get_ipython  # noqa: E402
from PIL import Image  # noqa: E402

from helpers import measuring  # noqa: E402
from helpers.draw.controls import wired  # noqa: E402
from helpers.draw.look import INK, LIFTED, PAPER, VEGA_LITE, VEGA_MIME, small  # noqa: E402

PAGE_INK = "currentColor"  # of SVG: the colour of the text around the chart
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# Rows of controls above the chart, so that both are seen at a time: in the first column
# what it is, then the slider or the buttons, the number at the end.
_CSS = Path(__file__).parent / "theme" / "charts.css"
STYLE = "\n" + _CSS.read_text(encoding="utf-8")
STYLE += "".join(
    f'.vega-embed svg [{part}="{usual}"]{{{part}:light-dark({usual},{lifted})}}\n'
    for usual, lifted in LIFTED.items()
    for part in ("fill", "stroke")
)
# Pixels of a page beside a chart: of JupyterLab with its side bars folded, of a phone.
ROOM = "windowSize()[0] - (windowSize()[0] < 700 ? 40 : 215)"
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
    image = png(spec)
    with Image.open(io.BytesIO(image)) as picture:
        size = {"width": picture.width // 2, "height": picture.height // 2}
    spec["usermeta"]["embedOptions"].setdefault("patch", _fitted(spec, size["width"]))
    data = {VEGA_MIME: spec, "image/png": image, "text/plain": description}
    style = {"embed_options": {"defaultStyle": STYLE}}
    return data, {VEGA_MIME: style, "image/png": {"alt": description, **size}}


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

    if "params" in spec:
        spec = spec | {"params": wired(spec["params"])}
    text = _COUNTED.sub(renumbered, json.dumps(spec))
    spec = json.loads(text, parse_float=_as_saved)
    spec["$schema"] = _SCHEMA
    # The menu beside a chart leads out of the room, and takes 38 pixels.
    options = {"actions": False, "renderer": "svg"}
    spec["usermeta"] = {"embedOptions": options | spec.get("usermeta", {})}
    return spec


def _fitted(spec, wide):
    """Where a chart of so many pixels finds no room, what changes in it, for vega-embed.

    At 150 % zoom for instance, charts side by side come one below the other, and a
    single one shrinks; a JSON patch says so for the compiled chart, since Vega-Lite
    cannot. What is made of rows fits as it is. A chart may bring a patch of its own, as
    ``usermeta``.
    """
    if "hconcat" in spec:
        columns = f"{ROOM} < {wide} ? 1 : {len(spec['hconcat'])}"
        patch = {"path": "/layout/columns", "value": {"signal": columns}}
        return [{"op": "add", **patch}]
    if "width" in spec:
        around = wide - spec["width"] + 20  # and 20 for wider fonts
        fits = f"clamp({ROOM} - {around}, 200, {spec['width']})"
        return [resized(spec, "width", fits)]
    return []


def resized(spec, side, expression):
    """A patch that gives a chart a ``width`` or ``height`` that depends on the window."""
    own = {"name": side, "value": spec[side], "update": expression}
    if "params" in spec:
        return {"op": "add", "path": "/signals/-", "value": own}
    return {"op": "add", "path": "/signals", "value": [own]}


def png(spec):
    """The chart at rest, as PNG bytes, two dots for each point of the page."""
    still = json.dumps(spec | {"background": PAPER}).replace(PAGE_INK, INK)
    with Image.open(io.BytesIO(_drawn(still))) as picture:
        return small(picture.convert("RGB"), "png")


def _drawn(text):
    """The specification as a large PNG, from a process of its own.

    The engine that draws would stay in the student's kernel, with 70 to 100 MiB, for
    one picture. It starts no slower elsewhere.
    """
    return subprocess.run(
        [sys.executable, "-P", "-c", _DRAWS, VEGA_LITE],
        input=text.encode(),
        stdout=subprocess.PIPE,
        check=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # on Windows
    ).stdout


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
    numbers = frame.select_dtypes(["number", "bool"])
    parse = {name: "number" if name in numbers else "string" for name in frame}
    # Adding zero turns -0.0 into 0.0, which differs between processors.
    frame = frame.assign(**(numbers.round(6) + 0))
    text = frame.to_csv(index=False, lineterminator="\n", float_format="%.6g")
    form = alt.CsvDataFormat(type="csv", parse=parse)
    return alt.InlineData(values=text, format=form)


def _as_saved(digits):
    number = float(digits)
    return int(number) if number.is_integer() else number


def _theme():
    ink = {"labelColor": PAGE_INK, "titleColor": PAGE_INK}
    line = {"domainColor": PAGE_INK, "tickColor": PAGE_INK, "gridColor": PAGE_INK}
    faint = {"domainOpacity": 0.5, "tickOpacity": 0.5, "gridOpacity": 0.14}
    sizes = {"labelFontSize": 12, "titleFontSize": 13, "titleFontWeight": "normal"}
    title = {"color": PAGE_INK, "subtitleColor": PAGE_INK, "fontSize": 14}
    guide = {"fill": PAGE_INK, "fontSize": 12}
    return {
        "config": {
            "background": "transparent",
            "view": {"stroke": None},
            "style": {"guide-label": guide, "guide-title": guide},
            "text": {"color": PAGE_INK, "fontSize": 12},
            "axis": ink | line | faint | sizes,
            "legend": ink | sizes | {"titleFontSize": 12},
            "title": title | {"anchor": "start"},
        }
    }
