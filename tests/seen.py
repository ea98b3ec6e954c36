"""What a reader of a picture sees, on white paper and on dark."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from helpers.draw.look import DARK, contrast


def in_the_dark(colour):
    """What a dark page shows for a colour: red, green, blue from 0 to 1."""
    return np.clip(np.array(DARK) @ [*colour[:3], 1], 0, 1)


def complaints(picture, monkeypatch):
    """What cannot be read in a picture: texts that are too small, pale or cut off."""
    texts, draw = [], Text.draw

    def noted(text, renderer):
        if text.get_visible() and text.get_text().strip():
            texts.append((text, text.get_window_extent(renderer)))
        draw(text, renderer)

    with monkeypatch.context() as patched:
        patched.setattr(Text, "draw", noted)
        image, kept = picture.pixels()
    pixels = np.asarray(image) / 255
    high, wide = pixels.shape[:2]
    inside = Bbox([[1, 1], [wide - 1, high - 1]])
    said = []
    if any(ax.axison and not (ax.has_data() or ax.texts) for ax in picture.axes):
        said.append("a panel is empty")
    if pixels[:, [0, 1, -2, -1]].min() < 1 or pixels[[0, 1, -2, -1]].min() < 1:
        said.append("ink touches an edge")
    for text, place in texts:
        if not (inside.contains(*place.min) and inside.contains(*place.max)):
            said.append(f"{text} is cut off")
            continue
        if text.get_fontsize() < 8:
            said.append(f"{text} is small")
        left, low, right, top = map(int, place.extents)
        # Its strokes cover less than half of what is behind it.
        behind = np.median(pixels[high - top : high - low, left:right], axis=(0, 1))
        ink = to_rgb(text.get_color())
        ratios = {"white": contrast(ink, behind)}
        middle = (left + right) / 2, high - (low + top) / 2
        if not any(Bbox.from_bounds(*box).contains(*middle) for box in kept):
            ratios["dark"] = contrast(in_the_dark(ink), in_the_dark(behind))
        said += [
            f"{text} on {paper} paper: contrast {ratio:.2f}"
            for paper, ratio in ratios.items()
            if ratio < 4.5
        ]
    return said


def words(ax):
    """The texts in a panel, without those that are empty."""
    return [text.get_text() for text in ax.texts if text.get_text()]


def titles(picture):
    """Its title, then those of its panels."""
    heads = [ax.get_title(loc="left") for ax in picture.axes]
    whole = picture.get_suptitle().replace("\n", " ")
    return [head for head in (whole, *heads) if head]
