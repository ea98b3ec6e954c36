"""Stored pictures in viewers that run no scripts and take addresses with SVG out."""

import base64
import io
import json
import re

import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter
from PIL import Image
from stored import code_cells, every_notebook, read

# What GitHub's and Colab's sanitisers leave out of an <img>.
_SVG_ADDRESS = re.compile(r'src="data:image/svg\+xml[^"]*"')


def pictures(path):
    """Every output that is a picture or a chart: (its data, its metadata)."""
    outputs = [output for cell in code_cells(path) for output in cell.outputs]
    found = [(o.data, o.metadata) for o in outputs if "data" in o]
    return [
        (data, metadata)
        for data, metadata in found
        if "image/png" in data or any("vega" in kind for kind in data)
    ]


@every_notebook
def test_no_stored_output_has_a_data_address(path):
    for cell in code_cells(path):
        assert not re.search(r"data:[a-z]+/", json.dumps(cell.outputs)), cell.source


@every_notebook
def test_a_stored_picture_is_a_png_with_its_words(path):
    for data, metadata in pictures(path):
        kinds = {kind for kind in data if "vega" not in kind}
        assert kinds == {"image/png", "text/plain"}
        assert metadata["image/png"]["alt"] == data["text/plain"]


@every_notebook
def test_every_picture_is_seen_in_a_page_that_was_sanitised(path):
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(read(path))
    page = BeautifulSoup(_SVG_ADDRESS.sub("", page), "html.parser")
    images = page.select(".output_area img")
    stored = pictures(path)
    assert len(images) == len(stored) > 0
    for image, (data, metadata) in zip(images, stored, strict=True):
        assert image["alt"] == data["text/plain"]
        kind, png = image.get("src", "nothing,").split(",", 1)
        assert kind == "data:image/png;base64", data["text/plain"]
        assert png.replace("\n", "") == data["image/png"].replace("\n", "")
        with Image.open(io.BytesIO(base64.b64decode(png))) as shown:
            about = metadata["image/png"]
            ratio = shown.width / shown.height
            assert ratio == pytest.approx(about["width"] / about["height"], rel=0.02)
            assert len(shown.convert("RGB").getcolors(1 << 24)) > 2
