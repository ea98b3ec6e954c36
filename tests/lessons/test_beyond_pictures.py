"""Notebook 09: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
from seen import titles

from helpers.lessons.beyond import pictures


def test_maps_around_a_patch_name_its_twins():
    near = np.hypot(*np.indices((4, 4)) - np.array([1, 2])[:, None, None])
    picture = pictures.around({"plain": near, "twins": near * near.T}, (1, 2))
    assert np.array_equal(picture.axes[0].images[0].get_array(), near)
    plain, twins = picture.alt.split("twins, ")
    assert "plain, the patch below is as near as the one to the right" in plain
    assert "the patch in row 2, column 1 is at distance 0" in twins
    assert "distance 0" not in plain
    stretched = pictures.around({"a": near * [[1], [1], [2], [2]]}, (1, 2)).alt
    assert "a, the patch below is farther than the one to the right" in stretched


def test_between_hides_the_target_and_ranks_the_codes_by_their_errors():
    times, seen = np.arange(9), np.arange(0, 9, 4)
    target = np.linspace(1, 0, 9)
    made = {"bad": np.where(times % 4, 5.0, target), "good": target + 0.01}
    picture = pictures.between(times, target, made, seen)
    above, below = picture.axes[:2], picture.axes[2:]
    for ax, strip, values in zip(above, below, made.values(), strict=True):
        (line,) = ax.lines
        assert np.array_equal(line.get_ydata(), values)
        (ticks,) = ax.collections
        assert [path[0][0] for path in ticks.get_segments()] == list(seen)
        highest = strip.collections[0].get_paths()[0].vertices[:, 1].max()
        assert np.isclose(highest, np.abs(values - target).max())
    assert "from best to worst: good, bad." in picture.alt
    assert "at all of these: bad and good." in picture.alt
    alt = pictures.between(times, -target, {"off": target, "on": -target}, seen).alt
    assert "at all of these: on." in alt and "worst: on, off" in alt


def test_fields_say_where_a_network_is_right():
    points, gaps = np.arange(8) / 8, (np.arange(8) + 0.5) / 8
    made = {
        "both": (np.sin(points), np.sin(gaps)),
        "memory": (np.sin(points), np.sin(gaps) + 1),
        "stiff": (0 * points, 0 * gaps),
    }
    picture = pictures.fields(points, gaps, np.sin, made)
    _, line, dots = picture.axes[1].lines
    assert list(dots.get_ydata()) == list(made["memory"][0])
    assert list(line.get_ydata()[1::2]) == list(made["memory"][1])
    assert "both, right on the points, right between them" in picture.alt
    assert "memory, right on the points, wrong between them" in picture.alt
    assert "stiff, wrong on the points, wrong between them" in picture.alt


def test_fitted_images_are_shown_and_ranked():
    image, known = np.linspace(0, 1, 16), np.arange(16) % 2 == 0
    made = {"torn": np.where(known, image, 0.5), "good": image + 0.01}
    picture = pictures.image_fits(image, made, known)
    assert titles(picture) == ["the image", "torn", "good"]
    for ax, values in zip(picture.axes, (image, *made.values()), strict=True):
        assert np.array_equal(ax.images[0].get_array().ravel(), values)
    assert "from best to worst: good, torn." in picture.alt
    assert picture.alt.endswith("on the pixels they saw: torn.")
