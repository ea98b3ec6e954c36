"""Notebook 09: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
from drawing import shows

from helpers.lessons.beyond import pictures


def test_a_patch_and_its_neighbours_are_marked_by_their_numbers():
    for side, middle in ((6, 14), (4, 9)):
        picture = pictures.reading_order(side, middle)
        ax = picture.axes[0]
        cells = {}
        for text in ax.texts[:-1]:
            x, y = text.get_position()
            cells[int(text.get_text())] = (side - 0.5 - y, x - 0.5)
        assert cells == {n: divmod(n, side) for n in range(side * side)}
        white = (1, 1, 1, 1)
        marked = [n for n, p in enumerate(ax.patches) if p.get_facecolor() != white]
        row, column = divmod(middle, side)
        near = [
            n for n in cells if sum(np.abs(np.subtract(cells[n], (row, column)))) == 1
        ]
        assert marked == sorted([middle, *near])
        assert f"are {side}, 1, 1 and {side} positions away" in picture.alt


def test_maps_around_a_patch_name_its_twins():
    near = np.hypot(*np.indices((4, 4)) - np.array([1, 2])[:, None, None])
    picture = pictures.around({"plain": near, "twins": near * near.T}, (1, 2))
    told = "plain, the patch below is as near as the one to the right; twins, "
    shows(picture, near, near * near.T, says=[told, "row 2, column 1 is at distance 0"])
    stretched = pictures.around({"a": near * [[1], [1], [2], [2]]}, (1, 2))
    shows(stretched, says=["a, the patch below is farther than the one to the right"])


def test_between_shows_the_target_and_ranks_the_codes_by_their_errors():
    times, seen = np.arange(9), np.arange(0, 9, 4)
    target = np.linspace(1, 0, 9)
    made = {"bad": np.where(times % 4, 5.0, target), "good": target + 0.01}
    picture = pictures.between(times, target, made, seen)
    told = ["from best to worst: good, bad.", "at all of these: bad and good."]
    shows(picture, *(y for line in made.values() for y in (line, target)), says=told)
    (ticks,) = picture.axes[0].collections
    assert [path[0][0] for path in ticks.get_segments()] == list(seen)
    other = pictures.between(times, -target, {"off": target, "on": -target}, seen)
    shows(other, says=["at all of these: on.", "worst: on, off"])


def test_fields_say_where_a_network_is_right():
    points, gaps = np.arange(8) / 8, (np.arange(8) + 0.5) / 8
    made = {
        "both": (np.sin(points), np.sin(gaps)),
        "memory": (np.sin(points), np.sin(gaps) + 1),
        "stiff": (0 * points, 0 * gaps),
    }
    lines = [line for on, off in made.values() for line in (np.c_[on, off].ravel(), on)]
    on, off = "on the points", "between them"
    told = [f"both, right {on}, right {off}", f"memory, right {on}, wrong {off}"]
    told += [f"stiff, wrong {on}, wrong {off}"]
    shows(pictures.fields(points, gaps, np.sin, made), *lines, says=told)


def test_fitted_images_are_shown_and_ranked():
    image, known = np.linspace(0, 1, 16), np.arange(16) % 2 == 0
    made = {"torn": np.where(known, image, 0.5), "good": image + 0.01}
    shown = (np.reshape(values, (4, 4)) for values in (image, *made.values()))
    told = "from best to worst: good, torn.", "on the pixels they saw: torn."
    shows(pictures.image_fits(image, made, known), *shown, says=told)
