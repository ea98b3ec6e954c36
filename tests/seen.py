"""What a reader of a picture sees, on white paper and on dark."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from helpers.draw.look import DARK, contrast


def in_the_dark(colour):
    """What a dark page shows for a colour: red, green, blue from 0 to 1."""
    shares = (*colour[:3], 1)
    mixed = (sum(w * v for w, v in zip(row, shares, strict=True)) for row in DARK)
    return [min(1, max(0, v)) for v in mixed]


def complaints(picture, monkeypatch):
    """What cannot be read in a picture: texts that are too small, pale or cut off."""
    words, said = [], []

    def noted(text, renderer):
        if text.get_visible() and text.get_text().strip():
            words.append((text, text.get_window_extent(renderer)))
            if text.get_bbox_patch():
                text.update_bbox_position_size(renderer)
                text.get_bbox_patch().draw(renderer)

    with monkeypatch.context() as patched:
        patched.setattr(Text, "draw", noted)
        image, kept = picture.pixels()
    ground = np.asarray(image) / 255
    high, wide = ground.shape[:2]
    edges = ground[:2], ground[-2:], ground[:, :2], ground[:, -2:]
    if min(edge.min() for edge in edges) < 1:
        said.append("ink touches an edge")
    if any(ax.axison and not (ax.has_data() or ax.texts) for ax in picture.axes):
        said.append("a panel is empty")
    for text, place in words:
        left, right = int(place.x0), int(np.ceil(place.x1))
        top, bottom = int(high - place.y1), int(np.ceil(high - place.y0))
        if min(left, top, wide - right, high - bottom) < 1:
            said.append(f"{text} is cut off")
        if text.get_fontsize() < 8:
            said.append(f"{text} is small")
        box = ground[max(0, top) : bottom, max(0, left) : right]
        behind = np.median(box, axis=(0, 1))
        ink, middle = to_rgb(text.get_color()), (place.x0 + place.x1) / 2
        same = any(
            x <= middle <= x + w and y <= (top + bottom) / 2 <= y + h
            for x, y, w, h in kept
        )
        papers = {"white": contrast(ink, behind)}
        if not same:
            papers["dark"] = contrast(in_the_dark(ink), in_the_dark(behind))
        for paper, ratio in papers.items():
            if ratio < 4.5:
                said.append(f"{text} on {paper} paper: contrast {ratio:.2f}")
    return said


def words(ax):
    """The texts in a panel, without those that are empty."""
    return [text.get_text() for text in ax.texts if text.get_text()]


def titles(picture):
    """Its title, then those of its panels."""
    heads = [ax.get_title(loc="left") for ax in picture.axes]
    whole = picture.get_suptitle().replace("\n", " ")
    return [head for head in (whole, *heads) if head]
