"""The renderer: charts that draw in JupyterLab without network, or stand still.

JupyterLab draws Vega-Lite 5 and has no entry for Altair's version 6, so the
specification is relabelled; the features used here are common to both. In a notebook
that is executed for its file, a PNG goes beside it for pages that run no scripts. In
Colab and Kaggle, a chart is Altair's own HTML, which fetches Vega from the web.

Charts are drawn as SVG without paper, in the ink of the text around them: so they
follow the page's theme, also when it changes.
"""

import io
import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

# A grammar for addresses, which nothing here asks for: two thirds of Altair's import.
# With it, the first cell of 01 takes 5.5 times as long as IPython with NumPy and pandas,
# without it twice.
sys.modules.setdefault("rfc3987_syntax", None)

import altair as alt  # noqa: E402
from PIL import Image  # noqa: E402

from helpers.draw.controls import unpacked  # noqa: E402
from helpers.draw.frontend import HOSTED, STORED, frontend  # noqa: E402
from helpers.draw.look import INK, ON_DARK, PAPER, VEGA_LITE, VEGA_MIME, as_png  # noqa: E402

PAGE_INK = "currentColor"  # of SVG: the colour of the text around the chart
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# Rows of controls above the chart, so that both are seen at a time: in the first column
# what it is, then the slider or the buttons, the number at the end.
_CSS = Path(__file__).parent / "theme" / "charts.css"
STYLE = "\n" + _CSS.read_text(encoding="utf-8")
STYLE += "".join(
    f'.vega-embed svg [{part}="{usual}"]{{{part}:light-dark({usual},{lifted})}}\n'
    for usual, lifted in ON_DARK.items()
    for part in ("fill", "stroke")
)
# Pixels of a page beside a chart: of JupyterLab with its side bars folded, of a phone.
PAGE_WIDTH = "windowSize()[0] - (windowSize()[0] < 700 ? 40 : 215)"
# What axes and a legend leave of it for a plot. On a phone, the page shrinks the rest.
_PLOT_WIDTH = "windowSize()[0] - (windowSize()[0] < 700 ? 130 : 365)"
_GUIDES = 120  # pixels that axes and legends take beside plots in a row
_COUNTED = re.compile(r'(?<=")(view|param|concat|layer)_(\d+)(?=[_"])')


def use():
    """Show charts with this renderer from now on, with the series' look."""
    alt.renderers.register("lesson", bundle)
    alt.renderers.enable("lesson")
    alt.theme.register("lesson", enable=True)(_theme)


def bundle(spec, **_):
    """A chart's MIME bundle for where it is seen, and its description as text.

    Raises ValueError for a chart without ``description``: it is the text alternative.
    """
    own_schema = spec["$schema"]
    spec = portable(spec)
    description = spec.get("description")
    if not description:
        raise ValueError("a chart needs a description: its text alternative")
    options = spec["usermeta"]["embedOptions"]
    if "patch" not in options:
        options["patch"] = _fitted(spec)
    where = frontend()
    style = {"defaultStyle": STYLE}
    if where == HOSTED:
        with alt.renderers.enable("html", embed_options=style):
            html = alt.renderers.get()(spec | {"$schema": own_schema})
        return html | {"text/plain": description}, {}
    data = {VEGA_MIME: spec, "text/plain": description}
    metadata = {VEGA_MIME: {"embed_options": style}}
    if where == STORED and find_spec("vl_convert"):
        data["image/png"], size = _still(spec)
        metadata["image/png"] = {"alt": description, **size}
    return data, metadata


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
        spec = spec | {"params": unpacked(spec["params"])}
    spec = json.loads(_COUNTED.sub(renumbered, json.dumps(spec)), parse_float=_as_saved)
    spec["$schema"] = _SCHEMA
    # The menu beside a chart leads out of the room, and takes 38 pixels.
    spec["usermeta"] = {
        "embedOptions": {"actions": False, "renderer": "svg"} | spec.get("usermeta", {})
    }
    return spec


