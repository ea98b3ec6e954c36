"""Notebook 07: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from references import adjacent, halves, rows
from seen import titles, words

from helpers.draw.look import pair_colour
from helpers.lessons.rotary import pictures

LENGTHS = (16, 24, 32, 64)
STRIPED = 9 * np.subtract.outer(np.arange(6.0), np.arange(6.0))


def test_score_maps_hold_the_scores_on_one_scale_and_say_which_is_striped():
    maps = {"one": STRIPED, "two": rows(6, 6)}
    picture = pictures.score_maps(maps)
    for ax, scores in zip(picture.axes, maps.values(), strict=False):
        assert np.array_equal(ax.images[0].get_array(), scores)
        assert ax.images[0].get_clim() == (-45, 45)
    assert "Constant along every diagonal: one." in picture.alt
    said = pictures.score_maps({"one": maps["two"], "two": maps["one"]}).alt
    assert "Constant along every diagonal: two." in said


def test_by_offset_puts_each_score_above_its_offset():
    scores = rows(6, 6)
    picture = pictures.by_offset({"a cloud": scores, "a curve": STRIPED})
    (line,) = picture.axes[0].lines
    wanted = [(j - p, float(scores[p, j])) for p in range(6) for j in range(6)]
    assert sorted(map(tuple, line.get_xydata().tolist())) == sorted(wanted)
    assert "a cloud, the dots of one offset spread" in picture.alt
    assert "a curve, the dots of one offset coincide" in picture.alt


def test_layouts_colour_the_two_columns_of_a_pair_alike():
    picture = pictures.layouts(8)
    boxes = [
        (round(b.get_x() + 0.43, 9), b.get_edgecolor()) for b in picture.axes[0].patches
    ]
    for partner, drawn in ((adjacent, boxes[:8]), (halves, boxes[8:])):
        wanted = [(c, to_rgba(pair_colour(i))) for i in range(4) for c in partner(i, 8)]
        assert drawn == wanted
    assert "split halves, columns 0 and 4 are pair 0" in picture.alt
    assert "adjacent columns, columns 0 and 1 are pair 0" in picture.alt


def test_the_order_task_is_drawn_as_it_is():
    tokens = np.array([[5, 0, 3, 1], [1, 2, 9, 0]])
    picture = pictures.order_task(tokens, [True, False], a=0, b=1)
    wanted = ["3", "A", "1", "B", "B", "0", "7", "A", "A first", "B first"]
    assert words(picture.axes[0]) == wanted
    assert "A 1, B 3: A first. A 3, B 0: B first." in picture.alt


def test_extrapolation_shows_every_seed_and_the_mean():
    results = {
        "weak": {length: np.array([0.5, 0.52, 0.48]) for length in LENGTHS},
        "strong": {length: np.array([0.99, 0.97, 1.0]) for length in LENGTHS},
        "fading": {length: np.array([16, 15.8, 15.6]) / length for length in LENGTHS},
    }
    picture = pictures.extrapolation(results)
    assert titles(picture) == list(results)
    for ax, found in zip(picture.axes, results.values(), strict=True):
        mean, *dots = ax.lines[2:]
        seeds = np.array([found[length] for length in LENGTHS])
        assert mean.get_ydata() == pytest.approx(seeds.mean(axis=1))
        assert np.allclose([line.get_ydata() for line in dots], seeds.T)
    assert "At 64 every seed is above 0.9 for: strong." in picture.alt
    assert "At 16 every seed is above 0.9 for: strong and fading." in picture.alt


def test_where_right_says_how_right_each_part_is():
    place = np.arange(0, 64, 2)
    inside = (place[:, None] < 16) & (place < 16)
    near = np.abs(place[:, None] - place) < 20
    maps = {"square": inside * 1.0, "band": near * 1.0, "all": np.ones((32, 32))}
    picture = pictures.where_right(maps)
    assert np.array_equal(picture.axes[1].images[0].get_array(), near)
    assert "everywhere: square, inside; band, inside and where both" in picture.alt
    assert "near each other; all, inside, where one is later, where both" in picture.alt
    dark = pictures.where_right({"none": np.zeros((32, 32))}).alt
    assert dark.endswith("everywhere: none, none.")


def test_reach_draws_the_shares_and_the_bands_of_one_hand():
    offset = np.arange(1, 64)
    share = (offset // 20) % 2 == 0
    picture = pictures.reach({100: np.array([share, share * 1.0])}, {100: (1, 20.0)})
    (ax,) = [ax for ax in picture.axes if ax.lines]
    assert np.array_equal(ax.lines[-1].get_xydata(), np.c_[offset, share])
    back = ax.transData.inverted()
    bands = [patch.get_extents().transformed(back) for patch in ax.patches]
    assert np.allclose([(band.x0, band.x1) for band in bands], [(20, 40), (60, 63.5)])
    right = "right nearly everywhere"
    assert f"outside the bands {right}, inside often wrong" in picture.alt
    opposite = pictures.reach({100: 1 - np.array([share])}, {100: (1, 20.0)}).alt
    assert f"outside the bands often wrong, inside {right}" in opposite


def test_kept_alone_shows_every_number_and_names_the_high_ones():
    shares = {"one": np.array([0.7, 0.6, 0.93]), "two": np.array([1, 0.5, 0.6])}
    picture = pictures.kept_alone(shares)
    shown = [f"{value:.2f}" for row in shares.values() for value in row]
    assert words(picture.axes[0]) == shown
    assert picture.alt.endswith("above 0.85 alone: one, 2; two, 0.")
    assert pictures.kept_alone({"one": [0.5, 0.6]}).alt.endswith("one, none.")


def test_yes_is_numbered_where_more_than_half_say_it():
    offsets = np.r_[-40:0, 1:41]
    shares = np.isin(offsets, (1, 20)) * 0.8 + 0.1
    picture = pictures.said_yes(offsets, shares)
    (ax,) = picture.axes
    assert words(ax) == ["1", "20"]
    assert np.array_equal(ax.lines[0].get_xydata(), np.c_[offsets, shares])
    assert "at 1 and 20; of these, beyond the trained offsets: 20." in picture.alt
    none = pictures.said_yes(offsets, np.isin(offsets, 1) * 0.8).alt
    assert "at 1; of these, beyond the trained offsets: none." in none


def test_drift_shows_its_numbers_and_names_what_outgrows_a_score():
    errors = {name: [10.0**n] * 4 for n, name in enumerate("abcde", -3)}
    picture = pictures.drift(2 ** np.arange(4), errors, 3)
    drawn = [list(line.get_ydata()) for line in picture.axes[0].lines[1:]]
    assert drawn == list(errors.values())
    assert picture.alt.endswith("typical score for: e.")
    calm = {"a": [1e-9] * 4, "b": [1e-6, 1e-5, 1e-4, 5e-4]}
    assert pictures.drift(2 ** np.arange(4), calm, 1e-3).alt.endswith("for: none.")
