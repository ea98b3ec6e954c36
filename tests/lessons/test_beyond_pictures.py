"""Notebook 09: its pictures, read back, and what their texts tell."""

import numpy as np
from drawing import shows

from helpers.lessons.beyond import pictures


def test_maps_around_a_patch_name_its_twins():
    near = np.hypot(*np.indices((4, 4)) - np.array([1, 2])[:, None, None])
    picture = pictures.around({"plain": near, "twins": near * near.T}, (1, 2))
    shows(
        picture,
        near,
        near * near.T,
        says=["plain, row 1, column 2; twins, row 1, column 2 and row 2, column 1."],
        told=["are the nearest in 1 of 2 maps: plain"],
    )


def test_between_shows_the_target_and_ranks_the_codes_by_their_errors():
    times, seen = np.arange(9), np.arange(0, 9, 4)
    target = np.linspace(1, 0, 9)
    made = {"bad": np.where(times % 4, 5.0, target), "good": target + 0.01}
    picture = pictures.between(times, target, made, seen)
    drawn = made["bad"], target, made["good"], target
    shows(picture, *drawn, told=["from best to worst: good, bad"])


def test_fields_say_where_a_network_is_right():
    points, gaps = np.arange(8) / 8, (np.arange(8) + 0.5) / 8
    made = {
        "both": (np.sin(points), np.sin(gaps)),
        "memory": (np.sin(points), np.sin(gaps) + 1),
        "stiff": (0 * points, 0 * gaps),
    }
    lines = [line for on, off in made.values() for line in (np.c_[on, off].ravel(), on)]
    picture = pictures.fields(points, gaps, np.sin, made)
    told = ["Right on the points: both and memory; between them: both"]
    shows(picture, *lines, told=told)


def test_fitted_images_are_shown_and_ranked():
    image, known = np.linspace(0, 1, 16), np.arange(16) % 2 == 0
    made = {"torn": np.where(known, image, 0.5), "good": image + 0.01}
    shown = np.reshape([image, *made.values()], (3, 4, 4))
    picture = pictures.image_fits(image, made, known)
    shows(picture, *shown, told=["from best to worst: good, torn"])
