"""The renderer: offline, the same bytes every time, with a text alternative."""

import io
import json
import re
import sys

import altair as alt
import pandas as pd
import pytest
from PIL import Image

from helpers.draw import frontend, renderer
from helpers.draw.controls import controls
from helpers.draw.look import VEGA_MIME
from helpers.draw.style import Picture


def chart():
    frame = pd.DataFrame({"x": [1.0, 2.5], "y": [-0.0, 1 / 3]})
    return (
        alt.Chart(renderer.data(frame), description="Two points on a rising line.")
        .mark_point()
        .encode(x="x:Q", y="y:Q")
        .add_params(*controls("n", 2, 0, 9, "n"))
    )


@pytest.fixture(autouse=True)
def executed_for_its_file(monkeypatch):
    """As `make refresh` and nbval execute a notebook, wherever the tests run."""
    for name in ("JPY_SESSION_NAME", *frontend._HOSTS):
        monkeypatch.delenv(name, raising=False)


def test_a_chart_brings_everything_with_it_but_paper_and_ink():
    """What is drawn takes the colours of the page around it; the PNG is for print."""
    renderer.use()
    data, metadata = renderer.bundle(chart().to_dict())
    spec = data[VEGA_MIME]
    assert spec["$schema"] == "https://vega.github.io/schema/vega-lite/v5.json"
    assert spec["config"]["background"] == "transparent"
    for part in ("axis", "legend"):
        assert spec["config"][part]["labelColor"] == "currentColor"
    options = spec["usermeta"]["embedOptions"]
    assert (options["renderer"], options["actions"]) == ("svg", False)
    assert data["text/plain"] == "Two points on a rising line."
    assert metadata["image/png"]["alt"] == data["text/plain"]
    with Image.open(io.BytesIO(data["image/png"])) as image:
        assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
    assert renderer.bundle(chart().to_dict())[0] == data  # the same bytes again


def test_a_chart_without_words_is_refused():
    with pytest.raises(ValueError, match="description"):
        renderer.bundle(alt.Chart().mark_point().to_dict())


def test_numbers_are_written_as_jupyterlab_saves_them():
    frame = pd.DataFrame({"a": [-0.0, -1e-9, 1 / 3], "b": ["x", "y", "z"]})
    written = renderer.data(frame).to_dict()
    assert written["values"] == "a,b\n0,x\n0,y\n0.333333,z\n"
    spec = renderer.portable({"a": 2.0, "b": [1.5, {"c": -3.0}], "d": True})
    assert json.dumps(spec).startswith('{"a": 2, "b": [1.5, {"c": -3}], "d": true')


@pytest.mark.parametrize("session", [{}, {"JPY_SESSION_NAME": "01_formula.ipynb"}])
def test_a_live_jupyterlab_or_one_without_vl_convert_gets_no_png(monkeypatch, session):
    """A PNG that nobody sees would take most of the time, and 70 to 100 MiB."""
    for name, value in session.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setitem(sys.modules, "vl_convert", None)  # it is not even loaded
    data, metadata = renderer.bundle(chart().to_dict())
    assert set(data) == {VEGA_MIME, "text/plain"} and set(metadata) == {VEGA_MIME}


@pytest.mark.parametrize("host", ["COLAB_GPU", "KAGGLE_KERNEL_RUN_TYPE"])
def test_colab_and_kaggle_get_a_page_that_moves_and_a_plain_picture(monkeypatch, host):
    monkeypatch.setenv(host, "")
    monkeypatch.setenv("JPY_SESSION_NAME", "a server may run there, too")
    renderer.use()
    data, _ = renderer.bundle(chart().to_dict())
    assert set(data) == {"text/html", "text/plain"}
    (spec,) = re.findall(r"^\s*\}\)\((\{.*\}), (\{.*\})\);$", data["text/html"], re.M)
    sent, options = map(json.loads, spec)
    assert sent["$schema"].endswith(f"/{alt.SCHEMA_VERSION}.json")
    assert options["mode"] == "vega-lite"
    assert options["defaultStyle"] == renderer.STYLE  # without it, nothing plays
    assert alt.renderers.active == "lesson"  # as it was


def test_a_picture_shows_itself_with_its_words():
    data, metadata = Picture(3, 2, alt="An empty frame.")._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    png = metadata["image/png"]
    assert data["text/plain"] == png["alt"] == "An empty frame."
    assert (png["width"], png["height"]) == (288, 192)
