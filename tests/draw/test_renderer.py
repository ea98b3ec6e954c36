"""The renderer: offline, the same bytes every time, with a text alternative."""

import gc
import io
import json
import subprocess
import sys
from types import SimpleNamespace

import altair as alt
import pandas as pd
import pytest
from IPython.core.events import EventManager, available_events
from matplotlib.backends.backend_agg import RendererAgg
from PIL import Image

from helpers import measuring
from helpers.draw import renderer
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
    with Image.open(io.BytesIO(renderer.png(spec))) as still:  # on paper, for print
        assert still.convert("RGB").getpixel((1, 1)) == (255, 255, 255)


def test_drawing_again_gives_the_same_bytes():
    first, second = (json.dumps(renderer.portable(chart().to_dict())) for _ in "ab")
    assert first == second
    assert renderer.png(json.loads(first)) == renderer.png(json.loads(second))


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


def test_drawing_leaves_no_engine_behind():
    code = "import sys, altair as alt; from helpers.draw import renderer as r; r.use();"
    code += "alt.Chart().mark_point().properties(description='A point.')"
    code += "._repr_mimebundle_(); print('vl_convert' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_a_picture_shows_itself_with_its_words():
    data, metadata = Picture(3, 2, alt="An empty frame.")._repr_mimebundle_()
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


def test_a_notebook_gives_back_free_memory_after_each_cell(monkeypatch):
    """Once, however often the first cell is run."""
    events, given = EventManager(None, available_events), []
    shell = SimpleNamespace(events=events)
    monkeypatch.setattr(renderer, "get_ipython", lambda: shell)
    monkeypatch.setattr(measuring, "return_free_memory", lambda: given.append(1))
    renderer.use()
    renderer.use()
    events.trigger("post_run_cell", "its result")
    assert given == [1]
