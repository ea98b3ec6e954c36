"""The renderer: offline, the same bytes every time, with a text alternative."""

import gc
import io
import json
import re
import sys

import altair as alt
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import RendererAgg
from PIL import Image

from helpers.draw import frontend, renderer
from helpers.draw.controls import controls
from helpers.draw.look import VEGA_MIME
from helpers.draw.style import Picture


def chart(description="Two points on a rising line."):
    frame = pd.DataFrame({"x": [1.0, 2.5], "name": ["a", "b"], "y": [-0.0, 1 / 3]})
    pick = alt.selection_point(fields=["name"])
    points = alt.Chart(renderer.data(frame)).mark_point()
    return (
        points.encode(x="x:Q", y="y:Q", tooltip=["name:N", "x:Q", "y:Q"])
        .add_params(pick, *controls("n", 2, 0, 9, "n"))
        .properties(description=description)
    )


def still(made):
    """The picture of a chart, for the file of a notebook."""
    return renderer.bundle(made.to_dict())[0]["image/png"]


@pytest.fixture(autouse=True)
def executed_for_its_file(monkeypatch):
    """As `make refresh` and nbval execute a notebook, wherever the tests run."""
    for name in ("JPY_SESSION_NAME", *frontend._HOSTS):
        monkeypatch.delenv(name, raising=False)


def test_a_chart_brings_everything_with_it():
    renderer.use()
    data, metadata = renderer.bundle(chart().to_dict())
    spec = data[VEGA_MIME]
    assert spec["$schema"] == "https://vega.github.io/schema/vega-lite/v5.json"
    assert data["image/png"].startswith(b"\x89PNG")
    assert data["text/plain"] == "Two points on a rising line."
    assert metadata["image/png"]["alt"] == data["text/plain"]
    options = spec["usermeta"]["embedOptions"]
    assert (options["renderer"], options["actions"]) == ("svg", False)


def test_a_chart_brings_neither_paper_nor_ink():
    """But for its data: what is drawn takes the colours of the page around it."""
    renderer.use()
    spec = renderer.portable(chart().to_dict())
    assert spec["config"]["background"] == "transparent"
    for part in ("axis", "legend"):
        assert spec["config"][part]["labelColor"] == "currentColor"
    with Image.open(io.BytesIO(still(chart()))) as image:  # on paper, for print
        assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)


def test_drawing_again_gives_the_same_bytes():
    first, second = (json.dumps(renderer.portable(chart().to_dict())) for _ in "ab")
    assert first == second
    assert still(chart()) == still(chart())


def test_a_chart_without_words_is_refused():
    with pytest.raises(ValueError, match="description"):
        renderer.bundle(alt.Chart().mark_point().to_dict())


def test_data_is_rounded_and_has_no_negative_zero():
    frame = pd.DataFrame({"a": [-0.0, -1e-9, 1 / 3], "b": ["x", "y", "z"]})
    values = renderer.data(frame).to_dict()["values"]
    assert values == "a,b\n0,x\n0,y\n0.333333,z\n"


def test_whole_floats_are_written_as_jupyterlab_saves_them():
    spec = renderer.portable({"a": 2.0, "b": [1.5, {"c": -3.0}], "d": True})
    assert json.dumps(spec["a"]) == "2"
    assert json.dumps(spec["b"]) == '[1.5, {"c": -3}]'
    assert spec["d"] is True


def test_a_live_jupyterlab_draws_the_chart_itself(monkeypatch):
    """A PNG that nobody sees would take most of the time, and 70 to 100 MiB."""
    monkeypatch.setenv("JPY_SESSION_NAME", "01_formula.ipynb")
    monkeypatch.setitem(sys.modules, "vl_convert", None)  # it is not even loaded
    data, metadata = renderer.bundle(chart().to_dict())
    assert set(data) == {VEGA_MIME, "text/plain"}
    assert set(metadata) == {VEGA_MIME}


def test_a_chart_comes_without_its_png_where_nothing_can_draw_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    data, metadata = renderer.bundle(chart().to_dict())
    assert set(data) == {VEGA_MIME, "text/plain"}
    assert set(metadata) == {VEGA_MIME}


@pytest.mark.parametrize(
    "host", ["COLAB_RELEASE_TAG", "COLAB_GPU", "KAGGLE_KERNEL_RUN_TYPE"]
)
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
    bound = [p["bind"]["input"] for p in sent["params"] if "bind" in p]
    assert bound == ["RANGE", "number"]
    assert options["defaultStyle"] == renderer.STYLE  # without it, nothing plays
    assert alt.renderers.active == "lesson"  # as it was
    data, _ = Picture(3, 2, alt="An empty frame.")._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}


def test_a_picture_shows_itself_with_its_words():
    data, metadata = Picture(3, 2, alt="An empty frame.")._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    png = metadata["image/png"]
    assert data["text/plain"] == png["alt"] == "An empty frame."
    assert (png["width"], png["height"]) == (288, 192)


def test_a_shown_picture_keeps_none_of_its_pixels():
    """IPython's history holds every picture that a cell has shown."""

    def pixels():
        drawn = (o for o in gc.get_objects() if type(o) is RendererAgg)
        return sum(renderer.width * renderer.height for renderer in drawn)

    gc.collect()
    before = pixels()
    picture = Picture(3, 2, alt="An empty frame, with formulas.")
    ax = picture.subplots()
    ax.set(xscale="log", title="$x^2$ and words")
    picture.png()
    assert pixels() - before <= 1
    assert picture.png() == picture.png()
