"""Notebook 07: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
from drawing import shows
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
    shows(picture, *maps.values(), says=["Constant along every diagonal: one."])
    assert picture.axes[1].images[0].get_clim() == (-45, 45)
    swapped = pictures.score_maps({"one": maps["two"], "two": maps["one"]})
    shows(swapped, says=["Constant along every diagonal: two."])


def test_by_offset_puts_each_score_above_its_offset():
    scores = rows(6, 6)
    picture = pictures.by_offset({"a cloud": scores, "a curve": STRIPED})
    (line,) = picture.axes[0].lines
    wanted = [(j - p, float(scores[p, j])) for p in range(6) for j in range(6)]
    assert sorted(map(tuple, line.get_xydata().tolist())) == sorted(wanted)
    of = "the dots of one offset"
    shows(picture, says=[f"a cloud, {of} spread", f"a curve, {of} coincide"])


def test_layouts_colour_the_two_columns_of_a_pair_alike():
    picture = pictures.layouts(8)
    patches = picture.axes[0].patches
    boxes = [(round(b.get_x() + 0.43, 9), b.get_edgecolor()) for b in patches]
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
        "fading": {length: np.array([16, 15.8, 14]) / length for length in LENGTHS},
    }
    seeds = [np.array(list(found.values())).T for found in results.values()]
    drawn = [line for of_code in seeds for line in (of_code.mean(axis=0), *of_code)]
    told = ("At 64 the mean is above 0.9 for: strong.", "for: strong and fading.")
    shows(pictures.extrapolation(results), *drawn, says=told)


def test_where_right_says_how_right_each_part_is():
    place = np.arange(0, 64, 2)
    inside = (place[:, None] < 16) & (place < 16)
    near = np.abs(place[:, None] - place) < 20
    maps = {"square": inside * 1.0, "band": near * 1.0, "all": np.ones((32, 32))}
    told = (
        "everywhere: square, inside; band, inside and where both",
        "near each other; all, inside, where one is later, where both",
    )
    shows(pictures.where_right(maps), *maps.values(), says=told)
    dark = pictures.where_right({"none": np.zeros((32, 32))})
    shows(dark, says=["everywhere: none, none."])


def test_reach_draws_the_shares_and_the_bands_of_one_hand():
    share = (np.arange(1, 64) // 20) % 2 == 0
    right, hand = "right nearly everywhere", {100: (1, 20.0)}
    picture = pictures.reach({100: np.array([share, share * 1.0])}, hand)
    shows(picture, share, says=[f"outside the bands {right}, inside often wrong"])
    ax = picture.axes[0]
    back = ax.transData.inverted()
    bands = [patch.get_extents().transformed(back) for patch in ax.patches]
    assert np.allclose([(band.x0, band.x1) for band in bands], [(20, 40), (60, 63.5)])
    assert picture.get_suptitle() == (
        "As calculated: in the grey bands, fewer readers are right"
    )
    opposite = pictures.reach({100: 1 - np.array([share])}, hand, marked=(10, 30))
    assert opposite.get_suptitle() == ""
    assert words(opposite.axes[0]) == ["0%\nat 10", "100%\nat 30"]
    shows(opposite, says=[f"outside the bands often wrong, inside {right}"])


def test_one_pair_alone_shows_every_number_and_how_far_the_best_lead():
    shares = {"one": np.array([0.7, 0.6, 0.93]), "two": np.array([1, 0.5, 0.95])}
    picture = pictures.one_pair_alone(shares)
    told = ["in three: one, 0 and 2; two, 0 and 2."]
    shows(picture, list(shares.values()), says=told)
    written = words(picture.axes[0])
    assert written[:4] == ["0.70", "0.60", "0.93", "1.00"]
    assert written[-2:] == ["pair 2: 0.23 ahead", "pairs 0 and 2: 0.45 ahead"]
    found = "No more than 2 pairs are far ahead"
    assert titles(picture) == [f"{found}, and not always the same"]
    shows(pictures.one_pair_alone({"one": [0.5, 0.6]}), says=["one, none."])


def test_yes_is_numbered_where_more_than_half_say_it():
    offsets = np.r_[-40:0, 1:41]
    shares = np.isin(offsets, (1, 20)) * 0.8 + 0.1
    picture = pictures.said_yes(offsets, shares)
    assert words(picture.axes[0]) == ["1", "20"]
    beyond = "of these, beyond the trained offsets"
    shows(picture, shares, says=[f"at 1 and 20; {beyond}: 20."])
    assert titles(picture) == ["Only 1 is right, but most also say yes at 20"]
    many = pictures.said_yes(offsets, np.isin(offsets, (-30, -18, 1, 20, 25)) * 0.8)
    assert titles(many)[0].endswith("at −18 and 20, and at 2 more")
    none = pictures.said_yes(offsets, np.isin(offsets, 1) * 0.8)
    shows(none, says=[f"at 1; {beyond}: none."])
    assert titles(none) == ["Most say yes at no other offset than 1"]


def test_drift_shows_its_numbers_and_names_what_outgrows_a_score():
    errors = {name: [10.0**n] * 4 for n, name in enumerate("abcde", -3)}
    picture = pictures.drift(2 ** np.arange(4), errors, 3)
    shows(picture, *errors.values(), says=["typical score for: e."])
    assert titles(picture) == ["Off by a typical score: e, from 1 on"]
    calm = {"a": [1e-9] * 4, "b": [1e-6, 1e-5, 1e-4, 5e-4]}
    quiet = pictures.drift(2 ** np.arange(4), calm, 1e-3)
    shows(quiet, says=["for: none."])
    assert titles(quiet) == ["None is ever off by a typical score"]
