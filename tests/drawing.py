"""What a chart or a picture really draws, read back from it."""

import functools
import json
import re
from xml.etree import ElementTree

import numpy as np
import vl_convert
from seen import titles

from helpers.draw.look import VEGA_LITE
from helpers.draw.renderer import portable


def shows(picture, *arrays, says=(), told=()):
    """Fails unless a picture draws the arrays, in this order, and says the phrases.

    An array is the heights of a line, a map, or the sizes of bars. Phrases of ``says``
    stand in the text alternative, those of ``told`` there and in the titles as well.
    """
    held = iter(list(_held(picture)))
    for number, array in enumerate(arrays):
        assert any(
            np.shape(one) == np.shape(array) and np.allclose(one, array, atol=1e-12)
            for one in held
        ), f"array {number} is not drawn, or not in its place"
    heads = "\n".join(titles(picture))
    for phrase in told:
        assert phrase in heads
    for phrase in (*says, *told):
        assert phrase in picture.alt


def _held(picture):
    for ax in picture.axes:
        yield from (line.get_ydata() for line in ax.lines)
        yield from (image.get_array() for image in ax.images)
        yield from (bars.datavalues for bars in ax.containers)


def drawn(chart, **params):
    """The values of every mark that the chart draws, as a list of dicts.

    The specification is drawn to SVG with the given parameters, as a reader would
    set them with the controls; Vega writes each mark's values into its label
    ("pos: 3; sine: 0.14"). Numbers come back as floats. Raises KeyError for a
    parameter that is not there. ``chart`` is a chart, or a function that makes one: that
    is called once, however often it is drawn, since making takes longer than drawing.
    """
    spec = json.loads(_made_by(chart) if callable(chart) else _specified(chart))
    declared = {p["name"]: p for p in _params(spec)}
    for name, value in params.items():
        declared[name].pop("expr", None)
        declared[name]["value"] = value
    spec.setdefault("config", {}).update(aria=True, mark={"aria": True})
    svg = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
    labels = (e.get("aria-label") for e in ElementTree.fromstring(svg).iter())
    return [_values(label) for label in labels if label and ": " in label]


def values(marks, name, *beside):
    """The values of this name in the marks that have it, and those ``beside`` it."""
    return [mark[name] for mark in marks if mark.keys() >= {name, *beside}]


@functools.cache
def _made_by(function):
    return _specified(function())


def _specified(chart):
    return json.dumps(portable(chart.to_dict()))


def _params(node):
    if isinstance(node, dict):
        yield from node.get("params", [])
        for key, value in node.items():
            if key != "params":
                yield from _params(value)
    elif isinstance(node, list):
        for value in node:
            yield from _params(value)


def _values(label):
    pairs = (part.split(": ", 1) for part in label.split("; ") if ": " in part)
    return {name: _number(value) for name, value in pairs}


def _number(text):
    plain = text.replace("−", "-").replace(",", "")
    return float(plain) if re.fullmatch(r"-?\d+(\.\d+)?(e[-+]?\d+)?", plain) else text
