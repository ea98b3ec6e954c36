"""Pictures as they are shown: one file for light and dark pages, drawn from panels."""

import re
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
import pytest

from helpers.draw import panels
from helpers.draw.look import DARK
from helpers.draw.style import SEQUENTIAL, Picture

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def live(monkeypatch):
    """A kernel that JupyterLab has started."""
    monkeypatch.setenv("JPY_SESSION_NAME", "notebooks/01_formula.ipynb")


def svg_of(picture):
    """The SVG that a page shows for a picture."""
    shown = picture._repr_mimebundle_()[0]["text/markdown"]
    (source,) = re.findall(r'src="data:image/svg\+xml,([^"]+)"', shown)
    assert not set("<>#") & set(source)
    return ElementTree.fromstring(unquote(source))


def test_a_dark_page_gets_the_colours_that_the_tests_look_at():
    svg = svg_of(Picture(3, 2, alt="An empty frame."))
    matrix = svg.find(f"{SVG}filter/{SVG}feColorMatrix").get("values").split()
    rows = np.array(matrix, float).reshape(4, 5)[:3, [0, 1, 2, 4]]
    np.testing.assert_allclose(rows, DARK, atol=1e-3)
    assert "prefers-color-scheme:dark" in svg.find(f"{SVG}style").text


def test_only_maps_of_sizes_and_their_bars_keep_their_colours():
    picture, (left, right) = panels.panel_row(
        ("signed", "sizes"), 3, width=6, alt="Two maps."
    )
    panels.scale(panels.heat(left, [[-1, 1]]), left)
    assert not svg_of(picture).findall(f"{SVG}clipPath/{SVG}rect")
    panels.scale(panels.heat(right, [[0, 1]], (0, 1), SEQUENTIAL), right)
    kept = svg_of(picture).findall(f"{SVG}clipPath/{SVG}rect")
    assert len(kept) >= 2  # the map and its bar
    assert min(float(rect.get("x")) for rect in kept) > 288  # in the right half


def test_the_words_around_a_picture_stay_words():
    picture = Picture(3, 2, alt='A "table" of $x$ <and> \\pi.')
    shown = picture._repr_mimebundle_()[0]["text/markdown"]
    assert 'alt="A &quot;table&quot; of &#36;x&#36; &lt;and&gt; &#92;pi."' in shown
