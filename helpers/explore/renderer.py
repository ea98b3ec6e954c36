"""The renderer: charts that draw in JupyterLab without network, or stand still.

JupyterLab draws Vega-Lite 5 and has no entry for Altair's version 6, so the
specification is relabelled; the features used here are common to both. Beside it goes
a PNG for readers whose page runs no scripts.
"""

import io
import json
import re

import altair as alt
import vl_convert
from PIL import Image

_MIME = "application/vnd.vegalite.v5+json"
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_COUNTED = re.compile(r'(?<=")(view|param|concat|layer)_(\d+)(?=[_"])')


def use():
    """Show charts with this renderer from now on, with the series' look."""
    alt.renderers.register("lesson", bundle)
    alt.renderers.enable("lesson")
    alt.theme.register("lesson", enable=True)(_theme)


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
    data = {_MIME: spec, "image/png": image, "text/plain": description}
    return data, {"image/png": {"alt": description, **size}}


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
    return _whole_numbers_as_integers(spec)


def png(spec):
    """The chart at rest, as PNG bytes of at most 128 colours."""
    drawn = vl_convert.vegalite_to_png(spec, vl_version="5.21", scale=2)
    small = io.BytesIO()
    Image.open(io.BytesIO(drawn)).convert("RGB").quantize(
        128, dither=Image.Dither.NONE
    ).save(small, format="png", optimize=True)
    return small.getvalue()


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


def controls(name, value, low, high, label):
    """Parameters for a whole number that both the pointer and the keyboard move.

    A slider to drag, and a number box whose entry is added (JupyterLab keeps the
    arrow keys from sliders, not from boxes). Returns a list for ``add_params``; the
    expression ``name`` is their sum, kept between ``low`` and ``high``.
    """
    drag, step = f"{name}_drag", f"{name}_step"
    # A number box hands over what was typed, as text.
    total = f"clamp(round({drag} + toNumber({step})), {low}, {high})"
    slider = alt.binding_range(min=low, max=high, step=1, name=f"{label} (drag)  ")
    box = alt.BindInput(input="number", name=f"{label}, plus (type)  ")
    return [
        alt.param(name=drag, value=value, bind=slider),
        alt.param(name=step, value=0, bind=box),
        alt.param(name=name, expr=total),
    ]


def _whole_numbers_as_integers(node):
    if isinstance(node, dict):
        return {key: _whole_numbers_as_integers(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_whole_numbers_as_integers(value) for value in node]
    if isinstance(node, float) and node.is_integer():
        return int(node)
    return node


def _theme():
    ink, muted, grid = "#1B1B1B", "#5F6368", "#D9DCE0"
    axis = {
        "labelColor": ink,
        "titleColor": ink,
        "labelFontSize": 12,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "gridColor": grid,
        "domainColor": muted,
        "tickColor": muted,
    }
    return {
        "config": {
            "background": "white",
            "view": {"stroke": None},
            "axis": axis,
            "legend": {"labelFontSize": 12, "titleFontSize": 12},
            "title": {"fontSize": 14, "anchor": "start", "color": ink},
        }
    }
