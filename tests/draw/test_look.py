"""Colours, contrast and small files, against figures from elsewhere."""

import io

import numpy as np
import pytest
from PIL import Image

from helpers.draw import look


@pytest.mark.parametrize(("ink", "ratio"), [("#777777", 4.48), ("#ff0000", 4.0)])
def test_contrast_with_white_is_that_of_wcag(ink, ratio):
    shares = [int(ink[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    for one, other in ((ink, "#ffffff"), ("#ffffff", [*shares, 0.5])):
        assert look.contrast(one, other) == pytest.approx(ratio, abs=0.005)


def test_lines_are_seen_on_white_pages_and_on_dark_and_keep_apart():
    """WCAG 2.2, 1.4.11: graphics need 3 to 1."""
    lines = *look.PAIR_COLOURS, look.MUTED
    for colour in (*lines, look.GOOD, look.BAD, look.NEUTRAL):
        assert look.contrast(colour, look.PAPER) >= 3

    shown = {look.ON_DARK.get(colour, colour) for colour in lines}
    assert min(look.contrast(colour, "#15181c") for colour in shown) > 4.4
    assert len(shown) == len(lines)


def test_no_colour_is_lost_in_a_small_file():
    """Two colour maps and a few pixels of a colour that is nowhere else."""
    ramp = np.linspace(0, 255, 400)
    pixels = np.zeros((400, 400, 3), np.uint8)
    pixels[..., 0], pixels[..., 1] = ramp, ramp[:, None]
    pixels[:200, :, 2] = 255
    pixels[5, 5:8] = (0, 255, 0)
    with Image.open(io.BytesIO(look.as_png(Image.fromarray(pixels)))) as image:
        kept = np.asarray(image.convert("RGB")).astype(int)
    assert np.abs(kept - pixels).max() <= 32
    assert np.abs(kept[5, 6] - pixels[5, 6]).max() <= 12
