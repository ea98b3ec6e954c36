"""Notebook 08: its pictures and the explorable, read back and by their texts."""

import json
import re

import numpy as np
import pytest
from drawing import drawn
from references import rows

from helpers.explore import beyond as explore
from helpers.pictures import beyond as pictures

# The pictures


def test_remedies_show_every_seed_and_say_best_and_worst():
    results = {
        "one?": {16: {"a": [1.0, 0.9], "b": [0.5, 0.6]}, 64: {"a": [0.4], "b": [0.8]}},
        "two?": {16: {"a": [0.7], "b": [0.9]}, 64: {"a": [0.6], "b": [0.55]}},
    }
    picture = pictures.remedies(results)
    for ax, (question, lengths) in zip(picture.axes, results.items(), strict=True):
        assert ax.get_title(loc="left") == question
        seen = [line.get_xdata() for line in ax.lines if line.get_marker() == "o"]
        wanted = [seeds for length in (16, 64) for seeds in lengths[length].values()]
        assert [list(x) for x in seen] == wanted
    assert "one? at length 16 best a, worst b; at length 64 best b" in picture.alt
    assert "two? at length 16 best b, worst a; at length 64 best a" in picture.alt


def test_decays_hold_the_curves_and_name_the_top():
    offsets = np.arange(5)
    bump, many = np.array([1.0, 2, 9, 2, 1]), rows(40, 5)
    picture = pictures.decays(offsets, {"bump": bump, "many": many})
    drawn_lines = [line.get_ydata() for line in picture.axes[0].lines[1:]]
    assert np.array_equal(drawn_lines[0], bump)
    assert np.array_equal(drawn_lines[1:4], many[:3])
    (band,) = picture.axes[0].collections
    assert band.get_paths()[0].vertices[:, 1].max() == pytest.approx(
        many.std(axis=0).max()
    )
    assert "bump: highest at offset 2, 1 at the first" in picture.alt


def test_along_says_what_stays_and_what_changes():
    places = np.arange(6)
    lines = {
        "still": np.ones(6),
        "settling": np.array([0.0, 2, 1, 1, 1, 1]),
        "moving": np.arange(6.0),
    }
    picture = pictures.along(places, {"layer": lines})
    seen = [list(line.get_ydata()) for line in picture.axes[0].lines]
    assert seen == [list(scores) for scores in lines.values()]
    assert len({line.get_marker() for line in picture.axes[0].lines}) == 3
    assert (
        "still the same everywhere, settling the same after the first few, moving "
        "changing along the text" in picture.alt
    )


def test_maps_around_a_patch_name_its_twins():
    near = np.hypot(*np.indices((4, 4)) - np.array([1, 2])[:, None, None])
    twins = near * near.T
    picture = pictures.around({"plain": near, "twins": twins + 0.0}, (1, 2))
    images = [ax.images[0] for ax in picture.axes if ax.images]
    assert np.array_equal(images[0].get_array(), near)
    assert "plain: the patch below is as near as the one to the right." in picture.alt
    said = picture.alt.split("twins:")[1]
    assert "The patch in row 2, column 1 is at distance 0." in said
    assert "distance 0" not in picture.alt.split("twins:")[0]


def test_between_ranks_the_codes_by_their_errors():
    times, seen = np.arange(9), np.arange(0, 9, 4)
    target = np.linspace(1, 0, 9)
    good, bad = target + 0.01, np.where(times % 4, 5.0, target)
    picture = pictures.between(times, target, {"bad": bad, "good": good}, seen)
    line, dashed, dots = picture.axes[0].lines
    assert np.array_equal(line.get_ydata(), bad)
    assert np.array_equal(dashed.get_ydata(), target)
    assert list(dots.get_xdata()) == list(seen)
    assert "from best to worst: good, bad." in picture.alt
    assert picture.axes[0].get_ylabel() == "value"
    assert "A falling curve" in picture.alt
    assert "at all of these: all." in picture.alt
    alt = pictures.between(times, -target, {"off": target, "on": -target}, seen).alt
    assert "A rising curve" in alt and "at all of these: on." in alt


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
    assert "both: right on the points and between them" in picture.alt
    assert "memory: right on the points, wrong between them" in picture.alt
    assert "stiff: wrong on the points and between them" in picture.alt


# The explorable


def made_up():
    x = np.arange(512) / 512
    target = np.sin(2 * np.pi * 5 * x)
    sweep = {
        (high, low): target * (1 + 0.1 * high) + 0.01 * low
        for high in range(7)
        for low in range(high + 1)
    }
    return x, target, sweep


def fields():
    return explore.fields(*made_up())


@pytest.mark.parametrize(("fastest", "slowest"), [(4, 1), (6, 6), (2, 5), (0, 0)])
def test_the_sliders_choose_the_line_and_its_errors(fastest, slowest):
    x, target, sweep = made_up()
    marks = drawn(fields, fastest=fastest, slowest=slowest)
    line = sweep[fastest, min(fastest, slowest)]
    dots = [m for m in marks if "network" in m and "value" in m]
    assert len(dots) == 64
    for dot in dots:
        place = round(dot["x"] * 512)
        assert place % 2 == 0  # a training point
        assert dot["value"] == pytest.approx(line[place], abs=2e-3)
    (said,) = {m["said"] for m in marks if "said" in m}
    on, gaps = re.findall(r"\d\.\d+", said)
    square = (line - target) ** 2
    assert float(on) == pytest.approx(square[::2].mean(), abs=1e-3)
    assert float(gaps) == pytest.approx(square[1::2].mean(), abs=1e-3)


def test_the_spectrum_is_that_of_the_line():
    x, target, sweep = made_up()
    marks = drawn(fields, fastest=3, slowest=0)
    bars = {
        m["rounds per unit"]: m["size of the wave"]
        for m in marks
        if "rounds per unit" in m and "network" in m
    }
    wave = np.exp(-2j * np.pi * 5 * x)
    assert bars[5] == pytest.approx(2 * abs((sweep[3, 0] * wave).mean()), abs=1e-3)
    assert max(size for rounds, size in bars.items() if rounds != 5) < 1e-3


def test_the_explorable_is_small_and_says_the_best_range():
    chart = fields().to_dict()
    assert len(json.dumps(chart)) < 120_000
    assert "Best between the points: hands from 1 down to 1" in chart["description"]
