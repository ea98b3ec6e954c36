"""A picture follows the theme of the page that it stands in, not the system's."""

import io

import pytest
from PIL import Image

from helpers.draw import panels
from helpers.draw.style import SEQUENTIAL

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_paper_is_that_of_the_page_and_a_map_of_sizes_stays(
    visit, system, monkeypatch
):
    monkeypatch.setenv("JPY_SESSION_NAME", "01_formula.ipynb")
    picture, ax = panels.plot(2, width=3, alt="A map.")
    panels.heat(ax, [[1.0]], (0, 1), SEQUENTIAL)
    shown = picture._repr_mimebundle_()[0]["text/markdown"]
    page = visit(color_scheme=system).page
    corners, middles = {}, {}
    for theme in ("light", "dark"):
        page.set_content(f'<body style="color-scheme:{theme}">{shown}')
        page.wait_for_function("document.images[0].complete")
        with Image.open(io.BytesIO(page.locator("img").screenshot())) as image:
            corners[theme] = image.convert("RGB").getpixel((2, 2))
            middles[theme] = image.convert("RGB").getpixel((150, 90))
    assert corners["light"] == (255, 255, 255)
    assert max(corners["dark"]) < 25
    assert middles["light"] == middles["dark"]
