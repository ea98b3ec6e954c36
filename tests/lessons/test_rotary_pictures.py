"""Notebook 07: its pictures, read back, and what their texts tell."""

import numpy as np
from drawing import shows
from references import rows
from seen import titles, words

from helpers.lessons.rotary import pictures

LENGTHS = (16, 24, 32, 64)
STRIPED = 9 * np.subtract.outer(np.arange(6.0), np.arange(6.0))


def test_scores_are_drawn_and_it_is_said_which_are_striped():
    maps = {"one": rows(6, 6), "two": STRIPED}
    maps["three"] = STRIPED[:, ::-1]

    said = ["one, every place has its own; two, one score for each offset; three, one"]
    told = ["One score for each offset: two; not so: one and three"]
    picture = pictures.score_maps(maps)
    shows(picture, *maps.values(), says=said, told=told)
    largest = np.abs(STRIPED).max()
    for ax in picture.axes[:3]:
        assert ax.images[0].get_clim() == (-largest, largest)

    picture = pictures.by_offset(maps)
    shows(picture, says=said, told=told)
    offset = [j - p for p, j in np.ndindex(6, 6)]
    for ax, scores in zip(picture.axes, maps.values(), strict=True):
        assert (ax.lines[0].get_data() == np.array([offset, scores.ravel()])).all()


def test_layouts_tell_the_pairs():
    told = "adjacent columns, 0 with 1, 2 with 3", "split halves, 0 with 4, 1 with 5"
    shows(pictures.layouts(8), says=told)


def test_extrapolation_shows_every_seed_and_the_mean():
    results = {
        "strong": {length: np.array([0.99, 0.97, 1.0]) for length in LENGTHS},
        "fading": {length: np.array([16, 15.8, 14]) / length for length in LENGTHS},
    }
    seeds = [np.array(list(found.values())).T for found in results.values()]
    drawn = [line for of_code in seeds for line in (of_code.mean(axis=0), *of_code)]
    shows(
        pictures.extrapolation(results),
        *drawn,
        says=["strong, 1.0, 1.0, 1.0 and 1.0; fading, 1.0,"],
        told=["only strong can do length 64"],
    )


def test_where_right_says_in_the_frame_and_outside():
    place = np.arange(0, 64, 2)
    inside = (place[:, None] < 16) & (place < 16)
    maps = {"square": inside * 1.0, "all": np.ones((32, 32)), "rest": 1.0 - inside}
    maps["none"] = np.zeros((32, 32))
    picture = pictures.where_right(maps)
    shows(picture, *maps.values(), told=["was trained: only all and rest"])
    assert "rest\n0% in it, 100% outside" in titles(picture)


def test_reach_draws_the_shares_and_the_bands_of_one_hand():
    share, hands = (np.arange(1, 64) // 20) % 2 == 1, {10: (2, 9.0), 100: (1, 20.0)}
    measured = dict.fromkeys(hands, share[None] * 1.0)
    picture = pictures.reach(measured, hands, marked=(10, 30))
    told = ["0% at offset 10 (right sign) and 100% at offset 30 (wrong sign)"]
    shows(picture, share, told=told)

    main = picture.axes[-1]
    bands = [(band.get_x(), band.get_width()) for band in main.patches]
    assert np.allclose(bands, [(20, 20), (60, 3.5)])
    assert {"0% at 10", "100% at 30"} <= set(words(main))


def test_one_pair_alone_shows_every_number_and_names_the_best():
    shares = {"one": np.array([0.7, 0.6, 0.93]), "two": np.array([1, 0.5, 0.6])}
    told = ["They are: one, 0 and 2; two, 0."]
    shows(pictures.one_pair_alone(shares), list(shares.values()), says=told)


def test_yes_is_numbered_at_each_peak():
    offsets = np.r_[-40:0, 1:41]
    shares = np.isin(offsets, (-18, 1, 20)) * 0.8 + np.isin(offsets, (19, 21)) * 0.6
    picture = pictures.share_of_yes(offsets, shares)
    assert words(picture.axes[0]) == ["−18", "1", "20"]
    shows(picture, shares, says=["one half: -18, 1, 19, 20 and 21."])