def _fitted(spec):
    """Where a chart finds no room, what changes in it, for vega-embed.

    At 150 % zoom for instance, charts side by side come one below the other, and a
    single one shrinks; a JSON patch says so for the compiled chart, since Vega-Lite
    cannot. What is made of rows fits as it is. A chart may bring a patch of its own, as
    ``usermeta``.
    """
    if "hconcat" in spec:
        # 200 is Vega-Lite's own width.
        wide = sum(part.get("width", 200) for part in spec["hconcat"]) + _GUIDES
        columns = f"{PAGE_WIDTH} < {wide} ? 1 : {len(spec['hconcat'])}"
        patch = {"path": "/layout/columns", "value": {"signal": columns}}
        return [{"op": "add", **patch}]
    if "width" in spec:
        return [resized(spec, "width", f"clamp({_PLOT_WIDTH}, 200, {spec['width']})")]
    return []


def resized(spec, side, expression):
    """A patch that gives a chart a ``width`` or ``height`` that depends on the window."""
    own = {"name": side, "value": spec[side], "update": expression}
    if "params" in spec:
        return {"op": "add", "path": "/signals/-", "value": own}
    return {"op": "add", "path": "/signals", "value": [own]}


def _still(spec):
    """The chart at rest as PNG bytes, and its size in pixels of the page."""
    import vl_convert

    sharpness = 2
    text = json.dumps(spec | {"background": PAPER}).replace(PAGE_INK, INK)
    drawn = vl_convert.vegalite_to_png(text, vl_version=VEGA_LITE, scale=sharpness)
    with Image.open(io.BytesIO(drawn)) as picture:
        size = {"width": picture.width, "height": picture.height}
        size = {side: pixels // sharpness for side, pixels in size.items()}
        return as_png(picture.convert("RGB")), size


def data(frame):
    """A DataFrame as compact inline data, rounded to six decimals, types stated.

    One line of CSV a row instead of one line of JSON a value: a tenth of the file.
    """
    numbers = frame.select_dtypes(["number", "bool"])
    parse = {name: "number" if name in numbers else "string" for name in frame}
    # Adding zero turns -0.0 into 0.0, which differs between processors.
    frame = frame.assign(**(numbers.round(6) + 0))
    return alt.InlineData(
        values=frame.to_csv(index=False, lineterminator="\n", float_format="%.6g"),
        format=alt.CsvDataFormat(type="csv", parse=parse),
    )


def _as_saved(digits):
    number = float(digits)
    return int(number) if number.is_integer() else number


def _theme():
    ink = {"labelColor": PAGE_INK, "titleColor": PAGE_INK}
    line = {"domainColor": PAGE_INK, "tickColor": PAGE_INK, "gridColor": PAGE_INK}
    faint = {"domainOpacity": 0.5, "tickOpacity": 0.5, "gridOpacity": 0.14}
    sizes = {"labelFontSize": 12, "titleFontSize": 13, "titleFontWeight": "normal"}
    title = {"color": PAGE_INK, "subtitleColor": PAGE_INK, "fontSize": 15}
    guide = {"fill": PAGE_INK, "fontSize": 12}
    return {
        "config": {
            "background": "transparent",
            # A screen reader hears the description and what is written, not each mark.
            "aria": False,
            "mark": {"aria": False},
            # Matplotlib's, so that charts and pictures look alike; Verdana is as wide.
            "font": "DejaVu Sans, Verdana, sans-serif",
            "view": {"stroke": None},
            "style": {"guide-label": guide, "guide-title": guide},
            "text": {"color": PAGE_INK, "fontSize": 12, "aria": True},
            "axis": ink | line | faint | sizes,
            "legend": ink | sizes | {"titleFontSize": 12},
            "title": title | {"anchor": "start", "frame": "bounds"},
        }
    }
